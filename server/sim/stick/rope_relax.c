// SPDX-License-Identifier: MIT
// Relaxes a compliant rope: a chain of springs, solved as a whole (PHYSICS.md 11.1).
//
// Stick by stick (kernel.h), an iteration transmits a change of tension from a stick to its neighbours only. A stiff
// chain of n sticks would need some n² iterations in a substep before its springs pull with the force of their
// compliance; with few, the rope pulls too little, and waves on it are too slow. A chain can be solved directly
// instead, in time proportional to n: one step of Newton's method towards the end of an implicit substep (D. Baraff and
// A. Witkin, "Large Steps in Cloth Simulation", 1998, in the notation of XPBD, Macklin 2016):
//
//   spring i between particles i and i + 1:  C = |δ| − r,  n = δ/|δ|,  α̃ = α/h²
//   its impulse so far, in kg·m:  −λ·n
//   its pull once the positions change by Δ:  (C/α̃)·n + K·(Δ_{i+1} − Δ_i),  K = (n·nᵀ + g·(1 − n·nᵀ))/α̃,  g = 1 − r/|δ|
//   ≥ 0
//
//   m_i·Δ_i = (pull − impulse so far) of spring i − the same of spring i − 1
//
// This is a symmetric, positive definite system of 3 × 3 blocks, each coupled to the next only. It is solved by
// elimination from the first particle to the last and substitution back. g is the resistance of a taut spring to being
// turned; without it a taut rope would break into zigzags when the substep is long against the period of that motion. A
// pinned or held particle has Δ = 0.
//
// Each iteration is such a step, or a few where a step turns springs much, and responds to the changes by contacts,
// grabs and other sticks since the last one. In double: the blocks of a stiff spring differ by many orders of magnitude
// along it and across it.
#include "sim/stick/rope_relax.h"

#include "sim/simd/kernel.h"
#include "sim/world/axes.h"

// A spring is no stiffer than this many times the resistance of its ends' masses: beyond that it is rigid to all
// digits.
#define STIFFNESS_MAX 1e10
// A step is repeated where it has moved the ends of a spring relative to one another by more than this share of its
// length: then lengths are not linear in the solution.
#define STEP_MAX 0.01
#define STEPS_MAX 4

#define NO_STICK UINT32_MAX // between this particle and the next: the rope is cut there

bool rope_is_chain(const struct object *object) {
    return object->kind == SIM_KIND_ROPE && object->particles >= 2 && object->colours <= 2;
}

// The links of a rope in their order: its sticks have two colours, those of even and of odd links (rope.c), each of
// them in order. Cuts take sticks away, and a colour without sticks.
struct links {
    uint32_t next[2], end[2]; // sticks of the world, of each colour
};

static struct links links_of(const struct sim_world *world, const struct object *rope) {
    struct links links = {{0}, {0}};
    uint32_t first = rope->first_stick;
    for (uint32_t colour = 0; colour < rope->colours; colour++) {
        links.next[colour] = first;
        first = rope->first_stick + world->colour_end[rope->first_colour + colour];
        links.end[colour] = first;
    }
    return links;
}

static uint32_t next_link(const struct sim_world *world, struct links *links, uint32_t i) {
    for (unsigned colour = 0; colour < 2; colour++) {
        const uint32_t stick = links->next[colour];
        if (stick < links->end[colour] && world->stick_a[stick] == i && world->stick_b[stick] == i + 1) {
            links->next[colour]++;
            return stick;
        }
    }
    return NO_STICK;
}

// ---- blocks ------------------------------------------------------------------------------------------------------

static void apply_spring(const struct rope_row *row, const double v[3], double result[3]) {
    const double along = row->n[0] * v[0] + row->n[1] * v[1] + row->n[2] * v[2];
    const double more = (row->along - row->across) * along;
    for (unsigned k = 0; k < 3; k++) {
        result[k] = row->across * v[k] + more * row->n[k];
    }
}

static void add_spring(const struct rope_row *row, double block[3][3]) {
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k <= i; k++) {
            block[i][k] += (row->along - row->across) * row->n[i] * row->n[k] + (i == k ? row->across : 0.0);
        }
    }
}

// L·D·Lᵀ of the lower half.
static void factor(struct rope_row *row, double block[3][3]) {
    row->d0 = block[0][0];
    row->l10 = block[1][0] / row->d0;
    row->l20 = block[2][0] / row->d0;
    row->d1 = block[1][1] - row->l10 * block[1][0];
    const double b21 = block[2][1] - row->l20 * block[1][0];
    row->l21 = b21 / row->d1;
    row->d2 = block[2][2] - row->l20 * block[2][0] - row->l21 * b21;
}

static void solve(const struct rope_row *row, const double right[3], double result[3]) {
    if (row->held) {
        result[0] = result[1] = result[2] = 0.0;
        return;
    }
    const double z1 = right[1] - row->l10 * right[0];
    const double z2 = right[2] - row->l20 * right[0] - row->l21 * z1;
    result[2] = z2 / row->d2;
    result[1] = z1 / row->d1 - row->l21 * result[2];
    result[0] = right[0] / row->d0 - row->l10 * result[1] - row->l20 * result[2];
}

// ---- the chain ---------------------------------------------------------------------------------------------------

static void set_spring(const struct kernel_particles *at, uint32_t i, double rest, double alpha, double lambda,
                       struct rope_row *row) {
    const struct vec3 delta = kernel_delta(at, i, i + 1);
    const double d[3] = {(double)delta.x, (double)delta.y, (double)delta.z};
    const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const double length = sqrt(squared);
    const bool coincide = squared < (double)KERNEL_COINCIDE_SQUARED;
    for (unsigned k = 0; k < 3; k++) {
        row->n[k] = coincide ? (k == 0 ? 1.0 : 0.0) : d[k] / length;
    }
    const double w = (double)at->w[i] + (double)at->w[i + 1];
    const double soft = alpha > w / STIFFNESS_MAX ? alpha : w / STIFFNESS_MAX;
    row->along = 1.0 / soft;
    row->across = length > rest ? (1.0 - rest / length) / soft : 0.0;
    row->pull = (length - rest) / soft + lambda;
}

// No spring.
static void set_gap(struct rope_row *row) {
    row->n[0] = row->n[1] = row->n[2] = 0.0;
    row->along = row->across = row->pull = 0.0;
}

// Eliminates the previous particle from this one's equation.
static void eliminate(const struct kernel_particles *at, uint32_t i, uint32_t last, struct rope_row *rows) {
    struct rope_row *row = &rows[i];
    row->held = !(at->w[i] > 0.0f);
    if (row->held) {
        return;
    }
    double block[3][3] = {{0.0}};
    for (unsigned k = 0; k < 3; k++) {
        block[k][k] = 1.0 / (double)at->w[i];
        row->y[k] = i < last ? row->pull * row->n[k] : 0.0;
    }
    if (i < last) {
        add_spring(row, block);
    }
    if (i > 0) {
        const struct rope_row *before = &rows[i - 1];
        double x[3];
        double carried[3];
        add_spring(before, block);
        for (unsigned k = 0; k < 3; k++) { // the k-th column of K·B⁻¹·K, B the block before
            const double unit[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
            apply_spring(before, unit, x);
            solve(before, x, carried);
            apply_spring(before, carried, x);
            for (unsigned j = k; j < 3; j++) {
                block[j][k] -= x[j];
            }
        }
        solve(before, before->y, x);
        apply_spring(before, x, carried);
        for (unsigned k = 0; k < 3; k++) {
            row->y[k] += carried[k] - before->pull * before->n[k];
        }
    }
    factor(row, block);
}

// y becomes Δ.
static void substitute(uint32_t i, uint32_t last, struct rope_row *rows) {
    struct rope_row *row = &rows[i];
    double right[3] = {0.0, 0.0, 0.0};
    if (i < last) {
        apply_spring(row, rows[i + 1].y, right);
    }
    for (unsigned k = 0; k < 3; k++) {
        right[k] += row->held ? 0.0 : row->y[k];
    }
    solve(row, right, row->y);
}

// Moves the particles by Δ and accumulates λ. Returns true if the ends of all springs moved little relative to one
// another.
static bool apply(const struct sim_world *world, const struct object *rope, const struct kernel_particles *at,
                  const struct rope_row *rows) {
    const uint32_t last = rope->particles - 1;
    bool small = true;
    for (uint32_t i = 0; i <= last; i++) {
        at->ox[i] += (float)rows[i].y[0];
        at->oy[i] += (float)rows[i].y[1];
        at->oz[i] += (float)rows[i].y[2];
        if (i == last) {
            break;
        }
        const uint32_t stick = rows[i].stick;
        if (stick == NO_STICK) {
            continue;
        }
        const double rest = (double)world->stick_rest[stick];
        double longer = 0.0;
        double squared = 0.0;
        for (unsigned k = 0; k < 3; k++) {
            const double way = rows[i + 1].y[k] - rows[i].y[k];
            longer += rows[i].n[k] * way;
            squared += way * way;
        }
        world->stick_lambda[stick] -= (float)(rows[i].pull + rows[i].along * longer);
        small = small && squared <= STEP_MAX * STEP_MAX * rest * rest;
    }
    return small;
}

void rope_relax(const struct sim_world *world, const struct object *rope) {
    const struct kernel_particles at = kernel_particles_of(world, rope);
    const double h = (double)world_substep_seconds(world);
    const double alpha = (double)rope->stretch_compliance / (h * h);
    const uint32_t last = rope->particles - 1;
    struct rope_row *rows = world->rope_row + rope->first;
    bool small = false;
    for (unsigned step = 0; step < STEPS_MAX && !small; step++) {
        struct links links = links_of(world, rope);
        for (uint32_t i = 0; i <= last; i++) {
            const uint32_t stick = i < last ? next_link(world, &links, i) : NO_STICK;
            rows[i].stick = stick;
            if (stick != NO_STICK) {
                set_spring(&at, i, (double)world->stick_rest[stick], alpha, (double)world->stick_lambda[stick],
                           &rows[i]);
            } else {
                set_gap(&rows[i]);
            }
            eliminate(&at, i, last, rows);
        }
        for (uint32_t i = last + 1; i > 0; i--) {
            substitute(i - 1, last, rows);
        }
        small = apply(world, rope, &at, rows);
    }
}
