// SPDX-License-Identifier: MIT
// Commands: one handler per method, found in one table.
//
// To add a method: describe it in proto/weft.openrpc.json, run `make generate`, write its handler in the
// command_*.c of its noun, and declare it here; the build fails until then, for the table is generated from the schema.
#ifndef WEFT_APP_COMMAND_H
#define WEFT_APP_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "app/world.h"

// A call of a method, as its handler sees it.
struct command_call {
    struct world *world;
    struct session *session; // whose call; NULL for a scene's
    const struct proto_command *command;
    const struct proto_id *id;
    const uint32_t *made;       // within a batch: ids made by the commands before, 0 for none
    struct json_writer *result; // an open object, to which the handler adds members
    struct fault *fault;
    uint32_t made_object; // out: the id of the object made
    bool deferred;        // out: somebody else will answer
};

typedef enum result (*command_handler)(struct command_call *call);

extern const command_handler command_handlers[PROTO_METHOD_COUNT]; // NULL for batch.run, which apply.c runs

// The object that a reference names.
enum result command_resolve(const struct command_call *call, struct proto_ref ref, const char *pointer,
                            uint32_t *object) WEFT_MUST_USE;
// Writes the members of an event or result that say when.
uint64_t command_next_tick(const struct world *world);

// allowance.c: before and after a command that makes something. Errors: RESULT_BUSY (the world is too slow to grow).
enum result allowance_begin(struct command_call *call) WEFT_MUST_USE;
void allowance_end(const struct command_call *call, enum result result);
uint64_t command_owner(const struct command_call *call); // 0 for a scene's

// command_spawn.c
enum result command_cloth_spawn(struct command_call *call);
enum result command_mesh_spawn(struct command_call *call);
enum result command_particles_spawn(struct command_call *call);
enum result command_rope_spawn(struct command_call *call);
enum result command_body_spawn(struct command_call *call);
enum result command_plant_spawn(struct command_call *call);
enum result command_ragdoll_spawn(struct command_call *call);
// command_object.c
enum result command_object_list(struct command_call *call);
enum result command_object_get(struct command_call *call);
enum result command_object_remove(struct command_call *call);
enum result command_stick_add(struct command_call *call);
enum result command_stick_remove(struct command_call *call);
enum result command_obstacle_add(struct command_call *call);
enum result command_obstacle_remove(struct command_call *call);
// command_set.c
enum result command_object_set(struct command_call *call);
enum result command_obstacle_set(struct command_call *call);
// command_probe.c
enum result command_object_sticks(struct command_call *call);
enum result command_world_measure(struct command_call *call);
enum result command_world_contacts(struct command_call *call);
// command_particle.c
enum result command_particle_pin(struct command_call *call);
enum result command_particle_unpin(struct command_call *call);
enum result command_particle_tear(struct command_call *call);
enum result command_particle_set(struct command_call *call);
enum result command_particle_move(struct command_call *call);
enum result command_particle_read(struct command_call *call);
enum result command_force_apply(struct command_call *call);
// command_grab.c
enum result command_grab_start(struct command_call *call);
enum result command_grab_move(struct command_call *call);
enum result command_grab_end(struct command_call *call);
// command_world.c
enum result command_world_get(struct command_call *call);
enum result command_world_set(struct command_call *call);
enum result command_world_pause(struct command_call *call);
enum result command_world_resume(struct command_call *call);
enum result command_world_step(struct command_call *call);
enum result command_world_reset(struct command_call *call);
// command_time.c
enum result command_world_history(struct command_call *call);
enum result command_world_log(struct command_call *call);
enum result command_world_seek(struct command_call *call);
enum result command_world_replay(struct command_call *call);
// command_undo.c
enum result command_world_undo(struct command_call *call);
enum result command_world_redo(struct command_call *call);
enum result command_world_cancel(struct command_call *call);
// command_resume.c
enum result command_session_resume(struct command_call *call);
// command_worlds.c
enum result command_world_list(struct command_call *call);
enum result command_world_create(struct command_call *call);
enum result command_world_branch(struct command_call *call);
enum result command_world_remove(struct command_call *call);
enum result command_world_export(struct command_call *call);
enum result command_world_import(struct command_call *call);
// command_view.c
enum result command_frames_subscribe(struct command_call *call);
enum result command_frames_unsubscribe(struct command_call *call);
enum result command_events_subscribe(struct command_call *call);
enum result command_events_unsubscribe(struct command_call *call);
enum result command_pointer_move(struct command_call *call);
enum result command_rpc_discover(struct command_call *call);
// command_present.c
enum result command_world_freeze(struct command_call *call);
enum result command_view_show(struct command_call *call);
// command_people.c
enum result command_client_introduce(struct command_call *call);
enum result command_people_list(struct command_call *call);
enum result command_selection_show(struct command_call *call);
// command_session.c
enum result command_session_authenticate(struct command_call *call);
// command_admin.c
enum result command_server_get(struct command_call *call);
enum result command_client_list(struct command_call *call);
enum result command_client_close(struct command_call *call);
// command_scene.c
enum result command_scene_list(struct command_call *call);
enum result command_scene_preview(struct command_call *call);
enum result command_scene_load(struct command_call *call);
enum result command_scene_save(struct command_call *call);
enum result command_scene_delete(struct command_call *call);

#endif
