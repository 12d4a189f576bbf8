// SPDX-License-Identifier: MIT
// The order in which contacts are relaxed. Each push changes the next one, so the order is part of the result: it is
// computed from the motion of particles alone, not from the candidates, which may be gathered at any time.
//
// Faces are ranked along a Morton curve (by a stable sort of integers) when the tick begins, and again when many
// particles have left their skins. Pairs have the order in which the tree of boxes meets them (cloth_contact_tree.c),
// level by level. When fewer particles leave their skins an epoch begins, and the pairs of their faces move to the end.
#include "sim/cloth_contact/cloth_contact_order.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_pair.h"

#define MORTON_BITS 10u // per axis
#define DIGIT_BITS 10u
#define DIGITS (1u << DIGIT_BITS)
#define FEATURE_BITS 4u
#define PAIR_BITS (FEATURE_BITS + 2u) // two bits tell which faces of the leaves

// ---- ranks -------------------------------------------------------------------------------------------------------

static struct vec3 from_of(const struct cloth_contact_plan *plan, uint32_t slot) {
    return vec3_of(plan->from_x[slot], plan->from_y[slot], plan->from_z[slot]);
}

// Spreads the bits of a number, with two zeros between neighbours.
static uint32_t spread_bits(uint32_t value) {
    value = (value | value << 16) & 0x030000ffu;
    value = (value | value << 8) & 0x0300f00fu;
    value = (value | value << 4) & 0x030c30c3u;
    return (value | value << 2) & 0x09249249u;
}

static uint32_t cell_of(float value, float low, float scale) {
    return (uint32_t)scalar_clamp((value - low) * scale, 0.0f, (float)((1u << MORTON_BITS) - 1));
}

static float cells_per_metre(float size) {
    return size > 0.0f ? (float)((1u << MORTON_BITS) - 1) / size : 0.0f;
}

static void key_faces(struct cloth_contacts *cloth) {
    const struct vec3 first = from_of(&cloth->order_plan, cloth->face[0].corner[0]);
    struct cloth_contact_box all = {.min = first, .max = first};
    for (uint32_t i = 1; i < cloth->faces; i++) {
        cloth_contact_box_add(&all, from_of(&cloth->order_plan, cloth->face[i].corner[0]));
    }
    const struct vec3 size = vec3_sub(all.max, all.min);
    const float scale[3] = {cells_per_metre(size.x), cells_per_metre(size.y), cells_per_metre(size.z)};
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const struct vec3 p = from_of(&cloth->order_plan, cloth->face[i].corner[0]);
        cloth->key[i] = spread_bits(cell_of(p.x, all.min.x, scale[0])) |
                        spread_bits(cell_of(p.y, all.min.y, scale[1])) << 1 |
                        spread_bits(cell_of(p.z, all.min.z, scale[2])) << 2;
        cloth->order[i] = i;
    }
}

// One pass of a stable radix sort, from key and order to their spare arrays, which then take their places.
static void sort_digit(struct cloth_contacts *cloth, unsigned shift) {
    uint32_t first[DIGITS] = {0};
    for (uint32_t i = 0; i < cloth->faces; i++) {
        first[cloth->key[i] >> shift & (DIGITS - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t count = first[digit];
        first[digit] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const uint32_t digit = cloth->key[i] >> shift & (DIGITS - 1);
        cloth->key_spare[first[digit]] = cloth->key[i];
        cloth->order_spare[first[digit]] = cloth->order[i];
        first[digit]++;
    }
    uint32_t *const key = cloth->key;
    uint32_t *const order = cloth->order;
    cloth->key = cloth->key_spare;
    cloth->order = cloth->order_spare;
    cloth->key_spare = key;
    cloth->order_spare = order;
}

// Of two edges the first one belongs to the face of lower rank.
static void turn(const struct cloth_contacts *cloth, struct cloth_contact_candidate *candidate) {
    if (candidate->a % 8 >= 4 && cloth->rank[candidate->a / 8] > cloth->rank[candidate->b / 8]) {
        const uint32_t a = candidate->a;
        candidate->a = candidate->b;
        candidate->b = a;
    }
}

static void turn_all(struct cloth_contacts *cloth) {
    for (uint32_t i = 0; i < cloth->candidates; i++) {
        turn(cloth, &cloth->candidate[i]);
    }
    for (uint32_t i = 0; i < cloth->nears; i++) {
        turn(cloth, &cloth->near[i].candidate);
    }
}

static void mark_active(struct sim_world *world, uint32_t epoch) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const uint32_t object = cloth->member[m];
        if (cloth->active_epoch[object] == CLOTH_CONTACT_NEVER && object_is_active(&world->object[object])) {
            cloth->active_epoch[object] = epoch;
        }
    }
}

void cloth_contact_order_all(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    key_faces(cloth);
    for (unsigned shift = 0; shift < 3 * MORTON_BITS; shift += DIGIT_BITS) {
        sort_digit(cloth, shift);
    }
    for (uint32_t i = 0; i < cloth->faces; i++) {
        cloth->rank[cloth->order[i]] = i;
    }
    memset(cloth->epoch, 0, cloth->faces * sizeof *cloth->epoch);
    cloth->epochs = 0;
    cloth->rests = false;
    for (uint32_t m = 0; m < cloth->members; m++) {
        cloth->active_epoch[cloth->member[m]] = CLOTH_CONTACT_NEVER;
        cloth->rests = cloth->rests || !object_is_active(&world->object[cloth->member[m]]);
    }
    mark_active(world, 0);
    turn_all(cloth);
}

void cloth_contact_order_loose(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const uint8_t *loose = cloth->order_plan.loose;
    cloth->epochs++;
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const uint32_t *corner = cloth->face[i].corner;
        if ((loose[corner[0]] | loose[corner[1]] | loose[corner[2]]) != 0) {
            cloth->epoch[i] = cloth->epochs;
        }
    }
    mark_active(world, cloth->epochs);
}

// ---- places ------------------------------------------------------------------------------------------------------

static uint32_t epoch_of(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate) {
    const uint32_t a = cloth->epoch[candidate->a / 8];
    const uint32_t b = cloth->epoch[candidate->b / 8];
    return a > b ? a : b;
}

bool cloth_contact_order_has(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate) {
    if (!cloth->rests) {
        return true;
    }
    const uint32_t a = cloth->active_epoch[cloth->face[candidate->a / 8].object];
    const uint32_t b = cloth->active_epoch[cloth->face[candidate->b / 8].object];
    return epoch_of(cloth, candidate) >= (a < b ? a : b);
}

// Spreads the bits of a number, with a zero between neighbours.
static uint64_t spread_pair(uint64_t value) {
    value = (value | value << 16) & 0x0000ffff0000ffffu;
    value = (value | value << 8) & 0x00ff00ff00ff00ffu;
    value = (value | value << 4) & 0x0f0f0f0f0f0f0f0fu;
    value = (value | value << 2) & 0x3333333333333333u;
    return (value | value << 1) & 0x5555555555555555u;
}

static uint64_t key_of(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate) {
    const uint32_t rank_a = cloth->rank[candidate->a / 8];
    const uint32_t rank_b = cloth->rank[candidate->b / 8];
    const uint32_t low = rank_a < rank_b ? rank_a : rank_b;
    const uint32_t high = rank_a < rank_b ? rank_b : rank_a;
    const uint64_t leaves = spread_pair(low / CLOTH_CONTACT_LEAF_FACES) | spread_pair(high / CLOTH_CONTACT_LEAF_FACES)
                                                                              << 1;
    const uint64_t faces = low % CLOTH_CONTACT_LEAF_FACES << 1 | high % CLOTH_CONTACT_LEAF_FACES;
    const uint64_t features = candidate->a % 8 < 4 ? candidate->a % 4 + (rank_a == low ? 0 : 3)
                                                   : 6 + 3 * (candidate->a % 4) + candidate->b % 4;
    return leaves << PAIR_BITS | faces << FEATURE_BITS | features;
}

struct cloth_contact_place cloth_contact_order_of(const struct cloth_contacts *cloth,
                                                  const struct cloth_contact_candidate *candidate, uint32_t index) {
    return (struct cloth_contact_place){key_of(cloth, candidate), epoch_of(cloth, candidate), index};
}

static bool precedes(const struct cloth_contact_place *a, const struct cloth_contact_place *b) {
    return a->epoch < b->epoch || (a->epoch == b->epoch && a->key < b->key);
}

static uint32_t digit_of(const struct cloth_contact_place *place, bool epoch, unsigned shift) {
    return (uint32_t)((epoch ? place->epoch : place->key) >> shift) & (DIGITS - 1);
}

// One pass of a stable radix sort, from `place` to `place_spare`, which then change places.
static void sort_places_digit(struct cloth_contacts *cloth, uint32_t count, bool epoch, unsigned shift) {
    uint32_t first[DIGITS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        first[digit_of(&cloth->place[i], epoch, shift)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t own = first[digit];
        first[digit] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t digit = digit_of(&cloth->place[i], epoch, shift);
        cloth->place_spare[first[digit]] = cloth->place[i];
        first[digit]++;
    }
    struct cloth_contact_place *const sorted = cloth->place_spare;
    cloth->place_spare = cloth->place;
    cloth->place = sorted;
}

static void sort_places_by(struct cloth_contacts *cloth, uint32_t count, bool epoch, uint64_t most) {
    for (unsigned shift = 0; shift < 64 && most >> shift > 0; shift += DIGIT_BITS) {
        sort_places_digit(cloth, count, epoch, shift);
    }
}

bool cloth_contact_order_sort(struct cloth_contacts *cloth, uint32_t count) {
    bool sorted = true;
    bool by_key = true;
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct cloth_contact_place *place = &cloth->place[i];
        sorted = sorted && (i == 0 || precedes(place - 1, place));
        by_key = by_key && (i == 0 || place[-1].key < place->key);
        most = place->key > most ? place->key : most;
    }
    if (sorted) {
        return false;
    }
    if (!by_key) {
        sort_places_by(cloth, count, false, most);
    }
    sort_places_by(cloth, count, true, cloth->epochs);
    return true;
}
