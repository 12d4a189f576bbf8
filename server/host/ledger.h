// SPDX-License-Identifier: MIT
// The store as all worlds share it: opening it as configured, and telling each world what became of its posts.
#ifndef WEFT_HOST_LEDGER_H
#define WEFT_HOST_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "host/config.h"
#include "store/store.h"

struct history;
struct ledger;
struct json_writer;

// What the store's thread tells a history; see history_settle and history_wake.
struct ledger_calls {
    void (*settle)(struct history *history, uint64_t ticket, enum result result, const struct fault *fault);
    void (*wake)(struct history *history);
};

// With `--data :memory:` there is none: *ledger is NULL. Errors: those of store_open.
enum result ledger_open(const struct config *config, const struct ledger_calls *calls, struct ledger **ledger,
                        struct fault *fault) WEFT_MUST_USE;
// Stores all that was posted, tells of it, and closes the store. NULL is allowed, here and below.
void ledger_close(struct ledger *ledger);
// After all histories have left.
void ledger_destroy(struct ledger *ledger);
struct store *ledger_store(const struct ledger *ledger);
// From now on the history is told of its posts; until `ledger_leave`, after which it may be freed.
enum result ledger_enter(struct ledger *ledger, struct history *history) WEFT_MUST_USE;
void ledger_leave(struct ledger *ledger, const struct history *history);
// Worlds that could not be brought back: they stay in the store as they are, and the others run. From any thread; where
// `ledger` is NULL there are none.
void ledger_set_aside(struct ledger *ledger, uint64_t number, const char *name, const struct fault *why);
uint32_t ledger_aside_count(struct ledger *ledger);
// The number of the one of that name; 0: there is none.
uint64_t ledger_find_aside(struct ledger *ledger, const char *name);
void ledger_forget_aside(struct ledger *ledger, uint64_t number); // it was removed
// The member `setAside`, [{"name", "reason"}], unless there is none, into an open object.
void ledger_describe_aside(struct ledger *ledger, struct json_writer *out);
// Whether the disk takes what is posted; `fault` says why not. For /healthz, from any thread; NULL is well.
bool ledger_is_well(struct ledger *ledger, struct fault *fault);

#endif
