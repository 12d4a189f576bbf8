// SPDX-License-Identifier: MIT
// A scene's first moments, as a topology and a frame.
#include "host/command/preview.h"

#include <stdlib.h>

#include "base/base64.h"
#include "base/message.h"
#include "base/result.h"
#include "engine/command/scene_load.h"
#include "engine/view/topology.h"
#include "engine/world/engine_world.h"
#include "host/config/limits.h"
#include "host/run/scheduler.h"
#include "host/world/scene.h"
#include "host/world/silent_host.h"

static enum result load(struct engine_world *world, const char *folder, const char *scene, struct fault *fault) {
    struct proto_request *request = NULL;
    enum result result = scene_read(folder, scene, &request, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct fault found;
    result = engine_load_scene(world, scene, request, &found);
    if (result != RESULT_OK) {
        scene_blame(scene, scene_place_of(request, found.pointer), &found, fault);
        proto_request_destroy(request);
        return result;
    }
    const uint32_t particles = sim_world_counts(world->sim).particles;
    if (particles > PREVIEW_PARTICLES_MAX) {
        return fault_set(fault, RESULT_LIMIT, "/name",
                         "the scene \"%s\" has %u particles: a preview is made of at most %u", scene, particles,
                         PREVIEW_PARTICLES_MAX);
    }
    return RESULT_OK;
}

static void step(struct engine_world *world, uint32_t ticks) {
    const uint64_t until_ns = scheduler_now_ns() + PREVIEW_NS;
    for (uint32_t done = 0; done < ticks && scheduler_now_ns() < until_ns; done++) {
        sim_world_step(world->sim);
    }
}

static enum result write_base64(const char *member, const uint8_t *bytes, size_t size, struct json_writer *out,
                                struct fault *fault) {
    char *text = malloc(BASE64_LENGTH(size) + 1);
    if (text == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    base64_write(bytes, size, text);
    json_writer_member_string(out, member, text);
    free(text);
    return RESULT_OK;
}

static enum result write_topology(struct engine_world *world, struct json_writer *out, struct fault *fault) {
    struct message *message = engine_build_topology(world, false);
    if (message == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    const enum result result = write_base64("topology", message_data(message), message_length(message), out, fault);
    message_release(message);
    return result;
}

static enum result write_frame(const struct engine_world *world, struct json_writer *out, struct fault *fault) {
    const struct sim_particles_view particles = sim_world_particles(world->sim);
    struct proto_range all = {.first = 0, .count = sim_world_counts(world->sim).particles};
    const struct proto_frame_source source = {.tick = sim_world_tick(world->sim),
                                              .epoch = sim_world_epoch(world->sim),
                                              .x = particles.x,
                                              .y = particles.y,
                                              .z = particles.z,
                                              .ranges = &all,
                                              .range_count = all.count > 0 ? 1 : 0};
    uint8_t *bytes = aligned_alloc(8, (proto_frame_bound(&source, PROTO_CODING_RAW) + 7) / 8 * 8);
    if (bytes == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    const size_t size = proto_frame_pack(&source, PROTO_CODING_RAW, 0.0f, bytes);
    const enum result result = write_base64("frame", bytes, size, out, fault);
    free(bytes);
    return result;
}

enum result preview_write(const struct world *asker, const char *scene, uint32_t ticks, struct json_writer *out,
                          struct fault *fault) {
    const struct config *config = asker->config;
    const struct engine_options options = {.name = "preview",
                                           .tick_hz = config->tick_hz,
                                           .capacity = world_capacity(config),
                                           .quota = world_quota(config),
                                           .host = &silent_engine_host};
    struct engine_world *world = NULL;
    enum result result = engine_create(&options, &world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = load(world, config->scenes, scene, fault);
    if (result == RESULT_OK) {
        step(world, ticks);
        json_writer_member_unsigned(out, "tick", sim_world_tick(world->sim));
        json_writer_member_unsigned(out, "particles", sim_world_counts(world->sim).particles);
        result = write_topology(world, out, fault);
    }
    if (result == RESULT_OK) {
        result = write_frame(world, out, fault);
    }
    engine_destroy(world);
    return result;
}
