// SPDX-License-Identifier: MIT
// A world as JSON, for replies and events: objects, obstacles, sticks, grabs, parameters. Functions that describe only
// a part write members into an open object.
#ifndef WEFT_ENGINE_DESCRIBE_DESCRIBE_H
#define WEFT_ENGINE_DESCRIBE_DESCRIBE_H

#include "engine/state/world_state.h"

void describe_identity(struct engine_world *world, const struct sim_object_view *view, const char *id_key,
                       struct json_writer *out);
// The name, and the color if the object has one of its own.
void describe_look(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_obstacle_look(struct engine_world *world, const struct sim_obstacle *obstacle, struct json_writer *out);
void describe_lattice(const struct sim_object_view *view, struct json_writer *out); // of a cloth
void describe_shape(const struct sim_object_view *view, struct json_writer *out);   // of a body
// The compliances of the sticks that it has, and the mass of its particles that have a finite one.
// The volume of a soft body, and of the gas in a mesh with its pressure, at present.
void describe_volume(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_stiffness(const struct sim_object_view *view, struct json_writer *out);
void describe_mass(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_object_members(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out);
void describe_object(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out);
// Without an id: as the params of the obstacle.add that would make the obstacle and have it go on as it does.
void describe_obstacle_identity(struct engine_world *world, const struct sim_obstacle *obstacle, bool with_id,
                                struct json_writer *out);
void describe_obstacle_place(const struct sim_obstacle *obstacle, struct json_writer *out);
void describe_obstacle_shape(const struct sim_obstacle *obstacle, struct json_writer *out); // all but its arrays
// By its place in the order of obstacles. One that moves is described where its motion began, with the motion.
void describe_obstacle(struct engine_world *world, uint32_t index, struct json_writer *out);
void describe_obstacle_going_on(struct engine_world *world, uint32_t index, struct json_writer *out);
void describe_grab_members(struct engine_world *world, const struct sim_grab_view *grab, struct json_writer *out);
// `refs` name the objects by the commands that make them; NULL: by their ids.
void describe_stick_members(const struct sim_stick_view *stick, const uint32_t refs[2], struct json_writer *out);
void describe_swing(const struct sim_stick_swing *swing, struct json_writer *out); // as a member
void describe_stick(const struct sim_stick_view *stick, struct json_writer *out);
void describe_parameters(const struct sim_parameters *parameters, struct json_writer *out);
void describe_bounds(const struct sim_parameters *parameters, struct json_writer *out);
void describe_memory(const struct sim_world *sim, struct json_writer *out); // the member `memory`

#endif
