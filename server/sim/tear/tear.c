// SPDX-License-Identifier: MIT
// Tearing (PHYSICS.md 9; the plane through a particle after M. Müller et al., "Position Based Dynamics", 2006).
//
// At the end of a tick, every sheet that can tear is searched for sticks longer than `tear` times their rest length, or
// whose mean pull over the tick exceeds `tear_force`; and every rope for the latter.
// Such a stick breaks at one of its ends v: the sheet is cut there along the plane through v across the stick. Every
// edge along the cut separates its two triangles, and each connected fan of triangles left around v gets a particle of
// its own (split.c). No triangle is lost, and every edge of a triangle that had a stick keeps one: torn pieces keep
// their shape. Shear and bending sticks across the gap are removed.
//
// The sticks with most load for their limit break first, ties by index; at most TEARS_MAX of an object in a tick, and
// none that touches the surroundings of another, since a cut takes the load off its neighbours. The end where fewer
// triangles meet is split, so that a tear grows from the rim or from its tip. A stick whose ends cannot be split, as of
// a single triangle, stays.
//
// New particles are appended to the object's own, so later objects move up in the arrays, and the epoch rises. Nothing
// is allocated: when particles or sticks run out, the sheet holds.
#include "sim/tear/tear.h"

#include "sim/stick/tether.h"
#include "sim/tear/split.h"
#include "sim/tear/tearing.h"
#include "sim/world/enclosure.h"
#include "sim/world/event.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define TEARS_MAX 16u       // of an object in a tick
#define CANDIDATES_MAX 128u // number of the most loaded sticks that are tried
#define TOUCHED_MAX (TEARS_MAX * 2u)

struct candidate {
    uint32_t stick;
    float load; // (length/rest)², or of an object with a tear force the greater of such shares of its limits
};

struct candidates {
    struct candidate worst[CANDIDATES_MAX]; // the most loaded first
    uint32_t count;
};

// ---- sticks that break -------------------------------------------------------------------------------------------

static struct vec3 at_particle(const struct tearing *tearing, uint32_t index) {
    return particle_position(tearing->world, tearing->object->first + index);
}

// Sticks come in the order of their index, so an equally stretched one goes after those before it.
static void insert_candidate(struct candidates *candidates, struct candidate candidate) {
    if (candidates->count == CANDIDATES_MAX && candidates->worst[CANDIDATES_MAX - 1].load >= candidate.load) {
        return;
    }
    uint32_t at = candidates->count < CANDIDATES_MAX ? candidates->count : CANDIDATES_MAX - 1;
    while (at > 0 && candidates->worst[at - 1].load < candidate.load) {
        candidates->worst[at] = candidates->worst[at - 1];
        at--;
    }
    candidates->worst[at] = candidate;
    candidates->count += candidates->count < CANDIDATES_MAX ? 1 : 0;
}

// The share of its limits that a stick bears, squared, above 1 where it breaks; of a sheet that tears by stretch alone
// (length/rest)².
static float load_of(const struct sim_world *world, const struct object *object, uint32_t stick, float force) {
    const uint32_t a = object->first + world->stick_a[object->first_stick + stick];
    const uint32_t b = object->first + world->stick_b[object->first_stick + stick];
    const float rest = world->stick_rest[object->first_stick + stick];
    const struct vec3 delta = vec3_sub(particle_position(world, b), particle_position(world, a));
    const float squared = vec3_dot(delta, delta);
    const float limit = object->tear * object->tear;
    const bool stretched = object->tear > 0.0f && squared > limit * rest * rest;
    if (!(object->tear_force > 0.0f)) {
        return stretched ? squared / (rest * rest) : 0.0f;
    }
    const float pull = world->stick_pull[object->first_stick + stick] * force;
    const float loaded = pull > object->tear_force ? pull * pull / (object->tear_force * object->tear_force) : 0.0f;
    return scalar_max(stretched ? squared / (limit * rest * rest) : 0.0f, loaded);
}

// What turns N·s², summed over a tick, into the mean force.
static float force_scale(const struct sim_world *world) {
    const double h = (double)world_substep_seconds(world);
    return (float)(1.0 / (h * h * (double)world->state.parameters.substeps));
}

static void find_candidates(const struct sim_world *world, const struct object *object, struct candidates *candidates) {
    const float force = force_scale(world);
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
        for (stick = bends ? end : stick; stick < end; stick++) {
            const float load = load_of(world, object, stick, force);
            if (load > 0.0f) {
                insert_candidate(candidates, (struct candidate){stick, load});
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

// A rope loses the stick that bears most, whose load its others are rid of then.
static void tear_rope(struct sim_world *world, struct object *rope, uint32_t stick) {
    struct tearing tearing = {.world = world, .object = rope};
    uint32_t *a = &world->stick_a[rope->first_stick + stick];
    event_add(world, SIM_EVENT_TORN, rope->id, *a, world->stick_b[rope->first_stick + stick]);
    *a = TEAR_GONE;
    tear_begin(&tearing, 0);
    tear_finish(&tearing);
}

static bool tear_object(struct sim_world *world, struct object *object) {
    struct candidates candidates = {.count = 0};
    find_candidates(world, object, &candidates);
    if (candidates.count == 0) {
        return false;
    }
    if (object->kind == SIM_KIND_ROPE) {
        tear_rope(world, object, candidates.worst[0].stick);
        return true;
    }
    const uint32_t particles_before = object->particles;
    struct tearing tearing = {.world = world, .object = object};
    tear_begin(&tearing, 4 * TEARS_MAX);
    const uint32_t tears = tear_worst(&tearing, &candidates);
    tear_finish(&tearing);
    if (tears > 0) {
        tether_cut(world, object, particles_before);
        enclosure_open(object);
    }
    return tears > 0;
}

void tear_update(struct sim_world *world) {
    bool torn = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if ((object->tear > 0.0f || object->tear_force > 0.0f) && object_is_active(object)) {
            torn |= tear_object(world, object);
        }
    }
    if (torn) {
        layout_changed(world);
    }
}
