// SPDX-License-Identifier: MIT
// Writes queued writes into the database.
#ifndef WEFT_STORE_WRITE_QUEUE_WRITER_H
#define WEFT_STORE_WRITE_QUEUE_WRITER_H

#include "store/store_state.h"

// Writes all of them as one transaction. On failure nothing is written.
enum result store_write_queue(struct store *store, const struct store_queue *writes, struct fault *fault) WEFT_MUST_USE;

#endif
