// SPDX-License-Identifier: MIT
// The commands that add, change and remove free sticks.
#include "sim/simd/kernel.h"
#include "sim/stick/muscle.h"
#include "sim/stick/point_stick.h"
#include "sim/stick/stick_end.h"
#include "sim/world/axes.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

#define LENGTH_MAX (4.0f * SIM_POSITION_MAX)
#define RATE_MAX 1000.0f // m/s
#define PERIOD_MAX 1e6f  // s
#define PHASE_MAX 1e6f   // turns
#define FORCE_MAX 1e9f   // N
#define SAME 1e-6        // points of one object whose weights differ by no more are one point

// ---- checks ------------------------------------------------------------------------------------------------------

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

static enum result check_kinds(enum sim_stick_kind kind, enum sim_projection projection, struct fault *fault) {
    if ((uint32_t)kind >= SIM_STICK_KIND_COUNT) {
        return fault_set(fault, RESULT_INVALID, "/kind", "kind must be equal, atMost or atLeast");
    }
    return check_projection(projection, fault);
}

static enum result check_length(float length, enum sim_stick_kind kind, struct fault *fault) {
    if (length == 0.0f && kind != SIM_STICK_EQUAL) {
        return fault_set(
            fault, RESULT_INVALID, "/restLength",
            "restLength 0 makes a ball joint, which needs the kind equal; an atMost or atLeast stick has a "
            "length above 0");
    }
    if (!(length >= 0.0f && length <= LENGTH_MAX)) {
        return fault_set(fault, RESULT_INVALID, "/restLength", "restLength must be from 0 to %g m, got %g",
                         (double)LENGTH_MAX, (double)length);
    }
    return RESULT_OK;
}

static enum result check_swing(const struct free_stick *stick, struct fault *fault) {
    const struct sim_stick_swing *swing = &stick->swing;
    const float shortest =
        stick->rate > 0.0f ? scalar_min(stick->rest_length, stick->target_length) : stick->rest_length;
    if (swing->amplitude == 0.0f) {
        return RESULT_OK;
    }
    if (!(swing->amplitude > 0.0f && swing->amplitude < shortest)) {
        return fault_set(fault, RESULT_INVALID, "/swing/amplitude",
                         "the amplitude must be from 0 to below the rest length, which is %g m, got %g",
                         (double)shortest, (double)swing->amplitude);
    }
    const enum result result =
        check_range(swing->period, SIM_STICK_PERIOD_MIN, PERIOD_MAX, "s", "/swing/period", fault);
    return result == RESULT_OK ? check_range(swing->phase, -PHASE_MAX, PHASE_MAX, "turns", "/swing/phase", fault)
                               : result;
}

// What holds for a stick, new or changed.
static enum result check_stick(const struct free_stick *stick, struct fault *fault) {
    enum result result = check_kinds(stick->kind, stick->projection, fault);
    if (result == RESULT_OK) {
        result = check_compliance(stick->compliance, "/compliance", fault);
    }
    if (result == RESULT_OK) {
        result = check_length(stick->rest_length, stick->kind, fault);
    }
    if (result == RESULT_OK && stick->rate > 0.0f) {
        result = check_length(stick->target_length, stick->kind, fault);
    }
    if (result == RESULT_OK) {
        result = check_swing(stick, fault);
    }
    return result == RESULT_OK ? check_range(stick->break_force, 0.0f, FORCE_MAX, "N", "/breakForce", fault) : result;
}

// A swing without an amplitude is none.
static struct sim_stick_swing swing_of(struct sim_stick_swing swing) {
    const struct sim_stick_swing none = {0};
    return swing.amplitude == 0.0f ? none : swing;
}

// ---- adding ------------------------------------------------------------------------------------------------------

static bool is_one_point(const struct point_stick *points) {
    bool one = true;
    for (uint32_t i = 0; i < points->count; i++) {
        one = one && points->weight[i] <= SAME && points->weight[i] >= -SAME;
    }
    return one;
}

static float distance_of(const struct sim_world *world, const struct free_stick *stick, const uint32_t slot[2]) {
    if (stick->a_point.carriers + stick->b_point.carriers == 0) {
        const struct kernel_particles at = kernel_particles_at(world, 0);
        return vec3_length(kernel_start_delta(&at, slot[0], slot[1]));
    }
    const struct point_stick points = point_stick_of(stick, slot);
    return (float)point_length(point_stick_span(world, &points));
}

// What its swing adds to a length at present.
static float swing_now(const struct sim_world *world, const struct free_stick *stick) {
    const bool sound = stick->swing.period >= SIM_STICK_PERIOD_MIN && scalar_is_finite(stick->swing.phase) &&
                       scalar_is_finite(stick->swing.amplitude);
    return sound ? muscle_length(stick, (double)world->state.tick / (double)world->tick_hz) : 0.0f;
}

static enum result measure(const struct sim_world *world, struct free_stick *stick, const uint32_t slot[2],
                           struct fault *fault) {
    if (stick->rest_length < 0.0f) {
        const float distance = distance_of(world, stick, slot);
        stick->rest_length = 0.0f;
        stick->rest_length = distance - swing_now(world, stick);
        if (!(distance > 0.0f)) {
            return fault_set(fault, RESULT_INVALID, "/restLength",
                             "the two ends lie in one place, so restLength must be given; 0 makes a ball joint");
        }
    }
    return RESULT_OK;
}

struct sim_stick_desc sim_stick_desc_default(void) {
    return (struct sim_stick_desc){.rest_length = -1.0f, .kind = SIM_STICK_EQUAL, .projection = SIM_PROJECTION_START};
}

static enum result find_ends(const struct sim_world *world, const struct sim_stick_desc *desc, struct free_stick *stick,
                             uint32_t slot[2], struct fault *fault) {
    struct stick_end ends[2];
    enum result result = stick_end_find(world, desc->a, &desc->a_place, true, &ends[0], fault);
    if (result == RESULT_OK) {
        result = stick_end_find(world, desc->b, &desc->b_place, false, &ends[1], fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    stick->a = ends[0].end;
    stick->b = ends[1].end;
    stick->a_point = ends[0].point;
    stick->b_point = ends[1].point;
    slot[0] = ends[0].slot;
    slot[1] = ends[1].slot;
    const struct point_stick points = point_stick_of(stick, slot);
    if (!is_one_point(&points)) {
        return RESULT_OK;
    }
    if (stick->a_point.carriers + stick->b_point.carriers > 0) {
        return fault_set(fault, RESULT_INVALID, "/b", "a stick joins two points, got one point of object %u twice",
                         stick->b.object);
    }
    return fault_set(fault, RESULT_INVALID, "/b", "a stick joins two particles, got particle %u of object %u twice",
                     stick->b.particle, stick->b.object);
}

enum result sim_stick_join(struct sim_world *world, const struct sim_stick_desc *desc, uint32_t *stick,
                           struct fault *fault) {
    uint32_t slot[2] = {0, 0};
    struct free_stick made = {.kind = desc->kind,
                              .rest_length = desc->rest_length,
                              .compliance = desc->compliance,
                              .projection = desc->projection,
                              .swing = swing_of(desc->swing),
                              .break_force = desc->break_force};
    enum result result = find_ends(world, desc, &made, slot, fault);
    if (result == RESULT_OK) {
        result = measure(world, &made, slot, fault);
    }
    if (result == RESULT_OK) {
        result = check_stick(&made, fault);
    }
    if (result == RESULT_OK) {
        result = check_room(world, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.id = sequence_next(world);
    world->free_stick[world->state.free_sticks] = made;
    world->state.free_sticks++;
    layout_changed(world);
    wake_object(world, made.a.object);
    wake_object(world, made.b.object);
    *stick = made.id;
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

// ---- changing and removing ---------------------------------------------------------------------------------------

static enum result find_stick(const struct sim_world *world, uint32_t id, uint32_t *index, struct fault *fault) {
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        if (world->free_stick[i].id == id) {
            *index = i;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/stick", "there is no added stick %u in this world", id);
}

static enum result check_rate(const struct sim_stick_change *change, struct fault *fault) {
    if (change->rate == NULL) {
        return RESULT_OK;
    }
    if (change->rest_length == NULL) {
        return fault_set(fault, RESULT_INVALID, "/rate", "a rate needs the restLength to which the length moves");
    }
    return check_range(*change->rate, 0.0f, RATE_MAX, "m/s", "/rate", fault);
}

static void set_length(struct free_stick *stick, float length, float rate) {
    const bool moves = rate > 0.0f && length != stick->rest_length;
    stick->rest_length = moves ? stick->rest_length : length;
    stick->rest_low = moves ? stick->rest_low : 0.0f;
    stick->target_length = moves ? length : 0.0f;
    stick->rate = moves ? rate : 0.0f;
}

enum result sim_stick_set(struct sim_world *world, uint32_t stick, struct sim_stick_change change,
                          struct fault *fault) {
    uint32_t index = 0;
    enum result result = find_stick(world, stick, &index, fault);
    if (result == RESULT_OK) {
        result = check_rate(&change, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct free_stick made = world->free_stick[index];
    made.kind = change.kind != NULL ? *change.kind : made.kind;
    made.compliance = change.compliance != NULL ? *change.compliance : made.compliance;
    made.swing = change.swing != NULL ? swing_of(*change.swing) : made.swing;
    made.break_force = change.break_force != NULL ? *change.break_force : made.break_force;
    made.force = made.break_force > 0.0f ? made.force : 0.0f;
    if (change.rest_length != NULL) {
        set_length(&made, *change.rest_length, change.rate != NULL ? *change.rate : 0.0f);
    }
    result = check_stick(&made, fault);
    if (result != RESULT_OK) {
        return result;
    }
    world->free_stick[index] = made;
    world->free_sticks_stale = true;
    wake_object(world, made.a.object);
    wake_object(world, made.b.object);
    (void)sequence_next(world);
    return RESULT_OK;
}

enum result sim_stick_remove(struct sim_world *world, uint32_t stick, struct fault *fault) {
    uint32_t index = 0;
    const enum result result = find_stick(world, stick, &index, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t after = world->state.free_sticks - index - 1;
    wake_object(world, world->free_stick[index].a.object);
    wake_object(world, world->free_stick[index].b.object);
    memmove(&world->free_stick[index], &world->free_stick[index + 1], after * sizeof *world->free_stick);
    world->state.free_sticks--;
    layout_changed(world);
    (void)sequence_next(world);
    return RESULT_OK;
}
