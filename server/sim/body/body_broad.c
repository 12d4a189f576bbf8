// SPDX-License-Identifier: MIT
// The broad phase of rigid bodies: finds the pairs of boxes that overlap, in n·log n (sweep and prune).
//
// Space is cut into slabs across one axis, twice as wide as the boxes are on average. The boxes are sorted by slab and
// within a slab by their lower end along a second axis (radix sort on integers, stable, so that equal boxes stay in the
// order of creation). A box reaches into its own slab and the next at most and is swept against these two. The few
// boxes that are much larger than the rest are kept apart and compared with all.
#include "sim/body/body_broad.h"

#include "sim/body/body_pair.h"

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)
#define SLABS_MAX (DIGITS * DIGITS - 2u)
#define FEW 48u
#define GIANT_SLAB (DIGITS * DIGITS - 1u) // sorts after all other slabs
#define GIANT_FACTOR 2.0                  // times the mean extent: larger boxes are giants, and slabs are as wide

static float along(struct vec3 v, unsigned axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Maps a float to an integer in the same order.
static uint32_t sort_key(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

// ---- sorting -----------------------------------------------------------------------------------------------------

// Sorts the axes by the variance of the boxes' lower ends, largest first.
static void choose_axes(const struct sim_world *world, unsigned axes[3]) {
    double sum[3] = {0.0, 0.0, 0.0};
    double squares[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < world->body_parts; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const double at = (double)along(world->body_part[i].low, axis);
            sum[axis] += at;
            squares[axis] += at * at;
        }
    }
    double variance[3];
    for (unsigned axis = 0; axis < 3; axis++) {
        variance[axis] = squares[axis] - sum[axis] * sum[axis] / (double)world->body_parts;
        axes[axis] = axis;
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 2; k++) {
            if (variance[axes[k + 1]] > variance[axes[k]]) {
                const unsigned other = axes[k];
                axes[k] = axes[k + 1];
                axes[k + 1] = other;
            }
        }
    }
}

static uint32_t slab_of(const struct body_broad *broad, float low) {
    const double slab = ((double)low - broad->base) / broad->width;
    return slab > 0.0 ? (slab < (double)SLABS_MAX ? (uint32_t)slab : SLABS_MAX) : 0;
}

static void set_slabs(struct sim_world *world) {
    struct body_broad *broad = &world->body_broad;
    double sum[2] = {0.0, 0.0};
    broad->base = 1e30;
    for (uint32_t i = 0; i < world->body_parts; i++) {
        const struct body_part *part = &world->body_part[i];
        for (unsigned k = 0; k < 2; k++) {
            sum[k] += (double)along(part->high, broad->axis[k]) - (double)along(part->low, broad->axis[k]);
        }
        const double low = (double)along(part->low, broad->axis[1]);
        broad->base = low < broad->base ? low : broad->base;
    }
    const double count = (double)world->body_parts;
    broad->reach = (float)(GIANT_FACTOR * sum[0] / count);
    broad->width = GIANT_FACTOR * sum[1] / count;
}

static bool is_giant(const struct body_broad *broad, const struct body_part *part) {
    const float reach = along(part->high, broad->axis[0]) - along(part->low, broad->axis[0]);
    const double width = (double)along(part->high, broad->axis[1]) - (double)along(part->low, broad->axis[1]);
    return reach > broad->reach || width > broad->width;
}

static void sort_by_digit(struct sim_world *world, const uint32_t *key, unsigned shift) {
    uint32_t end[DIGITS] = {0};
    const uint32_t count = world->body_parts;
    for (uint32_t i = 0; i < count; i++) {
        end[key[i] >> shift & (DIGITS - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t here = end[digit];
        end[digit] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t part = world->body_order[i];
        uint32_t *place = &end[key[part] >> shift & (DIGITS - 1)];
        world->body_order_other[*place] = part;
        (*place)++;
    }
    uint32_t *const sorted = world->body_order_other;
    world->body_order_other = world->body_order;
    world->body_order = sorted;
}

// Sorts by the lower bits of the keys. A small number is sorted by insertion, which is faster than counting digits.
static void sort_stably(struct sim_world *world, unsigned bits) {
    const uint32_t *key = world->body_key;
    uint32_t *order = world->body_order;
    if (world->body_parts > FEW) {
        for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
            sort_by_digit(world, key, shift);
        }
        return;
    }
    for (uint32_t i = 1; i < world->body_parts; i++) {
        const uint32_t part = order[i];
        uint32_t at = i;
        for (; at > 0 && key[order[at - 1]] > key[part]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = part;
    }
}

void body_broad_sort(struct sim_world *world) {
    struct body_broad *broad = &world->body_broad;
    choose_axes(world, broad->axis);
    set_slabs(world);
    for (uint32_t i = 0; i < world->body_parts; i++) {
        world->body_order[i] = i;
        world->body_key[i] = sort_key(along(world->body_part[i].low, broad->axis[0]));
    }
    sort_stably(world, 32);
    for (uint32_t i = 0; i < world->body_parts; i++) {
        const struct body_part *part = &world->body_part[i];
        world->body_key[i] = is_giant(broad, part) ? GIANT_SLAB : slab_of(broad, along(part->low, broad->axis[1]));
    }
    sort_stably(world, 2 * DIGIT_BITS);
    broad->giants = world->body_parts;
    for (uint32_t i = 0; i < world->body_parts; i++) { // contiguous copies of the data that the sweep reads
        const uint32_t place = world->body_order[i];
        struct body_interval *at = &world->body_interval[i];
        at->part = place;
        at->slab = world->body_key[place];
        broad->giants = at->slab == GIANT_SLAB && i < broad->giants ? i : broad->giants;
        for (unsigned k = 0; k < 3; k++) {
            at->low[k] = along(world->body_part[place].low, broad->axis[k]);
            at->high[k] = along(world->body_part[place].high, broad->axis[k]);
        }
    }
}

// ---- sweep -------------------------------------------------------------------------------------------------------

static bool are_apart(const struct body_interval *a, const struct body_interval *b) {
    return (a->low[1] > b->high[1]) | (a->high[1] < b->low[1]) | (a->low[2] > b->high[2]) | (a->high[2] < b->low[2]) |
           (a->low[0] > b->high[0]) | (a->high[0] < b->low[0]);
}

static void meet(struct sim_world *world, const struct body_interval *a, const struct body_interval *b) {
    if (!are_apart(a, b)) {
        const bool in_turn = a->part < b->part;
        body_pair_detect(world, &world->body_part[in_turn ? a->part : b->part],
                         &world->body_part[in_turn ? b->part : a->part]);
    }
}

// The first of the sorted boxes that is not before (slab, low).
static uint32_t first_from(const struct sim_world *world, uint32_t slab, float low) {
    const struct body_interval *at = world->body_interval;
    uint32_t first = 0;
    uint32_t end = world->body_broad.giants;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (at[middle].slab < slab || (at[middle].slab == slab && at[middle].low[0] < low)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

void body_broad_pairs(struct sim_world *world) {
    const struct body_interval *at = world->body_interval;
    const uint32_t small = world->body_broad.giants;
    uint32_t next = 0; // first box of the next slab that can overlap boxes from here on
    for (uint32_t i = 0; i < small; i++) {
        for (uint32_t j = i + 1; j < small && at[j].slab == at[i].slab && at[j].low[0] <= at[i].high[0]; j++) {
            meet(world, &at[i], &at[j]);
        }
        if (i == 0 || at[i].slab != at[i - 1].slab) {
            next = first_from(world, at[i].slab + 1, -SIM_POSITION_MAX * 8.0f);
        }
        const float low = at[i].low[0] - world->body_broad.reach;
        while (next < small && at[next].slab == at[i].slab + 1 && at[next].low[0] < low) {
            next++;
        }
        for (uint32_t j = next; j < small && at[j].slab == at[i].slab + 1 && at[j].low[0] <= at[i].high[0]; j++) {
            meet(world, &at[i], &at[j]);
        }
    }
    for (uint32_t i = small; i < world->body_parts; i++) {
        for (uint32_t j = 0; j < i; j++) {
            meet(world, &at[i], &at[j]);
        }
    }
}

void body_broad_meet(struct sim_world *world, const struct body_part *part, body_visit *visit, void *context) {
    const struct body_broad *broad = &world->body_broad;
    const struct body_interval *at = world->body_interval;
    struct body_interval mine;
    for (unsigned k = 0; k < 3; k++) {
        mine.low[k] = along(part->low, broad->axis[k]);
        mine.high[k] = along(part->high, broad->axis[k]);
    }
    const uint32_t first_slab = slab_of(broad, (float)((double)mine.low[1] - broad->width));
    const uint32_t last_slab = slab_of(broad, mine.high[1]);
    const float low = mine.low[0] - broad->reach;
    uint32_t i = first_from(world, first_slab, low);
    while (i < broad->giants && at[i].slab <= last_slab) {
        if (at[i].low[0] > mine.high[0]) { // continues with the next slab
            i = first_from(world, at[i].slab + 1, low);
        } else if (at[i].low[0] < low) {
            i = first_from(world, at[i].slab, low);
        } else {
            if (!are_apart(&at[i], &mine)) {
                visit(world, &world->body_part[at[i].part], part, context);
            }
            i++;
        }
    }
    for (i = broad->giants; i < world->body_parts; i++) {
        if (!are_apart(&at[i], &mine)) {
            visit(world, &world->body_part[at[i].part], part, context);
        }
    }
}
