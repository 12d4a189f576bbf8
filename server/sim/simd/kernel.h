// SPDX-License-Identifier: MIT
// The projection of one stick, in its four forms (PHYSICS.md 3; T. Jakobsen, "Advanced Character Physics", 2001/2003).
//
//   δ = p2 − p1,  w = inverse mass,  r = rest length,  δ° = δ at the substep's start
//
//   exact        s = (|δ| − r) / (|δ|·(w1 + w2))              p1 += w1·s·δ     p2 −= w2·s·δ
//   approximate  k = r²/(δ·δ + r²) − 1/2, which is −s·(w1 + w2)/2 to first order about |δ| = r: no square root
//                                                             p1 −= 2·w1/(w1 + w2)·k·δ     p2 += 2·w2/(w1 + w2)·k·δ
//   start        g = (δ·δ − r²) / (2·(w1 + w2)·δ·δ°)          p1 += w1·g·δ°    p2 −= w2·g·δ°
//                (SHAKE, Ryckaert 1977: keeps rotation, needs no root; Jakobsen's direction where δ·δ° is small)
//   compliant    Δλ = (−C − α̃·λ) / (w1 + w2 + α̃),  C = |δ| − r,  α̃ = α/h²,  δ̂ = δ/|δ|
//                                                             p1 −= w1·Δλ·δ̂    p2 += w2·Δλ·δ̂
//                (XPBD, Macklin 2016: a spring of 1/α N/m once the iterations have converged; λ is zeroed each substep)
//
// How far the iterations converge depends on α̃ against the inverse masses: with α̃ ≥ 20/m one iteration comes within 5
// % of the spring's force, with α̃ ≥ 1.2/m four do. A stiffer spring that shares particles with others pulls with a
// part of its force (measured as `compliance_residual`, probe.h). Compliant ropes are solved as a whole instead
// (rope_relax.c).
//
// An at-most stick only pulls and an at-least stick only pushes; for a compliant one, this limits the sign of λ.
//
// A particle is relaxed as its offset o from `ahead`, the float32 coordinates nearest to its predicted position in this
// substep (world.h):
//
//   p = ahead + o,   δ = (ahead2 − ahead1) + (o2 − o1),   δ° = (x2 − x1) + (low2 − low1)
//
// The difference of coordinates near one another is exact, and o is hardly more than the sum of the corrections. So a
// correction keeps its precision wherever the stick lies and however fast it moves, and the momentum that one end gains
// is lost by the other. Corrections of p itself would be rounded to the grid of coordinates: by up to 4 µm at 90 m,
// which is 0.015 m/s with 64 substeps.
//
// With both w = 0 nothing moves. Ends that coincide are driven apart along x by r: any direction serves, if it is the
// same on every machine.
#ifndef WEFT_SIM_SIMD_KERNEL_H
#define WEFT_SIM_SIMD_KERNEL_H

#include "sim/geometry/scalar.h"
#include "sim/sim.h"

// m²: ends nearer than this coincide; the direction between them is only rounding.
#define KERNEL_COINCIDE_SQUARED 1e-12f

struct kernel_particles {
    float *restrict ox, *restrict oy, *restrict oz;                      // m, offset from `ahead`: relaxed
    const float *restrict w;                                             // 1/kg
    const float *restrict ahead_x, *restrict ahead_y, *restrict ahead_z; // m, predicted position, rounded
    const float *restrict x, *restrict y, *restrict z;                   // m, at the substep's start
    const float *restrict low_x, *restrict low_y, *restrict low_z;       // m, the rest of x that rounding left out
};

// The particles from number `first` on.
static inline struct kernel_particles kernel_particles_from(const struct kernel_particles *at, uint32_t first) {
    return (struct kernel_particles){
        .ox = at->ox + first,
        .oy = at->oy + first,
        .oz = at->oz + first,
        .w = at->w + first,
        .ahead_x = at->ahead_x + first,
        .ahead_y = at->ahead_y + first,
        .ahead_z = at->ahead_z + first,
        .x = at->x + first,
        .y = at->y + first,
        .z = at->z + first,
        .low_x = at->low_x + first,
        .low_y = at->low_y + first,
        .low_z = at->low_z + first,
    };
}

// δ
static inline struct vec3 kernel_delta(const struct kernel_particles *at, uint32_t a, uint32_t b) {
    return vec3_of((at->ahead_x[b] - at->ahead_x[a]) + (at->ox[b] - at->ox[a]),
                   (at->ahead_y[b] - at->ahead_y[a]) + (at->oy[b] - at->oy[a]),
                   (at->ahead_z[b] - at->ahead_z[a]) + (at->oz[b] - at->oz[a]));
}

// δ°
static inline struct vec3 kernel_start_delta(const struct kernel_particles *at, uint32_t a, uint32_t b) {
    return vec3_of((at->x[b] - at->x[a]) + (at->low_x[b] - at->low_x[a]),
                   (at->y[b] - at->y[a]) + (at->low_y[b] - at->low_y[a]),
                   (at->z[b] - at->z[a]) + (at->low_z[b] - at->low_z[a]));
}

// p1 += w1·s·δ, p2 −= w2·s·δ
static inline void kernel_move(const struct kernel_particles *at, uint32_t a, uint32_t b, float s, struct vec3 delta) {
    const float sa = at->w[a] * s;
    const float sb = at->w[b] * s;
    at->ox[a] += sa * delta.x;
    at->oy[a] += sa * delta.y;
    at->oz[a] += sa * delta.z;
    at->ox[b] -= sb * delta.x;
    at->oy[b] -= sb * delta.y;
    at->oz[b] -= sb * delta.z;
}

static inline void kernel_part(const struct kernel_particles *at, uint32_t a, uint32_t b, float r) {
    kernel_move(at, a, b, -1.0f / (at->w[a] + at->w[b]), vec3_of(r, 0.0f, 0.0f));
}

static inline void kernel_exact(const struct kernel_particles *at, uint32_t a, uint32_t b, float r) {
    const float w = at->w[a] + at->w[b];
    const struct vec3 delta = kernel_delta(at, a, b);
    const float squared = vec3_dot(delta, delta);
    if (w == 0.0f) {
        return;
    }
    if (squared < KERNEL_COINCIDE_SQUARED) {
        kernel_part(at, a, b, r);
        return;
    }
    const float length = sqrtf(squared);
    kernel_move(at, a, b, (length - r) / (length * w), delta);
}

static inline void kernel_approximate(const struct kernel_particles *at, uint32_t a, uint32_t b, float r) {
    const float w = at->w[a] + at->w[b];
    const struct vec3 delta = kernel_delta(at, a, b);
    const float squared = vec3_dot(delta, delta);
    if (w == 0.0f) {
        return;
    }
    if (squared < KERNEL_COINCIDE_SQUARED) {
        kernel_part(at, a, b, r);
        return;
    }
    // −2k/(w1 + w2) over one denominator: (δ·δ − r²) / ((δ·δ + r²)·(w1 + w2))
    kernel_move(at, a, b, (squared - r * r) / ((squared + r * r) * w), delta);
}

static inline void kernel_start(const struct kernel_particles *at, uint32_t a, uint32_t b, float r) {
    const float w = at->w[a] + at->w[b];
    const struct vec3 delta = kernel_delta(at, a, b);
    const struct vec3 start = kernel_start_delta(at, a, b);
    const float squared = vec3_dot(delta, delta);
    const float along = vec3_dot(delta, start);
    if (w == 0.0f) {
        return;
    }
    // Where the stick has turned or stretched far, the step g·δ° grows without bound.
    if (4.0f * along < scalar_max(r * r, scalar_max(squared, vec3_dot(start, start)))) {
        kernel_exact(at, a, b, r);
        return;
    }
    kernel_move(at, a, b, (squared - r * r) / (2.0f * w * along), start);
}

static inline void kernel_compliant(const struct kernel_particles *at, uint32_t a, uint32_t b, float r,
                                    enum sim_stick_kind kind, float alpha, float *lambda) {
    const float w = at->w[a] + at->w[b];
    const struct vec3 delta = kernel_delta(at, a, b);
    const float length = vec3_length(delta);
    if (w == 0.0f) {
        return;
    }
    const bool coincide = length * length < KERNEL_COINCIDE_SQUARED;
    const struct vec3 along = coincide ? vec3_of(1.0f, 0.0f, 0.0f) : delta;
    float pulled = *lambda + (r - length - alpha * *lambda) / (w + alpha);
    pulled = kind == SIM_STICK_AT_MOST ? scalar_min(pulled, 0.0f) : pulled;
    pulled = kind == SIM_STICK_AT_LEAST ? scalar_max(pulled, 0.0f) : pulled;
    kernel_move(at, a, b, (*lambda - pulled) / (coincide ? 1.0f : length), along);
    *lambda = pulled;
}

// True if a stick that only pulls, or only pushes, is slack.
static inline bool kernel_is_slack(const struct kernel_particles *at, uint32_t a, uint32_t b, float r,
                                   enum sim_stick_kind kind) {
    const struct vec3 delta = kernel_delta(at, a, b);
    const float squared = vec3_dot(delta, delta);
    return (kind == SIM_STICK_AT_MOST && squared <= r * r) || (kind == SIM_STICK_AT_LEAST && squared >= r * r);
}

#endif
