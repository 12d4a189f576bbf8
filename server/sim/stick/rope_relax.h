// SPDX-License-Identifier: MIT
// A compliant rope, solved as a whole (rope_relax.c).
#ifndef WEFT_SIM_STICK_ROPE_RELAX_H
#define WEFT_SIM_STICK_ROPE_RELAX_H

#include "sim/world/world.h"

// Scratch of a particle while its rope is relaxed.
struct rope_row {
    // The spring from this particle to the next.
    double n[3];
    double along, across; // kg: K = across + (along − across)·n·nᵀ
    double pull;          // kg·m, C/α̃ + λ: the impulse that it has yet to apply
    // This particle's block, eliminated: L·D·Lᵀ, and the right-hand side. Pinned: `held`.
    double l10, l20, l21, d0, d1, d2;
    double y[3]; // kg·m; after substitution Δ, in m
    bool held;
    uint32_t stick; // between them, of the world
};

// True if an object is a rope as rope.c makes it, whole or cut; an archive may hold others.
bool rope_is_chain(const struct object *object);
// One iteration over a rope with a stretch compliance above 0.
void rope_relax(const struct sim_world *world, const struct object *rope);

#endif
