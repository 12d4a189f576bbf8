// SPDX-License-Identifier: MIT
// Checks of values from outside. Each refusal names the member, the value and the limits.
#include "sim/world/check.h"

#include <stdio.h>

#include "sim/world/particle.h"

#define TEAR_FORCE_MIN 1e-6f   // N
#define COMPLIANCE_MAX 1000.0f // m/N

// A JSON pointer in the form that sentences of the protocol use: "/bounds/min/1" is bounds.min[1].
static void write_name(const char *pointer, char *name, size_t capacity) {
    size_t length = 0;
    bool is_index = false;
    for (const char *from = pointer + (pointer[0] == '/'); *from != '\0' && length + 2 < capacity; from++) {
        if (*from != '/') {
            name[length++] = *from;
            continue;
        }
        if (is_index) {
            name[length++] = ']';
        }
        is_index = from[1] >= '0' && from[1] <= '9';
        name[length++] = is_index ? '[' : '.';
    }
    if (is_index) {
        name[length++] = ']';
    }
    name[length] = '\0';
}

enum result check_range(float value, float low, float high, const char *unit, const char *member, struct fault *fault) {
    if (value >= low && value <= high) {
        return RESULT_OK;
    }
    char name[FAULT_POINTER_MAX];
    write_name(member, name, sizeof name);
    return fault_set(fault, RESULT_INVALID, member, "%s must be %g to %g%s%s, got %g", name, (double)low, (double)high,
                     unit[0] != '\0' ? " " : "", unit, (double)value);
}

enum result check_vector(struct vec3 value, float magnitude_max, const char *unit, const char *member,
                         struct fault *fault) {
    const float components[3] = {value.x, value.y, value.z};
    for (unsigned axis = 0; axis < 3; axis++) {
        char pointer[FAULT_POINTER_MAX];
        snprintf(pointer, sizeof pointer, "%s/%u", member, axis);
        const enum result result = check_range(components[axis], -magnitude_max, magnitude_max, unit, pointer, fault);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

enum result check_array(const float *values, uint32_t count, float low, float high, const char *unit,
                        const char *member, struct fault *fault) {
    for (uint32_t i = 0; i < count; i++) {
        if (!(values[i] >= low && values[i] <= high)) {
            char pointer[FAULT_POINTER_MAX];
            snprintf(pointer, sizeof pointer, "%s/%u", member, i);
            return check_range(values[i], low, high, unit, pointer, fault);
        }
    }
    return RESULT_OK;
}

enum result check_elasticity(float young, float poisson, float viscosity, struct fault *fault) {
    enum result result = check_range(young, 1.0f, 1e12f, "Pa", "/young", fault);
    if (result == RESULT_OK) {
        result = check_range(poisson, 0.0f, 0.5f, "", "/poisson", fault);
    }
    return result == RESULT_OK ? check_range(viscosity, 0.0f, 10.0f, "s", "/viscosity", fault) : result;
}

enum result check_rotation(struct quat rotation, struct mat3 *matrix, struct fault *fault) {
    const float squared =
        rotation.x * rotation.x + rotation.y * rotation.y + rotation.z * rotation.z + rotation.w * rotation.w;
    if (!(squared >= 1e-12f) || !scalar_is_finite(squared)) {
        return fault_set(fault, RESULT_INVALID, "/rotation",
                         "rotation must be a finite quaternion that is not zero, got [%g, %g, %g, %g]",
                         (double)rotation.x, (double)rotation.y, (double)rotation.z, (double)rotation.w);
    }
    const float length = sqrtf(squared);
    const struct quat unit = {rotation.x / length, rotation.y / length, rotation.z / length, rotation.w / length};
    *matrix = mat3_of_unit_quat(unit);
    return RESULT_OK;
}

enum result check_motion(struct vec3 position, struct quat rotation, struct vec3 velocity, struct mat3 *matrix,
                         struct fault *fault) {
    enum result result = check_vector(position, SIM_POSITION_MAX, "m", "/position", fault);
    if (result == RESULT_OK) {
        result = check_rotation(rotation, matrix, fault);
    }
    return result == RESULT_OK ? check_vector(velocity, SIM_SPEED_MAX, "m/s", "/velocity", fault) : result;
}

enum result check_projection(enum sim_projection projection, struct fault *fault) {
    return (uint32_t)projection < SIM_PROJECTION_COUNT
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "/projection", "projection must be current or start");
}

enum result check_friction(float friction, struct fault *fault) {
    return check_range(friction, 0.0f, 10.0f, "", "/friction", fault);
}

enum result check_compliance(float compliance, const char *member, struct fault *fault) {
    return check_range(compliance, 0.0f, COMPLIANCE_MAX, "m/N", member, fault);
}

enum result check_tear_force(float force, struct fault *fault) {
    return force == 0.0f ? RESULT_OK : check_range(force, TEAR_FORCE_MIN, SIM_TEAR_FORCE_MAX, "N", "/tearForce", fault);
}

enum result check_positions(const struct sim_world *world, const struct object *object, const char *member,
                            struct fault *fault) {
    for (uint32_t i = 0; i < object->particles; i++) {
        const struct vec3 p = particle_position(world, object->first + i);
        if (!vec3_is_finite(p) || vec3_reach(p) > SIM_POSITION_MAX) {
            return fault_set(fault, RESULT_INVALID, member,
                             "particle %u would lie at (%g, %g, %g) m; every coordinate must be within ±%g m", i,
                             (double)p.x, (double)p.y, (double)p.z, (double)SIM_POSITION_MAX);
        }
    }
    return RESULT_OK;
}
