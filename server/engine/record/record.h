// SPDX-License-Identifier: MIT
// Records: what is known of objects, obstacles and grabs beside the simulation: names, colors, the commands that made
// them, who holds them. Sorted by id, which is the order of creation.
//
// A command that makes something adds its record; `engine_sweep_records` forgets the records of what the simulation no
// longer holds. So taking a batch back needs no undo of its own, but for names and colors that the batch changed.
#ifndef WEFT_ENGINE_RECORD_RECORD_H
#define WEFT_ENGINE_RECORD_RECORD_H

#include "engine/state/world_state.h"

// NULL when there is none. Valid until the next record of its kind is added or swept.
struct object_record *engine_find_object(struct engine_world *world, uint32_t id);
struct obstacle_record *engine_find_obstacle(struct engine_world *world, uint32_t id);
// NULL when memory ran out. `params` is JSON text, which is copied.
struct object_record *engine_add_object(struct engine_world *world, const struct sim_object_view *view,
                                        enum proto_method method, const char *params, size_t params_length);
struct obstacle_record *engine_add_obstacle(struct engine_world *world, uint32_t id);
struct grab_record *engine_add_grab(struct engine_world *world, uint32_t id, const struct client *client);
// Notes the name and color that an object or obstacle has, because the batch at work may be taken back. False when
// memory ran out.
bool engine_keep_look(struct engine_world *world, bool is_obstacle, uint32_t id) WEFT_MUST_USE;
void engine_end_looks(struct engine_world *world, bool take_back); // at the end of the batch
// Forgets the records of what has gone, and sends events for grabs that ended.
void engine_sweep_records(struct engine_world *world);
void object_records_free(struct object_record *records, uint32_t count); // the array too
void engine_free_records(struct engine_world *world);                    // there are none afterwards

#endif
