// SPDX-License-Identifier: MIT
// The contact solver by its figures: one projection puts p on q, friction holds and slides as Coulomb says, a ball
// bounces to e² of its height. The first works on the list of contacts itself.
#include "sim/contact.h"
#include "sim_fixture.h"

static void add_obstacle(struct sim_world *world, struct sim_obstacle obstacle) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, &obstacle, &id, &fault));
}

// ---- projection --------------------------------------------------------------------------------------------------

// Random particles within 1 m, as if in the middle of a substep.
static void spawn_carriers(struct sim_world *world, uint32_t count, bool equal, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    float positions[24];
    float masses[8];
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 p = random_point(seed, 1.0f);
        memcpy(positions + 3 * (size_t)i, &p, sizeof p);
        masses[i] = equal ? 1.0f : random_between(seed, 0.1f, 10.0f);
    }
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.masses = masses;
    desc.particles = count;
    desc.friction = 0.0f;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    for (uint32_t i = 0; i < count; i++) {
        world->px[i] = world->x[i];
        world->py[i] = world->y[i];
        world->pz[i] = world->z[i];
    }
}

static void random_weights(float *weight, uint32_t count, float sum, uint64_t *seed) {
    float total = 0.0f;
    for (uint32_t k = 0; k < count; k++) {
        weight[k] = random_between(seed, 0.05f, 1.0f);
        total += weight[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        weight[k] *= sum / total;
    }
}

static struct vec3 random_direction(uint64_t *seed) {
    struct vec3 v = random_point(seed, 1.0f);
    const float length = vec3_length(v);
    return length > 0.1f ? vec3_scale(v, 1.0f / length) : vec3_of(0.0f, 1.0f, 0.0f);
}

static double depth_of(const struct sim_world *world, const struct contact *contact) {
    double along = 0.0;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        along += (double)contact->weight[k] *
                 ((double)contact->normal.x * (double)world->px[i] + (double)contact->normal.y * (double)world->py[i] +
                  (double)contact->normal.z * (double)world->pz[i]);
    }
    return (double)contact->offset - along;
}

static double worst_projection(uint32_t carriers_a, uint32_t carriers_b, bool equal, uint64_t *seed) {
    double worst = 0.0;
    for (unsigned round = 0; round < 20; round++) {
        struct sim_world *world = new_world();
        spawn_carriers(world, carriers_a + carriers_b, equal, seed);
        struct contact contact = {.carriers = carriers_a + carriers_b, .object_b = CONTACT_NO_OBJECT};
        for (uint32_t k = 0; k < contact.carriers; k++) {
            contact.slot[k] = k;
        }
        random_weights(contact.weight, carriers_a, 1.0f, seed);
        random_weights(contact.weight + carriers_a, carriers_b, -1.0f, seed);
        contact.normal = random_direction(seed);
        contact.offset = 0.0f;
        contact.offset = (float)-depth_of(world, &contact) + random_between(seed, 0.05f, 0.5f);
        assert_true(contact_add(world, &contact));
        contact_relax(world, 0);
        const double left = fabs(depth_of(world, &contact));
        worst = left > worst ? left : worst;
        sim_world_destroy(world);
    }
    return worst;
}

static void one_projection_puts_p_on_q(void **state) {
    (void)state;
    static const char *const name[5] = {"", "particle", "stick", "triangle", "tetrahedron"};
    uint64_t seed = new_seed("one_projection_puts_p_on_q");
    for (uint32_t a = 1; a <= 4; a++) {
        for (uint32_t b = 0; b <= 4; b++) {
            const double equal = worst_projection(a, b, true, &seed);
            const double unequal = worst_projection(a, b, false, &seed);
            if (b == 0) {
                print_message("%s: off by %.1e (equal masses), %.1e (unequal)\n", name[a], equal, unequal);
            }
            assert_true(equal < 1e-5 && unequal < 1e-5);
        }
    }
}

static void a_contact_between_bodies_keeps_their_momentum(void **state) {
    (void)state;
    uint64_t seed = new_seed("a_contact_between_bodies_keeps_their_momentum");
    double worst = 0.0;
    for (unsigned round = 0; round < 20; round++) {
        struct sim_world *world = new_world();
        spawn_carriers(world, 8, false, &seed);
        struct contact contact = {.carriers = 8, .friction = 0.6f};
        for (uint32_t k = 0; k < 8; k++) {
            contact.slot[k] = k;
            world->x[k] -= random_between(&seed, 0.0f, 0.1f); // so that there is something to rub against
        }
        random_weights(contact.weight, 4, 1.0f, &seed);
        random_weights(contact.weight + 4, 4, -1.0f, &seed);
        contact.normal = random_direction(&seed);
        contact.offset = (float)-depth_of(world, &contact) + 0.3f;
        double before[3] = {0}, after[3] = {0}, scale = 0.0;
        for (uint32_t k = 0; k < 8; k++) {
            const double mass = 1.0 / (double)world->w[k];
            before[0] += mass * (double)world->px[k];
            before[1] += mass * (double)world->py[k];
            before[2] += mass * (double)world->pz[k];
            scale += mass;
        }
        assert_true(contact_add(world, &contact));
        contact_relax(world, 0);
        contact_relax(world, 1);
        for (uint32_t k = 0; k < 8; k++) {
            const double mass = 1.0 / (double)world->w[k];
            after[0] += mass * (double)world->px[k];
            after[1] += mass * (double)world->py[k];
            after[2] += mass * (double)world->pz[k];
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            worst = fmax(worst, fabs(after[axis] - before[axis]) / scale);
        }
        sim_world_destroy(world);
    }
    print_message("contact of two tetrahedra: momentum off by %.1e\n", worst);
    assert_true(worst < 1e-5);
}

// ---- incline -----------------------------------------------------------------------------------------------------

enum slope { SLOPE_PLANE, SLOPE_BOX, SLOPE_MESH, SLOPE_COUNT };
enum slider { SLIDER_PARTICLE, SLIDER_TETRAHEDRON, SLIDER_BOX, SLIDER_COUNT };
static const char *const slope_name[SLOPE_COUNT] = {"plane", "box", "mesh"};
static const char *const slider_name[SLIDER_COUNT] = {"particle", "tetrahedron", "embedded box"};

// Through the origin, falling towards +x.
static void add_slope(struct sim_world *world, enum slope slope, double angle, float mu) {
    const struct vec3 normal = {(float)sin(angle), (float)cos(angle), 0.0f};
    const struct quat turned = {0.0f, 0.0f, (float)-sin(angle / 2.0), (float)cos(angle / 2.0)};
    static const float positions[27] = {-40, 0,  -40, 0, 0,   -40, 40, 0, -40, -40, 0,  0, 0, 0,
                                        0,   40, 0,   0, -40, 0,   40, 0, 0,   40,  40, 0, 40};
    static const uint32_t triangles[24] = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5, 3, 6, 4, 4, 6, 7, 4, 7, 5, 5, 7, 8};
    struct sim_obstacle obstacle = {.friction = mu, .rotation = turned};
    if (slope == SLOPE_PLANE) {
        obstacle.shape = SIM_OBSTACLE_PLANE;
        obstacle.normal = normal;
    } else if (slope == SLOPE_BOX) {
        obstacle.shape = SIM_OBSTACLE_BOX;
        obstacle.size = (struct vec3){80.0f, 1.0f, 80.0f};
        obstacle.position = (struct vec3){-0.5f * normal.x, -0.5f * normal.y, 0.0f};
    } else {
        obstacle.shape = SIM_OBSTACLE_MESH;
        obstacle.positions = positions;
        obstacle.vertices = 9;
        obstacle.triangles = triangles;
        obstacle.triangle_count = 8;
    }
    add_obstacle(world, obstacle);
}

static uint32_t spawn_slider(struct sim_world *world, enum slider slider, double angle, float mu) {
    struct fault fault;
    uint32_t id = 0;
    const struct quat turned = {0.0f, 0.0f, (float)-sin(angle / 2.0), (float)cos(angle / 2.0)};
    const float up[3] = {(float)sin(angle), (float)cos(angle), 0.0f};
    if (slider == SLIDER_PARTICLE) {
        const float start[3] = {0.05f * up[0] - 5.0f * up[1], 0.05f * up[1] + 5.0f * up[0], 1.0f};
        struct sim_particles_desc desc = sim_particles_desc_default();
        desc.positions = start;
        desc.particles = 1;
        desc.friction = mu;
        MUST(sim_particles_spawn(world, &desc, &id, &fault));
        return id;
    }
    static const float corners[12] = {-0.2f, 0, -0.1154f, 0.2f, 0, -0.1154f, 0, 0, 0.2309f, 0, 0.3266f, 0};
    struct sim_body_desc desc = sim_body_desc_default();
    desc.friction = mu;
    desc.rotation = turned;
    const float height = slider == SLIDER_BOX ? 0.1f + 2.5e-4f : 0.0f;
    desc.position = (struct vec3){height * up[0] - 5.0f * up[1], height * up[1] + 5.0f * up[0], 1.0f};
    if (slider == SLIDER_BOX) {
        desc.shape = SIM_BODY_BOX;
        desc.extents = (struct vec3){0.4f, 0.2f, 0.3f};
    } else {
        desc.vertices = corners;
        desc.vertex_count = 4;
    }
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    return id;
}

// Acceleration along the slope over 1 s after 0.5 s of settling, m/s².
static double slide(enum slope slope, enum slider slider, double tangent, float mu) {
    struct sim_world *world = new_world();
    const double angle = atan(tangent);
    set_solver(world, 8, 4, 0.0f);
    add_slope(world, slope, angle, mu);
    const uint32_t id = spawn_slider(world, slider, angle, mu);
    step(world, 30);
    const struct vec3 before = velocity_of(world, id, 0);
    step(world, 60);
    const struct vec3 after = velocity_of(world, id, 0);
    sim_world_destroy(world);
    return (double)(after.x - before.x) * cos(angle) - (double)(after.y - before.y) * sin(angle);
}

static void on_an_incline_things_stay_or_slide_as_coulomb_says(void **state) {
    (void)state;
    for (enum slope slope = 0; slope < SLOPE_COUNT; slope++) {
        for (enum slider slider = 0; slider < SLIDER_COUNT; slider++) {
            for (float mu = 0.3f; mu < 0.65f; mu += 0.3f) {
                const double rest = slide(slope, slider, 0.94 * (double)mu, mu);
                print_message("%s on a %s, μ %.1f: at rest %.4f m/s²", slider_name[slider], slope_name[slope],
                              (double)mu, rest);
                for (double share = 1.06; share < 2.0; share += 0.4) {
                    const double angle = atan(share * (double)mu);
                    const double expected = 9.81 * (sin(angle) - (double)mu * cos(angle));
                    const double error = fabs(slide(slope, slider, share * (double)mu, mu) / expected - 1.0);
                    print_message(", sliding off by %.1f %%", 100.0 * error);
                    // Just above the limit the two nearly cancel: 0.6 % of friction is 11 % of what is left.
                    const bool fine = slider != SLIDER_BOX || slope == SLOPE_PLANE || share > 1.1;
                    assert_true(error < (fine ? 0.05 : 0.15));
                }
                print_message("\n");
                assert_true(fabs(rest) < 0.01);
            }
        }
    }
}

// ---- restitution -------------------------------------------------------------------------------------------------

static double bounce(enum slope floor, bool body, float e) {
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    const float start[3] = {0.3f, 2.05f, 0.2f};
    set_solver(world, 8, 4, 0.0f);
    add_slope(world, floor, 0.0, 0.5f);
    if (body) {
        struct sim_body_desc desc = sim_body_desc_default();
        desc.shape = SIM_BODY_BOX;
        desc.extents = (struct vec3){0.1f, 0.1f, 0.1f};
        desc.position = (struct vec3){start[0], start[1], start[2]};
        desc.restitution = e;
        MUST(sim_body_spawn(world, &desc, &id, &fault));
    } else {
        struct sim_particles_desc desc = sim_particles_desc_default();
        desc.positions = start;
        desc.particles = 1;
        desc.restitution = e;
        MUST(sim_particles_spawn(world, &desc, &id, &fault));
    }
    double highest = 0.0;
    const uint32_t count = body ? 4 : 1;
    for (unsigned tick = 0; tick < 200; tick++) {
        sim_world_step(world);
        double middle = 0.0;
        double speed = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            middle += (double)position_of(world, id, i).y / (double)count;
            speed += (double)velocity_of(world, id, i).y / (double)count;
        }
        if (tick > 38 && speed > 0.0) {
            highest = middle - 0.05 > highest ? middle - 0.05 : highest;
        } else if (tick > 38 && highest > 0.0) {
            break;
        }
    }
    sim_world_destroy(world);
    return highest;
}

static void a_dropped_ball_bounces_to_e_squared_of_its_height(void **state) {
    (void)state;
    for (enum slope floor = 0; floor < SLOPE_COUNT; floor++) {
        for (unsigned k = 0; k < 3; k++) {
            const float e = 0.4f + 0.3f * (float)k;
            const double expected = 2.0 * (double)e * (double)e;
            const double ball = bounce(floor, false, e);
            const double box = bounce(floor, true, e);
            print_message("e %.1f on a %s: e²h = %.3f m, ball %.3f m, box %.3f m\n", (double)e, slope_name[floor],
                          expected, ball, box);
            assert_true(fabs(ball - expected) < 0.04 * expected);
            assert_true(fabs(box - expected) < 0.3 * expected); // a hard landing strains it
        }
    }
}

static void a_slow_touch_does_not_bounce(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    const float start[3] = {0.0f, 0.06f, 0.0f}; // 0.44 m/s when it has fallen 1 cm
    set_solver(world, 8, 1, 0.0f);
    add_slope(world, SLOPE_PLANE, 0.0, 0.5f);
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = start;
    desc.particles = 1;
    desc.restitution = 1.0f;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    step(world, 10);
    assert_true(fabs((double)position_of(world, id, 0).y - 0.05) < 1e-5);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_projection_puts_p_on_q),
        cmocka_unit_test(a_contact_between_bodies_keeps_their_momentum),
        cmocka_unit_test(on_an_incline_things_stay_or_slide_as_coulomb_says),
        cmocka_unit_test(a_dropped_ball_bounces_to_e_squared_of_its_height),
        cmocka_unit_test(a_slow_touch_does_not_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
