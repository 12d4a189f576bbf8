// SPDX-License-Identifier: MIT
// A rigid body: four particles and six sticks, which leave 4·3 − 6 = 6 degrees of freedom (physics.md 6).
//
// Opposite edges share no particle: three colours of two sticks. Triangles wind outward.
#include "sim/world.h"

// Flat when |det[e1, e2, e3]| is below this share of the cube of the longest edge.
#define FLAT_SHARE 1e-6f
#define SIZE_MAX_M 1000.0f

struct sim_body_desc sim_body_desc_default(void) {
    return (struct sim_body_desc){
        .size = 0.4f,
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .mass = 1.0f,
        .friction = 0.5f,
        .projection = SIM_PROJECTION_START,
    };
}

static const uint32_t edge_ends[6][2] = {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}};

struct tetrahedron {
    struct vec3 corner[4]; // m, local
    float mass[4];         // kg
};

// ---- checks ------------------------------------------------------------------------------------------------------

static enum result check_masses(const struct sim_body_desc *desc, struct fault *fault) {
    if (desc->masses != NULL) {
        return check_array(desc->masses, 4, SIM_MASS_MIN, SIM_MASS_MAX, "kg", "/masses", fault);
    }
    return check_range(desc->mass, 1e-6f, 1e6f, "kg", "/mass", fault);
}

static enum result check_shape(const struct sim_body_desc *desc, struct fault *fault) {
    if (desc->vertices != NULL) {
        return check_array(desc->vertices, 12, -SIM_POSITION_MAX, SIM_POSITION_MAX, "m", "/vertices", fault);
    }
    if (!(desc->size >= 1e-4f && desc->size <= SIZE_MAX_M)) {
        return fault_set(fault, RESULT_INVALID, "/size", "size must be 0.0001 to %g m, got %g", (double)SIZE_MAX_M,
                         (double)desc->size);
    }
    return RESULT_OK;
}

static enum result check_desc(const struct sim_body_desc *desc, struct mat3 *rotation, struct fault *fault) {
    enum result result = check_shape(desc, fault);
    if (result == RESULT_OK) {
        result = check_masses(desc, fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(desc->position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result == RESULT_OK) {
        result = check_rotation(desc->rotation, rotation, fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(desc->velocity, SIM_SPEED_MAX, "m/s", "/velocity", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(desc->angular_velocity, 1000.0f, "rad/s", "/angularVelocity", fault);
    }
    if (result == RESULT_OK && (uint32_t)desc->projection >= SIM_PROJECTION_COUNT) {
        result = fault_set(fault, RESULT_INVALID, "/projection", "projection must be current or start");
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

static float determinant(const struct tetrahedron *shape) {
    const struct vec3 *corner = shape->corner;
    const struct vec3 normal = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
    return vec3_dot(normal, vec3_sub(corner[3], corner[0]));
}

static enum result check_not_flat(const struct tetrahedron *shape, struct fault *fault) {
    float longest = 0.0f;
    float shortest = 0.0f;
    for (unsigned i = 0; i < 6; i++) {
        const struct vec3 edge = vec3_sub(shape->corner[edge_ends[i][1]], shape->corner[edge_ends[i][0]]);
        const float length = vec3_length(edge);
        longest = scalar_max(longest, length);
        shortest = i == 0 ? length : scalar_min(shortest, length);
    }
    const float volume = scalar_abs(determinant(shape));
    if (!(shortest >= 1e-5f) || !(volume > FLAT_SHARE * longest * longest * longest)) {
        return fault_set(fault, RESULT_INVALID, "/vertices",
                         "the four vertices must not lie in a plane: their tetrahedron has edges of %g to %g m and a "
                         "volume of %g m³",
                         (double)shortest, (double)longest, (double)volume / 6.0);
    }
    return RESULT_OK;
}

// ---- building ----------------------------------------------------------------------------------------------------

// Every second corner of a cube, whose face diagonal is the edge.
static struct tetrahedron shape_of(const struct sim_body_desc *desc) {
    static const float alternate[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    const float half_side = desc->size / 2.82842712f;
    struct tetrahedron shape = {0};
    for (unsigned i = 0; i < 4; i++) {
        const float *corner = (desc->vertices != NULL ? desc->vertices : alternate) + 3 * (size_t)i;
        const float scale = desc->vertices != NULL ? 1.0f : half_side;
        shape.corner[i] = vec3_of(scale * corner[0], scale * corner[1], scale * corner[2]);
        shape.mass[i] = desc->masses != NULL ? desc->masses[i] : desc->mass / 4.0f;
    }
    return shape;
}

static struct vec3 centre_of_mass(const struct tetrahedron *shape) {
    struct vec3 sum = {0};
    float mass = 0.0f;
    for (unsigned i = 0; i < 4; i++) {
        sum = vec3_add(sum, vec3_scale(shape->corner[i], shape->mass[i]));
        mass += shape->mass[i];
    }
    return vec3_of(sum.x / mass, sum.y / mass, sum.z / mass);
}

static void add_sticks(struct sim_world *world, struct object *object, const struct tetrahedron *shape) {
    for (unsigned i = 0; i < 6; i++) {
        const uint32_t stick = object->first_stick + i;
        const uint32_t a = edge_ends[i][0];
        const uint32_t b = edge_ends[i][1];
        world->stick_a[stick] = a;
        world->stick_b[stick] = b;
        world->stick_rest[stick] = vec3_length(vec3_sub(shape->corner[b], shape->corner[a]));
    }
    object->colours = 3;
    for (uint32_t colour = 0; colour < 3; colour++) {
        world->colour_end[object->first_colour + colour] = 2 * (colour + 1);
    }
}

static void add_triangles(struct sim_world *world, const struct object *object, const struct tetrahedron *shape) {
    static const uint32_t outward[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}; // for a negative determinant
    const bool turned = determinant(shape) > 0.0f;
    uint32_t *at = world->triangle + 3 * (size_t)object->first_triangle;
    for (unsigned i = 0; i < 4; i++) {
        at[3 * i] = outward[i][0];
        at[3 * i + 1] = turned ? outward[i][2] : outward[i][1];
        at[3 * i + 2] = turned ? outward[i][1] : outward[i][2];
    }
}

// d = (velocity + ω × arm)·h, the arm from the centre of mass.
static void add_particles(struct sim_world *world, const struct object *object, const struct sim_body_desc *desc,
                          const struct tetrahedron *shape, const struct mat3 *rotation) {
    const float h = world_substep_seconds(world);
    const struct vec3 centre = centre_of_mass(shape);
    const struct vec3 origin = desc->vertices != NULL ? vec3_of(0.0f, 0.0f, 0.0f) : centre;
    for (unsigned i = 0; i < 4; i++) {
        const struct vec3 arm = mat3_apply(rotation, vec3_sub(shape->corner[i], centre));
        const struct vec3 local = mat3_apply(rotation, vec3_sub(shape->corner[i], origin));
        const struct vec3 velocity = vec3_add(desc->velocity, vec3_cross(desc->angular_velocity, arm));
        particle_init(world, object->first + i, vec3_add(desc->position, local), 1.0f / shape->mass[i]);
        particle_set_displacement(world, object->first + i, vec3_scale(velocity, h));
    }
}

enum result sim_body_spawn(struct sim_world *world, const struct sim_body_desc *desc, uint32_t *object,
                           struct fault *fault) {
    struct object made = {0};
    struct mat3 rotation;
    const struct object_size size = {.particles = 4, .sticks = 6, .triangles = 4};
    enum result result = check_desc(desc, &rotation, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct tetrahedron shape = shape_of(desc);
    result = check_not_flat(&shape, fault);
    if (result == RESULT_OK) {
        result = layout_reserve(world, size, &made, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.kind = SIM_KIND_BODY;
    made.friction = desc->friction;
    made.projection = desc->projection;
    add_particles(world, &made, desc, &shape, &rotation);
    add_sticks(world, &made, &shape);
    add_triangles(world, &made, &shape);
    result = check_positions(world, &made, "/position", fault);
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    return result;
}
