// SPDX-License-Identifier: MIT
#include "engine/record/record.h"

#include <stdlib.h>
#include <string.h>

#include "engine/state/event.h"

// Makes room for one more element; false when memory is out.
static bool reserve(void **items, uint32_t *capacity, uint32_t count, size_t size) {
    if (count < *capacity) {
        return true;
    }
    uint32_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    void *grown = realloc(*items, wanted * size);
    if (grown == NULL) {
        return false;
    }
    *items = grown;
    *capacity = wanted;
    return true;
}

// The records are arrays of structs that begin with their id.
static void *find_by_id(void *items, uint32_t count, size_t size, uint32_t id) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        char *item = (char *)items + middle * size;
        uint32_t found;
        memcpy(&found, item, sizeof found);
        if (found == id) {
            return item;
        }
        if (found < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

struct object_record *engine_find_object(struct engine_world *world, uint32_t id) {
    return find_by_id(world->objects, world->object_count, sizeof *world->objects, id);
}

struct obstacle_record *engine_find_obstacle(struct engine_world *world, uint32_t id) {
    return find_by_id(world->obstacles, world->obstacle_count, sizeof *world->obstacles, id);
}

static uint32_t *copy_pins(const struct sim_world *sim, const struct sim_object_view *view, uint32_t *count) {
    if (view->pins == 0) {
        return NULL;
    }
    uint32_t *pins = malloc(view->pins * sizeof *pins);
    for (uint32_t i = 0; pins != NULL && i < view->particles; i++) {
        if (sim_particle_is_pinned(sim, view->first + i)) {
            pins[(*count)++] = i;
        }
    }
    return pins;
}

struct object_record *engine_add_object(struct engine_world *world, const struct sim_object_view *view,
                                        enum proto_method method, const char *params, size_t params_length) {
    char *copy = malloc(params_length);
    if (copy == NULL ||
        !reserve((void **)&world->objects, &world->object_capacity, world->object_count, sizeof *world->objects)) {
        free(copy);
        return NULL;
    }
    memcpy(copy, params, params_length);
    struct object_record *record = &world->objects[world->object_count++];
    *record = (struct object_record){
        .id = view->id, .method = method, .params = copy, .params_length = params_length, .particles = view->particles};
    record->pins = copy_pins(world->sim, view, &record->pin_count);
    world->owned_stamp++;
    return record;
}

struct obstacle_record *engine_add_obstacle(struct engine_world *world, uint32_t id) {
    if (!reserve((void **)&world->obstacles, &world->obstacle_capacity, world->obstacle_count,
                 sizeof *world->obstacles)) {
        return NULL;
    }
    struct obstacle_record *record = &world->obstacles[world->obstacle_count++];
    *record = (struct obstacle_record){.id = id};
    world->owned_stamp++;
    return record;
}

struct grab_record *engine_add_grab(struct engine_world *world, uint32_t id, const struct client *client) {
    if (!reserve((void **)&world->grabs, &world->grab_capacity, world->grab_count, sizeof *world->grabs)) {
        return NULL;
    }
    struct grab_record *record = &world->grabs[world->grab_count++];
    *record = (struct grab_record){.id = id, .client = client->id, .number = client->number};
    return record;
}

static void free_object(struct object_record *record) {
    free(record->params);
    free(record->pins);
}

static void sweep_objects(struct engine_world *world) {
    if (world->object_count == sim_world_object_count(world->sim)) {
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->object_count; i++) {
        struct sim_object_view view;
        if (sim_object_find(world->sim, world->objects[i].id, &view, NULL) == RESULT_OK) {
            world->objects[kept++] = world->objects[i];
        } else {
            free_object(&world->objects[i]);
        }
    }
    world->object_count = kept;
    world->owned_stamp++;
}

static void sweep_obstacles(struct engine_world *world) {
    uint32_t count = sim_world_obstacle_count(world->sim);
    if (world->obstacle_count == count) {
        return;
    }
    uint32_t kept = 0, at = 0;
    for (uint32_t i = 0; i < world->obstacle_count; i++) {
        while (at < count && sim_world_obstacle_at(world->sim, at)->id < world->obstacles[i].id) {
            at++;
        }
        if (at < count && sim_world_obstacle_at(world->sim, at)->id == world->obstacles[i].id) {
            world->obstacles[kept++] = world->obstacles[i];
        }
    }
    world->obstacle_count = kept;
    world->owned_stamp++;
}

static bool grab_is_held(const struct engine_world *world, uint32_t id) {
    for (uint32_t i = 0; i < sim_world_grab_count(world->sim); i++) {
        if (sim_world_grab_at(world->sim, i).id == id) {
            return true;
        }
    }
    return false;
}

static void tell_grab_ended(struct engine_world *world, const struct grab_record *grab) {
    if (!engine_wants_event(world, PROTO_EVENT_NAME_GRAB_ENDED)) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "grab", grab->id);
    json_writer_member_unsigned(&world->text, "client", grab->number);
    json_writer_member_unsigned(&world->text, "tick", sim_world_tick(world->sim) + 1);
    json_writer_close_object(&world->text);
    engine_queue_event(world, PROTO_EVENT_NAME_GRAB_ENDED, &world->text);
}

static void sweep_grabs(struct engine_world *world) {
    if (world->grab_count == sim_world_grab_count(world->sim)) {
        return;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->grab_count; i++) {
        if (grab_is_held(world, world->grabs[i].id)) {
            world->grabs[kept++] = world->grabs[i];
        } else {
            tell_grab_ended(world, &world->grabs[i]);
        }
    }
    world->grab_count = kept;
}

// ---- looks -------------------------------------------------------------------------------------------------------

bool engine_keep_look(struct engine_world *world, bool is_obstacle, uint32_t id) {
    if (!reserve((void **)&world->looks, &world->look_capacity, world->look_count, sizeof *world->looks)) {
        return false;
    }
    struct look_before *look = &world->looks[world->look_count];
    const struct object_record *object = is_obstacle ? NULL : engine_find_object(world, id);
    const struct obstacle_record *obstacle = is_obstacle ? engine_find_obstacle(world, id) : NULL;
    if (object != NULL) {
        *look = (struct look_before){.id = id, .has_color = object->has_color, .set = object->set};
        look->color = object->color;
        memcpy(look->name, object->name, sizeof look->name);
        world->look_count++;
    } else if (obstacle != NULL) {
        *look = (struct look_before){.is_obstacle = true, .id = id, .has_color = obstacle->has_color};
        look->color = obstacle->color;
        memcpy(look->name, obstacle->name, sizeof look->name);
        world->look_count++;
    }
    return true;
}

static void take_back_look(struct engine_world *world, const struct look_before *look) {
    struct object_record *object = look->is_obstacle ? NULL : engine_find_object(world, look->id);
    struct obstacle_record *obstacle = look->is_obstacle ? engine_find_obstacle(world, look->id) : NULL;
    if (object != NULL) {
        memcpy(object->name, look->name, sizeof object->name);
        object->has_color = look->has_color;
        object->color = look->color;
        object->set = look->set;
    } else if (obstacle != NULL) {
        memcpy(obstacle->name, look->name, sizeof obstacle->name);
        obstacle->has_color = look->has_color;
        obstacle->color = look->color;
    }
}

void engine_end_looks(struct engine_world *world, bool take_back) {
    for (uint32_t i = world->look_count; take_back && i > 0; i--) {
        take_back_look(world, &world->looks[i - 1]);
    }
    world->look_count = 0;
}

void engine_sweep_records(struct engine_world *world) {
    sweep_objects(world);
    sweep_obstacles(world);
    sweep_grabs(world);
}

void object_records_free(struct object_record *records, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free_object(&records[i]);
    }
    free(records);
}

void engine_free_records(struct engine_world *world) {
    object_records_free(world->objects, world->object_count);
    free(world->obstacles);
    free(world->grabs);
    free(world->stick_owners);
    free(world->looks);
    world->objects = NULL;
    world->obstacles = NULL;
    world->grabs = NULL;
    world->stick_owners = NULL;
    world->looks = NULL;
    world->object_count = world->object_capacity = 0;
    world->obstacle_count = world->obstacle_capacity = 0;
    world->grab_count = world->grab_capacity = 0;
    world->stick_owner_count = world->stick_owner_capacity = 0;
    world->look_count = world->look_capacity = 0;
}
