// SPDX-License-Identifier: MIT
// Gas in a closed mesh (PHYSICS.md 17.5). Of its volume V, a sum over the triangles, with V₀ and the gauge pressure p₀
// of the amount of gas, and P the pressure outside:
//
//   V = Σ (a × b)·c/6          g_i = ∂V/∂x_i = Σ (b × c)/6 over its triangles
//   sealed     p = (P + p₀)·V₀/V − P          supplied   p = p₀
//   Δλ = (h²·p − λ)/(1 − h²·p'·s)             s = Σ w_i·g_i·g_i          p_i += w_i·Δλ·g_i
//
// which is one step of Newton's method towards λ = h²·p at the substep's end: stable for any amount of gas. No step
// moves a particle faster than the speed limit. The gradients are those at the substep's start, or at present where the
// mesh is of the projection `current`; their sum is 0, and so is that of their moments about any point. Sums run over
// the triangles in their order, in double and relative to the first particle.
#include "sim/volume/gas.h"

#include "sim/geometry/point.h"
#include "sim/world/enclosure.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define OUTSIDE 101325.0 // Pa
#define LEAST_SHARE 0.01 // of the volume V₀, below which the pressure rises no more

enum gas_place { GAS_START, GAS_RELAXED };

// ---- volume and gradient -----------------------------------------------------------------------------------------

static struct point place_of(const struct sim_world *world, uint32_t slot, uint32_t origin, enum gas_place place) {
    if (place == GAS_START) {
        const struct vec3 x = vec3_sub(particle_position(world, slot), particle_position(world, origin));
        const struct vec3 low = vec3_sub(particle_low(world, slot), particle_low(world, origin));
        return point_add(point_of(x), point_of(low));
    }
    const struct vec3 ahead = vec3_sub(particle_ahead(world, slot), particle_ahead(world, origin));
    const struct vec3 off = vec3_sub(particle_off(world, slot), particle_off(world, origin));
    return point_add(point_of(ahead), point_of(off));
}

struct corners {
    uint32_t slot[3];
    struct point at[3];
};

static struct corners corners_of(const struct sim_world *world, const struct object *object, uint32_t triangle,
                                 enum gas_place place) {
    const uint32_t *corner = world->triangle + 3 * ((size_t)object->first_triangle + triangle);
    struct corners corners;
    for (unsigned k = 0; k < 3; k++) {
        corners.slot[k] = object->first + corner[k];
        corners.at[k] = place_of(world, corners.slot[k], object->first, place);
    }
    return corners;
}

static double volume_at(const struct sim_world *world, const struct object *object, enum gas_place place) {
    double six = 0.0;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const struct corners c = corners_of(world, object, i, place);
        six += point_dot(point_cross(c.at[0], c.at[1]), c.at[2]);
    }
    return six / 6.0;
}

static void find_gradient(struct sim_world *world, const struct object *object, enum gas_place place) {
    struct point *gradient = world->gas_gradient;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        gradient[i] = (struct point){0};
    }
    for (uint32_t i = 0; i < object->triangles; i++) {
        const struct corners c = corners_of(world, object, i, place);
        for (unsigned k = 0; k < 3; k++) {
            const struct point share = point_scale(point_cross(c.at[(k + 1) % 3], c.at[(k + 2) % 3]), 1.0 / 6.0);
            gradient[c.slot[k]] = point_add(gradient[c.slot[k]], share);
        }
    }
}

double gas_pressure_at(const struct object *object, double volume) {
    const double rest = (double)object->gas_volume;
    const double least = LEAST_SHARE * rest;
    if (object->gas_supplied) {
        return (double)object->gas_pressure;
    }
    return (OUTSIDE + (double)object->gas_pressure) * rest / (volume > least ? volume : least) - OUTSIDE;
}

// ---- relaxation --------------------------------------------------------------------------------------------------

static bool has_gas(const struct object *object) {
    return object->gas_volume > 0.0f && object_is_active(object);
}

void gas_begin(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects && world->gas_present; i++) {
        world->object[i].gas_lambda = 0.0f;
    }
}

static void relax_object(struct sim_world *world, uint32_t place, const void *context) {
    struct object *object = &world->object[place];
    (void)context;
    if (!has_gas(object)) {
        return;
    }
    const double h = (double)world_substep_seconds(world);
    const double volume = volume_at(world, object, GAS_RELAXED);
    const double pressure = gas_pressure_at(object, volume);
    const double rest = (double)object->gas_volume;
    const bool gives = !object->gas_supplied && volume > LEAST_SHARE * rest;
    const double stiffness = gives ? (OUTSIDE + pressure) / volume : 0.0; // −p'
    find_gradient(world, object, object->projection == SIM_PROJECTION_START ? GAS_START : GAS_RELAXED);
    const struct point *gradient = world->gas_gradient;
    double s = 0.0;
    double fastest = 0.0; // 1/kg·m², greatest w·|g|, squared
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        s += (double)world->w[i] * point_dot(gradient[i], gradient[i]);
        const double squared = (double)world->w[i] * (double)world->w[i] * point_dot(gradient[i], gradient[i]);
        fastest = squared > fastest ? squared : fastest;
    }
    double delta = (h * h * pressure - (double)object->gas_lambda) / (1.0 + h * h * stiffness * s);
    const double most = (double)SIM_SPEED_MAX * h; // m, that any particle may be moved
    if (delta * delta * fastest > most * most) {
        delta = (delta < 0.0 ? -most : most) / sqrt(fastest);
    }
    object->gas_lambda = (float)((double)object->gas_lambda + delta);
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        if (world->w[i] > 0.0f) {
            particle_shift(world, i, point_rounded(point_scale(gradient[i], (double)world->w[i] * delta)));
        }
    }
}

void gas_relax(struct sim_world *world) {
    if (world->gas_present) {
        work_objects(world, relax_object, NULL);
    }
}

double gas_energy(const struct sim_world *world, const struct object *object) {
    const double rest = (double)object->gas_volume;
    const double volume = enclosure_volume(world, object);
    if (object->gas_supplied) {
        return -(double)object->gas_pressure * (volume - rest);
    }
    // −∫p dV by Simpson's rule over 64 parts, without a logarithm.
    double sum = 0.0;
    for (unsigned i = 0; i <= 64; i++) {
        const double weight = i == 0 || i == 64 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * gas_pressure_at(object, rest + (volume - rest) * (double)i / 64.0);
    }
    return -sum * (volume - rest) / (64.0 * 3.0);
}

struct sim_gas_state sim_object_gas(const struct sim_world *world, uint32_t object) {
    struct object *found = NULL;
    if (layout_find(world, object, &found, NULL) != RESULT_OK || !(found->gas_volume > 0.0f)) {
        return (struct sim_gas_state){0};
    }
    const double volume = enclosure_volume(world, found);
    return (struct sim_gas_state){volume, gas_pressure_at(found, volume)};
}
