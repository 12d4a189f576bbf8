// SPDX-License-Identifier: MIT
// The scenes that come with Weft, run and told: lines with the hash of the state and what
// happened.
#ifndef WEFT_TESTS_DETERMINISM_SCENE_H
#define WEFT_TESTS_DETERMINISM_SCENE_H

#include <stdbool.h>

#include "sim/sim.h"
#include "tape.h"

#define SCENE_STOPS_MAX 4

// Rising numbers of ticks, after each of which a scene is told of.
struct scene_stops {
    unsigned at[SCENE_STOPS_MAX], count;
};
// Reads them from the text of numbers; false unless there are one to SCENE_STOPS_MAX.
bool scene_stops_read(struct scene_stops *stops, const char *text);

// Runs the world to the last stop, and prints at each "NAME TICKS HASH torn N slept N woke N"; false when an object
// went non-finite.
bool scene_tell(const char *name, struct sim_world *world, const struct scene_stops *stops);
// Plays every scene of the tape; false when a command was refused or the tape is damaged.
bool scene_play(struct tape *tape, const struct scene_stops *stops);

#endif
