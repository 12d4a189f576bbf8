// SPDX-License-Identifier: MIT
// The store's thread.
#ifndef WEFT_STORE_WRITE_THREAD_H
#define WEFT_STORE_WRITE_THREAD_H

// The thread's function; its argument is the store. Returns when the store is stopping and nothing is left to do.
void *store_thread_run(void *store);

#endif
