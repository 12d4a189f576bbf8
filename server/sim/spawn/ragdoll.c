// SPDX-License-Identifier: MIT
// Ragdoll: an articulated figure of tetrahedral bones (PHYSICS.md 11.3; T. Jakobsen, "Advanced Character Physics").
//
// Bones that share one particle meet in a pin joint (neck, waist, shoulders, hips), bones that share two in a hinge
// (elbows, knees). Each bone is rigid by its six sticks. Limits are at-least sticks between particles of two bones: on
// the side towards which a joint must not bend, the distance may not fall under a share of its length in the figure's
// stance. All sticks keep rotation (SHAKE). The faces of the bones are the figure's surface.
//
// The stance, in units of the height: y up, facing +z, its own left at +x, origin between the hips; arms down and a
// little apart, elbows and knees bent a little in the direction in which they may bend.
#include "sim/spawn/ragdoll.h"

#include "sim/body/body_relax.h"
#include "sim/spawn/body_form.h"
#include "sim/stick/colour.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

enum joint {
    WAIST,
    HIP_L,
    HIP_R,
    SACRUM,
    SHOULDER_L,
    SHOULDER_R,
    NECK,
    TEMPLE_L,
    TEMPLE_R,
    CROWN,
    ELBOW_L_IN,
    ELBOW_L_OUT,
    ARM_L,
    HAND_L,
    FOREARM_L,
    ELBOW_R_IN,
    ELBOW_R_OUT,
    ARM_R,
    HAND_R,
    FOREARM_R,
    KNEE_L_IN,
    KNEE_L_OUT,
    THIGH_L,
    FOOT_L,
    SHIN_L,
    KNEE_R_IN,
    KNEE_R_OUT,
    THIGH_R,
    FOOT_R,
    SHIN_R,
    JOINTS
};

static const float stance[JOINTS][3] = {
    [WAIST] = {0.0f, 0.09f, 0.02f},
    [HIP_L] = {0.055f, -0.03f, 0.01f},
    [HIP_R] = {-0.055f, -0.03f, 0.01f},
    [SACRUM] = {0.0f, 0.02f, -0.06f},
    [SHOULDER_L] = {0.1f, 0.29f, -0.03f},
    [SHOULDER_R] = {-0.1f, 0.29f, -0.03f},
    [NECK] = {0.0f, 0.32f, 0.04f},
    [TEMPLE_L] = {0.045f, 0.39f, 0.06f},
    [TEMPLE_R] = {-0.045f, 0.39f, 0.06f},
    [CROWN] = {0.0f, 0.45f, -0.02f},
    [ELBOW_L_IN] = {0.105f, 0.12f, -0.02f},
    [ELBOW_L_OUT] = {0.175f, 0.12f, -0.02f},
    [ARM_L] = {0.135f, 0.19f, -0.095f},
    [HAND_L] = {0.15f, -0.03f, 0.03f},
    [FOREARM_L] = {0.145f, 0.04f, -0.065f},
    [ELBOW_R_IN] = {-0.105f, 0.12f, -0.02f},
    [ELBOW_R_OUT] = {-0.175f, 0.12f, -0.02f},
    [ARM_R] = {-0.135f, 0.19f, -0.095f},
    [HAND_R] = {-0.15f, -0.03f, 0.03f},
    [FOREARM_R] = {-0.145f, 0.04f, -0.065f},
    [KNEE_L_IN] = {0.02f, -0.28f, 0.02f},
    [KNEE_L_OUT] = {0.1f, -0.28f, 0.02f},
    [THIGH_L] = {0.06f, -0.16f, 0.095f},
    [FOOT_L] = {0.06f, -0.53f, -0.01f},
    [SHIN_L] = {0.06f, -0.38f, 0.085f},
    [KNEE_R_IN] = {-0.02f, -0.28f, 0.02f},
    [KNEE_R_OUT] = {-0.1f, -0.28f, 0.02f},
    [THIGH_R] = {-0.06f, -0.16f, 0.095f},
    [FOOT_R] = {-0.06f, -0.53f, -0.01f},
    [SHIN_R] = {-0.06f, -0.38f, 0.085f},
};

struct bone {
    enum joint corner[4];
    float mass; // share of the figure's mass
};

static const struct bone bones[] = {
    {{WAIST, HIP_L, HIP_R, SACRUM}, 0.13f},
    {{WAIST, SHOULDER_L, SHOULDER_R, NECK}, 0.2f},
    {{NECK, TEMPLE_L, TEMPLE_R, CROWN}, 0.07f},
    {{SHOULDER_L, ELBOW_L_IN, ELBOW_L_OUT, ARM_L}, 0.045f},
    {{ELBOW_L_IN, ELBOW_L_OUT, HAND_L, FOREARM_L}, 0.045f},
    {{SHOULDER_R, ELBOW_R_IN, ELBOW_R_OUT, ARM_R}, 0.045f},
    {{ELBOW_R_IN, ELBOW_R_OUT, HAND_R, FOREARM_R}, 0.045f},
    {{HIP_L, KNEE_L_IN, KNEE_L_OUT, THIGH_L}, 0.12f},
    {{KNEE_L_IN, KNEE_L_OUT, FOOT_L, SHIN_L}, 0.09f},
    {{HIP_R, KNEE_R_IN, KNEE_R_OUT, THIGH_R}, 0.12f},
    {{KNEE_R_IN, KNEE_R_OUT, FOOT_R, SHIN_R}, 0.09f},
};

struct limit {
    enum joint a, b;
    float share; // share of their distance in the stance
};

// Of each pair of limits the left one comes first.
static const struct limit limits[] = {
    // The spine bends forward, and a little back, to the sides and round.
    {NECK, SACRUM, 0.9f},
    {SHOULDER_L, HIP_L, 0.75f},
    {SHOULDER_R, HIP_R, 0.75f},
    {SHOULDER_L, HIP_R, 0.8f},
    {SHOULDER_R, HIP_L, 0.8f},
    {NECK, HIP_L, 0.55f},
    {NECK, HIP_R, 0.55f},
    // The head nods, tilts and turns.
    {CROWN, SHOULDER_L, 0.75f},
    {CROWN, SHOULDER_R, 0.75f},
    {TEMPLE_L, SHOULDER_L, 0.7f},
    {TEMPLE_R, SHOULDER_R, 0.7f},
    {TEMPLE_L, SHOULDER_R, 0.75f},
    {TEMPLE_R, SHOULDER_L, 0.75f},
    {CROWN, WAIST, 0.8f},
    // Upper arms stay out of the chest and of each other.
    {ELBOW_L_IN, WAIST, 0.9f},
    {ELBOW_R_IN, WAIST, 0.9f},
    {ELBOW_L_IN, NECK, 0.5f},
    {ELBOW_R_IN, NECK, 0.5f},
    {ELBOW_L_IN, SHOULDER_R, 0.6f},
    {ELBOW_R_IN, SHOULDER_L, 0.6f},
    {ARM_L, NECK, 0.75f},
    {ARM_R, NECK, 0.75f},
    // Elbows bend forward, up to where the hand is near the shoulder.
    {ARM_L, FOREARM_L, 0.97f},
    {ARM_R, FOREARM_R, 0.97f},
    {SHOULDER_L, HAND_L, 0.4f},
    {SHOULDER_R, HAND_R, 0.4f},
    // Hips bend forward; legs do not cross far.
    {KNEE_L_IN, SACRUM, 0.85f},
    {KNEE_R_IN, SACRUM, 0.85f},
    {KNEE_L_OUT, WAIST, 0.45f},
    {KNEE_R_OUT, WAIST, 0.45f},
    {KNEE_L_IN, HIP_R, 0.8f},
    {KNEE_R_IN, HIP_L, 0.8f},
    {KNEE_L_IN, KNEE_R_IN, 0.5f},
    {THIGH_L, HIP_R, 0.7f},
    {THIGH_R, HIP_L, 0.7f},
    // Knees bend back, up to where the heel is near the hip.
    {THIGH_L, SHIN_L, 0.97f},
    {THIGH_R, SHIN_R, 0.97f},
    {HIP_L, FOOT_L, 0.4f},
    {HIP_R, FOOT_R, 0.4f},
};

#define UPRIGHT_SHARE 0.5f // least share of its determinant at rest that a bone has which is neither flat nor mirrored
#define BONES (sizeof bones / sizeof bones[0])
#define LIMITS (sizeof limits / sizeof limits[0])
#define HINGES 4u // hinges, whose axis is a stick of two bones
#define BONE_STICKS (6u * (uint32_t)BONES - HINGES)

// All sticks of a figure, before they have colours.
struct sticks {
    uint32_t a[6 * BONES], b[6 * BONES], colour[6 * BONES], order[6 * BONES];
    float rest[6 * BONES]; // m
    uint32_t count;
};
_Static_assert(LIMITS <= 6 * BONES, "limits go through the same list");

bool ragdoll_has_its_parts(const struct object *figure) {
    return figure->particles == JOINTS && figure->sticks == BONE_STICKS + LIMITS;
}

struct sim_ragdoll_desc sim_ragdoll_desc_default(void) {
    return (struct sim_ragdoll_desc){
        .position = {0.0f, 1.0f, 0.0f},
        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
        .height = 1.7f,
        .mass = 70.0f,
        .friction = 0.5f,
    };
}

static enum result check_desc(const struct sim_ragdoll_desc *desc, struct mat3 *rotation, struct fault *fault) {
    enum result result = check_motion(desc->position, desc->rotation, desc->velocity, rotation, fault);
    if (result == RESULT_OK) {
        result = check_range(desc->height, 0.01f, 100.0f, "m", "/height", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->mass, 1e-6f, 1e6f, "kg", "/mass", fault);
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

static struct vec3 stance_of(enum joint joint) {
    return vec3_of(stance[joint][0], stance[joint][1], stance[joint][2]);
}

static void add_particles(struct sim_world *world, const struct object *object, const struct sim_ragdoll_desc *desc,
                          const struct mat3 *rotation) {
    const struct vec3 moved = vec3_scale(desc->velocity, world_substep_seconds(world));
    float mass[JOINTS] = {0};
    for (size_t i = 0; i < BONES; i++) {
        for (unsigned k = 0; k < 4; k++) {
            mass[bones[i].corner[k]] += 0.25f * bones[i].mass * desc->mass;
        }
    }
    for (uint32_t i = 0; i < JOINTS; i++) {
        const struct vec3 arm = mat3_apply(rotation, vec3_scale(stance_of((enum joint)i), desc->height));
        particle_init_apart(world, object->first + i, desc->position, arm, 1.0f / mass[i]);
        particle_set_displacement(world, object->first + i, moved);
    }
}

// The axis of a hinge is an edge of two bones but only one stick.
static void add_stick(struct sticks *sticks, uint32_t a, uint32_t b, float rest) {
    for (uint32_t i = 0; i < sticks->count; i++) {
        if ((sticks->a[i] == a && sticks->b[i] == b) || (sticks->a[i] == b && sticks->b[i] == a)) {
            return;
        }
    }
    sticks->a[sticks->count] = a;
    sticks->b[sticks->count] = b;
    sticks->rest[sticks->count] = rest;
    sticks->count++;
}

static float apart(enum joint a, enum joint b, float height) {
    return vec3_length(vec3_sub(stance_of(b), stance_of(a))) * height;
}

static void append(struct sim_world *world, struct object *object, struct sticks *sticks, enum sim_stick_kind kind) {
    const struct stick_batch batch = {
        .a = sticks->a,
        .b = sticks->b,
        .rest = sticks->rest,
        .count = sticks->count,
        .class = (uint8_t)kind,
        .colour = sticks->colour,
        .order = sticks->order,
    };
    colour_append(world, object, &batch);
}

// Limits come first, so that the sticks that make bones rigid act last.
static void add_sticks(struct sim_world *world, struct object *object, float height) {
    struct sticks sticks = {.count = 0};
    object->sticks = 0; // counted again while they are added
    for (size_t i = 0; i < LIMITS; i++) {
        add_stick(&sticks, limits[i].a, limits[i].b, limits[i].share * apart(limits[i].a, limits[i].b, height));
    }
    append(world, object, &sticks, SIM_STICK_AT_LEAST);
    sticks.count = 0;
    for (size_t i = 0; i < BONES; i++) {
        for (unsigned a = 0; a < 4; a++) {
            for (unsigned b = a + 1; b < 4; b++) {
                const enum joint from = bones[i].corner[a];
                const enum joint to = bones[i].corner[b];
                add_stick(&sticks, from, to, apart(from, to, height));
            }
        }
    }
    append(world, object, &sticks, SIM_STICK_EQUAL);
}

// Outward.
static void add_triangles(struct sim_world *world, const struct object *object) {
    static const unsigned face[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}; // for a negative determinant
    uint32_t *at = world->triangle + 3 * (size_t)object->first_triangle;
    for (size_t i = 0; i < BONES; i++) {
        const enum joint *corner = bones[i].corner;
        const struct vec3 origin = stance_of(corner[0]);
        const struct vec3 normal =
            vec3_cross(vec3_sub(stance_of(corner[1]), origin), vec3_sub(stance_of(corner[2]), origin));
        const bool turned = vec3_dot(normal, vec3_sub(stance_of(corner[3]), origin)) > 0.0f;
        for (unsigned k = 0; k < 4; k++) {
            at[0] = corner[face[k][0]];
            at[1] = corner[face[k][turned ? 2 : 1]];
            at[2] = corner[face[k][turned ? 1 : 2]];
            at += 3;
        }
    }
}

// ---- mirror images -----------------------------------------------------------------------------------------------

// det[e1, e2, e3] of a bone of a figure 1 m high.
static float stance_determinant(const struct bone *bone) {
    return body_determinant(stance_of(bone->corner[0]), stance_of(bone->corner[1]), stance_of(bone->corner[2]),
                            stance_of(bone->corner[3]));
}

static void slots_of(const struct object *figure, const struct bone *bone, uint32_t slot[4]) {
    for (unsigned k = 0; k < 4; k++) {
        slot[k] = figure->first + (uint32_t)bone->corner[k];
    }
}

bool ragdoll_bones_are_upright(const struct sim_world *world, const struct object *figure) {
    for (size_t i = 0; i < BONES; i++) {
        uint32_t slot[4];
        slots_of(figure, &bones[i], slot);
        const float now = body_determinant(particle_relaxed(world, slot[0]), particle_relaxed(world, slot[1]),
                                           particle_relaxed(world, slot[2]), particle_relaxed(world, slot[3]));
        const float rest = stance_determinant(&bones[i]) * figure->determinant;
        if (!(now * rest > UPRIGHT_SHARE * rest * rest)) {
            return false;
        }
    }
    return true;
}

void ragdoll_relax_bones(struct sim_world *world, const struct object *figure) {
    for (size_t i = 0; i < BONES; i++) {
        uint32_t slot[4];
        slots_of(figure, &bones[i], slot);
        const float rest = stance_determinant(&bones[i]) * figure->determinant;
        body_relax_determinant(world, slot, rest, figure->projection);
    }
}

// ---- spawning ----------------------------------------------------------------------------------------------------

enum result sim_ragdoll_spawn(struct sim_world *world, const struct sim_ragdoll_desc *desc, uint32_t *object,
                              struct fault *fault) {
    struct object made = {0};
    struct mat3 rotation;
    const struct object_size size = {.particles = JOINTS, .sticks = BONE_STICKS + LIMITS, .triangles = 4 * BONES};
    enum result result = check_desc(desc, &rotation, fault);
    if (result == RESULT_OK) {
        result = layout_reserve(world, size, &made, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.kind = SIM_KIND_RAGDOLL;
    made.friction = desc->friction;
    made.projection = SIM_PROJECTION_START;
    made.determinant = desc->height * desc->height * desc->height;
    add_particles(world, &made, desc, &rotation);
    add_sticks(world, &made, desc->height);
    add_triangles(world, &made);
    result = check_positions(world, &made, "/position", fault);
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    return result;
}
