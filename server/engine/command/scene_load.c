// SPDX-License-Identifier: MIT
#include "engine/command/scene_load.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/command/run.h"
#include "engine/record/record.h"
#include "engine/state/event.h"

// The world's records are kept aside while the scene's commands make new ones, to come back if they fail.
struct records_aside {
    struct object_record *objects;
    struct obstacle_record *obstacles;
    struct grab_record *grabs;
    uint32_t object_count, object_capacity, obstacle_count, obstacle_capacity, grab_count, grab_capacity;
};

static struct records_aside put_records_aside(struct engine_world *world) {
    struct records_aside aside = {world->objects,           world->obstacles,       world->grabs,
                                  world->object_count,      world->object_capacity, world->obstacle_count,
                                  world->obstacle_capacity, world->grab_count,      world->grab_capacity};
    world->owned_stamp++;
    world->objects = NULL;
    world->obstacles = NULL;
    world->grabs = NULL;
    world->object_count = world->object_capacity = 0;
    world->obstacle_count = world->obstacle_capacity = 0;
    world->grab_count = world->grab_capacity = 0;
    return aside;
}

// A scene makes no grabs, so the old ones come back in either case: they are swept, and told of, when they have gone.
static void bring_grabs_back(struct engine_world *world, const struct records_aside *aside) {
    world->grabs = aside->grabs;
    world->grab_count = aside->grab_count;
    world->grab_capacity = aside->grab_capacity;
}

static void bring_records_back(struct engine_world *world, const struct records_aside *aside) {
    object_records_free(world->objects, world->object_count);
    free(world->obstacles);
    world->objects = aside->objects;
    world->object_count = aside->object_count;
    world->object_capacity = aside->object_capacity;
    world->obstacles = aside->obstacles;
    world->obstacle_count = aside->obstacle_count;
    world->obstacle_capacity = aside->obstacle_capacity;
    world->owned_stamp++;
}

// Empties the world and runs the scene's commands; on a fault everything is as it was.
static enum result build_scene(struct engine_world *world, const struct proto_request *scene, struct fault *fault) {
    struct sim_snapshot *before = NULL;
    if (sim_world_save(world->sim, &before) != RESULT_OK) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    struct records_aside aside = put_records_aside(world);
    sim_world_clear(world->sim);
    enum result result = RESULT_OK;
    if (scene != NULL) {
        const struct proto_batch_run *params = scene->command.params;
        struct json_writer results; // nobody asked for them
        json_writer_init(&results);
        json_writer_open_array(&results);
        result = engine_run_commands(world, NULL, &params->commands, &results, fault);
        json_writer_free(&results);
    }
    bring_grabs_back(world, &aside);
    if (result == RESULT_OK) {
        object_records_free(aside.objects, aside.object_count);
        free(aside.obstacles);
        engine_drop_events(world);   // the new topology tells it all
        engine_sweep_records(world); // but grabs went with what they held
        world->publish_whole = true;
        world->revision++;
    } else {
        sim_world_restore(world->sim, before);
        bring_records_back(world, &aside);
    }
    sim_snapshot_destroy(before);
    return result;
}

enum result engine_load_scene(struct engine_world *world, const char *name, struct proto_request *take,
                              struct fault *fault) {
    const enum result result = build_scene(world, take, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (take != world->scene_request) {
        proto_request_destroy(world->scene_request);
    }
    world->scene_request = take;
    snprintf(world->scene, sizeof world->scene, "%s", name);
    return RESULT_OK;
}

enum result engine_reset_scene(struct engine_world *world, struct fault *fault) {
    return build_scene(world, world->scene_request, fault);
}
