// SPDX-License-Identifier: MIT
// Claims one world for a transaction: each transaction that writes to a world begins with a claim, so that a server
// whose world was taken writes nothing to it any more.
#ifndef WEFT_STORE_WRITE_CLAIM_H
#define WEFT_STORE_WRITE_CLAIM_H

#include "store/database/engine.h"
#include "store/store_state.h"

// Within a transaction; the row of `timeline`, unless that is 0, is then in the claim. Returns a code of
// database/sql.h.
int store_claim_world(struct store *store, uint64_t world, uint32_t timeline, struct store_claim *claim) WEFT_MUST_USE;
// Notes that another server has taken the world. Returns RESULT_STATE.
enum result store_claim_lost(struct store *store, uint64_t world, struct fault *fault);
// Begins a transaction that writes to one world. On failure it is rolled back. Errors: RESULT_STATE (another server has
// taken the world), RESULT_IO, RESULT_MEMORY. `action` as in store_sql_fault.
enum result store_begin_owned(struct store *store, uint64_t world, const char *action,
                              struct fault *fault) WEFT_MUST_USE;

#endif
