// SPDX-License-Identifier: MIT
#include "engine/world/opposite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/command/motion.h"
#include "engine/describe/describe.h"
#include "engine/describe/motion.h"
#include "engine/record/record.h"
#include "engine/world/tick_record.h"

// ---- reading -----------------------------------------------------------------------------------------------------

// The number of a member of this name in a JSON text, 0: there is none.
static uint32_t number_of(const char *text, size_t length, const char *name) {
    char key[32];
    const int key_length = snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = memmem(text, length, key, (size_t)key_length);
    const char *end = text + length;
    uint64_t value = 0;
    if (found == NULL) {
        return 0;
    }
    for (found += key_length; found < end && *found == ' '; found++) {
    }
    for (; found < end && *found >= '0' && *found <= '9' && value <= UINT32_MAX; found++) {
        value = 10 * value + (uint64_t)(*found - '0');
    }
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

uint32_t command_object_of(const struct proto_command *command) {
    return command->params_text != NULL ? number_of(command->params_text, command->params_length, "object") : 0;
}

// ---- writing -----------------------------------------------------------------------------------------------------

static void open_command(struct json_writer *out, const char *method) {
    json_writer_open_object(out);
    json_writer_member_string(out, "method", method);
    json_writer_key(out, "params");
    json_writer_open_object(out);
}

static void close_command(struct json_writer *out) {
    json_writer_close_object(out);
    json_writer_close_object(out);
}

static bool write_removal(const char *method, const char *member, uint32_t id, struct json_writer *out) {
    open_command(out, method);
    json_writer_member_unsigned(out, member, id);
    close_command(out);
    return true;
}

static void write_particles(uint32_t object, const struct proto_indices *particles, struct json_writer *out) {
    json_writer_member_unsigned(out, "object", object);
    json_writer_key(out, "particles");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < particles->count; i++) {
        json_writer_unsigned(out, particles->items[i]);
    }
    json_writer_close_array(out);
}

static void write_color(bool has_color, uint32_t color, struct json_writer *out) {
    char text[8];
    if (has_color) {
        snprintf(text, sizeof text, "#%06x", color & 0xffffffu);
        json_writer_member_string(out, "color", text);
    }
}

// Of the members that the command set, those of then. `all` holds every member, one after the other, as the writer of
// texts makes them: no spaces, and no brackets in strings.
static bool write_parameters(struct engine_world *before, const struct proto_command *command,
                             struct json_writer *out) {
    struct json_writer all;
    bool wrote = false;
    json_writer_init(&all);
    json_writer_open_object(&all);
    describe_parameters(sim_world_parameters(before->sim), &all);
    json_writer_close_object(&all);
    open_command(out, "world.set");
    for (size_t at = 1; !json_writer_failed(&all) && at + 1 < all.length;) {
        const char *key_end = memchr(all.data + at + 1, '"', all.length - at - 1);
        const size_t key_length = key_end != NULL ? (size_t)(key_end - (all.data + at) - 1) : 0;
        size_t end = at + key_length + 3; // behind the colon
        char key[32];
        if (key_end == NULL || key_length >= sizeof key) {
            break;
        }
        snprintf(key, sizeof key, "%.*s", (int)key_length, all.data + at + 1);
        const size_t value = end;
        for (int depth = 0; end < all.length && !(depth == 0 && (all.data[end] == ',' || all.data[end] == '}'));
             end++) {
            depth += all.data[end] == '[' || all.data[end] == '{' ? 1 : 0;
            depth -= all.data[end] == ']' || all.data[end] == '}' ? 1 : 0;
        }
        if (memmem(command->params_text, command->params_length, all.data + at, key_length + 3) != NULL) {
            json_writer_key(out, key);
            json_writer_raw(out, all.data + value, end - value);
            wrote = true;
        }
        at = end + 1;
    }
    close_command(out);
    json_writer_free(&all);
    return wrote;
}

// All inverse masses of an object as they were, a command for each run of equal ones.
static void write_own_masses(struct engine_world *before, const struct sim_object_view *view, struct json_writer *out) {
    for (uint32_t i = 0; i < view->particles;) {
        const float inverse_mass = sim_particle_own_inverse_mass(before->sim, view->first + i);
        open_command(out, "particle.set");
        json_writer_member_unsigned(out, "object", view->id);
        json_writer_key(out, "particles");
        json_writer_open_array(out);
        for (; i < view->particles && sim_particle_own_inverse_mass(before->sim, view->first + i) == inverse_mass;
             i++) {
            json_writer_unsigned(out, i);
        }
        json_writer_close_array(out);
        json_writer_member_float(out, "inverseMass", inverse_mass);
        close_command(out);
    }
}

#define SETS_FABRIC(params)                                                                                            \
    ((params)->has_stretch_warp || (params)->has_stretch_weft || (params)->has_shear_stiffness ||                      \
     (params)->has_bend_warp || (params)->has_bend_weft)

static void write_stiffness(const struct proto_object_set *params, const struct sim_object_view *view,
                            struct json_writer *out) {
    if (params->has_stretch_compliance && view->stretch_compliance != NULL) {
        json_writer_member_float(out, "stretchCompliance", *view->stretch_compliance);
    }
    if (params->has_bend_compliance && view->bend_compliance != NULL) {
        json_writer_member_float(out, "bendCompliance", *view->bend_compliance);
    }
    const struct sim_fabric *fabric = view->fabric;
    const struct {
        bool has;
        const char *name;
        float value;
    } figures[] = {
        {params->has_stretch_warp, "stretchWarp", fabric != NULL ? fabric->stretch_warp : 0.0f},
        {params->has_stretch_weft, "stretchWeft", fabric != NULL ? fabric->stretch_weft : 0.0f},
        {params->has_shear_stiffness, "shearStiffness", fabric != NULL ? fabric->shear : 0.0f},
        {params->has_bend_warp, "bendWarp", fabric != NULL ? fabric->bend_warp : 0.0f},
        {params->has_bend_weft, "bendWeft", fabric != NULL ? fabric->bend_weft : 0.0f},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0] && fabric != NULL; i++) {
        if (figures[i].has) {
            json_writer_member_float(out, figures[i].name, figures[i].value);
        }
    }
}

static bool write_object_look(struct engine_world *before, const struct proto_object_set *params,
                              struct json_writer *out) {
    struct sim_object_view view;
    const struct object_record *record = engine_find_object(before, params->object.value);
    if (params->object.is_command || record == NULL ||
        sim_object_find(before->sim, record->id, &view, NULL) != RESULT_OK) {
        return false;
    }
    if (params->has_mass) {
        write_own_masses(before, &view, out);
    }
    if (!params->has_name && !(params->has_color && record->has_color) && !params->has_friction &&
        !params->has_restitution && !params->has_stretch_compliance && !params->has_bend_compliance &&
        !SETS_FABRIC(params)) {
        return params->has_mass;
    }
    open_command(out, "object.set");
    json_writer_member_unsigned(out, "object", record->id);
    if (params->has_name) {
        json_writer_member_string(out, "name", record->name);
    }
    write_color(params->has_color && record->has_color, record->color, out);
    if (params->has_friction) {
        json_writer_member_float(out, "friction", view.friction);
    }
    if (params->has_restitution) {
        json_writer_member_float(out, "restitution", view.restitution);
    }
    write_stiffness(params, &view, out);
    close_command(out);
    return true;
}

// The obstacle's place in their order; their number if there is none.
static uint32_t find_obstacle(const struct engine_world *world, uint32_t id) {
    uint32_t i = 0;
    while (i < sim_world_obstacle_count(world->sim) && sim_world_obstacle_at(world->sim, i)->id != id) {
        i++;
    }
    return i;
}

static bool write_obstacle_look(struct engine_world *before, const struct proto_obstacle_set *params,
                                struct json_writer *out) {
    const struct obstacle_record *record = engine_find_obstacle(before, params->obstacle);
    const uint32_t place = find_obstacle(before, params->obstacle);
    if (record == NULL || place == sim_world_obstacle_count(before->sim)) {
        return false;
    }
    const struct sim_obstacle going_on = sim_world_obstacle_going_on(before->sim, place);
    const struct sim_obstacle *obstacle = &going_on;
    const struct motion_given given = MOTION_OF(params);
    const bool moved = motion_is_given(&given);
    if (moved && obstacle->motion.points > 0) {
        return false; // where it is now may be off its path
    }
    open_command(out, "obstacle.set");
    json_writer_member_unsigned(out, "obstacle", record->id);
    if (params->has_name) {
        json_writer_member_string(out, "name", record->name);
    }
    write_color(params->has_color && record->has_color, record->color, out);
    if (params->has_friction) {
        json_writer_member_float(out, "friction", obstacle->friction);
    }
    if (params->has_restitution) {
        json_writer_member_float(out, "restitution", obstacle->restitution);
    }
    if (moved) {
        describe_velocities(obstacle, out);
    }
    close_command(out);
    return true;
}

// The object is made again as it was first made. Its changes between then and its removal are not repeated.
static bool write_object(struct engine_world *before, uint32_t id, struct json_writer *out) {
    const struct object_record *record = engine_find_object(before, id);
    if (record == NULL) {
        return false;
    }
    json_writer_open_object(out);
    json_writer_member_string(out, "method", proto_methods[record->method].name);
    json_writer_key(out, "params");
    json_writer_raw(out, record->params, record->params_length);
    json_writer_close_object(out);
    return true;
}

static bool write_obstacle(struct engine_world *before, uint32_t id, struct json_writer *out) {
    const uint32_t place = find_obstacle(before, id);
    if (place == sim_world_obstacle_count(before->sim)) {
        return false;
    }
    open_command(out, "obstacle.add");
    describe_obstacle_going_on(before, place, out);
    close_command(out);
    return true;
}

static bool find_stick(struct engine_world *before, uint32_t id, struct sim_stick_view *stick) {
    for (uint32_t i = 0; i < sim_world_stick_count(before->sim); i++) {
        *stick = sim_world_stick_at(before->sim, i);
        if (stick->id == id) {
            return true;
        }
    }
    return false;
}

static bool write_stick(struct engine_world *before, uint32_t id, struct json_writer *out) {
    struct sim_stick_view stick;
    if (!find_stick(before, id, &stick)) {
        return false;
    }
    open_command(out, "stick.add");
    describe_stick_members(&stick, NULL, out);
    close_command(out);
    return true;
}

// Of the members that the command set, those of then; a length that moved then moves on.
static bool write_stick_changes(struct engine_world *before, const struct proto_stick_set *params,
                                struct json_writer *out) {
    struct sim_stick_view stick;
    if (!find_stick(before, params->stick, &stick)) {
        return false;
    }
    open_command(out, "stick.set");
    json_writer_member_unsigned(out, "stick", stick.id);
    if (params->has_rest_length) {
        json_writer_member_float(out, "restLength", stick.rate > 0.0f ? stick.target_length : stick.rest_length);
        json_writer_member_float(out, "rate", stick.rate);
    }
    if (params->has_kind) {
        json_writer_member_string(out, "kind", proto_stick_set_kind_names[stick.kind]);
    }
    if (params->has_compliance) {
        json_writer_member_float(out, "compliance", stick.compliance);
    }
    if (params->has_swing) {
        describe_swing(&stick.swing, out);
    }
    if (params->has_break_force) {
        json_writer_member_float(out, "breakForce", stick.break_force);
    }
    close_command(out);
    return true;
}

static bool write_masses(struct engine_world *before, const struct proto_particle_set *params,
                         struct json_writer *out) {
    struct sim_object_view view;
    if (params->object.is_command || sim_object_find(before->sim, params->object.value, &view, NULL) != RESULT_OK) {
        return false;
    }
    for (uint32_t i = 0; i < params->particles.count && params->particles.items[i] < view.particles; i++) {
        const struct proto_indices one = {.items = &params->particles.items[i], .count = 1};
        open_command(out, "particle.set");
        write_particles(view.id, &one, out);
        json_writer_member_float(out, "inverseMass",
                                 sim_particle_own_inverse_mass(before->sim, view.first + one.items[0]));
        close_command(out);
    }
    return true;
}

static bool write_position(struct engine_world *before, const struct proto_particle_move *params,
                           struct json_writer *out) {
    struct sim_object_view view;
    if (params->object.is_command || sim_object_find(before->sim, params->object.value, &view, NULL) != RESULT_OK ||
        params->particle >= view.particles) {
        return false;
    }
    const struct sim_particles_view all = sim_world_particles(before->sim);
    const uint32_t slot = view.first + params->particle;
    open_command(out, "particle.move");
    json_writer_member_unsigned(out, "object", view.id);
    json_writer_member_unsigned(out, "particle", params->particle);
    json_writer_member_vec3(out, "position", (struct vec3){all.x[slot], all.y[slot], all.z[slot]});
    close_command(out);
    return true;
}

static bool write_pinning(const char *method, struct proto_ref object, const struct proto_indices *particles,
                          struct json_writer *out) {
    if (object.is_command) {
        return false;
    }
    open_command(out, method);
    write_particles(object.value, particles, out);
    close_command(out);
    return true;
}

// Writes the opposite of one command; `id` is the id of the object, obstacle or stick that it makes.
static bool write_command(struct engine_world *before, const struct proto_command *command, uint32_t id,
                          struct json_writer *out) {
    const void *params = command->params;
    const struct proto_particle_pin *pin = params;
    const struct proto_particle_unpin *unpin = params;
    const struct proto_object_remove *removed = params;
    switch (proto_methods[command->method].makes) {
    case PROTO_MAKES_OBJECT:
        return write_removal("object.remove", "object", id, out);
    case PROTO_MAKES_OBSTACLE:
        return write_removal("obstacle.remove", "obstacle", id, out);
    case PROTO_MAKES_STICK:
        return write_removal("stick.remove", "stick", id, out);
    default:
        break;
    }
    switch (command->method) {
    case PROTO_METHOD_WORLD_SET:
        return write_parameters(before, command, out);
    case PROTO_METHOD_OBJECT_SET:
        return write_object_look(before, params, out);
    case PROTO_METHOD_OBSTACLE_SET:
        return write_obstacle_look(before, params, out);
    case PROTO_METHOD_OBJECT_REMOVE:
        return !removed->object.is_command && write_object(before, removed->object.value, out);
    case PROTO_METHOD_OBSTACLE_REMOVE:
        return write_obstacle(before, ((const struct proto_obstacle_remove *)params)->obstacle, out);
    case PROTO_METHOD_STICK_REMOVE:
        return write_stick(before, ((const struct proto_stick_remove *)params)->stick, out);
    case PROTO_METHOD_STICK_SET:
        return write_stick_changes(before, params, out);
    case PROTO_METHOD_PARTICLE_SET:
        return write_masses(before, params, out);
    case PROTO_METHOD_PARTICLE_MOVE:
        return write_position(before, params, out);
    case PROTO_METHOD_PARTICLE_PIN:
        return write_pinning("particle.unpin", pin->object, &pin->particles, out);
    case PROTO_METHOD_PARTICLE_UNPIN:
        return write_pinning("particle.pin", unpin->object, &unpin->particles, out);
    default:
        return false; // the effects of a push, a tear or a grab cannot be put back
    }
}

// ---- entries -----------------------------------------------------------------------------------------------------

bool engine_write_opposite(struct engine_world *before, const struct engine_record *record, struct json_writer *out) {
    struct proto_request *request = NULL;
    struct fault fault;
    uint32_t sequence = 0;
    bool wrote = false;
    if (engine_read_command(record, &sequence, &request, &fault) != RESULT_OK) {
        return false;
    }
    if (request->command.method == PROTO_METHOD_BATCH_RUN) {
        const struct proto_batch_run *batch = request->command.params;
        for (uint32_t i = batch->commands.count; i-- > 0;) { // the last first
            wrote = write_command(before, &batch->commands.items[i], sequence + 1 + i, out) || wrote;
        }
    } else {
        wrote = write_command(before, &request->command, sequence + 1, out);
    }
    proto_request_destroy(request);
    return wrote;
}

void engine_write_again(const struct engine_record *record, struct json_writer *out) {
    struct proto_request *request = NULL;
    struct fault fault;
    uint32_t sequence = 0;
    if (engine_read_command(record, &sequence, &request, &fault) != RESULT_OK) {
        return;
    }
    const bool hand =
        request->command.method == PROTO_METHOD_GRAB_START || request->command.method == PROTO_METHOD_GRAB_MOVE ||
        request->command.method == PROTO_METHOD_GRAB_END || request->command.method == PROTO_METHOD_BATCH_RUN;
    if (!hand) {
        json_writer_open_object(out);
        json_writer_member_string(out, "method", proto_methods[request->command.method].name);
        json_writer_key(out, "params");
        json_writer_raw(out, request->command.params_text, request->command.params_length);
        json_writer_close_object(out);
    }
    proto_request_destroy(request);
}
