// SPDX-License-Identifier: MIT
// Free sticks: constraints between any two particles or points of the world, of one object or of two.
//
// They are stored in creation order by (object, index). Their slots and colours are scratch, computed at the first tick
// after a change of layout from that list alone, so that a restored world relaxes them in the same order.
#include "sim/stick/free_stick.h"

#include <assert.h>

#include "sim/simd/kernel.h"
#include "sim/stick/colour.h"
#include "sim/stick/muscle.h"
#include "sim/stick/point_stick.h"
#include "sim/world/axes.h"
#include "sim/world/event.h"
#include "sim/world/joint.h"
#include "sim/world/layout.h"
#include "sim/world/wake.h"

// ---- relaxing ----------------------------------------------------------------------------------------------------

// The slot of an end; marks its object as being on an added stick.
static uint32_t resolve_end(const struct sim_world *world, struct sim_stick_end end) {
    struct object *object = NULL;
    const enum result found = layout_find(world, end.object, &object, NULL);
    assert(found == RESULT_OK);
    if (found != RESULT_OK) {
        return 0;
    }
    object->on_stick = true;
    return object->first + end.particle;
}

static bool is_active(const struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    return layout_find(world, id, &object, NULL) == RESULT_OK && object_is_active(object);
}

// Keeps the sticks with an end on an object that is awake, in their order.
static uint32_t keep_active(struct sim_world *world) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const uint32_t index = world->free_order[i];
        const struct free_stick *stick = &world->free_stick[index];
        if (is_active(world, stick->a.object) || is_active(world, stick->b.object)) {
            world->free_order[kept] = index;
            kept++;
        }
    }
    return kept;
}

// ---- frames ------------------------------------------------------------------------------------------------------

#define FRAME_PARTICLES_MAX 4u

static bool may_be_frame(const struct object *object) {
    const bool loose =
        object->kind == SIM_KIND_PARTICLES || object->kind == SIM_KIND_ROPE || object->kind == SIM_KIND_MESH;
    return loose && object->particles >= 2 && object->particles <= FRAME_PARTICLES_MAX;
}

// A bit for each pair of the particles 0 to 3.
static uint32_t pair_bit(uint32_t a, uint32_t b) {
    const uint32_t low = a < b ? a : b;
    const uint32_t high = a < b ? b : a;
    return 1u << (high * (high - 1) / 2 + low);
}

static uint32_t own_pairs(const struct sim_world *world, const struct object *object) {
    uint32_t pairs = 0;
    uint32_t stick = object->first_stick;
    for (uint32_t colour = object->first_colour; colour < object->first_colour + object->colours; colour++) {
        const uint8_t class = world->colour_class[colour];
        const float compliance = (class & COLOUR_BEND) != 0 ? object->bend_compliance : object->stretch_compliance;
        const bool rigid = (class & COLOUR_KIND_MASK) == SIM_STICK_EQUAL && !(compliance > 0.0f);
        for (; stick < object->first_stick + world->colour_end[colour]; stick++) {
            pairs |= rigid ? pair_bit(world->stick_a[stick], world->stick_b[stick]) : 0;
        }
    }
    return pairs;
}

static void note_pairs(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        object->pairs = may_be_frame(object) && object->panels == 0 ? (uint8_t)own_pairs(world, object) : 0;
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        const bool rigid = stick->kind == SIM_STICK_EQUAL && !(stick->compliance > 0.0f) && stick->rest_length > 0.0f &&
                           stick->a_point.carriers + stick->b_point.carriers == 0;
        struct object *object = NULL;
        if (rigid && stick->a.object == stick->b.object &&
            layout_find(world, stick->a.object, &object, NULL) == RESULT_OK && may_be_frame(object)) {
            object->pairs |= (uint8_t)pair_bit(stick->a.particle, stick->b.particle);
        }
    }
}

void free_stick_resolve(struct sim_world *world) {
    if (!world->free_sticks_stale) {
        return;
    }
    const uint32_t count = world->state.free_sticks;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].on_stick = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        world->free_slot_a[i] = resolve_end(world, world->free_stick[i].a);
        world->free_slot_b[i] = resolve_end(world, world->free_stick[i].b);
        point_stick_resolve(world, i, (const uint32_t[2]){world->free_slot_a[i], world->free_slot_b[i]});
    }
    const struct stick_list sticks = {world->free_slot_a, world->free_slot_b, count};
    const uint32_t colours = colour_sticks(sticks, world->colours_taken, world->free_colour);
    colour_sort(world->free_colour, count, colours, world->free_colour_end, world->free_order);
    note_pairs(world);
    joint_note(world);
    world->free_sticks_active = keep_active(world);
    world->free_sticks_stale = false;
}

void free_stick_begin_tick(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        world->point_stick[i].sum = (struct point){0.0, 0.0, 0.0};
    }
}

void free_stick_begin(struct sim_world *world, uint32_t k) {
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        point_stick_begin(world, i);
    }
    muscle_advance(world, k);
}

void free_stick_relax(struct sim_world *world) {
    const struct kernel_particles at = kernel_particles_at(world, 0);
    const bool exact = world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT;
    const float h = world_substep_seconds(world);
    for (uint32_t i = 0; i < world->free_sticks_active; i++) {
        const uint32_t index = world->free_order[i];
        const struct free_stick *stick = &world->free_stick[index];
        const uint32_t a = world->free_slot_a[index];
        const uint32_t b = world->free_slot_b[index];
        const float rest = world->free_length[index];
        if (world->point_stick[index].count > 0) {
            point_stick_relax(world, index);
        } else if (stick->compliance > 0.0f) {
            kernel_compliant(&at, a, b, rest, stick->kind, stick->compliance / (h * h), &world->free_lambda[index]);
        } else if (kernel_is_slack(&at, a, b, rest, stick->kind)) {
            continue;
        } else if (stick->projection == SIM_PROJECTION_START) {
            kernel_start(&at, a, b, rest);
        } else if (exact) {
            kernel_exact(&at, a, b, rest);
        } else {
            kernel_approximate(&at, a, b, rest);
        }
    }
}

// ---- breaking and removing ----------------------------------------------------------------------------------------

// The mean force over the tick, in N, above 0 where the stick pulled; of a ball joint its size.
static float force_of(const struct sim_world *world, uint32_t index) {
    const struct point sum = world->point_stick[index].sum;
    const double h = (double)world_substep_seconds(world);
    const double share = 1.0 / (h * h * (double)world->state.parameters.substeps);
    const double pull = world->free_stick[index].rest_length > 0.0f ? -sum.x : point_length(sum);
    const float force = (float)(pull * share);
    return scalar_is_finite(force) ? force : 0.0f;
}

static bool breaks(struct sim_world *world, uint32_t index) {
    struct free_stick *stick = &world->free_stick[index];
    if (!(stick->break_force > 0.0f) || (!is_active(world, stick->a.object) && !is_active(world, stick->b.object))) {
        return false;
    }
    stick->force = force_of(world, index);
    return scalar_abs(stick->force) > stick->break_force;
}

void free_stick_break(struct sim_world *world) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick stick = world->free_stick[i];
        if (breaks(world, i)) {
            event_add(world, SIM_EVENT_BROKEN, stick.a.object, stick.id, stick.b.object);
            wake_object(world, stick.a.object);
            wake_object(world, stick.b.object);
        } else {
            world->free_stick[kept] = world->free_stick[i];
            kept++;
        }
    }
    if (kept < world->state.free_sticks) {
        world->state.free_sticks = kept;
        layout_changed(world);
    }
}

void free_stick_drop_object(struct sim_world *world, uint32_t object) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        if (stick->a.object != object && stick->b.object != object) {
            world->free_stick[kept] = *stick;
            kept++;
        } else {
            wake_object(world, stick->a.object);
            wake_object(world, stick->b.object);
        }
    }
    world->state.free_sticks = kept;
}

uint32_t sim_world_stick_count(const struct sim_world *world) {
    return world->state.free_sticks;
}

struct sim_stick_view sim_world_stick_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.free_sticks);
    const struct free_stick *stick = &world->free_stick[index];
    return (struct sim_stick_view){
        .id = stick->id,
        .a = stick->a,
        .b = stick->b,
        .a_point = stick->a_point,
        .b_point = stick->b_point,
        .rest_length = stick->rest_length,
        .length = muscle_length(stick, (double)world->state.tick / (double)world->tick_hz),
        .kind = stick->kind,
        .compliance = stick->compliance,
        .projection = stick->projection,
        .target_length = stick->target_length,
        .rate = stick->rate,
        .swing = stick->swing,
        .break_force = stick->break_force,
        .force = stick->force,
    };
}
