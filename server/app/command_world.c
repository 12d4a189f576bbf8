// SPDX-License-Identifier: MIT
// The world itself: parameters, clock, figures, starting anew.
#include <stdio.h>

#include "app/command.h"
#include "app/gen/descriptions.h"
#include "app/history.h"
#include "app/playback.h"
#include "app/rework.h"
#include "app/roster.h"

void world_tell_changed(struct world *world, const char *reason) {
    world_tell_changed_by(world, reason, NULL);
}

void world_tell_changed_by(struct world *world, const char *reason, const struct session *session) {
    if (!world_wants_event(world, PROTO_EVENT_NAME_WORLD_CHANGED)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_string(&world->text, "reason", reason);
    json_writer_member_boolean(&world->text, "running", world->running && !playback_is_showing(world));
    describe_playback(world, &world->text);
    describe_freeze(world, NULL, &world->text);
    json_writer_member_string(&world->text, "scene", world->scene);
    json_writer_member_unsigned(&world->text, "tick", command_next_tick(world));
    if (session != NULL && session->visitor != NULL) { // a session of long ago has none
        json_writer_member_unsigned(&world->text, "client", session->client);
        json_writer_member_string(&world->text, "name", session->visitor->person.name);
    }
    json_writer_close_object(&world->text);
    world_queue_event(world, PROTO_EVENT_NAME_WORLD_CHANGED, &world->text);
}

static void write_counts(const struct world *world, struct json_writer *out) {
    struct sim_counts counts = sim_world_counts(world->sim);
    json_writer_key(out, "counts");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "particles", counts.particles);
    json_writer_member_unsigned(out, "sticks", counts.sticks);
    json_writer_member_unsigned(out, "triangles", counts.triangles);
    json_writer_member_unsigned(out, "objects", counts.objects);
    json_writer_member_unsigned(out, "obstacles", counts.obstacles);
    json_writer_member_unsigned(out, "grabs", counts.grabs);
    json_writer_member_unsigned(out, "pins", counts.pins);
    json_writer_close_object(out);
    struct sim_capacity capacity = sim_world_capacity(world->sim);
    json_writer_key(out, "limits");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "particles", capacity.particles);
    json_writer_member_unsigned(out, "sticks", capacity.sticks);
    json_writer_member_unsigned(out, "triangles", capacity.triangles);
    json_writer_member_unsigned(out, "objects", capacity.objects);
    json_writer_member_unsigned(out, "obstacles", capacity.obstacles);
    json_writer_close_object(out);
}

enum result command_world_get(struct command_call *call) {
    struct world *world = call->world;
    struct json_writer *out = call->result;
    describe_parameters(sim_world_parameters(world->sim), out);
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->sim));
    json_writer_member_float(out, "tickHz", sim_world_tick_hz(world->sim));
    json_writer_member_boolean(out, "running", world->running);
    describe_playback(world, out);
    describe_rework(world, out);
    describe_freeze(world, call->session, out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_string(out, "scene", world->scene);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->sim));
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sim_world_hash(world->sim));
    json_writer_member_string(out, "stateHash", hash);
    describe_physics(world, out);
    write_counts(world, out);
    describe_timing(world, out);
    describe_memory(world, out);
    return RESULT_OK;
}

enum result command_world_set(struct command_call *call) {
    const struct proto_world_set *params = call->command->params;
    struct world *world = call->world;
    struct sim_parameters wanted = *sim_world_parameters(world->sim);
    fill_world_set(&wanted, params);
    enum result result = sim_world_set_parameters(world->sim, &wanted, call->fault);
    if (result == RESULT_OK) {
        world_tell_changed_by(world, "set", call->session);
    }
    return result;
}

enum result command_world_pause(struct command_call *call) {
    if (playback_is_showing(call->world) && !call->world->replaying) {
        playback_hold(call->world);
        json_writer_member_unsigned(call->result, "tick", sim_world_tick(call->world->sim));
        json_writer_close_object(call->result);
        call->deferred = true; // nothing has changed
        history_answer(call->world, call->session->peer, call->id, call->result);
        return RESULT_OK;
    }
    call->world->running = false;
    atomic_store(&call->world->figures.running, false);
    world_tell_changed_by(call->world, "pause", call->session);
    return RESULT_OK;
}

enum result command_world_resume(struct command_call *call) {
    struct world *world = call->world;
    if (!world->running) {
        world->running = true;
        world->next_tick_ns = pool_now_ns();
        world->second_start_ns = 0; // the real-time factor begins anew
    }
    atomic_store(&world->figures.running, true);
    world_tell_changed_by(world, "resume", call->session);
    return RESULT_OK;
}

enum result command_world_step(struct command_call *call) {
    const struct proto_world_step *params = call->command->params;
    struct world *world = call->world;
    if (world->running) {
        return fault_set(call->fault, RESULT_STATE, "", "world.step needs a paused world: call world.pause first");
    }
    world->step.active = true;
    world->step.until_tick = sim_world_tick(world->sim) + params->ticks;
    world->step.peer = call->session->peer;
    world->step.id = *call->id;
    call->session->waiting = true;
    call->deferred = true;
    return RESULT_OK;
}

void world_finish_step(struct world *world) {
    struct session *session = world_find_session(world, world->step.peer);
    world->step.active = false;
    world->someone_goes_on = true;
    world_tell_changed(world, "step");
    world_flush_events(world);
    if (session == NULL) {
        return;
    }
    world_go_on(world, session);
    json_writer_clear(&world->result);
    json_writer_open_object(&world->result);
    json_writer_member_unsigned(&world->result, "tick", sim_world_tick(world->sim));
    json_writer_close_object(&world->result);
    history_answer_step(world, session->peer, &world->step.id, &world->result);
}

enum result command_world_reset(struct command_call *call) {
    enum result result = world_reset_scene(call->world, call->fault);
    if (result == RESULT_OK) {
        world_tell_changed_by(call->world, "reset", call->session);
    }
    return result;
}
