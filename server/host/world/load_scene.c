// SPDX-License-Identifier: MIT
#include "host/world/load_scene.h"

#include "base/result.h"
#include "engine/command/scene_load.h"
#include "host/world/scene.h"
#include "host/world/schedule.h"

// The world was made anew.
void world_begin_anew(struct world *world) {
    world_refuse_scheduled(world);
    world->second_start_ns = 0;
}

enum result world_load_scene(struct world *world, const char *name, struct proto_request *take, struct fault *fault) {
    struct fault found;
    const enum result result = engine_load_scene(world->engine, name, take, &found);
    if (result == RESULT_OK) {
        world_begin_anew(world);
    } else {
        scene_blame(name, scene_place_of(take, found.pointer), &found, fault);
    }
    return result;
}

enum result world_open_scene(struct world *world, const char *scene, struct fault *fault) {
    struct proto_request *request = NULL;
    enum result result = scene_read(world->config->scenes, scene, &request, fault);
    if (result == RESULT_NOT_FOUND) {
        return fault_set(fault, result, "/scene",
                         "there is no scene \"%s\" in %s: name one of its files, or its folder with --scenes", scene,
                         world->config->scenes);
    }
    if (result == RESULT_OK) {
        result = world_load_scene(world, scene, request, fault);
        if (result != RESULT_OK) {
            proto_request_destroy(request);
        }
    }
    return result;
}
