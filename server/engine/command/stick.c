// SPDX-License-Identifier: MIT
#include "engine/command/stick.h"

#include <stdio.h>
#include <string.h>

#include "engine/command/quota.h"
#include "engine/describe/describe.h"
#include "engine/gen/descriptions.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/state/to_host.h"

// ---- ends --------------------------------------------------------------------------------------------------------

static enum result refuse_end(bool first, const char *member, const char *why, struct fault *fault) {
    char pointer[16];
    snprintf(pointer, sizeof pointer, "/%c%s", first ? 'a' : 'b', member);
    return fault_set(fault, RESULT_INVALID, pointer, "%s", why);
}

static enum result read_weights(const struct proto_stick_end *end, bool first, struct sim_stick_place *place,
                                struct fault *fault) {
    if (end->particles.count != end->weights.count) {
        return refuse_end(first, "/weights", "weights must hold one number for each of particles", fault);
    }
    place->at = SIM_STICK_AT_WEIGHTS;
    place->weights.carriers = end->particles.count;
    for (uint32_t k = 0; k < end->particles.count && k < SIM_STICK_CARRIERS; k++) {
        place->weights.particle[k] = end->particles.items[k];
        place->weights.weight[k] = end->weights.items[k];
    }
    return RESULT_OK;
}

static enum result read_end(struct command_call *call, const struct proto_stick_end *end, bool first,
                            struct sim_stick_end *made, struct sim_stick_place *place) {
    const int forms = end->has_particle + end->has_point + end->has_anchor + (end->has_particles || end->has_weights);
    if (forms != 1 || end->has_particles != end->has_weights) {
        return refuse_end(first, "", "an end needs exactly one of particle, point, anchor, and particles with weights",
                          call->fault);
    }
    made->particle = end->particle;
    if (end->has_point || end->has_anchor) {
        place->at = end->has_point ? SIM_STICK_AT_SURFACE : SIM_STICK_AT_ANCHOR;
        place->point = end->has_point ? end->point : end->anchor;
    }
    const enum result result = end->has_particles ? read_weights(end, first, place, call->fault) : RESULT_OK;
    return result == RESULT_OK ? command_resolve(call, end->object, first ? "/a/object" : "/b/object", &made->object)
                               : result;
}

// ---- commands ----------------------------------------------------------------------------------------------------

static struct sim_stick_swing swing_of(const struct proto_stick_swing *swing) {
    return (struct sim_stick_swing){.amplitude = swing->amplitude,
                                    .period = swing->has_period ? swing->period : 1.0f,
                                    .phase = swing->has_phase ? swing->phase : 0.0f};
}

enum result command_stick_add(struct command_call *call) {
    const struct proto_stick_add *params = call->command->params;
    struct sim_stick_desc desc = sim_stick_desc_default();
    fill_stick_add(&desc, params);
    if (params->has_swing) {
        desc.swing = swing_of(&params->swing);
    }
    uint32_t stick;
    enum result result = read_end(call, &params->a, true, &desc.a, &desc.a_place);
    if (result == RESULT_OK) {
        result = read_end(call, &params->b, false, &desc.b, &desc.b_place);
    }
    if (result == RESULT_OK) {
        result = sim_stick_join(call->world->sim, &desc, &stick, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    engine_own_stick(call->world, stick, command_owner(call));
    json_writer_member_unsigned(call->result, "stick", stick);
    engine_tell_id(call->world, PROTO_EVENT_NAME_STICK_ADDED, "stick", stick);
    return RESULT_OK;
}

static void tell_changed(struct engine_world *world, uint32_t id) {
    if (!engine_wants_event(world, PROTO_EVENT_NAME_STICK_CHANGED)) {
        return;
    }
    for (uint32_t i = 0; i < sim_world_stick_count(world->sim); i++) {
        const struct sim_stick_view stick = sim_world_stick_at(world->sim, i);
        if (stick.id == id) {
            json_writer_clear(&world->text);
            json_writer_open_object(&world->text);
            json_writer_key(&world->text, "stick");
            describe_stick(&stick, &world->text);
            json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
            json_writer_close_object(&world->text);
            engine_queue_event(world, PROTO_EVENT_NAME_STICK_CHANGED, &world->text);
        }
    }
}

enum result command_stick_set(struct command_call *call) {
    const struct proto_stick_set *params = call->command->params;
    const enum sim_stick_kind kind = stick_set_kind_of(params->kind);
    const struct sim_stick_swing swing = swing_of(&params->swing);
    const struct sim_stick_change change = {
        .rest_length = params->has_rest_length ? &params->rest_length : NULL,
        .rate = params->has_rate ? &params->rate : NULL,
        .kind = params->has_kind ? &kind : NULL,
        .compliance = params->has_compliance ? &params->compliance : NULL,
        .swing = params->has_swing ? &swing : NULL,
        .break_force = params->has_break_force ? &params->break_force : NULL,
    };
    if (change.rest_length == NULL && change.rate == NULL && change.kind == NULL && change.compliance == NULL &&
        change.swing == NULL && change.break_force == NULL) {
        return fault_set(call->fault, RESULT_INVALID, "",
                         "nothing is changed: give restLength, kind, compliance, swing or breakForce");
    }
    const enum result result = sim_stick_set(call->world->sim, params->stick, change, call->fault);
    if (result == RESULT_OK) {
        tell_changed(call->world, params->stick);
    }
    return result;
}

enum result command_stick_remove(struct command_call *call) {
    const struct proto_stick_remove *params = call->command->params;
    enum result result = sim_stick_remove(call->world->sim, params->stick, call->fault);
    if (result == RESULT_OK) {
        engine_tell_id(call->world, PROTO_EVENT_NAME_STICK_REMOVED, "stick", params->stick);
    }
    return result;
}
