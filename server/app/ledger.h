// SPDX-License-Identifier: MIT
// The store as all worlds share it: opening it as configured, and telling each world what became of its posts.
#ifndef WEFT_APP_LEDGER_H
#define WEFT_APP_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "app/config.h"
#include "store/store.h"

struct history;
struct ledger;

// With `--data :memory:` there is none: *ledger is NULL. Errors: those of store_open.
enum result ledger_open(const struct config *config, struct ledger **ledger, struct fault *fault) WEFT_MUST_USE;
// Stores all that was posted, tells of it, and closes the store. NULL is allowed, here and below.
void ledger_close(struct ledger *ledger);
// After all histories have left.
void ledger_destroy(struct ledger *ledger);
struct store *ledger_store(const struct ledger *ledger);
// From now on the history is told of its posts; until `ledger_leave`, after which it may be freed.
enum result ledger_enter(struct ledger *ledger, struct history *history) WEFT_MUST_USE;
void ledger_leave(struct ledger *ledger, const struct history *history);
// Whether the disk takes what is posted; `fault` says why not. For /healthz, from any thread; NULL is well.
bool ledger_is_well(struct ledger *ledger, struct fault *fault);

#endif
