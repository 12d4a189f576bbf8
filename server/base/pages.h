// SPDX-License-Identifier: MIT
// Memory that is reserved for long and used for a while.
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stddef.h>

// Gives the pages that lie wholly within these bytes, of a block of the heap, back to the system: what they held reads
// as zeros from now on, and they cost nothing until they are touched. Never fails; where the system will not take
// them, they are kept as they are.
void pages_give_back(void *from, size_t bytes);

#endif
