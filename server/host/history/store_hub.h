// SPDX-License-Identifier: MIT
// The store as all worlds share it: opening it as configured, and telling each world what became of its posts.
#ifndef WEFT_HOST_HISTORY_STORE_HUB_H
#define WEFT_HOST_HISTORY_STORE_HUB_H

#include <stdbool.h>
#include <stdint.h>

#include "host/config/config.h"
#include "store/store.h"

struct history;
struct store_hub;
struct json_writer;

// What the store's thread tells a history; see history_settle and history_wake.
struct store_hub_calls {
    void (*settle)(struct history *history, uint64_t ticket, enum result result, const struct fault *fault);
    void (*wake)(struct history *history);
};

// With `--data :memory:` and no `--store` there is none: *hub is NULL. Errors: those of store_open.
enum result store_hub_open(const struct config *config, const struct store_hub_calls *calls, struct store_hub **hub,
                           struct fault *fault) WEFT_MUST_USE;
// Stores all that was posted, tells of it, and closes the store. NULL is allowed, here and below.
void store_hub_close(struct store_hub *hub);
// After all histories have left.
void store_hub_destroy(struct store_hub *hub);
struct store *store_hub_store(const struct store_hub *hub);
// Reports settled posts to the history from now on, until `store_hub_leave`, after which it may be freed.
enum result store_hub_enter(struct store_hub *hub, struct history *history) WEFT_MUST_USE;
void store_hub_leave(struct store_hub *hub, const struct history *history);
// Worlds that could not be brought back: they stay in the store as they are, and the others run. From any thread; where
// `hub` is NULL there are none.
void store_hub_set_aside(struct store_hub *hub, uint64_t number, const char *name, const struct fault *why);
uint32_t store_hub_aside_count(struct store_hub *hub);
// The number of the one of that name; 0: there is none.
uint64_t store_hub_find_aside(struct store_hub *hub, const char *name);
void store_hub_forget_aside(struct store_hub *hub, uint64_t number); // it was removed
// The member `setAside`, [{"name", "reason"}], unless there is none, into an open object.
void store_hub_describe_aside(struct store_hub *hub, struct json_writer *out);
// Whether the store accepts posts; otherwise `fault` has the reason. For /healthz, from any thread; NULL is well.
bool store_hub_is_well(struct store_hub *hub, struct fault *fault);
// Sets the end of this node's lease, in ms of CLOCK_BOOTTIME, and whether its renewal succeeded. Any thread.
void store_hub_set_lease(struct store_hub *hub, uint64_t until_ms, bool well);
// Whether the lease ran out, but may still be renewed: after the machine or the process stood still. Then changes wait.
bool store_hub_lease_is_open(struct store_hub *hub);
// Whether the lease holds; a server that is no node always has it. Any thread. Errors: RESULT_IO, with the reason.
enum result store_hub_has_lease(struct store_hub *hub, struct fault *fault) WEFT_MUST_USE;

#endif
