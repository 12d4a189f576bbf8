// SPDX-License-Identifier: MIT
// The right to write to a world: the row of the table `owner`, whose epoch rises with each change of the owner. This
// server remembers the epochs by which it became the owner; a row that has another epoch was taken by another server. A
// server that has the database alone takes all worlds when it opens the store; nodes take and give them one by one
// (nodes.c).
#ifndef WEFT_STORE_POSTGRES_OWNER_H
#define WEFT_STORE_POSTGRES_OWNER_H

#include "store/database/engine.h"
#include "store/store_state.h"

// Functions return codes of database/sql.h, and run within a transaction.

int store_owner_take_all(struct store *store); // raises the epochs of all worlds
int store_owner_add(struct store *store, uint64_t world);
int store_owner_adopt(struct store *store, uint64_t world, uint64_t epoch); // remembers; outside of transactions, too
uint64_t store_owner_epoch(const struct store *store, uint64_t world);      // 0: none is remembered
int store_owner_remove(struct store *store, uint64_t world);
// Locks the owner rows of all claims in one query, then reads their timelines in another one, so that a former owner
// never sees a row from before the lock.
int store_owner_claim(struct store *store, struct store_claim *claims, uint32_t count);

#endif
