// SPDX-License-Identifier: MIT
// The golden streams of proto/vectors/streams: the encoder turns their inputs into the committed bytes, and the decoder
// reads the inputs from these. tests/client/codec.test.mjs tests the page's two decoders with the same streams.
// WEFT_WRITE_VECTORS=1 writes the files anew, for review and commit. Runs in the root of the repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "proto/frame/codec.h"
#include "proto_codec_support.h"

#define FOLDER "proto/vectors/streams/"
#define PARTICLES_MOST 512u
#define FRAMES 6u

// The position of particle `slot` in frame `frame`, in steps; computed with integers only, so that every machine makes
// the same streams.
typedef void (*place_function)(uint32_t slot, uint32_t frame, int32_t place[3]);

struct stream_vector {
    const char *name, *what;
    float step;
    uint32_t every;
    place_function place;
    struct proto_codec_object objects[5];
    uint32_t count;
    uint32_t baselines; // at most
    bool chosen;
    uint32_t left_out; // 1 + the object that rests from frame 2 on and is left out, or 0
};

static int32_t noise(uint32_t slot, uint32_t frame, uint32_t axis, uint32_t size) {
    const uint32_t mixed = (slot * 2654435761u + frame * 40503u + axis * 97u) * 2246822519u;
    return (int32_t)(mixed >> 8) % (int32_t)(2 * size + 1) - (int32_t)size;
}

static void place_waving(uint32_t slot, uint32_t frame, int32_t place[3]) {
    const int32_t column = (int32_t)(slot % 12), row = (int32_t)(slot / 12), t = (int32_t)frame;
    place[0] = 50 * column + 9 * t + noise(slot, frame, 0, 1);
    place[1] = 4000 - 50 * row - 3 * t * t;
    place[2] = (column * column + t * column * row / 8) + noise(slot, frame, 2, 2);
}

// A cloth of sticks 200 steps long turns about its first particle, which its sticks see and its velocity does not.
static void turn(int32_t x, int32_t y, uint32_t frame, int32_t place[3]) {
    static const int32_t cosines[FRAMES] = {16384, 16266, 15914, 15334, 14533, 13522};
    static const int32_t sines[FRAMES] = {0, 1961, 3895, 5772, 7566, 9251};
    place[0] = 9000 + (x * cosines[frame] - y * sines[frame]) / 16384;
    place[1] = (x * sines[frame] + y * cosines[frame]) / 16384;
    place[2] = -3 * (int32_t)frame * (x + y > 0);
}

static void place_turning(uint32_t slot, uint32_t frame, int32_t place[3]) {
    turn(200 * (int32_t)(slot % 12), -200 * (int32_t)(slot / 12), frame, place);
}

static void place_turning_hexagons(uint32_t slot, uint32_t frame, int32_t place[3]) {
    const int32_t row = (int32_t)(slot / 11);
    turn(200 * (int32_t)(slot % 11) + 100 * (row % 2), -173 * row, frame, place);
}

static void place_restless(uint32_t slot, uint32_t frame, int32_t place[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        place[axis] = (int32_t)(slot * 20) + noise(slot, frame, axis, slot % 7 == 0 ? 60000 : slot);
    }
}

// From edge to edge of the world in 1/16384 m.
static void place_far(uint32_t slot, uint32_t frame, int32_t place[3]) {
    place[0] = (slot + frame) % 2 == 0 ? -1638400000 : 1638400000;
    place[1] = 1638400000 - (int32_t)(slot * frame);
    place[2] = frame % 3 == 0 ? 0 : -1638400000;
}

static void place_still(uint32_t slot, uint32_t frame, int32_t place[3]) {
    (void)frame;
    place[0] = (int32_t)slot * 3 - 40;
    place[1] = 77;
    place[2] = -(int32_t)(slot * slot % 31);
}

// Now and then a particle twitches; what lies behind slot 143 moves.
static void place_quiet(uint32_t slot, uint32_t frame, int32_t place[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const bool twitches = noise(slot, frame, axis, 30) == 3;
        place[axis] = (int32_t)(slot * (7 + axis)) + (twitches ? 1 : 0) + noise(slot, frame, axis, slot < 144 ? 0 : 9);
    }
}

// What lies in slots 40 to 59 moves in frames 0 and 1 and rests from then on.
static void place_resting(uint32_t slot, uint32_t frame, int32_t place[3]) {
    place_waving(slot, slot >= 40 && slot < 60 && frame > 1 ? 1 : frame, place);
}

static const uint32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4,  0,  4,  5, 5, 4, 6,
                               6, 4, 7, 7, 8, 9, 9, 8, 10, 10, 11, 0, 3, 9, 11};

#define LATTICE(at, c, r, n)                                                                                           \
    { .first = (at), .count = (n), .shape = PROTO_CODEC_LATTICE, .columns = (c), .rows = (r) }
#define WOVEN(c, r, n, hex)                                                                                            \
    {                                                                                                                  \
        .count = (n), .shape = PROTO_CODEC_LATTICE, .columns = (c), .rows = (r), .spacing = 200.0f / 4096,             \
        .hexagonal = (hex)                                                                                             \
    }
static const struct stream_vector vectors[] = {
    {"lattice", "a cloth of 12 by 10, moving", 1.0f / 1024, 1, place_waving, {LATTICE(0, 12, 10, 120)}, 1, 3, false, 0},
    {"lattice-alone",
     "the same, keyframes only",
     1.0f / 1024,
     1,
     place_waving,
     {LATTICE(0, 12, 10, 120)},
     1,
     0,
     false,
     0},
    {"lattice-two",
     "the same with two baselines, every 4th tick",
     1.0f / 4096,
     4,
     place_waving,
     {LATTICE(0, 12, 10, 120)},
     1,
     2,
     false,
     0},
    {"played",
     "a cloth of 12 by 10 that turns, by its own motion",
     1.0f / 4096,
     1,
     place_turning,
     {WOVEN(12, 10, 120, false)},
     1,
     3,
     false,
     0},
    {"played-hexagons",
     "the same of 11 by 9 in hexagons, and 4 particles that tearing added",
     1.0f / 4096,
     1,
     place_turning_hexagons,
     {WOVEN(11, 9, 103, true)},
     1,
     3,
     false,
     0},
    {"torn",
     "a cloth of 12 by 9 that tearing gave 5 particles more",
     1.0f / 1024,
     1,
     place_waving,
     {LATTICE(0, 12, 9, 113)},
     1,
     3,
     false,
     0},
    {"kinds",
     "one object of each kind, moving wildly",
     0.01f,
     2,
     place_restless,
     {LATTICE(0, 5, 3, 15),
      {.first = 15, .count = 12, .shape = PROTO_CODEC_TRIANGLES, .triangles = fan, .triangle_count = 10},
      {.first = 27, .count = 9, .shape = PROTO_CODEC_CHAIN},
      {.first = 36, .count = 4, .shape = PROTO_CODEC_BODY},
      {.first = 40, .count = 7, .shape = PROTO_CODEC_LOOSE}},
     5,
     3,
     false,
     0},
    {"far",
     "from edge to edge of the world",
     1.0f / 16384,
     1,
     place_far,
     {LATTICE(0, 6, 5, 30), {.first = 30, .count = 3, .shape = PROTO_CODEC_CHAIN}},
     2,
     3,
     false,
     0},
    {"still",
     "nothing moves",
     1.0f / 1024,
     1,
     place_still,
     {LATTICE(0, 8, 8, 64), {.first = 64, .count = 1, .shape = PROTO_CODEC_LOOSE}},
     2,
     3,
     false,
     0},
    {"quiet",
     "a cloth that hardly moves, before an object that does",
     1.0f / 1024,
     1,
     place_quiet,
     {LATTICE(0, 12, 12, 144), {.first = 144, .count = 50, .shape = PROTO_CODEC_CHAIN}},
     2,
     3,
     false,
     0},
    {"chosen",
     "two objects chosen out of more",
     1.0f / 1024,
     1,
     place_waving,
     {LATTICE(24, 6, 6, 36), {.first = 100, .count = 20, .shape = PROTO_CODEC_CHAIN}},
     2,
     3,
     true,
     0},
    {"resting",
     "the second of three objects comes to rest, is left out, and wakes",
     1.0f / 1024,
     1,
     place_resting,
     {LATTICE(0, 8, 5, 40),
      {.first = 40, .count = 20, .shape = PROTO_CODEC_CHAIN},
      {.first = 60, .count = 4, .shape = PROTO_CODEC_BODY}},
     3,
     3,
     false,
     2},
    {"last-own",
     "two cloths alike, with loose particles between them",
     1.0f / 1024,
     1,
     place_waving,
     {LATTICE(0, 12, 10, 120), {.first = 120, .count = 12, .shape = PROTO_CODEC_LOOSE}, LATTICE(132, 12, 10, 120)},
     3,
     3,
     false,
     0},
    {"empty", "a world of nothing", 1.0f / 1024, 1, place_still, {{0}}, 0, 3, false, 0},
};

// ---- files --------------------------------------------------------------------------------------------------------

static uint8_t *read_file(const char *name, const char *end, size_t *length) {
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s%s", name, end);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
    }
    uint8_t *bytes = malloc(1u << 22);
    *length = fread(bytes, 1, 1u << 22, file);
    fclose(file);
    return bytes;
}

static void write_file(const char *name, const char *end, const void *bytes, size_t length) {
    char path[256];
    snprintf(path, sizeof path, FOLDER "%s%s", name, end);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

static void check_file(const char *name, const char *end, const void *bytes, size_t length) {
    if (getenv("WEFT_WRITE_VECTORS") != NULL) {
        write_file(name, end, bytes, length);
    }
    size_t there = 0;
    uint8_t *committed = read_file(name, end, &there);
    assert_int_equal(there, length);
    assert_memory_equal(committed, bytes, length);
    free(committed);
}

// ---- streams ------------------------------------------------------------------------------------------------------

struct made {
    uint8_t bytes[1u << 20]; // messages, each after its length as a u32
    size_t length;
    char text[1u << 20]; // the description
    size_t text_length;
};

#define SAY(made, ...)                                                                                                 \
    ((made)->text_length +=                                                                                            \
     (size_t)snprintf((made)->text + (made)->text_length, sizeof(made)->text - (made)->text_length, __VA_ARGS__))

static void describe_objects(struct made *made, const struct stream_vector *vector) {
    static const char *const kinds[] = {"cloth", "mesh", "rope", "body", "particles"};
    SAY(made, "{\n  \"what\": \"%s\",\n  \"step\": %.17g,\n  \"chosen\": %s,\n  \"objects\": [", vector->what,
        (double)vector->step, vector->chosen ? "true" : "false");
    for (uint32_t i = 0; i < vector->count; i++) {
        const struct proto_codec_object *object = &vector->objects[i];
        SAY(made, "%s\n    {\"kind\": \"%s\", \"first\": %u, \"particles\": %u", i > 0 ? "," : "", kinds[object->shape],
            object->first, object->count);
        if (object->shape == PROTO_CODEC_LATTICE) {
            SAY(made, ", \"columns\": %u, \"rows\": %u", object->columns, object->rows);
        }
        for (uint32_t k = 0; k < 3 * object->triangle_count; k++) {
            SAY(made, "%s%u%s", k > 0 ? ", " : ", \"triangles\": [", object->triangles[k],
                k + 1 == 3 * object->triangle_count ? "]" : "");
        }
        SAY(made, "}");
    }
    SAY(made, "],\n  \"messages\": [");
}

static void describe_message(struct made *made, const struct receiver *receiver, bool rest, uint32_t baselines) {
    const struct proto_codec *codec = receiver->codec;
    SAY(made, "%s\n    {\"tick\": %llu, \"baselines\": %u", made->length > 0 ? "," : "",
        (unsigned long long)codec->tick[0], baselines);
    if (rest) {
        SAY(made, ", \"rest\": true}");
        return;
    }
    SAY(made, ", \"grid\": [");
    for (uint32_t i = 0; i < codec->particles; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            SAY(made, "%s%d", i + k > 0 ? "," : "", receiver->ring[0][(size_t)k * codec->particles + i]);
        }
    }
    SAY(made, "]}");
}

static void add_message(struct made *made, struct receiver *receiver, struct proto_codec *codec,
                        const struct proto_codec_frame *frame, uint32_t baselines) {
    uint8_t *message = malloc(proto_codec_bound(codec));
    const size_t length = proto_codec_pack(codec, frame, baselines, message);
    assert_int_equal(receiver_take(receiver, message, length), CODEC_SOUND);
    if (!frame->rest) {
        assert_memory_equal(receiver->ring[0], codec->ring[0], 3 * (size_t)codec->particles * sizeof(int32_t));
    }
    describe_message(made, receiver, frame->rest, baselines);
    for (uint32_t k = 0; k < 4; k++) {
        made->bytes[made->length++] = (uint8_t)(length >> (8 * k));
    }
    memcpy(made->bytes + made->length, message, length);
    made->length += length;
    free(message);
}

static void make_stream(const struct stream_vector *vector, struct made *made) {
    static float x[3][PARTICLES_MOST];
    struct proto_codec *codec = NULL;
    assert_int_equal(proto_codec_create(vector->objects, vector->count, vector->step, &codec), RESULT_OK);
    struct receiver receiver = receiver_create(codec);
    made->length = made->text_length = 0;
    describe_objects(made, vector);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        for (uint32_t slot = 0; slot < PARTICLES_MOST; slot++) {
            int32_t place[3];
            vector->place(slot, frame, place);
            for (uint32_t k = 0; k < 3; k++) {
                x[k][slot] = (float)((double)place[k] * (double)vector->step);
            }
        }
        proto_codec_advance(codec, 100 + (uint64_t)frame * vector->every, x[0], x[1], x[2]);
        uint32_t awake[5], count = 0;
        const uint32_t asleep = vector->left_out - 1;
        const bool partial = vector->left_out > 0 && frame >= 2 && frame < 5;
        for (uint32_t i = 0; i < vector->count; i++) {
            if (!partial || i != asleep) {
                awake[count++] = i;
            }
        }
        if (partial && frame == 2) {
            const struct proto_codec_frame rest = {.epoch = 5, .objects = &asleep, .object_count = 1, .rest = true};
            add_message(made, &receiver, codec, &rest, 0);
        }
        const struct proto_codec_frame message = {
            .epoch = 5, .objects = awake, .object_count = count, .chosen = vector->chosen, .partial = partial};
        const uint32_t most = proto_codec_baselines(codec);
        add_message(made, &receiver, codec, &message, most < vector->baselines ? most : vector->baselines);
    }
    SAY(made, "]\n}\n");
    assert_true(vector->objects[0].spacing == 0.0f || codec->fits[0].played);
    receiver_free(&receiver);
    proto_codec_destroy(codec);
}

static void every_stream_is_encoded_to_the_committed_bytes_and_decoded_back(void **state) {
    (void)state;
    static struct made made;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        make_stream(&vectors[i], &made);
        check_file(vectors[i].name, ".bin", made.bytes, made.length);
        check_file(vectors[i].name, ".json", made.text, made.text_length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stream_is_encoded_to_the_committed_bytes_and_decoded_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
