// SPDX-License-Identifier: MIT
#include "engine/view/topology.h"

#include <stdlib.h>
#include <string.h>

#include "engine/describe/topology_text.h"
#include "engine/state/to_host.h"
#include "engine/view/motion_stream.h"

struct message *engine_build_topology(struct engine_world *world, bool delta) {
    json_writer_clear(&world->text);
    describe_topology(world, delta, &world->text);
    const struct word_list *words = &world->words;
    struct message *message = NULL;
    if (!words->failed && !json_writer_failed(&world->text)) {
        message = message_create(MESSAGE_BINARY, proto_topology_bound(world->text.length, words->count));
    }
    if (message == NULL) {
        engine_log(world, "out of memory for a topology");
        return NULL;
    }
    size_t length = proto_topology_pack(sim_world_epoch(world->sim), sim_world_tick(world->sim),
                                        sim_world_counts(world->sim).particles, delta, world->text.data,
                                        world->text.length, words->items, words->count, message_data(message));
    message_set_length(message, length);
    return message;
}

// The triangles of what may tear, to tell later which of them changed. False when memory is out.
static bool remember_corners(struct engine_world *world, struct published_object *published,
                             const struct sim_object_view *view) {
    published->corners = world->published_corners.count;
    if (!describe_can_tear(view) || view->triangle_count == 0) {
        return true;
    }
    uint32_t *corners = word_list_append(&world->published_corners, 3 * (size_t)view->triangle_count);
    if (corners != NULL) {
        memcpy(corners, view->triangles, 3 * (size_t)view->triangle_count * sizeof *corners);
    }
    return corners != NULL;
}

static void remember_published(struct engine_world *world) {
    uint32_t count = sim_world_object_count(world->sim), obstacles = sim_world_obstacle_count(world->sim);
    if (count > world->published_capacity) {
        struct published_object *published = realloc(world->published, 2 * count * sizeof *published);
        if (published == NULL) {
            world->publish_whole = true; // the next one needs no memory of this one
            world->resting = 0;
            return;
        }
        world->published = published;
        world->published_capacity = 2 * count;
    }
    bool complete = true;
    word_list_clear(&world->published_corners);
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        world->published[i] = (struct published_object){
            .id = view.id, .particles = view.particles, .triangles = view.triangle_count, .sticks = view.sticks};
        complete = complete && remember_corners(world, &world->published[i], &view);
    }
    world->published_count = count;
    world->published_obstacle = obstacles > 0 ? sim_world_obstacle_at(world->sim, obstacles - 1)->id : 0;
    world->published_epoch = sim_world_epoch(world->sim);
    world->publish_whole = !complete;
    world->resting = 0; // viewers know nothing of this epoch's slots yet
}

bool engine_publish_topology(struct engine_world *world) {
    if (world->published_epoch == sim_world_epoch(world->sim) && !world->publish_whole) {
        return true;
    }
    world->lockstep.renew = world->lockstep.renew || world->publish_whole;
    struct message *message = NULL;
    const bool watched = world->viewers > 0;
    if (watched) {
        const uint64_t start_ns = engine_now_ns(world);
        message = engine_build_topology(world, !world->publish_whole);
        world->statistics.encode_ns += engine_now_ns(world) - start_ns;
    }
    for (uint32_t i = 0; i < ENGINE_VARIANT_COUNT; i++) {
        if (world->variants[i].stream != NULL) {
            motion_stream_begin_anew(world->variants[i].stream);
        }
        if (message != NULL && world->variants[i].used) {
            engine_publish_ordered(world, i, UINT32_MAX, true, message_retain(message));
        }
    }
    if (watched && message == NULL) {
        world->publish_whole = true; // what viewers know cannot be told apart from what is
        world->resting = 0;
        return false;
    }
    message_release(message);
    remember_published(world);
    return true;
}
