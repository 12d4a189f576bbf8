// SPDX-License-Identifier: MIT
#include "engine/command/object.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/command/command.h"
#include "engine/command/motion.h"
#include "engine/command/quota.h"
#include "engine/describe/describe.h"
#include "engine/gen/descriptions.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/state/tick.h"
#include "engine/state/to_host.h"

enum result command_object_list(struct command_call *call) {
    struct engine_world *world = call->world;
    json_writer_member_unsigned(call->result, "tick", sim_world_tick(world->sim));
    json_writer_key(call->result, "objects");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < sim_world_object_count(world->sim); i++) {
        struct sim_object_view view = sim_world_object_at(world->sim, i);
        describe_object(world, &view, call->result);
    }
    json_writer_close_array(call->result);
    json_writer_key(call->result, "obstacles");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < sim_world_obstacle_count(world->sim); i++) {
        describe_obstacle(world, i, call->result);
    }
    json_writer_close_array(call->result);
    json_writer_key(call->result, "sticks");
    json_writer_open_array(call->result);
    for (uint32_t i = 0; i < sim_world_stick_count(world->sim); i++) {
        struct sim_stick_view stick = sim_world_stick_at(world->sim, i);
        describe_stick(&stick, call->result);
    }
    json_writer_close_array(call->result);
    return RESULT_OK;
}

enum result command_object_get(struct command_call *call) {
    const struct proto_object_get *params = call->command->params;
    uint32_t object;
    struct sim_object_view view;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_object_find(call->world->sim, object, &view, call->fault);
    }
    if (result == RESULT_OK) {
        json_writer_member_unsigned(call->result, "tick", sim_world_tick(call->world->sim));
        describe_object_members(call->world, &view, call->result);
        describe_stiffness(&view, call->result);
        describe_mass(call->world, &view, call->result);
        describe_volume(call->world, &view, call->result);
        if (view.tear_force > 0.0f) {
            json_writer_member_float(call->result, "tearForce", view.tear_force);
        }
        if (view.tear > 0.0f) {
            json_writer_member_float(call->result, "tear", view.tear);
        }
    }
    return result;
}

enum result command_object_remove(struct command_call *call) {
    const struct proto_object_remove *params = call->command->params;
    uint32_t object;
    enum result result = command_resolve(call, params->object, "/object", &object);
    if (result == RESULT_OK) {
        result = sim_object_remove(call->world->sim, object, call->fault);
    }
    if (result == RESULT_OK) {
        engine_tell_id(call->world, PROTO_EVENT_NAME_OBJECT_REMOVED, "object", object);
    }
    return result;
}

#define SHAPE(name) (1u << PROTO_OBSTACLE_ADD_SHAPE_##name)

// Which member each shape needs and which it refuses.
static enum result check_shape(const struct proto_obstacle_add *params, struct fault *fault) {
    const struct {
        const char *name;
        bool given;
        uint32_t allowed, required; // masks of shapes
    } members[] = {
        {"position", params->has_position, ~SHAPE(CAPSULE), 0},
        {"radius", params->has_radius, SHAPE(SPHERE) | SHAPE(CAPSULE), SHAPE(SPHERE) | SHAPE(CAPSULE)},
        {"size", params->has_size, SHAPE(BOX), SHAPE(BOX)},
        {"rotation", params->has_rotation, SHAPE(BOX) | SHAPE(MESH), 0},
        {"normal", params->has_normal, SHAPE(PLANE), 0},
        {"from", params->has_from, SHAPE(CAPSULE), SHAPE(CAPSULE)},
        {"to", params->has_to, SHAPE(CAPSULE), SHAPE(CAPSULE)},
        {"columns", params->has_columns, SHAPE(HEIGHTFIELD), SHAPE(HEIGHTFIELD)},
        {"rows", params->has_rows, SHAPE(HEIGHTFIELD), SHAPE(HEIGHTFIELD)},
        {"spacing", params->has_spacing, SHAPE(HEIGHTFIELD), SHAPE(HEIGHTFIELD)},
        {"heights", params->has_heights, SHAPE(HEIGHTFIELD), SHAPE(HEIGHTFIELD)},
        {"positions", params->has_positions, SHAPE(MESH), SHAPE(MESH)},
        {"triangles", params->has_triangles, SHAPE(MESH), SHAPE(MESH)},
    };
    const char *shape = proto_obstacle_add_shape_names[params->shape];
    const uint32_t bit = 1u << params->shape;
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        char pointer[32];
        snprintf(pointer, sizeof pointer, "/%s", members[i].name);
        if (members[i].given && (members[i].allowed & bit) == 0) {
            return fault_set(fault, RESULT_INVALID, pointer, "a %s has no %s: leave it out", shape, members[i].name);
        }
        if (!members[i].given && (members[i].required & bit) != 0) {
            return fault_set(fault, RESULT_INVALID, pointer, "%s is missing: a %s needs it", members[i].name, shape);
        }
    }
    if (params->has_heights && params->heights.count != params->columns * params->rows) {
        return fault_set(fault, RESULT_INVALID, "/heights", "heights must hold columns × rows = %u numbers, got %u",
                         params->columns * params->rows, params->heights.count);
    }
    return RESULT_OK;
}

enum result command_obstacle_add(struct command_call *call) {
    const struct proto_obstacle_add *params = call->command->params;
    struct engine_world *world = call->world;
    struct sim_obstacle obstacle = {.normal = {0.0f, 1.0f, 0.0f}};
    fill_obstacle_add(&obstacle, params);
    const struct motion_given given = MOTION_OF(params);
    struct sim_path_point *points = NULL;
    uint32_t id;
    enum result result = check_shape(params, call->fault);
    if (result == RESULT_OK) {
        result = motion_read(&given, &obstacle, &obstacle.motion, &points, call->fault);
    }
    if (result == RESULT_OK) {
        result = sim_obstacle_add(world->sim, &obstacle, &id, call->fault);
    }
    free(points);
    if (result != RESULT_OK) {
        return result;
    }
    struct obstacle_record *record = engine_add_obstacle(world, id);
    if (record == NULL) {
        if (sim_obstacle_remove(world->sim, id, NULL) != RESULT_OK) {
            engine_log(world, "what could not be recorded could not be taken back");
        }
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    if (params->has_name) {
        snprintf(record->name, sizeof record->name, "%s", params->name);
    }
    record->owner = command_owner(call);
    record->has_color = params->has_color;
    record->color = params->color;
    json_writer_member_unsigned(call->result, "obstacle", id);
    if (engine_wants_event(world, PROTO_EVENT_NAME_OBSTACLE_ADDED)) {
        json_writer_clear(&world->text);
        json_writer_open_object(&world->text);
        json_writer_key(&world->text, "obstacle");
        describe_obstacle(world, sim_world_obstacle_count(world->sim) - 1, &world->text);
        json_writer_member_unsigned(&world->text, "tick", engine_next_tick(world));
        json_writer_close_object(&world->text);
        engine_queue_event(world, PROTO_EVENT_NAME_OBSTACLE_ADDED, &world->text);
    }
    return RESULT_OK;
}

enum result command_obstacle_remove(struct command_call *call) {
    const struct proto_obstacle_remove *params = call->command->params;
    enum result result = sim_obstacle_remove(call->world->sim, params->obstacle, call->fault);
    if (result == RESULT_OK) {
        engine_tell_id(call->world, PROTO_EVENT_NAME_OBSTACLE_REMOVED, "obstacle", params->obstacle);
    }
    return result;
}
