// SPDX-License-Identifier: MIT
// Free sticks: constraints between any two particles of the world, of one object or of two.
//
// They are stored in creation order by (object, index). Their slots and colours are scratch, computed at the first tick
// after a change of layout from that list alone, so that a restored world relaxes them in the same order.
#include "sim/stick/free_stick.h"

#include <assert.h>

#include "sim/simd/kernel.h"
#include "sim/stick/colour.h"
#include "sim/world/axes.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
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
        object->pairs = may_be_frame(object) ? (uint8_t)own_pairs(world, object) : 0;
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        const bool rigid = stick->kind == SIM_STICK_EQUAL && !(stick->compliance > 0.0f);
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
    }
    const struct stick_list sticks = {world->free_slot_a, world->free_slot_b, count};
    const uint32_t colours = colour_sticks(sticks, world->colours_taken, world->free_colour);
    colour_sort(world->free_colour, count, colours, world->free_colour_end, world->free_order);
    note_pairs(world);
    world->free_sticks_active = keep_active(world);
    world->free_sticks_stale = false;
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
        if (stick->compliance > 0.0f) {
            kernel_compliant(&at, a, b, stick->rest_length, stick->kind, stick->compliance / (h * h),
                             &world->free_lambda[index]);
        } else if (kernel_is_slack(&at, a, b, stick->rest_length, stick->kind)) {
            continue;
        } else if (stick->projection == SIM_PROJECTION_START) {
            kernel_start(&at, a, b, stick->rest_length);
        } else if (exact) {
            kernel_exact(&at, a, b, stick->rest_length);
        } else {
            kernel_approximate(&at, a, b, stick->rest_length);
        }
    }
}

// ---- adding and removing -----------------------------------------------------------------------------------------

static bool touches(const struct free_stick *stick, struct sim_stick_end end) {
    return (stick->a.object == end.object && stick->a.particle == end.particle) ||
           (stick->b.object == end.object && stick->b.particle == end.particle);
}

static enum result check_end(const struct sim_world *world, struct sim_stick_end end, bool first, uint32_t *slot,
                             struct fault *fault) {
    struct object *object = NULL;
    if (layout_find(world, end.object, &object, NULL) != RESULT_OK) {
        return fault_set(fault, RESULT_NOT_FOUND, first ? "/a/object" : "/b/object",
                         "there is no object %u in this world", end.object);
    }
    if (end.particle >= object->particles) {
        return fault_set(fault, RESULT_NOT_FOUND, first ? "/a/particle" : "/b/particle",
                         "there is no particle %u in object %u, which has %u", end.particle, end.object,
                         object->particles);
    }
    uint32_t met = 0;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        met += touches(&world->free_stick[i], end) ? 1 : 0;
    }
    if (met >= SIM_VALENCE_MAX) {
        return fault_set(fault, RESULT_LIMIT, first ? "/a" : "/b", "at most %u added sticks may meet in one particle",
                         SIM_VALENCE_MAX);
    }
    *slot = object->first + end.particle;
    return RESULT_OK;
}

static enum result check_room(const struct sim_world *world, struct fault *fault) {
    const struct sim_state *state = &world->state;
    if (state->free_sticks == SIM_FREE_STICKS_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "a world holds at most %u added sticks", SIM_FREE_STICKS_MAX);
    }
    if ((uint64_t)state->sticks + state->free_sticks >= world->capacity.sticks) {
        return fault_set(fault, RESULT_LIMIT, "", "one more stick would exceed this world's limit of %u",
                         world->capacity.sticks);
    }
    const enum result result =
        layout_check_quota("sticks", 1, world->quota.used.sticks, world->quota.most.sticks, fault);
    return result == RESULT_OK ? sequence_check(world, fault) : result;
}

static enum result measure(const struct sim_world *world, uint32_t a, uint32_t b, float *rest_length,
                           struct fault *fault) {
    if (*rest_length < 0.0f) {
        const struct kernel_particles at = kernel_particles_at(world, 0);
        *rest_length = vec3_length(kernel_start_delta(&at, a, b));
        if (!(*rest_length > 0.0f)) {
            return fault_set(fault, RESULT_INVALID, "/restLength",
                             "the two particles lie in one place, so restLength must be given");
        }
    }
    if (!(*rest_length > 0.0f && *rest_length <= 4.0f * SIM_POSITION_MAX)) {
        return fault_set(fault, RESULT_INVALID, "/restLength", "restLength must be above 0 and at most %g m, got %g",
                         (double)(4.0f * SIM_POSITION_MAX), (double)*rest_length);
    }
    return RESULT_OK;
}

struct sim_stick_desc sim_stick_desc_default(void) {
    return (struct sim_stick_desc){.rest_length = -1.0f, .kind = SIM_STICK_EQUAL, .projection = SIM_PROJECTION_START};
}

static enum result check_desc(const struct sim_stick_desc *desc, struct fault *fault) {
    if ((uint32_t)desc->kind >= SIM_STICK_KIND_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/kind", "kind must be equal, atMost or atLeast");
    }
    if ((uint32_t)desc->projection >= SIM_PROJECTION_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/projection", "projection must be current or start");
    }
    return check_compliance(desc->compliance, "/compliance", fault);
}

enum result sim_stick_join(struct sim_world *world, const struct sim_stick_desc *desc, uint32_t *stick,
                           struct fault *fault) {
    uint32_t slot_a = 0;
    uint32_t slot_b = 0;
    float rest_length = desc->rest_length;
    enum result result = check_end(world, desc->a, true, &slot_a, fault);
    if (result == RESULT_OK) {
        result = check_end(world, desc->b, false, &slot_b, fault);
    }
    if (result == RESULT_OK && slot_a == slot_b) {
        result =
            fault_set(fault, RESULT_INVALID, "/b", "a stick joins two particles, got particle %u of object %u twice",
                      desc->b.particle, desc->b.object);
    }
    if (result == RESULT_OK) {
        result = check_desc(desc, fault);
    }
    if (result == RESULT_OK) {
        result = measure(world, slot_a, slot_b, &rest_length, fault);
    }
    if (result == RESULT_OK) {
        result = check_room(world, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t id = sequence_next(world);
    world->free_stick[world->state.free_sticks] = (struct free_stick){.id = id,
                                                                      .a = desc->a,
                                                                      .b = desc->b,
                                                                      .kind = desc->kind,
                                                                      .rest_length = rest_length,
                                                                      .compliance = desc->compliance,
                                                                      .projection = desc->projection};
    world->state.free_sticks++;
    layout_changed(world);
    wake_object(world, desc->a.object);
    wake_object(world, desc->b.object);
    *stick = id;
    return RESULT_OK;
}

enum result sim_stick_add(struct sim_world *world, struct sim_stick_end a, struct sim_stick_end b, float rest_length,
                          enum sim_stick_kind kind, float compliance, uint32_t *stick, struct fault *fault) {
    struct sim_stick_desc desc = sim_stick_desc_default();
    desc.a = a;
    desc.b = b;
    desc.rest_length = rest_length;
    desc.kind = kind;
    desc.compliance = compliance;
    return sim_stick_join(world, &desc, stick, fault);
}

enum result sim_stick_remove(struct sim_world *world, uint32_t stick, struct fault *fault) {
    const uint32_t count = world->state.free_sticks;
    for (uint32_t i = 0; i < count; i++) {
        if (world->free_stick[i].id == stick) {
            wake_object(world, world->free_stick[i].a.object);
            wake_object(world, world->free_stick[i].b.object);
            memmove(&world->free_stick[i], &world->free_stick[i + 1], (count - i - 1) * sizeof *world->free_stick);
            world->state.free_sticks--;
            layout_changed(world);
            (void)sequence_next(world);
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/stick", "there is no added stick %u in this world", stick);
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
    return (struct sim_stick_view){.id = stick->id,
                                   .a = stick->a,
                                   .b = stick->b,
                                   .rest_length = stick->rest_length,
                                   .kind = stick->kind,
                                   .compliance = stick->compliance,
                                   .projection = stick->projection};
}
