// SPDX-License-Identifier: MIT
// Lists timelines, snapshots and replies. Callable from any thread that may wait for the database. Errors of all:
// RESULT_NOT_FOUND (no such world), RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
#ifndef WEFT_STORE_READ_LISTING_H
#define WEFT_STORE_READ_LISTING_H

#include "store/types.h"

// By rising numbers. Free with free().
enum result store_list_timelines(struct store *store, uint64_t world, struct store_timeline **timelines,
                                 uint32_t *count, struct fault *fault) WEFT_MUST_USE;
// The timeline of this number in such a list, or NULL.
const struct store_timeline *store_find_timeline(const struct store_timeline *timelines, uint32_t count,
                                                 uint32_t number);
// The timeline that `fork` was forked from, or NULL.
const struct store_timeline *store_find_parent(const struct store_timeline *timelines, uint32_t count,
                                               const struct store_timeline *fork);

// In the order they were made. Free with free().
enum result store_list_snapshots(struct store *store, uint64_t world, struct store_snapshot_info **snapshots,
                                 uint32_t *count, struct fault *fault) WEFT_MUST_USE;

// The committed replies to one session in one world, oldest first, so that they can be looked up without the database
// when a client comes back. Replies that are still queued are not among them.
enum result store_read_replies(struct store *store, uint64_t world, const char *session, struct store_reply **replies,
                               uint32_t *count, struct fault *fault) WEFT_MUST_USE;
void store_replies_free(struct store_reply *replies, uint32_t count);

#endif
