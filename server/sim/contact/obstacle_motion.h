// SPDX-License-Identifier: MIT
// Where moving obstacles are, and how far their surfaces move in a substep (PHYSICS.md 4.10).
#ifndef WEFT_SIM_CONTACT_OBSTACLE_MOTION_H
#define WEFT_SIM_CONTACT_OBSTACLE_MOTION_H

#include "sim/world/world.h"

// True if the obstacle or its surface has a velocity or a path.
bool obstacle_has_motion(const struct sim_motion *motion);

// Puts an obstacle where its motion has it before the next tick, and finds its box.
void obstacle_motion_place(const struct sim_world *world, struct obstacle *obstacle);
// s: the time on its path before the next tick, less whole rounds of a loop; 0 without a path.
double obstacle_path_time(const struct sim_world *world, const struct obstacle *obstacle);

// m: from the obstacle's position before the next tick to the axis of its angular velocity.
struct vec3 obstacle_pivot(const struct sim_world *world, const struct obstacle *obstacle);

// Moves all obstacles to their places at the end of the substep with this index, and sets their steps.
void obstacle_motion_advance(struct sim_world *world, uint32_t index);
// Called when the tick has been counted: all obstacles are where the next tick finds them.
void obstacle_motion_end_tick(struct sim_world *world);

// True if a moving obstacle touches the object or may touch it in the next tick.
bool obstacle_motion_disturbs(const struct sim_world *world, const struct object *object);
// Wakes the objects that moving obstacles disturb.
void obstacle_motion_wake(struct sim_world *world);

// The displacement in the present substep of the obstacle's material that is at p when it begins, in m.
static inline struct point obstacle_carries(const struct obstacle_step *step, struct point p) {
    const struct point arm = point_sub(p, step->from);
    const struct point xy = point_add(point_scale(step->turn[0], arm.x), point_scale(step->turn[1], arm.y));
    return point_add(step->shift, point_add(xy, point_scale(step->turn[2], arm.z)));
}

// The same of the material that is at p when the substep ends.
static inline struct point obstacle_carried(const struct obstacle_step *step, struct point p) {
    const struct point arm = point_sub(p, point_add(step->from, step->shift));
    const struct point back = {point_dot(step->turn[0], arm), point_dot(step->turn[1], arm),
                               point_dot(step->turn[2], arm)};
    return point_sub(step->shift, back);
}

#endif
