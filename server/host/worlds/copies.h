// SPDX-License-Identifier: MIT
// Assignments: a world of which each student gets a copy. The original is a branch that stands still; a copy is found
// again by the key that it was made for, also after a restart, because the store keeps both with the world.
#ifndef WEFT_HOST_WORLDS_COPIES_H
#define WEFT_HOST_WORLDS_COPIES_H

#include "host/world/world_state.h"
#include "host/worlds/worlds.h"

#define COPY_NAME_MAX (CONFIG_WORLD_NAME_MAX - 3u) // of an original: its copies add a hyphen and a number

// The name of the key's copy of `copying->original`: one that there is, or a free one for a new one (`made`). On the
// job thread. Errors: RESULT_LIMIT when `allowed` copies are made.
enum result copies_choose(struct worlds *worlds, const struct copying *copying, uint32_t allowed,
                          char name[CONFIG_WORLD_NAME_MAX + 1], bool *made, struct fault *fault) WEFT_MUST_USE;

#endif
