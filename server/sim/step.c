// SPDX-License-Identifier: MIT
// The tick. `sim_world_step` is its table of contents; physics.md 1 its source.
//
// A particle's state is its position x and its displacement d over the last substep. Within a substep d already holds
// d' and p the positions under relaxation, so that the end can form d' + (p − (x + d')): the rounding of x + d' is
// taken out again, which keeps free fall from a height exact to a few units in the last place.
#include "sim/body.h"
#include "sim/contact.h"
#include "sim/self.h"
#include "sim/world.h"

// The n-th root of q in (0, 1], by Newton's method from above, which converges monotonically. In double and without
// libm: the same bits everywhere.
static double root(double q, uint32_t n) {
    double y = 1.0;
    for (unsigned round = 0; round < 4096; round++) {
        double power = 1.0; // y^(n−1)
        for (uint32_t i = 1; i < n; i++) {
            power *= y;
        }
        const double next = y - (power * y - q) / ((double)n * power);
        if (!(next < y)) {
            break;
        }
        y = next;
    }
    return y;
}

static struct substep substep_of(const struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const float h = world_substep_seconds(world);
    return (struct substep){
        .h = h,
        .keep = (float)root(1.0 - (double)parameters->damping, parameters->substeps),
        .gravity = parameters->gravity,
        .displacement_max = SIM_SPEED_MAX * h,
    };
}

// The same arithmetic on each axis, in plain loops over contiguous arrays, so that a compiler can make them wide.
struct axis {
    float *restrict x, *restrict d, *restrict p; // m
    const float *restrict f;                     // N
    float gravity;                               // m/s²
};

static void axes_of(const struct sim_world *world, const struct substep *substep, struct axis axes[3]) {
    const struct vec3 gravity = substep->gravity;
    axes[0] = (struct axis){world->x, world->dx, world->px, world->fx, gravity.x};
    axes[1] = (struct axis){world->y, world->dy, world->py, world->fy, gravity.y};
    axes[2] = (struct axis){world->z, world->dz, world->pz, world->fz, gravity.z};
}

static float squared_displacement(const struct sim_world *world, uint32_t i) {
    return world->dx[i] * world->dx[i] + world->dy[i] * world->dy[i] + world->dz[i] * world->dz[i];
}

// Shortens one displacement to `most`; false when it is not finite.
static bool limit_displacement(struct sim_world *world, uint32_t i, float most) {
    const struct vec3 d = vec3_of(world->dx[i], world->dy[i], world->dz[i]);
    if (!vec3_is_finite(d)) {
        return false;
    }
    const float reach = vec3_reach(d);
    if (reach > 1e6f * most) { // its square may be infinite
        particle_set_displacement(world, i, vec3_scale(vec3_of(d.x / reach, d.y / reach, d.z / reach), most));
    }
    const float squared = squared_displacement(world, i);
    if (squared > most * most) {
        const float share = most / sqrtf(squared);
        world->dx[i] *= share;
        world->dy[i] *= share;
        world->dz[i] *= share;
    }
    return true;
}

// Shortens what is longer than SIM_SPEED_MAX allows: rare, so the particles are counted first. Objects with a
// displacement that is not finite are frozen at `good`.
static void limit_displacements(struct sim_world *world, float most, float *const good[3]) {
    bool finite = true;
    for (uint32_t k = 0; k < world->spans; k++) {
        const struct slot_span span = world->span[k];
        uint32_t faster = 0;
        for (uint32_t i = span.first; i < span.end; i++) {
            faster += squared_displacement(world, i) <= most * most ? 0 : 1;
        }
        for (uint32_t i = span.first; faster > 0 && i < span.end; i++) {
            const bool is_faster = !(squared_displacement(world, i) <= most * most);
            finite = !(is_faster && !limit_displacement(world, i, most)) && finite;
        }
    }
    if (!finite) {
        quarantine_find(world, good);
    }
}

// d' = (1 − c_s)·d + a·h², with a = gravity + force·w. What is pinned has d = 0; what is held, the hand's d.
static void accelerate(const struct axis *axis, const float *restrict w, struct slot_span span,
                       const struct substep *substep) {
    const float h2 = substep->h * substep->h;
    for (uint32_t i = span.first; i < span.end; i++) {
        const float moved = substep->keep * axis->d[i] + (axis->gravity + axis->f[i] * w[i]) * h2;
        axis->d[i] = w[i] > 0.0f ? moved : axis->d[i];
    }
}

// p = x + d'
static void advance(const struct axis *axis, struct slot_span span) {
    for (uint32_t i = span.first; i < span.end; i++) {
        axis->p[i] = axis->x[i] + axis->d[i];
    }
}

// d ← d' + (p − (x + d'))
static void settle(const struct axis *axis, struct slot_span span) {
    for (uint32_t i = span.first; i < span.end; i++) {
        const float d = axis->d[i] + (axis->p[i] - (axis->x[i] + axis->d[i]));
        axis->d[i] = scalar_abs(d) < SIM_DISPLACEMENT_MIN ? 0.0f : d;
    }
}

// x ← p by changing places, so that p still has x as it was when the substep began; of what is not active p = x.
static void exchange(float **x, float **p) {
    float *const before = *x;
    *x = *p;
    *p = before;
}

static void integrate(struct sim_world *world, const struct substep *substep) {
    struct axis axes[3];
    axes_of(world, substep, axes);
    for (uint32_t i = 0; i < 3 * world->spans; i++) {
        accelerate(&axes[i % 3], world->w, world->span[i / 3], substep);
    }
    limit_displacements(world, substep->displacement_max, (float *const[3]){world->x, world->y, world->z});
    for (uint32_t i = 0; i < 3 * world->spans; i++) {
        advance(&axes[i % 3], world->span[i / 3]);
    }
}

// What is found awake by a contact meets its own neighbours, so contacts are found again.
static void detect(struct sim_world *world, uint32_t substeps_left) {
    do {
        contact_detect(world);
        body_detect(world);
        self_detect(world, substeps_left);
    } while (sleep_wake_touched(world) || self_wake_touched(world));
}

static void relax_object(struct sim_world *world, const struct object *object) {
    if (object->kind == SIM_KIND_BODY) {
        body_relax(world, object);
    } else {
        stick_relax_object(world, object);
    }
}

static void relax(struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    for (uint32_t sweep = 0; sweep < parameters->iterations; sweep++) {
        if (sweep > 0 && parameters->tolerance > 0.0f && tolerance_is_met(world)) {
            break;
        }
        for (uint32_t i = 0; i < world->state.objects; i++) {
            if (object_is_active(&world->object[i])) {
                world->sticks_relaxed += world->object[i].sticks;
                relax_object(world, &world->object[i]);
            }
        }
        tether_relax(world);
        free_stick_relax(world);
        grab_relax(world);
        self_relax(world, sweep);
        contact_relax(world, sweep);
    }
}

static void finish(struct sim_world *world, const struct substep *substep) {
    struct axis axes[3];
    axes_of(world, substep, axes);
    for (uint32_t i = 0; i < 3 * world->spans; i++) {
        settle(&axes[i % 3], world->span[i / 3]);
    }
    exchange(&world->x, &world->px);
    exchange(&world->y, &world->py);
    exchange(&world->z, &world->pz);
    self_settle(world);
    contact_restore(world, substep);
    limit_displacements(world, substep->displacement_max, (float *const[3]){world->px, world->py, world->pz});
}

static void clear_forces(struct sim_world *world) {
    for (uint32_t k = 0; k < world->spans; k++) {
        const struct slot_span span = world->span[k];
        const size_t bytes = (size_t)(span.end - span.first) * sizeof *world->fx;
        memset(world->fx + span.first, 0, bytes);
        memset(world->fy + span.first, 0, bytes);
        memset(world->fz + span.first, 0, bytes);
    }
}

void sim_world_step(struct sim_world *world) {
    const struct substep substep = substep_of(world);
    const uint32_t substeps = world->state.parameters.substeps;
    happening_forget(world);
    sleep_resolve(world);
    free_stick_resolve(world);
    tether_resolve(world);
    self_begin_tick(world);
    wind_apply(world);
    force_accumulate(world);
    for (uint32_t k = 0; k < substeps && world->spans > 0; k++) { // nothing is done when all sleep
        grab_advance(world, &substep, substeps - k);
        integrate(world, &substep);
        detect(world, substeps - k);
        contact_begin(world);
        contact_strike(world, &substep);
        stick_begin(world);
        relax(world);
        settle_after_sweeps(world);
        contact_confine(world);
        self_guard(world);
        finish(world, &substep);
    }
    grab_remember(world);
    clear_forces(world);
    tear_update(world);
    sleep_update(world);
    world->state.tick++;
}
