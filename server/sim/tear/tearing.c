// SPDX-License-Identifier: MIT
// The room and the sticks of an object while it tears: sticks that are added along edges, and the sticks afterwards.
#include "sim/tear/tearing.h"

#include "sim/world/layout.h"

static bool meets(uint32_t a, uint32_t b, uint32_t p, uint32_t q) {
    return a == p || a == q || b == p || b == q;
}

static bool colour_is_free(const struct tearing *tearing, uint32_t colour, uint32_t a, uint32_t b) {
    const struct sim_world *world = tearing->world;
    const struct object *object = tearing->object;
    for (uint32_t i = 0; i < tearing->added_count; i++) {
        const struct tear_stick *stick = &tearing->added[i];
        if (stick->colour == colour && meets(stick->a, stick->b, a, b)) {
            return false;
        }
    }
    if (colour >= object->colours) {
        return true;
    }
    const uint32_t *end = world->colour_end + object->first_colour;
    for (uint32_t i = colour > 0 ? end[colour - 1] : 0; i < end[colour]; i++) {
        const uint32_t stick = object->first_stick + i;
        if (meets(world->stick_a[stick], world->stick_b[stick], a, b)) {
            return false;
        }
    }
    return true;
}

// Sticks along edges are equal sticks without bending; so are the colours of added ones.
static uint32_t find_colour(const struct tearing *tearing, uint32_t a, uint32_t b) {
    const uint8_t *class = tearing->world->colour_class + tearing->object->first_colour;
    uint32_t colour = 0;
    while (colour < tearing->colours) {
        const bool along = colour >= tearing->object->colours || class[colour] == (uint8_t)SIM_STICK_EQUAL;
        if (along && colour_is_free(tearing, colour, a, b)) {
            break;
        }
        colour++;
    }
    return colour;
}

void tear_add_stick(struct tearing *tearing, float rest, uint32_t a, uint32_t b) {
    const uint32_t colour = find_colour(tearing, a, b);
    tearing->added[tearing->added_count] = (struct tear_stick){a, b, rest, colour};
    tearing->added_count++;
    tearing->colours = colour < tearing->colours ? tearing->colours : colour + 1;
}

static void put_stick(struct sim_world *world, uint32_t at, struct tear_stick stick) {
    world->stick_a[at] = stick.a;
    world->stick_b[at] = stick.b;
    world->stick_rest[at] = stick.rest;
}

// Removes broken sticks; colours stay, even empty ones.
static uint32_t close_gaps(struct tearing *tearing) {
    struct sim_world *world = tearing->world;
    struct object *object = tearing->object;
    uint32_t *end = world->colour_end + object->first_colour;
    uint32_t kept = 0;
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        for (; stick < end[colour]; stick++) {
            const uint32_t from = object->first_stick + stick;
            if (!tear_is_gone(tearing, stick)) {
                put_stick(world, object->first_stick + kept,
                          (struct tear_stick){world->stick_a[from], world->stick_b[from], world->stick_rest[from], 0});
                kept++;
            }
        }
        end[colour] = kept;
    }
    return kept;
}

// Moves the added sticks to the ends of their colours, from the last colour to the first.
static void insert_added(struct tearing *tearing, uint32_t sticks) {
    struct sim_world *world = tearing->world;
    struct object *object = tearing->object;
    uint32_t *end = world->colour_end + object->first_colour;
    uint32_t to = sticks + tearing->added_count;
    for (uint32_t colour = tearing->colours; colour > 0; colour--) {
        const uint32_t c = colour - 1;
        const uint32_t first = c > 0 ? end[c - 1] : 0;
        const uint32_t last = end[c];
        end[c] = to;
        for (uint32_t i = tearing->added_count; i > 0; i--) {
            if (tearing->added[i - 1].colour == c) {
                to--;
                put_stick(world, object->first_stick + to, tearing->added[i - 1]);
            }
        }
        for (uint32_t i = last; i > first; i--) {
            const uint32_t from = object->first_stick + i - 1;
            to--;
            put_stick(world, object->first_stick + to,
                      (struct tear_stick){world->stick_a[from], world->stick_b[from], world->stick_rest[from], 0});
        }
    }
}

static uint32_t drop_empty_colours(struct sim_world *world, const struct object *object) {
    uint32_t *end = world->colour_end + object->first_colour;
    uint8_t *class = world->colour_class + object->first_colour;
    uint32_t kept = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t before = kept > 0 ? end[kept - 1] : 0;
        if (end[colour] > before) {
            end[kept] = end[colour];
            class[kept] = class[colour];
            kept++;
        }
    }
    return kept;
}

void tear_begin(struct tearing *tearing, uint32_t more_particles) {
    struct sim_world *world = tearing->world;
    struct object *object = tearing->object;
    const struct sim_state *state = &world->state;
    const uint32_t most = state->room_particles > state->particles ? state->room_particles - state->particles : 0;
    tearing->particles = object->particles;
    tearing->colours = object->colours;
    tearing->added_count = 0;
    layout_resize(world, object, object->particles + (most < more_particles ? most : more_particles), object->sticks,
                  object->colours);
}

void tear_finish(struct tearing *tearing) {
    struct sim_world *world = tearing->world;
    struct object *object = tearing->object;
    const uint32_t sticks = close_gaps(tearing);
    const uint32_t before = object->colours;
    layout_resize(world, object, tearing->particles, sticks + tearing->added_count, tearing->colours);
    for (uint32_t c = before; c < tearing->colours; c++) {
        world->colour_end[object->first_colour + c] = sticks;
        world->colour_class[object->first_colour + c] = SIM_STICK_EQUAL;
    }
    insert_added(tearing, sticks);
    layout_resize(world, object, tearing->particles, object->sticks, drop_empty_colours(world, object));
}
