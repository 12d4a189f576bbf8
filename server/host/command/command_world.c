// SPDX-License-Identifier: MIT
// The clock of a world: stopping it, and stepping a world that stands.
#include "host/command/command_world.h"

#include "base/result.h"
#include "engine/client/client.h"
#include "engine/command/world.h"
#include "engine/state/event.h"
#include "host/history/history.h"
#include "host/history/playback.h"
#include "host/history/playback_state.h"
#include "host/world/host_call.h"
#include "host/world/session.h"

enum result host_world_pause(struct host_call *call) {
    struct world *world = call->world;
    if (playback_is_showing(world)) {
        playback_hold(world);
        json_writer_member_unsigned(call->result, "tick", sim_world_tick(world->engine->sim));
        json_writer_close_object(call->result);
        call->deferred = true; // nothing has changed
        history_answer(world, call->session->connection_id, call->id, call->result);
        return RESULT_OK;
    }
    world->engine->running = false;
    engine_tell_changed_by(world->engine, "pause", engine_find_client(world->engine, call->session->connection_id));
    return RESULT_OK;
}

enum result command_world_step(struct host_call *call) {
    const struct proto_world_step *params = call->command->params;
    struct world *world = call->world;
    if (world->engine->running) {
        return fault_set(call->fault, RESULT_STATE, "", "world.step needs a paused world: call world.pause first");
    }
    world->step.active = true;
    world->engine->stepping = true;
    world->step.until_tick = sim_world_tick(world->engine->sim) + params->ticks;
    world->step.connection_id = call->session->connection_id;
    world->step.id = *call->id;
    call->session->waiting = true;
    call->deferred = true;
    return RESULT_OK;
}

void world_finish_step(struct world *world) {
    struct session *session = world_find_session(world, world->step.connection_id);
    world->step.active = false;
    world->engine->stepping = false;
    world->someone_goes_on = true;
    engine_tell_changed(world->engine, "step");
    engine_flush_events(world->engine);
    if (session == NULL) {
        return;
    }
    world_go_on(world, session);
    json_writer_clear(&world->engine->result);
    json_writer_open_object(&world->engine->result);
    json_writer_member_unsigned(&world->engine->result, "tick", sim_world_tick(world->engine->sim));
    json_writer_close_object(&world->engine->result);
    history_answer_step(world, session->connection_id, &world->step.id, &world->engine->result);
}
