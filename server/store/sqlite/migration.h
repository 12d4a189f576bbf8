// SPDX-License-Identifier: MIT
// The tables of the store's file, and the migrations that make a file of an older schema one of the present schema.
#ifndef WEFT_STORE_SQLITE_MIGRATION_H
#define WEFT_STORE_SQLITE_MIGRATION_H

#include "store/types.h"

struct sqlite3;

// Finds out whether a file is a store, and of which schema; 0: it is empty. Writes nothing. Errors: RESULT_INVALID
// (it is not a store, or one of a newer schema), RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_schema_identify(const char *path, struct sqlite3 *db, int *version,
                                  struct fault *fault) WEFT_MUST_USE;
// Migrates from schema `version` (0: an empty file) to the present one. Returns an SQLite code.
int store_schema_migrate(struct sqlite3 *db, int version) WEFT_MUST_USE;
// Migrates a copy of a store that is to be salvaged; leaves it alone when its schema is unknown. Returns an SQLite
// code.
int store_schema_migrate_copy(struct sqlite3 *db) WEFT_MUST_USE;

#endif
