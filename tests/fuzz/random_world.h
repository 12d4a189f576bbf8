// SPDX-License-Identifier: MIT
// Random degenerate worlds. What is asked for is refused, or runs with random commands in between: for 300 ticks, or
// fewer when these are costly. After every tick nothing may be non-finite, out of bounds or above the speed limit, and
// nothing may have been quarantined but what was damaged on purpose; a world that is saved, run and restored must run
// the same again, and so must a copy made of its archive.
//
// A world follows from its seed alone, so that one that fails can be looked at by itself.
#ifndef WEFT_TESTS_RANDOM_WORLD_H
#define WEFT_TESTS_RANDOM_WORLD_H

#include <stdio.h>

#include "random_commands.h"
#include "random_joints.h"
#include "sim/archive.h"
#include "sim/cloth_contact/cloth_contact.h"

#define RANDOM_WORLD_TICKS 300u
// So that worlds of 64 substeps a tick, and those of sheets or bodies crushed into each other, do not take most of the
// time: a substep costs 1, and as much again for this many pairs of cloth that may touch, and for so many contacts.
#define RANDOM_WORLD_COST 2000u
#define PAIRS_COST 2000u
#define RANDOM_ROUND_WORLDS UINT64_C(0xba11000000000000) // seeds from here on are of worlds with round bodies
#define RANDOM_TEAR_WORLDS                                                                                             \
    UINT64_C(0x7ea5000000000000) // and from here on of worlds with tear forces, creases and blades
#define RANDOM_THREAD_WORLDS UINT64_C(0x70be000000000000) // seeds from here on: ropes and particles collide
#define RANDOM_MOVING_WORLDS UINT64_C(0x30be000000000000) // seeds from here on: obstacles move
#define CONTACTS_COST 20u
#ifndef RESTORED_TICKS
#define RESTORED_TICKS 10u // after which a world that was brought back is still the same
#endif

// ---- what must hold ----------------------------------------------------------------------------------------------

static inline bool is_within(float value, float low, float high) {
    return value >= low && value <= high;
}

static inline bool is_in_bounds(const struct sim_parameters *parameters, struct vec3 p, float slack) {
    const struct vec3 low = parameters->bounds_min;
    const struct vec3 high = parameters->bounds_max;
    return is_within(p.x, low.x - slack, high.x + slack) && is_within(p.y, low.y - slack, high.y + slack) &&
           is_within(p.z, low.z - slack, high.z + slack);
}

static inline const char *check_particle(const struct sim_particles_view *p, uint32_t i,
                                         const struct sim_parameters *parameters) {
    const double dx = (double)p->dx[i];
    const double dy = (double)p->dy[i];
    const double dz = (double)p->dz[i];
    if (!isfinite(p->x[i]) || !isfinite(p->y[i]) || !isfinite(p->z[i])) {
        return "a position is not finite";
    }
    if (!(sqrt(dx * dx + dy * dy + dz * dz) <= 1.000001 * (double)SIM_SPEED_MAX * (double)p->substep)) {
        return "a speed is above the limit";
    }
    if (p->inverse_mass[i] > 0.0f && !is_in_bounds(parameters, (struct vec3){p->x[i], p->y[i], p->z[i]}, 0.0f)) {
        return "a particle is out of bounds";
    }
    return NULL;
}

// The shape embedded in four free particles is within the bounds as they are.
static inline const char *check_hull(const struct sim_particles_view *p, const struct sim_object_view *view,
                                     const struct sim_parameters *parameters) {
    struct vec3 low = {INFINITY, INFINITY, INFINITY};
    struct vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < view->hull_vertices; v++) {
        struct vec3 at = {0};
        for (uint32_t k = 0; k < 4; k++) {
            const float weight = view->hull_weights[4 * (size_t)v + k];
            at.x += p->x[view->first + k] * weight;
            at.y += p->y[view->first + k] * weight;
            at.z += p->z[view->first + k] * weight;
        }
        low = (struct vec3){fminf(low.x, at.x), fminf(low.y, at.y), fminf(low.z, at.z)};
        high = (struct vec3){fmaxf(high.x, at.x), fmaxf(high.y, at.y), fmaxf(high.z, at.z)};
    }
    const struct vec3 min = parameters->bounds_min;
    const struct vec3 max = parameters->bounds_max;
    const float reach = fmaxf(fmaxf(fabsf(min.x), fabsf(max.x)),
                              fmaxf(fmaxf(fabsf(min.y), fabsf(max.y)), fmaxf(fabsf(min.z), fabsf(max.z))));
    const float rounding = 1e-6f * reach;
    if (!is_in_bounds(parameters, low, rounding) || !is_in_bounds(parameters, high, rounding)) {
        return "a vertex of a hull is out of bounds";
    }
    return NULL;
}

static inline bool is_free(const struct sim_particles_view *p, const struct sim_object_view *view) {
    bool is = true;
    for (uint32_t i = view->first; i < view->first + view->particles; i++) {
        is = is && p->inverse_mass[i] > 0.0f;
    }
    return is;
}

static inline const char *check_object(const struct random_world *r, uint32_t index, uint32_t first) {
    const struct sim_particles_view p = sim_world_particles(r->world);
    const struct sim_object_view view = sim_world_object_at(r->world, index);
    if (view.first != first) {
        return "an object does not lie behind the one before it";
    }
    for (uint32_t k = 0; k < 3 * view.triangle_count; k++) {
        if (view.triangles[k] >= view.particles) {
            return "a triangle has a corner beyond its object";
        }
    }
    for (uint32_t i = view.first; i < view.first + view.particles && view.asleep; i++) {
        if (p.dx[i] != 0.0f || p.dy[i] != 0.0f || p.dz[i] != 0.0f) {
            return "something moves in its sleep";
        }
    }
    const struct quat q = sim_object_orientation(r->world, index);
    const float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(squared - 1.0f) < 1e-3f)) {
        return "an orientation is no rotation";
    }
    return view.hull_vertices > 0 && is_free(&p, &view) ? check_hull(&p, &view, sim_world_parameters(r->world)) : NULL;
}

static inline void count_events(struct random_world *r) {
    for (uint32_t i = 0; i < sim_world_event_count(r->world); i++) {
        const enum sim_event_kind kind = sim_world_event_at(r->world, i).kind;
        r->quarantined += kind == SIM_EVENT_QUARANTINED ? 1 : 0;
        r->slept += kind == SIM_EVENT_SLEPT ? 1 : 0;
        r->torn += kind == SIM_EVENT_TORN ? 1 : 0;
    }
    if (r->quarantined > r->injected) {
        r->complaint = "an object was quarantined for no reason";
    } else if (r->quarantined < r->injected) {
        r->complaint = "a damaged object was not quarantined";
    }
}

static inline void check_world(struct random_world *r) {
    const struct sim_particles_view particles = sim_world_particles(r->world);
    const struct sim_parameters *parameters = sim_world_parameters(r->world);
    for (uint32_t i = 0; i < particles.count && r->complaint == NULL; i++) {
        r->complaint = check_particle(&particles, i, parameters);
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < sim_world_object_count(r->world) && r->complaint == NULL; i++) {
        r->complaint = check_object(r, i, first);
        first += sim_world_object_at(r->world, i).particles;
    }
    if (r->complaint == NULL && first != particles.count) {
        r->complaint = "objects and particles do not add up";
    }
    if (r->complaint == NULL) {
        count_events(r);
    }
}

// A world of another capacity that is made what this one is by way of an archive; NULL when that failed.
static inline struct sim_world *copy_by_archive(const struct random_world *r) {
    const struct sim_capacity capacity = {
        .particles = 301, .sticks = 1703, .triangles = 607, .objects = 13, .obstacles = 9, .shape_words = 9001};
    const size_t length = sim_world_archive_length(r->world);
    struct sim_world *copy = NULL;
    struct fault fault;
    void *bytes = malloc(length);
    if (bytes != NULL && sim_world_create(&capacity, sim_world_tick_hz(r->world), &copy) == RESULT_OK) {
        sim_world_archive(r->world, bytes);
        if (sim_world_unarchive(copy, bytes, length, &fault) != RESULT_OK) {
            printf("not brought back: %s\n", fault.message);
            sim_world_destroy(copy);
            copy = NULL;
        }
    }
    free(bytes);
    return copy;
}

// Saved, run, restored and run again, and run beside a copy that knows nothing but what was archived: the same bits.
static inline void check_restoring(struct random_world *r) {
    struct sim_snapshot *snapshot = NULL;
    struct sim_world *copy = copy_by_archive(r);
    if (copy == NULL || sim_world_save(r->world, &snapshot) != RESULT_OK) {
        r->complaint = "a world could not be saved";
        sim_world_destroy(copy);
        return;
    }
    const uint64_t saved = sim_world_hash(r->world);
    uint64_t run[2] = {0, 0};
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned tick = 0; tick < RESTORED_TICKS; tick++) {
            sim_world_step(r->world);
            if (round == 0) {
                sim_world_step(copy);
            }
            if (round == 0 && sim_world_hash(copy) != sim_world_hash(r->world)) {
                r->complaint = "a world from an archive runs differently";
            }
        }
        run[round] = sim_world_hash(r->world);
        sim_world_restore(r->world, snapshot);
        if (sim_world_hash(r->world) != saved) {
            r->complaint = "a restored world is not what was saved";
        }
    }
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(copy);
    if (run[0] != run[1]) {
        r->complaint = "a restored world runs differently";
    }
}

// ---- a world's life ----------------------------------------------------------------------------------------------

static inline void populate(struct random_world *r) {
    static const float reaches[] = {0.01f, 0.1f, 1.0f, 2.0f, 2.0f, 3.0f, 5.0f, 50.0f, 1e3f, 1e4f, 1e5f};
    r->reach = reaches[dice_below(&r->dice, sizeof reaches / sizeof reaches[0])];
    set_parameters(r);
    for (uint32_t i = dice_below(&r->dice, 4) + (r->moving ? 1 : 0); i > 0; i--) {
        add_obstacle(r);
    }
    for (uint32_t i = 1 + dice_below(&r->dice, 4); i > 0; i--) {
        spawn_something(r);
    }
    for (uint32_t i = dice_below(&r->dice, 4); i > 0; i--) {
        join_something(r);
    }
    spawn_volumes(r);
    choose_effort(r);
}

static inline uint64_t cost_of_tick(const struct random_world *r) {
    const uint64_t pairs = r->world->cloth_contacts->candidates, contacts = r->world->contacts;
    return sim_world_parameters(r->world)->substeps * (1 + pairs / PAIRS_COST + contacts / CONTACTS_COST);
}

static inline void live(struct random_world *r, uint64_t seed, uint64_t cost_max) {
    struct dice joints = joint_dice(seed);
    const uint32_t restored_at = dice_below(&r->dice, 2 * RANDOM_WORLD_TICKS);
    const uint32_t cleared_at = dice_below(&r->dice, 30 * RANDOM_WORLD_TICKS);
    const uint32_t damaged_at = dice_below(&r->dice, 20 * RANDOM_WORLD_TICKS);
    const uint32_t busy = dice_below(&r->dice, 5);
    uint64_t cost = 0;
    for (uint32_t tick = 0; tick < RANDOM_WORLD_TICKS && cost < cost_max && r->complaint == NULL; tick++) {
        if (dice_percent(&r->dice, busy * busy)) {
            do_something(r);
        }
        move_joints(r, &joints, seed);
        if (r->tears && dice_percent(&joints, 10)) {
            cut_something(r);
        }
        if (r->moving && dice_percent(&joints, 5)) {
            move_an_obstacle(r);
        }
        if (tick == cleared_at) {
            sim_world_clear(r->world);
            populate(r);
        }
        if (tick == restored_at) {
            check_restoring(r);
        }
        if (tick == damaged_at) {
            damage_something(r);
        }
        sim_world_step(r->world);
        cost += cost_of_tick(r);
        if (r->complaint == NULL) {
            check_world(r);
        }
    }
}

// Runs the world of this seed until its ticks have cost that much; `complaint` is NULL when all that must hold held.
// `hash` gets its last state.
static inline struct random_world random_world_run(uint64_t seed, uint64_t cost_max, uint64_t *hash) {
    static const float tick_rates[] = {60.0f, 60.0f, 60.0f, 60.0f, 60.0f, 30.0f, 240.0f, 7.5f, 1.0f, 1000.0f};
    struct random_world r = {.dice = {seed * 0xD1342543DE82EF95u + 1},
                             .round = seed >> 48 == RANDOM_ROUND_WORLDS >> 48,
                             .tears = seed >> 48 == RANDOM_TEAR_WORLDS >> 48,
                             .threads = seed >> 48 == RANDOM_THREAD_WORLDS >> 48,
                             .moving = seed >> 48 == RANDOM_MOVING_WORLDS >> 48};
    const struct sim_capacity capacity = {
        .particles = 200, .sticks = 1500, .triangles = 500, .objects = 12, .obstacles = 8, .shape_words = 8000};
    const float tick_hz = tick_rates[dice_below(&r.dice, sizeof tick_rates / sizeof tick_rates[0])];
    if (sim_world_create(&capacity, tick_hz, &r.world) != RESULT_OK) {
        r.complaint = "the world was not created";
        return r;
    }
    populate(&r);
    live(&r, seed, cost_max);
    *hash = sim_world_hash(r.world);
    sim_world_destroy(r.world);
    r.world = NULL;
    return r;
}

#endif
