// SPDX-License-Identifier: MIT
// The table of commands, and what their handlers share.
#include "app/command.h"

#include "app/roster.h"

const command_handler command_handlers[PROTO_METHOD_COUNT] = {
    [PROTO_METHOD_CLOTH_SPAWN] = command_cloth_spawn,
    [PROTO_METHOD_MESH_SPAWN] = command_mesh_spawn,
    [PROTO_METHOD_PARTICLES_SPAWN] = command_particles_spawn,
    [PROTO_METHOD_ROPE_SPAWN] = command_rope_spawn,
    [PROTO_METHOD_BODY_SPAWN] = command_body_spawn,
    [PROTO_METHOD_PLANT_SPAWN] = command_plant_spawn,
    [PROTO_METHOD_RAGDOLL_SPAWN] = command_ragdoll_spawn,
    [PROTO_METHOD_STICK_ADD] = command_stick_add,
    [PROTO_METHOD_STICK_REMOVE] = command_stick_remove,
    [PROTO_METHOD_OBSTACLE_ADD] = command_obstacle_add,
    [PROTO_METHOD_OBSTACLE_REMOVE] = command_obstacle_remove,
    [PROTO_METHOD_OBSTACLE_SET] = command_obstacle_set,
    [PROTO_METHOD_OBJECT_LIST] = command_object_list,
    [PROTO_METHOD_OBJECT_GET] = command_object_get,
    [PROTO_METHOD_OBJECT_REMOVE] = command_object_remove,
    [PROTO_METHOD_OBJECT_SET] = command_object_set,
    [PROTO_METHOD_OBJECT_STICKS] = command_object_sticks,
    [PROTO_METHOD_PARTICLE_PIN] = command_particle_pin,
    [PROTO_METHOD_PARTICLE_UNPIN] = command_particle_unpin,
    [PROTO_METHOD_PARTICLE_TEAR] = command_particle_tear,
    [PROTO_METHOD_PARTICLE_SET] = command_particle_set,
    [PROTO_METHOD_PARTICLE_MOVE] = command_particle_move,
    [PROTO_METHOD_PARTICLE_READ] = command_particle_read,
    [PROTO_METHOD_FORCE_APPLY] = command_force_apply,
    [PROTO_METHOD_GRAB_START] = command_grab_start,
    [PROTO_METHOD_GRAB_MOVE] = command_grab_move,
    [PROTO_METHOD_GRAB_END] = command_grab_end,
    [PROTO_METHOD_WORLD_GET] = command_world_get,
    [PROTO_METHOD_WORLD_MEASURE] = command_world_measure,
    [PROTO_METHOD_WORLD_CONTACTS] = command_world_contacts,
    [PROTO_METHOD_WORLD_SET] = command_world_set,
    [PROTO_METHOD_WORLD_PAUSE] = command_world_pause,
    [PROTO_METHOD_WORLD_RESUME] = command_world_resume,
    [PROTO_METHOD_WORLD_STEP] = command_world_step,
    [PROTO_METHOD_WORLD_RESET] = command_world_reset,
    [PROTO_METHOD_FRAMES_SUBSCRIBE] = command_frames_subscribe,
    [PROTO_METHOD_FRAMES_UNSUBSCRIBE] = command_frames_unsubscribe,
    [PROTO_METHOD_EVENTS_SUBSCRIBE] = command_events_subscribe,
    [PROTO_METHOD_EVENTS_UNSUBSCRIBE] = command_events_unsubscribe,
    [PROTO_METHOD_POINTER_MOVE] = command_pointer_move,
    [PROTO_METHOD_SCENE_LIST] = command_scene_list,
    [PROTO_METHOD_SCENE_PREVIEW] = command_scene_preview,
    [PROTO_METHOD_SCENE_LOAD] = command_scene_load,
    [PROTO_METHOD_SCENE_SAVE] = command_scene_save,
    [PROTO_METHOD_SCENE_DELETE] = command_scene_delete,
    [PROTO_METHOD_RPC_DISCOVER] = command_rpc_discover,
    [PROTO_METHOD_SESSION_AUTHENTICATE] = command_session_authenticate,
    [PROTO_METHOD_SESSION_RESUME] = command_session_resume,
    [PROTO_METHOD_SERVER_GET] = command_server_get,
    [PROTO_METHOD_CLIENT_LIST] = command_client_list,
    [PROTO_METHOD_CLIENT_CLOSE] = command_client_close,
    [PROTO_METHOD_WORLD_HISTORY] = command_world_history,
    [PROTO_METHOD_WORLD_LOG] = command_world_log,
    [PROTO_METHOD_WORLD_SEEK] = command_world_seek,
    [PROTO_METHOD_WORLD_REPLAY] = command_world_replay,
    [PROTO_METHOD_WORLD_UNDO] = command_world_undo,
    [PROTO_METHOD_WORLD_LIST] = command_world_list,
    [PROTO_METHOD_CLIENT_INTRODUCE] = command_client_introduce,
    [PROTO_METHOD_PEOPLE_LIST] = command_people_list,
    [PROTO_METHOD_SELECTION_SHOW] = command_selection_show,
    [PROTO_METHOD_WORLD_REDO] = command_world_redo,
    [PROTO_METHOD_WORLD_CANCEL] = command_world_cancel,
    [PROTO_METHOD_WORLD_CREATE] = command_world_create,
    [PROTO_METHOD_WORLD_BRANCH] = command_world_branch,
    [PROTO_METHOD_WORLD_REMOVE] = command_world_remove,
    [PROTO_METHOD_WORLD_EXPORT] = command_world_export,
    [PROTO_METHOD_WORLD_IMPORT] = command_world_import,
    [PROTO_METHOD_WORLD_FREEZE] = command_world_freeze,
    [PROTO_METHOD_VIEW_SHOW] = command_view_show,
};

_Static_assert(PROTO_METHOD_COUNT == 70, "a method came or went: give it its row above, then this number");

enum result command_resolve(const struct command_call *call, struct proto_ref ref, const char *pointer,
                            uint32_t *object) {
    if (!ref.is_command) {
        *object = ref.value;
        return RESULT_OK;
    }
    uint32_t made = call->made != NULL ? call->made[ref.value] : 0;
    if (made == 0) {
        return fault_set(call->fault, RESULT_INVALID, pointer, "\"$%u\" names command %u, which made no object",
                         ref.value, ref.value);
    }
    *object = made;
    return RESULT_OK;
}

uint64_t command_owner(const struct command_call *call) {
    const struct visitor *visitor = call->session != NULL ? call->session->visitor : NULL;
    return visitor != NULL ? visitor->owner : 0; // a client of long ago is not known any more
}

uint64_t command_next_tick(const struct world *world) {
    return sim_world_tick(world->sim) + 1;
}
