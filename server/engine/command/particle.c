// SPDX-License-Identifier: MIT
#include "engine/command/particle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/command/command.h"
#include "engine/gen/descriptions.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"

#define READ_INLINE_MAX 1000u // particles written out between two ticks; more are left to the host

static void tell_pins(struct engine_world *world, enum proto_event_name name, uint32_t object,
                      const struct proto_indices *particles) {
    if (!engine_wants_event(world, name)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "object", object);
    json_writer_key(&world->text, "particles");
    json_writer_open_array(&world->text);
    for (uint32_t i = 0; i < particles->count; i++) {
        json_writer_unsigned(&world->text, particles->items[i]);
    }
    json_writer_close_array(&world->text);
    json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
    json_writer_close_object(&world->text);
    engine_queue_event(world, name, &world->text);
}

enum result command_particle_pin(struct command_call *call) {
    const struct proto_particle_pin *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_particle_pin(call->world->sim, object, params->particles.items, params->particles.count,
                                  params->has_position ? &params->position : NULL, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct object_record *record = engine_find_object(call->world, object);
    if (record != NULL && params->has_position) {
        record->pins_moved = true;
    }
    tell_pins(call->world, PROTO_EVENT_NAME_PARTICLE_PINNED, object, &params->particles);
    return RESULT_OK;
}

enum result command_particle_unpin(struct command_call *call) {
    const struct proto_particle_unpin *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result =
            sim_particle_unpin(call->world->sim, object, params->particles.items, params->particles.count, call->fault);
    }
    if (result == RESULT_OK) {
        tell_pins(call->world, PROTO_EVENT_NAME_PARTICLE_UNPINNED, object, &params->particles);
    }
    return result;
}

enum result command_particle_tear(struct command_call *call) {
    const struct proto_particle_tear *params = call->command->params;
    uint32_t object;
    uint32_t made;
    struct sim_object_view view;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_particle_tear(call->world->sim, object, params->particles.items, params->particles.count, &made,
                                   call->fault);
    }
    if (result == RESULT_OK) {
        result = sim_object_find(call->world->sim, object, &view, call->fault);
    }
    if (result == RESULT_OK) {
        json_writer_member_unsigned(call->result, "made", made);
        json_writer_member_unsigned(call->result, "particles", view.particles);
    }
    return result;
}

enum result command_particle_set(struct command_call *call) {
    const struct proto_particle_set *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_particle_set_inverse_mass(call->world->sim, object, params->particles.items,
                                               params->particles.count, params->inverse_mass, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct object_record *record = engine_find_object(call->world, object);
    if (record != NULL) {
        record->masses_changed = true;
    }
    return RESULT_OK;
}

enum result command_particle_move(struct command_call *call) {
    const struct proto_particle_move *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_particle_move(call->world->sim, object, params->particle, params->position,
                                   particle_move_mode_of(params->mode), call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct object_record *record = engine_find_object(call->world, object);
    if (record != NULL) {
        record->pins_moved = true; // it may have been a pin
    }
    return RESULT_OK;
}

enum result command_force_apply(struct command_call *call) {
    const struct proto_force_apply *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_force_apply(call->world->sim, object, params->particles.items,
                                 params->has_particles ? params->particles.count : 0, params->force, params->ticks,
                                 call->fault);
    }
    return result;
}

// ---- reading -----------------------------------------------------------------------------------------------------

// Seven numbers a particle, copied between two ticks and written out as text where there is time.
struct reading {
    struct engine_long_reply reply; // first, so that a reply is its reading
    uint64_t tick;
    uint32_t count;
    struct {
        struct vec3 position, velocity;
        float inverse_mass;
    } particles[];
};

static void write_reading(const struct reading *reading, struct json_writer *out) {
    json_writer_member_unsigned(out, "tick", reading->tick);
    json_writer_key(out, "positions");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < reading->count; i++) {
        json_writer_vec3(out, reading->particles[i].position);
    }
    json_writer_close_array(out);
    json_writer_key(out, "velocities");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < reading->count; i++) {
        json_writer_vec3(out, reading->particles[i].velocity);
    }
    json_writer_close_array(out);
    json_writer_key(out, "inverseMasses");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < reading->count; i++) {
        json_writer_float(out, reading->particles[i].inverse_mass);
    }
    json_writer_close_array(out);
}

static void write_reply(const struct engine_long_reply *reply, struct json_writer *out) {
    write_reading((const struct reading *)reply, out);
}

static void free_reply(struct engine_long_reply *reply) {
    free(reply);
}

static enum result copy_particles(const struct command_call *call, const struct sim_object_view *view,
                                  const struct proto_indices *indices, bool chosen, struct reading *reading) {
    struct sim_particles_view all = sim_world_particles(call->world->sim);
    float per_second = 1.0f / all.substep;
    for (uint32_t i = 0; i < reading->count; i++) {
        uint32_t index = chosen ? indices->items[i] : i;
        if (index >= view->particles) {
            char pointer[32];
            snprintf(pointer, sizeof pointer, "/particles/%u", i);
            return fault_set(call->fault, RESULT_NOT_FOUND, pointer,
                             "particles[%u] is %u, but object %u has only particles 0 to %u", i, index, view->id,
                             view->particles - 1);
        }
        uint32_t slot = view->first + index;
        reading->particles[i].position = (struct vec3){all.x[slot], all.y[slot], all.z[slot]};
        reading->particles[i].velocity =
            (struct vec3){all.dx[slot] * per_second, all.dy[slot] * per_second, all.dz[slot] * per_second};
        reading->particles[i].inverse_mass = all.inverse_mass[slot];
    }
    return RESULT_OK;
}

enum result command_particle_read(struct command_call *call) {
    const struct proto_particle_read *params = call->command->params;
    uint32_t object;
    struct sim_object_view view;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_object_find(call->world->sim, object, &view, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    uint32_t count = params->has_particles ? params->particles.count : view.particles;
    struct reading *reading = malloc(sizeof *reading + count * sizeof reading->particles[0]);
    if (reading == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    *reading = (struct reading){
        .reply = {.write = write_reply, .free = free_reply}, .tick = sim_world_tick(call->world->sim), .count = count};
    result = copy_particles(call, &view, &params->particles, params->has_particles, reading);
    const struct engine_host *host = &call->world->host;
    if (result == RESULT_OK && count > READ_INLINE_MAX && call->id->present && call->client != NULL &&
        host->reply_later != NULL) {
        result = host->reply_later(host->context, call->client->id, call->id, &reading->reply);
        if (result == RESULT_OK) {
            call->deferred = true;
            return RESULT_OK;
        }
        fault_set(call->fault, result, "", "too many long answers are being written: try again");
    } else if (result == RESULT_OK) {
        write_reading(reading, call->result);
    }
    free(reading);
    return result;
}
