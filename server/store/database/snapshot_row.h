// SPDX-License-Identifier: MIT
// Compresses snapshots into rows, and reads, checks and decompresses them.
#ifndef WEFT_STORE_DATABASE_SNAPSHOT_ROW_H
#define WEFT_STORE_DATABASE_SNAPSHOT_ROW_H

#include "store/database/row.h"

// Compresses. The caller frees `packed->bytes`. Errors: RESULT_LIMIT, RESULT_MEMORY.
enum result store_snapshot_pack(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) WEFT_MUST_USE;
// Copies, to be compressed later by store_snapshot_compress. Errors: as store_snapshot_pack.
enum result store_snapshot_copy(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) WEFT_MUST_USE;
// Compresses a copy. Returns false, with nothing changed, when memory runs out.
bool store_snapshot_compress(struct store_packed *packed) WEFT_MUST_USE;
// Finds the row of a snapshot. `packed` and `checksum` are unchecked; its bytes belong to the rows, which the caller
// passes to store_done with `*code`. NULL: the query failed.
struct store_rows *store_snapshot_query(struct store_connection *connection, uint64_t number,
                                        struct store_packed *packed, uint64_t *checksum, int *code) WEFT_MUST_USE;
// Reads the snapshot of a row number, checks and decompresses it into one allocation, to which `snapshot->state`
// points; the caller frees it. Errors: RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_snapshot_load(struct store_connection *connection, uint64_t number, struct store_snapshot *snapshot,
                                struct fault *fault) WEFT_MUST_USE;

#endif
