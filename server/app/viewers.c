// SPDX-License-Identifier: MIT
// What viewers see: the ways of packing in use, the topology, and one packed frame per way and tick, whatever the
// number of viewers.
//
// A viewer is sent the whole topology and a keyframe when it comes, and from then on what changed, ahead of the first
// frame that needs it; the network keeps that order. Frames are replaceable: a viewer that is slow gets the newest.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/world.h"
#include "base/log.h"

static uint32_t channel_of(const struct world *world, uint32_t variant) {
    return world->index * WORLD_CHANNELS + variant;
}

// ---- variants ----------------------------------------------------------------------------------------------------

static int compare_ids(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

// Rising and each once; returns the new count.
static uint32_t sort_ids(uint32_t *ids, uint32_t count) {
    qsort(ids, count, sizeof *ids, compare_ids);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || ids[kept - 1] != ids[i]) {
            ids[kept++] = ids[i];
        }
    }
    return kept;
}

static bool same_variant(const struct variant *a, const struct variant *b) {
    return a->coding == b->coding && a->step == b->step && (a->objects == NULL) == (b->objects == NULL) &&
           a->object_count == b->object_count &&
           (a->objects == NULL || memcmp(a->objects, b->objects, a->object_count * sizeof *a->objects) == 0);
}

// The variant like `wanted`, or a free place for it; takes `wanted->objects`.
static enum result place_variant(struct world *world, struct variant *wanted, uint32_t *index, struct fault *fault) {
    uint32_t first = wanted->objects == NULL ? 0 : WORLD_VARIANTS_MAX;
    uint32_t end = wanted->objects == NULL ? WORLD_VARIANTS_MAX : WORLD_VARIANT_COUNT;
    uint32_t free_place = end;
    for (uint32_t i = first; i < end; i++) {
        if (world->variants[i].used && same_variant(&world->variants[i], wanted)) {
            free(wanted->objects);
            *index = i;
            return RESULT_OK;
        }
        if (!world->variants[i].used && free_place == end) {
            free_place = i;
        }
    }
    if (free_place == end) {
        free(wanted->objects);
        return fault_set(fault, RESULT_LIMIT, "",
                         "at most %u different choices of %s are packed at once in a world: use one that is in use",
                         end - first, wanted->objects == NULL ? "encoding and step" : "objects");
    }
    world->variants[free_place] = *wanted;
    *index = free_place;
    return RESULT_OK;
}

static enum result choose_objects(struct world *world, const struct proto_indices *ids, struct variant *wanted,
                                  struct fault *fault) {
    for (uint32_t i = 0; i < ids->count; i++) {
        struct sim_object_view view;
        if (sim_object_find(world->sim, ids->items[i], &view, NULL) != RESULT_OK) {
            char pointer[32];
            snprintf(pointer, sizeof pointer, "/objects/%u", i);
            return fault_set(fault, RESULT_NOT_FOUND, pointer, "objects[%u]: there is no object %u", i, ids->items[i]);
        }
    }
    assert(ids->count > 0); // the schema sees to it
    wanted->objects = malloc(ids->count * sizeof *wanted->objects);
    if (wanted->objects == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    memcpy(wanted->objects, ids->items, ids->count * sizeof *wanted->objects);
    wanted->object_count = sort_ids(wanted->objects, ids->count);
    return RESULT_OK;
}

static uint32_t greatest_common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Viewers and their common rate, from the sessions; a variant without viewers is given up.
static void recount_variant(struct world *world, uint32_t index) {
    struct variant *variant = &world->variants[index];
    variant->viewers = 0;
    variant->every_ticks = 0;
    uint32_t viewers = 0;
    for (uint32_t i = 0; i < world->session_count; i++) {
        viewers += world->sessions[i].variant != WORLD_NO_VARIANT;
        if (world->sessions[i].variant == index) {
            variant->viewers++;
            variant->every_ticks = greatest_common_divisor(world->sessions[i].every_ticks, variant->every_ticks);
        }
    }
    atomic_store(&world->figures.viewers, viewers);
    if (variant->viewers == 0) {
        free(variant->objects);
        *variant = (struct variant){0};
    }
}

enum result world_subscribe(struct world *world, struct session *session, const struct proto_frames_subscribe *params,
                            uint32_t *index, struct fault *fault) {
    struct variant wanted = {.used = true, .step = params->step, .coding = PROTO_CODING_GRID};
    if (params->encoding == PROTO_FRAMES_SUBSCRIBE_ENCODING_RAW) {
        wanted.coding = PROTO_CODING_RAW;
        wanted.step = 0.0f;
    }
    enum result result = params->has_objects ? choose_objects(world, &params->objects, &wanted, fault) : RESULT_OK;
    if (result == RESULT_OK) {
        result = place_variant(world, &wanted, index, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    uint32_t before = session->variant;
    session->variant = *index;
    session->every_ticks = params->every_ticks;
    if (before != WORLD_NO_VARIANT && before != *index) {
        net_post_leave(world->net, session->peer, channel_of(world, before));
        recount_variant(world, before);
    }
    recount_variant(world, *index);
    return RESULT_OK;
}

void world_unsubscribe(struct world *world, struct session *session) {
    uint32_t variant = session->variant;
    if (variant == WORLD_NO_VARIANT) {
        return;
    }
    session->variant = WORLD_NO_VARIANT;
    net_post_leave(world->net, session->peer, channel_of(world, variant));
    recount_variant(world, variant);
}

// ---- topology ----------------------------------------------------------------------------------------------------

// Triangles of the meshes a topology shows, in the order in which describe_topology counts them.
static uint32_t *collect_triangles(const struct sim_world *sim, uint32_t newest_known, size_t *words) {
    size_t total = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        uint32_t *out = NULL;
        if (pass == 1) {
            out = malloc((total + 1) * sizeof *out);
            if (out == NULL) {
                return NULL;
            }
        }
        size_t at = 0;
        for (uint32_t i = 0; i < sim_world_object_count(sim); i++) {
            struct sim_object_view view = sim_world_object_at(sim, i);
            if (view.id <= newest_known || view.kind != SIM_KIND_MESH) {
                continue;
            }
            size_t count = 3 * (size_t)view.triangle_count;
            if (out != NULL) {
                memcpy(out + at, view.triangles, count * sizeof *out);
            }
            at += count;
        }
        total = at;
        if (out != NULL) {
            *words = total;
            return out;
        }
    }
    return NULL;
}

static struct net_message *build_topology(struct world *world, bool delta) {
    uint32_t newest_known = delta && world->published_count > 0 ? world->published_ids[world->published_count - 1] : 0;
    proto_text_clear(&world->text);
    describe_topology(world, world->published_ids, world->published_count, delta, &world->text);
    size_t words = 0;
    uint32_t *triangles = collect_triangles(world->sim, newest_known, &words);
    struct net_message *message = NULL;
    if (triangles != NULL && !proto_text_failed(&world->text)) {
        message = net_message_create(NET_MESSAGE_BINARY, proto_topology_bound(world->text.length, words));
    }
    if (message != NULL) {
        size_t length = proto_topology_pack(sim_world_epoch(world->sim), sim_world_tick(world->sim),
                                            sim_world_counts(world->sim).particles, delta, world->text.data,
                                            world->text.length, triangles, words, net_message_data(message));
        net_message_set_length(message, length);
    } else {
        log_write(LOG_LEVEL_ERROR, "world", "%s: out of memory for a topology", world->name);
    }
    free(triangles);
    return message;
}

static void remember_published(struct world *world) {
    uint32_t count = sim_world_object_count(world->sim);
    if (count > world->published_capacity) {
        uint32_t *ids = realloc(world->published_ids, 2 * count * sizeof *ids);
        if (ids == NULL) {
            world->publish_whole = true; // the next one needs no memory of this one
            return;
        }
        world->published_ids = ids;
        world->published_capacity = 2 * count;
    }
    for (uint32_t i = 0; i < count; i++) {
        world->published_ids[i] = sim_world_object_at(world->sim, i).id;
    }
    world->published_count = count;
    world->published_epoch = sim_world_epoch(world->sim);
    world->publish_whole = false;
}

// Tells viewers of a new epoch, once.
void world_publish_topology(struct world *world) {
    if (world->published_epoch == sim_world_epoch(world->sim) && !world->publish_whole) {
        return;
    }
    struct net_message *message = NULL;
    if (atomic_load(&world->figures.viewers) > 0) {
        message = build_topology(world, !world->publish_whole);
    }
    for (uint32_t i = 0; message != NULL && i < WORLD_VARIANT_COUNT; i++) {
        if (world->variants[i].used) {
            net_post_publish_ordered(world->net, channel_of(world, i), UINT32_MAX, true, net_message_retain(message));
        }
    }
    net_message_release(message);
    remember_published(world);
}

// ---- frames ------------------------------------------------------------------------------------------------------

static bool collect_ranges(struct world *world, const struct variant *variant, uint32_t *count) {
    uint32_t objects = sim_world_object_count(world->sim);
    if (objects > world->ranges_capacity) {
        struct proto_range *ranges = realloc(world->ranges, 2 * objects * sizeof *ranges);
        if (ranges == NULL) {
            return false;
        }
        world->ranges = ranges;
        world->ranges_capacity = 2 * objects;
    }
    *count = 0;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < objects; i++) {
        struct sim_object_view view = sim_world_object_at(world->sim, i);
        if (variant->objects != NULL) {
            while (chosen < variant->object_count && variant->objects[chosen] < view.id) {
                chosen++;
            }
            if (chosen == variant->object_count || variant->objects[chosen] != view.id) {
                continue;
            }
        }
        world->ranges[(*count)++] = (struct proto_range){.first = view.first, .count = view.particles};
    }
    return true;
}

static struct net_message *pack_frame(struct world *world, const struct variant *variant, bool refresh) {
    uint32_t range_count = 0;
    if (!collect_ranges(world, variant, &range_count)) {
        return NULL;
    }
    struct sim_particles_view particles = sim_world_particles(world->sim);
    struct proto_frame_source source = {.tick = sim_world_tick(world->sim),
                                        .epoch = sim_world_epoch(world->sim),
                                        .x = particles.x,
                                        .y = particles.y,
                                        .z = particles.z,
                                        .ranges = world->ranges,
                                        .range_count = range_count,
                                        .chosen = variant->objects != NULL,
                                        .refresh = refresh};
    struct net_message *message = net_message_create(NET_MESSAGE_BINARY, proto_frame_bound(&source, variant->coding));
    if (message != NULL) {
        net_message_set_length(message,
                               proto_frame_pack(&source, variant->coding, variant->step, net_message_data(message)));
    }
    return message;
}

void world_publish(struct world *world, bool refresh) {
    world_publish_topology(world);
    uint64_t tick = sim_world_tick(world->sim);
    for (uint32_t i = 0; i < WORLD_VARIANT_COUNT; i++) {
        const struct variant *variant = &world->variants[i];
        if (!variant->used || (!refresh && tick % variant->every_ticks != 0)) {
            continue;
        }
        struct net_message *message = pack_frame(world, variant, refresh);
        if (message != NULL) {
            atomic_fetch_add(&world->figures.frames, 1);
            atomic_store(&world->figures.frame_bytes, net_message_length(message));
            // A refresh concerns every viewer, whatever its rate: tick 0 is a multiple of all.
            net_post_publish_state(world->net, channel_of(world, i), refresh ? 0 : tick, message);
        }
    }
    world->frame_stale = false;
}

void world_welcome_viewer(struct world *world, struct session *session) {
    world_publish_topology(world); // who is here already gets the change, who comes gets the whole
    uint32_t channel = channel_of(world, session->variant);
    if (world->topology == NULL || world->topology_revision != world->revision) {
        net_message_release(world->topology);
        world->topology = build_topology(world, false);
        world->topology_revision = world->revision;
    }
    if (world->topology == NULL) {
        net_post_close(world->net, session->peer, 1013, "out of memory");
        return;
    }
    net_post_send(world->net, session->peer, net_message_retain(world->topology));
    net_post_join(world->net, session->peer, channel, session->every_ticks, UINT32_MAX);
    struct net_message *keyframe = pack_frame(world, &world->variants[session->variant], false);
    if (keyframe != NULL) {
        net_post_state(world->net, session->peer, channel, keyframe);
    }
}
