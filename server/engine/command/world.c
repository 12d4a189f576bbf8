// SPDX-License-Identifier: MIT
#include "engine/command/world.h"

#include <stdio.h>

#include "engine/command/scene_load.h"
#include "engine/describe/describe.h"
#include "engine/gen/descriptions.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/state/to_host.h"

void engine_tell_changed(struct engine_world *world, const char *reason) {
    engine_tell_changed_by(world, reason, NULL);
}

void engine_tell_changed_by(struct engine_world *world, const char *reason, const struct client *client) {
    if (!engine_wants_event(world, PROTO_EVENT_NAME_WORLD_CHANGED)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_string(&world->text, "reason", reason);
    json_writer_member_boolean(&world->text, "running", world->running && !world->shows_past);
    engine_describe(world, ENGINE_PLACE_CHANGED, NULL, &world->text);
    json_writer_member_string(&world->text, "scene", world->scene);
    json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
    if (client != NULL && !client->logged) {
        json_writer_member_unsigned(&world->text, "client", client->number);
        json_writer_member_string(&world->text, "name", client->person.name);
    }
    json_writer_close_object(&world->text);
    engine_queue_event(world, PROTO_EVENT_NAME_WORLD_CHANGED, &world->text);
}

static void write_counts(const struct engine_world *world, struct json_writer *out) {
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
    struct engine_world *world = call->world;
    struct json_writer *out = call->result;
    describe_parameters(sim_world_parameters(world->sim), out);
    json_writer_member_unsigned(out, "tick", sim_world_tick(world->sim));
    json_writer_member_float(out, "tickHz", sim_world_tick_hz(world->sim));
    json_writer_member_boolean(out, "running", world->running);
    engine_describe(world, ENGINE_PLACE_CLOCK, call->client, out);
    json_writer_member_string(out, "world", world->name);
    json_writer_member_string(out, "scene", world->scene);
    json_writer_member_unsigned(out, "epoch", sim_world_epoch(world->sim));
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)sim_world_hash(world->sim));
    json_writer_member_string(out, "stateHash", hash);
    engine_describe(world, ENGINE_PLACE_PHYSICS, call->client, out);
    write_counts(world, out);
    engine_describe(world, ENGINE_PLACE_STATISTICS, call->client, out);
    describe_memory(world->sim, out);
    return RESULT_OK;
}

enum result command_world_set(struct command_call *call) {
    const struct proto_world_set *params = call->command->params;
    struct engine_world *world = call->world;
    struct sim_parameters wanted = *sim_world_parameters(world->sim);
    fill_world_set(&wanted, params);
    enum result result = sim_world_set_parameters(world->sim, &wanted, call->fault);
    if (result == RESULT_OK) {
        engine_tell_changed_by(world, "set", call->client);
    }
    return result;
}

enum result command_world_pause(struct command_call *call) {
    call->world->running = false;
    call->world->frame_stale = true; // a tick that waits to be told of together with the next one is told of now
    engine_tell_changed_by(call->world, "pause", call->client);
    return RESULT_OK;
}

enum result command_world_resume(struct command_call *call) {
    call->world->running = true;
    engine_tell_changed_by(call->world, "resume", call->client);
    return RESULT_OK;
}

enum result command_world_reset(struct command_call *call) {
    enum result result = engine_reset_scene(call->world, call->fault);
    if (result == RESULT_OK) {
        engine_tell_changed_by(call->world, "reset", call->client);
    }
    return result;
}
