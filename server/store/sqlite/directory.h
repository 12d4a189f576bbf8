// SPDX-License-Identifier: MIT
// The directory of a store: made if it is missing, and locked so that only one server uses it.
#ifndef WEFT_STORE_SQLITE_DIRECTORY_H
#define WEFT_STORE_SQLITE_DIRECTORY_H

#include "store/store_state.h"

// Makes and locks the directory, and sets the store's paths. The lock ends with the process. Errors: RESULT_STATE
// (another server has the lock), RESULT_INVALID (the path is too long), RESULT_IO.
enum result store_lock_directory(struct store *store, const char *directory, struct fault *fault) WEFT_MUST_USE;
// Syncs the names of the files in the directory, so that they survive a power cut. Errors: RESULT_IO.
enum result store_sync_directory(const char *directory, struct fault *fault) WEFT_MUST_USE;

#endif
