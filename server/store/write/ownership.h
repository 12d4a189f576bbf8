// SPDX-License-Identifier: MIT
// The worlds of a shared database that this server writes to. store_nodes_take makes a node the owner of a world in the
// table; these functions make its store begin and stop to write there.
#ifndef WEFT_STORE_WRITE_OWNERSHIP_H
#define WEFT_STORE_WRITE_OWNERSHIP_H

#include "store/types.h"

// Sets the node of this server, which owns the worlds that the server creates. Before the first world is created.
void store_join(struct store *store, const char *node, const char *url);
// From now on writes to this world are taken, by the epoch in which this node owns it. Waits for the database. Errors:
// RESULT_STATE (it was made here, and nothing is to be done), RESULT_BUSY (another node has taken it since),
// RESULT_LIMIT (STORE_WORLDS_MAX), RESULT_NOT_FOUND, RESULT_DAMAGED (its newest timeline), RESULT_IO, RESULT_MEMORY.
enum result store_world_adopt(struct store *store, uint64_t world, uint64_t epoch, struct fault *fault) WEFT_MUST_USE;
// Settles the queued writes of this world, then takes no more. Waits for the database. Errors: RESULT_NOT_FOUND,
// RESULT_IO (a queued write failed; the world stays).
enum result store_world_release(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Takes no more writes to this world at once, because another node has it: its queued writes are settled with
// RESULT_NOT_FOUND. Any thread.
void store_world_forget(struct store *store, uint64_t world);
// The epoch by which this server writes to the world; 0: it does not. Any thread.
uint64_t store_world_epoch(struct store *store, uint64_t world);

#endif
