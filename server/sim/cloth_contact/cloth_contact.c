// SPDX-License-Identifier: MIT
// Contacts of cloth with itself and with other cloth (PHYSICS.md 8): found once a substep, relaxed in every iteration.
//
// A pair of features has a contact if it is nearer than about its thickness h at the substep's start, or comes that
// near on its straight path. Normal n and weights are those of the nearest points, at the start or where the distance
// becomes h. An iteration puts the points h apart along n, and friction takes back their slide, up to μ times that.
//
// A pair that is nearer than h at the start is moved apart by a share of the missing distance in each substep, and the
// speed that this gives is removed again, so that cloth that was pressed together comes apart without flying off.
#include "sim/cloth_contact/cloth_contact.h"

#include "sim/cloth_contact/cloth_contact_drift.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/cloth_contact/cloth_contact_mesh.h"
#include "sim/cloth_contact/cloth_contact_pair.h"
#include "sim/stick/free_stick.h"
#include "sim/world/active.h"
#include "sim/world/particle.h"
#include "sim/world/wake.h"

#define RECOVERED_SHARE 0.25f // share of the missing distance, per substep
#define SLOW_SHARE 0.1f       // share of the distance within which pairs are near

// ---- detection ---------------------------------------------------------------------------------------------------

// Free particles outside the bounds (put there by a command, or released there by a grab) start at the bounds, since
// the guard may move a particle back to its start.
static void store_start_axis(float *start, const float *x, const float *w, uint32_t count, float low, float high) {
    for (uint32_t i = 0; i < count; i++) {
        start[i] = w[i] > 0.0f ? scalar_clamp(x[i], low, high) : x[i];
    }
}

static void store_start(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const struct vec3 low = world->state.parameters.bounds_min;
    const struct vec3 high = world->state.parameters.bounds_max;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        const uint32_t first = object->first;
        const float *w = world->w + first;
        store_start_axis(cloth->start_x + first, world->x + first, w, object->particles, low.x, high.x);
        store_start_axis(cloth->start_y + first, world->y + first, w, object->particles, low.y, high.y);
        store_start_axis(cloth->start_z + first, world->z + first, w, object->particles, low.z, high.z);
    }
}

// A candidate in a substep.
struct candidate_state {
    const struct cloth_contact_candidate *candidate;
    struct cloth_contact_pair pair;
    struct point start[4];
    double closing;           // m, upper bound of the approach
    struct proximity nearest; // at the start
};

// For a pair that is farther apart than `gap` at the start: finds where it comes that near on its path, if it does.
static bool find_touch(const struct sim_world *world, const struct candidate_state *state, double gap,
                       struct proximity *touch) {
    if (state->nearest.distance - state->closing > gap) {
        return false;
    }
    struct point end[4];
    struct point at[4];
    cloth_contact_points_now(world, &state->pair, end);
    const double share = proximity_advance(state->pair.kind, state->start, end, gap);
    if (share >= 1.0) {
        return false;
    }
    proximity_between(state->start, end, share, at);
    *touch = proximity_of(state->pair.kind, at);
    return true;
}

static void add_contact(struct sim_world *world, const struct candidate_state *state) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const float gap = cloth_contact_gap(world, &state->pair);
    struct cloth_contact contact = {.gap = gap};
    struct proximity nearest = state->nearest;
    if (nearest.distance < (double)gap) {
        contact.recovered = RECOVERED_SHARE * (gap - (float)nearest.distance);
        contact.gap = (float)nearest.distance + contact.recovered;
    } else if (!find_touch(world, state, (double)gap, &nearest) &&
               nearest.distance > (double)cloth_contact_distance(gap)) {
        return;
    }
    if (!cloth_contact_is_repeated(cloth, state->candidate, &state->pair, nearest.weight) &&
        cloth->contacts < cloth_contact_capacity(world->state.triangles) &&
        cloth_contact_of(world, &state->pair, &nearest, &contact)) {
        cloth->contact[cloth->contacts] = contact;
        cloth->contacts++;
    }
}

// True if the boxes around the features are farther apart than `near`: a cheap test before the exact one.
static bool are_far(enum proximity_kind kind, const struct point at[4], double near) {
    const unsigned first = kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2;
    struct point low[2] = {at[0], at[first]};
    struct point high[2] = {at[0], at[first]};
    for (unsigned k = 1; k < 4; k++) {
        const unsigned feature = k < first ? 0 : 1;
        low[feature].x = at[k].x < low[feature].x ? at[k].x : low[feature].x;
        low[feature].y = at[k].y < low[feature].y ? at[k].y : low[feature].y;
        low[feature].z = at[k].z < low[feature].z ? at[k].z : low[feature].z;
        high[feature].x = at[k].x > high[feature].x ? at[k].x : high[feature].x;
        high[feature].y = at[k].y > high[feature].y ? at[k].y : high[feature].y;
        high[feature].z = at[k].z > high[feature].z ? at[k].z : high[feature].z;
    }
    return low[0].x - high[1].x > near || low[1].x - high[0].x > near || low[0].y - high[1].y > near ||
           low[1].y - high[0].y > near || low[0].z - high[1].z > near || low[1].z - high[0].z > near;
}

static void predict(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            cloth->predicted_x[i] = world->ahead_x[i] + world->off_x[i];
            cloth->predicted_y[i] = world->ahead_y[i] + world->off_y[i];
            cloth->predicted_z[i] = world->ahead_z[i] + world->off_z[i];
        }
    }
}

// Upper bound of the approach of a pair's features. Their common motion does not count, unless all motion is so small
// that this does not matter.
static double closing_of(const struct sim_world *world, const struct cloth_contact_candidate *candidate,
                         const struct cloth_contact_pair *pair, const struct point start[4]) {
    const float at_most = cloth_contact_closing(world->cloth_contacts, candidate, world->cloth_contacts->path);
    if (at_most < SLOW_SHARE * cloth_contact_distance_max(world, pair->object_a, pair->object_b)) {
        return (double)at_most;
    }
    struct point moved[4];
    cloth_contact_points_now(world, pair, moved);
    for (unsigned k = 0; k < 4; k++) {
        moved[k] = point_sub(moved[k], start[k]);
    }
    return proximity_reach(pair->kind, moved);
}

// Adds a candidate to `near` if its features can come near in this substep.
static bool list_if_near(struct sim_world *world, struct candidate_state *state) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const struct cloth_contact_pair *pair = &state->pair;
    cloth_contact_points_at_start(world, pair, state->start);
    state->closing = closing_of(world, state->candidate, pair, state->start);
    const double near = (double)cloth_contact_distance_max(world, pair->object_a, pair->object_b) + state->closing;
    if (are_far(pair->kind, state->start, near)) {
        return false;
    }
    state->nearest = proximity_of(pair->kind, state->start);
    if (state->nearest.distance > near) {
        return false;
    }
    if (cloth->nears == cloth_contact_capacity(world->state.triangles)) {
        cloth->near_overflows = true;
    } else {
        const uint32_t index = (uint32_t)(state->candidate - cloth->candidate);
        cloth->near[cloth->nears] = (struct cloth_contact_near){index, (float)state->nearest.distance};
        cloth->nears++;
    }
    return true;
}

// Lists all candidates that can come near in this substep and, if `contacts` is set, adds their contacts.
static void list_near(struct sim_world *world, bool contacts) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    cloth->nears = 0;
    cloth->near_overflows = false;
    predict(world);
    for (uint32_t i = 0; i < cloth->candidates; i++) {
        const struct cloth_contact_candidate *candidate = &cloth->candidate[i];
        if (candidate->room > cloth_contact_closing(cloth, candidate, cloth->moved)) {
            continue;
        }
        struct candidate_state state = {.candidate = candidate, .pair = cloth_contact_pair_of(world, candidate)};
        if (list_if_near(world, &state) && contacts) {
            add_contact(world, &state);
        }
    }
}

void cloth_contact_list_near(struct sim_world *world) {
    list_near(world, false);
}

void cloth_contact_begin_tick(struct sim_world *world) {
    cloth_contact_resolve(world);
    world->cloth_contacts->gathered = false;
}

static bool is_idle(const struct sim_world *world) {
    bool idle = true;
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        idle = idle && !object_is_active(&world->object[world->cloth_contacts->member[m]]);
    }
    return idle;
}

void cloth_contact_detect(struct sim_world *world, uint32_t substeps_left) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    cloth->idle = cloth->faces == 0 || is_idle(world);
    cloth->substeps_left = substeps_left;
    cloth->contacts = 0;
    cloth->nears = 0;
    if (cloth->idle) {
        return;
    }
    store_start(world);
    (void)cloth_contact_refresh(world);
    list_near(world, true);
}

bool cloth_contact_wake(struct sim_world *world) {
    bool any = false;
    for (uint32_t i = 0; i < world->cloth_contacts->contacts; i++) {
        const struct cloth_contact *contact = &world->cloth_contacts->contact[i];
        const struct object *a = &world->object[contact->object_a];
        const struct object *b = &world->object[contact->object_b];
        if (a->asleep != b->asleep) {
            wake_place(world, a->asleep ? contact->object_a : contact->object_b);
            any = true;
        }
    }
    if (any) {
        active_resolve(world);
        free_stick_resolve(world);
    }
    return any;
}

// ---- relaxation --------------------------------------------------------------------------------------------------

void cloth_contact_relax(struct sim_world *world, uint32_t iteration) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t count = cloth->contacts;
    for (uint32_t i = 0; i < count; i++) {
        (void)cloth_contact_relax_one(world, &cloth->contact[iteration % 2 == 0 ? i : count - 1 - i]);
    }
}

static bool remove_recovered_speed(struct sim_world *world, const struct cloth_contact *contact) {
    struct vec3 d = {0.0f, 0.0f, 0.0f};
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = contact->slot[k];
        const struct vec3 own = particle_displacement(world, slot);
        d = vec3_add(d, vec3_scale(own, contact->weight[k]));
    }
    const float apart = scalar_min(vec3_dot(d, contact->normal), contact->recovered);
    if (!(apart > 0.0f)) {
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = contact->slot[k];
        const float part = contact->share[k] * apart;
        world->dx[slot] -= part * contact->normal.x;
        world->dy[slot] -= part * contact->normal.y;
        world->dz[slot] -= part * contact->normal.z;
    }
    return true;
}

bool cloth_contact_settle(struct sim_world *world) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    bool any = false;
    for (uint32_t i = 0; i < cloth->contacts; i++) {
        if (cloth->contact[i].pushed && cloth->contact[i].recovered > 0.0f) {
            any |= remove_recovered_speed(world, &cloth->contact[i]);
        }
    }
    return any;
}
