// SPDX-License-Identifier: MIT
// Stillness: the time that an object has been in equilibrium (PHYSICS.md 13). After SIM_SLEEP_SECONDS of it the object
// may fall asleep (sleep.c).
//
// By Newton's first law, an object under gravity that nothing holds falls; so an object that stays in its place is
// held, and an object that stays there for half a second, longer than any turning point lasts, is in equilibrium. The
// place of each particle when stillness begins is stored, and no particle may get farther from there than a small share
// of the distance that it would fall in half a second from rest. An object that drifts, sinks, swings or is about to
// swing back gets farther. The limits grow and shrink with gravity; without gravity there is none, and only an
// object without any motion is still. Under gravity, an object is not still while it touches nothing and hangs from
// nothing, even if strong damping or dense air slows its fall.
//
// An object that is pinned or on an added stick hangs, and swings or turns without friction; its share is smaller than
// that of an object that lies, which friction stops, and which relaxation lets creep by some millimetres a second.
//
// Bodies and figures that lie on one another creep: relaxation leaves them speeds of some mm/s that friction should
// have taken and that never lead anywhere. They are still as well while all of these hold:
//   - no particle is faster at the end of a tick than an object that has fallen by CREEP_FALL, plus the speed that
//     gravity adds in a substep, which a contact takes back only in the next: the objects cannot climb out of the
//     hollow in which they lie;
//   - no surface that they touch is so slippery that they might slide on;
//   - they are not gaining speed. The half second is divided into windows, and in none do they move farther than in
//   both
//     windows before it by more than the distance over which a small share of gravity would accelerate them. After the
//     turning point of a roll and at the start of a fall they do.
// Objects that may swing (pinned objects, objects on an added stick, and objects that bend) are never still in this
// second way.
//
// Stillness and the stored places are state: they are saved and hashed, and a tick depends on them.
#include "sim/step/still.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/contact.h"
#include "sim/contact/obstacle_motion.h"
#include "sim/contact/obstacle_point.h"
#include "sim/simd/simd.h"
#include "sim/stick/muscle.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/still_place.h"

#define WINDOWS 4u                     // number of windows in SIM_SLEEP_SECONDS
#define WAY_MAX (0.25f * 65536.0f)     // steps in a tick; faster particles are not still, whatever their place
#define HANGING_SHARE (1.0f / 8192.0f) // share of a free fall in half a second
#define LYING_SHARE (1.0f / 1024.0f)   // share of a free fall in half a second
#define DRIFT_MAX 1e-3f                // m
#define FALL_STEPS 16.0f               // a free fall shorter than this many steps cannot be distinguished from rest
// Share of the distance that an object falls in half a second under strong damping.
#define DAMPED_SHARE 0.0625f
#define CREEP_FALL 2e-5f            // m
#define CREEP_SHARE (1.0f / 512.0f) // share of gravity
#define GRIP_MIN 0.02f              // μ below which a surface is slippery
#define TOUCH_NEAR 0.01f            // m

// Limits of stillness in a tick.
struct rest_limits {
    uint32_t enough, window; // ticks
    float hanging, lying;    // m, drift allowed for a particle; 0: no motion at all
    float creep;             // m per substep
    float gain;              // m, allowed increase of a creeping object's path from one window to the next
};

uint32_t still_ticks_until_sleep(const struct sim_world *world) {
    const float ticks = SIM_SLEEP_SECONDS * world->tick_hz;
    return ticks > 2.0f ? (uint32_t)ticks : 2;
}

// Under any damping, gravity moves an object that nothing holds by g·h² in each substep.
static float drift_allowed(const struct sim_world *world, float gravity, uint32_t ticks, float share) {
    const struct sim_parameters *parameters = &world->state.parameters;
    const float h = world_substep_seconds(world);
    const float seconds = (float)ticks / world->tick_hz;
    const float fall = 0.5f * gravity * seconds * seconds;
    const float slowest = (float)(ticks * parameters->substeps) * gravity * h * h;
    const float damped = slowest / scalar_max(parameters->damping, 1e-6f);
    if (!(scalar_min(fall, damped) >= FALL_STEPS * STEP)) {
        return 0.0f;
    }
    const float most = scalar_min(scalar_min(share * fall, DAMPED_SHARE * damped), DRIFT_MAX);
    return scalar_max(most, STEP);
}

static struct rest_limits rest_limits_of(const struct sim_world *world) {
    const uint32_t enough = still_ticks_until_sleep(world);
    const uint32_t window = enough > WINDOWS ? enough / WINDOWS : 1;
    const float seconds = (float)window / world->tick_hz;
    const float gravity = vec3_length(world->state.parameters.gravity);
    const float h = world_substep_seconds(world);
    return (struct rest_limits){
        .enough = enough,
        .window = window,
        .hanging = drift_allowed(world, gravity, enough, HANGING_SHARE),
        .lying = drift_allowed(world, gravity, enough, LYING_SHARE),
        .creep = (sqrtf(2.0f * gravity * CREEP_FALL) + gravity * h) * h,
        .gain = CREEP_SHARE * gravity * seconds * seconds,
    };
}

// ---- places ------------------------------------------------------------------------------------------------------

static void remember_places(struct sim_world *world, const struct object *object) {
    const uint32_t first = object->first, count = object->particles;
    void (*const steps)(const float *, float, float, int16_t *, uint32_t) = world->simd->steps;
    steps(world->x + first, 1.0f / STEP, STEPS_TURN, world->still_x + first, count);
    steps(world->y + first, 1.0f / STEP, STEPS_TURN, world->still_y + first, count);
    steps(world->z + first, 1.0f / STEP, STEPS_TURN, world->still_z + first, count);
}

// ---- motion ------------------------------------------------------------------------------------------------------

// The distance of the particle that is farthest from its stored place, in m; far more than any limits when a
// particle moves too fast for its place to show. The search ends at the first particle farther than `enough`, which in
// a large cloth in motion is one of the first.
static float farthest_way(const struct sim_world *world, const struct object *object, float enough) {
    const float fast = WAY_MAX * STEP / (float)world->state.parameters.substeps;
    const float far = enough * (1.0f / STEP) + 1.0f; // steps
    float most = 0.0f;
    for (uint32_t i = object->first; i < object->first + object->particles && most <= far * far; i++) {
        const struct vec3 way = vec3_of(steps_between(steps_of(world->x[i]), world->still_x[i]),
                                        steps_between(steps_of(world->y[i]), world->still_y[i]),
                                        steps_between(steps_of(world->z[i]), world->still_z[i]));
        const struct vec3 d = particle_displacement(world, i);
        if (!(vec3_dot(d, d) <= fast * fast)) {
            return STEPS_TURN * STEP;
        }
        most = scalar_max(most, vec3_dot(way, way));
    }
    return sqrtf(most) * STEP;
}

static bool is_motionless(const struct sim_world *world, const struct object *object) {
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        if (vec3_reach(particle_displacement(world, i)) > 0.0f) {
            return false;
        }
    }
    return true;
}

static bool is_slow(const struct sim_world *world, const struct object *object, float most) {
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 d = particle_displacement(world, i);
        if (!(vec3_dot(d, d) <= most * most)) {
            return false;
        }
    }
    return true;
}

static bool hangs(const struct object *object) {
    return object->pins > 0 || object->on_stick;
}

static bool may_swing(const struct object *object) {
    const bool is_rigid = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL || !object_is_tied(object);
    return !is_rigid || hangs(object);
}

// ---- touching surfaces -------------------------------------------------------------------------------------------

static void note_pair(struct sim_world *world, uint32_t a, uint32_t b, float friction) {
    struct object *const pair[2] = {&world->object[a], b != CONTACT_NO_OBJECT ? &world->object[b] : NULL};
    for (unsigned k = 0; k < 2 && pair[k] != NULL; k++) {
        pair[k]->touches = true;
        pair[k]->slips = pair[k]->slips || friction < GRIP_MIN;
    }
}

// Marks the objects that had contacts in the lists of the tick's last substep.
static void note_contacts(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].touches = false;
        world->object[i].slips = false;
    }
    for (uint32_t i = 0; i < world->contacts && world->spans > 0; i++) {
        const struct contact *contact = &world->contact[i];
        note_pair(world, contact->object_a, contact->object_b, contact->friction);
    }
    for (uint32_t i = 0; i < world->cloth_contacts->contacts && world->spans > 0; i++) {
        const struct cloth_contact *contact = &world->cloth_contacts->contact[i];
        note_pair(world, contact->object_a, contact->object_b, contact->friction);
    }
}

static bool touches_obstacle(const struct sim_world *world, const struct object *object,
                             const struct obstacle *obstacle) {
    bool touches = false;
    for (uint32_t i = object->first; i < object->first + object->particles && !touches; i++) {
        const float reach = object->radius + TOUCH_NEAR;
        touches = obstacle_touch(obstacle, particle_position(world, i), reach).depth > 0.0f;
    }
    return touches;
}

static bool touches_bounds(const struct sim_world *world, const struct object *object) {
    const struct sim_parameters *bounds = &world->state.parameters;
    const float reach = object->radius + TOUCH_NEAR;
    bool touches = false;
    for (uint32_t i = object->first; i < object->first + object->particles && !touches; i++) {
        const float x = world->x[i], y = world->y[i], z = world->z[i];
        touches = x - bounds->bounds_min.x < reach || bounds->bounds_max.x - x < reach ||
                  y - bounds->bounds_min.y < reach || bounds->bounds_max.y - y < reach ||
                  z - bounds->bounds_min.z < reach || bounds->bounds_max.z - z < reach;
    }
    return touches;
}

// Particles collide with simple obstacles and the bounds without the list of contacts (contact_particle.c).
static bool is_on_slippery_surface(const struct sim_world *world, const struct object *object) {
    bool slips = object->slips;
    for (uint32_t k = 0; k < world->state.obstacles && !slips; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        slips = contact_friction(object->friction, obstacle->shape.friction) < GRIP_MIN &&
                obstacle_is_simple(obstacle) && touches_obstacle(world, object, obstacle);
    }
    return slips || (contact_friction(object->friction, world->state.parameters.friction) < GRIP_MIN &&
                     touches_bounds(world, object));
}

static bool is_on_a_surface(const struct sim_world *world, const struct object *object) {
    bool touches = object->touches || touches_bounds(world, object);
    for (uint32_t k = 0; k < world->state.obstacles && !touches; k++) {
        touches = obstacle_is_simple(&world->obstacle[k]) && touches_obstacle(world, object, &world->obstacle[k]);
    }
    return touches;
}

// ---- in the tick -------------------------------------------------------------------------------------------------

static bool is_in_wind(const struct sim_world *world, const struct object *object) {
    const bool catches = object->triangles > 0 && object->kind != SIM_KIND_BODY && object->kind != SIM_KIND_RAGDOLL &&
                         object->tetrahedra == 0;
    const struct sim_parameters *parameters = &world->state.parameters;
    return catches && parameters->air_density > 0.0f && vec3_reach(parameters->wind_velocity) > 0.0f;
}

static void begin_stillness(struct sim_world *world, struct object *object) {
    remember_places(world, object);
    object->still_ticks = 0;
    object->still_moved[0] = object->still_moved[1] = STEPS_TURN * STEP;
}

static float drift_of(const struct object *object, const struct rest_limits *limits) {
    return hangs(object) ? limits->hanging : limits->lying;
}

// True if an object keeps its place in this tick; `way` is the distance of its farthest particle from its stored place.
static bool keeps_its_place(const struct sim_world *world, const struct object *object,
                            const struct rest_limits *limits, float way) {
    const float drift = drift_of(object, limits);
    if (drift == 0.0f) {
        return way == 0.0f && is_motionless(world, object);
    }
    const bool creeps = !may_swing(object) && is_slow(world, object, limits->creep);
    if (!(way <= drift || creeps) || !(hangs(object) || is_on_a_surface(world, object))) {
        return false;
    }
    return way <= STEP || !is_on_slippery_surface(world, object);
}

// Objects that may creep are checked anew in each window; objects that may swing have to stay where they were when
// their stillness began.
static void end_window(struct sim_world *world, struct object *object, const struct rest_limits *limits, float way) {
    const float before = scalar_max(object->still_moved[0], object->still_moved[1]);
    if (may_swing(object) || limits->lying == 0.0f) {
        return;
    }
    remember_places(world, object);
    object->still_moved[1] = object->still_moved[0];
    object->still_moved[0] = way;
    if (way > before + limits->gain) {
        object->still_ticks = 0;
    }
}

static void count_tick(struct sim_world *world, struct object *object, const struct rest_limits *limits) {
    if (is_in_wind(world, object) || obstacle_motion_disturbs(world, object)) {
        object->still_ticks = 0;
        return;
    }
    // The distance beyond the drift matters only for objects that may creep.
    const float enough = may_swing(object) ? drift_of(object, limits) : STEPS_TURN * STEP;
    const float way = object->still_ticks > 0 ? farthest_way(world, object, enough) : 0.0f;
    if (object->still_ticks == 0 || !keeps_its_place(world, object, limits, way)) {
        begin_stillness(world, object);
    } else if (object->still_ticks % limits->window == 0) {
        end_window(world, object, limits, way);
    }
    object->still_ticks++;
    // Counting continues, and windows keep their ends.
    if (object->still_ticks > limits->enough + 2 * limits->window) {
        object->still_ticks -= limits->window;
    }
}

// Objects that are grabbed, that a force acts on or that a muscle moves may stand still, but only until that ends.
static void disturb(struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    if (layout_find(world, id, &object, NULL) == RESULT_OK) {
        object->still_ticks = 0;
    }
}

bool still_count(struct sim_world *world) {
    const struct rest_limits limits = rest_limits_of(world);
    note_contacts(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (object_is_active(&world->object[i])) {
            count_tick(world, &world->object[i], &limits);
        }
    }
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        disturb(world, world->grab[i].object);
    }
    for (uint32_t i = 0; i < world->state.forces; i++) {
        disturb(world, world->force[i].object);
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        if (muscle_moves(&world->free_stick[i])) {
            disturb(world, world->free_stick[i].a.object);
            disturb(world, world->free_stick[i].b.object);
        }
    }
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        any = any || (object_is_active(&world->object[i]) && world->object[i].still_ticks >= limits.enough);
    }
    return any;
}
