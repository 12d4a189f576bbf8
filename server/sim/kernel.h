// SPDX-License-Identifier: MIT
// The projection of one stick, in its four forms (physics.md 2; T. Jakobsen, "Advanced Character Physics", 2001/2003).
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
//                (XPBD, Macklin 2016: a spring of 1/α N/m once the sweeps have converged; λ is zeroed each substep)
//
// How far sweeps converge depends on α̃ against the inverse masses: with α̃ ≥ 20/m one sweep comes within 5 % of the
// spring's force, with α̃ ≥ 1.2/m four; a stiffer spring that others meet pulls with a part of its force (measured as
// `compliance_residual`, probe.h). Compliant ropes are solved as a whole instead: rope_relax.c.
//
// An at-most stick only pulls and an at-least stick only pushes; of a compliant one that is what λ may add up to.
//
// With both w = 0 nothing moves. Ends that coincide are driven apart along x, by r: any direction is as good, but it
// has to be the same one everywhere.
#ifndef WEFT_SIM_KERNEL_H
#define WEFT_SIM_KERNEL_H

#include "sim/scalar.h"
#include "sim/sim.h"

// Ends nearer than this, in m², count as coinciding: the direction between them is only rounding.
#define KERNEL_COINCIDE_SQUARED 1e-12f

struct kernel_particles {
    float *restrict px, *restrict py, *restrict pz;    // m, being relaxed
    const float *restrict w;                           // 1/kg
    const float *restrict x, *restrict y, *restrict z; // m, at the substep's start
};

// The particles from number `first` on.
static inline struct kernel_particles kernel_particles_from(const struct kernel_particles *at, uint32_t first) {
    return (struct kernel_particles){at->px + first, at->py + first, at->pz + first, at->w + first,
                                     at->x + first,  at->y + first,  at->z + first};
}

static inline struct vec3 kernel_delta(const struct kernel_particles *at, uint32_t a, uint32_t b) {
    return vec3_of(at->px[b] - at->px[a], at->py[b] - at->py[a], at->pz[b] - at->pz[a]);
}

// p1 += w1·s·δ, p2 −= w2·s·δ
static inline void kernel_move(const struct kernel_particles *at, uint32_t a, uint32_t b, float s, struct vec3 delta) {
    const float sa = at->w[a] * s;
    const float sb = at->w[b] * s;
    at->px[a] += sa * delta.x;
    at->py[a] += sa * delta.y;
    at->pz[a] += sa * delta.z;
    at->px[b] -= sb * delta.x;
    at->py[b] -= sb * delta.y;
    at->pz[b] -= sb * delta.z;
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
    const struct vec3 start = vec3_of(at->x[b] - at->x[a], at->y[b] - at->y[a], at->z[b] - at->z[a]);
    const float squared = vec3_dot(delta, delta);
    const float along = vec3_dot(delta, start);
    if (w == 0.0f) {
        return;
    }
    // Far from the rest length, the present one or the one at the start, what g·δ° moves grows without bound.
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

// Whether a stick that only pulls, or only pushes, has nothing to do.
static inline bool kernel_is_slack(const struct kernel_particles *at, uint32_t a, uint32_t b, float r,
                                   enum sim_stick_kind kind) {
    const struct vec3 delta = kernel_delta(at, a, b);
    const float squared = vec3_dot(delta, delta);
    return (kind == SIM_STICK_AT_MOST && squared <= r * r) || (kind == SIM_STICK_AT_LEAST && squared >= r * r);
}

#endif
