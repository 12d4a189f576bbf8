// SPDX-License-Identifier: MIT
// The kernels that run several particles or sticks at once, for the widest vectors that this machine has. All widths
// give the same bits: each lane does what scalar code would (simd_lanes.h), and no two lanes touch one particle.
#ifndef WEFT_SIM_SIMD_SIMD_H
#define WEFT_SIM_SIMD_SIMD_H

#include "sim/simd/kernel.h"

// The formula of a stick, kernel.h.
enum stick_form { STICK_EXACT, STICK_APPROXIMATE, STICK_START, STICK_COMPLIANT };

// Sticks whose ends lie side by side. Particle indices are local to the object.
//   apart   a + i     and b + i
//   pairs   a + 2i    and a + 2i + 1
//   twos    a, a + 1, a + 4, a + 5, … and the particle two further on; count is even
enum stick_run_shape { STICK_RUN_APART, STICK_RUN_PAIRS, STICK_RUN_TWOS };
struct stick_run {
    uint32_t a, b;
    uint32_t count; // of sticks
    uint32_t shape; // enum stick_run_shape
    float rest;     // m, of all of them
};

// Numbers of a particle in a block: `ahead`, w, off, and one that fills up.
#define SIMD_BLOCK 8u

// Sticks of one colour from anywhere.
struct stick_batches {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    float *lambda;         // N·s², of compliant sticks
    float alpha;           // kg⁻¹, of compliant sticks: their compliance over h²
    uint32_t count;
};

// Tethers of a row of a lattice: of `count` particles from `first` on, all to the particle `pin`, or each to the one
// `step` beside that of the one before. Local indices.
struct simd_tethers {
    uint32_t first, count, pin, step;
    float across;       // columns from the first one's pin to it
    float shift;        // columns by which its row lies aside
    float spacing;      // m
    float down_squared; // m², from the pins' row
};

// Integration: the arrays of each axis, of the whole world.
struct simd_axes {
    float *x[3];           // m
    float *low[3];         // m, what rounding left out of x
    float *d[3];           // m per substep
    float *ahead[3];       // m, where d takes it, rounded
    float *off[3];         // m, from there: p = ahead + off
    const float *f[3];     // N
    const float *w;        // 1/kg
    float *begun[3];       // m: x when relaxation began, where there are obstacles
    const float *start[3]; // m: where `extent` and `outcodes` take particles to come from, x unless set otherwise
};
// Where particles are at a substep's start, x, or where relaxation has brought them, p.
enum simd_positions { SIMD_START, SIMD_RELAXED };
struct simd_motion {
    float keep;
    float h2;              // s²
    float gravity[3];      // m/s²
    float longest_squared; // m²
};

// A simple obstacle, as balls of one radius and friction meet it.
struct simd_obstacle {
    enum sim_obstacle_shape shape;
    struct vec3 position; // m; of a capsule, where it begins
    struct vec3 axis;     // of a plane its normal, of a capsule the way to its other end
    struct vec3 half;     // m, of a box
    struct mat3 axes;     // of a box
    float reach;          // m: the ball's radius, and that of a sphere or a capsule
    float friction;       // of the pair
    float deep;           // m: what was deeper when the substep began goes no deeper,
    bool whole;           // of an object that is let out as a whole; behind a plane all of it goes one way
    float eased;          // m: and is let out by this much
};

// Of wind.c: the sideways share of a full gust; from what share of its speed that the air takes from a particle in a
// substep on its force is eased; and a bound on a quotient.
#define WIND_GUST_TURN 0.3f
#define WIND_EASED_FROM 0.02f
#define WIND_AHEAD_MAX 1e6f

// The air of a tick.
struct wind_air {
    struct vec3 velocity;   // m/s, without gusts
    struct vec3 sideways;   // m/s, as fast, level and across
    float slow, fast, turn; // turns: how far the gusts have come, less whole ones
    float gust;
    float per_second; // substeps
};
struct wind_job {
    struct wind_air air;
    struct simd_axes axes;
    float density;       // kg/m³
    float h;             // s, a substep
    struct vec3 gravity; // m/s²
    float *push[3];      // N, of the air on each particle
    float *drag;         // kg/s, by how much that would grow with the speed, divided by 2
    float *force[3];     // N, all forces on each particle
};

struct simd_kernels {
    unsigned lanes;
    void (*relax_runs)(const struct kernel_particles *at, const struct stick_run *runs, uint32_t count,
                       enum stick_form form);
    // `block` holds `ahead`, w and off of each particle; lanes without a stick work on the particle `spare`, which has
    // w = 0.
    void (*relax_colour)(float *block, const struct stick_batches *sticks, uint32_t spare, enum stick_form form);
    void (*fill_block)(float *block, const struct kernel_particles *at, uint32_t count);
    void (*drain_block)(const float *block, const struct kernel_particles *at, uint32_t count);
    // The same for as many objects as there are lanes, all alike and of `particles` each, one behind the other: the
    // block holds x of `ahead` of a particle of each, then y, z, w and the offsets; `lambda` has one a lane for each
    // stick.
    void (*relax_shared)(float *block, const struct stick_batches *sticks, enum stick_form form);
    void (*fill_shared)(float *block, const struct kernel_particles *at, uint32_t particles);
    void (*drain_shared)(const float *block, const struct kernel_particles *at, uint32_t particles);
    void (*hold)(const struct kernel_particles *at, const struct simd_tethers *tethers); // within reach, tether.c
    // d' = keep·d + (gravity + f·w)·h² where w > 0, and ahead + off = x + low + d'; whether some d' is too long or not
    // finite.
    bool (*integrate)(const struct simd_axes *axes, const struct simd_motion *motion, uint32_t first, uint32_t end);
    void (*advance)(const struct simd_axes *axes, uint32_t first, uint32_t end); // ahead + off = x + low + d
    // d becomes what led from x + low to ahead + off, and low what rounding leaves out of these; that goes to `ahead`.
    void (*settle)(const struct simd_axes *axes, uint32_t first, uint32_t end);
    bool (*exceeds)(const struct simd_axes *axes, float longest_squared, uint32_t first, uint32_t end);
    // Positions along an axis, in steps modulo `turn`, a power of two of at most 2¹⁶; rounded towards zero (still.c).
    void (*steps)(const float *position, float per_metre, float turn, int16_t *steps, uint32_t count);
    // Pushes particles out of an obstacle, with friction (contact_particle.c); whether any was in it.
    bool (*collide)(const struct simd_axes *axes, const struct simd_obstacle *obstacle, uint32_t first, uint32_t end);
    // The box around points; what is not a number is left out.
    void (*box)(const struct simd_axes *axes, enum simd_positions at, uint32_t first, uint32_t end, float min[3],
                float max[3]);
    // The box around particles at their start and at p, likewise; returns the square of the longest way between, in m².
    float (*extent)(const struct simd_axes *axes, uint32_t first, uint32_t end, float min[3], float max[3]);
    // Beyond which of a box's six sides a particle stays all the way from its start to p, by `margin` or more: a bit
    // for each.
    void (*outcodes)(const struct simd_axes *axes, struct vec3 min, struct vec3 max, float margin, uint32_t first,
                     uint32_t end, uint8_t *outcode);
    // Adds to `push` and `drag` what the air does to a row of quads between the particles from `a` and from `below` on.
    void (*wind_row)(const struct wind_job *job, uint32_t a, uint32_t below, uint32_t quads, bool crossed);
    // Adds `push`, eased, to `force`; returns the largest share of its speed that a particle loses to the air in a
    // substep (wind.c).
    float (*wind_ease)(const struct wind_job *job, uint32_t first, uint32_t end);
    // Where from `first` on the next `lanes` particles, one of which may lie outside, begin; `end` where none does.
    uint32_t (*outside)(const struct simd_axes *axes, struct vec3 min, struct vec3 max, uint32_t first, uint32_t end);
};

// The kernels of `lanes` (4, 8 or 16), or with 0 the widest there are; NULL where this machine has no such vectors.
const struct simd_kernels *simd_kernels_of(unsigned lanes);

#endif
