// SPDX-License-Identifier: MIT
// Ragdolls: rigid bones, joints that hold, limits that hold (server/sim/PHYSICS.md 11.3).
#include "sim_fixture.h"

#include "sim/world/particle.h"
#include "sim/world/world.h"

#define FIGURES 10

static uint32_t spawn_figure(struct sim_world *world, struct vec3 position, struct quat rotation,
                             struct vec3 velocity) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_ragdoll_desc ragdoll = sim_ragdoll_desc_default();
    ragdoll.position = position;
    ragdoll.rotation = rotation;
    ragdoll.velocity = velocity;
    MUST(sim_ragdoll_spawn(world, &ragdoll, &id, &fault));
    return id;
}

struct strain {
    double bone;  // the largest |length/rest − 1| of a bone's sticks
    double limit; // the largest share by which a limit is undercut
};

static struct strain strain_of(const struct sim_world *world, const struct object *object) {
    struct strain strain = {0};
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint8_t class = world->colour_class[object->first_colour + colour];
        for (; stick < world->colour_end[object->first_colour + colour]; stick++) {
            const uint32_t i = object->first_stick + stick;
            const struct vec3 a = particle_position(world, object->first + world->stick_a[i]);
            const struct vec3 b = particle_position(world, object->first + world->stick_b[i]);
            const double ratio = distance_of(a, b) / (double)world->stick_rest[i];
            if (class == SIM_STICK_EQUAL) {
                strain.bone = fmax(strain.bone, fabs(ratio - 1.0));
            } else {
                strain.limit = fmax(strain.limit, 1.0 - ratio);
            }
        }
    }
    return strain;
}

static void a_figure_is_made_of_rigid_bones_with_its_mass_and_height(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t id = spawn_figure(world, (struct vec3){0.0f, 5.0f, 0.0f}, (struct quat){0.0f, 0.0f, 0.0f, 1.0f},
                                     (struct vec3){0.0f, 0.0f, 0.0f});
    const struct sim_object_view view = sim_world_object_at(world, 0);
    assert_int_equal(view.kind, SIM_KIND_RAGDOLL);
    assert_int_equal(view.triangle_count, 44);
    double mass = 0.0;
    double low = 1e9;
    double high = -1e9;
    for (uint32_t i = 0; i < view.particles; i++) {
        mass += 1.0 / (double)sim_particle_own_inverse_mass(world, i);
        low = fmin(low, (double)position_of(world, id, i).y);
        high = fmax(high, (double)position_of(world, id, i).y);
    }
    const struct strain strain = strain_of(world, &world->object[0]);
    assert_true(fabs(mass - 70.0) < 1e-3);
    assert_true(fabs(high - low - 1.7) < 0.05);
    assert_true(strain.bone < 1e-5 && strain.limit == 0.0);
    sim_world_destroy(world);
}

// The determinants of the bones, whose sign tells a bone from its mirror image.
static void bone_determinants(const struct sim_world *world, const struct object *object, float out[11]) {
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    for (uint32_t bone = 0; bone < 11; bone++) {
        struct vec3 p[4] = {0};
        const uint32_t corner[4] = {triangle[0], triangle[1], triangle[2], 0};
        for (unsigned k = 0; k < 3; k++) {
            p[k] = particle_position(world, object->first + corner[k]);
        }
        // The last face is 1, 3, 2 or 1, 2, 3: it has the fourth corner.
        for (unsigned k = 9; k < 12; k++) {
            const uint32_t last = triangle[k];
            if (last != corner[0] && last != corner[1] && last != corner[2]) {
                p[3] = particle_position(world, object->first + last);
            }
        }
        out[bone] = vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]));
        triangle += 12;
    }
}

static unsigned count_mirrored(const struct sim_world *world, const float fresh[11]) {
    unsigned mirrored = 0;
    for (uint32_t i = 0; i < FIGURES; i++) {
        float now[11];
        bone_determinants(world, &world->object[i], now);
        for (unsigned k = 0; k < 11; k++) {
            mirrored += now[k] * fresh[k] > 0.0f ? 0 : 1;
        }
    }
    return mirrored;
}

static void figures_that_fall_keep_their_bones_and_limits(void **state) {
    (void)state;
    uint64_t seed = new_seed(__func__);
    struct sim_world *world = new_world();
    struct fault fault;
    set_solver(world, 8, 8, 0.01f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-20.0f, 0.0f, -20.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    for (unsigned i = 0; i < FIGURES; i++) {
        const struct vec3 at = {3.0f * (float)i - 13.5f, 2.5f, 0.0f};
        const struct vec3 turn = random_point(&seed, 1.0f);
        const struct vec3 velocity = random_point(&seed, 2.0f);
        (void)spawn_figure(world, at, (struct quat){turn.x, turn.y, turn.z, 1.0f}, velocity);
    }
    struct strain worst = {0};
    for (unsigned tick = 0; tick < 600; tick++) {
        sim_world_step(world);
        for (uint32_t i = 0; i < FIGURES; i++) {
            const struct strain strain = strain_of(world, &world->object[i]);
            worst.bone = fmax(worst.bone, strain.bone);
            worst.limit = fmax(worst.limit, strain.limit);
        }
    }
    print_message("falling: bones within %.3f %%, limits within %.3f %%\n", 100.0 * worst.bone, 100.0 * worst.limit);
    float fresh[11];
    struct sim_world *other = new_world();
    (void)spawn_figure(other, (struct vec3){0.0f, 5.0f, 0.0f}, (struct quat){0.0f, 0.0f, 0.0f, 1.0f},
                       (struct vec3){0.0f, 0.0f, 0.0f});
    bone_determinants(other, &other->object[0], fresh);
    const unsigned mirrored = count_mirrored(world, fresh);
    print_message("mirrored bones: %u\n", mirrored);
    assert_int_equal(mirrored, 0);
    assert_true(worst.bone < 0.01);
    assert_true(worst.limit < 0.05);
    sim_world_destroy(other);
    sim_world_destroy(world);
}

enum stairs { STAIRS_OF_BOXES, STAIRS_OF_A_SHEET, STAIRS_OF_A_SOLID };

#define STEPS 10
#define PROFILE (2 * STEPS + 4) // points at each end of a flight

struct flight {
    enum stairs made_of;
    uint32_t substeps, iterations;
    float rise, run; // m
};

// Down along x, from 0; under them lies the floor.
static void add_boxes(struct sim_world *world, const struct flight *flight) {
    struct fault fault;
    for (unsigned i = 0; i < STEPS; i++) {
        const float top = flight->rise * (float)(STEPS - i);
        uint32_t id = 0;
        struct sim_obstacle step_box = {.shape = SIM_OBSTACLE_BOX,
                                        .position = {flight->run * (float)i, 0.5f * top, 0.0f},
                                        .size = {flight->run, top, 60.0f},
                                        .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                        .friction = 0.5f};
        MUST(sim_obstacle_add(world, &step_box, &id, &fault));
    }
}

// The outline from the top step to the end of the floor, and back underneath.
static void outline(const struct flight *flight, float x[PROFILE], float y[PROFILE]) {
    unsigned at = 0;
    x[at] = -2.0f;
    y[at] = flight->rise * (float)STEPS;
    for (unsigned i = 0; i < STEPS; i++) {
        for (unsigned end = 0; end < 2; end++) {
            at++;
            x[at] = flight->run * ((float)i + 0.5f);
            y[at] = flight->rise * (float)(STEPS - i - end);
        }
    }
    x[at + 1] = x[at + 2] = x[at] + 15.0f;
    y[at + 1] = 0.0f;
    y[at + 2] = y[at + 3] = -1.0f;
    x[at + 3] = -2.0f;
}

// A solid's ends are fans; each fans out from the corner below the top step, from which all of the outline is seen.
static void add_mesh(struct sim_world *world, const struct flight *flight) {
    struct fault fault;
    float x[PROFILE];
    float y[PROFILE];
    float positions[PROFILE * 6];
    uint32_t triangles[PROFILE * 12];
    uint32_t count = 0;
    outline(flight, x, y);
    for (uint32_t i = 0; i < PROFILE; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            positions[6 * i + 3 * end] = x[i];
            positions[6 * i + 3 * end + 1] = y[i];
            positions[6 * i + 3 * end + 2] = end == 0 ? -30.0f : 30.0f;
        }
    }
    const bool solid = flight->made_of == STAIRS_OF_A_SOLID;
    for (uint32_t i = 0; i + (solid ? 0 : 3) < PROFILE; i++) {
        const uint32_t next = (i + 1) % PROFILE;
        const uint32_t side[6] = {2 * i, 2 * i + 1, 2 * next, 2 * i + 1, 2 * next + 1, 2 * next};
        memcpy(triangles + 3 * (size_t)count, side, sizeof side);
        count += 2;
    }
    for (uint32_t i = 0; solid && i + 2 < PROFILE; i++) {
        const uint32_t hub = 2 * (PROFILE - 1);
        const uint32_t ends[6] = {hub, 2 * i, 2 * i + 2, hub + 1, 2 * i + 3, 2 * i + 1};
        memcpy(triangles + 3 * (size_t)count, ends, sizeof ends);
        count += 2;
    }
    uint32_t id = 0;
    const struct sim_obstacle mesh = {.shape = SIM_OBSTACLE_MESH,
                                      .rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                                      .positions = positions,
                                      .vertices = 2 * PROFILE,
                                      .triangles = triangles,
                                      .triangle_count = count,
                                      .friction = 0.5f};
    MUST(sim_obstacle_add(world, &mesh, &id, &fault));
    assert_true(world->obstacle[0].closed == solid);
}

// Of all flights.
struct falls {
    struct strain worst;
    unsigned asleep; // fewest figures
    double seconds;  // most, until they were
};

static void fall_down(const struct flight *flight, uint64_t seed, struct falls *falls) {
    static const char *const name[] = {"boxes", "a sheet", "a solid"};
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, flight->substeps, flight->iterations, 0.02f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-20.0f, flight->made_of == STAIRS_OF_BOXES ? 0.0f : -2.0f, -40.0f};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    (flight->made_of == STAIRS_OF_BOXES ? add_boxes : add_mesh)(world, flight);
    for (unsigned i = 0; i < FIGURES; i++) {
        const struct vec3 at = {0.2f, flight->rise * (float)STEPS + 1.0f, 5.0f * (float)i - 22.5f};
        const struct vec3 turn = random_point(&seed, 0.5f);
        (void)spawn_figure(world, at, (struct quat){turn.x, turn.y, turn.z, 1.0f}, (struct vec3){1.5f, 0.0f, 0.0f});
    }
    float fresh[11];
    bone_determinants(world, &world->object[0], fresh);
    struct strain worst = {0};
    unsigned tick = 0;
    for (; tick < 1800 && count_asleep(world) < FIGURES; tick++) {
        sim_world_step(world);
        for (uint32_t i = 0; i < FIGURES; i++) {
            const struct strain strain = strain_of(world, &world->object[i]);
            worst.bone = fmax(worst.bone, strain.bone);
            worst.limit = fmax(worst.limit, strain.limit);
        }
        assert_int_equal(count_mirrored(world, fresh), 0);
    }
    const unsigned asleep = count_asleep(world);
    const double seconds = (double)tick / 60.0;
    print_message("flight of %s, %u x %u: bones within %.3f %%, limits within %.3f %%, %u asleep after %.1f s\n",
                  name[flight->made_of], flight->substeps, flight->iterations, 100.0 * worst.bone, 100.0 * worst.limit,
                  asleep, seconds);
    falls->worst.bone = fmax(falls->worst.bone, worst.bone);
    falls->worst.limit = fmax(falls->worst.limit, worst.limit);
    falls->asleep = asleep < falls->asleep ? asleep : falls->asleep;
    falls->seconds = fmax(falls->seconds, seconds);
    sim_world_destroy(world);
}

static void ten_figures_fall_down_a_flight_of_stairs_and_sleep(void **state) {
    (void)state;
    static const struct flight flights[] = {
        {STAIRS_OF_BOXES, 16, 4, 0.15f, 0.4f},
        {STAIRS_OF_BOXES, 4, 16, 0.25f, 0.25f},
        {STAIRS_OF_A_SHEET, 8, 8, 0.2f, 0.3f},
        {STAIRS_OF_A_SOLID, 8, 8, 0.2f, 0.3f},
    };
    static const struct flight always = {STAIRS_OF_BOXES, 8, 8, 0.2f, 0.3f};
    uint64_t seed = new_seed(__func__);
    struct falls falls = {.asleep = FIGURES};
    fall_down(&always, 7, &falls);
    for (size_t i = 0; i < sizeof flights / sizeof flights[0]; i++) {
        fall_down(&flights[i], random_next(&seed), &falls);
    }
    print_message("stairs: bones within %.3f %%, limits within %.3f %%\n", 100.0 * falls.worst.bone,
                  100.0 * falls.worst.limit);
    print_message("stairs: %u of 10 asleep after %.1f s\n", falls.asleep, falls.seconds);
    assert_int_equal(falls.asleep, FIGURES);
    assert_true(falls.worst.bone < 0.01);
    assert_true(falls.worst.limit < 0.05);
}

static void a_figure_hung_by_a_hand_holds_together(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 8, 0.01f);
    const uint32_t id = spawn_figure(world, (struct vec3){0.0f, 5.0f, 0.0f}, (struct quat){0.0f, 0.0f, 0.0f, 1.0f},
                                     (struct vec3){0.0f, 0.0f, 0.0f});
    const uint32_t hand = 13;
    MUST(sim_particle_pin(world, id, &hand, 1, NULL, &fault));
    double worst = 0.0;
    double limit = 0.0;
    for (unsigned tick = 0; tick < 600; tick++) {
        sim_world_step(world);
        worst = fmax(worst, strain_of(world, &world->object[0]).bone);
        limit = fmax(limit, strain_of(world, &world->object[0]).limit);
    }
    print_message("hanging: bones within %.3f %%, limits %.3f %%\n", 100.0 * worst, 100.0 * limit);
    assert_true(worst < 0.01);
    sim_world_destroy(world);
}

static void elbows_and_knees_do_not_bend_the_wrong_way(void **state) {
    (void)state;
    static const uint32_t thigh = 22;
    static const uint32_t shin = 24;
    struct fault fault;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 8, 8, 0.05f);
    const uint32_t id = spawn_figure(world, (struct vec3){0.0f, 5.0f, 0.0f}, (struct quat){0.0f, 0.0f, 0.0f, 1.0f},
                                     (struct vec3){0.0f, 0.0f, 0.0f});
    const uint32_t held[6] = {1, 2, 20, 21, 22, 3}; // pelvis and the left thigh
    MUST(sim_particle_pin(world, id, held, 6, NULL, &fault));
    const uint32_t foot = 23;
    const double before = distance_of(position_of(world, id, thigh), position_of(world, id, shin));
    MUST(sim_force_apply(world, id, &foot, 1, (struct vec3){0.0f, 0.0f, 200.0f}, 120, &fault));
    step(world, 120);
    const double forward = distance_of(position_of(world, id, thigh), position_of(world, id, shin));
    MUST(sim_force_apply(world, id, &foot, 1, (struct vec3){0.0f, 0.0f, -200.0f}, 60, &fault));
    step(world, 60);
    const double back = distance_of(position_of(world, id, thigh), position_of(world, id, shin));
    print_message("knee: %.3f m, pushed forward %.3f m, back %.3f m\n", before, forward, back);
    assert_true(forward > 0.94 * before);
    assert_true(back > 1.02 * before);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_is_made_of_rigid_bones_with_its_mass_and_height),
        cmocka_unit_test(figures_that_fall_keep_their_bones_and_limits),
        cmocka_unit_test(ten_figures_fall_down_a_flight_of_stairs_and_sleep),
        cmocka_unit_test(a_figure_hung_by_a_hand_holds_together),
        cmocka_unit_test(elbows_and_knees_do_not_bend_the_wrong_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
