// SPDX-License-Identifier: MIT
// The place of objects in the arrays: reserving room at the end, finding an object by its id, moving later objects.
#ifndef WEFT_SIM_WORLD_LAYOUT_H
#define WEFT_SIM_WORLD_LAYOUT_H

#include "sim/world/world.h"

// Raises the epoch, and declares stale what is found from the layout; or only the latter, of a world that was restored.
// Whoever needs one of these things finds it again first.
void layout_changed(struct sim_world *world);
void layout_stale(struct sim_world *world);

// Whether an object has sticks that keep its lengths and take its stretch compliance, and bending sticks.
bool layout_stretches(const struct object *object);
bool layout_bends(const struct sim_world *world, const struct object *object);

// Reserves room for one more object of this size at the end, or fails with the limit. Nothing is visible before the
// commit.
struct object_size {
    uint64_t particles, sticks, triangles, tetrahedra, panels;
};

enum result layout_reserve(const struct sim_world *world, struct object_size size, struct object *object,
                           struct fault *fault) WEFT_MUST_USE;
// Fails if the present sender, of whose limit `used` are in use, may not have `wanted` more of `what`.
enum result layout_check_quota(const char *what, uint64_t wanted, uint32_t used, uint32_t most,
                               struct fault *fault) WEFT_MUST_USE;
uint32_t layout_commit(struct sim_world *world, struct object *object);
enum result layout_find(const struct sim_world *world, uint32_t id, struct object **object,
                        struct fault *fault) WEFT_MUST_USE;
// Changes an object's numbers of particles, sticks and colours: later objects move, new elements are not set. The
// caller makes sure that there is room, and declares the layout changed at the end.
void layout_resize(struct sim_world *world, struct object *object, uint32_t particles, uint32_t sticks,
                   uint32_t colours);
// Removes an object; later objects move up. The caller declares the layout changed afterwards.
void layout_close(struct sim_world *world, uint32_t place);
// Checks that every index is one of the object's; `member` names the list, "/particles".
enum result layout_check_indices(const struct object *object, const uint32_t *indices, uint32_t count,
                                 const char *member, struct fault *fault) WEFT_MUST_USE;

#endif
