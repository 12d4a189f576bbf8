// SPDX-License-Identifier: MIT
// Rounding gives nothing momentum: what floats in zero gravity keeps its speed and its spin for 10 s, wherever in the
// world it is, with 1 to 64 substeps (server/sim/PHYSICS.md 2.3).
//
// Every kind of object is looked at: at rest, under way at 1 and at 10 m/s, and turning. Where an object's sticks act
// along their present direction (`current`) the method itself loses rotation, and far more than rounding does; that
// loss is the same everywhere, so the test compares it with the loss at the origin.
#include "sim_fixture.h"

#include "sim/probe.h"
#include "sim/world/particle.h"
#include "sim/world/world.h"

#define TICKS 600u
#define SPEED_GAINED 1e-3 // m/s
#define SPIN_CHANGED 1e-3 // of itself

static const struct vec3 nearby = {0.0f, 0.0f, 0.0f};
static const struct vec3 far_out = {90.0f, -70.0f, 80.0f};
static const uint32_t solver[][2] = {{1, 1}, {8, 1}, {64, 4}}; // substeps, iterations
#define SOLVERS (sizeof solver / sizeof solver[0])

enum thing {
    STICK,    // two particles and an added stick
    TRIANGLE, // three particles and added sticks
    ROPE,
    GRID,
    HEX,
    CLOTH_START, // a cloth that keeps rotation
    MESH,
    MESH_START,
    PLANT, // pulled out
    FIGURE,
    BOX,
    FRAME,
    PAIR, // bodies that an added stick joins
    THINGS
};

static const struct {
    const char *name;
    bool keeps_rotation;
} about[THINGS] = {
    [STICK] = {"stick", false},
    [TRIANGLE] = {"triangle of sticks", false},
    [ROPE] = {"rope", false},
    [GRID] = {"grid cloth", false},
    [HEX] = {"hex cloth", false},
    [CLOTH_START] = {"cloth (start)", true},
    [MESH] = {"mesh", false},
    [MESH_START] = {"mesh (start)", true},
    [PLANT] = {"plant", false},
    [FIGURE] = {"ragdoll", true},
    [BOX] = {"box", true},
    [FRAME] = {"frame", true},
    [PAIR] = {"boxes on a stick", false},
};

struct motion {
    struct vec3 velocity; // m/s
    float spin;           // rad/s
};

struct setting {
    enum thing thing;
    struct vec3 place;
    uint32_t substeps, iterations;
    struct motion motion;
};

// ---- making ------------------------------------------------------------------------------------------------------

static struct quat askew(void) {
    return (struct quat){0.18257419f, 0.36514837f, 0.54772256f, 0.73029674f};
}

static void join(struct sim_world *world, uint32_t a, uint32_t i, uint32_t b, uint32_t k) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){a, i}, (struct sim_stick_end){b, k}, -1.0f, SIM_STICK_EQUAL, 0.0f,
                       &id, &fault));
}

static void make_loose(struct sim_world *world, struct vec3 place, uint32_t count) {
    struct fault fault;
    uint32_t id = 0;
    const float all[9] = {place.x,        place.y,        place.z,        place.x + 0.6f, place.y + 0.2f,
                          place.z - 0.1f, place.x + 0.1f, place.y + 0.5f, place.z + 0.3f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    const float masses[3] = {1.0f, 2.5f, 0.7f};
    desc.positions = all;
    desc.masses = masses;
    desc.particles = count;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    for (uint32_t i = 0; i + 1 < count; i++) {
        join(world, id, i, id, i + 1);
    }
    if (count > 2) {
        join(world, id, 0, id, 2);
    }
}

static void make_rope(struct sim_world *world, struct vec3 place) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc desc = sim_rope_desc_default();
    desc.from = place;
    desc.to = (struct vec3){place.x + 0.7f, place.y + 0.3f, place.z - 0.4f};
    desc.particles = 12;
    desc.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &desc, &id, &fault));
}

static void make_cloth(struct sim_world *world, struct vec3 place, enum sim_lattice lattice,
                       enum sim_projection projection) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.columns = 8;
    desc.rows = 6;
    desc.spacing = 0.1f;
    desc.lattice = lattice;
    desc.sheet.position = place;
    desc.sheet.rotation = askew();
    desc.sheet.pins.preset = SIM_PIN_NONE;
    desc.sheet.projection = projection;
    MUST(sim_cloth_spawn(world, &desc, &id, &fault));
}

// An octahedron that is a little off.
static void make_mesh(struct sim_world *world, struct vec3 place, enum sim_projection projection) {
    static const float corner[18] = {0.5f, 0.0f,  0.1f, -0.5f, 0.0f, 0.0f, 0.0f, 0.4f,  0.0f,
                                     0.1f, -0.4f, 0.0f, 0.0f,  0.0f, 0.6f, 0.0f, 0.05f, -0.6f};
    static const uint32_t face[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    struct fault fault;
    uint32_t id = 0;
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    desc.positions = corner;
    desc.particles = 6;
    desc.triangles = face;
    desc.triangle_count = 8;
    desc.sheet.position = place;
    desc.sheet.rotation = askew();
    desc.sheet.pins.preset = SIM_PIN_NONE;
    desc.sheet.projection = projection;
    MUST(sim_mesh_spawn(world, &desc, &id, &fault));
}

static void make_plant(struct sim_world *world, struct vec3 place) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_plant_desc desc = sim_plant_desc_default();
    desc.position = place;
    MUST(sim_plant_spawn(world, &desc, &id, &fault));
    for (uint32_t i = 0; i < view_of(world, id).particles; i++) {
        MUST(sim_particle_unpin(world, id, &i, 1, &fault));
    }
}

static void make_figure(struct sim_world *world, struct vec3 place) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_ragdoll_desc desc = sim_ragdoll_desc_default();
    desc.position = place;
    desc.rotation = askew();
    MUST(sim_ragdoll_spawn(world, &desc, &id, &fault));
}

static uint32_t make_body(struct sim_world *world, struct vec3 place, enum sim_body_shape shape) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = shape;
    desc.extents = (struct vec3){0.6f, 0.4f, 0.3f};
    desc.size = 0.5f;
    desc.position = place;
    desc.rotation = askew();
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    return id;
}

static void make_pair(struct sim_world *world, struct vec3 place) {
    const uint32_t a = make_body(world, place, SIM_BODY_BOX);
    const uint32_t b = make_body(world, (struct vec3){place.x + 1.5f, place.y, place.z}, SIM_BODY_BOX);
    join(world, a, 0, b, 1);
}

static void make(struct sim_world *world, enum thing thing, struct vec3 place) {
    switch (thing) {
    case STICK:
    case TRIANGLE:
        make_loose(world, place, thing == STICK ? 2 : 3);
        break;
    case ROPE:
        make_rope(world, place);
        break;
    case GRID:
    case CLOTH_START:
        make_cloth(world, place, SIM_LATTICE_GRID, thing == GRID ? SIM_PROJECTION_CURRENT : SIM_PROJECTION_START);
        break;
    case HEX:
        make_cloth(world, place, SIM_LATTICE_HEX, SIM_PROJECTION_CURRENT);
        break;
    case MESH:
    case MESH_START:
        make_mesh(world, place, thing == MESH ? SIM_PROJECTION_CURRENT : SIM_PROJECTION_START);
        break;
    case PLANT:
        make_plant(world, place);
        break;
    case FIGURE:
        make_figure(world, place);
        break;
    case BOX:
    case FRAME:
        (void)make_body(world, place, thing == BOX ? SIM_BODY_BOX : SIM_BODY_FRAME);
        break;
    case PAIR:
    case THINGS:
    default:
        make_pair(world, place);
        break;
    }
}

// ---- moving ------------------------------------------------------------------------------------------------------

// Everything at `velocity`, turning about its centre of mass, askew to all axes.
static void set_going(struct sim_world *world, const struct motion *motion) {
    const struct sim_triple centre = sim_world_measure(world).centre;
    const float h = world_substep_seconds(world);
    const double spin = (double)motion->spin / sqrt(3.0);
    for (uint32_t i = 0; i < world->state.particles; i++) {
        const double x = (double)world->x[i] - centre.x;
        const double y = (double)world->y[i] - centre.y;
        const double z = (double)world->z[i] - centre.z;
        const struct vec3 turning = {(float)(spin * (z - y)), (float)(spin * (x - z)), (float)(spin * (y - x))};
        particle_set_displacement(world, i, vec3_scale(vec3_add(turning, motion->velocity), h));
    }
}

struct outcome {
    double gained; // m/s: the most that a particle's speed is off, less what turns; of what turns, that of the centre
    double spin_before, spin_after;
};

static double length_of(struct sim_triple v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static double speed_off(const struct sim_world *world, struct vec3 velocity) {
    const double per_second = 1.0 / (double)world_substep_seconds(world);
    double most = 0.0;
    for (uint32_t i = 0; i < world->state.particles; i++) {
        const struct sim_triple off = {(double)world->dx[i] * per_second - (double)velocity.x,
                                       (double)world->dy[i] * per_second - (double)velocity.y,
                                       (double)world->dz[i] * per_second - (double)velocity.z};
        most = fmax(most, length_of(off));
    }
    return most;
}

static struct sim_triple motion_of(const struct sim_measure *measure) {
    return (struct sim_triple){measure->momentum.x / measure->mass, measure->momentum.y / measure->mass,
                               measure->momentum.z / measure->mass};
}

static struct outcome run(const struct setting *setting) {
    struct sim_world *world = new_world();
    set_solver(world, setting->substeps, setting->iterations, 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_vacuum(world);
    make(world, setting->thing, setting->place);
    set_going(world, &setting->motion);
    const struct sim_measure before = sim_world_measure(world);
    double fastest = 0.0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
            world->object[i].still_ticks = 0; // else it would fall asleep, and be stopped
        }
        sim_world_step(world);
        fastest = fmax(fastest, speed_off(world, setting->motion.velocity));
    }
    const struct sim_measure after = sim_world_measure(world);
    const struct sim_triple from = motion_of(&before), to = motion_of(&after);
    const struct sim_triple off = {to.x - from.x, to.y - from.y, to.z - from.z};
    const struct outcome outcome = {
        .gained = setting->motion.spin > 0.0f ? length_of(off) : fmax(fastest, length_of(off)),
        .spin_before = length_of(before.angular_momentum),
        .spin_after = length_of(after.angular_momentum),
    };
    sim_world_destroy(world);
    return outcome;
}

// ---- tests -------------------------------------------------------------------------------------------------------

static void nothing_gains_speed_at_rest_or_under_way(void **state) {
    (void)state;
    bool all = true;
    for (unsigned thing = 0; thing < THINGS; thing++) {
        double gained[3] = {0}; // at rest, at 1 m/s, at 10 m/s
        for (unsigned i = 0; i < SOLVERS; i++) {
            struct setting setting = {
                .thing = (enum thing)thing, .place = far_out, .substeps = solver[i][0], .iterations = solver[i][1]};
            gained[0] = fmax(gained[0], run(&setting).gained);
            setting.motion.velocity = (struct vec3){-0.6f, 0.64f, -0.48f};
            gained[1] = fmax(gained[1], run(&setting).gained);
            setting.place = (struct vec3){-90.0f, 80.0f, -20.0f}; // from there through the planes x = 0 and z = 0
            setting.motion.velocity = (struct vec3){9.6f, -2.0f, 1.96f};
            gained[2] = fmax(gained[2], run(&setting).gained);
        }
        print_message("%s: gains %.1e m/s in 10 s at rest, %.1e at 1 m/s, %.1e at 10 m/s\n", about[thing].name,
                      gained[0], gained[1], gained[2]);
        all = all && gained[0] <= SPEED_GAINED && gained[1] <= SPEED_GAINED && gained[2] <= SPEED_GAINED;
    }
    assert_true(all);
}

static double spin_change(const struct setting *setting, double *gained) {
    const struct outcome outcome = run(setting);
    *gained = fmax(*gained, outcome.gained);
    return outcome.spin_after / outcome.spin_before - 1.0;
}

static void rounding_changes_no_spin(void **state) {
    (void)state;
    bool all = true;
    for (unsigned thing = 0; thing < THINGS; thing++) {
        double gained = 0.0, changed = 0.0, method = 0.0; // by rounding, by the method
        for (unsigned i = 0; i < SOLVERS; i++) {
            struct setting setting = {.thing = (enum thing)thing,
                                      .place = far_out,
                                      .substeps = solver[i][0],
                                      .iterations = solver[i][1],
                                      .motion = {.spin = 0.5f}};
            const double there = spin_change(&setting, &gained);
            setting.place = nearby;
            const double here = spin_change(&setting, &gained);
            const double own = about[thing].keeps_rotation ? 0.0 : here;
            changed = fmax(changed, fmax(fabs(there - own), fabs(here - own)));
            method = fmin(method, own);
        }
        print_message("%s at 0.5 rad/s: rounding changes its spin by %.1e of it in 10 s and its speed by %.1e m/s; the "
                      "method takes %.1e at most\n",
                      about[thing].name, changed, gained, -method);
        all = all && changed <= SPIN_CHANGED && gained <= SPEED_GAINED;
    }
    assert_true(all);
}

// A particle that goes less far in a substep than the next float32 coordinate lies away gets there all the same.
static void what_creeps_arrives(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_solver(world, 64, 1, 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    const uint32_t id = spawn_particle(world, far_out, (struct vec3){1e-3f, -1e-3f, 1e-3f}, 1.0f);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        world->object[0].still_ticks = 0;
        sim_world_step(world);
    }
    const struct vec3 at = position_of(world, id, 0);
    const double off = distance_of(at, (struct vec3){far_out.x + 0.01f, far_out.y - 0.01f, far_out.z + 0.01f});
    print_message("after 10 s at 1 mm/s along each axis, 90 m out: off by %.1e m\n", off);
    assert_true(off <= 1.2e-5); // half a unit of float32 coordinates along each axis, and that of what was expected
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_gains_speed_at_rest_or_under_way),
        cmocka_unit_test(rounding_changes_no_spin),
        cmocka_unit_test(what_creeps_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
