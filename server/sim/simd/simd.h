// SPDX-License-Identifier: MIT
// Kernels that process several particles or sticks at once, with the widest vectors of this machine. All widths give
// the same bits: each lane computes what scalar code would (simd_lanes.h), and no two lanes touch the same particle.
#ifndef WEFT_SIM_SIMD_SIMD_H
#define WEFT_SIM_SIMD_SIMD_H

#include "sim/geometry/proximity.h"
#include "sim/simd/kernel.h"

// The form of a stick's projection, kernel.h.
enum stick_form { STICK_EXACT, STICK_APPROXIMATE, STICK_START, STICK_COMPLIANT };

// Sticks whose ends are contiguous. Particle indices are local to the object.
//   apart   a + i     and b + i
//   pairs   a + 2i    and a + 2i + 1
//   twos    a, a + 1, a + 4, a + 5, … and the particles two further on; count is even
enum stick_run_shape { STICK_RUN_APART, STICK_RUN_PAIRS, STICK_RUN_TWOS };
struct stick_run {
    uint32_t a, b;
    uint32_t count; // number of sticks
    uint32_t shape; // enum stick_run_shape
    float rest;     // m, of all of its sticks
};

// Numbers per particle in a block: `ahead`, one that is not used, off and w.
#define SIMD_BLOCK 8u

// Where particles stand in a block: one after the other from `first` on, or each at its own place. Lanes without a
// particle are written to the place `spare`.
struct block_places {
    uint32_t first;
    const uint32_t *each; // NULL for one after the other
    uint32_t spare;
};

// The gaps of sticks from particle a to b, both `ahead`, in m: they stay while the sticks are relaxed again and again.
struct stick_gaps {
    float *x, *y, *z;
};
enum stick_gaps_use {
    STICK_GAPS_NONE, // not stored
    STICK_GAPS_KEEP, // computed, and stored
    STICK_GAPS_KEPT  // stored by an earlier pass
};

// Sticks of one colour, between any particles.
struct stick_batches {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    float *lambda;         // N·s², of compliant sticks
    float alpha;           // 1/kg, of compliant sticks: compliance/h²
    uint32_t count;
    struct stick_gaps gaps;
};

// Tethers of a row of a lattice: of `count` particles from `first` on, all to the particle `pin`, or each to the
// particle `step` after that of the one before. Local indices.
struct simd_tethers {
    uint32_t first, count, pin, step;
    float across;       // columns from the pin of the first particle to the particle
    float shift;        // columns by which the row is shifted
    float spacing;      // m
    float down_squared; // m², squared distance from the row of the pins
};

// The particle arrays of the whole world by axis.
struct simd_axes {
    float *x[3];           // m
    float *low[3];         // m, the rest of x that rounding left out
    float *d[3];           // m per substep
    float *ahead[3];       // m, predicted position x + low + d, rounded
    float *off[3];         // m, p = ahead + off
    const float *f[3];     // N
    const float *w;        // 1/kg
    float *begun[3];       // m: x when relaxation began; set where there are obstacles
    const float *start[3]; // m: start positions for `extent` and `outcodes`; x unless set otherwise
};
// Positions at a substep's start, x, or after relaxation so far, p.
enum simd_positions { SIMD_START, SIMD_RELAXED };
struct simd_motion {
    float keep;
    float h2;              // s²
    float gravity[3];      // m/s²
    float longest_squared; // m²
};

// A simple obstacle, for collisions with balls of one radius and friction.
struct simd_obstacle {
    enum sim_obstacle_shape shape;
    struct vec3 position; // m; of a capsule, the start of its axis
    struct vec3 axis;     // normal of a plane; axis of a capsule
    struct vec3 half;     // m, of a box
    struct mat3 axes;     // of a box
    float reach;          // m: radius of the ball plus radius of a sphere or a capsule
    float friction;       // of the pair
    float deep;           // m: depth at the substep's start from which on a particle is only eased out
    bool whole;           // true for objects that are eased out as a whole
    float eased;          // m: distance by which such particles are eased out
    // Of an obstacle that moves (struct obstacle_step), and the way of its surface along itself, in m.
    bool moves;
    struct vec3 from, shift, along;
    struct mat3 turn;
};

// Constants of wind.c: the sideways share of a full gust; the share of a particle's speed per substep above which the
// force of the air is eased; a bound of a quotient.
#define WIND_GUST_TURN 0.3f
#define WIND_EASED_FROM 0.02f
#define WIND_AHEAD_MAX 1e6f

// The air in a tick.
struct wind_air {
    struct vec3 velocity;   // m/s, without gusts
    struct vec3 sideways;   // m/s, horizontal and perpendicular to the wind, as fast
    float slow, fast, turn; // turns: phases of the gusts, less whole turns
    float gust;
    float per_second; // substeps per second
};
// The force of the air on each corner of a triangle, and its drag.
struct wind_push {
    struct vec3 force; // N
    float drag;        // kg/s, ½·ρ·A·|u·n|/3
};
struct wind_job {
    struct wind_air air;
    struct simd_axes axes;
    float density;       // kg/m³
    float h;             // s, length of a substep
    struct vec3 gravity; // m/s²
    float *push[3];      // N, force of the air on each particle
    float *drag;         // kg/s, half the derivative of that force with respect to the speed
    float *force[3];     // N, all forces on each particle
};

// Pairs of features, all of one kind (geometry/proximity.h): coordinate c of particle k of pair i stands in row 3k + c.
// The rows are read beyond `count`, up to whole vectors, so what is there has to be initialised.
#define SIMD_PAIRS 64u
// Which points of a pair are the nearest: inside both features; inside, and possibly on a side; or those of end n, as
// proximity.c counts them, inside the other feature's edge (+ 0), at its first end (+ 1) or at its second (+ 2).
#define SIMD_NEAREST_INSIDE 0.0
#define SIMD_NEAREST_INSIDE_EDGE 1.0
#define SIMD_NEAREST_END 2.0
struct simd_pairs {
    uint32_t count;
    bool edges;
    float at[12][SIMD_PAIRS];    // m
    float path[12][SIMD_PAIRS];  // m: motion, or positions after it
    double limit[SIMD_PAIRS];    // m, for the cheap tests
    double distance[SIMD_PAIRS]; // m, result
    double which[SIMD_PAIRS];    // result: which points are the nearest
    double reach[SIMD_PAIRS];    // m, result
    double far[SIMD_PAIRS];      // result: 1 if a cheap test finds the features farther apart than the limit, else 0
};

struct simd_kernels {
    unsigned lanes;
    void (*relax_runs)(const struct kernel_particles *at, const struct stick_run *runs, uint32_t count,
                       enum stick_form form);
    // `block` holds `ahead`, an unused number, off and w of each particle. Lanes without a stick work on the particle
    // `spare`, which has w = 0.
    void (*relax_colour)(float *block, const struct stick_batches *sticks, uint32_t spare, enum stick_form form,
                         enum stick_gaps_use gaps);
    void (*fill_block)(float *block, const struct block_places *places, const struct kernel_particles *at,
                       uint32_t count);
    // The same for a block that was filled before. Returns true if a particle has another `ahead` since then.
    bool (*refill_block)(float *block, const struct block_places *places, const struct kernel_particles *at,
                         uint32_t count);
    void (*drain_block)(const float *block, const struct block_places *places, const struct kernel_particles *at,
                        uint32_t count);
    // The same for as many objects as there are lanes, all alike, with `particles` particles each, one object behind
    // the other. The block holds x of `ahead` of one particle of each object, then y, z, w and the offsets; `lambda`
    // has one value per lane for each stick.
    void (*relax_shared)(float *block, const struct stick_batches *sticks, enum stick_form form);
    void (*fill_shared)(float *block, const struct kernel_particles *at, uint32_t particles);
    void (*drain_shared)(const float *block, const struct kernel_particles *at, uint32_t particles);
    // Keeps particles within reach of their pins, tether.c.
    void (*hold)(const struct kernel_particles *at, const struct simd_tethers *tethers);
    // d' = keep·d + (gravity + f·w)·h² where w > 0, and ahead + off = x + low + d'. Returns true if some d' is too long
    // or not finite.
    bool (*integrate)(const struct simd_axes *axes, const struct simd_motion *motion, uint32_t first, uint32_t end);
    void (*advance)(const struct simd_axes *axes, uint32_t first, uint32_t end); // ahead + off = x + low + d
    // Sets d to the displacement from x + low to ahead + off, `ahead` to the new x and low to the rest of it.
    void (*settle)(const struct simd_axes *axes, uint32_t first, uint32_t end);
    bool (*exceeds)(const struct simd_axes *axes, float longest_squared, uint32_t first, uint32_t end);
    // Positions along an axis in steps (still_place.h), modulo `turn`, a power of two of at most 2¹⁶; towards zero.
    void (*steps)(const float *position, float per_metre, float turn, int16_t *steps, uint32_t count);
    // Pushes particles out of an obstacle, with friction (contact_particle.c). Returns true if any was inside.
    bool (*collide)(const struct simd_axes *axes, const struct simd_obstacle *obstacle, uint32_t first, uint32_t end);
    // Computes the box around particles; coordinates that are not numbers are left out.
    void (*box)(const struct simd_axes *axes, enum simd_positions at, uint32_t first, uint32_t end, float min[3],
                float max[3]);
    // Computes the box around particles at their start and at p in the same way. Returns the square of the longest path
    // between the two, in m².
    float (*extent)(const struct simd_axes *axes, uint32_t first, uint32_t end, float min[3], float max[3]);
    // Sets a bit per side of a box beyond which a particle stays all the way from its start to p, by `margin` or more.
    void (*outcodes)(const struct simd_axes *axes, struct vec3 min, struct vec3 max, float margin, uint32_t first,
                     uint32_t end, uint8_t *outcode);
    // Adds the force and drag of the air on a row of quads to `push` and `drag`. The quads lie between the particles
    // from `a` and from `below` on.
    void (*wind_row)(const struct wind_job *job, uint32_t a, uint32_t below, uint32_t quads, bool crossed);
    // Computes the force of the air on each of `count` triangles, of three indices each. `block` holds the position and
    // the displacement of each particle where `fill_block` puts `ahead` and off.
    void (*wind_triangles)(const struct wind_job *job, const float *block, const uint32_t *triangle, uint32_t count,
                           struct wind_push *push);
    // Copies the force and drag of the air on particles to `push` and `drag`, from a block that holds these four
    // numbers of each particle, the first of them in `block`.
    void (*wind_sums)(const struct wind_job *job, const float *block, uint32_t first, uint32_t end);
    // Adds `push`, eased, to `force`. Returns the largest share of its speed that a particle loses to the air in a
    // substep (wind.c).
    float (*wind_ease)(const struct wind_job *job, uint32_t first, uint32_t end);
    // Returns the first of the next `lanes` particles from `first` on of which one may be outside the box; `end` if
    // there are none.
    uint32_t (*outside)(const struct simd_axes *axes, struct vec3 min, struct vec3 max, uint32_t first, uint32_t end);
    // Distances, and which points are the nearest: proximity_of.
    void (*pair_distances)(struct simd_pairs *pairs);
    // Bounds of the change of the distances: proximity_reach. `is_end`: `path` holds positions instead of motion.
    void (*pair_reaches)(struct simd_pairs *pairs, bool is_end);
    // Tests boxes around the features at `at`.
    void (*pairs_far)(struct simd_pairs *pairs);
    // Tests a plane across the line between the middles of the features, at both ends of the motion.
    void (*pairs_separate)(struct simd_pairs *pairs);
};

// The kernels with `lanes` lanes (4, 8 or 16; 0 for the widest available). NULL where this machine has no such vectors.
const struct simd_kernels *simd_kernels_of(unsigned lanes);

#endif
