// SPDX-License-Identifier: MIT
#include "engine/view/variant.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/state/to_host.h"
#include "engine/view/motion_stream.h"
#include "engine/view/topology.h"

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
    const bool same_rate = a->coding != PROTO_CODING_MOTION || a->every_ticks == b->every_ticks;
    return same_rate && a->coding == b->coding && a->step == b->step && (a->objects == NULL) == (b->objects == NULL) &&
           a->object_count == b->object_count &&
           (a->objects == NULL || memcmp(a->objects, b->objects, a->object_count * sizeof *a->objects) == 0);
}

// The variant like `wanted`, or a free place for it; takes `wanted->objects`.
static enum result place_variant(struct engine_world *world, struct variant *wanted, uint32_t *index,
                                 struct fault *fault) {
    uint32_t first = wanted->objects == NULL ? 0 : ENGINE_VARIANTS_MAX;
    uint32_t end = wanted->objects == NULL ? ENGINE_VARIANTS_MAX : ENGINE_VARIANT_COUNT;
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
                         end - first, wanted->objects == NULL ? "encoding, step and rate" : "objects");
    }
    if (wanted->coding == PROTO_CODING_MOTION && motion_stream_create(world, wanted, &wanted->stream) != RESULT_OK) {
        free(wanted->objects);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    world->variants[free_place] = *wanted;
    *index = free_place;
    return RESULT_OK;
}

static enum result choose_objects(struct engine_world *world, const struct proto_indices *ids, struct variant *wanted,
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
static void recount_variant(struct engine_world *world, uint32_t index) {
    struct variant *variant = &world->variants[index];
    variant->viewers = 0;
    variant->every_ticks = 0;
    uint32_t viewers = 0;
    for (uint32_t i = 0; i < world->client_count; i++) {
        viewers += world->clients[i].variant != ENGINE_NO_VARIANT;
        if (world->clients[i].variant == index) {
            variant->viewers++;
            variant->every_ticks = greatest_common_divisor(world->clients[i].every_ticks, variant->every_ticks);
        }
    }
    world->viewers = viewers;
    if (variant->viewers == 0) {
        free(variant->objects);
        motion_stream_destroy(variant->stream);
        *variant = (struct variant){0};
    }
}

static const enum proto_coding codings[PROTO_FRAMES_SUBSCRIBE_ENCODING_COUNT] = {
    [PROTO_FRAMES_SUBSCRIBE_ENCODING_GRID] = PROTO_CODING_GRID,
    [PROTO_FRAMES_SUBSCRIBE_ENCODING_RAW] = PROTO_CODING_RAW,
    [PROTO_FRAMES_SUBSCRIBE_ENCODING_MOTION] = PROTO_CODING_MOTION,
};

// From the variant it has, if any, to another.
static void move_session(struct engine_world *world, struct client *client, uint32_t index, uint32_t every_ticks) {
    const uint32_t before = client->variant;
    client->variant = index;
    client->every_ticks = every_ticks;
    if (before != ENGINE_NO_VARIANT && before != index) {
        engine_leave(world, client->id, before);
        recount_variant(world, before);
    }
    recount_variant(world, index);
}

enum result engine_subscribe(struct engine_world *world, struct client *client,
                             const struct proto_frames_subscribe *params, uint32_t *index, struct fault *fault) {
    struct variant wanted = {.used = true,
                             .step = params->encoding == PROTO_FRAMES_SUBSCRIBE_ENCODING_RAW ? 0.0f : params->step,
                             .coding = codings[params->encoding],
                             .every_ticks = params->every_ticks};
    if (params->adapt && wanted.coding != PROTO_CODING_MOTION) {
        return fault_set(fault, RESULT_INVALID, "/adapt", "adapt is for the encoding \"motion\" only");
    }
    enum result result = params->has_objects ? choose_objects(world, &params->objects, &wanted, fault) : RESULT_OK;
    if (result == RESULT_OK) {
        result = place_variant(world, &wanted, index, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    move_session(world, client, *index, params->every_ticks);
    return RESULT_OK;
}

bool engine_change_rate(struct engine_world *world, struct client *client, uint32_t every_ticks) {
    struct variant wanted = world->variants[client->variant];
    wanted.every_ticks = every_ticks;
    wanted.stream = NULL;
    if (wanted.objects != NULL) {
        wanted.objects = malloc(wanted.object_count * sizeof *wanted.objects);
        if (wanted.objects == NULL) {
            return false;
        }
        memcpy(wanted.objects, world->variants[client->variant].objects, wanted.object_count * sizeof *wanted.objects);
    }
    struct fault fault;
    uint32_t index;
    if (place_variant(world, &wanted, &index, &fault) != RESULT_OK) {
        return false;
    }
    move_session(world, client, index, every_ticks);
    engine_join(world, client->id, index, every_ticks, UINT32_MAX);
    motion_stream_want(world->variants[index].stream);
    world->starving = true;
    return true;
}

void engine_unsubscribe(struct engine_world *world, struct client *client) {
    uint32_t variant = client->variant;
    if (variant == ENGINE_NO_VARIANT) {
        return;
    }
    client->variant = ENGINE_NO_VARIANT;
    engine_leave(world, client->id, variant);
    recount_variant(world, variant);
}

// ---- frames ------------------------------------------------------------------------------------------------------

// Which objects a message holds.
enum part {
    PART_ALL,
    PART_CHOSEN,  // of a variant with chosen objects
    PART_AWAKE,   // all but those that viewers know to rest
    PART_RESTING, // those that viewers know to rest
    PART_SLEPT    // those that rest and viewers do not know of
};

// Sleepers are left out where a viewer can tell where they are; who chose objects, or raw numbers, gets them all.
static bool leaves_out_sleepers(const struct variant *variant) {
    return variant->objects == NULL && variant->coding != PROTO_CODING_RAW;
}

static bool is_in_part(const struct engine_world *world, const struct variant *variant, enum part part, uint32_t index,
                       const struct sim_object_view *view) {
    switch (part) {
    case PART_CHOSEN:
        return bsearch(&view->id, variant->objects, variant->object_count, sizeof view->id, compare_ids) != NULL;
    case PART_AWAKE:
        return !world->published[index].resting;
    case PART_RESTING:
        return world->published[index].resting;
    case PART_SLEPT:
        return view->asleep && !world->published[index].resting;
    default:
        return true;
    }
}

static bool collect_ranges(struct engine_world *world, const struct variant *variant, enum part part, uint32_t *count) {
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
    for (uint32_t i = 0; i < objects; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        if (is_in_part(world, variant, part, i, &view)) {
            world->ranges[(*count)++] = (struct proto_range){.first = view.first, .count = view.particles};
        }
    }
    return true;
}

static struct message *pack_part(struct engine_world *world, const struct variant *variant, enum part part,
                                 bool refresh) {
    const uint64_t start_ns = engine_now_ns(world);
    uint32_t range_count = 0;
    if (!collect_ranges(world, variant, part, &range_count)) {
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
                                        .chosen = part == PART_CHOSEN,
                                        .partial = part == PART_AWAKE,
                                        .rest = part == PART_RESTING || part == PART_SLEPT,
                                        .refresh = refresh};
    struct message *message =
        message_pool_take(world->frames, MESSAGE_BINARY, proto_frame_bound(&source, variant->coding));
    if (message != NULL) {
        message_set_length(message, proto_frame_pack(&source, variant->coding, variant->step, message_data(message)));
    }
    world->statistics.encode_ns += engine_now_ns(world) - start_ns;
    return message;
}

static struct message *pack_frame(struct engine_world *world, const struct variant *variant, bool refresh) {
    enum part part = variant->objects != NULL ? PART_CHOSEN : PART_ALL;
    if (world->resting > 0 && leaves_out_sleepers(variant)) {
        part = PART_AWAKE;
    }
    return pack_part(world, variant, part, refresh);
}

static struct message *pack_rest(struct engine_world *world, struct variant *variant, bool known) {
    if (variant->coding != PROTO_CODING_MOTION) {
        return pack_part(world, variant, known ? PART_RESTING : PART_SLEPT, false);
    }
    const uint64_t start_ns = engine_now_ns(world);
    struct message *message = motion_stream_pack_rest(world, variant, known ? STREAM_PART_RESTING : STREAM_PART_SLEPT);
    world->statistics.encode_ns += engine_now_ns(world) - start_ns;
    return message;
}

// What woke is in the frames again. Returns how many sleep that viewers do not know to rest.
static uint32_t recount_resting(struct engine_world *world) {
    uint32_t slept = 0;
    world->resting = 0;
    for (uint32_t i = 0; i < world->published_count; i++) {
        const bool asleep = sim_world_object_at(world->sim, i).asleep;
        world->published[i].resting = world->published[i].resting && asleep;
        slept += asleep && !world->published[i].resting;
        world->resting += world->published[i].resting;
    }
    return slept;
}

// What rested, woke and rests elsewhere since a stream's newest frame: that frame may be sent after the new place is
// told, which is sent in order, so that nothing may build on it.
static void begin_overtaken_anew(struct engine_world *world, const struct published_object *slept) {
    for (uint32_t i = 0; i < ENGINE_VARIANTS_MAX; i++) {
        struct motion_stream *stream = world->variants[i].stream;
        if (stream != NULL && motion_stream_left_out(stream, slept->resting_since, slept->left_out_at)) {
            motion_stream_begin_anew(stream);
        }
    }
}

static void note_resting(struct engine_world *world, bool told) {
    const uint64_t tick = sim_world_tick(world->sim);
    for (uint32_t i = 0; i < world->published_count; i++) {
        struct published_object *published = &world->published[i];
        if (told && !published->resting && sim_world_object_at(world->sim, i).asleep) {
            begin_overtaken_anew(world, published);
            published->resting = true;
            published->resting_since = tick;
            world->resting++;
        }
        if (published->resting) {
            published->left_out_at = tick;
        }
    }
}

// Tells viewers where what fell asleep lies, ahead of the first frame that leaves it out. What they are not told for
// want of memory stays in the frames.
static void publish_resting(struct engine_world *world) {
    if (world->publish_whole) {
        return; // what was published could not be remembered
    }
    bool told = recount_resting(world) > 0;
    for (uint32_t i = 0; told && i < ENGINE_VARIANTS_MAX; i++) {
        struct variant *variant = &world->variants[i];
        if (variant->used && leaves_out_sleepers(variant)) {
            struct message *message = pack_rest(world, variant, false);
            told = message != NULL;
            if (told) {
                engine_publish_ordered(world, i, UINT32_MAX, false, message);
            }
        }
    }
    note_resting(world, told);
}

void engine_publish(struct engine_world *world, bool refresh) {
    bool told = engine_publish_topology(world);
    publish_resting(world);
    uint64_t tick = sim_world_tick(world->sim);
    for (uint32_t i = 0; i < ENGINE_VARIANT_COUNT; i++) {
        struct variant *variant = &world->variants[i];
        if (!variant->used || (!refresh && tick % variant->every_ticks != 0)) {
            continue;
        }
        if (variant->coding == PROTO_CODING_MOTION) {
            told = motion_stream_publish(world, variant, i, refresh) && told;
            continue;
        }
        struct message *message = pack_frame(world, variant, refresh);
        told = told && message != NULL;
        if (message != NULL) {
            world->statistics.frames++;
            world->statistics.frame_bytes = message_length(message);
            // A refresh concerns every viewer, whatever its rate: tick 0 is a multiple of all.
            engine_publish_state(world, i, refresh ? 0 : tick, message);
        }
    }
    world->frame_stale = !told;
}

void engine_welcome_viewer(struct engine_world *world, struct client *client) {
    if (!engine_publish_topology(world)) { // who is here already gets the change, who comes gets the whole
        world->frame_stale = true;
    }
    uint32_t channel = client->variant;
    if (world->topology == NULL || world->topology_revision != world->revision) {
        message_release(world->topology);
        world->topology = engine_build_topology(world, false);
        world->topology_revision = world->revision;
    }
    if (world->topology == NULL) {
        engine_close(world, client->id, 1013, "out of memory");
        return;
    }
    engine_send(world, client->id, message_retain(world->topology));
    struct variant *variant = &world->variants[client->variant];
    if (!world->publish_whole) {
        (void)recount_resting(world);
    }
    if (world->resting > 0 && leaves_out_sleepers(variant)) {
        struct message *rest = pack_rest(world, variant, true);
        if (rest == NULL) {
            engine_close(world, client->id, 1013, "out of memory");
            return;
        }
        engine_send(world, client->id, rest);
    }
    engine_join(world, client->id, channel, client->every_ticks, UINT32_MAX);
    if (variant->coding == PROTO_CODING_MOTION) {
        motion_stream_show(world, variant, channel, client->id);
        return;
    }
    struct message *keyframe = pack_frame(world, variant, false);
    if (keyframe != NULL) {
        engine_state(world, client->id, channel, keyframe);
    }
}

bool engine_feed_starved(struct engine_world *world, const struct client *client) {
    struct variant *variant = client->variant != ENGINE_NO_VARIANT ? &world->variants[client->variant] : NULL;
    if (variant == NULL || variant->stream == NULL) {
        return false;
    }
    const bool changed = world->publish_whole || world->published_epoch != sim_world_epoch(world->sim);
    if (world->running || world->stepping || changed) { // a frame is to come
        motion_stream_want(variant->stream);
        world->starving = true;
    } else {
        (void)recount_resting(world);
        motion_stream_show(world, variant, client->variant, client->id);
    }
    return true;
}

void engine_feed_all_starved(struct engine_world *world) {
    world->starving = false;
    for (uint32_t i = 0; i < ENGINE_VARIANT_COUNT; i++) {
        struct variant *variant = &world->variants[i];
        if (variant->stream != NULL && motion_stream_is_wanted(variant->stream)) {
            (void)motion_stream_publish(world, variant, i, true); // if not, the network tells again
        }
    }
}
