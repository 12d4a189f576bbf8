// SPDX-License-Identifier: MIT
// The material of an object is the simulation's; its color and name are in its record, which is put back by hand when
// the batch that changed them is taken back.
#include "engine/command/set.h"

#include <stdio.h>

#include "engine/command/command.h"
#include "engine/describe/describe.h"
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
        material->stretch_compliance == NULL && material->bend_compliance == NULL && material->mass == NULL) {
        return fault_set(call->fault, RESULT_INVALID, "",
                         "nothing to set: give at least one of color, name, friction, restitution%s",
                         change->is_obstacle ? "" : ", stretchCompliance, bendCompliance, mass");
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
            close_event(world, change);
        }
    }
}

enum result command_object_set(struct command_call *call) {
    const struct proto_object_set *params = call->command->params;
    struct change change = CHANGE_OF(params, false, 0);
    change.material.stretch_compliance = params->has_stretch_compliance ? &params->stretch_compliance : NULL;
    change.material.bend_compliance = params->has_bend_compliance ? &params->bend_compliance : NULL;
    change.material.mass = params->has_mass ? &params->mass : NULL;
    enum result result = command_resolve(call, params->object, "/object", &change.id);
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

enum result command_obstacle_set(struct command_call *call) {
    const struct proto_obstacle_set *params = call->command->params;
    const struct change change = CHANGE_OF(params, true, params->obstacle);
    enum result result = check_change(call, &change);
    if (result == RESULT_OK) {
        result = keep_look(call, &change);
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
