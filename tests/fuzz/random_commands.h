// SPDX-License-Identifier: MIT
// What happens in random worlds: parameters out of every range, hands that pull far, pins, masses, forces, sticks
// between anything, removal.
#ifndef WEFT_TESTS_RANDOM_COMMANDS_H
#define WEFT_TESTS_RANDOM_COMMANDS_H

#include "random_objects.h"
#include "sim/world/wake.h"
#include "sim/world/world.h"

// ---- parameters --------------------------------------------------------------------------------------------------

// Substeps and sweeps in every proportion, but few of both more often than many, above all where there are many things:
// one world with many would take as long as a hundred others and seldom show more.
static inline void random_effort(struct random_world *r, struct sim_parameters *parameters) {
    static const uint32_t efforts[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 3}, {1, 1}, {1, 4}, {2, 2},
                                          {3, 1}, {4, 1}, {1, 8}, {5, 1}, {3, 2}, {8, 1}, {1, 16}};
    const bool crowded = sim_world_counts(r->world).particles > 30;
    const bool few = crowded || dice_percent(&r->dice, 60);
    const uint32_t *effort = efforts[dice_below(&r->dice, few ? 5 : sizeof efforts / sizeof efforts[0])];
    parameters->substeps = effort[0];
    parameters->iterations = effort[1];
    const uint32_t die = dice_below(&r->dice, 1000);
    if (die < 8 && !crowded) {
        parameters->substeps = die < 4 ? SIM_SUBSTEPS_MAX : 1;
        parameters->iterations = die < 4 ? 1 : 64;
    } else if (die >= 995) {
        parameters->substeps = dice_percent(&r->dice, 50) ? 0 : SIM_SUBSTEPS_MAX + 1;
    } else if (die >= 990) {
        parameters->iterations = dice_percent(&r->dice, 50) ? 0 : SIM_ITERATIONS_MAX + 1;
    }
}

// Around the origin or not, wide, narrow on one axis, or smaller than what is in them.
static inline void random_bounds(struct random_world *r, struct sim_parameters *parameters) {
    struct dice *dice = &r->dice;
    const float wide =
        r->reach * (dice_percent(dice, 85) ? dice_between(dice, 0.3f, 4.0f) : dice_scale(dice, 1e-3f, 1e3f));
    const float flat = dice_percent(dice, 15) ? dice_scale(dice, 1e-5f, 1.0f) : 1.0f;
    const struct vec3 middle = dice_percent(dice, 15) ? dice_vector(dice, 2.0f * r->reach) : (struct vec3){0};
    parameters->bounds_min = (struct vec3){middle.x - wide, middle.y - flat * wide, middle.z - wide};
    parameters->bounds_max = (struct vec3){middle.x + wide, middle.y + flat * wide, middle.z + wide};
    if (dice_percent(dice, 4)) {
        parameters->bounds_max.z = dice_nasty(dice);
    }
}

static inline void set_parameters(struct random_world *r) {
    struct fault fault;
    struct dice *dice = &r->dice;
    struct sim_parameters parameters = sim_parameters_default();
    if (dice_percent(dice, 50)) {
        parameters.gravity = dice_vector(dice, dice_percent(dice, 75) ? 20.0f : 1e4f);
    }
    parameters.damping = dice_percent(dice, 50) ? 0.0f : dice_real(dice, 0.0f, 0.999f);
    random_effort(r, &parameters);
    parameters.square_root = (enum sim_square_root)dice_below(dice, 2);
    random_bounds(r, &parameters);
    parameters.friction = dice_real(dice, 0.0f, 10.0f);
    parameters.tolerance = dice_percent(dice, 70) ? 0.0f : dice_scale(dice, 1e-6f, 1.0f);
    if (dice_percent(dice, 40)) {
        parameters.wind_velocity = dice_vector(dice, dice_percent(dice, 70) ? 20.0f : 1000.0f);
        parameters.wind_gust = dice_real(dice, 0.0f, 1.0f);
    }
    parameters.sleep = dice_percent(dice, 90);
    count_result(r, sim_world_set_parameters(r->world, &parameters, &fault));
}

// Fewer substeps when there are many things.
static inline void choose_effort(struct random_world *r) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(r->world);
    random_effort(r, &parameters);
    count_result(r, sim_world_set_parameters(r->world, &parameters, &fault));
}

// One of them changes, the others stay.
static inline void change_a_parameter(struct random_world *r) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(r->world);
    switch (dice_below(&r->dice, 4)) {
    case 0:
        random_effort(r, &parameters);
        break;
    case 1:
        random_bounds(r, &parameters);
        break;
    case 2:
        parameters.gravity = dice_vector(&r->dice, 1e4f);
        break;
    default:
        parameters.friction = dice_real(&r->dice, 0.0f, 10.0f);
    }
    count_result(r, sim_world_set_parameters(r->world, &parameters, &fault));
}

// ---- commands ----------------------------------------------------------------------------------------------------

// An object, and one of its particles, one time in a hundred one it has not.
static inline struct sim_stick_end random_end(struct random_world *r) {
    struct sim_stick_end end = {0, 0};
    const uint32_t count = sim_world_object_count(r->world);
    if (count > 0) {
        const struct sim_object_view view = sim_world_object_at(r->world, dice_below(&r->dice, count));
        end.object = view.id;
        end.particle = dice_percent(&r->dice, 99) ? dice_below(&r->dice, view.particles) : view.particles;
    }
    return end;
}

// Where a hand goes: near, or across all there can be.
static inline struct vec3 random_target(struct random_world *r) {
    return dice_vector(&r->dice, dice_percent(&r->dice, 70) ? r->reach : SIM_POSITION_MAX);
}

static inline void join_something(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    const struct sim_stick_end a = random_end(r);
    const struct sim_stick_end b = random_end(r);
    const float rest = dice_percent(&r->dice, 60) ? -1.0f : dice_scale(&r->dice, 1e-6f, 1e5f);
    count_result(r, sim_stick_add(r->world, a, b, rest, (enum sim_stick_kind)dice_below(&r->dice, SIM_STICK_KIND_COUNT),
                                  random_compliance(r), &id, &fault));
}

static inline void hold_something(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    const struct sim_stick_end end = random_end(r);
    if (dice_percent(&r->dice, 50)) {
        count_result(r, sim_grab_start_particle(r->world, end.object, end.particle, &id, &fault));
    } else {
        count_result(r, sim_grab_start_point(r->world, end.object, random_target(r), &id, &fault));
    }
}

static inline void move_a_hand(struct random_world *r) {
    struct fault fault;
    const uint32_t count = sim_world_grab_count(r->world);
    const uint32_t id = count > 0 ? sim_world_grab_at(r->world, dice_below(&r->dice, count)).id : 0;
    if (dice_percent(&r->dice, 70)) {
        count_result(r, sim_grab_move(r->world, id, random_target(r), &fault));
    } else {
        count_result(r, sim_grab_end(r->world, id, &fault));
    }
}

static inline void change_a_particle(struct random_world *r) {
    struct fault fault;
    struct dice *dice = &r->dice;
    const struct sim_stick_end end = random_end(r);
    const struct vec3 position = random_target(r);
    switch (dice_below(dice, 5)) {
    case 0:
        count_result(r, sim_particle_pin(r->world, end.object, &end.particle, 1,
                                         dice_percent(dice, 50) ? &position : NULL, &fault));
        break;
    case 1:
        count_result(r, sim_particle_unpin(r->world, end.object, &end.particle, 1, &fault));
        break;
    case 2:
        count_result(r, sim_particle_set_inverse_mass(r->world, end.object, &end.particle, 1,
                                                      dice_percent(dice, 10) ? 0.0f : dice_scale(dice, 1e-12f, 1e12f),
                                                      &fault));
        break;
    case 3:
        count_result(r, sim_force_apply(r->world, end.object, &end.particle, dice_below(dice, 2),
                                        dice_vector(dice, dice_percent(dice, 80) ? 100.0f : 1e9f),
                                        1 + dice_below(dice, 30), &fault));
        break;
    default:
        count_result(r, sim_particle_move(r->world, end.object, end.particle, position,
                                          (enum sim_move_mode)dice_below(dice, 2), &fault));
    }
}

static inline void remove_something(struct random_world *r) {
    struct fault fault;
    const uint32_t obstacles = sim_world_obstacle_count(r->world);
    if (obstacles > 0 && dice_percent(&r->dice, 40)) {
        const uint32_t id = sim_world_obstacle_at(r->world, dice_below(&r->dice, obstacles))->id;
        count_result(r, sim_obstacle_remove(r->world, id, &fault));
    } else if (sim_world_stick_count(r->world) > 0 && dice_percent(&r->dice, 40)) {
        count_result(r, sim_stick_remove(r->world, sim_world_stick_at(r->world, 0).id, &fault));
    } else {
        count_result(r, sim_object_remove(r->world, random_end(r).object, &fault));
    }
}

// No command makes anything go non-finite, so it is done from inside: of all that a random world quarantines this must
// be the cause, and all else must go on.
static inline void damage_something(struct random_world *r) {
    const struct sim_stick_end end = random_end(r);
    struct sim_object_view view;
    struct fault fault;
    if (sim_object_find(r->world, end.object, &view, &fault) != RESULT_OK || view.quarantined ||
        end.particle >= view.particles || r->world->w[view.first + end.particle] == 0.0f) {
        return; // what a hand holds is moved by the hand alone
    }
    static const float damages[] = {NAN, INFINITY, -INFINITY};
    wake_object(r->world, end.object);
    r->world->dy[view.first + end.particle] = damages[dice_below(&r->dice, 3)];
    r->injected++;
}

// A blade of a few places, anywhere among the objects.
static inline void cut_something(struct random_world *r) {
    struct fault fault;
    struct sim_blade_result cut;
    float path[3 * 5], far[3 * 5];
    const uint32_t places = 1 + dice_below(&r->dice, 5);
    for (uint32_t i = 0; i < places; i++) {
        const struct vec3 near_end = random_place(r), far_end = random_place(r);
        memcpy(path + 3 * (size_t)i, &near_end, sizeof near_end);
        memcpy(far + 3 * (size_t)i, &far_end, sizeof far_end);
    }
    const uint32_t objects = sim_world_object_count(r->world);
    const bool one = objects > 0 && dice_percent(&r->dice, 30);
    const uint32_t object = one ? sim_world_object_at(r->world, dice_below(&r->dice, objects)).id : 0;
    count_result(r, sim_blade_cut(r->world, object, &(struct sim_blade){path, far, places}, &cut, &fault));
}

// Another motion of an obstacle.
static inline void move_an_obstacle(struct random_world *r) {
    const uint32_t obstacles = sim_world_obstacle_count(r->world);
    if (obstacles == 0) {
        return;
    }
    struct fault fault;
    struct sim_path_point path[RANDOM_PATH_POINTS_MAX];
    const uint32_t id = sim_world_obstacle_at(r->world, dice_below(&r->dice, obstacles))->id;
    const struct sim_motion motion = random_motion(&r->dice, r->reach, path);
    count_result(r, sim_obstacle_move(r->world, id, &motion, &fault));
}

static inline void do_something(struct random_world *r) {
    static void (*const commands[])(struct random_world *) = {
        spawn_something,  join_something,    hold_something,     move_a_hand,       move_a_hand,
        move_a_hand,      change_a_particle, change_a_particle,  change_a_particle, remove_something,
        remove_something, set_parameters,    change_a_parameter, add_obstacle};
    commands[dice_below(&r->dice, sizeof commands / sizeof commands[0])](r);
}

#endif
