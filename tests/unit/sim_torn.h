// SPDX-License-Identifier: MIT
// What the tests of tearing share: what a mesh has to be, and a way to strain one stick of it.
#ifndef WEFT_TESTS_SIM_TORN_H
#define WEFT_TESTS_SIM_TORN_H

#include "sim_fixture.h"

#include "sim/stick/tether.h"

#include <string.h>

#define PARTICLES_MAX 20000u
#define STICKS_MAX 100000u
#define FAN_MAX 128u

// ---- what a mesh has to be ---------------------------------------------------------------------------------------

static inline const uint32_t *corners_of(const struct sim_world *world, const struct object *object,
                                         uint32_t triangle) {
    return world->triangle + 3 * ((size_t)object->first_triangle + triangle);
}

static inline void check_sticks(const struct sim_world *world, const struct object *object) {
    uint32_t first = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        static uint8_t seen[PARTICLES_MAX];
        memset(seen, 0, sizeof seen);
        assert_true(end > first);
        for (uint32_t i = first; i < end; i++) {
            const uint32_t a = world->stick_a[object->first_stick + i];
            const uint32_t b = world->stick_b[object->first_stick + i];
            assert_true(a != b && a < object->particles && b < object->particles);
            assert_true(seen[a] == 0 && seen[b] == 0);
            assert_true(world->stick_rest[object->first_stick + i] > 0.0f);
            seen[a] = 1;
            seen[b] = 1;
        }
        first = end;
    }
    assert_int_equal(first, object->sticks);
}

struct side {
    uint64_t key; // of its two ends
    float rest;   // m
};

static inline int compare_sides(const void *a, const void *b) {
    const struct side *x = a;
    const struct side *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static inline uint64_t key_of(uint32_t a, uint32_t b) {
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// The pairs of particles that sticks join, sorted; none twice.
static inline uint32_t sort_sticks(const struct sim_world *world, const struct object *object,
                                   struct side sides[STICKS_MAX]) {
    assert_true(object->sticks < STICKS_MAX);
    for (uint32_t i = 0; i < object->sticks; i++) {
        const uint32_t stick = object->first_stick + i;
        sides[i] = (struct side){key_of(world->stick_a[stick], world->stick_b[stick]), world->stick_rest[stick]};
    }
    qsort(sides, object->sticks, sizeof sides[0], compare_sides);
    for (uint32_t i = 1; i < object->sticks; i++) {
        assert_true(sides[i].key != sides[i - 1].key);
    }
    return object->sticks;
}

// Every triangle has three corners of its own, a stick along each side, and an area at rest. (As it lies it may have
// none: hands can draw its corners onto one line.)
static inline void check_triangles(const struct sim_world *world, const struct object *object) {
    static struct side sides[STICKS_MAX];
    const uint32_t sticks = sort_sticks(world, object, sides);
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = corners_of(world, object, i);
        float rest[3];
        for (unsigned k = 0; k < 3; k++) {
            const struct side wanted = {.key = key_of(corner[k], corner[(k + 1) % 3])};
            assert_true(corner[k] < object->particles && corner[k] != corner[(k + 1) % 3]);
            const struct side *side = bsearch(&wanted, sides, sticks, sizeof sides[0], compare_sides);
            assert_non_null(side);
            rest[k] = side->rest;
        }
        for (unsigned k = 0; k < 3; k++) {
            assert_true(rest[k] < rest[(k + 1) % 3] + rest[(k + 2) % 3]);
        }
    }
}

// Triangles that meet in a particle hang together there by edges: no two of them share nothing but a torn corner.
static inline void check_fans(const struct sim_world *world, const struct object *object) {
    static uint32_t fan[PARTICLES_MAX][FAN_MAX];
    static uint32_t count[PARTICLES_MAX];
    memset(count, 0, sizeof count);
    for (uint32_t i = 0; i < object->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t p = corners_of(world, object, i)[k];
            assert_true(count[p] < FAN_MAX);
            fan[p][count[p]++] = i;
        }
    }
    for (uint32_t p = 0; p < object->particles; p++) {
        uint32_t reached = 1;
        assert_true(count[p] > 0);
        for (uint32_t done = 0; done < reached; done++) {
            for (uint32_t i = reached; i < count[p]; i++) {
                const uint32_t *a = corners_of(world, object, fan[p][done]);
                const uint32_t *b = corners_of(world, object, fan[p][i]);
                unsigned common = 0;
                for (unsigned k = 0; k < 9; k++) {
                    common += a[k / 3] == b[k % 3] ? 1 : 0;
                }
                if (common > 1) {
                    const uint32_t other = fan[p][reached];
                    fan[p][reached++] = fan[p][i];
                    fan[p][i] = other;
                }
            }
        }
        assert_int_equal(reached, count[p]);
    }
}

static inline double mass_of(const struct sim_world *world, const struct object *object) {
    double mass = 0.0;
    for (uint32_t i = 0; i < object->particles; i++) {
        mass += 1.0 / (double)world->own_w[object->first + i];
    }
    return mass;
}

static inline void check_mesh(const struct sim_world *world, const struct object *object) {
    check_sticks(world, object);
    check_triangles(world, object);
    check_fans(world, object);
}

static inline uint32_t root_of(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// In how many pieces the triangles, or also the sticks, leave the particles.
static inline uint32_t pieces_of(const struct sim_world *world, const struct object *object, bool sticks) {
    static uint32_t parent[PARTICLES_MAX];
    for (uint32_t i = 0; i < object->particles; i++) {
        parent[i] = i;
    }
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = corners_of(world, object, i);
        parent[root_of(parent, corner[0])] = root_of(parent, corner[1]);
        parent[root_of(parent, corner[1])] = root_of(parent, corner[2]);
    }
    for (uint32_t i = 0; sticks && i < object->sticks; i++) {
        parent[root_of(parent, world->stick_a[object->first_stick + i])] =
            root_of(parent, world->stick_b[object->first_stick + i]);
    }
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < object->particles; i++) {
        pieces += parent[i] == i ? 1 : 0;
    }
    return pieces;
}

static inline uint32_t torn_in_last_tick(const struct sim_world *world) {
    uint32_t torn = 0;
    for (uint32_t i = 0; i < sim_world_event_count(world); i++) {
        torn += sim_world_event_at(world, i).kind == SIM_EVENT_TORN ? 1 : 0;
    }
    return torn;
}

// The ends of a random stick are nailed too far apart.
struct nails {
    uint32_t ends[2];
    bool pinned[2]; // before
};

static inline struct nails drive_nails(struct sim_world *world, uint64_t *seed, uint32_t cloth) {
    struct fault fault;
    const uint32_t stick = random_below(seed, world->object[0].sticks);
    const uint32_t ends[2] = {world->stick_a[stick], world->stick_b[stick]};
    const struct nails nails = {{ends[0], ends[1]},
                                {sim_particle_is_pinned(world, ends[0]), sim_particle_is_pinned(world, ends[1])}};
    const struct vec3 a = position_of(world, cloth, ends[0]);
    const struct vec3 b = position_of(world, cloth, ends[1]);
    const struct vec3 to = vec3_add(a, vec3_scale(vec3_sub(b, a), 1.8f));
    MUST(sim_particle_pin(world, cloth, &ends[0], 1, &a, &fault));
    MUST(sim_particle_pin(world, cloth, &ends[1], 1, &to, &fault));
    return nails;
}

// What was pinned before stays so, where it is now.
static inline void draw_nails(struct sim_world *world, uint32_t cloth, const struct nails *nails) {
    struct fault fault;
    for (unsigned i = 0; i < 2; i++) {
        if (!nails->pinned[i]) {
            MUST(sim_particle_unpin(world, cloth, &nails->ends[i], 1, &fault));
        }
    }
}

static inline void strain(struct sim_world *world, uint64_t *seed, uint32_t cloth) {
    const struct nails nails = drive_nails(world, seed, cloth);
    sim_world_step(world);
    draw_nails(world, cloth, &nails);
}

#endif
