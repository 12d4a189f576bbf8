// SPDX-License-Identifier: MIT
// Follows a world in lockstep: an engine of its own computes the ticks of the encoding "ticks", and compares the
// hashes.
#ifndef WEFT_TOOLS_CLIENT_TICK_FOLLOWER_H
#define WEFT_TOOLS_CLIENT_TICK_FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

struct tick_follower;

enum result tick_follower_create(struct tick_follower **follower, struct fault *fault) WEFT_MUST_USE;
void tick_follower_destroy(struct tick_follower *follower); // NULL is allowed
// A subscription on another connection begins, where the same numbers of generations mean other snapshots: ticks wait
// for its snapshot.
void tick_follower_begin_anew(struct tick_follower *follower);
bool tick_follower_is_for(const uint8_t *bytes, size_t length); // whether a message is a snapshot or ticks
// Takes such a message. Errors: RESULT_DAMAGED (the state differs from the server's, or the message is damaged),
// RESULT_INVALID (another physics version), RESULT_LIMIT, RESULT_MEMORY. Then subscribe anew.
enum result tick_follower_take(struct tick_follower *follower, const uint8_t *bytes, size_t length,
                               struct fault *fault) WEFT_MUST_USE;
uint64_t tick_follower_tick(const struct tick_follower *follower);
uint64_t tick_follower_hashes(const struct tick_follower *follower); // how many were compared, and are equal
uint32_t tick_follower_particles(const struct tick_follower *follower);

#endif
