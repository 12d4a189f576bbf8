// SPDX-License-Identifier: MIT
// What reading an archived world needs: whether what was read can be a world at all. Nobody may be able to make the
// core read or write outside its arrays, loop for ever or divide by nothing with an archive whose hash is right.
#ifndef WEFT_SIM_STATE_ARCHIVE_CHECK_H
#define WEFT_SIM_STATE_ARCHIVE_CHECK_H

#include "sim/world/world.h"

// Whether it fits, and the parameters are some that sim_world_set_parameters takes. Nothing is in the arrays yet.
enum result archive_check_counts(const struct sim_world *world, const struct sim_state *state,
                                 struct fault *fault) WEFT_MUST_USE;
// Objects with all their parts, and the spans of the storage of shapes; the counts are those of `state`.
enum result archive_check_objects(const struct sim_world *world, const struct sim_state *state,
                                  struct fault *fault) WEFT_MUST_USE;
// What names objects: islands, free sticks, grabs, forces.
enum result archive_check_links(const struct sim_world *world, struct fault *fault) WEFT_MUST_USE;

#endif
