// SPDX-License-Identifier: MIT
// The material of an object is the simulation's; its color and name are in its record, which is put back by hand when
// the batch that changed them is taken back.
#include "engine/command/set.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/command/command.h"
#include "engine/command/motion.h"
#include "engine/describe/describe.h"
#include "engine/describe/motion.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"

// What object.set and obstacle.set share by name; the generated structs are different types.
struct change {
    bool is_obstacle;
    uint32_t id;
    const char *name;      // NULL: as it was
    const uint32_t *color; // NULL: as it was
    struct sim_material material;
    bool moves; // an obstacle has another motion
};

#define CHANGE_OF(params, obstacle, of)                                                                                \
    (struct change) {                                                                                                  \
        .is_obstacle = (obstacle), .id = (of), .name = (params)->has_name ? (params)->name : NULL,                     \
        .color = (params)->has_color ? &(params)->color : NULL, .material = {                                          \
            .friction = (params)->has_friction ? &(params)->friction : NULL,                                           \
            .restitution = (params)->has_restitution ? &(params)->restitution : NULL,                                  \
        }                                                                                                              \
    }

static void set_look(const struct change *change, char *name, bool *has_color, uint32_t *color) {
    if (change->name != NULL) {
        snprintf(name, RECORD_NAME_MAX, "%s", change->name);
    }
    if (change->color != NULL) {
        *has_color = true;
        *color = *change->color;
    }
}

static enum result check_change(const struct command_call *call, const struct change *change) {
    const struct sim_material *material = &change->material;
    if (change->name == NULL && change->color == NULL && material->friction == NULL && material->restitution == NULL &&
        material->stretch_compliance == NULL && material->bend_compliance == NULL && material->mass == NULL &&
        material->young == NULL && material->poisson == NULL && material->viscosity == NULL &&
        material->pressure == NULL && material->fabric == NULL && !change->moves) {
        return fault_set(call->fault, RESULT_INVALID, "",
                         "nothing to set: give at least one of color, name, friction, restitution%s",
                         change->is_obstacle
                             ? ", velocity, angularVelocity, pivot, surfaceVelocity, path"
                             : ", stretchCompliance, bendCompliance, mass, young, poisson, viscosity, pressure, "
                               "the stiffnesses of a fabric");
    }
    return RESULT_OK;
}

// Within a batch, what is there now may have to come back.
static enum result keep_look(const struct command_call *call, const struct change *change) {
    if (call->made != NULL && !engine_keep_look(call->world, change->is_obstacle, change->id)) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    return RESULT_OK;
}

static void open_event(struct engine_world *world, const struct change *change) {
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, change->is_obstacle ? "obstacle" : "object", change->id);
}

static void close_event(struct engine_world *world, const struct change *change) {
    json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
    json_writer_close_object(&world->text);
    engine_queue_event(world, change->is_obstacle ? PROTO_EVENT_NAME_OBSTACLE_CHANGED : PROTO_EVENT_NAME_OBJECT_CHANGED,
                       &world->text);
}

static void tell_object(struct engine_world *world, const struct change *change) {
    struct sim_object_view view;
    if (engine_wants_event(world, PROTO_EVENT_NAME_OBJECT_CHANGED) &&
        sim_object_find(world->sim, change->id, &view, NULL) == RESULT_OK) {
        open_event(world, change);
        describe_look(world, &view, &world->text);
        json_writer_member_float(&world->text, "friction", view.friction);
        json_writer_member_float(&world->text, "restitution", view.restitution);
        describe_stiffness(&view, &world->text);
        describe_mass(world, &view, &world->text);
        close_event(world, change);
    }
}

static void tell_obstacle(struct engine_world *world, const struct change *change) {
    if (!engine_wants_event(world, PROTO_EVENT_NAME_OBSTACLE_CHANGED)) {
        return;
    }
    for (uint32_t i = 0; i < sim_world_obstacle_count(world->sim); i++) {
        const struct sim_obstacle *obstacle = sim_world_obstacle_at(world->sim, i);
        if (obstacle->id == change->id) {
            open_event(world, change);
            describe_obstacle_look(world, obstacle, &world->text);
            json_writer_member_float(&world->text, "friction", obstacle->friction);
            json_writer_member_float(&world->text, "restitution", obstacle->restitution);
            uint64_t start = 0;
            const struct sim_obstacle *base = sim_world_obstacle_start(world->sim, i, &start);
            describe_obstacle_place(base, &world->text);
            describe_motion(base, start, &world->text);
            close_event(world, change);
        }
    }
}

// Where figures of a fabric are given, sets `fabric` to the object's with these in their place.
static enum result change_fabric(const struct command_call *call, const struct proto_object_set *params,
                                 uint32_t object, struct sim_fabric *fabric, struct sim_material *material) {
    if (!params->has_stretch_warp && !params->has_stretch_weft && !params->has_shear_stiffness &&
        !params->has_bend_warp && !params->has_bend_weft) {
        return RESULT_OK;
    }
    struct sim_object_view view;
    const enum result result = sim_object_find(call->world->sim, object, &view, call->fault);
    if (result != RESULT_OK) {
        return result;
    }
    *fabric = view.fabric != NULL ? *view.fabric : (struct sim_fabric){0};
    fabric->stretch_warp = params->has_stretch_warp ? params->stretch_warp : fabric->stretch_warp;
    fabric->stretch_weft = params->has_stretch_weft ? params->stretch_weft : fabric->stretch_weft;
    fabric->shear = params->has_shear_stiffness ? params->shear_stiffness : fabric->shear;
    fabric->bend_warp = params->has_bend_warp ? params->bend_warp : fabric->bend_warp;
    fabric->bend_weft = params->has_bend_weft ? params->bend_weft : fabric->bend_weft;
    material->fabric = fabric;
    return RESULT_OK;
}

enum result command_object_set(struct command_call *call) {
    const struct proto_object_set *params = call->command->params;
    struct change change = CHANGE_OF(params, false, 0);
    change.material.stretch_compliance = params->has_stretch_compliance ? &params->stretch_compliance : NULL;
    change.material.bend_compliance = params->has_bend_compliance ? &params->bend_compliance : NULL;
    change.material.mass = params->has_mass ? &params->mass : NULL;
    change.material.young = params->has_young ? &params->young : NULL;
    change.material.poisson = params->has_poisson ? &params->poisson : NULL;
    change.material.viscosity = params->has_viscosity ? &params->viscosity : NULL;
    change.material.pressure = params->has_pressure ? &params->pressure : NULL;
    enum result result = command_resolve(call, params->object, "/object", &change.id);
    struct sim_fabric fabric = {0};
    if (result == RESULT_OK) {
        result = change_fabric(call, params, change.id, &fabric, &change.material);
    }
    if (result == RESULT_OK) {
        result = check_change(call, &change);
    }
    if (result == RESULT_OK) {
        result = keep_look(call, &change);
    }
    if (result == RESULT_OK) {
        result = sim_object_set(call->world->sim, change.id, change.material, call->fault);
    }
    struct object_record *record = engine_find_object(call->world, change.id);
    if (result != RESULT_OK || record == NULL) {
        return result;
    }
    set_look(&change, record->name, &record->has_color, &record->color);
    record->set = true;
    record->masses_changed = record->masses_changed || params->has_mass;
    tell_object(call->world, &change);
    return RESULT_OK;
}

static enum result move_obstacle(const struct command_call *call, uint32_t obstacle, const struct motion_given *given) {
    struct sim_world *sim = call->world->sim;
    uint32_t place = 0;
    while (place < sim_world_obstacle_count(sim) && sim_world_obstacle_at(sim, place)->id != obstacle) {
        place++;
    }
    struct sim_motion motion = {0};
    struct sim_path_point *points = NULL;
    enum result result = RESULT_OK;
    if (place < sim_world_obstacle_count(sim)) {
        motion = sim_world_obstacle_going_on(sim, place).motion;
        result = motion_read(given, sim_world_obstacle_at(sim, place), &motion, &points, call->fault);
    }
    if (result == RESULT_OK) {
        result = sim_obstacle_move(sim, obstacle, &motion, call->fault);
    }
    free(points);
    return result;
}

enum result command_obstacle_set(struct command_call *call) {
    const struct proto_obstacle_set *params = call->command->params;
    struct change change = CHANGE_OF(params, true, params->obstacle);
    const struct motion_given motion = MOTION_OF(params);
    change.moves = motion_is_given(&motion);
    enum result result = check_change(call, &change);
    if (result == RESULT_OK) {
        result = keep_look(call, &change);
    }
    if (result == RESULT_OK && change.moves) {
        result = move_obstacle(call, params->obstacle, &motion);
    }
    if (result == RESULT_OK) {
        result = sim_obstacle_set(call->world->sim, change.id, change.material, call->fault);
    }
    struct obstacle_record *record = engine_find_obstacle(call->world, change.id);
    if (result != RESULT_OK || record == NULL) {
        return result;
    }
    set_look(&change, record->name, &record->has_color, &record->color);
    tell_obstacle(call->world, &change);
    return RESULT_OK;
}
