// SPDX-License-Identifier: MIT
// Checks of values from outside. Each refusal names the member, the value and the limits.
#ifndef WEFT_SIM_WORLD_CHECK_H
#define WEFT_SIM_WORLD_CHECK_H

#include "sim/world/world.h"

enum result check_range(float value, float low, float high, const char *unit, const char *member,
                        struct fault *fault) WEFT_MUST_USE;
enum result check_vector(struct vec3 value, float magnitude_max, const char *unit, const char *member,
                         struct fault *fault) WEFT_MUST_USE;
enum result check_array(const float *values, uint32_t count, float low, float high, const char *unit,
                        const char *member, struct fault *fault) WEFT_MUST_USE;
// Of a soft body: Young's modulus in Pa, Poisson's ratio, viscosity in s.
enum result check_elasticity(float young, float poisson, float viscosity, struct fault *fault) WEFT_MUST_USE;
enum result check_rotation(struct quat rotation, struct mat3 *matrix, struct fault *fault) WEFT_MUST_USE;
// Of a new object: position in m, rotation as a quaternion, velocity in m/s. Sets *matrix to the rotation.
enum result check_motion(struct vec3 position, struct quat rotation, struct vec3 velocity, struct mat3 *matrix,
                         struct fault *fault) WEFT_MUST_USE;
enum result check_projection(enum sim_projection projection, struct fault *fault) WEFT_MUST_USE;
enum result check_friction(float friction, struct fault *fault) WEFT_MUST_USE;
enum result check_compliance(float compliance, const char *member, struct fault *fault) WEFT_MUST_USE;
enum result check_tear_force(float force, struct fault *fault) WEFT_MUST_USE; // 0: none
// Checks that every particle of a new object is within ±SIM_POSITION_MAX.
enum result check_positions(const struct sim_world *world, const struct object *object, const char *member,
                            struct fault *fault) WEFT_MUST_USE;

#endif
