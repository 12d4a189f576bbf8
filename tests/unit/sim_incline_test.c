// SPDX-License-Identifier: MIT
// Friction (server/sim/PHYSICS.md 4.3): on an incline things stay or slide as Coulomb says, whatever they are and lie
// on.
#include "sim_ground.h"

// As they come to lie on the ground: how far above it the position of what is spawned is.
static float height_of(enum thing thing, enum ground ground) {
    static const float height[THING_COUNT] = {0.05f, 0.15f, 0.1f, 0.0f, 0.0f, 0.1f};
    const bool kept_apart = ground == GROUND_BOX || ground == GROUND_MESH || ground == GROUND_HEIGHTFIELD;
    return height[thing] + (kept_apart && thing != THING_PARTICLE ? 2.5e-4f : 0.0f);
}

static double speed_along(const struct sim_world *world, uint32_t id, double angle) {
    const struct state state = state_of(world, id);
    return state.velocity[0] * cos(angle) - state.velocity[1] * sin(angle);
}

// Along the slope, in m/s²; over 1 s, after half a second of settling.
static double acceleration(enum ground ground, enum thing thing, double tangent, float mu, float size) {
    struct sim_world *world = ground_world(8, 4);
    const double angle = atan(tangent);
    const uint32_t block = ground_add(world, ground, angle, mu);
    const double lies = ground == GROUND_BOUNDS ? 0.0 : angle;
    const struct vec3 n = ground_normal(lies);
    const float up = thing == THING_BOX ? height_of(thing, ground) + 0.1f * (size - 1.0f) : height_of(thing, ground);
    const float along = -5.03f;
    struct sim_body_desc desc = sim_body_desc_default();
    desc.friction = mu;
    desc.rotation = ground_rotation(lies);
    desc.extents = (struct vec3){0.4f * size, 0.2f * size, 0.3f * size};
    desc.position = (struct vec3){up * n.x + along * n.y, up * n.y - along * n.x, 1.02f};
    const uint32_t id = thing_spawn(world, thing, desc);
    double before = 0.0;
    step(world, 30);
    before = speed_along(world, id, lies) - (block != 0 ? speed_along(world, block, lies) : 0.0);
    step(world, 60);
    const double after = speed_along(world, id, lies) - (block != 0 ? speed_along(world, block, lies) : 0.0);
    sim_world_destroy(world);
    return after - before;
}

static void on_any_ground_anything_stays_or_slides_as_coulomb_says(void **state) {
    (void)state;
    static const float all_mu[3] = {0.2f, 0.5f, 0.9f};
    for (enum ground ground = 0; ground < GROUND_COUNT; ground++) {
        double staying = 0.0;
        double sliding = 0.0;
        for (enum thing thing = 0; thing < THING_COUNT; thing++) {
            for (unsigned k = 0; k < 3; k++) {
                const double mu = (double)all_mu[k];
                const double just = atan(1.06 * mu);
                const double expected = 9.81 * (sin(just) - mu * cos(just));
                const double slides = acceleration(ground, thing, 1.06 * mu, all_mu[k], 1.0f);
                staying = fmax(staying, fabs(acceleration(ground, thing, 0.94 * mu, all_mu[k], 1.0f)));
                sliding = fmax(sliding, fabs(slides / expected - 1.0));
            }
        }
        print_message("on a %s: at 0.94 μ %.4f m/s² at most, at 1.06 μ within %.1f %%\n", ground_name[ground], staying,
                      100.0 * sliding);
        assert_true(staying < (ground == GROUND_HEAVY_BODY ? 0.02 : 1e-3)); // it settles itself
        assert_true(sliding < 0.05);
    }
}

static void a_box_of_any_size_slides_as_coulomb_says_on_any_slope(void **state) {
    (void)state;
    double worst = 0.0;
    for (enum ground ground = 0; ground < GROUND_COUNT; ground++) {
        for (unsigned k = 0; k < 4; k++) {
            const double tangent = 0.5 * (k % 2 == 0 ? 1.2 : 1.8);
            const double angle = atan(tangent);
            const double expected = 9.81 * (sin(angle) - 0.5 * cos(angle));
            const double slides = acceleration(ground, THING_BOX, tangent, 0.5f, k / 2 == 0 ? 0.25f : 4.0f);
            worst = fmax(worst, fabs(slides / expected - 1.0));
        }
    }
    print_message("boxes of 10 cm and 1.6 m at 1.2 and 1.8 μ: within %.1f %%\n", 100.0 * worst);
    assert_true(worst < 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_any_ground_anything_stays_or_slides_as_coulomb_says),
        cmocka_unit_test(a_box_of_any_size_slides_as_coulomb_says_on_any_slope),
    };
    return cmocka_run_group_tests_name("incline", tests, NULL, NULL);
}
