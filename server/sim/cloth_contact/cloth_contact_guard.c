// SPDX-License-Identifier: MIT
// The guard of cloth that collides: after it, no pair of features has met on its path in the substep (PHYSICS.md 8.4).
//
// A pair is safe if its features keep a floor apart on the straight path from the start x° to p: a tenth of their
// thickness, or half of their distance at the start if that is less. Pairs that are not safe are handled in two steps.
//
//   push     Pairs are pushed apart like contacts, at the nearest points that they reach: momentum is kept. Pairs that
//            push one another back and forth may remain, so this ends after some rounds.
//   retreat  The particles of the remaining pairs go back along their paths towards x°, to where the pair is safe; in
//            later rounds to x° itself, and in the end whole objects do. A particle never moves forward again, and at
//            x° no pair has met, so this ends, and ends safe. (D. Harmon et al., "Robust Treatment of Simultaneous
//            Collisions", 2008, has such a fallback too, which moves a zone rigidly and so cannot respect bounds.)
#include "sim/cloth_contact/cloth_contact_guard.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_drift.h"
#include "sim/cloth_contact/cloth_contact_order.h"
#include "sim/cloth_contact/cloth_contact_pair.h"
#include "sim/geometry/point.h"
#include "sim/geometry/proximity.h"
#include "sim/world/particle.h"

#define FLOOR_SHARE 0.1
// Share of a distance below the floor that a pair keeps in a substep. Loads press ropes together harder than cloth.
#define KEPT_SHARE 0.5
#define THREAD_KEPT_SHARE 0.9
// Distance in thicknesses that particles may deviate from their predicted positions before pairs outside `near` matter:
// those keep a thickness apart at the predicted positions, so this leaves more than the floor.
#define COMPLETE_SHARE 0.4f
#define PUSH_ROUNDS 3u
#define RETREAT_ROUNDS 2u      // moves back part of the path
#define RETREAT_ALL_ROUNDS 12u // after these, moves back whole objects
#define RETREAT_RESERVE 0.9

// A pair and the path of its particles.
struct pair_path {
    struct cloth_contact_pair pair;
    struct point start[4], end[4];
    double share; // share of the path that is safe
};

// `path` has its pair, and is given the rest.
static bool is_safe(const struct sim_world *world, double distance, struct pair_path *path) {
    const enum proximity_kind kind = path->pair.kind;
    struct point moved[4];
    cloth_contact_points_at_start(world, &path->pair, path->start);
    cloth_contact_points_now(world, &path->pair, path->end);
    for (unsigned k = 0; k < 4; k++) {
        moved[k] = point_sub(path->end[k], path->start[k]);
    }
    const double gap = (double)cloth_contact_gap(world, &path->pair);
    const double kept = cloth_contact_has_thread(world, &path->pair) ? THREAD_KEPT_SHARE : KEPT_SHARE;
    const double floor = FLOOR_SHARE * gap < kept * distance ? FLOOR_SHARE * gap : kept * distance;
    path->share = 1.0;
    if (distance > 0.0 && !(distance - proximity_reach(kind, moved) > floor)) {
        path->share = proximity_advance(kind, path->start, path->end, floor);
    }
    return path->share >= 1.0;
}

static double distance_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair) {
    struct point start[4];
    cloth_contact_points_at_start(world, pair, start);
    return proximity_of(pair->kind, start).distance;
}

typedef void (*resolve)(struct sim_world *world, const struct pair_path *path, unsigned round);

// Calls `act` for those of the first `count` pairs of `place` that are not safe, in their order; `index` is that of a
// near pair. Returns true if there was any.
static bool resolve_places(struct sim_world *world, uint32_t count, resolve act, unsigned round) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    struct pair_path path;
    bool unsafe = false;
    (void)cloth_contact_order_sort(cloth, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct cloth_contact_near *near = &cloth->near[cloth->place[i].index];
        path.pair = cloth_contact_pair_of(world, &near->candidate);
        if (!is_safe(world, (double)near->distance, &path)) {
            act(world, &path, round);
            unsafe = true;
        }
    }
    return unsafe;
}

static bool resolve_near(struct sim_world *world, resolve act, unsigned round) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const float sure = (float)FLOOR_SHARE * cloth->thickness_max;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cloth->nears; i++) {
        const struct cloth_contact_candidate *candidate = &cloth->near[i].candidate;
        const struct cloth_contact_pair pair = cloth_contact_pair_of(world, candidate);
        const float left = cloth->near[i].distance - cloth_contact_closing(&pair, cloth->path);
        if (!(left > sure)) {
            cloth->place[count] = cloth_contact_order_of(cloth, candidate, i);
            count++;
        }
    }
    return resolve_places(world, count, act, round);
}

// In the order of the candidates.
static bool resolve_candidates(struct sim_world *world, resolve act, unsigned round) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    struct pair_path path;
    bool unsafe = false;
    for (uint32_t i = 0; i < cloth->candidates; i++) {
        const struct cloth_contact_candidate *candidate = &cloth->candidate[i];
        path.pair = cloth_contact_pair_of(world, candidate);
        if (candidate->room <= cloth_contact_closing(&path.pair, cloth->plan.moved) &&
            cloth_contact_order_has(cloth, candidate) && !is_safe(world, distance_at_start(world, &path.pair), &path)) {
            act(world, &path, round);
            unsafe = true;
        }
    }
    return unsafe;
}

// Marks the faces with a particle that is so far from its predicted position that near pairs may be missing in `near`.
// Returns true if there are any. While objects rest, the order of contacts leaves pairs out until it changes: all faces
// are marked then.
static bool mark_off(struct sim_world *world, bool changed) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const bool all = changed && cloth->rests;
    bool any = false;
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const struct cloth_contact_face *face = &cloth->face[i];
        const struct object *object = &world->object[face->object];
        const float most =
            COMPLETE_SHARE * scalar_min(cloth_contact_thickness(object), cloth_contact_gap_within(object));
        bool off = all;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t slot = face->corner[k];
            const struct vec3 predicted =
                vec3_of(cloth->predicted_x[slot], cloth->predicted_y[slot], cloth->predicted_z[slot]);
            const struct vec3 way = vec3_sub(particle_relaxed(world, slot), predicted);
            off = off || !(vec3_dot(way, way) <= most * most);
        }
        cloth->face_off[i] = off ? 1 : 0;
        any = any || off;
    }
    return any;
}

static bool resolve_all(struct sim_world *world, resolve act, unsigned round) {
    const bool changed = cloth_contact_refresh(world);
    if (mark_off(world, changed)) {
        cloth_contact_list_near(world);
    }
    return world->cloth_contacts->near_overflows ? resolve_candidates(world, act, round)
                                                 : resolve_near(world, act, round);
}

// ---- pushing -----------------------------------------------------------------------------------------------------

static void push(struct sim_world *world, const struct pair_path *path, unsigned round) {
    (void)round;
    struct point at[4];
    proximity_between(path->start, path->end, path->share, at);
    const struct proximity nearest = proximity_of(path->pair.kind, at);
    const float gap = cloth_contact_gap(world, &path->pair);
    const float before = (float)proximity_of(path->pair.kind, path->start).distance;
    struct cloth_contact contact = {.gap = scalar_min(gap, before)};
    if (cloth_contact_of(world, &path->pair, &nearest, &contact) && cloth_contact_relax_one(world, &contact)) {
        world->cloth_contacts->pushes++;
    }
}

// ---- retreat -----------------------------------------------------------------------------------------------------

static float part_of(float start, float end, float share) {
    return share > 0.0f ? start + share * (end - start) : start;
}

static void move_back(struct sim_world *world, uint32_t slot, float share) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const struct vec3 end = particle_relaxed(world, slot);
    particle_set_relaxed(world, slot,
                         vec3_of(part_of(cloth->start_x[slot], end.x, share),
                                 part_of(cloth->start_y[slot], end.y, share),
                                 part_of(cloth->start_z[slot], end.z, share)));
}

static void move_object_back(struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        move_back(world, i, 0.0f);
    }
}

static void retreat(struct sim_world *world, const struct pair_path *path, unsigned round) {
    world->cloth_contacts->retreats++;
    if (round >= RETREAT_ALL_ROUNDS) {
        move_object_back(world, path->pair.object_a);
        move_object_back(world, path->pair.object_b);
        return;
    }
    const float share = round < RETREAT_ROUNDS ? (float)(RETREAT_RESERVE * path->share) : 0.0f;
    for (unsigned k = 0; k < 4; k++) {
        move_back(world, path->pair.slot[k], share);
    }
}

// ---- bounds ------------------------------------------------------------------------------------------------------

static bool confine(struct sim_world *world, const struct object *object) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const struct vec3 low = parameters->bounds_min;
    const struct vec3 high = parameters->bounds_max;
    bool changed = false;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 p = particle_relaxed(world, i);
        const struct vec3 within = vec3_of(scalar_clamp(p.x, low.x, high.x), scalar_clamp(p.y, low.y, high.y),
                                           scalar_clamp(p.z, low.z, high.z));
        if (world->w[i] > 0.0f && vec3_is_finite(p)) {
            changed = changed || within.x != p.x || within.y != p.y || within.z != p.z;
            particle_set_relaxed(world, i, within);
        }
    }
    return changed;
}

// Pushing may move particles out of the bounds; moving them back to a start inside the bounds does not. Returns true if
// any was outside.
static bool confine_members(struct sim_world *world) {
    bool changed = false;
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        const struct object *object = &world->object[world->cloth_contacts->member[m]];
        if (object_is_active(object)) {
            changed |= confine(world, object);
        }
    }
    return changed;
}

void cloth_contact_guard(struct sim_world *world) {
    if (world->cloth_contacts->idle) {
        return;
    }
    bool unsafe = true;
    for (unsigned round = 0; unsafe && round < PUSH_ROUNDS; round++) {
        unsafe = resolve_all(world, push, round);
    }
    unsafe |= confine_members(world);
    const unsigned most = RETREAT_ALL_ROUNDS + world->cloth_contacts->members + 1;
    for (unsigned round = 0; unsafe && round < most; round++) {
        unsafe = resolve_all(world, retreat, round);
    }
    (void)confine_members(world);
}
