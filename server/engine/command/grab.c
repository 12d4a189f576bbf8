// SPDX-License-Identifier: MIT
// A grab belongs to the client that started it.
#include "engine/command/grab.h"

#include "engine/command/command.h"
#include "engine/command/people.h"
#include "engine/describe/describe.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/state/to_host.h"

// A recorded command names its client by number; the client itself may hold the grab by its id, if it is connected
// while the records are applied again.
static bool is_holder(const struct grab_record *grab, const struct client *client) {
    return grab->client == client->id || (client->logged && grab->number == client->number);
}

static bool is_own_grab(const struct command_call *call, uint32_t id) {
    for (uint32_t i = 0; i < call->world->grab_count; i++) {
        if (call->world->grabs[i].id == id) {
            return call->client != NULL && is_holder(&call->world->grabs[i], call->client);
        }
    }
    return false;
}

static enum result check_own_grab(const struct command_call *call, uint32_t id) {
    if (is_own_grab(call, id)) {
        return RESULT_OK;
    }
    return fault_set(call->fault, RESULT_NOT_FOUND, "/grab",
                     "grab %u is not one of yours: use an id that grab.start gave", id);
}

static void tell_started(struct engine_world *world, uint32_t id) {
    if (!engine_wants_event(world, PROTO_EVENT_NAME_GRAB_STARTED)) {
        return;
    }
    for (uint32_t i = 0; i < sim_world_grab_count(world->sim); i++) {
        struct sim_grab_view grab = sim_world_grab_at(world->sim, i);
        if (grab.id == id) {
            json_writer_clear(&world->text);
            json_writer_open_object(&world->text);
            describe_grab_members(world, &grab, &world->text);
            json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
            json_writer_close_object(&world->text);
            engine_queue_event(world, PROTO_EVENT_NAME_GRAB_STARTED, &world->text);
        }
    }
}

// The simulation knows the hand that is in the way, people know whose it is.
static enum result tell_holder(const struct command_call *call, uint32_t object) {
    const struct proto_grab_start *params = call->command->params;
    const struct client *holder =
        params->has_particle ? client_find_holder(call->world, object, params->particle) : NULL;
    if (holder == NULL || call->fault->cause != RESULT_STATE) {
        return call->fault->cause;
    }
    const struct fault why = *call->fault;
    return fault_set(call->fault, why.cause, why.pointer, "%s, of %s (client %u)", why.message,
                     holder == call->client ? "yourself" : holder->person.name, holder->number);
}

enum result command_grab_start(struct command_call *call) {
    const struct proto_grab_start *params = call->command->params;
    if (params->has_particle == params->has_point) {
        return fault_set(call->fault, RESULT_INVALID, params->has_point ? "/point" : "/particle",
                         "grab.start needs either particle or point, got %s", params->has_point ? "both" : "neither");
    }
    if (call->client == NULL) {
        return fault_set(call->fault, RESULT_STATE, "", "a grab belongs to a client, and this one has left");
    }
    struct engine_world *world = call->world;
    uint32_t object, grab;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = params->has_particle
                     ? sim_grab_start_particle(world->sim, object, params->particle, &grab, call->fault)
                     : sim_grab_start_point(world->sim, object, params->point, &grab, call->fault);
    }
    if (result != RESULT_OK) {
        return tell_holder(call, object);
    }
    if (engine_add_grab(world, grab, call->client) == NULL) {
        if (sim_grab_end(world->sim, grab, NULL) != RESULT_OK) {
            engine_log(world, "what could not be recorded could not be taken back");
        }
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    json_writer_member_unsigned(call->result, "grab", grab);
    tell_started(world, grab);
    return RESULT_OK;
}

enum result command_grab_move(struct command_call *call) {
    const struct proto_grab_move *params = call->command->params;
    enum result result = check_own_grab(call, params->grab);
    return result == RESULT_OK ? sim_grab_move(call->world->sim, params->grab, params->position, call->fault) : result;
}

enum result command_grab_end(struct command_call *call) {
    const struct proto_grab_end *params = call->command->params;
    enum result result = check_own_grab(call, params->grab);
    return result == RESULT_OK ? sim_grab_end(call->world->sim, params->grab, call->fault) : result;
}
