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

#include "sim/cloth_contact/cloth_contact_batch.h"
#include "sim/cloth_contact/cloth_contact_chain.h"
#include "sim/cloth_contact/cloth_contact_drift.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/cloth_contact/cloth_contact_mesh.h"
#include "sim/cloth_contact/cloth_contact_order.h"
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
    double closing;    // m, upper bound of the approach
    double distance;   // m, at the start
    unsigned carriers; // of the nearest points at the start; 0 where only their weights tell
};

// For a pair that is farther apart than `gap` at the start: finds where it comes that near on its path, if it does.
static bool find_touch(const struct sim_world *world, const struct candidate_state *state, double gap,
                       struct proximity *touch) {
    if (state->distance - state->closing > gap) {
        return false;
    }
    struct point start[4];
    struct point end[4];
    struct point at[4];
    cloth_contact_points_at_start(world, &state->pair, start);
    cloth_contact_points_now(world, &state->pair, end);
    const double share = proximity_advance(state->pair.kind, start, end, gap);
    if (share >= 1.0) {
        return false;
    }
    proximity_between(start, end, share, at);
    *touch = proximity_of(state->pair.kind, at);
    return true;
}

static struct proximity nearest_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair) {
    struct point start[4];
    cloth_contact_points_at_start(world, pair, start);
    return proximity_of(pair->kind, start);
}

static unsigned carriers_of(const double weight[4]) {
    unsigned carriers = 0;
    for (unsigned k = 0; k < 4; k++) {
        carriers |= weight[k] != 0.0 ? 1u << k : 0u;
    }
    return carriers;
}

// Finds the nearest points of a contact. Returns false if another pair has the same.
static bool find_nearest(const struct sim_world *world, const struct candidate_state *state, bool touches,
                         struct proximity *nearest) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const bool known = !touches && state->carriers != 0;
    if (known && cloth_contact_is_repeated(cloth, state->candidate, &state->pair, state->carriers)) {
        return false;
    }
    if (!touches) {
        *nearest = nearest_at_start(world, &state->pair);
    }
    return known || !cloth_contact_is_repeated(cloth, state->candidate, &state->pair, carriers_of(nearest->weight));
}

static void add_contact(struct sim_world *world, const struct candidate_state *state) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const float gap = cloth_contact_gap(world, &state->pair);
    struct cloth_contact contact = {.gap = gap};
    struct proximity nearest;
    bool touches = false;
    if (state->distance < (double)gap) {
        contact.recovered = RECOVERED_SHARE * (gap - (float)state->distance);
        contact.gap = (float)state->distance + contact.recovered;
    } else {
        touches = find_touch(world, state, (double)gap, &nearest);
        if (!touches && state->distance > (double)cloth_contact_distance(gap)) {
            return;
        }
    }
    if (find_nearest(world, state, touches, &nearest) &&
        cloth->contacts < cloth_contact_capacity(cloth_contact_face_count(world)) &&
        cloth_contact_of(world, &state->pair, &nearest, &contact)) {
        cloth->place[cloth->contacts] = cloth_contact_order_of(cloth, state->candidate, cloth->contacts);
        cloth->contact[cloth->contacts] = contact;
        cloth->contacts++;
    }
}

static void store_relaxed(struct sim_world *world, float *const to[3]) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            to[0][i] = world->ahead_x[i] + world->off_x[i];
            to[1][i] = world->ahead_y[i] + world->off_y[i];
            to[2][i] = world->ahead_z[i] + world->off_z[i];
        }
    }
}

// Candidates whose distances are computed at once.
struct listing {
    struct sim_world *world;
    bool contacts;
    bool moves[2]; // by kind: some pair's motion is in its rows
    struct candidate_state state[CLOTH_CONTACT_BATCH_MAX];
    double most[CLOTH_CONTACT_BATCH_MAX]; // m: distance within which such features have a contact
    bool slow[CLOTH_CONTACT_BATCH_MAX];   // their approach is known
    struct cloth_contact_batch batch;
};

static void put_points(float (*rows)[SIMD_PAIRS], uint32_t place, const struct cloth_contact_pair *pair, const float *x,
                       const float *y, const float *z) {
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = pair->slot[k];
        rows[3 * k][place] = x[slot];
        rows[3 * k + 1][place] = y[slot];
        rows[3 * k + 2][place] = z[slot];
    }
}

// The common motion of a pair's features does not count for their approach, unless all motion is so small that this
// does not matter.
static void put_candidate(struct listing *listing, const struct cloth_contact_candidate *candidate,
                          const struct cloth_contact_pair *pair) {
    const struct cloth_contacts *cloth = listing->world->cloth_contacts;
    const uint32_t number = cloth_contact_batch_add(&listing->batch, pair->kind);
    const uint32_t place = listing->batch.row[number].place;
    struct simd_pairs *pairs = &listing->batch.pairs[pair->kind];
    const float most = cloth_contact_distance_max(listing->world, pair->object_a, pair->object_b);
    const float at_most = cloth_contact_closing(pair, cloth->path);
    listing->state[number] =
        (struct candidate_state){.candidate = candidate, .pair = *pair, .closing = (double)at_most};
    listing->most[number] = (double)most;
    listing->slow[number] = at_most < SLOW_SHARE * most;
    put_points(pairs->at, place, pair, cloth->start_x, cloth->start_y, cloth->start_z);
    if (!listing->slow[number]) {
        put_points(pairs->path, place, pair, cloth->listed_x, cloth->listed_y, cloth->listed_z);
        listing->moves[pair->kind] = true;
    }
}

static void measure_batch(struct listing *listing) {
    const struct simd_kernels *simd = listing->world->simd;
    struct cloth_contact_batch *batch = &listing->batch;
    for (unsigned kind = 0; kind < 2; kind++) {
        if (listing->moves[kind]) {
            simd->pair_reaches(&batch->pairs[kind], true);
        }
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        struct simd_pairs *pairs = &batch->pairs[batch->row[i].kind];
        const uint32_t place = batch->row[i].place;
        if (!listing->slow[i]) {
            listing->state[i].closing = pairs->reach[place];
        }
        pairs->limit[place] = listing->most[i] + listing->state[i].closing;
    }
    for (unsigned kind = 0; kind < 2; kind++) {
        simd->pairs_far(&batch->pairs[kind]);
        simd->pair_distances(&batch->pairs[kind]);
        listing->moves[kind] = false;
    }
}

// Lists those of a batch that can come near in this substep, and adds their contacts.
static void list_batch(struct listing *listing) {
    struct sim_world *world = listing->world;
    struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t capacity = cloth_contact_capacity(cloth_contact_face_count(world));
    struct cloth_contact_batch *batch = &listing->batch;
    measure_batch(listing);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct candidate_state *state = &listing->state[i];
        const struct simd_pairs *pairs = &batch->pairs[batch->row[i].kind];
        const uint32_t place = batch->row[i].place;
        state->distance = pairs->distance[place];
        if (pairs->far[place] != 0.0 || state->distance > pairs->limit[place]) {
            continue;
        }
        if (cloth->nears == capacity) {
            cloth->near_overflows = true;
        } else {
            cloth->near[cloth->nears] = (struct cloth_contact_near){*state->candidate, (float)state->distance};
            cloth->nears++;
        }
        if (listing->contacts) {
            state->carriers = cloth_contact_batch_carriers(state->pair.kind, pairs->which[place]);
            add_contact(world, state);
        }
    }
    cloth_contact_batch_empty(batch);
}

static void sort_contacts(struct cloth_contacts *cloth) {
    if (!cloth_contact_order_sort(cloth, cloth->contacts)) {
        return;
    }
    for (uint32_t i = 0; i < cloth->contacts; i++) {
        cloth->contact_spare[i] = cloth->contact[cloth->place[i].index];
    }
    struct cloth_contact *const sorted = cloth->contact_spare;
    cloth->contact_spare = cloth->contact;
    cloth->contact = sorted;
}

static bool can_be_near(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate) {
    return candidate->room <= cloth->face_moved[candidate->a / 8] + cloth->face_moved[candidate->b / 8] &&
           cloth_contact_order_has(cloth, candidate);
}

static bool is_off(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate) {
    return (cloth->face_off[candidate->a / 8] | cloth->face_off[candidate->b / 8]) != 0;
}

// Lists the candidates that can come near in this substep: either all of them with their contacts, or those that are
// off.
static void list_near(struct sim_world *world, bool all) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    struct listing listing = {.world = world, .contacts = all};
    store_relaxed(world, (float *const[3]){cloth->listed_x, cloth->listed_y, cloth->listed_z});
    cloth_contact_batch_begin(&listing.batch);
    for (uint32_t i = 0; i < cloth->candidates; i++) {
        const struct cloth_contact_candidate *candidate = &cloth->candidate[i];
        if (!can_be_near(cloth, candidate) || (!all && !is_off(cloth, candidate))) {
            continue;
        }
        const struct cloth_contact_pair pair = cloth_contact_pair_of(world, candidate);
        if (candidate->room > cloth_contact_closing(&pair, cloth->plan.moved)) {
            continue;
        }
        put_candidate(&listing, candidate, &pair);
        if (cloth_contact_batch_is_full(&listing.batch)) {
            list_batch(&listing);
        }
    }
    list_batch(&listing);
}

void cloth_contact_list_near(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cloth->nears; i++) {
        const struct cloth_contact_near near = cloth->near[i];
        if (!is_off(cloth, &near.candidate)) {
            cloth->near[kept] = near;
            kept++;
        }
    }
    cloth->nears = kept;
    list_near(world, false);
}

void cloth_contact_begin_tick(struct sim_world *world) {
    cloth_contact_resolve(world);
    cloth_contact_tie(world);
    world->cloth_contacts->plan.made = false;
    world->cloth_contacts->order_plan.made = false;
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
    cloth->near_overflows = false;
    store_relaxed(world, (float *const[3]){cloth->predicted_x, cloth->predicted_y, cloth->predicted_z});
    list_near(world, true);
    sort_contacts(cloth);
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
