// SPDX-License-Identifier: MIT
#include "engine/command/spawn.h"

#include <stdio.h>

#include "engine/command/command.h"
#include "engine/describe/describe.h"
#include "engine/gen/descriptions.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/state/to_host.h"

// What every object may be given, for its record and the event.
struct look {
    bool has_name;
    const char *name;
    bool has_color;
    uint32_t color;
};

#define LOOK_OF(params)                                                                                                \
    (struct look) {                                                                                                    \
        (params)->has_name, (params)->name, (params)->has_color, (params)->color                                       \
    }

// Records the new object, tells of it and answers.
static enum result finish(struct command_call *call, uint32_t object, struct look look) {
    struct engine_world *world = call->world;
    struct sim_object_view view;
    enum result result = sim_object_find(world->sim, object, &view, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct object_record *record = engine_add_object(world, &view, call->command->method, call->command->params_text,
                                                     call->command->params_length);
    if (record == NULL) {
        if (sim_object_remove(world->sim, object, NULL) != RESULT_OK) {
            engine_log(world, "what could not be recorded could not be taken back");
        }
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    if (look.has_name) {
        snprintf(record->name, sizeof record->name, "%s", look.name);
    }
    record->owner = command_owner(call);
    record->sticks = view.sticks;
    record->has_color = look.has_color;
    record->color = look.color;
    call->made_object = object;
    json_writer_member_unsigned(call->result, "object", object);
    json_writer_member_unsigned(call->result, "particles", view.particles);
    if (engine_wants_event(world, PROTO_EVENT_NAME_OBJECT_ADDED)) {
        json_writer_clear(&world->text);
        json_writer_open_object(&world->text);
        describe_object_members(world, &view, &world->text);
        json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
        json_writer_close_object(&world->text);
        engine_queue_event(world, PROTO_EVENT_NAME_OBJECT_ADDED, &world->text);
    }
    return RESULT_OK;
}

static enum result check_masses(struct fault *fault, const struct proto_floats *masses, bool given, uint32_t particles,
                                bool other_given, const char *other) {
    if (given && other_given) {
        return fault_set(fault, RESULT_INVALID, "/masses", "masses and %s exclude each other: give one of them", other);
    }
    if (given && masses->count != particles) {
        return fault_set(fault, RESULT_INVALID, "/masses",
                         "masses must hold one mass for each of the %u particles, got %u", particles, masses->count);
    }
    return RESULT_OK;
}

// Cloth and mesh share these members by name; the generated structs are different types.
#define CHECK_SHEET(params, particles, fault)                                                                          \
    ((params)->has_mass && (params)->has_areal_density                                                                 \
         ? fault_set(fault, RESULT_INVALID, "/arealDensity", "mass and arealDensity exclude each other: give one")     \
         : check_masses(fault, &(params)->masses, (params)->has_masses, particles,                                     \
                        (params)->has_mass || (params)->has_areal_density,                                             \
                        (params)->has_mass ? "mass" : "arealDensity"))

enum result command_cloth_spawn(struct command_call *call) {
    const struct proto_cloth_spawn *params = call->command->params;
    enum result result = CHECK_SHEET(params, params->columns * params->rows, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    fill_cloth_spawn(&desc, params);
    uint32_t object;
    result = sim_cloth_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_mesh_spawn(struct command_call *call) {
    const struct proto_mesh_spawn *params = call->command->params;
    uint32_t particles = params->positions.count / 3;
    enum result result = CHECK_SHEET(params, particles, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    fill_mesh_spawn(&desc, params);
    if (desc.sheet.pins.preset != SIM_PIN_LIST && desc.sheet.pins.preset != SIM_PIN_NONE) {
        return fault_set(call->fault, RESULT_INVALID, "/pin",
                         "pin of a mesh must be \"none\" or particle indices: a mesh has no corners or edges by name");
    }
    uint32_t object;
    result = sim_mesh_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_particles_spawn(struct command_call *call) {
    const struct proto_particles_spawn *params = call->command->params;
    uint32_t particles = params->positions.count / 3;
    enum result result = check_masses(call->fault, &params->masses, params->has_masses, particles, false, "");
    if (result != RESULT_OK) {
        return result;
    }
    if (params->has_velocities && params->velocities.count != params->positions.count) {
        return fault_set(call->fault, RESULT_INVALID, "/velocities",
                         "velocities must hold one vector for each of the %u particles, got %u", particles,
                         params->velocities.count / 3);
    }
    struct sim_particles_desc desc = sim_particles_desc_default();
    fill_particles_spawn(&desc, params);
    uint32_t object;
    result = sim_particles_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_rope_spawn(struct command_call *call) {
    const struct proto_rope_spawn *params = call->command->params;
    enum result result =
        check_masses(call->fault, &params->masses, params->has_masses, params->particles, params->has_mass, "mass");
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_rope_desc desc = sim_rope_desc_default();
    fill_rope_spawn(&desc, params);
    uint32_t object;
    result = sim_rope_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

// Which of size, vertices and masses each shape takes.
static enum result check_body(const struct proto_body_spawn *params, struct fault *fault) {
    const char *shape = proto_body_spawn_shape_names[params->shape];
    const bool box = params->shape == PROTO_BODY_SPAWN_SHAPE_BOX, hull = params->shape == PROTO_BODY_SPAWN_SHAPE_HULL;
    const bool tetrahedron = params->shape == PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON;
    if (params->has_vertices && !tetrahedron && !hull) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "a %s takes no vertices: leave them out", shape);
    }
    if (hull && !params->has_vertices) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "vertices is missing: a hull needs 4 to 256 points");
    }
    if (params->has_size && params->has_vertices) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "size and vertices exclude each other: give one of them");
    }
    if (box && !params->has_size) {
        return fault_set(fault, RESULT_INVALID, "/size", "size is missing: a box needs [x, y, z]");
    }
    if (params->has_size && params->size.has_extents != box) {
        return fault_set(fault, RESULT_INVALID, "/size", "size of a %s must be %s", shape,
                         box ? "[x, y, z]" : "one number");
    }
    if (tetrahedron && params->has_vertices && params->vertices.count != 12) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "vertices of a tetrahedron must be 4 points, got %u",
                         params->vertices.count / 3);
    }
    if (params->has_masses && (box || hull)) {
        return fault_set(fault, RESULT_INVALID, "/masses", "a %s takes one mass: its four masses follow from its shape",
                         shape);
    }
    return check_masses(fault, &params->masses, params->has_masses, 4, params->has_mass, "mass");
}

enum result command_body_spawn(struct command_call *call) {
    const struct proto_body_spawn *params = call->command->params;
    enum result result = check_body(params, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_body_desc desc = sim_body_desc_default();
    fill_body_spawn(&desc, params);
    uint32_t object;
    result = sim_body_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_plant_spawn(struct command_call *call) {
    const struct proto_plant_spawn *params = call->command->params;
    struct sim_plant_desc desc = sim_plant_desc_default();
    fill_plant_spawn(&desc, params);
    uint32_t object;
    enum result result = sim_plant_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_ragdoll_spawn(struct command_call *call) {
    const struct proto_ragdoll_spawn *params = call->command->params;
    struct sim_ragdoll_desc desc = sim_ragdoll_desc_default();
    fill_ragdoll_spawn(&desc, params);
    uint32_t object;
    enum result result = sim_ragdoll_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}
