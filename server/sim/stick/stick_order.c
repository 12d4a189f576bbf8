// SPDX-License-Identifier: MIT
// The places are the order in which a breadth-first search reaches the particles, from one that is as far from the rest
// as possible (E. Cuthill, J. McKee, 1969): the ends of a stick lie in the same level of the search or in two that
// follow each other.
#include "sim/stick/stick_order.h"

#define STICKS_MIN 16384u // fewer sticks stay in the cache in any order
#define LEVELS_APART 4u   // mean distance of a stick's ends, in √particles, from which on an order helps
#define NOWHERE UINT32_MAX

struct order {
    uint32_t particles, sticks;
    const uint32_t *a, *b; // ends of the sticks, local
    uint32_t *place;       // of each particle, NOWHERE until it is reached
    uint32_t *queue;       // the particle at each place
    // The neighbours of particle i are in `link` from link_end[i − 1] to link_end[i].
    uint32_t *link_end, *link;
};

bool stick_order_helps(const struct sim_world *world, const struct object *object) {
    if (object->sticks < STICKS_MIN) {
        return false;
    }
    const uint32_t *a = world->stick_a + object->first_stick;
    const uint32_t *b = world->stick_b + object->first_stick;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < object->sticks; i++) {
        sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    }
    const uint64_t mean = sum / object->sticks;
    return mean * mean > (uint64_t)LEVELS_APART * LEVELS_APART * object->particles;
}

static void add_link(const struct order *order, uint32_t from, uint32_t to) {
    order->link[order->link_end[from]] = to;
    order->link_end[from]++;
}

static void link_neighbours(const struct order *order) {
    memset(order->link_end, 0, order->particles * sizeof *order->link_end);
    for (uint32_t i = 0; i < order->sticks; i++) {
        order->link_end[order->a[i]]++;
        order->link_end[order->b[i]]++;
    }
    uint32_t begin = 0;
    for (uint32_t i = 0; i < order->particles; i++) {
        const uint32_t count = order->link_end[i];
        order->link_end[i] = begin;
        begin += count;
    }
    for (uint32_t i = 0; i < order->sticks; i++) {
        add_link(order, order->a[i], order->b[i]);
        add_link(order, order->b[i], order->a[i]);
    }
}

// Gives places from `begin` on to the particles that are connected with `start`. Returns the place after the last one.
static uint32_t search(const struct order *order, uint32_t start, uint32_t begin) {
    uint32_t end = begin + 1;
    order->place[start] = begin;
    order->queue[begin] = start;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t particle = order->queue[i];
        const uint32_t first = particle == 0 ? 0 : order->link_end[particle - 1];
        for (uint32_t k = first; k < order->link_end[particle]; k++) {
            const uint32_t next = order->link[k];
            if (order->place[next] == NOWHERE) {
                order->place[next] = end;
                order->queue[end] = next;
                end++;
            }
        }
    }
    return end;
}

static void find_places(const struct order *order) {
    uint32_t placed = 0;
    memset(order->place, 0xff, order->particles * sizeof *order->place);
    for (uint32_t i = 0; i < order->particles; i++) {
        if (order->place[i] != NOWHERE) {
            continue;
        }
        const uint32_t end = search(order, i, placed);
        const uint32_t farthest = order->queue[end - 1];
        for (uint32_t k = placed; k < end; k++) {
            order->place[order->queue[k]] = NOWHERE;
        }
        placed = search(order, farthest, placed);
    }
}

static uint32_t *ends_of(const struct sim_world *world, const struct object *object) {
    return world->ordered_end + 2 * (size_t)object->first_stick;
}

// Lists the sticks of a colour, numbers `first` to before `end`, by the lower of their places, which no two share.
static void list_colour(const struct sim_world *world, const struct object *object, const struct order *order,
                        uint32_t first, uint32_t end) {
    uint32_t *stick_at = order->queue; // by place, NOWHERE where none begins
    uint32_t *a = ends_of(world, object) + first, *b = a + object->sticks;
    float *rest = world->ordered_rest + object->first_stick + first;
    memset(stick_at, 0xff, order->particles * sizeof *stick_at);
    for (uint32_t i = first; i < end; i++) {
        const uint32_t from = order->place[order->a[i]], to = order->place[order->b[i]];
        stick_at[from < to ? from : to] = i;
    }
    uint32_t listed = 0;
    for (uint32_t i = 0; i < order->particles; i++) {
        if (stick_at[i] != NOWHERE) {
            a[listed] = order->place[order->a[stick_at[i]]];
            b[listed] = order->place[order->b[stick_at[i]]];
            rest[listed] = world->stick_rest[object->first_stick + stick_at[i]];
            listed++;
        }
    }
}

void stick_order_make(const struct sim_world *world, const struct object *object) {
    const struct order order = {
        .particles = object->particles,
        .sticks = object->sticks,
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .place = world->block_place + object->first,
        .queue = world->order_queue + object->first,
        .link_end = world->order_link_end + object->first,
        .link = ends_of(world, object), // free until the sticks are listed
    };
    link_neighbours(&order);
    find_places(&order);
    uint32_t first = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        list_colour(world, object, &order, first, end);
        first = end;
    }
}

struct stick_ends stick_order_ends(const struct sim_world *world, const struct object *object, bool ordered) {
    const size_t first = object->first_stick;
    if (ordered) {
        const uint32_t *a = ends_of(world, object);
        return (struct stick_ends){a, a + object->sticks, world->ordered_rest + first};
    }
    return (struct stick_ends){world->stick_a + first, world->stick_b + first, world->stick_rest + first};
}

const uint32_t *stick_order_places(const struct sim_world *world, const struct object *object) {
    return world->block_place + object->first;
}
