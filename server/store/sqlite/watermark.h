// SPDX-License-Identifier: MIT
// The high-water mark of acknowledged commits, in a file beside the database.
#ifndef WEFT_STORE_SQLITE_WATERMARK_H
#define WEFT_STORE_SQLITE_WATERMARK_H

#include "store/store_state.h"

// Writes a name for the run of the machine since it was started; empty where the system gives none.
void store_boot_name(char boot[STORE_BOOT_MAX]);
struct store_watermark store_watermark_read(const char *path);
// Opens the file and writes `store->commits` into it. Errors: RESULT_IO, RESULT_MEMORY.
enum result store_watermark_open(struct store *store, struct fault *fault) WEFT_MUST_USE;
void store_watermark_raise(struct store *store); // after a commit, before it is acknowledged
void store_watermark_sync(struct store *store);
void store_watermark_close(struct store *store);

#endif
