// SPDX-License-Identifier: MIT
// Tethers: each particle of a sheet with tethers is held within reach of its nearest pin by an at-most stick (long
// range attachments; T.-Y. Kim, N. Chentanez, M. Müller, "Long Range Attachments", 2012; PHYSICS.md 7.4). The reach is
// the length of the shortest path to a pin at rest, along the sheet's own sticks or straight through a whole lattice,
// so a tether never pulls on cloth that is not stretched, and one iteration removes the stretch of a whole hanging
// cloth. Tethers come before the sticks of an iteration, which smooth the result.
//
// A pin does not move, so a tether moves one particle only: tethers can be relaxed in any order with the same bits.
// Anchors and reaches follow from sticks and pins alone, whatever happened before; they are not state. The command that
// changes pins computes them all (E. W. Dijkstra, 1959). A tear only makes paths longer: it computes the particles
// whose shortest path led through it, from the paths that are left around them. Lengths are added as whole numbers:
// rounded sums could be equal where lengths are not, and the choice of the nearest pin would depend on the past.
#include "sim/stick/tether.h"

#include "sim/simd/kernel.h"
#include "sim/simd/simd.h"
#include "sim/world/axes.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define UNITS 68719476736.0f // units of length in a metre: 2^36
#define OUT_OF_REACH (INT64_MAX / 2)
#define NOWHERE UINT32_MAX

// The shortest paths of one object. Of two equally near pins, the one with the lower index is chosen.
struct ways {
    const struct object *object;
    uint32_t *anchor;
    int64_t *way;          // in units
    uint32_t first;        // first of the object's sticks along which paths lead
    const uint32_t *a, *b; // ends of the object's sticks
    const float *rest;
    uint32_t *next; // the previous particle on the path; its own index where the path is known; NOWHERE: lost
    // Sticks that end at lost particles: those of particle i are in `link` from link_end[i − 1] to link_end[i].
    uint32_t *link_end, *link;
    // A binary heap of particles whose neighbours have yet to be updated, the nearest first; and their places in the
    // heap, or NOWHERE.
    uint32_t *heap, *place;
    uint32_t heaped;
};

static int64_t units_of(float metres) {
    return (int64_t)(metres * UNITS);
}

static struct ways ways_of(const struct sim_world *world, const struct object *object) {
    struct ways ways = {
        .object = object,
        .anchor = world->tether_anchor + object->first,
        .way = world->tether_way + object->first,
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .rest = world->stick_rest + object->first_stick,
        .next = world->tether_next,
        .link_end = world->tether_link_end,
        .link = world->tether_link,
        .heap = world->tether_heap,
        .place = world->tether_place,
    };
    // Paths lead along the sheet, not across its folds: bending sticks, which come first, are excluded.
    for (uint32_t c = 0; c < object->colours; c++) {
        if ((world->colour_class[object->first_colour + c] & COLOUR_BEND) != 0) {
            ways.first = world->colour_end[object->first_colour + c];
        }
    }
    return ways;
}

// ---- the heap ----------------------------------------------------------------------------------------------------

static void put(struct ways *ways, uint32_t place, uint32_t particle) {
    ways->heap[place] = particle;
    ways->place[particle] = place;
}

static bool is_nearer(const struct ways *ways, uint32_t p, uint32_t q) {
    return ways->way[p] < ways->way[q];
}

// Moves up a particle that is new in the heap or has come nearer.
static void rise(struct ways *ways, uint32_t particle) {
    uint32_t place = ways->place[particle];
    if (place == NOWHERE) {
        place = ways->heaped;
        ways->heaped++;
    }
    while (place > 0 && is_nearer(ways, particle, ways->heap[(place - 1) / 2])) {
        put(ways, place, ways->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(ways, place, particle);
}

static uint32_t take_nearest(struct ways *ways) {
    const uint32_t nearest = ways->heap[0];
    ways->place[nearest] = NOWHERE;
    ways->heaped--;
    if (ways->heaped == 0) {
        return nearest;
    }
    const uint32_t last = ways->heap[ways->heaped];
    uint32_t place = 0;
    for (uint32_t child = 1; child < ways->heaped; child = 2 * place + 1) {
        const bool right = child + 1 < ways->heaped && is_nearer(ways, ways->heap[child + 1], ways->heap[child]);
        child += right ? 1 : 0;
        if (!is_nearer(ways, ways->heap[child], last)) {
            break;
        }
        put(ways, place, ways->heap[child]);
        place = child;
    }
    put(ways, place, last);
    return nearest;
}

// ---- paths of lost particles -------------------------------------------------------------------------------------

static void shorten(struct ways *ways, uint32_t from, uint32_t to, float stick) {
    const int64_t way = ways->way[from] + units_of(stick);
    const bool shorter = way < ways->way[to];
    const bool as_short = way == ways->way[to] && ways->anchor[from] < ways->anchor[to];
    if (ways->next[to] != NOWHERE || ways->anchor[from] == TETHER_NONE || !(shorter || as_short)) {
        return;
    }
    ways->way[to] = way;
    ways->anchor[to] = ways->anchor[from];
    rise(ways, to);
}

static void forget_lost(struct ways *ways) {
    for (uint32_t i = 0; i < ways->object->particles; i++) {
        ways->place[i] = NOWHERE;
        ways->link_end[i] = 0;
        if (ways->next[i] == NOWHERE) {
            ways->anchor[i] = TETHER_NONE;
            ways->way[i] = OUT_OF_REACH;
        }
    }
}

// Sorts the sticks between lost particles by their ends, and starts from the sticks that lead to a lost particle.
static void link_lost(struct ways *ways) {
    for (uint32_t i = ways->first; i < ways->object->sticks; i++) {
        const bool both = ways->next[ways->a[i]] == NOWHERE && ways->next[ways->b[i]] == NOWHERE;
        ways->link_end[ways->a[i]] += both ? 1 : 0;
        ways->link_end[ways->b[i]] += both ? 1 : 0;
    }
    uint32_t end = 0;
    for (uint32_t i = 0; i < ways->object->particles; i++) {
        const uint32_t count = ways->link_end[i];
        ways->link_end[i] = end;
        end += count;
    }
    for (uint32_t i = ways->first; i < ways->object->sticks; i++) {
        const bool a_lost = ways->next[ways->a[i]] == NOWHERE;
        const bool b_lost = ways->next[ways->b[i]] == NOWHERE;
        if (a_lost && b_lost) {
            ways->link[ways->link_end[ways->a[i]]++] = i;
            ways->link[ways->link_end[ways->b[i]]++] = i;
        } else if (a_lost || b_lost) {
            shorten(ways, a_lost ? ways->b[i] : ways->a[i], a_lost ? ways->a[i] : ways->b[i], ways->rest[i]);
        }
    }
}

// With a stick too short to count, a particle may come nearer to a pin after it was taken from the heap; then it is put
// back.
static void find_lost(struct ways *ways) {
    forget_lost(ways);
    link_lost(ways);
    while (ways->heaped > 0) {
        const uint32_t p = take_nearest(ways);
        for (uint32_t i = p > 0 ? ways->link_end[p - 1] : 0; i < ways->link_end[p]; i++) {
            const uint32_t stick = ways->link[i];
            shorten(ways, p, ways->a[stick] == p ? ways->b[stick] : ways->a[stick], ways->rest[stick]);
        }
    }
}

static void find_all(const struct sim_world *world, const struct object *object) {
    struct ways ways = ways_of(world, object);
    for (uint32_t i = 0; i < object->particles; i++) {
        const bool pinned = (world->flags[object->first + i] & PARTICLE_PINNED) != 0;
        ways.next[i] = pinned ? i : NOWHERE;
        ways.anchor[i] = pinned ? i : TETHER_NONE;
        ways.way[i] = pinned ? 0 : OUT_OF_REACH;
    }
    find_lost(&ways);
}

void tether_refresh(struct sim_world *world, struct object *object) {
    if (object->tethers && object->tethers_stale) {
        find_all(world, object);
    }
    object->tethers_stale = false;
}

void tether_resolve(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        tether_refresh(world, &world->object[i]);
    }
}

// ---- after a tear ------------------------------------------------------------------------------------------------

// A path may lead along any stick whose length is the difference of two paths. It always leads towards the pin, so that
// following paths ends even where a stick is too short to count.
static void step_back(struct ways *ways, uint32_t from, uint32_t to, float stick) {
    if (ways->anchor[from] == ways->anchor[to] && ways->way[from] < ways->way[to] &&
        ways->way[from] + units_of(stick) == ways->way[to]) {
        ways->next[to] = from;
    }
}

// Follows the path of a particle to a pin or to where it is lost, and stores the result for all particles on it.
static void follow(struct ways *ways, uint32_t particle) {
    uint32_t end = particle;
    while (ways->next[end] != NOWHERE && ways->next[end] != end) {
        end = ways->next[end];
    }
    const bool lost = ways->next[end] == NOWHERE;
    while (particle != end) {
        const uint32_t next = ways->next[particle];
        ways->next[particle] = lost ? NOWHERE : particle;
        particle = next;
    }
}

void tether_cut(struct sim_world *world, const struct object *object, uint32_t particles_before) {
    if (!object->tethers) {
        return;
    }
    struct ways ways = ways_of(world, object);
    for (uint32_t i = 0; i < object->particles; i++) {
        ways.next[i] = i < particles_before && ways.anchor[i] == i ? i : NOWHERE;
        ways.anchor[i] = i < particles_before ? ways.anchor[i] : TETHER_NONE;
    }
    for (uint32_t i = ways.first; i < object->sticks; i++) {
        step_back(&ways, ways.a[i], ways.b[i], ways.rest[i]);
        step_back(&ways, ways.b[i], ways.a[i], ways.rest[i]);
    }
    for (uint32_t i = 0; i < object->particles; i++) {
        follow(&ways, i);
    }
    find_lost(&ways);
}

// ---- relaxing ----------------------------------------------------------------------------------------------------

static void hold(struct sim_world *world, uint32_t i, uint32_t pin, float reach_squared) {
    const struct kernel_particles at = kernel_particles_at(world, 0);
    const struct vec3 delta = kernel_delta(&at, pin, i);
    const float squared = vec3_dot(delta, delta);
    if (squared > reach_squared && world->w[i] > 0.0f) {
        const float back = (squared - reach_squared) / (squared + squared * sqrtf(reach_squared / squared));
        particle_shift(world, i, vec3_scale(delta, -back));
    }
}

#define LOOK_AHEAD 16u // number of anchors that are compared at once

static bool goes_on(const uint32_t *anchor, uint32_t first, uint32_t step) {
    uint32_t off = 0;
    for (uint32_t k = 0; k < LOOK_AHEAD; k++) {
        off |= anchor[k] ^ (first + k * step);
    }
    return off == 0;
}

// The number of particles of a row, from `i` on, that are held by one pin, or each by the pin `step` after that of the
// one before. A pin itself is not among them: other threads read its position.
static uint32_t count_held(const struct object *object, const uint32_t *anchor, uint32_t i, uint32_t end,
                           uint32_t *step) {
    const uint32_t first = anchor[i];
    *step = i + 1 < end && anchor[i + 1] == first + 1 ? 1 : 0;
    const uint32_t beside = object->columns - first % object->columns; // in the pins' row
    const uint32_t before = first > i && first < end ? first - i : end - i;
    const uint32_t most = *step > 0 ? (beside < end - i ? beside : end - i) : before;
    uint32_t count = 1;
    while (count + LOOK_AHEAD <= most && goes_on(anchor + i + count, first + count * *step, *step)) {
        count += LOOK_AHEAD;
    }
    while (count < most && anchor[i + count] == first + count * *step) {
        count++;
    }
    return count;
}

// While a lattice is whole, the shortest path through the sheet is the straight one, up to 8 % (grid) or 15 % (hex)
// shorter than the shortest along its sticks.
static void hold_row(const struct sim_world *world, const struct object *object, uint32_t row) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const uint32_t *anchor = world->tether_anchor + object->first;
    const bool hex = object->lattice == SIM_LATTICE_HEX;
    const float down = hex ? SIM_HALF_ROOT_3 * object->spacing : object->spacing;
    const uint32_t end = (row + 1) * object->columns;
    uint32_t count = 1;
    for (uint32_t i = row * object->columns; i < end; i += count) {
        struct simd_tethers tethers = {.first = i, .pin = anchor[i], .spacing = object->spacing};
        count = 1;
        if (anchor[i] == TETHER_NONE || anchor[i] == i) {
            continue;
        }
        count = count_held(object, anchor, i, end, &tethers.step);
        const uint32_t pin_row = anchor[i] / object->columns;
        const float y = ((float)row - (float)pin_row) * down;
        tethers.count = count;
        tethers.across = (float)(i % object->columns) - (float)(anchor[i] % object->columns);
        tethers.shift = hex ? 0.5f * ((float)(row % 2) - (float)(pin_row % 2)) : 0.0f;
        tethers.down_squared = y * y;
        world->simd->hold(&at, &tethers);
    }
}

struct rows {
    const struct sim_world *world;
    const struct object *object;
    unsigned shares;
};

static void hold_share(void *argument, unsigned share) {
    const struct rows *rows = argument;
    const uint64_t count = rows->object->rows;
    const uint32_t end = (uint32_t)(count * (share + 1) / rows->shares);
    for (uint32_t row = (uint32_t)(count * share / rows->shares); row < end; row++) {
        hold_row(rows->world, rows->object, row);
    }
}

static void hold_lattice(const struct sim_world *world, const struct object *object) {
    struct rows rows = {.world = world, .object = object, .shares = work_shares(world, object->particles)};
    work_run(world, rows.shares, hold_share, &rows);
}

static void hold_along_sticks(struct sim_world *world, const struct object *object) {
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        if (world->tether_anchor[i] != TETHER_NONE) {
            const float reach = (float)world->tether_way[i] / UNITS;
            hold(world, i, object->first + world->tether_anchor[i], reach * reach);
        }
    }
}

void tether_relax(struct sim_world *world) {
    for (uint32_t k = 0; k < world->state.objects && world->tethers_present; k++) {
        const struct object *object = &world->object[k];
        if (!object->tethers || object->pins == 0 || !object_is_active(object)) {
            continue;
        }
        if (object_is_whole_lattice(object)) {
            hold_lattice(world, object);
        } else {
            hold_along_sticks(world, object);
        }
    }
}
