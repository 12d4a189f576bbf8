// SPDX-License-Identifier: MIT
// Makes and copies files, and reads the page size of a database, without SQLite.
#ifndef WEFT_STORE_SQLITE_FILE_COPY_H
#define WEFT_STORE_SQLITE_FILE_COPY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// The page size in a database's header; SQLite's default where the header has none.
uint32_t store_page_size(const char *path);
// Makes a file that only its owner can read, if there is none yet. False: see errno.
bool store_make_file(const char *path);
// Opens a new file that only its owner can read. NULL when it cannot be made, or exists.
FILE *store_create_copy(const char *path);
// Copies as much as can be read. Returns false when memory runs out or when writing fails. Whether reading failed,
// ferror(in) tells.
bool store_copy_bytes(FILE *in, FILE *out);

#endif
