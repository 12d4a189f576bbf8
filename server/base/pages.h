// SPDX-License-Identifier: MIT
// Large blocks of memory whose pages cost nothing until they are written.
#ifndef WEFT_BASE_PAGES_H
#define WEFT_BASE_PAGES_H

#include <stddef.h>

// Reserves `bytes` zeroed bytes, aligned as malloc aligns. NULL when memory runs out. In WebAssembly, blocks of 64 KiB
// and more are whole pages that the module's memory grows by: calloc would write zeros to all of them.
void *pages_reserve(size_t bytes);
// Releases a block of pages_reserve; NULL is allowed. WebAssembly cannot shrink its memory, so that a large block is
// kept for a later pages_reserve there, from the same thread.
void pages_release(void *block);

// Gives the pages that lie wholly within these bytes of a heap block back to the system: their contents read as zeros
// from now on, and they cost no memory until they are written. Never fails: a page that the system does not take back
// keeps its contents.
void pages_give_back(void *from, size_t bytes);

#endif
