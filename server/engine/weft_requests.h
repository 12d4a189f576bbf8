// SPDX-License-Identifier: MIT
// The requests of clients of a world behind weft.h: JSON-RPC messages wait in a queue, and are applied and answered
// between two ticks.
#ifndef WEFT_ENGINE_WEFT_REQUESTS_H
#define WEFT_ENGINE_WEFT_REQUESTS_H

#include "engine/weft_world.h"

void weft_requests_init(struct weft_world *world); // no request waits
void weft_requests_free(struct weft_world *world); // those that wait
// Does what weft.h says of weft_world_submit.
enum result weft_requests_submit(struct weft_world *world, uint64_t client, const char *json,
                                 size_t length) WEFT_MUST_USE;
// Applies the requests that are due, in the order in which they came, and hands out their records.
void weft_requests_apply(struct weft_world *world);

#endif
