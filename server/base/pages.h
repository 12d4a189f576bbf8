// SPDX-License-Identifier: MIT
// Giving memory back to the system while its addresses stay reserved.
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stddef.h>

// Gives the pages that lie wholly within these bytes of a heap block back to the system: their contents read as zeros
// from now on, and they cost no memory until they are written. Never fails: a page that the system does not take back
// keeps its contents.
void pages_give_back(void *from, size_t bytes);

#endif
