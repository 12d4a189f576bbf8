// SPDX-License-Identifier: MIT
// Moments: short intervals of a world's history that whoever may see the world may have as a capsule, at
// GET /worlds/NAME/moments/TIMELINE-FROM-TO. Nothing more is stored for them: they last as long as the history that
// they are of.
#ifndef WEFT_HOST_CONNECTION_MOMENT_H
#define WEFT_HOST_CONNECTION_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "host/config/config.h"

#define MOMENT_SECONDS_MAX 60u

// The ticks after `from` up to `to` of a timeline; timeline 0: no moment is meant, but the whole history.
struct moment {
    uint32_t timeline;
    uint64_t from, to;
};

// False: the path is not that of a moment. `name` and `moment` are then untouched.
bool moment_read_path(const char *path, char name[CONFIG_WORLD_NAME_MAX + 1], struct moment *moment);
// Why there is no such moment: a sentence for people; NULL: it is short enough and not empty.
const char *moment_fault(const struct moment *moment, double tick_hz);

#endif
