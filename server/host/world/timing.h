// SPDX-License-Identifier: MIT
// Where a world's time goes: the stages of its ticks, smoothed, and how punctual it is.
#ifndef WEFT_HOST_WORLD_TIMING_H
#define WEFT_HOST_WORLD_TIMING_H

#include "host/world/world_state.h"

void timing_attach(struct world *world);
// After a tick: `publish_ns` is what came after the step, the encoding of its frames included.
void timing_note_stages(struct world *world, uint64_t commands_ns, uint64_t publish_ns);
void describe_timing(const struct world *world, struct json_writer *out);

#endif
