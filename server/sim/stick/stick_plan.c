// SPDX-License-Identifier: MIT
// The arrangement in which an object's sticks are relaxed. Scratch, computed anew when the layout has changed.
//
//   runs    neighbouring sticks of a colour whose ends are contiguous, none of them compliant: cloth on a lattice,
//           ropes
//   block   other large sets of sticks: the particles are copied into a block and back, of a mesh whose vertices stand
//           in no order to places of their own (stick_order.h)
//   plain   one by one (stick.c)
//
// No arrangement changes a bit of the result: in each, a stick comes after all sticks of earlier colours that share a
// particle with it. The runs of a lattice use that freedom to stay in the cache: they pass through the sheet in a wave,
// in which colour k works L·k rows behind colour 0, where L is the number of rows that a stick spans. Let two runs of
// colours j < k share a particle: then the rows where they begin differ by at most L, so the keys row + L·colour do not
// put the run of k first, and of equal keys the lower colour comes first.
#include "sim/stick/stick_plan.h"

#include "sim/simd/simd.h"
#include "sim/stick/rope_relax.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_order.h"
#include "sim/stick/stick_seam.h"
#include "sim/world/work.h"

#define RUN_STICKS_MIN 4u // least mean length of runs for runs to be used
#define PLANNED_STICKS_MIN 32u
#define BLOCK_BATCH_MIN 8u // least mean number of sticks per colour for a block to be used

uint32_t stick_plan_run_capacity(const struct sim_capacity *capacity) {
    return capacity->sticks / RUN_STICKS_MIN + 1;
}

size_t stick_plan_block_capacity(const struct sim_capacity *capacity) {
    return capacity->particles + STICK_BLOCK_SPARE * (size_t)capacity->objects;
}

// An object's sticks while runs are searched.
struct sticks {
    const uint32_t *a, *b;
    const float *rest;
    uint32_t columns; // columns of a lattice, or 0
};

static uint32_t row_of(const struct sticks *sticks, uint32_t particle) {
    return sticks->columns > 0 ? particle / sticks->columns : 0;
}

// True if stick `i` lies `offset` from stick `first`, with the same rest length and in the same row.
static bool follows(const struct sticks *sticks, uint32_t first, uint32_t i, uint32_t offset) {
    return sticks->a[i] == sticks->a[first] + offset && sticks->b[i] == sticks->b[first] + offset &&
           sticks->rest[i] == sticks->rest[first] && row_of(sticks, sticks->a[i]) == row_of(sticks, sticks->a[first]);
}

// The run that begins with stick `first` and ends before `end`.
static struct stick_run run_at(const struct sticks *sticks, uint32_t first, uint32_t end) {
    const uint32_t a = sticks->a[first];
    const uint32_t b = sticks->b[first];
    struct stick_run run = {.a = a, .b = b, .count = 1, .shape = STICK_RUN_APART, .rest = sticks->rest[first]};
    uint32_t twos = 0;
    while (b == a + 2 && first + twos + 1 < end && follows(sticks, first, first + twos, 2 * twos) &&
           follows(sticks, first, first + twos + 1, 2 * twos + 1)) {
        twos += 2;
    }
    uint32_t pairs = 1;
    while (b == a + 1 && first + pairs < end && follows(sticks, first, first + pairs, 2 * pairs)) {
        pairs++;
    }
    uint32_t apart = 1;
    while (first + apart < end && follows(sticks, first, first + apart, apart)) {
        apart++;
    }
    if (twos > apart) {
        run.shape = STICK_RUN_TWOS;
        run.count = twos;
    } else if (pairs > apart) {
        run.shape = STICK_RUN_PAIRS;
        run.count = pairs;
    } else {
        run.count = apart;
    }
    return run;
}

// The result of an iteration over all runs of an object.
struct extent {
    uint32_t runs, down;
    bool descends; // true if rows rise from stick to stick of a colour and from a to b
};

static struct extent measure(const struct sim_world *world, const struct object *object, const struct sticks *sticks) {
    struct extent extent = {.descends = true};
    uint32_t first = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        uint32_t row = 0;
        while (first < end) {
            const struct stick_run run = run_at(sticks, first, end);
            const uint32_t from = row_of(sticks, run.a);
            const uint32_t to = row_of(sticks, run.b);
            extent.descends = extent.descends && from >= row && to >= from;
            extent.down = to - from > extent.down ? to - from : extent.down;
            extent.runs++;
            first += run.count;
            row = from;
        }
    }
    return extent;
}

// The rows in which the bands of a lattice begin.
struct division {
    uint32_t bands, rows, down;
};

// The section of a run: its band, or, after all bands, the seam between two bands. Let a run of colour k begin in the
// rows from B − L·(k + 1) to before B + L·k about a seam B: then it depends on both bands. All other runs of the upper
// band stay above B, all others of the lower band below, and the earlier colours that they depend on are in their band
// too.
static uint32_t section_of(const struct division *division, uint32_t colour, uint32_t row) {
    uint32_t band = 0;
    for (uint32_t i = 1; i < division->bands; i++) {
        const uint32_t begin = division->rows * i / division->bands;
        if (row + division->down * (colour + 1) >= begin && row < begin + division->down * colour) {
            return division->bands + i - 1;
        }
        band = row >= begin ? i : band;
    }
    return band;
}

// Lists a section's runs in the order of their keys; within a colour they stand in the order of their rows. Returns the
// number of runs listed.
static uint32_t list_section(const struct sim_world *world, const struct object *object, const struct sticks *sticks,
                             const struct division *division, uint32_t section, struct stick_run *to) {
    uint32_t next[STICK_PLANNED_COLOURS_MAX];
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        next[colour] = colour == 0 ? 0 : world->colour_end[object->first_colour + colour - 1];
    }
    uint32_t listed = 0;
    const uint32_t last_key = division->rows + division->down * object->colours;
    for (uint32_t key = 0; key <= last_key; key++) {
        for (uint32_t colour = 0; colour < object->colours && division->down * colour <= key; colour++) {
            const uint32_t end = world->colour_end[object->first_colour + colour];
            while (next[colour] < end) {
                const uint32_t row = row_of(sticks, sticks->a[next[colour]]);
                if (row + division->down * colour > key) {
                    break;
                }
                to[listed] = run_at(sticks, next[colour], end);
                next[colour] += to[listed].count;
                listed += section_of(division, colour, row) == section ? 1 : 0;
            }
        }
    }
    return listed;
}

// The number of threads that the sticks are worth.
static uint32_t stick_shares(const struct sim_world *world, const struct object *object) {
    const uint32_t worthwhile = object->sticks / WORK_STICKS_MIN;
    const uint32_t shares = work_shares(world, object->sticks);
    return worthwhile < shares ? (worthwhile > 1 ? worthwhile : 1) : shares;
}

// A band has to be high enough for the seams at its two ends, and large enough for a thread.
static struct division divide(const struct sim_world *world, const struct object *object, const struct sticks *sticks,
                              uint32_t down) {
    struct division division = {.bands = 1, .rows = 1, .down = down};
    if (sticks->columns > 0) {
        const uint32_t highest = object->rows / (2 * down * (object->colours + 1) + 2);
        const uint32_t shares = stick_shares(world, object);
        division.bands = shares < highest ? shares : highest > 0 ? highest : 1;
        division.rows = object->rows;
    }
    return division;
}

static void list_runs(struct sim_world *world, const struct object *object, const struct sticks *sticks,
                      struct stick_plan *plan, uint32_t down) {
    const struct division division = divide(world, object, sticks, down);
    uint32_t listed = 0;
    for (uint32_t section = 0; section < 2 * division.bands - 1; section++) {
        listed += list_section(world, object, sticks, &division, section, world->stick_run + plan->first_run + listed);
        plan->section_end[section] = listed;
    }
    plan->bands = division.bands;
}

static void divide_block(struct sim_world *world, const struct object *object, struct stick_plan *plan) {
    const uint32_t bands = stick_shares(world, object);
    plan->first_seam = world->stick_seams;
    const struct stick_ends ends = stick_order_ends(world, object, plan->ordered);
    if (bands > 1 && stick_seam_divide(world, object, &ends, bands, world->stick_seam + plan->first_seam)) {
        plan->block_bands = bands;
        world->stick_seams += (object->colours + 1) * (bands - 1);
    }
}

static bool is_plannable(const struct sim_world *world, const struct object *object) {
    if (object->sticks < PLANNED_STICKS_MIN || object->colours > STICK_PLANNED_COLOURS_MAX ||
        object->kind == SIM_KIND_BODY || object->panels > 0) {
        return false;
    }
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint8_t class = world->colour_class[object->first_colour + colour];
        if ((class & COLOUR_KIND_MASK) != SIM_STICK_EQUAL) {
            return false;
        }
    }
    return true;
}

static void plan_object(struct sim_world *world, const struct object *object, struct stick_plan *plan) {
    *plan = (struct stick_plan){.first_run = world->stick_runs, .block_bands = 1};
    if (!is_plannable(world, object)) {
        return;
    }
    struct sticks sticks = {
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .rest = world->stick_rest + object->first_stick,
        .columns = object_is_whole_lattice(object) ? object->columns : 0,
    };
    struct extent extent = measure(world, object, &sticks);
    if (!extent.descends) { // relaxed colour after colour
        sticks.columns = 0;
        extent = measure(world, object, &sticks);
    }
    if (extent.runs <= object->sticks / RUN_STICKS_MIN) {
        plan->runs = extent.runs;
        world->stick_runs += extent.runs;
        list_runs(world, object, &sticks, plan, extent.down);
    }
    plan->fits_block = object->sticks >= BLOCK_BATCH_MIN * object->colours && object->sticks >= object->particles;
    plan->ordered = plan->fits_block && stick_order_helps(world, object);
    if (plan->ordered) {
        stick_order_make(world, object);
    }
    if (plan->fits_block && stick_passes(object) == 1) {
        divide_block(world, object, plan);
    }
}

static bool is_same(const void *array, size_t size, uint32_t a, uint32_t b, uint32_t count) {
    const char *bytes = array;
    return memcmp(bytes + a * size, bytes + b * size, count * size) == 0;
}

// True if two objects have the same sticks between the same particles, in the same colours.
static bool are_alike(const struct sim_world *world, const struct object *a, const struct object *b) {
    return a->particles == b->particles && a->sticks == b->sticks && a->colours == b->colours &&
           is_same(world->colour_end, sizeof *world->colour_end, a->first_colour, b->first_colour, a->colours) &&
           is_same(world->colour_class, sizeof *world->colour_class, a->first_colour, b->first_colour, a->colours) &&
           is_same(world->stick_a, sizeof *world->stick_a, a->first_stick, b->first_stick, a->sticks) &&
           is_same(world->stick_b, sizeof *world->stick_b, a->first_stick, b->first_stick, a->sticks) &&
           is_same(world->stick_rest, sizeof *world->stick_rest, a->first_stick, b->first_stick, a->sticks);
}

static void count_alike(struct sim_world *world) {
    uint32_t alike = 0;
    for (uint32_t i = world->state.objects; i > 0; i--) {
        struct stick_plan *plan = &world->stick_plan[i - 1];
        const bool follows_suit =
            alike > 0 && plan->fits_block && are_alike(world, &world->object[i - 1], &world->object[i]);
        alike = plan->fits_block ? (follows_suit ? alike + 1 : 1) : 0;
        plan->alike = alike;
    }
}

enum stick_arrangement stick_arrangement_of(const struct sim_world *world, const struct object *object) {
    const struct stick_plan *plan = &world->stick_plan[object - world->object];
    const bool compliant = object->stretch_compliance > 0.0f || object->bend_compliance > 0.0f;
    if (object->stretch_compliance > 0.0f && rope_is_chain(object)) {
        return STICK_CHAIN;
    }
    if (object->tear_force > 0.0f) {
        return STICK_PLAIN; // so that each stick's pull is measured
    }
    if (plan->runs > 0 && !compliant) {
        return STICK_RUNS;
    }
    return plan->fits_block && object->projection != SIM_PROJECTION_START ? STICK_BLOCK : STICK_PLAIN;
}

void stick_plan_resolve(struct sim_world *world) {
    if (!world->stick_plans_stale) {
        return;
    }
    world->stick_plans_stale = false;
    world->stick_runs = 0;
    world->stick_seams = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        plan_object(world, &world->object[i], &world->stick_plan[i]);
    }
    count_alike(world);
}
