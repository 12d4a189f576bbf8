// SPDX-License-Identifier: MIT
#include "engine/view/motion_stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/state/to_host.h"
#include "proto/frame/codec.h"

#define FORM_LAST (MESSAGE_FORMS - 1)

static_assert(FORM_LAST == PROTO_CODEC_BASELINES_MOST, "a form for each number of baselines");

struct motion_stream {
    struct proto_codec *codec; // NULL: memory was out when it was to be laid out
    uint32_t epoch;            // that it is laid out for
    uint32_t object_count;     // in it
    uint32_t *named;           // scratch: objects in a message
    bool *unmoved;             // scratch: objects that are where they were in the newest frame
    uint32_t capacity;         // of both
    uint64_t number, tick;     // of the newest frame; number 0: none yet
    uint64_t revision;         // of the world, that it shows
    uint32_t given;            // forms of it that somebody was handed: a mask
    bool wanted;               // somebody needs form 0 of the next
    bool waited_for;           // by one who has missed frames
    struct message *keyframe;  // form 0 of the newest frame, or NULL
    struct message *picture;   // the newest one that no frame builds on, or NULL
    uint64_t picture_revision;
};

// ---- layout ------------------------------------------------------------------------------------------------------

static enum proto_codec_shape shape_of(enum sim_kind kind) {
    switch (kind) {
    case SIM_KIND_CLOTH:
        return PROTO_CODEC_LATTICE;
    case SIM_KIND_ROPE:
        return PROTO_CODEC_CHAIN;
    case SIM_KIND_BODY:
        return PROTO_CODEC_BODY;
    case SIM_KIND_PARTICLES:
        return PROTO_CODEC_LOOSE;
    default:
        return PROTO_CODEC_TRIANGLES;
    }
}

static struct proto_codec_object describe_codec_object(const struct sim_object_view *view) {
    return (struct proto_codec_object){.first = view->first,
                                       .count = view->particles,
                                       .shape = shape_of(view->kind),
                                       .columns = view->columns,
                                       .rows = view->rows,
                                       .spacing = view->spacing,
                                       .hexagonal = view->lattice == SIM_LATTICE_HEX,
                                       .triangles = view->triangles,
                                       .triangle_count = view->triangle_count};
}

static int compare_ids(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static bool is_chosen(const struct variant *variant, uint32_t id) {
    return variant->objects == NULL ||
           bsearch(&id, variant->objects, variant->object_count, sizeof id, compare_ids) != NULL;
}

static bool reserve(struct motion_stream *stream, uint32_t count) {
    if (count <= stream->capacity && stream->named != NULL) {
        return true;
    }
    free(stream->named);
    free(stream->unmoved);
    stream->capacity = count + count / 4 + 1;
    stream->named = calloc(stream->capacity, sizeof *stream->named);
    stream->unmoved = calloc(stream->capacity, sizeof *stream->unmoved);
    return stream->named != NULL && stream->unmoved != NULL;
}

static void release_messages(struct motion_stream *stream) {
    message_release(stream->keyframe);
    message_release(stream->picture);
    stream->keyframe = NULL;
    stream->picture = NULL;
}

static enum result lay_out(struct engine_world *world, const struct variant *variant, struct motion_stream *stream) {
    const uint32_t count = sim_world_object_count(world->sim);
    struct proto_codec_object *objects = calloc((size_t)count + 1, sizeof *objects);
    enum result result = objects != NULL && reserve(stream, count) ? RESULT_OK : RESULT_MEMORY;
    proto_codec_destroy(stream->codec);
    stream->codec = NULL;
    motion_stream_begin_anew(stream);
    stream->object_count = 0;
    for (uint32_t i = 0; result == RESULT_OK && i < count; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        if (is_chosen(variant, view.id)) {
            objects[stream->object_count++] = describe_codec_object(&view);
        }
    }
    if (result == RESULT_OK) {
        result = proto_codec_create(objects, stream->object_count, variant->step, &stream->codec);
    }
    assert(result != RESULT_INVALID);
    free(objects);
    if (result == RESULT_OK) {
        stream->epoch = sim_world_epoch(world->sim);
        // So that no later tick is the first to need one.
        message_release(message_pool_take(world->frames, MESSAGE_BINARY, proto_codec_bound(stream->codec)));
    }
    return result;
}

enum result motion_stream_create(struct engine_world *world, const struct variant *variant,
                                 struct motion_stream **out) {
    struct motion_stream *stream = calloc(1, sizeof *stream);
    enum result result = stream != NULL ? lay_out(world, variant, stream) : RESULT_MEMORY;
    if (result != RESULT_OK) {
        motion_stream_destroy(stream);
        return result;
    }
    *out = stream;
    return RESULT_OK;
}

void motion_stream_destroy(struct motion_stream *stream) {
    if (stream != NULL) {
        proto_codec_destroy(stream->codec);
        release_messages(stream);
        free(stream->named);
        free(stream->unmoved);
        free(stream);
    }
}

void motion_stream_begin_anew(struct motion_stream *stream) {
    release_messages(stream);
    stream->number++; // the next one's follows nothing
    stream->given = 0;
    stream->wanted = true;
    stream->revision = UINT64_MAX;
}

void motion_stream_want(struct motion_stream *stream) {
    stream->wanted = true;
    stream->waited_for = true;
}

bool motion_stream_is_wanted(const struct motion_stream *stream) {
    return stream->waited_for;
}

bool motion_stream_left_out(const struct motion_stream *stream, uint64_t from_tick, uint64_t to_tick) {
    return stream->given != 0 && from_tick <= stream->tick && stream->tick <= to_tick;
}

// Whether the encoder fits the world.
static bool is_ready(struct engine_world *world, const struct variant *variant) {
    struct motion_stream *stream = variant->stream;
    const bool fits = stream->codec != NULL && stream->epoch == sim_world_epoch(world->sim);
    if (fits && (stream->given == 0 || stream->tick <= sim_world_tick(world->sim))) {
        return true;
    }
    const enum result result = lay_out(world, variant, stream);
    if (result != RESULT_OK) {
        engine_log(world, "out of memory for a stream of frames");
    }
    return result == RESULT_OK;
}

// ---- messages ----------------------------------------------------------------------------------------------------

static bool is_in_part(const struct engine_world *world, uint32_t index, enum motion_stream_part part) {
    const bool resting = world->published[index].resting;
    switch (part) {
    case STREAM_PART_RESTING:
        return resting;
    case STREAM_PART_SLEPT:
        return !resting && sim_world_object_at(world->sim, index).asleep;
    default:
        return !resting;
    }
}

static void name_part(struct engine_world *world, struct motion_stream *stream, enum motion_stream_part part,
                      struct proto_codec_frame *frame) {
    frame->objects = stream->named;
    frame->object_count = 0;
    for (uint32_t i = 0; i < stream->object_count; i++) {
        if (is_in_part(world, i, part)) {
            stream->named[frame->object_count++] = i;
        }
    }
}

// Leaving out what rests takes a range for each object that does not; naming it takes two bits where there is a frame
// to build on.
static bool saves_to_leave_out(const struct engine_world *world, const struct motion_stream *stream, uint32_t form) {
    const uint64_t bits_of_ranges = 32 + 64 * (uint64_t)(stream->object_count - world->resting);
    return world->resting > 0 && (form == 0 || bits_of_ranges < 2 * (uint64_t)world->resting);
}

static struct proto_codec_frame describe_frame(struct engine_world *world, const struct variant *variant, bool refresh,
                                               uint32_t form) {
    struct proto_codec_frame frame = {.epoch = sim_world_epoch(world->sim), .refresh = refresh};
    frame.chosen = variant->objects != NULL;
    frame.partial = !frame.chosen && saves_to_leave_out(world, variant->stream, form);
    if (frame.partial) {
        name_part(world, variant->stream, STREAM_PART_AWAKE, &frame);
    }
    return frame;
}

static struct message *take_message(struct engine_world *world, const struct motion_stream *stream) {
    return message_pool_take(world->frames, MESSAGE_BINARY, proto_codec_bound(stream->codec));
}

static struct message *pack_form(struct engine_world *world, const struct variant *variant, bool refresh,
                                 uint32_t form) {
    const struct motion_stream *stream = variant->stream;
    const struct proto_codec_frame frame = describe_frame(world, variant, refresh, form);
    struct message *message = take_message(world, stream);
    if (message != NULL) {
        message_set_length(message, proto_codec_pack(stream->codec, &frame, form, message_data(message)));
    }
    return message;
}

static struct message *pack_alone(struct engine_world *world, struct motion_stream *stream,
                                  const struct proto_codec_frame *frame) {
    struct message *message = take_message(world, stream);
    if (message != NULL) {
        const struct sim_particles_view particles = sim_world_particles(world->sim);
        message_set_length(message,
                           proto_codec_pack_alone(stream->codec, frame, sim_world_tick(world->sim), particles.x,
                                                  particles.y, particles.z, message_data(message)));
    }
    return message;
}

struct message *motion_stream_pack_rest(struct engine_world *world, struct variant *variant,
                                        enum motion_stream_part part) {
    if (!is_ready(world, variant)) {
        return NULL;
    }
    struct proto_codec_frame frame = {.epoch = sim_world_epoch(world->sim), .rest = true};
    name_part(world, variant->stream, part, &frame);
    return pack_alone(world, variant->stream, &frame);
}

// ---- frames ------------------------------------------------------------------------------------------------------

// What rested, and was left out, in the newest frame already has not moved since.
static const bool *find_unmoved(const struct engine_world *world, const struct variant *variant) {
    struct motion_stream *stream = variant->stream;
    if (variant->objects != NULL || world->resting == 0 || stream->given == 0) {
        return NULL;
    }
    for (uint32_t i = 0; i < stream->object_count; i++) {
        const struct published_object *published = &world->published[i];
        stream->unmoved[i] = published->resting && published->resting_since <= stream->tick;
    }
    return stream->unmoved;
}

static void advance(struct engine_world *world, struct variant *variant) {
    struct motion_stream *stream = variant->stream;
    const struct sim_particles_view particles = sim_world_particles(world->sim);
    const uint64_t tick = sim_world_tick(world->sim);
    if (stream->given == 0 || stream->tick != tick) {
        stream->number++;
    }
    proto_codec_advance_moved(stream->codec, tick, particles.x, particles.y, particles.z, find_unmoved(world, variant));
    stream->tick = tick;
    stream->revision = world->revision;
    message_release(stream->keyframe);
    stream->keyframe = NULL;
}

// The forms that somebody may need: a mask.
static uint32_t needed_forms(const struct motion_stream *stream, bool replaces) {
    const uint32_t last = 1u << FORM_LAST;
    uint32_t needed = replaces ? stream->given : ((stream->given << 1) | (stream->given & last)) & (2 * last - 1);
    needed |= stream->wanted ? 1u : 0u;
    const uint32_t most = 1u << proto_codec_baselines(stream->codec);
    return needed < 2 * most ? needed : (needed & (most - 1)) | most; // who could take more takes the most there is
}

bool motion_stream_publish(struct engine_world *world, struct variant *variant, uint32_t channel, bool refresh) {
    struct motion_stream *stream = variant->stream;
    if (!is_ready(world, variant)) {
        return false;
    }
    const bool replaces = stream->given != 0 && stream->tick == sim_world_tick(world->sim);
    const uint64_t start_ns = engine_now_ns(world);
    advance(world, variant);
    const uint32_t needed = needed_forms(stream, replaces);
    struct message_forms frame = {.number = stream->number};
    stream->given = 0;
    for (uint32_t form = 0; form < MESSAGE_FORMS; form++) {
        frame.forms[form] = (needed >> form & 1u) != 0 ? pack_form(world, variant, refresh, form) : NULL;
        if (frame.forms[form] != NULL) {
            stream->given |= 1u << form;
            world->statistics.frame_bytes = message_length(frame.forms[form]);
        }
    }
    world->statistics.encode_ns += engine_now_ns(world) - start_ns;
    if (frame.forms[0] != NULL) {
        stream->keyframe = message_retain(frame.forms[0]);
        stream->wanted = false;
        stream->waited_for = false;
    }
    if (stream->given == 0) {
        motion_stream_begin_anew(stream); // memory was out for all of them
        return false;
    }
    world->statistics.frames++;
    engine_publish_forms(world, channel, &frame);
    return true;
}

// A picture of now, on which no frame builds.
static struct message *find_picture(struct engine_world *world, struct variant *variant) {
    struct motion_stream *stream = variant->stream;
    if (stream->picture == NULL || stream->picture_revision != world->revision) {
        const struct proto_codec_frame frame = describe_frame(world, variant, false, 0);
        message_release(stream->picture);
        stream->picture = pack_alone(world, stream, &frame);
        stream->picture_revision = world->revision;
    }
    return stream->picture;
}

static struct message *find_keyframe(struct engine_world *world, struct variant *variant) {
    struct motion_stream *stream = variant->stream;
    if (stream->keyframe == NULL) {
        stream->keyframe = pack_form(world, variant, false, 0);
    }
    return stream->keyframe;
}

void motion_stream_show(struct engine_world *world, struct variant *variant, uint32_t channel, uint64_t peer) {
    struct motion_stream *stream = variant->stream;
    if (!is_ready(world, variant)) {
        engine_close(world, peer, 1013, "out of memory");
        return;
    }
    const uint64_t tick = sim_world_tick(world->sim);
    const uint64_t start_ns = engine_now_ns(world);
    if (stream->given == 0 && tick % variant->every_ticks == 0) {
        advance(world, variant);
    }
    const bool is_now = stream->tick == tick && stream->revision == world->revision;
    struct message *message = is_now ? find_keyframe(world, variant) : find_picture(world, variant);
    world->statistics.encode_ns += engine_now_ns(world) - start_ns;
    stream->given |= is_now && message != NULL ? 1u : 0u;
    stream->wanted = stream->wanted || !is_now || message == NULL;
    if (message != NULL) {
        engine_send_form(world, peer, channel, is_now ? stream->number : 0, message_retain(message));
    }
}
