// SPDX-License-Identifier: MIT
// The logs of the worlds as queueing sees them.
#ifndef WEFT_STORE_WRITE_WORLD_LOG_H
#define WEFT_STORE_WRITE_WORLD_LOG_H

#include "store/store_state.h"

// The log of a world, or NULL. The caller holds the mutex.
struct store_log *store_log_find(struct store *store, uint64_t world);
// Puts a log, for which there is room, in its place among the others. The caller holds the mutex.
void store_log_insert(struct store *store, const struct store_log *log);
// Marks the worlds of these writes as lost to their logs. The caller holds the mutex.
void store_logs_lose(struct store *store, const struct store_queue *writes);
// Takes the mutex. Errors: RESULT_NOT_FOUND.
enum result store_world_check(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
enum result store_no_world(struct fault *fault); // returns RESULT_NOT_FOUND

#endif
