// SPDX-License-Identifier: MIT
#include "engine/world/engine_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/client/client.h"
#include "engine/record/record.h"
#include "engine/state/event.h"
#include "engine/view/motion_stream.h"
#include "engine/world/membership.h"
#include "sim/archive.h"

static uint32_t limit(uint32_t quota, uint32_t capacity) {
    return quota < capacity ? quota : UINT32_MAX; // what the world cannot hold needs no quota
}

enum result engine_create(const struct engine_options *options, struct engine_world **out, struct fault *fault) {
    struct engine_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    snprintf(world->name, sizeof world->name, "%s", options->name);
    world->host = *options->host;
    world->quota = (struct sim_capacity){.particles = limit(options->quota.particles, options->capacity.particles),
                                         .sticks = limit(options->quota.sticks, options->capacity.sticks),
                                         .objects = limit(options->quota.objects, options->capacity.objects),
                                         .obstacles = limit(options->quota.obstacles, options->capacity.obstacles),
                                         .triangles = UINT32_MAX,
                                         .shape_words = UINT32_MAX};
    world->owned_stamp = 1;
    json_writer_init(&world->result);
    json_writer_init(&world->text);
    json_writer_init(&world->reply);
    world->frames = message_pool_create();
    const enum result result =
        world->frames == NULL ? RESULT_MEMORY : sim_world_create(&options->capacity, options->tick_hz, &world->sim);
    if (result != RESULT_OK) {
        engine_destroy(world);
        return fault_set(fault, result, "", "not enough memory for a world of %u particles",
                         options->capacity.particles);
    }
    *out = world;
    return RESULT_OK;
}

void engine_destroy(struct engine_world *world) {
    if (world == NULL) {
        return;
    }
    engine_drop_events(world);
    engine_free_records(world);
    proto_request_destroy(world->scene_request);
    message_release(world->topology);
    message_pool_destroy(world->frames);
    for (uint32_t i = 0; i < ENGINE_VARIANT_COUNT; i++) {
        free(world->variants[i].objects);
        motion_stream_destroy(world->variants[i].stream);
    }
    json_writer_free(&world->result);
    json_writer_free(&world->text);
    json_writer_free(&world->reply);
    engine_free_clients(world);
    free(world->ranges);
    free(world->published);
    free(world->published_corners.items);
    free(world->words.items);
    bytes_free(&world->lockstep.records);
    free(world->events);
    if (world->sim != NULL) {
        sim_world_destroy(world->sim);
    }
    free(world);
}

void engine_show_anew(struct engine_world *world) {
    world->publish_whole = true;
    world->frame_stale = true;
    world->revision++;
    world->owned_stamp++;
}

// Owners are no part of a snapshot, so the objects and obstacles that both worlds have get theirs from the other.
static void copy_owners(struct engine_world *world, const struct engine_world *from) {
    for (uint32_t i = 0, k = 0; i < world->object_count; i++) {
        while (k < from->object_count && from->objects[k].id < world->objects[i].id) {
            k++;
        }
        if (k < from->object_count && from->objects[k].id == world->objects[i].id) {
            world->objects[i].owner = from->objects[k].owner;
        }
    }
    for (uint32_t i = 0, k = 0; i < world->obstacle_count; i++) {
        while (k < from->obstacle_count && from->obstacles[k].id < world->obstacles[i].id) {
            k++;
        }
        if (k < from->obstacle_count && from->obstacles[k].id == world->obstacles[i].id) {
            world->obstacles[i].owner = from->obstacles[k].owner;
        }
    }
}

#define SWAP(member)                                                                                                   \
    do {                                                                                                               \
        __typeof__(world->member) swapped = world->member;                                                             \
        world->member = other->member;                                                                                 \
        other->member = swapped;                                                                                       \
    } while (0)

void engine_change_places(struct engine_world *world, struct engine_world *other) {
    const uint32_t epoch = sim_world_epoch(world->sim), sequence = sim_world_sequence(world->sim);
    SWAP(sim);
    SWAP(objects);
    SWAP(object_count);
    SWAP(object_capacity);
    SWAP(obstacles);
    SWAP(obstacle_count);
    SWAP(obstacle_capacity);
    SWAP(grabs);
    SWAP(grab_count);
    SWAP(grab_capacity);
    SWAP(scene_request);
    char scene[sizeof world->scene];
    memcpy(scene, world->scene, sizeof scene);
    memcpy(world->scene, other->scene, sizeof scene);
    memcpy(other->scene, scene, sizeof scene);
    copy_owners(world, other);
    sim_world_skip_sequence(world->sim, sequence); // no id that was given before is given again
    sim_world_renew_epoch(world->sim, epoch);
    engine_claim_orphaned_grabs(world);
    engine_show_anew(world);
}
