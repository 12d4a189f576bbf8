// SPDX-License-Identifier: MIT
// Wind on the triangles of cloth, meshes and plants, once a tick (physics.md 7):
//
//   u = v_air − v_tri,  f = ½·ρ·C·A·|u·n|·(u·n)·n / (1 + ½·ρ·C·A·|u·n|·T/m_tri), a third to each corner
//
// with T the tick, over which the force lasts. The denominator keeps a light panel from being thrown faster than the
// wind. Without wind there is no air: what falls, falls freely.
//
// Gusts vary the speed, and a little the direction, smoothly over place and time: sums of sines, which are polynomials
// of our own. How far they have come in time is formed in double from the tick and taken to within a turn; where in
// them a place lies, in float32.
#include "sim/wide.h"
#include "sim/work.h"

// A sine of `turns` full turns, within 0.0011 of the true one: a parabola, mended by its own square. |turns| < 2³⁰.
static float wind_sine(float turns) {
    float t = turns - (float)(int32_t)turns; // −1..1
    t = t < 0.0f ? t + 1.0f : t;
    const float s = t < 0.5f ? 16.0f * t * (0.5f - t) : -16.0f * (t - 0.5f) * (1.0f - t);
    return s * (0.775f + 0.225f * scalar_abs(s));
}

// Less whole turns; of a world that has run for longer than numbers can tell, 0.
static float part_of_turn(double turns) {
    return turns < 1e15 ? (float)(turns - (double)(int64_t)turns) : 0.0f;
}

// Gust fronts of some 6 m and 2 m drift through the world, one in 3 s and three in 4 s.
static struct wind_air air_of(const struct sim_world *world) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const struct vec3 wind = parameters->wind_velocity;
    const double seconds = (double)world->state.tick / (double)world->tick_hz;
    return (struct wind_air){
        .velocity = wind,
        .sideways = vec3_of(-wind.z, 0.0f, wind.x),
        .slow = part_of_turn(seconds * 0.33),
        .fast = part_of_turn(seconds * 0.75),
        .turn = part_of_turn(seconds * 0.21),
        .gust = parameters->wind_gust,
        .tick = 1.0f / world->tick_hz,
        .per_second = 1.0f / world_substep_seconds(world),
    };
}

static struct vec3 wind_velocity(const struct wind_air *air, struct vec3 p) {
    if (air->gust == 0.0f) {
        return air->velocity;
    }
    const float along = p.x + 0.6f * p.z;
    const float across = p.z - 0.4f * p.x + 0.5f * p.y;
    const float slow = wind_sine(along * 0.16f - air->slow);
    const float fast = wind_sine(across * 0.47f + air->fast);
    const float turn = wind_sine(across * 0.11f - air->turn);
    const float speed = 1.0f + air->gust * (0.65f * slow + 0.35f * fast);
    const float sideways = air->gust * WIND_GUST_TURN * turn;
    return vec3_add(vec3_scale(air->velocity, speed), vec3_scale(air->sideways, sideways));
}

static float mass_of(const struct sim_world *world, uint32_t slot) {
    const float w = world->own_w[slot];
    return w > 0.0f ? 1.0f / w : 0.0f;
}

static void push_triangle(struct sim_world *world, const struct wind_air *air, const uint32_t slot[3]) {
    struct vec3 p[3];
    struct vec3 d[3];
    for (unsigned k = 0; k < 3; k++) {
        p[k] = particle_position(world, slot[k]);
        d[k] = vec3_of(world->dx[slot[k]], world->dy[slot[k]], world->dz[slot[k]]);
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
    const struct vec3 moved = vec3_add(vec3_add(d[0], d[1]), d[2]);
    const struct vec3 u = vec3_sub(wind_velocity(air, centre), vec3_scale(moved, air->per_second / 3.0f));
    const float un = vec3_dot(u, n);
    const float drag = WIND_PANEL * (0.5f * twice_area) * scalar_abs(un);    // kg/s
    const float third = drag * un / (1.0f + drag * air->tick / mass) / 3.0f; // N
    for (unsigned k = 0; k < 3; k++) {
        world->fx[slot[k]] += n.x * third;
        world->fy[slot[k]] += n.y * third;
        world->fz[slot[k]] += n.z * third;
    }
}

// Row by row; of a hexagonal lattice odd rows are crossed (cloth.c).
static void push_lattice(struct sim_world *world, const struct object *object, const struct wind_air *air) {
    const struct wind_job job = {
        .air = *air,
        .axes = world_axes(world),
        .own_w = world->own_w,
        .force = {world->fx, world->fy, world->fz},
    };
    for (uint32_t row = 0; row + 1 < object->rows; row++) {
        const uint32_t a = object->first + row * object->columns;
        const bool crossed = object->lattice == SIM_LATTICE_HEX && row % 2 == 1;
        world->wide->wind_row(&job, a, a + object->columns, object->columns - 1, crossed);
    }
}

static void push_object(struct sim_world *world, const struct object *object, const struct wind_air *air) {
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t slot[3] = {
            object->first + triangle[3 * (size_t)i],
            object->first + triangle[3 * (size_t)i + 1],
            object->first + triangle[3 * (size_t)i + 2],
        };
        push_triangle(world, air, slot);
    }
}

static void blow(struct sim_world *world, uint32_t place, const void *air) {
    const struct object *object = &world->object[place];
    const bool catches =
        object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH || object->kind == SIM_KIND_PLANT;
    if (!catches || !object_is_active(object)) {
        return;
    }
    if (object_is_whole_lattice(object)) {
        push_lattice(world, object, air);
    } else {
        push_object(world, object, air);
    }
}

void wind_apply(struct sim_world *world) {
    if (vec3_reach(world->state.parameters.wind_velocity) > 0.0f) {
        const struct wind_air air = air_of(world);
        work_objects(world, blow, &air);
    }
}
