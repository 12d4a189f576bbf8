// SPDX-License-Identifier: MIT
// Tethers: each particle of a sheet that has them is held within reach of its nearest pin by an at-most stick (long
// range attachments; T.-Y. Kim, N. Chentanez, M. Müller, "Long Range Attachments", 2012). The reach is the length of
// the shortest way to a pin along the sheet's own sticks at rest, so a tether never pulls on what is not stretched, and
// one sweep takes the stretch out of a whole hanging cloth.
//
// A pin does not move, so a tether moves one particle only: they can be relaxed in any order with the same bits.
// Anchors and lengths follow from sticks and pins alone and are found again when those change; they are no state. A
// command that changes pins finds them itself, so that only tears are left for the tick.
#include "sim/world.h"

#define OUT_OF_REACH 3.0e38f

// The ways of one object. Of two pins as near, the one of the lower index.
struct ways {
    uint32_t *anchor;
    float *length;
};

static bool shorten(const struct ways *ways, uint32_t from, uint32_t to, float stick) {
    const float length = ways->length[from] + stick;
    const bool shorter = length < ways->length[to];
    const bool as_short = length == ways->length[to] && ways->anchor[from] < ways->anchor[to];
    if (ways->anchor[from] == TETHER_NONE || !(shorter || as_short)) {
        return false;
    }
    ways->length[to] = length;
    ways->anchor[to] = ways->anchor[from];
    return true;
}

// Index of the object's first stick that is no bending stick: a way leads along the sheet, not across its folds.
static uint32_t first_along(const struct sim_world *world, const struct object *object) {
    uint32_t first = 0;
    for (uint32_t c = 0; c < object->colours; c++) {
        if ((world->colour_class[object->first_colour + c] & COLOUR_BEND) != 0) {
            first = world->colour_end[object->first_colour + c];
        }
    }
    return first;
}

// Bellman and Ford's method, to and fro through the sticks until no way gets shorter.
static void find_ways(const struct sim_world *world, const struct object *object, const struct ways *ways) {
    const uint32_t first = first_along(world, object);
    const uint32_t *a = world->stick_a + object->first_stick;
    const uint32_t *b = world->stick_b + object->first_stick;
    const float *rest = world->stick_rest + object->first_stick;
    bool shortened = object->pins > 0;
    while (shortened) {
        shortened = false;
        for (uint32_t i = first; i < object->sticks; i++) {
            shortened |= shorten(ways, a[i], b[i], rest[i]);
            shortened |= shorten(ways, b[i], a[i], rest[i]);
        }
        for (uint32_t i = object->sticks; i > first; i--) {
            shortened |= shorten(ways, a[i - 1], b[i - 1], rest[i - 1]);
            shortened |= shorten(ways, b[i - 1], a[i - 1], rest[i - 1]);
        }
    }
}

static void find(struct sim_world *world, const struct object *object) {
    const struct ways ways = {world->tether_anchor + object->first, world->tether_length + object->first};
    for (uint32_t i = 0; i < object->particles; i++) {
        const bool pinned = (world->flags[object->first + i] & PARTICLE_PINNED) != 0;
        ways.anchor[i] = pinned ? i : TETHER_NONE;
        ways.length[i] = pinned ? 0.0f : OUT_OF_REACH;
    }
    find_ways(world, object, &ways);
}

void tether_refresh(struct sim_world *world, struct object *object) {
    if (object->tethers && object->tethers_stale) {
        find(world, object);
    }
    object->tethers_stale = false;
}

void tether_resolve(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        tether_refresh(world, &world->object[i]);
    }
}

static void hold(struct sim_world *world, uint32_t i, uint32_t pin, float reach) {
    const struct vec3 anchor = vec3_of(world->px[pin], world->py[pin], world->pz[pin]);
    const struct vec3 delta = vec3_sub(vec3_of(world->px[i], world->py[i], world->pz[i]), anchor);
    const float squared = vec3_dot(delta, delta);
    if (squared > reach * reach && world->w[i] > 0.0f) {
        const float share = reach / sqrtf(squared);
        world->px[i] = anchor.x + share * delta.x;
        world->py[i] = anchor.y + share * delta.y;
        world->pz[i] = anchor.z + share * delta.z;
    }
}

void tether_relax(struct sim_world *world) {
    for (uint32_t k = 0; k < world->state.objects; k++) {
        const struct object *object = &world->object[k];
        if (!object->tethers || object->pins == 0 || !object_is_active(object)) {
            continue;
        }
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            if (world->tether_anchor[i] != TETHER_NONE) {
                hold(world, i, object->first + world->tether_anchor[i], world->tether_length[i]);
            }
        }
    }
}
