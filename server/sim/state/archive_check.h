// SPDX-License-Identifier: MIT
// Checks for reading an archived world. No archive, even with a correct hash, may make the simulation read or write
// outside its arrays, loop for ever or divide by zero.
#ifndef WEFT_SIM_STATE_ARCHIVE_CHECK_H
#define WEFT_SIM_STATE_ARCHIVE_CHECK_H

#include "sim/world/world.h"

// True if the state fits the world and sim_world_set_parameters accepts the parameters. The arrays are not filled yet.
enum result archive_check_counts(const struct sim_world *world, const struct sim_state *state,
                                 struct fault *fault) WEFT_MUST_USE;
// Checks objects with all their parts, and the spans of the storage of shapes; the counts are those of `state`.
enum result archive_check_objects(const struct sim_world *world, const struct sim_state *state,
                                  struct fault *fault) WEFT_MUST_USE;
// Checks references to objects: islands, free sticks, grabs, forces.
enum result archive_check_links(const struct sim_world *world, struct fault *fault) WEFT_MUST_USE;

#endif
