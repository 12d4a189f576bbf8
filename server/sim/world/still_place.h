// SPDX-License-Identifier: MIT
// The stored places of particles, from which their stillness is computed.
#ifndef WEFT_SIM_WORLD_STILL_PLACE_H
#define WEFT_SIM_WORLD_STILL_PLACE_H

#include "sim/world/world.h"

#define STEP (1.0f / 262144.0f) // m: in these places are remembered
#define STEPS_TURN 65536.0f     // steps; places are stored modulo this

// Places are stored in steps of STEP, modulo 2¹⁶ steps: two places 0.25 m apart have the same value. A particle that
// moves so far in a tick is recognised by its speed; a particle that moves there in more ticks was seen in motion; a
// particle that a command puts there is woken by the command. All numbers here are exact: the kernel `steps` computes
// the same.
static inline float steps_of(float position) {
    const float steps = position * (1.0f / STEP);
    return steps - STEPS_TURN * scalar_nearest_whole(steps * (1.0f / STEPS_TURN));
}

// The path between two places, each modulo 2¹⁶, in steps.
static inline float steps_between(float now, int16_t then) {
    return (float)(int16_t)(uint16_t)(uint32_t)((int32_t)now - (int32_t)then);
}

// Stores the place of a particle that a command has placed.
void still_remember_place(struct sim_world *world, uint32_t slot);

#endif
