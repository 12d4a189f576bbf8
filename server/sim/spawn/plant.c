// SPDX-License-Identifier: MIT
// Plant: a stem that bends and stands up again, with pairs of leaves that the wind acts on (PHYSICS.md 11.2; T.
// Jakobsen's plants of sticks with supports between particles that share a neighbour).
//
// The stem is a tower of triangles, one per level, narrower upwards. Sticks along it and crossed sticks in its sides
// join neighbouring levels; supports join levels that are two, four, eight … apart, so that even a stem of many levels
// stands with few iterations. All these are springs (XPBD); the rings are rigid. Their compliance follows from the
// stem's own dimensions: held out level, the stem would sag by a share of its height that `stiffness` sets, whatever
// its height and mass.
//
// A leaf is a kite of two triangles: its base is a corner of the stem, and three sticks to the ring and the adjacent
// levels hold it out. The two lowest levels are the root and pinned: on one level alone, the stem could also stand on
// its head.
#include <stdlib.h>

#include "sim/stick/colour.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define RING 3u // particles of a level
#define ROOT_LEVELS 2u
#define LEVELS_MIN 3u
#define LEVELS_MAX 64u
#define LEAVES_MAX 64u // pairs
#define LEAF_PARTICLES 3u
#define PARTICLES_MAX (RING * LEVELS_MAX + 2u * LEAVES_MAX * LEAF_PARTICLES)
#define STICKS_MAX 2048u  // at most 960 rigid sticks or 1552 springs
#define FOOT_SHARE 0.045f // radius of the lowest ring as a share of the height
#define TIP_SHARE 0.018f  // radius of the highest ring as a share of the height
#define STEM_MASS 0.7f    // share of the mass
#define LEAF_LENGTH 0.22f
#define LEAF_WIDTH 0.09f
#define SAG_MOST 0.2f // share of the height by which the level stem sags at stiffness 0
#define SAG_LEAST 0.002f
#define EARTH_GRAVITY 9.81f // m/s², for the computation of the sag

static const float corner_cosine[RING] = {1.0f, -0.5f, -0.5f};
static const float corner_sine[RING] = {0.0f, 0.866025404f, -0.866025404f};

struct sticks {
    uint32_t a[STICKS_MAX], b[STICKS_MAX], colour[STICKS_MAX], order[STICKS_MAX];
    float rest[STICKS_MAX]; // m
    uint32_t count;
};

struct plant {
    struct vec3 place[PARTICLES_MAX]; // m, from the root
    float mass[PARTICLES_MAX];        // kg
    uint32_t particles;
    uint32_t levels, leaves;
    float height;
    struct sticks rigid, springs;
};

struct sim_plant_desc sim_plant_desc_default(void) {
    return (struct sim_plant_desc){
        .height = 1.0f, .levels = 10, .leaves = 4, .mass = 0.3f, .stiffness = 0.5f, .friction = 0.5f};
}

static enum result check_desc(const struct sim_plant_desc *desc, struct fault *fault) {
    enum result result = check_vector(desc->position, SIM_POSITION_MAX, "m", "/position", fault);
    if (result == RESULT_OK) {
        result = check_range(desc->height, 0.01f, 100.0f, "m", "/height", fault);
    }
    if (result == RESULT_OK && (desc->levels < LEVELS_MIN || desc->levels > LEVELS_MAX)) {
        result = fault_set(fault, RESULT_INVALID, "/levels", "levels must be %u to %u, got %u", LEVELS_MIN, LEVELS_MAX,
                           desc->levels);
    }
    if (result == RESULT_OK && desc->leaves > LEAVES_MAX) {
        result = fault_set(fault, RESULT_INVALID, "/leaves", "leaves must be at most %u pairs, got %u", LEAVES_MAX,
                           desc->leaves);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->mass, 1e-6f, 1e6f, "kg", "/mass", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->stiffness, 0.0f, 1.0f, "", "/stiffness", fault);
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

// ---- the stem ----------------------------------------------------------------------------------------------------

static void join(const struct plant *plant, struct sticks *sticks, uint32_t a, uint32_t b) {
    sticks->a[sticks->count] = a;
    sticks->b[sticks->count] = b;
    sticks->rest[sticks->count] = vec3_length(vec3_sub(plant->place[b], plant->place[a]));
    sticks->count++;
}

static uint32_t put(struct plant *plant, struct vec3 place, float mass) {
    plant->place[plant->particles] = place;
    plant->mass[plant->particles] = mass;
    plant->particles++;
    return plant->particles - 1;
}

static float radius_at(const struct plant *plant, uint32_t level) {
    const float t = (float)level / (float)(plant->levels - 1);
    return plant->height * (FOOT_SHARE + (TIP_SHARE - FOOT_SHARE) * t);
}

static void add_stem(struct plant *plant, float mass) {
    for (uint32_t level = 0; level < plant->levels; level++) {
        const float y = plant->height * (float)level / (float)(plant->levels - 1);
        const float radius = radius_at(plant, level);
        for (unsigned k = 0; k < RING; k++) {
            const struct vec3 place = vec3_of(radius * corner_cosine[k], y, radius * corner_sine[k]);
            (void)put(plant, place, mass / (float)(RING * plant->levels));
        }
    }
    for (uint32_t level = 0; level < plant->levels; level++) {
        const uint32_t ring = RING * level;
        for (uint32_t k = 0; k < RING; k++) {
            join(plant, &plant->rigid, ring + k, ring + (k + 1) % RING);
        }
        for (uint32_t k = 0; k < RING && level > 0; k++) {
            join(plant, &plant->springs, ring - RING + k, ring + k);
            join(plant, &plant->springs, ring - RING + k, ring + (k + 1) % RING);
            join(plant, &plant->springs, ring - RING + (k + 1) % RING, ring + k);
        }
    }
    for (uint32_t reach = 2; reach < plant->levels; reach *= 2) {
        for (uint32_t level = 0; level + reach < plant->levels; level += reach / 2) {
            for (uint32_t k = 0; k < RING; k++) {
                join(plant, &plant->springs, RING * level + k, RING * (level + reach) + k);
            }
        }
    }
}

// Held out level, a beam of length H sags by the share s = m·g·H²/(8·E·I) of its length under its own weight. Three
// chords of springs of compliance α and length ℓ at radius ρ have E·I = 3/2·ρ²·ℓ/α; the crossed sticks add half as
// much, and each reach of supports, of which two overlap everywhere, twice the number of levels that it spans.
static float spring_compliance(const struct plant *plant, const struct sim_plant_desc *desc) {
    const float loose = 1.0f - desc->stiffness;
    const float sag = SAG_LEAST + (SAG_MOST - SAG_LEAST) * loose * loose;
    const float radius = 0.5f * (radius_at(plant, 0) + radius_at(plant, plant->levels - 1));
    const float length = plant->height / (float)(plant->levels - 1);
    float chords = 1.5f;
    for (uint32_t reach = 2; reach < plant->levels; reach *= 2) {
        chords += 2.0f * (float)reach;
    }
    return sag * 12.0f * chords * radius * radius * length /
           (desc->mass * EARTH_GRAVITY * plant->height * plant->height);
}

// ---- leaves ------------------------------------------------------------------------------------------------------

// A leaf grows from corner k of a level, outward and up by `rise`: left and right corner, tip.
static void add_leaf(struct plant *plant, uint32_t level, uint32_t k, float rise, float mass) {
    const uint32_t base = RING * level + k;
    const struct vec3 out = vec3_of(corner_cosine[k], rise, corner_sine[k]);
    const struct vec3 aside = vec3_of(-corner_sine[k], 0.0f, corner_cosine[k]);
    const struct vec3 root = plant->place[base];
    const float length = LEAF_LENGTH * plant->height;
    const float width = LEAF_WIDTH * plant->height;
    const struct vec3 middle = vec3_add(root, vec3_scale(out, 0.5f * length));
    const uint32_t left = put(plant, vec3_add(middle, vec3_scale(aside, 0.5f * width)), mass / 3.0f);
    const uint32_t right = put(plant, vec3_sub(middle, vec3_scale(aside, 0.5f * width)), mass / 3.0f);
    const uint32_t tip = put(plant, vec3_add(root, vec3_scale(out, length)), mass / 3.0f);
    const uint32_t kite[][2] = {{base, left}, {base, right}, {left, tip}, {right, tip}, {left, right}, {base, tip}};
    for (size_t i = 0; i < sizeof kite / sizeof kite[0]; i++) {
        join(plant, &plant->rigid, kite[i][0], kite[i][1]);
    }
    const uint32_t supports[][2] = {{left, RING * level + (k + 1) % RING},
                                    {right, RING * level + (k + 2) % RING},
                                    {left, base - RING},
                                    {right, base - RING},
                                    {tip, base - RING}};
    for (size_t i = 0; i < sizeof supports / sizeof supports[0]; i++) {
        join(plant, &plant->springs, supports[i][0], supports[i][1]);
    }
}

// Pairs are spread over the upper two thirds; the two leaves of a pair stand at different corners, and successive pairs
// turn about the stem.
static uint32_t leaf_level(const struct plant *plant, uint32_t pair) {
    const uint32_t lowest = plant->levels / 3 > 1 ? plant->levels / 3 : 1;
    return lowest + (plant->levels - 1 - lowest) * (pair + 1) / plant->leaves;
}

static void add_leaves(struct plant *plant, float mass) {
    const float share = mass / (float)(2 * plant->leaves);
    for (uint32_t pair = 0; pair < plant->leaves; pair++) {
        const uint32_t level = leaf_level(plant, pair);
        const float rise = 0.5f + 0.2f * (float)(pair % 3);
        add_leaf(plant, level, pair % RING, rise, share);
        add_leaf(plant, level, (pair + 1) % RING, rise, share);
    }
}

// ---- placing -----------------------------------------------------------------------------------------------------

static uint32_t *put_triangle(uint32_t *at, uint32_t a, uint32_t b, uint32_t c) {
    at[0] = a;
    at[1] = b;
    at[2] = c;
    return at + 3;
}

// The sides of the stem, outward, then the leaves.
static void add_triangles(struct sim_world *world, const struct object *object, const struct plant *plant) {
    uint32_t *at = world->triangle + 3 * (size_t)object->first_triangle;
    for (uint32_t ring = 0; ring + RING < RING * plant->levels; ring += RING) {
        for (uint32_t k = 0; k < RING; k++) {
            const uint32_t next = (k + 1) % RING;
            at = put_triangle(at, ring + k, ring + RING + k, ring + next);
            at = put_triangle(at, ring + next, ring + RING + k, ring + RING + next);
        }
    }
    uint32_t corner = RING * plant->levels;
    for (uint32_t leaf = 0; leaf < 2 * plant->leaves; leaf++) {
        const uint32_t base = RING * leaf_level(plant, leaf / 2) + (leaf / 2 + leaf % 2) % RING;
        at = put_triangle(at, base, corner, corner + 2);
        at = put_triangle(at, base, corner + 2, corner + 1);
        corner += LEAF_PARTICLES;
    }
}

static void append(struct sim_world *world, struct object *object, struct sticks *sticks, uint8_t class) {
    const struct stick_batch batch = {
        .a = sticks->a,
        .b = sticks->b,
        .rest = sticks->rest,
        .count = sticks->count,
        .class = class,
        .colour = sticks->colour,
        .order = sticks->order,
    };
    colour_append(world, object, &batch);
}

static void build(struct sim_world *world, struct object *object, struct plant *plant,
                  const struct sim_plant_desc *desc) {
    object->kind = SIM_KIND_PLANT;
    object->friction = desc->friction;
    object->projection = SIM_PROJECTION_CURRENT;
    object->bend_compliance = spring_compliance(plant, desc);
    object->sticks = 0; // counted again while they are added
    for (uint32_t i = 0; i < plant->particles; i++) {
        particle_init_apart(world, object->first + i, desc->position, plant->place[i], 1.0f / plant->mass[i]);
    }
    append(world, object, &plant->springs, (uint8_t)((uint8_t)SIM_STICK_EQUAL | (uint8_t)COLOUR_BEND));
    append(world, object, &plant->rigid, SIM_STICK_EQUAL);
    add_triangles(world, object, plant);
    for (uint32_t i = 0; i < ROOT_LEVELS * RING; i++) {
        particle_set_pinned(world, object, i, true);
    }
}

enum result sim_plant_spawn(struct sim_world *world, const struct sim_plant_desc *desc, uint32_t *object,
                            struct fault *fault) {
    enum result result = check_desc(desc, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct plant *plant = calloc(1, sizeof *plant);
    if (plant == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a plant");
    }
    plant->levels = desc->levels;
    plant->leaves = desc->leaves;
    plant->height = desc->height;
    add_stem(plant, desc->leaves > 0 ? STEM_MASS * desc->mass : desc->mass);
    add_leaves(plant, (1.0f - STEM_MASS) * desc->mass);
    struct object made = {0};
    const struct object_size size = {
        .particles = plant->particles,
        .sticks = (uint64_t)plant->rigid.count + plant->springs.count,
        .triangles = 2 * RING * (plant->levels - 1) + 4 * plant->leaves,
    };
    result = layout_reserve(world, size, &made, fault);
    if (result == RESULT_OK) {
        build(world, &made, plant, desc);
        result = check_positions(world, &made, "/position", fault);
    }
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    free(plant);
    return result;
}
