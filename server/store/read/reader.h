// SPDX-License-Identifier: MIT
// Reads the records that are needed to compute the state of a moment. Callable from any thread that may wait for the
// database.
#ifndef WEFT_STORE_READ_READER_H
#define WEFT_STORE_READ_READER_H

#include "store/types.h"

// Errors: RESULT_NOT_FOUND (no such world or timeline, or its history does not hold the tick: `fault` says which ticks
// it holds), RESULT_DAMAGED (no intact snapshot, or entries missing or damaged), RESULT_IO, RESULT_MEMORY. Free with
// store_history_free.
enum result store_read(struct store *store, const struct store_query *query, struct store_history **history,
                       struct fault *fault) WEFT_MUST_USE;
// Reads at most `most` entries of one timeline from a sequence number on, checked like those of store_read. `history`
// holds nothing else. Errors: as store_read.
enum result store_list_entries(struct store *store, uint64_t world, uint32_t timeline, uint64_t from_sequence,
                               uint32_t most, struct store_history **history, struct fault *fault) WEFT_MUST_USE;

#endif
