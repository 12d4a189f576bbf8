// SPDX-License-Identifier: MIT
// Writes the motions of obstacles.
#ifndef WEFT_ENGINE_DESCRIBE_MOTION_H
#define WEFT_ENGINE_DESCRIBE_MOTION_H

#include "proto/json/json_writer.h"
#include "sim/sim.h"

// The members of a motion as obstacle.add takes them; `obstacle` is where it begins.
void describe_motion_members(const struct sim_obstacle *obstacle, struct json_writer *out);
// The member `motion`, where the obstacle has one.
void describe_motion(const struct sim_obstacle *obstacle, uint64_t start, struct json_writer *out);
// Members of obstacle.set that give the obstacle this motion without a path.
void describe_velocities(const struct sim_obstacle *obstacle, struct json_writer *out);

#endif
