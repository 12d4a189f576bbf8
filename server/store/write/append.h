// SPDX-License-Identifier: MIT
// Queues writes. Callable from any thread; no function here waits for the database.
#ifndef WEFT_STORE_WRITE_APPEND_H
#define WEFT_STORE_WRITE_APPEND_H

#include "store/types.h"

// Whether an append of this world would be taken now. Cheap. Errors: RESULT_BUSY (the queue is full: try again),
// RESULT_IO (the database fails; `fault` says why), RESULT_STATE (the world is lost to its log, or has no timeline),
// RESULT_NOT_FOUND.
enum result store_accepts(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;

// Appends entries to the newest timeline: all of them or, in a crash, none. Taken also over STORE_QUEUE_MAX, since what
// was applied must be logged. The caller chooses `ticket`. Errors: RESULT_IO, RESULT_STATE, RESULT_NOT_FOUND,
// RESULT_MEMORY; then the world is lost to its log, and `settled` is not called. Asserts that sequence numbers and
// ticks rise.
enum result store_append(struct store *store, uint64_t world, const struct store_entry *entries, uint32_t count,
                         uint64_t ticket, struct fault *fault) WEFT_MUST_USE;

// Appends the state's hash after a tick, with all entries so far applied; it also records that the tick was reached.
// Due each 60th tick and when the clock stops. Errors as store_append, but the world is not lost by them.
enum result store_append_hash(struct store *store, uint64_t world, uint64_t tick, uint64_t hash, uint64_t ticket,
                              struct fault *fault) WEFT_MUST_USE;

// Keeps a snapshot of the newest timeline. Compresses on the calling thread, so the caller must have time; entries that
// were appended after the snapshot was taken may have been queued before it. Errors: RESULT_BUSY over STORE_QUEUE_MAX;
// RESULT_STATE also when the snapshot is of an older timeline; others as store_append, but the world is not lost by
// them.
enum result store_save(struct store *store, uint64_t world, const struct store_snapshot *snapshot, uint64_t ticket,
                       struct fault *fault) WEFT_MUST_USE;

// Begins a new timeline, to which `store_append` writes from now on; a lost world is well again. `snapshot` has
// sequence 0, and may be NULL only with STORE_ORIGIN_EMPTY; with STORE_ORIGIN_FORK the parent is used when the snapshot
// is damaged. Copies the snapshot, so a simulation thread may call it; the store's thread compresses it. Errors: as
// store_save; a timeline number that does not rise is RESULT_STATE.
enum result store_begin(struct store *store, uint64_t world, const struct store_beginning *beginning,
                        const struct store_snapshot *snapshot, uint64_t ticket, struct fault *fault) WEFT_MUST_USE;

// Begins a group: the writes of this world wait until the group is committed, and are then one transaction: in a crash
// all of them are kept or none. Until then they count as queued. Errors: RESULT_MEMORY, RESULT_NOT_FOUND.
enum result store_group_begin(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Does nothing when no group was begun. Errors: RESULT_MEMORY; then the group is dropped, the world is lost to its log,
// and `settled` is not called.
enum result store_group_commit(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Drops the writes of the group; `settled` is not called.
void store_group_discard(struct store *store, uint64_t world);

#endif
