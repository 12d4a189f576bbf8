// SPDX-License-Identifier: MIT
// Quotas: how many particles, sticks, objects and obstacles one owner may have in a world. What a client made stays its
// owner's, also when the client leaves and comes back. What a scene made belongs to nobody. Also, a world that is
// slower than its clock takes nothing new.
#ifndef WEFT_ENGINE_COMMAND_QUOTA_H
#define WEFT_ENGINE_COMMAND_QUOTA_H

#include "engine/command/command.h"

// Before and after a command that may make something. Errors: RESULT_BUSY (the world is too slow to grow).
enum result quota_begin(struct command_call *call) WEFT_MUST_USE;
void quota_end(const struct command_call *call, enum result result);
void engine_own_stick(struct engine_world *world, uint32_t stick, uint64_t owner);

#endif
