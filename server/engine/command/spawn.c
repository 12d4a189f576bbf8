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
    record->sticks = view.sticks + SIM_TETRAHEDRON_STICKS * view.tetrahedron_count;
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

// A fabric has stiffnesses in the place of compliances.
#define CHECK_FABRIC(params, fault)                                                                                    \
    ((params)->has_fabric || (params)->has_stretch_warp                                                                \
         ? ((params)->bend || (params)->bend_compliance != 0.0f || (params)->stretch_compliance != 0.0f                \
                ? fault_set(fault, RESULT_INVALID, "/fabric",                                                          \
                            "a fabric excludes bend, bendCompliance and stretchCompliance: it has stiffnesses")        \
                : RESULT_OK)                                                                                           \
         : ((params)->has_stretch_weft || (params)->has_shear_stiffness || (params)->has_bend_warp ||                  \
                    (params)->has_bend_weft                                                                            \
                ? fault_set(fault, RESULT_INVALID, "/stretchWarp",                                                     \
                            "stiffnesses of a fabric need stretchWarp, or the name of a fabric")                       \
            : (params)->has_crease_curvature                                                                           \
                ? fault_set(fault, RESULT_INVALID, "/creaseCurvature",                                                 \
                            "creaseCurvature needs a fabric: give stretchWarp, or the name of a fabric")               \
                : RESULT_OK))

#define SET_FABRIC(params, sheet)                                                                                      \
    do {                                                                                                               \
        if ((params)->has_fabric) {                                                                                    \
            (sheet)->fabric = sim_fabric_named(fabric_of((params)->fabric));                                           \
            (sheet)->areal_density = (sheet)->fabric.areal_density;                                                    \
        }                                                                                                              \
    } while (false)

enum result command_cloth_spawn(struct command_call *call) {
    const struct proto_cloth_spawn *params = call->command->params;
    enum result result = CHECK_SHEET(params, params->columns * params->rows, call->fault);
    if (result == RESULT_OK) {
        result = CHECK_FABRIC(params, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    SET_FABRIC(params, &desc.sheet);
    fill_cloth_spawn(&desc, params);
    uint32_t object;
    result = sim_cloth_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

enum result command_mesh_spawn(struct command_call *call) {
    const struct proto_mesh_spawn *params = call->command->params;
    uint32_t particles = params->positions.count / 3;
    enum result result = CHECK_SHEET(params, particles, call->fault);
    if (result == RESULT_OK) {
        result = CHECK_FABRIC(params, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    SET_FABRIC(params, &desc.sheet);
    fill_mesh_spawn(&desc, params);
    desc.gas.filled = params->has_pressure;
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

// A rope is straight, or lies as its positions say.
static enum result check_rope_places(const struct proto_rope_spawn *params, struct fault *fault) {
    if (!params->has_positions) {
        return params->has_from && params->has_to ? RESULT_OK
                                                  : fault_set(fault, RESULT_INVALID, params->has_from ? "/to" : "/from",
                                                              "%s is missing: a rope needs from and to, or positions",
                                                              params->has_from ? "to" : "from");
    }
    const char *other = params->has_from ? "from" : params->has_to ? "to" : params->has_particles ? "particles" : NULL;
    return other == NULL
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "/positions",
                           "positions and %s exclude each other: give positions, or from, to and particles", other);
}

enum result command_rope_spawn(struct command_call *call) {
    const struct proto_rope_spawn *params = call->command->params;
    const uint32_t particles = params->has_positions ? params->positions.count / 3 : params->particles;
    enum result result = check_rope_places(params, call->fault);
    if (result == RESULT_OK) {
        result = check_masses(call->fault, &params->masses, params->has_masses, particles, params->has_mass, "mass");
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_rope_desc desc = sim_rope_desc_default();
    fill_rope_spawn(&desc, params);
    desc.positions = params->has_positions ? params->positions.items : NULL;
    desc.particles = particles;
    uint32_t object;
    result = sim_rope_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}

// The parameters that bodies of one shape take besides those of all bodies.
enum body_member { SIZE = 1, VERTICES = 2, RADIUS = 4, LENGTH = 8, HEIGHT = 16, PARTS = 32, MASSES = 64 };
struct body_rule {
    unsigned takes, needs; // of enum body_member
    const char *size;      // the form of `size`, or NULL
};
static const struct body_rule body_rules[PROTO_BODY_SPAWN_SHAPE_COUNT] = {
    [PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON] = {SIZE | VERTICES | MASSES, 0, "one number"},
    [PROTO_BODY_SPAWN_SHAPE_BOX] = {SIZE | RADIUS, SIZE, "[x, y, z]"},
    [PROTO_BODY_SPAWN_SHAPE_HULL] = {SIZE | VERTICES | RADIUS, VERTICES, "one number"},
    [PROTO_BODY_SPAWN_SHAPE_FRAME] = {SIZE | MASSES, 0, "one number"},
    [PROTO_BODY_SPAWN_SHAPE_SPHERE] = {RADIUS, RADIUS, NULL},
    [PROTO_BODY_SPAWN_SHAPE_CAPSULE] = {RADIUS | LENGTH, RADIUS | LENGTH, NULL},
    [PROTO_BODY_SPAWN_SHAPE_CYLINDER] = {RADIUS | HEIGHT, RADIUS | HEIGHT, NULL},
    [PROTO_BODY_SPAWN_SHAPE_COMPOUND] = {PARTS, PARTS, NULL},
};

struct body_given {
    enum body_member member;
    bool given;
    const char *name, *pointer, *what; // `what`: the parameter in words, for the refusal where it is missing
};

static enum result check_members(const struct body_given *given, uint32_t count, const struct body_rule *rule,
                                 const char *shape, struct fault *fault) {
    for (uint32_t i = 0; i < count; i++) {
        if (given[i].given && (rule->takes & given[i].member) == 0) {
            return fault_set(fault, RESULT_INVALID, given[i].pointer, "a %s takes no %s: leave %s out", shape,
                             given[i].name, (given[i].member & (VERTICES | PARTS)) != 0 ? "them" : "it");
        }
        if (!given[i].given && (rule->needs & given[i].member) != 0) {
            return fault_set(fault, RESULT_INVALID, given[i].pointer, "%s is missing: a %s needs %s", given[i].name,
                             shape, given[i].what);
        }
    }
    return RESULT_OK;
}

static enum result check_body_members(const struct proto_body_spawn *params, struct fault *fault) {
    const struct body_given given[] = {
        {SIZE, params->has_size, "size", "/size", "[x, y, z]"},
        {VERTICES, params->has_vertices, "vertices", "/vertices", "4 to 256 points"},
        {RADIUS, params->has_radius, "radius", "/radius", "one"},
        {LENGTH, params->has_length, "length", "/length", "the distance between the centres of its ends"},
        {HEIGHT, params->has_height, "height", "/height", "one"},
        {PARTS, params->has_parts, "parts", "/parts", "1 to 32 parts"},
    };
    return check_members(given, sizeof given / sizeof *given, &body_rules[params->shape],
                         proto_body_spawn_shape_names[params->shape], fault);
}

// Which members each shape takes.
static enum result check_body(const struct proto_body_spawn *params, struct fault *fault) {
    const char *shape = proto_body_spawn_shape_names[params->shape];
    const struct body_rule *rule = &body_rules[params->shape];
    const bool box = params->shape == PROTO_BODY_SPAWN_SHAPE_BOX;
    const enum result result = check_body_members(params, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (params->has_size && params->has_vertices) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "size and vertices exclude each other: give one of them");
    }
    if (params->has_size && params->size.has_extents != box) {
        return fault_set(fault, RESULT_INVALID, "/size", "size of a %s must be %s", shape, rule->size);
    }
    if (params->shape == PROTO_BODY_SPAWN_SHAPE_TETRAHEDRON && params->has_vertices && params->vertices.count != 12) {
        return fault_set(fault, RESULT_INVALID, "/vertices", "vertices of a tetrahedron must be 4 points, got %u",
                         params->vertices.count / 3);
    }
    if (params->has_masses && (rule->takes & MASSES) == 0) {
        return fault_set(fault, RESULT_INVALID, "/masses", "a %s takes one mass: its four masses follow from its shape",
                         shape);
    }
    return check_masses(fault, &params->masses, params->has_masses, 4, params->has_mass, "mass");
}

// ---- parts of a compound body ------------------------------------------------------------------------------------

static enum result check_part(const struct proto_body_part *part, uint32_t index, struct fault *fault) {
    static const enum proto_body_spawn_shape shapes[PROTO_BODY_PART_SHAPE_COUNT] = {
        [PROTO_BODY_PART_SHAPE_BOX] = PROTO_BODY_SPAWN_SHAPE_BOX,
        [PROTO_BODY_PART_SHAPE_HULL] = PROTO_BODY_SPAWN_SHAPE_HULL,
        [PROTO_BODY_PART_SHAPE_SPHERE] = PROTO_BODY_SPAWN_SHAPE_SPHERE,
        [PROTO_BODY_PART_SHAPE_CAPSULE] = PROTO_BODY_SPAWN_SHAPE_CAPSULE,
        [PROTO_BODY_PART_SHAPE_CYLINDER] = PROTO_BODY_SPAWN_SHAPE_CYLINDER,
    };
    const struct body_given given[] = {
        {SIZE, part->has_size, "size", "size", "[x, y, z]"},
        {VERTICES, part->has_vertices, "vertices", "vertices", "4 to 256 points"},
        {RADIUS, part->has_radius, "radius", "radius", "one"},
        {LENGTH, part->has_length, "length", "length", "the distance between the centres of its ends"},
        {HEIGHT, part->has_height, "height", "height", "one"},
    };
    struct body_rule rule = body_rules[shapes[part->shape]];
    struct fault inner = {.pointer = ""};
    rule.takes &= part->shape == PROTO_BODY_PART_SHAPE_BOX ? ~0u : ~(unsigned)SIZE;
    const enum result result =
        check_members(given, sizeof given / sizeof *given, &rule, proto_body_part_shape_names[part->shape], &inner);
    if (result != RESULT_OK) {
        char pointer[64];
        (void)snprintf(pointer, sizeof pointer, "/parts/%u/%.24s", index, inner.pointer);
        return fault_set(fault, result, pointer, "part %u: %s", index, inner.message);
    }
    return RESULT_OK;
}

static enum result read_parts(const struct proto_list *list, struct sim_body_part parts[SIM_BODY_PARTS_MAX],
                              struct fault *fault) {
    const struct proto_body_part *from = list->items;
    for (uint32_t i = 0; i < list->count && i < SIM_BODY_PARTS_MAX; i++) {
        const enum result result = check_part(&from[i], i, fault);
        if (result != RESULT_OK) {
            return result;
        }
        parts[i] = (struct sim_body_part){
            .shape = body_part_shape_of(from[i].shape),
            .extents = from[i].size,
            .vertices = from[i].has_vertices ? from[i].vertices.items : NULL,
            .vertex_count = from[i].vertices.count / 3,
            .radius = from[i].radius,
            .length = from[i].has_height ? from[i].height : from[i].length,
            .position = from[i].position,
            .rotation = from[i].rotation,
            .density = from[i].density,
            .share = from[i].share,
        };
    }
    return RESULT_OK;
}

enum result command_body_spawn(struct command_call *call) {
    const struct proto_body_spawn *params = call->command->params;
    struct sim_body_part parts[SIM_BODY_PARTS_MAX];
    enum result result = check_body(params, call->fault);
    if (result == RESULT_OK && params->has_parts) {
        result = read_parts(&params->parts, parts, call->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_body_desc desc = sim_body_desc_default();
    fill_body_spawn(&desc, params);
    desc.parts = parts;
    desc.part_count = params->has_parts ? params->parts.count : 0;
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

// Which of size, radius, cells and tetrahedra each shape takes.
static enum result check_soft(const struct proto_soft_spawn *params, struct fault *fault) {
    const bool given = params->shape == PROTO_SOFT_SPAWN_SHAPE_TETRAHEDRA;
    const bool box = params->shape == PROTO_SOFT_SPAWN_SHAPE_BOX, ball = params->shape == PROTO_SOFT_SPAWN_SHAPE_BALL;
    const struct {
        const char *name;
        bool has, may;
    } members[] = {{"size", params->has_size, box},
                   {"radius", params->has_radius, ball},
                   {"cells", params->has_cells, !given},
                   {"positions", params->has_positions, given},
                   {"tetrahedra", params->has_tetrahedra, given}};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        char pointer[FAULT_POINTER_MAX];
        snprintf(pointer, sizeof pointer, "/%s", members[i].name);
        if (members[i].has && !members[i].may) {
            return fault_set(fault, RESULT_INVALID, pointer, "a soft body of the shape %s takes no %s: leave it out",
                             proto_soft_spawn_shape_names[params->shape], members[i].name);
        }
        if (given && members[i].may && !members[i].has) {
            return fault_set(fault, RESULT_INVALID, pointer,
                             "%s is missing: a soft body of given tetrahedra needs positions and tetrahedra",
                             members[i].name);
        }
    }
    if (params->has_tetrahedra && params->tetrahedra.count % 4 != 0) {
        return fault_set(fault, RESULT_INVALID, "/tetrahedra",
                         "tetrahedra must hold four indices for each, got %u in all", params->tetrahedra.count);
    }
    if (params->has_cells && params->cells.count != 1 && (!box || params->cells.count != 3)) {
        return fault_set(fault, RESULT_INVALID, "/cells", "cells of a %s must be %s, got %u numbers",
                         proto_soft_spawn_shape_names[params->shape], box ? "one number or three" : "one number",
                         params->cells.count);
    }
    return RESULT_OK;
}

enum result command_soft_spawn(struct command_call *call) {
    const struct proto_soft_spawn *params = call->command->params;
    enum result result = check_soft(params, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct sim_soft_desc desc = sim_soft_desc_default();
    fill_soft_spawn(&desc, params);
    desc.tetrahedra = params->tetrahedra.items;
    desc.tetrahedron_count = params->tetrahedra.count / 4;
    for (uint32_t axis = 0; axis < 3 && params->has_cells; axis++) {
        desc.cells[axis] = params->cells.items[params->cells.count == 1 ? 0 : axis];
    }
    uint32_t object;
    result = sim_soft_spawn(call->world->sim, &desc, &object, call->fault);
    return result == RESULT_OK ? finish(call, object, LOOK_OF(params)) : result;
}
