// SPDX-License-Identifier: MIT
// The contact solver on the list of contacts itself: one projection puts p on q, between bodies it keeps momentum.
#include "sim/contact/contact.h"
#include "sim/world/particle.h"
#include "sim_fixture.h"

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
        world->ahead_x[i] = world->x[i];
        world->ahead_y[i] = world->y[i];
        world->ahead_z[i] = world->z[i];
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
        along += (double)contact->weight[k] * ((double)contact->normal.x * (double)particle_relaxed(world, i).x +
                                               (double)contact->normal.y * (double)particle_relaxed(world, i).y +
                                               (double)contact->normal.z * (double)particle_relaxed(world, i).z);
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
            before[0] += mass * (double)particle_relaxed(world, k).x;
            before[1] += mass * (double)particle_relaxed(world, k).y;
            before[2] += mass * (double)particle_relaxed(world, k).z;
            scale += mass;
        }
        assert_true(contact_add(world, &contact));
        contact_relax(world, 0);
        contact_relax(world, 1);
        for (uint32_t k = 0; k < 8; k++) {
            const double mass = 1.0 / (double)world->w[k];
            after[0] += mass * (double)particle_relaxed(world, k).x;
            after[1] += mass * (double)particle_relaxed(world, k).y;
            after[2] += mass * (double)particle_relaxed(world, k).z;
        }
        for (unsigned axis = 0; axis < 3; axis++) {
            worst = fmax(worst, fabs(after[axis] - before[axis]) / scale);
        }
        sim_world_destroy(world);
    }
    print_message("contact of two tetrahedra: momentum off by %.1e\n", worst);
    assert_true(worst < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_projection_puts_p_on_q),
        cmocka_unit_test(a_contact_between_bodies_keeps_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
