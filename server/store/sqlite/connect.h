// SPDX-License-Identifier: MIT
// Opens connections to the store's file.
#ifndef WEFT_STORE_SQLITE_CONNECT_H
#define WEFT_STORE_SQLITE_CONNECT_H

#include "store/store_state.h"

// Opens the writing connection; makes, migrates and checks the file. Errors: as store_open.
enum result store_connect(struct store *store, struct fault *fault) WEFT_MUST_USE;
// Opens a reading connection and begins a transaction on it; `store_reader_end` ends both. For a store in memory it is
// the writing connection, which is locked until then.
enum result store_reader_begin(struct store *store, struct store_connection *reader, struct fault *fault) WEFT_MUST_USE;
void store_reader_end(struct store *store, struct store_connection *reader);

#endif
