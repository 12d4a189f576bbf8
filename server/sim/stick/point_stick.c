// SPDX-License-Identifier: MIT
// The vector between the ends is δ = Σ g_i·p_i, where g_i are the weights of the second end and, negated, those of the
// first. A particle that carries both ends has the sum of both. With W = Σ w_i·g_i², each form of kernel.h becomes
//
//   p_i −= w_i·g_i·s·δ,  with W in place of w1 + w2
//
// and a ball joint (length 0), which has no direction, is projected in all three at once:
//
//   Δλ = (−δ − α̃·λ) / (W + α̃)        p_i += w_i·g_i·Δλ        λ += Δλ
//
// Where an end is that of a rigid body, the body moves as a whole, and W is a matrix (stick_lever.c): along a direction
// n it is n·W·n. By weights alone, an end far out of a flat body would bend it beyond what its sticks can mend.
//
// Since Σ g_i = 0, δ is taken of differences from one of the particles, in double, so that it does not depend on where
// in the world they are, and linear momentum is kept.
#include "sim/stick/point_stick.h"

#include "sim/simd/kernel.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define JOINT_SIZE 0.1 // m, of which `tolerance` is a share at a ball joint

// ---- carriers ----------------------------------------------------------------------------------------------------

static void add_carrier(struct point_stick *stick, uint32_t slot, double weight) {
    for (uint32_t i = 0; i < stick->count; i++) {
        if (stick->slot[i] == slot) {
            stick->weight[i] += weight;
            return;
        }
    }
    stick->slot[stick->count] = slot;
    stick->weight[stick->count] = weight;
    stick->count++;
}

// The first weight is what the others leave of 1: so they sum to 1 in double, too.
static void add_point(struct point_stick *stick, const struct sim_stick_point *point, uint32_t slot, double sign) {
    if (point->carriers == 0) {
        add_carrier(stick, slot, sign);
        return;
    }
    const uint32_t first = slot - point->particle[0];
    double rest = 1.0;
    for (uint32_t k = 1; k < point->carriers; k++) {
        rest -= (double)point->weight[k];
    }
    add_carrier(stick, slot, sign * rest);
    for (uint32_t k = 1; k < point->carriers; k++) {
        add_carrier(stick, first + point->particle[k], sign * (double)point->weight[k]);
    }
}

struct point_stick point_stick_of(const struct free_stick *stick, const uint32_t slot[2]) {
    struct point_stick points = {0};
    add_point(&points, &stick->a_point, slot[0], -1.0);
    points.of_first = points.count;
    add_point(&points, &stick->b_point, slot[1], 1.0);
    return points;
}

static void find_places(const struct sim_world *world, const struct free_stick *stick, uint32_t place[2]) {
    struct object *object = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t id = k == 0 ? stick->a.object : stick->b.object;
        place[k] = layout_find(world, id, &object, NULL) == RESULT_OK ? (uint32_t)(object - world->object) : 0;
    }
}

void point_stick_resolve(const struct sim_world *world, uint32_t index, const uint32_t slot[2]) {
    const struct free_stick *stick = &world->free_stick[index];
    struct point_stick *points = &world->point_stick[index];
    const struct point_stick before = *points;
    points->count = 0;
    const bool shrinks_to_joint = stick->rate > 0.0f && stick->target_length == 0.0f; // perhaps within the tick
    if (stick->a_point.carriers + stick->b_point.carriers > 0 || stick->rest_length == 0.0f || shrinks_to_joint ||
        stick->break_force > 0.0f) {
        *points = point_stick_of(stick, slot);
        find_places(world, stick, points->place);
        points->lambda = before.lambda; // within a tick, where something wakes
        points->sum = before.sum;
    }
}

// ---- vectors between the ends ------------------------------------------------------------------------------------

static struct point start_of(const struct sim_world *world, uint32_t slot) {
    return point_add(point_of(particle_position(world, slot)), point_of(particle_low(world, slot)));
}

static struct point relaxed_at(const struct sim_world *world, uint32_t slot) {
    return point_add(point_of(particle_ahead(world, slot)), point_of(particle_off(world, slot)));
}

static struct point between(const struct sim_world *world, const struct point_stick *stick,
                            struct point (*at)(const struct sim_world *, uint32_t)) {
    const struct point origin = at(world, stick->slot[0]);
    struct point sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 1; i < stick->count; i++) {
        sum = point_add(sum, point_scale(point_sub(at(world, stick->slot[i]), origin), stick->weight[i]));
    }
    return sum;
}

struct point point_stick_span(const struct sim_world *world, const struct point_stick *stick) {
    return between(world, stick, start_of);
}

// ---- mobility ----------------------------------------------------------------------------------------------------

struct carriers {
    uint32_t begin, end;
};

// Those of the first end (0) or the second (1), where no particle carries both.
static struct carriers carriers_of(const struct point_stick *stick, unsigned side) {
    return side == 0 ? (struct carriers){0, stick->of_first} : (struct carriers){stick->of_first, stick->count};
}

static double loose_mobility(const struct sim_world *world, const struct point_stick *stick, struct carriers of) {
    double sum = 0.0;
    for (uint32_t i = of.begin; i < of.end; i++) {
        sum += (double)world->w[stick->slot[i]] * stick->weight[i] * stick->weight[i];
    }
    return sum;
}

// Where an end is, at the substep's start.
static struct point end_of(const struct sim_world *world, const struct point_stick *stick, unsigned side) {
    const struct carriers of = carriers_of(stick, side);
    const struct point origin = start_of(world, stick->slot[of.begin]);
    struct point sum = origin;
    for (uint32_t i = of.begin + 1; i < of.end; i++) {
        const double weight = side == 0 ? -stick->weight[i] : stick->weight[i];
        sum = point_add(sum, point_scale(point_sub(start_of(world, stick->slot[i]), origin), weight));
    }
    return sum;
}

static void add_diagonal(struct symmetric *m, double value) {
    m->xx += value;
    m->yy += value;
    m->zz += value;
}

void point_stick_begin(struct sim_world *world, uint32_t index) {
    struct point_stick *stick = &world->point_stick[index];
    const double h = (double)world_substep_seconds(world);
    stick->lambda = (struct point){0.0, 0.0, 0.0};
    stick->by_lever = false;
    if (stick->count == 0 || stick->place[0] == stick->place[1]) {
        return;
    }
    struct symmetric mobility = {0};
    for (unsigned side = 0; side < 2; side++) {
        stick->lever[side] = stick_lever_of(world, &world->object[stick->place[side]], end_of(world, stick, side));
        if (stick->lever[side].rigid) {
            stick_lever_add(&stick->lever[side], &mobility);
        } else {
            add_diagonal(&mobility, loose_mobility(world, stick, carriers_of(stick, side)));
        }
    }
    struct symmetric whole = mobility;
    add_diagonal(&whole, (double)world->free_stick[index].compliance / (h * h));
    stick->mobility = mobility;
    stick->by_lever = (stick->lever[0].rigid || stick->lever[1].rigid) && symmetric_invert(&whole, &stick->answer);
}

// The change of the vector between the ends by a push.
static struct point answer_to(const struct sim_world *world, const struct point_stick *stick, struct point push) {
    return stick->by_lever ? symmetric_apply(&stick->mobility, push)
                           : point_scale(push, loose_mobility(world, stick, (struct carriers){0, stick->count}));
}

// ---- relaxing ----------------------------------------------------------------------------------------------------

static void move_loose(struct sim_world *world, const struct point_stick *stick, struct carriers of,
                       struct point push) {
    for (uint32_t i = of.begin; i < of.end; i++) {
        const double share = (double)world->w[stick->slot[i]] * stick->weight[i];
        particle_shift(world, stick->slot[i], point_rounded(point_scale(push, share)));
    }
}

// Pushes the second end, and the first against it.
static void move(struct sim_world *world, const struct point_stick *stick, struct point push) {
    if (!stick->by_lever) {
        move_loose(world, stick, (struct carriers){0, stick->count}, push);
        return;
    }
    for (unsigned side = 0; side < 2; side++) {
        if (stick->lever[side].rigid) {
            stick_lever_push(world, &stick->lever[side], side == 0 ? point_scale(push, -1.0) : push);
        } else {
            move_loose(world, stick, carriers_of(stick, side), push);
        }
    }
}

static double clamped(double lambda, enum sim_stick_kind kind) {
    if ((kind == SIM_STICK_AT_MOST && lambda > 0.0) || (kind == SIM_STICK_AT_LEAST && lambda < 0.0)) {
        return 0.0;
    }
    return lambda;
}

static void relax_joint(struct sim_world *world, struct point_stick *stick, double alpha) {
    const struct point delta = between(world, stick, relaxed_at);
    const struct point wanted = point_scale(point_add(delta, point_scale(stick->lambda, alpha)), -1.0);
    const double loose = loose_mobility(world, stick, (struct carriers){0, stick->count});
    const struct point push =
        stick->by_lever ? symmetric_apply(&stick->answer, wanted) : point_scale(wanted, 1.0 / (loose + alpha));
    move(world, stick, push);
    stick->lambda = point_add(stick->lambda, push);
    stick->sum = point_add(stick->sum, push);
}

static void push_along(struct sim_world *world, struct point_stick *stick, struct point direction, double more) {
    move(world, stick, point_scale(direction, more));
    stick->lambda.x += more;
    stick->sum.x += more;
}

// The direction between the ends, or that of x where they coincide.
static struct point direction_of(struct point delta, double length) {
    return length * length < (double)KERNEL_COINCIDE_SQUARED ? (struct point){1.0, 0.0, 0.0}
                                                             : point_scale(delta, 1.0 / length);
}

static void relax_compliant(struct sim_world *world, struct point_stick *stick, const struct free_stick *free,
                            double rest, double alpha) {
    const struct point delta = between(world, stick, relaxed_at);
    const double length = point_length(delta);
    const struct point along = direction_of(delta, length);
    const double mobility = point_dot(along, answer_to(world, stick, along));
    const double wanted = stick->lambda.x + (rest - length - alpha * stick->lambda.x) / (mobility + alpha);
    push_along(world, stick, along, clamped(wanted, free->kind) - stick->lambda.x);
}

// Along the direction at the substep's start. Returns false where the stick has turned or stretched too far for it.
static bool relax_along_start(struct sim_world *world, struct point_stick *stick, struct point delta, double rest) {
    const struct point start = between(world, stick, start_of);
    const struct point answer = answer_to(world, stick, start);
    const double squared = point_dot(delta, delta), begun = point_dot(start, start);
    const double along = point_dot(delta, answer);
    const double most = squared > begun ? squared : begun;
    if (!(4.0 * point_dot(delta, start) >= (rest * rest > most ? rest * rest : most)) ||
        !(4.0 * along >= point_dot(start, answer))) {
        return false;
    }
    const double size = sqrt(begun);
    push_along(world, stick, point_scale(start, 1.0 / size), -size * (squared - rest * rest) / (2.0 * along));
    return true;
}

static void relax_rigid(struct sim_world *world, struct point_stick *stick, const struct free_stick *free,
                        double rest) {
    const struct point delta = between(world, stick, relaxed_at);
    const double squared = point_dot(delta, delta);
    if ((free->kind == SIM_STICK_AT_MOST && squared <= rest * rest) ||
        (free->kind == SIM_STICK_AT_LEAST && squared >= rest * rest)) {
        return;
    }
    if (free->projection == SIM_PROJECTION_START && relax_along_start(world, stick, delta, rest)) {
        return;
    }
    const double length = sqrt(squared);
    const struct point along = direction_of(delta, length);
    const bool coincide = squared < (double)KERNEL_COINCIDE_SQUARED;
    const bool exact = coincide || free->projection == SIM_PROJECTION_START ||
                       world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT;
    const double off = coincide ? -rest
                       : exact  ? length - rest
                                : length * (squared - rest * rest) / (squared + rest * rest);
    push_along(world, stick, along, -off / point_dot(along, answer_to(world, stick, along)));
}

static bool can_move(const struct sim_world *world, const struct point_stick *stick) {
    return stick->by_lever || loose_mobility(world, stick, (struct carriers){0, stick->count}) > 0.0;
}

void point_stick_relax(struct sim_world *world, uint32_t index) {
    const struct free_stick *free = &world->free_stick[index];
    struct point_stick *stick = &world->point_stick[index];
    const double h = (double)world_substep_seconds(world);
    const double rest = (double)world->free_length[index];
    const double alpha = (double)free->compliance / (h * h);
    if (!can_move(world, stick)) {
        return;
    }
    if (!(rest > 0.0)) {
        relax_joint(world, stick, alpha);
    } else if (free->compliance > 0.0f) {
        relax_compliant(world, stick, free, rest, alpha);
    } else {
        relax_rigid(world, stick, free, rest);
    }
}

bool point_stick_is_satisfied(const struct sim_world *world, uint32_t index, double tolerance) {
    const struct free_stick *free = &world->free_stick[index];
    const struct point_stick *stick = &world->point_stick[index];
    const double rest = (double)world->free_length[index];
    const double h = (double)world_substep_seconds(world);
    const double alpha = (double)free->compliance / (h * h);
    const struct point delta = between(world, stick, relaxed_at);
    const double length = point_length(delta);
    const struct point along = direction_of(delta, length);
    const double mobility = point_dot(along, answer_to(world, stick, along));
    if (!(rest > 0.0)) {
        const double off = point_length(point_add(delta, point_scale(stick->lambda, alpha)));
        return off * mobility <= tolerance * JOINT_SIZE * (mobility + alpha);
    }
    const double wanted = rest - length - alpha * stick->lambda.x;
    const bool slack =
        (free->kind == SIM_STICK_AT_MOST && wanted > 0.0) || (free->kind == SIM_STICK_AT_LEAST && wanted < 0.0);
    return slack || (wanted < 0.0 ? -wanted : wanted) * mobility <= tolerance * rest * (mobility + alpha);
}
