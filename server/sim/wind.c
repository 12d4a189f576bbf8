// SPDX-License-Identifier: MIT
// Wind on the triangles of cloth, meshes and plants, once a tick (physics.md 7):
//
//   u = v_air − v_tri,  f = ½·ρ·C·A·|u·n|·(u·n)·n / (1 + ½·ρ·C·A·|u·n|·T/m_tri), a third to each corner
//
// with T the tick, over which the force lasts. The denominator keeps a light panel from being thrown faster than the
// wind. Without wind there is no air: what falls, falls freely.
//
// Gusts vary the speed, and a little the direction, smoothly over place and time: sums of sines, which are polynomials
// of our own, of phases formed in double from the tick.
#include "sim/world.h"

#define AIR_DENSITY 1.2f       // kg/m³, ρ
#define PANEL_COEFFICIENT 1.0f // C: of a plate that turns its face to the wind
#define GUST_TURN 0.3f         // sideways share of a full gust

// A sine of `turns` full turns, within 0.0011 of the true one: a parabola, mended by its own square.
static float sine_of_turns(double turns) {
    const double clamped = turns > -1e15 ? (turns < 1e15 ? turns : 1e15) : -1e15;
    const int64_t whole = (int64_t)clamped;
    float t = (float)(clamped - (double)whole); // −1..1
    t = t < 0.0f ? t + 1.0f : t;
    const float s = t < 0.5f ? 16.0f * t * (0.5f - t) : -16.0f * (t - 0.5f) * (1.0f - t);
    return s * (0.775f + 0.225f * scalar_abs(s));
}

struct air {
    struct vec3 velocity; // m/s, without gusts
    struct vec3 sideways; // m/s, as fast, level and across
    double seconds;
    float gust;
    float tick; // s
};

static struct air air_of(const struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const struct vec3 wind = parameters->wind_velocity;
    return (struct air){
        .velocity = wind,
        .sideways = vec3_of(-wind.z, 0.0f, wind.x),
        .seconds = (double)world->state.tick / (double)world->tick_hz,
        .gust = parameters->wind_gust,
        .tick = 1.0f / world->tick_hz,
    };
}

// Gust fronts of some 6 m and 2 m drift through the world, one in 3 s and three in 4 s.
static struct vec3 velocity_at(const struct air *air, struct vec3 p) {
    if (air->gust == 0.0f) {
        return air->velocity;
    }
    const double along = (double)p.x + 0.6 * (double)p.z;
    const double across = (double)p.z - 0.4 * (double)p.x + 0.5 * (double)p.y;
    const float slow = sine_of_turns(along * 0.16 - air->seconds * 0.33);
    const float fast = sine_of_turns(across * 0.47 + air->seconds * 0.75);
    const float turn = sine_of_turns(across * 0.11 - air->seconds * 0.21);
    const float speed = 1.0f + air->gust * (0.65f * slow + 0.35f * fast);
    const struct vec3 straight = vec3_scale(air->velocity, speed);
    return vec3_add(straight, vec3_scale(air->sideways, air->gust * GUST_TURN * turn));
}

static float mass_of(const struct sim_world *world, uint32_t slot) {
    const float w = world->own_w[slot];
    return w > 0.0f ? 1.0f / w : 0.0f;
}

static void push_triangle(struct sim_world *world, const struct air *air, const uint32_t slot[3], float per_second) {
    struct vec3 p[3];
    struct vec3 displacement = {0};
    for (unsigned k = 0; k < 3; k++) {
        p[k] = particle_position(world, slot[k]);
        displacement = vec3_add(displacement, vec3_of(world->dx[slot[k]], world->dy[slot[k]], world->dz[slot[k]]));
    }
    const struct vec3 cross = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    const float twice_area = vec3_length(cross);
    // In a sheet about six triangles meet in a particle, so a triangle owns a sixth of its corners' masses.
    const float mass = (mass_of(world, slot[0]) + mass_of(world, slot[1]) + mass_of(world, slot[2])) / 6.0f;
    if (!(twice_area > 0.0f) || !(mass > 0.0f)) {
        return;
    }
    const struct vec3 n = vec3_of(cross.x / twice_area, cross.y / twice_area, cross.z / twice_area);
    const struct vec3 centre = vec3_scale(vec3_add(p[0], vec3_add(p[1], p[2])), 1.0f / 3.0f);
    const struct vec3 u = vec3_sub(velocity_at(air, centre), vec3_scale(displacement, per_second / 3.0f));
    const float un = vec3_dot(u, n);
    const float drag = 0.5f * AIR_DENSITY * PANEL_COEFFICIENT * (0.5f * twice_area) * scalar_abs(un); // kg/s
    const float third = drag * un / (1.0f + drag * air->tick / mass) / 3.0f;                          // N
    for (unsigned k = 0; k < 3; k++) {
        world->fx[slot[k]] += third * n.x;
        world->fy[slot[k]] += third * n.y;
        world->fz[slot[k]] += third * n.z;
    }
}

static void push_object(struct sim_world *world, const struct object *object, const struct air *air) {
    const float per_second = 1.0f / world_substep_seconds(world);
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t slot[3] = {
            object->first + triangle[3 * (size_t)i],
            object->first + triangle[3 * (size_t)i + 1],
            object->first + triangle[3 * (size_t)i + 2],
        };
        push_triangle(world, air, slot, per_second);
    }
}

void wind_apply(struct sim_world *world) {
    if (vec3_reach(world->state.parameters.wind_velocity) == 0.0f) {
        return;
    }
    const struct air air = air_of(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const bool catches =
            object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH || object->kind == SIM_KIND_PLANT;
        if (catches && object_is_active(object)) {
            push_object(world, object, &air);
        }
    }
}
