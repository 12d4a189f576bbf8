// SPDX-License-Identifier: MIT
// A length that moves at a rate is a sum of many small steps. What rounding leaves out of it is kept (rest_low), so
// that the length arrives when it should.
#include "sim/stick/muscle.h"

#include "sim/geometry/turn.h"

float muscle_length(const struct free_stick *stick, double seconds) {
    const struct sim_stick_swing *swing = &stick->swing;
    if (!(swing->amplitude > 0.0f)) {
        return stick->rest_length;
    }
    const double turns = turn_part(seconds / (double)swing->period) + turn_part((double)swing->phase);
    return (float)((double)stick->rest_length + (double)swing->amplitude * turn_sine(turns));
}

static void arrive(struct free_stick *stick) {
    stick->rest_length = stick->target_length;
    stick->rest_low = 0.0f;
    stick->target_length = 0.0f;
    stick->rate = 0.0f;
}

static void move_on(struct sim_world *world, struct free_stick *stick, float h) {
    const float way = stick->rate * h;
    const float left = (stick->target_length - stick->rest_length) - stick->rest_low;
    const bool was_joint = stick->rest_length == 0.0f;
    if (!(scalar_abs(left) > way)) {
        arrive(stick);
    } else {
        const struct place next = scalar_ahead(stick->rest_length, stick->rest_low, left > 0.0f ? way : -way);
        stick->rest_length = scalar_max(next.at, 0.0f);
        stick->rest_low = next.at > 0.0f ? next.low : 0.0f;
    }
    if ((stick->rest_length == 0.0f) != was_joint) {
        world->free_sticks_stale = true; // it is relaxed in another way from the next tick on
    }
}

void muscle_advance(struct sim_world *world, uint32_t k) {
    const float h = world_substep_seconds(world);
    const uint32_t substeps = world->state.parameters.substeps;
    const double seconds = ((double)world->state.tick + (double)(k + 1) / (double)substeps) / (double)world->tick_hz;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        struct free_stick *stick = &world->free_stick[i];
        if (stick->rate > 0.0f) {
            move_on(world, stick, h);
        }
        world->free_length[i] = muscle_length(stick, seconds);
    }
}
