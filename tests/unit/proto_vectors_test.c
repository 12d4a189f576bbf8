// SPDX-License-Identifier: MIT
// The golden messages of proto/vectors: the encoder turns their inputs into the committed bytes, and the tests' own
// decoder reads the committed description from these. WEFT_WRITE_VECTORS=1 writes the files anew, for review and
// commit. Runs in the root of the repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/frame/frame.h"
#include "proto/json/json_writer.h"
#include "proto_frame_decoder.h"

#define FOLDER "proto/vectors/"
#define PARTICLES_MAX 512u
#define TICK_MAX 9007199254740991u // the largest that JavaScript counts exactly

// Fills positions; slot by slot, so that every vector can be made again anywhere.
typedef void (*fill_function)(uint32_t slot, float position[3]);

struct frame_vector {
    const char *name, *what;
    enum proto_coding coding;
    float step;
    uint64_t tick;
    uint32_t epoch;
    fill_function fill;
    struct proto_range ranges[4];
    uint32_t range_count;
    bool chosen, refresh, partial, rest;
};

// ---- inputs: only exact arithmetic --------------------------------------------------------------------------------

// A bent sheet, 16 particles wide, 1/32 m apart.
static void fill_sheet(uint32_t slot, float position[3]) {
    int32_t column = (int32_t)(slot % 16), row = (int32_t)(slot / 16);
    position[0] = (float)(column - 8) / 32.0f;
    position[1] = 2.0f - (float)row / 32.0f;
    position[2] = (float)(column * row % 7) / 128.0f;
}

// Scattered by an integer generator, some 8 m wide, with all bits of a float32 in use.
static void fill_scattered(uint32_t slot, float position[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t mixed = (slot * 3 + axis) * 2654435761u;
        position[axis] = (float)((int32_t)(mixed >> 8) - 8388608) / 1048576.0f;
    }
}

static void fill_still(uint32_t slot, float position[3]) {
    (void)slot;
    position[0] = 1.5f;
    position[1] = -0.25f;
    position[2] = 0.0f;
}

// Along x only: the planes of y and z have no bits.
static void fill_line(uint32_t slot, float position[3]) {
    position[0] = (float)slot / 4096.0f;
    position[1] = 3.0f;
    position[2] = -3.0f;
}

// From edge to edge of what a world may be.
static void fill_edges(uint32_t slot, float position[3]) {
    position[0] = slot % 2 == 0 ? -100000.0f : 100000.0f;
    position[1] = slot % 3 == 0 ? 100000.0f : (float)slot;
    position[2] = slot % 2 == 0 ? 0.0f : -100000.0f;
}

// Half steps and their neighbours, around zero, with a step of 1/4096.
static void fill_halves(uint32_t slot, float position[3]) {
    float half = ((float)slot - 8.0f) / 8192.0f;
    position[0] = half;
    position[1] = half + 0x1p-36f;
    position[2] = -half - 1000.0f;
}

static const struct frame_vector frame_vectors[] = {
    {"raw",
     "two objects, raw float32",
     PROTO_CODING_RAW,
     0,
     61,
     2,
     fill_scattered,
     {{0, 5}, {5, 4}},
     2,
     false,
     false,
     false,
     false},
    {"raw-ranges",
     "raw, two chosen objects out of more, with a gap between them",
     PROTO_CODING_RAW,
     0,
     62,
     2,
     fill_scattered,
     {{5, 4}, {30, 2}},
     2,
     true,
     false,
     false,
     false},
    {"grid",
     "a sheet of 256 particles: two full blocks",
     PROTO_CODING_GRID,
     1.0f / 4096,
     61,
     2,
     fill_sheet,
     {{0, 256}},
     1,
     false,
     false,
     false,
     false},
    {"grid-short-block",
     "300 particles: two full blocks and a short one",
     PROTO_CODING_GRID,
     1.0f / 4096,
     600,
     7,
     fill_scattered,
     {{0, 300}},
     1,
     false,
     false,
     false,
     false},
    {"grid-objects",
     "four objects: blocks do not span objects; the second fills a block exactly",
     PROTO_CODING_GRID,
     1.0f / 4096,
     1,
     4294967295u,
     fill_scattered,
     {{0, 1}, {1, 128}, {129, 129}, {258, 5}},
     4,
     false,
     false,
     false,
     false},
    {"grid-ranges",
     "two chosen objects, a refresh of a paused world",
     PROTO_CODING_GRID,
     1.0f / 4096,
     90,
     3,
     fill_scattered,
     {{17, 130}, {200, 3}},
     2,
     true,
     true,
     false,
     false},
    {"grid-still",
     "all particles in one place: every plane has 0 bits",
     PROTO_CODING_GRID,
     1.0f / 4096,
     TICK_MAX,
     1,
     fill_still,
     {{0, 20}},
     1,
     false,
     false,
     false,
     false},
    {"grid-line",
     "a line along x: the planes of y and z have 0 bits",
     PROTO_CODING_GRID,
     1.0f / 4096,
     5,
     1,
     fill_line,
     {{0, 140}},
     1,
     false,
     false,
     false,
     false},
    {"grid-wide",
     "from edge to edge at the smallest step: planes of 32 and 31 bits",
     PROTO_CODING_GRID,
     1.0f / 16384,
     5,
     1,
     fill_edges,
     {{0, 131}},
     1,
     false,
     false,
     false,
     false},
    {"grid-halves",
     "positions half-way between two steps, negative ones too, are rounded up",
     PROTO_CODING_GRID,
     1.0f / 4096,
     5,
     1,
     fill_halves,
     {{0, 17}},
     1,
     false,
     false,
     false,
     false},
    {"grid-odd-step",
     "a step that is no power of two",
     PROTO_CODING_GRID,
     0.001f,
     5,
     1,
     fill_scattered,
     {{0, 100}},
     1,
     false,
     false,
     false,
     false},
    {"grid-rest",
     "two objects that came to rest: where those are that frames leave out from now on",
     PROTO_CODING_GRID,
     1.0f / 4096,
     700,
     8,
     fill_scattered,
     {{4, 4}, {40, 130}},
     2,
     .rest = true},
    {"grid-partial",
     "a frame that leaves out what rests",
     PROTO_CODING_GRID,
     1.0f / 4096,
     701,
     8,
     fill_scattered,
     {{0, 4}, {8, 32}},
     2,
     .partial = true},
    {"grid-all-at-rest",
     "a frame of a world in which everything rests",
     PROTO_CODING_GRID,
     1.0f / 4096,
     702,
     8,
     fill_still,
     {{0, 0}},
     0,
     .partial = true},
    {"grid-empty",
     "an empty world",
     PROTO_CODING_GRID,
     1.0f / 4096,
     1,
     1,
     fill_still,
     {{0, 0}},
     0,
     false,
     false,
     false,
     false},
    {"raw-empty",
     "an empty world, raw",
     PROTO_CODING_RAW,
     0,
     1,
     1,
     fill_still,
     {{0, 0}},
     0,
     false,
     false,
     false,
     false},
};

struct topology_vector {
    const char *name, *what;
    uint64_t tick;
    uint32_t epoch, particles;
    bool delta;
    const char *json;
    uint32_t words[64];
    uint32_t word_count;
};

// The bits of some float32, as words.
#define MINUS_HALF 0xbf000000u
#define ZERO 0x00000000u
#define QUARTER 0x3e800000u
#define HALF 0x3f000000u
#define ONE 0x3f800000u
#define TWO 0x40000000u

#define EMPTY_LISTS "\"sticks\":[],\"grabs\":[],\"bounds\":{\"min\":[-50,0,-50],\"max\":[50,100,50]}"

static const struct topology_vector topology_vectors[] = {
    {"topology-full",
     "every kind of object, an obstacle, a stick and a grab",
     61,
     2,
     1220,
     false,
     "{\"base\":null,\"removed\":[],\"objects\":["
     "{\"id\":1,\"kind\":\"cloth\",\"name\":\"sail ⛵\",\"color\":\"#ff8800\",\"particles\":1200,\"radius\":0.01,"
     "\"pins\":[0,39],\"columns\":40,\"rows\":30,\"spacing\":0.05,\"mesh\":\"grid\"},"
     "{\"id\":2,\"kind\":\"mesh\",\"name\":\"\",\"color\":null,\"particles\":4,\"radius\":0.01,\"pins\":[],"
     "\"triangles\":{\"offset\":0,\"count\":2}},"
     "{\"id\":5,\"kind\":\"body\",\"name\":\"\",\"color\":null,\"particles\":4,\"radius\":0,\"pins\":[],"
     "\"shape\":\"tetrahedron\"},"
     "{\"id\":6,\"kind\":\"rope\",\"name\":\"\",\"color\":null,\"particles\":10,\"radius\":0.02,\"pins\":[0]},"
     "{\"id\":7,\"kind\":\"particles\",\"name\":\"\",\"color\":\"#00ff00\",\"particles\":2,\"radius\":0.05,\"pins\":[]}"
     "],"
     "\"obstacles\":[{\"id\":3,\"shape\":\"sphere\",\"position\":[0,1,0],\"radius\":0.8,\"friction\":0.3,"
     "\"color\":null,\"name\":\"\"}],"
     "\"sticks\":[{\"id\":8,\"a\":{\"object\":6,\"particle\":9},\"b\":{\"object\":5,\"particle\":0}}],"
     "\"grabs\":[{\"id\":9,\"object\":1,\"particles\":[600],\"weights\":[1],\"client\":4}],"
     "\"bounds\":{\"min\":[-50,0,-50],\"max\":[50,100,50]}}",
     {0, 1, 2, 2, 1, 3},
     6},
    {"topology-delta",
     "one object gone and one come since epoch 2",
     90,
     3,
     1216,
     true,
     "{\"base\":2,\"removed\":[2,7],\"objects\":[{\"id\":10,\"kind\":\"mesh\",\"name\":\"\",\"color\":null,"
     "\"particles\":3,"
     "\"radius\":0.01,\"pins\":[2],\"triangles\":{\"offset\":0,\"count\":1}}],\"obstacles\":[]," EMPTY_LISTS "}",
     {0, 1, 2},
     3},
    {"topology-torn",
     "a cloth that tore replaces the one before: a particle more, triangles of its own; what follows it moved up",
     120,
     5,
     9,
     true,
     "{\"base\":4,\"removed\":[],\"objects\":[{\"id\":1,\"kind\":\"cloth\",\"name\":\"\",\"color\":null,"
     "\"particles\":5,\"radius\":0.01,\"pins\":[0],\"columns\":2,\"rows\":2,\"spacing\":0.5,\"mesh\":\"grid\","
     "\"triangles\":{\"offset\":0,\"count\":2}}],\"obstacles\":[{\"id\":2,\"shape\":\"heightfield\",\"name\":\"\","
     "\"color\":null,\"position\":[0,0,0],\"columns\":2,\"rows\":3,\"spacing\":1,\"friction\":0.5,"
     "\"restitution\":0}]," EMPTY_LISTS "}",
     {0, 2, 1, 4, 2, 3},
     6},
    {"topology-tear",
     "a cloth that tore: a particle more, one of its triangles has it, and it is pinned",
     121,
     6,
     10,
     true,
     "{\"base\":5,\"removed\":[],\"objects\":[],\"torn\":[{\"id\":1,\"particles\":6,\"triangles\":{\"offset\":0,"
     "\"count\":1},\"pins\":[0,5]}],\"obstacles\":[]," EMPTY_LISTS "}",
     {1, 5, 2, 3},
     4},
    {"topology-shapes",
     "an embedded shape, a frame, a plant, a ragdoll at rest, and obstacles with arrays",
     7,
     4,
     19,
     false,
     "{\"base\":null,\"removed\":[],\"objects\":[{\"id\":4,\"kind\":\"body\",\"name\":\"\",\"color\":null,"
     "\"particles\":4,\"radius\":0,\"pins\":[],\"shape\":\"hull\",\"hull\":{\"vertices\":5,"
     "\"weights\":{\"offset\":0},\"triangles\":{\"offset\":20,\"count\":2}}},{\"id\":5,\"kind\":\"body\","
     "\"name\":\"\",\"color\":null,\"particles\":4,\"radius\":0,\"pins\":[],\"shape\":\"frame\"},{\"id\":6,"
     "\"kind\":\"plant\",\"name\":\"fern\",\"color\":null,\"particles\":5,\"radius\":0,\"pins\":[0,1],"
     "\"triangles\":{\"offset\":26,\"count\":1}},{\"id\":7,"
     "\"kind\":\"ragdoll\",\"name\":\"\",\"color\":null,\"particles\":6,\"radius\":0,\"asleep\":true,\"pins\":[],"
     "\"triangles\":{\"offset\":29,\"count\":2}}],\"obstacles\":[{\"id\":1,\"shape\":\"capsule\",\"name\":\"\","
     "\"color\":null,\"from\":[-1,0.5,0],\"to\":[1,0.5,0],\"radius\":0.25,\"friction\":0.5,\"restitution\":0.5},"
     "{\"id\":2,\"shape\":\"heightfield\",\"name\":\"\",\"color\":null,\"position\":[0,0,0],\"columns\":2,"
     "\"rows\":3,\"spacing\":1,\"heights\":{\"offset\":35},\"friction\":0.5,\"restitution\":0},{\"id\":3,"
     "\"shape\":\"mesh\",\"name\":\"\",\"color\":null,\"position\":[0,2,0],\"rotation\":[0,0,0,1],"
     "\"positions\":{\"offset\":41,\"count\":3},\"triangles\":{\"offset\":50,\"count\":1},\"friction\":0.5,"
     "\"restitution\":0}]," EMPTY_LISTS "}",
     {
         ONE,  ZERO, ZERO,    ZERO, ZERO, ONE,  ZERO, ZERO, ZERO, ZERO,
         ONE,  ZERO, ZERO,    ZERO, ZERO, ONE,  HALF, HALF, HALF, MINUS_HALF, // five vertices
         0,    1,    2,       2,    1,    4,                                  // their triangles
         2,    3,    4,                                                       // a leaf
         0,    1,    2,       3,    4,    5,                                  // two faces
         ZERO, HALF, QUARTER, ONE,  TWO,  ZERO,                               // heights
         ZERO, ZERO, ZERO,    ONE,  ZERO, ZERO, ZERO, ZERO, ONE,              // positions
         0,    2,    1,
     },
     53},
    {"topology-empty",
     "an empty world",
     1,
     1,
     0,
     false,
     "{\"base\":null,\"removed\":[],\"objects\":[],\"obstacles\":[]," EMPTY_LISTS "}",
     {0},
     0},
};

// ---- descriptions -------------------------------------------------------------------------------------------------

static void describe_header(struct json_writer *text, const char *what, const uint8_t *message) {
    struct decoded_header header = decode_header(message);
    json_writer_member_string(text, "what", what);
    json_writer_key(text, "header");
    json_writer_open_object(text);
    json_writer_member_unsigned(text, "type", header.type);
    json_writer_member_unsigned(text, "coding", header.coding);
    json_writer_member_unsigned(text, "flags", header.flags);
    json_writer_member_unsigned(text, "epoch", header.epoch);
    json_writer_member_unsigned(text, "tick", header.tick);
    json_writer_member_unsigned(text, "first", header.first);
    json_writer_member_unsigned(text, "count", header.count);
    json_writer_member_float(text, "step", header.step);
    json_writer_key(text, "baselines");
    json_writer_open_array(text);
    for (int i = 0; i < 4; i++) {
        json_writer_unsigned(text, header.baselines[i]);
    }
    json_writer_close_array(text);
    json_writer_close_object(text);
}

static void describe_positions(struct json_writer *text, const char *key, const float *positions, uint32_t count) {
    json_writer_key(text, key);
    json_writer_open_array(text);
    for (uint32_t i = 0; i < 3 * count; i++) {
        json_writer_float(text, positions[i]);
    }
    json_writer_close_array(text);
}

static void describe_frame(struct json_writer *text, const struct frame_vector *vector, const uint8_t *message,
                           const float *input, const float *decoded) {
    uint32_t count = decode_header(message).count;
    json_writer_open_object(text);
    describe_header(text, vector->what, message);
    json_writer_key(text, "objects");
    json_writer_open_array(text);
    for (uint32_t i = 0; i < vector->range_count; i++) {
        json_writer_open_array(text);
        json_writer_unsigned(text, vector->ranges[i].first);
        json_writer_unsigned(text, vector->ranges[i].count);
        json_writer_close_array(text);
    }
    json_writer_close_array(text);
    json_writer_member_boolean(text, "ranges", vector->chosen || vector->partial || vector->rest);
    describe_positions(text, "input", input, count);
    describe_positions(text, "decoded", decoded, count);
    json_writer_close_object(text);
}

static void describe_topology(struct json_writer *text, const struct topology_vector *vector, const uint8_t *message) {
    json_writer_open_object(text);
    describe_header(text, vector->what, message);
    json_writer_key(text, "text");
    json_writer_raw(text, vector->json, strlen(vector->json));
    json_writer_key(text, "words");
    json_writer_open_array(text);
    for (uint32_t i = 0; i < vector->word_count; i++) {
        json_writer_unsigned(text, vector->words[i]);
    }
    json_writer_close_array(text);
    json_writer_close_object(text);
}

// ---- files --------------------------------------------------------------------------------------------------------

static bool writing(void) {
    return getenv("WEFT_WRITE_VECTORS") != NULL;
}

// Compares with the committed file, or writes it.
static void check_file(const char *name, const char *extension, const void *bytes, size_t length) {
    char path[128];
    snprintf(path, sizeof path, "%s%s.%s", FOLDER, name, extension);
    FILE *file = fopen(path, writing() ? "wb" : "rb");
    if (file == NULL) {
        fail_msg("cannot open %s", path);
    }
    if (writing()) {
        assert_int_equal(fwrite(bytes, 1, length, file), length);
    } else {
        char *committed = malloc(length + 1);
        assert_non_null(committed);
        size_t read = fread(committed, 1, length + 1, file);
        if (read != length || memcmp(committed, bytes, length) != 0) {
            fail_msg("%s differs from what is encoded now", path);
        }
        free(committed);
    }
    assert_int_equal(fclose(file), 0);
}

static void check_description(const char *name, struct json_writer *text) {
    assert_false(json_writer_failed(text));
    check_file(name, "json", text->data, text->length);
    json_writer_free(text);
}

static void check_frame(const struct frame_vector *vector) {
    static float axes[3][PARTICLES_MAX], input[3 * PARTICLES_MAX], decoded[3 * PARTICLES_MAX];
    for (uint32_t slot = 0; slot < PARTICLES_MAX; slot++) {
        float position[3];
        vector->fill(slot, position);
        for (int axis = 0; axis < 3; axis++) {
            axes[axis][slot] = position[axis];
        }
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < vector->range_count; i++) {
        for (uint32_t k = 0; k < vector->ranges[i].count; k++) {
            vector->fill(vector->ranges[i].first + k, &input[3 * count++]);
        }
    }
    const struct proto_frame_source source = {.tick = vector->tick,
                                              .epoch = vector->epoch,
                                              .x = axes[0],
                                              .y = axes[1],
                                              .z = axes[2],
                                              .ranges = vector->ranges,
                                              .range_count = vector->range_count,
                                              .chosen = vector->chosen,
                                              .partial = vector->partial,
                                              .rest = vector->rest,
                                              .refresh = vector->refresh};
    uint8_t *message = malloc(proto_frame_bound(&source, vector->coding));
    assert_non_null(message);
    size_t length = proto_frame_pack(&source, vector->coding, vector->step, message);
    assert_true(decode_positions(message, length, decoded));
    check_file(vector->name, "bin", message, length);
    struct json_writer text;
    json_writer_init(&text);
    describe_frame(&text, vector, message, input, decoded);
    check_description(vector->name, &text);
    free(message);
}

static void frames_equal_the_golden_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof frame_vectors / sizeof *frame_vectors; i++) {
        check_frame(&frame_vectors[i]);
    }
}

static void topologies_equal_the_golden_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof topology_vectors / sizeof *topology_vectors; i++) {
        const struct topology_vector *vector = &topology_vectors[i];
        size_t json_length = strlen(vector->json);
        size_t bound = proto_topology_bound(json_length, vector->word_count);
        uint8_t *message = malloc(bound);
        assert_non_null(message);
        size_t length = proto_topology_pack(vector->epoch, vector->tick, vector->particles, vector->delta, vector->json,
                                            json_length, vector->words, vector->word_count, message);
        assert_int_equal(length, bound);
        assert_true(load(message + 32, 4) % 4 == 0 && load(message + 32, 4) >= json_length);
        check_file(vector->name, "bin", message, length);
        struct json_writer text;
        json_writer_init(&text);
        describe_topology(&text, vector, message);
        check_description(vector->name, &text);
        free(message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_equal_the_golden_ones),
        cmocka_unit_test(topologies_equal_the_golden_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
