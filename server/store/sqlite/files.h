// SPDX-License-Identifier: MIT
// Checks whether the files of an open store are still at their paths. A server goes on with a file that was deleted or
// replaced while it had the file open, but the next server does not find that file.
#ifndef WEFT_STORE_SQLITE_FILES_H
#define WEFT_STORE_SQLITE_FILES_H

#include "store/store_state.h"

// Checks that the files of a store are regular ones, as far as they exist: opening a pipe would wait for ever.
// `pointer` is that of the fault. Errors: RESULT_IO.
enum result store_check_kinds(const char *directory, const char *pointer, struct fault *fault) WEFT_MUST_USE;
// Remembers which file was opened as the database. Errors: RESULT_IO.
enum result store_remember_database(struct store *store, struct fault *fault) WEFT_MUST_USE;
// Checks whether the database is still that file. When its folder is deleted, moved or put back from a copy while a
// server runs, SQLite does not notice, and goes on to write into a file that has no path any more. Errors: RESULT_IO.
enum result store_check_database(const struct store *store, struct fault *fault) WEFT_MUST_USE;
// Checks the database, and whether its write-ahead log and its watermark exist. If one of these two is gone, it is made
// again from the open file. Errors: RESULT_IO, RESULT_DAMAGED, RESULT_MEMORY.
enum result store_check_files(struct store *store, struct fault *fault) WEFT_MUST_USE;

#endif
