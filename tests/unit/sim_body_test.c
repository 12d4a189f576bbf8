// SPDX-License-Identifier: MIT
// Rigid bodies (server/sim/PHYSICS.md 6): mass properties of what is spawned, free rotation, right angles, no mirror
// images.
#include "sim_fixture.h"

#include <string.h>

static struct sim_world *body_world(uint32_t bodies) {
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {.particles = 4 * bodies,
                                          .sticks = 6 * bodies,
                                          .triangles = 4 * bodies,
                                          .objects = bodies,
                                          .obstacles = 4,
                                          .shape_words = 4000 * bodies};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &world), RESULT_OK);
    return world;
}

static uint32_t spawn(struct sim_world *world, const struct sim_body_desc *desc) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_body_spawn(world, desc, &id, &fault));
    return id;
}

static struct sim_body_desc box_of(float x, float y, float z) {
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){x, y, z};
    return desc;
}

// ---- what an object's particles amount to, in double -------------------------------------------------------------

struct motion {
    double mass, centre[3], velocity[3], spin[3], energy; // spin: angular momentum about the centre
    double inertia[3][3];
};

static void cross(const double a[3], const double b[3], double out[3]) {
    for (unsigned i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static struct motion motion_of(const struct sim_world *world, uint32_t id) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    const struct sim_particles_view all = sim_world_particles(world);
    struct motion sum = {0};
    double at[4][3];
    double going[4][3];
    double mass[4];
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = view.first + k;
        mass[k] = 1.0 / (double)sim_particle_own_inverse_mass(world, slot);
        const float x[3] = {all.x[slot], all.y[slot], all.z[slot]};
        const float d[3] = {all.dx[slot], all.dy[slot], all.dz[slot]};
        sum.mass += mass[k];
        for (unsigned i = 0; i < 3; i++) {
            // Halfway through the last substep, where the displacement is the velocity.
            at[k][i] = (double)x[i] - 0.5 * (double)d[i];
            going[k][i] = (double)d[i] / (double)all.substep;
            sum.centre[i] += mass[k] * (double)x[i];
            sum.velocity[i] += mass[k] * going[k][i];
        }
    }
    double middle[3];
    for (unsigned i = 0; i < 3; i++) {
        sum.centre[i] /= sum.mass;
        sum.velocity[i] /= sum.mass;
        middle[i] = sum.centre[i] - 0.5 * sum.velocity[i] * (double)all.substep;
    }
    for (unsigned k = 0; k < 4; k++) {
        double moment[3];
        for (unsigned i = 0; i < 3; i++) {
            at[k][i] -= middle[i];
            going[k][i] -= sum.velocity[i];
            sum.energy += 0.5 * mass[k] * going[k][i] * going[k][i];
        }
        cross(at[k], going[k], moment);
        for (unsigned i = 0; i < 3; i++) {
            sum.spin[i] += mass[k] * moment[i];
            for (unsigned j = 0; j < 3; j++) {
                const double square = at[k][0] * at[k][0] + at[k][1] * at[k][1] + at[k][2] * at[k][2];
                sum.inertia[i][j] += mass[k] * ((i == j ? square : 0.0) - at[k][i] * at[k][j]);
            }
        }
    }
    return sum;
}

// ---- mass properties ---------------------------------------------------------------------------------------------

static void an_embedded_box_has_the_inertia_tensor_of_the_textbook(void **state) {
    (void)state;
    const float sides[3][3] = {{0.5f, 0.5f, 0.5f}, {1.0f, 0.3f, 0.05f}, {0.02f, 4.0f, 0.7f}};
    for (unsigned k = 0; k < 3; k++) {
        struct sim_world *world = body_world(1);
        struct sim_body_desc box = box_of(sides[k][0], sides[k][1], sides[k][2]);
        box.mass = 12.0f;
        const struct motion motion = motion_of(world, spawn(world, &box));
        double worst = 0.0;
        for (unsigned i = 0; i < 9; i++) {
            const double a = (double)sides[k][(i / 3 + 1) % 3];
            const double b = (double)sides[k][(i / 3 + 2) % 3];
            const double expected = i % 4 == 0 ? a * a + b * b : 0.0;
            worst = fmax(worst, fabs(motion.inertia[i / 3][i % 3] - expected));
        }
        worst /= (double)(sides[k][0] * sides[k][0] + sides[k][1] * sides[k][1] + sides[k][2] * sides[k][2]);
        print_message("box %u: inertia tensor within %.1e\n", k, worst);
        assert_true(worst < 1e-4);
        assert_true(fabs(motion.mass - 12.0) < 1e-5);
        sim_world_destroy(world);
    }
}

// By another way than the core: Tonon's (2004) closed form per tetrahedron, from the origin, in long double.
static void tensor_of_surface(const float *points, const uint32_t *triangles, uint32_t count, double mass,
                              double centre[3], double inertia[3][3]) {
    long double volume = 0.0L;
    long double first[3] = {0.0L, 0.0L, 0.0L};
    long double product[3][3] = {{0.0L}};
    for (uint32_t t = 0; t < count; t++) {
        const float *p[3] = {points + 3 * triangles[3 * t], points + 3 * triangles[3 * t + 1],
                             points + 3 * triangles[3 * t + 2]};
        long double six = 0.0L;
        for (unsigned i = 0; i < 3; i++) {
            six += (long double)p[0][i] * ((long double)p[1][(i + 1) % 3] * (long double)p[2][(i + 2) % 3] -
                                           (long double)p[1][(i + 2) % 3] * (long double)p[2][(i + 1) % 3]);
        }
        volume += six / 6.0L;
        for (unsigned i = 0; i < 3; i++) {
            first[i] += six / 24.0L * ((long double)p[0][i] + (long double)p[1][i] + (long double)p[2][i]);
            for (unsigned j = 0; j < 3; j++) {
                for (unsigned m = 0; m < 9; m++) {
                    const long double weight = m % 4 == 0 ? 2.0L : 1.0L;
                    product[i][j] += six / 120.0L * weight * (long double)p[m / 3][i] * (long double)p[m % 3][j];
                }
            }
        }
    }
    for (unsigned i = 0; i < 3; i++) {
        centre[i] = (double)(first[i] / volume);
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            const long double moment = product[i][j] / volume - first[i] / volume * (first[j] / volume);
            inertia[i][j] = -mass * (double)moment;
        }
    }
    const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
    for (unsigned i = 0; i < 3; i++) {
        inertia[i][i] -= trace;
    }
}

static void ten_random_hulls_have_their_exact_mass_centre_and_inertia_tensor(void **state) {
    (void)state;
    uint64_t seed = new_seed("ten_random_hulls_have_their_exact_mass_centre_and_inertia_tensor");
    double worst = 0.0;
    for (unsigned round = 0; round < 10; round++) {
        struct fault fault;
        struct sim_world *world = body_world(1);
        struct sim_body_desc desc = sim_body_desc_default();
        float points[60][3];
        desc.shape = SIM_BODY_HULL;
        desc.vertices = points[0];
        desc.vertex_count = 8 + random_below(&seed, 53);
        desc.mass = 3.0f;
        for (uint32_t i = 0; i < desc.vertex_count; i++) {
            const struct vec3 at = random_point(&seed, 0.5f);
            points[i][0] = at.x;
            points[i][1] = 0.6f * at.y + 0.2f;
            points[i][2] = 0.3f * at.z;
        }
        const uint32_t id = spawn(world, &desc);
        struct sim_object_view view;
        MUST(sim_object_find(world, id, &view, &fault));
        const struct sim_particles_view at = sim_world_particles(world);
        float surface[60][3] = {{0.0f}};
        for (uint32_t i = 0; i < view.hull_vertices; i++) { // where the weights put the vertices
            double total = 0.0;
            for (unsigned k = 0; k < 4; k++) {
                const float weight = view.hull_weights[4 * i + k];
                total += (double)weight;
                surface[i][0] += weight * at.x[view.first + k];
                surface[i][1] += weight * at.y[view.first + k];
                surface[i][2] += weight * at.z[view.first + k];
            }
            assert_true(fabs(total - 1.0) < 1e-6);
        }
        const struct motion motion = motion_of(world, id);
        double centre[3];
        double inertia[3][3];
        tensor_of_surface(surface[0], view.hull_triangles, view.hull_triangle_count, 3.0, centre, inertia);
        const double trace = inertia[0][0] + inertia[1][1] + inertia[2][2];
        for (unsigned i = 0; i < 9; i++) {
            worst = fmax(worst, fabs(motion.inertia[i / 3][i % 3] - inertia[i / 3][i % 3]) / trace);
            assert_true(fabs(motion.centre[i / 3] - centre[i / 3]) < 1e-6);
        }
        sim_world_destroy(world);
    }
    print_message("ten hulls: inertia tensor within %.1e of its trace\n", worst);
    assert_true(worst < 1e-4);
}

static void other_masses_on_the_same_corners_are_another_inertia_tensor(void **state) {
    (void)state;
    struct sim_world *world = body_world(2);
    const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 0.5f, 0, 0, 0, 0.25f};
    const float there[4] = {1.0f, 4.0f, 1.0f, 1.0f};
    const float here[4] = {4.0f, 1.0f, 1.0f, 1.0f};
    struct sim_body_desc desc = sim_body_desc_default();
    desc.vertices = corners;
    desc.vertex_count = 4;
    desc.masses = there;
    const struct motion first = motion_of(world, spawn(world, &desc));
    desc.masses = here;
    const struct motion second = motion_of(world, spawn(world, &desc));
    assert_true(fabs(first.mass - second.mass) < 1e-6);
    assert_true(fabs(first.centre[0] - 4.0 / 7.0) < 1e-6);
    assert_true(fabs(second.centre[0] - 1.0 / 7.0) < 1e-6);
    assert_true(fabs(first.inertia[0][1] - second.inertia[0][1]) > 0.1);
    sim_world_destroy(world);
}

// ---- free motion -------------------------------------------------------------------------------------------------

static void a_box_thrown_about_its_middle_axis_flips_and_keeps_its_spin(void **state) {
    (void)state;
    struct sim_world *world = body_world(1);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 1, 4, 0.0f);
    struct sim_body_desc box = box_of(1.0f, 0.6f, 0.2f);
    box.angular_velocity = (struct vec3){0.01f, 6.0f, 0.01f};
    const uint32_t id = spawn(world, &box);
    step(world, 1);
    const struct motion start = motion_of(world, id);
    unsigned flips = 0;
    bool turned = false;
    for (unsigned tick = 0; tick < 1200; tick++) {
        step(world, 1);
        if (tick == 119) {
            const struct motion now = motion_of(world, id);
            const double energy = now.energy / start.energy;
            const double spin = length_of(now.spin) / length_of(start.spin);
            print_message("after 2 s: energy %.5f, angular momentum %.5f of what it was\n", energy, spin);
            assert_true(energy > 0.995 && energy < 1.005);
            assert_true(spin > 0.995 && spin < 1.005);
        }
        // The body's middle axis is the direction of p0 + p2 − p1 − p3.
        const struct vec3 a = position_of(world, id, 0);
        const struct vec3 b = position_of(world, id, 1);
        const struct vec3 c = position_of(world, id, 2);
        const struct vec3 d = position_of(world, id, 3);
        const double up = ((double)a.y + (double)c.y - (double)b.y - (double)d.y) / (2.0 * 0.6 / sqrt(3.0));
        if (up < -0.7 && !turned) {
            turned = true;
            flips++;
        } else if (up > 0.7 && turned) {
            turned = false;
            flips++;
        }
    }
    const struct motion end = motion_of(world, id);
    print_message("%u flips in 20 s; energy %.5f, angular momentum %.5f after 20 s\n", flips, end.energy / start.energy,
                  length_of(end.spin) / length_of(start.spin));
    assert_true(flips >= 4);
    sim_world_destroy(world);
}

static void the_centre_of_a_tumbling_box_follows_the_parabola(void **state) {
    (void)state;
    struct sim_world *world = body_world(1);
    set_solver(world, 1, 4, 0.0f);
    struct sim_body_desc box = box_of(1.0f, 0.6f, 0.2f);
    box.position = (struct vec3){0.0f, 20.0f, 0.0f};
    box.velocity = (struct vec3){3.0f, 8.0f, -1.0f};
    box.angular_velocity = (struct vec3){0.1f, 6.0f, 2.0f};
    const uint32_t id = spawn(world, &box);
    double worst = 0.0;
    for (unsigned n = 1; n <= 120; n++) {
        step(world, 1);
        const struct motion now = motion_of(world, id);
        const double h = 1.0 / 60.0;
        const double expected[3] = {3.0 * n * h, 20.0 + 8.0 * n * h - 9.81 * h * h * n * (n + 1) / 2.0, -1.0 * n * h};
        for (unsigned i = 0; i < 3; i++) {
            worst = fmax(worst, fabs(now.centre[i] - expected[i]));
        }
    }
    print_message("2 s of flight: within %.1e m of the parabola\n", worst);
    assert_true(worst < 1e-4);
    sim_world_destroy(world);
}

static void a_frame_keeps_its_right_angles_its_lengths_and_its_spin(void **state) {
    (void)state;
    struct sim_world *world = body_world(1);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 2, 6, 0.0f);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_FRAME;
    desc.size = 0.5f;
    desc.angular_velocity = (struct vec3){3.0f, -2.0f, 4.0f};
    const uint32_t id = spawn(world, &desc);
    step(world, 1);
    const struct motion start = motion_of(world, id);
    double worst = 0.0;
    for (unsigned tick = 0; tick < 300; tick++) {
        step(world, 1);
        double axis[3][3];
        const struct vec3 o = position_of(world, id, 0);
        for (uint32_t i = 0; i < 3; i++) {
            const struct vec3 p = position_of(world, id, i + 1);
            axis[i][0] = (double)p.x - (double)o.x;
            axis[i][1] = (double)p.y - (double)o.y;
            axis[i][2] = (double)p.z - (double)o.z;
        }
        for (unsigned i = 0; i < 9; i++) {
            const double *a = axis[i / 3];
            const double *b = axis[i % 3];
            const double dot = (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) / 0.25;
            worst = fmax(worst, fabs(dot - (i % 4 == 0 ? 1.0 : 0.0)));
        }
    }
    const struct motion end = motion_of(world, id);
    print_message("frame: axes orthonormal within %.1e, spin %.5f after 5 s\n", worst,
                  length_of(end.spin) / length_of(start.spin));
    assert_true(worst < 1e-3);
    assert_true(fabs(length_of(end.spin) / length_of(start.spin) - 1.0) < 0.005);
    sim_world_destroy(world);
}

static void the_orientation_is_that_of_the_spawn_and_turns_with_the_body(void **state) {
    (void)state;
    uint64_t seed = new_seed("the_orientation_is_that_of_the_spawn_and_turns_with_the_body");
    for (unsigned round = 0; round < 50; round++) {
        struct sim_world *world = body_world(1);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 8, 4, 0.0f);
        struct sim_body_desc desc = box_of(0.5f, 0.5f, 0.5f);
        desc.shape = (enum sim_body_shape)(round % 2 == 0 ? SIM_BODY_BOX : SIM_BODY_TETRAHEDRON);
        const struct vec3 v = random_point(&seed, 1.0f);
        const float w = random_between(&seed, 0.1f, 1.0f);
        const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z + w * w);
        desc.rotation = (struct quat){v.x / length, v.y / length, v.z / length, w / length};
        spawn(world, &desc);
        const struct quat q = sim_object_orientation(world, 0);
        const float off = fabsf(q.x * v.x + q.y * v.y + q.z * v.z + q.w * w) / length;
        assert_true(off > 1.0f - 1e-6f);
        sim_world_destroy(world);
    }
    struct sim_world *world = body_world(1);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 8, 4, 0.0f);
    struct sim_body_desc cube = box_of(0.5f, 0.5f, 0.5f);
    cube.angular_velocity = (struct vec3){0.0f, 1.5f, 0.0f};
    spawn(world, &cube);
    step(world, 60);
    const struct quat q = sim_object_orientation(world, 0);
    assert_true(fabs((double)q.y - sin(0.75)) < 1e-3 && fabs((double)q.w - cos(0.75)) < 1e-3);
    sim_world_destroy(world);
}

// ---- what is refused, what is taken back -------------------------------------------------------------------------

static void a_body_that_cannot_be_rigid_is_refused_with_its_member(void **state) {
    (void)state;
    struct sim_world *world = body_world(2);
    struct fault fault;
    uint32_t id;
    struct sim_body_desc desc = box_of(1.0f, 1.0f, 0.0f);
    assert_int_equal(sim_body_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/size/2");
    desc = box_of(1.0f, 1.0f, 0.0015f);
    assert_int_equal(sim_body_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/size");
    const float flat[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.5f, 0.5f, 0};
    desc.shape = SIM_BODY_HULL;
    desc.vertices = flat;
    desc.vertex_count = 5;
    assert_int_equal(sim_body_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/vertices");
    desc.vertex_count = 3;
    assert_int_equal(sim_body_spawn(world, &desc, &id, &fault), RESULT_INVALID);
    assert_int_equal(sim_world_object_count(world), 0);
    sim_world_destroy(world);
}

static void a_removed_hull_gives_its_storage_back_and_leaves_the_others_whole(void **state) {
    (void)state;
    struct sim_world *world = body_world(3);
    struct fault fault;
    const struct sim_body_desc box = box_of(0.5f, 0.4f, 0.3f);
    const uint32_t first = spawn(world, &box);
    const float pyramid[15] = {0, 1, 0, 1, 0, 1, 1, 0, -1, -1, 0, 1, -1, 0, -1};
    struct sim_body_desc hull = sim_body_desc_default();
    hull.shape = SIM_BODY_HULL;
    hull.vertices = pyramid;
    hull.vertex_count = 5;
    const uint32_t second = spawn(world, &hull);
    struct sim_object_view before;
    MUST(sim_object_find(world, second, &before, &fault));
    assert_int_equal(before.hull_vertices, 5);
    assert_int_equal(before.hull_triangle_count, 6);
    float weights[20];
    uint32_t triangles[18];
    memcpy(weights, before.hull_weights, sizeof weights);
    memcpy(triangles, before.hull_triangles, sizeof triangles);
    MUST(sim_object_remove(world, first, &fault));
    struct sim_object_view after;
    MUST(sim_object_find(world, second, &after, &fault));
    assert_memory_equal(after.hull_weights, weights, sizeof weights);
    assert_memory_equal(after.hull_triangles, triangles, sizeof triangles);
    MUST(sim_object_remove(world, second, &fault));
    for (unsigned i = 0; i < 3; i++) {
        spawn(world, &box);
    }
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_embedded_box_has_the_inertia_tensor_of_the_textbook),
        cmocka_unit_test(ten_random_hulls_have_their_exact_mass_centre_and_inertia_tensor),
        cmocka_unit_test(other_masses_on_the_same_corners_are_another_inertia_tensor),
        cmocka_unit_test(a_box_thrown_about_its_middle_axis_flips_and_keeps_its_spin),
        cmocka_unit_test(the_centre_of_a_tumbling_box_follows_the_parabola),
        cmocka_unit_test(a_frame_keeps_its_right_angles_its_lengths_and_its_spin),
        cmocka_unit_test(the_orientation_is_that_of_the_spawn_and_turns_with_the_body),
        cmocka_unit_test(a_body_that_cannot_be_rigid_is_refused_with_its_member),
        cmocka_unit_test(a_removed_hull_gives_its_storage_back_and_leaves_the_others_whole),
    };
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
