// SPDX-License-Identifier: MIT
// Rows of the store's tables and their checksums. A capsule has rows of the same form, of world 1 and timeline 1.
#ifndef WEFT_STORE_DATABASE_ROW_H
#define WEFT_STORE_DATABASE_ROW_H

#include "store/store_state.h"

struct store_timeline_row {
    uint64_t world;
    uint32_t timeline;
    enum store_origin origin;
    uint32_t parent_timeline;
    uint64_t parent_sequence;
    uint64_t began_tick, began_ms;
    uint64_t last_sequence, last_tick;
    bool compacted; // its beginning was deleted: it now begins with a snapshot of compacted_sequence and compacted_tick
    uint64_t compacted_sequence, compacted_tick;
    uint32_t physics;
};

// A snapshot as its row holds it: state and extra, one after the other, as one zstd frame.
struct store_packed {
    struct store_snapshot head; // without `state` and `extra`
    uint64_t state_size, extra_size;
    bool raw; // not compressed yet
    struct store_bytes bytes;
};

uint64_t store_entry_checksum(uint64_t world, const struct store_logged *logged);
uint64_t store_snapshot_checksum(uint64_t world, const struct store_packed *packed);
uint64_t store_hash_checksum(uint64_t world, const struct store_hash *hash);
// Covers what store_world_create is given, and the time of creation.
uint64_t store_world_checksum(const struct store_world *world);

#define STORE_TIMELINE_COLUMNS                                                                                         \
    "world, timeline, origin, parent_timeline, parent_sequence, began_tick, began_ms, last_sequence, last_tick,"       \
    " folded, folded_sequence, folded_tick, checksum, physics"
// Reads the row at which a query for STORE_TIMELINE_COLUMNS stands. Returns false when the row does not have its
// checksum.
bool store_timeline_read(const struct store_rows *rows, struct store_timeline_row *row);
// Fetches the row of a timeline; 0 is the newest one. `intact` as above. Returns a code of database/sql.h.
int store_timeline_fetch(struct store_connection *connection, uint64_t world, uint32_t timeline,
                         struct store_timeline_row *row, bool *found, bool *intact) WEFT_MUST_USE;
// The same, where a row that is missing or damaged is a fault. Errors: RESULT_NOT_FOUND, RESULT_DAMAGED, RESULT_IO,
// RESULT_MEMORY.
enum result store_timeline_load(struct store_connection *connection, uint64_t world, uint32_t timeline,
                                struct store_timeline_row *row, struct fault *fault) WEFT_MUST_USE;
// Inserts or replaces the row. Returns a code of database/sql.h.
int store_timeline_save(struct store_connection *connection, const struct store_timeline_row *row) WEFT_MUST_USE;

// Copies an entry from `statement`, whose columns are timeline, sequence, tick, kind, client, session, request,
// saved_ms, record, checksum, into `logged`. The copy is one allocation, to which `record` points; the caller frees it.
// `checksum` is the row's, to be compared. Errors: RESULT_MEMORY.
enum result store_entry_copy(const struct store_rows *statement, struct store_logged *logged, uint64_t *checksum,
                             struct fault *fault) WEFT_MUST_USE;

#endif
