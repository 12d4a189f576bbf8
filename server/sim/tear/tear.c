// SPDX-License-Identifier: MIT
// Tearing (PHYSICS.md 9; the plane through a particle after M. Müller et al., "Position Based Dynamics", 2006).
//
// At the end of a tick, every sheet that can tear is searched for sticks longer than `tear` times their rest length.
// Such a stick breaks at one of its ends v: the sheet is cut there along the plane through v across the stick. Every
// edge along the cut separates its two triangles, and each connected fan of triangles left around v gets a particle of
// its own (split.c). No triangle is lost, and every edge of a triangle that had a stick keeps one: torn pieces keep
// their shape. Shear and bending sticks across the gap are removed.
//
// The most stretched sticks break first, ties by index; at most TEARS_MAX of an object in a tick, and none that touches
// the surroundings of another, since a cut takes the load off its neighbours. The end where fewer triangles meet is
// split, so that a tear grows from the rim or from its tip. A stick whose ends cannot be split, as of a single
// triangle, stays.
//
// New particles are appended to the object's own, so later objects move up in the arrays, and the epoch rises. Nothing
// is allocated: when particles or sticks run out, the sheet holds.
#include "sim/tear/tear.h"

#include "sim/stick/tether.h"
#include "sim/tear/split.h"
#include "sim/tear/tearing.h"
#include "sim/world/event.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define TEARS_MAX 16u       // of an object in a tick
#define CANDIDATES_MAX 128u // number of the most stretched sticks that are tried
#define TOUCHED_MAX (TEARS_MAX * 2u)

struct candidate {
    uint32_t stick;
    float stretch; // (length/rest)²
};

struct candidates {
    struct candidate worst[CANDIDATES_MAX]; // the most stretched first
    uint32_t count;
};

// ---- sticks that break -------------------------------------------------------------------------------------------

static struct vec3 at_particle(const struct tearing *tearing, uint32_t index) {
    return particle_position(tearing->world, tearing->object->first + index);
}

// Sticks come in the order of their index, so an equally stretched one goes after those before it.
static void insert_candidate(struct candidates *candidates, struct candidate candidate) {
    if (candidates->count == CANDIDATES_MAX && candidates->worst[CANDIDATES_MAX - 1].stretch >= candidate.stretch) {
        return;
    }
    uint32_t at = candidates->count < CANDIDATES_MAX ? candidates->count : CANDIDATES_MAX - 1;
    while (at > 0 && candidates->worst[at - 1].stretch < candidate.stretch) {
        candidates->worst[at] = candidates->worst[at - 1];
        at--;
    }
    candidates->worst[at] = candidate;
    candidates->count += candidates->count < CANDIDATES_MAX ? 1 : 0;
}

static void find_candidates(const struct sim_world *world, const struct object *object, struct candidates *candidates) {
    const float limit = object->tear * object->tear;
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
        for (stick = bends ? end : stick; stick < end; stick++) {
            const uint32_t a = object->first + world->stick_a[object->first_stick + stick];
            const uint32_t b = object->first + world->stick_b[object->first_stick + stick];
            const float rest = world->stick_rest[object->first_stick + stick];
            const struct vec3 delta = vec3_sub(particle_position(world, b), particle_position(world, a));
            const float squared = vec3_dot(delta, delta);
            if (squared > limit * rest * rest) {
                insert_candidate(candidates, (struct candidate){stick, squared / (rest * rest)});
            }
        }
    }
}

// ---- a tick ------------------------------------------------------------------------------------------------------

struct touched {
    struct vec3 place; // m, position of a particle that was split
    float reach;       // m, length of the broken stick
};

static bool is_touched(const struct touched *touched, uint32_t count, struct vec3 p) {
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 away = vec3_sub(p, touched[i].place);
        if (vec3_dot(away, away) <= touched[i].reach * touched[i].reach) {
            return true;
        }
    }
    return false;
}

// Breaks a stick at the end where fewer triangles meet, or otherwise at the other end.
static bool tear_stick(struct tearing *tearing, uint32_t stick) {
    const uint32_t a = tearing->world->stick_a[tearing->object->first_stick + stick];
    const uint32_t b = tearing->world->stick_b[tearing->object->first_stick + stick];
    const bool b_first = split_valence(tearing, b) < split_valence(tearing, a);
    const uint32_t weak = b_first ? b : a;
    const uint32_t strong = b_first ? a : b;
    if (!split_particle(tearing, weak, strong) && !split_particle(tearing, strong, weak)) {
        return false;
    }
    event_add(tearing->world, SIM_EVENT_TORN, tearing->object->id, a, b);
    return true;
}

static uint32_t tear_worst(struct tearing *tearing, const struct candidates *candidates) {
    struct touched touched[TOUCHED_MAX];
    uint32_t tears = 0;
    for (uint32_t i = 0; i < candidates->count && tears < TEARS_MAX; i++) {
        const uint32_t stick = candidates->worst[i].stick;
        if (tear_is_gone(tearing, stick)) {
            continue;
        }
        const struct vec3 a = at_particle(tearing, tearing->world->stick_a[tearing->object->first_stick + stick]);
        const struct vec3 b = at_particle(tearing, tearing->world->stick_b[tearing->object->first_stick + stick]);
        if (is_touched(touched, 2 * tears, a) || is_touched(touched, 2 * tears, b) || !tear_stick(tearing, stick)) {
            continue;
        }
        const float reach = vec3_length(vec3_sub(b, a));
        touched[2 * tears] = (struct touched){a, reach};
        touched[2 * tears + 1] = (struct touched){b, reach};
        tears++;
    }
    return tears;
}

static bool tear_object(struct sim_world *world, struct object *object) {
    struct candidates candidates = {.count = 0};
    find_candidates(world, object, &candidates);
    if (candidates.count == 0) {
        return false;
    }
    const uint32_t particles_before = object->particles;
    struct tearing tearing = {.world = world, .object = object};
    tear_begin(&tearing, 4 * TEARS_MAX);
    const uint32_t tears = tear_worst(&tearing, &candidates);
    tear_finish(&tearing);
    if (tears > 0) {
        tether_cut(world, object, particles_before);
    }
    return tears > 0;
}

void tear_update(struct sim_world *world) {
    bool torn = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->tear > 0.0f && object_is_active(object)) {
            torn |= tear_object(world, object);
        }
    }
    if (torn) {
        layout_changed(world);
    }
}
