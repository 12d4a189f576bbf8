// SPDX-License-Identifier: MIT
// Colours sticks so that no two of a colour share a particle.
//
// A set of 64 colours per particle is one word. Where more colours are needed, a further round with empty sets assigns
// the next 64 to the sticks that are left; a stick is left only when both ends exhaust the round, so the result is that
// of one greedy pass over all colours. With at most SIM_VALENCE_MAX sticks at a particle there are at most 32 rounds.
#include "sim/stick/colour.h"

#define COLOURS_IN_ROUND 64u
#define UNCOLOURED UINT32_MAX

// Assigns the lowest free colours of a round; `order` holds each stick's colour meanwhile.
static uint32_t colour_round(struct stick_list sticks, uint64_t *taken, uint32_t *colour, uint32_t base) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < sticks.count; i++) {
        if (colour[i] != UNCOLOURED) {
            continue;
        }
        const uint64_t used = taken[sticks.a[i]] | taken[sticks.b[i]];
        if (used == UINT64_MAX) {
            left++;
            continue;
        }
        const uint64_t lowest = ~used & (used + 1);
        taken[sticks.a[i]] |= lowest;
        taken[sticks.b[i]] |= lowest;
        colour[i] = base + (uint32_t)__builtin_ctzll(lowest);
    }
    for (uint32_t i = 0; i < sticks.count; i++) {
        taken[sticks.a[i]] = 0;
        taken[sticks.b[i]] = 0;
    }
    return left;
}

uint32_t colour_sticks(struct stick_list sticks, uint64_t *taken, uint32_t *colour) {
    for (uint32_t i = 0; i < sticks.count; i++) {
        colour[i] = UNCOLOURED;
    }
    uint32_t base = 0;
    while (colour_round(sticks, taken, colour, base) > 0) {
        base += COLOURS_IN_ROUND;
    }
    uint32_t colours = 0;
    for (uint32_t i = 0; i < sticks.count; i++) {
        colours = colour[i] + 1 > colours ? colour[i] + 1 : colours;
    }
    return colours;
}

void colour_sort(const uint32_t *colour, uint32_t count, uint32_t colours, uint32_t *end, uint32_t *order) {
    memset(end, 0, colours * sizeof *end);
    for (uint32_t i = 0; i < count; i++) {
        end[colour[i]]++;
    }
    uint32_t sum = 0;
    for (uint32_t c = 0; c < colours; c++) {
        const uint32_t size = end[c];
        end[c] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[end[colour[i]]] = i;
        end[colour[i]]++;
    }
}

void colour_append(struct sim_world *world, struct object *object, const struct stick_batch *batch) {
    const struct stick_list list = {batch->a, batch->b, batch->count};
    const uint32_t first = object->first_colour + object->colours;
    const uint32_t colours = colour_sticks(list, world->colours_taken, batch->colour);
    colour_sort(batch->colour, batch->count, colours, world->colour_end + first, batch->order);
    for (uint32_t i = 0; i < batch->count; i++) {
        const uint32_t stick = object->first_stick + object->sticks + i;
        world->stick_a[stick] = batch->a[batch->order[i]];
        world->stick_b[stick] = batch->b[batch->order[i]];
        world->stick_rest[stick] = batch->rest[batch->order[i]];
    }
    for (uint32_t i = 0; i < colours; i++) {
        world->colour_end[first + i] += object->sticks;
        world->colour_class[first + i] = batch->class;
    }
    object->sticks += batch->count;
    object->colours += colours;
}
