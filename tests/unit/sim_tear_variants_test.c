// SPDX-License-Identifier: MIT
// Tearing of everything that can be torn: lattices, meshes of any kind, with bending sticks, tethers and pins.
#include "sim_torn.h"

#define TEARS 200
#define TORN_MAX 4000u // ticks until that many have torn
#define POSITIONS_MAX 3000u
#define CORNERS_MAX 6000u

// ---- meshes ------------------------------------------------------------------------------------------------------

struct plan {
    float positions[POSITIONS_MAX];
    uint32_t triangles[CORNERS_MAX];
    uint32_t particles, triangle_count;
};

static uint32_t add_corner(struct plan *plan, float x, float y, float z) {
    assert_true(3 * plan->particles + 3 <= POSITIONS_MAX);
    float *p = plan->positions + 3 * (size_t)plan->particles;
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return plan->particles++;
}

static void add_triangle(struct plan *plan, uint32_t a, uint32_t b, uint32_t c) {
    assert_true(3 * plan->triangle_count + 3 <= CORNERS_MAX);
    uint32_t *corner = plan->triangles + 3 * (size_t)plan->triangle_count;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    plan->triangle_count++;
}

static void add_quad(struct plan *plan, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool turned) {
    add_triangle(plan, a, b, turned ? d : c);
    add_triangle(plan, turned ? b : a, c, d);
}

// Corners that do not lie in rows, diagonals either way, triangles that face either way.
static void plan_uneven(struct plan *plan, uint64_t *seed) {
    for (uint32_t i = 0; i < 400; i++) {
        const float x = (float)(i % 20) + random_between(seed, -0.3f, 0.3f);
        const uint32_t row = i / 20;
        const float y = (float)row + random_between(seed, -0.3f, 0.3f);
        add_corner(plan, 0.1f * x, -0.1f * y, random_between(seed, -0.02f, 0.02f));
    }
    for (uint32_t i = 0; i < 380; i++) {
        if (i % 20 < 19) {
            add_quad(plan, i, i + 1, i + 21, i + 20, random_below(seed, 2) == 0);
        }
    }
    for (uint32_t i = 0; i < plan->triangle_count; i++) {
        uint32_t *corner = plan->triangles + 3 * (size_t)i;
        if (random_below(seed, 2) == 0) {
            const uint32_t first = corner[0];
            corner[0] = corner[1];
            corner[1] = first;
        }
    }
}

// Five sheets that share one edge: its sticks have five triangles each.
static void plan_fins(struct plan *plan, uint64_t *seed) {
    const float jagged = random_between(seed, 0.0f, 0.02f);
    static const float way[5][2] = {{1.0f, 0.0f}, {0.31f, 0.95f}, {-0.81f, 0.59f}, {-0.81f, -0.59f}, {0.31f, -0.95f}};
    for (uint32_t i = 0; i < 12; i++) {
        add_corner(plan, i % 2 == 0 ? jagged : 0.0f, -0.1f * (float)i, 0.0f);
    }
    for (uint32_t fin = 0; fin < 5; fin++) {
        uint32_t before = 0;
        for (uint32_t column = 1; column < 7; column++) {
            const uint32_t first = plan->particles;
            const float out = 0.1f * (float)column;
            for (uint32_t i = 0; i < 12; i++) {
                add_corner(plan, out * way[fin][0], -0.1f * (float)i, out * way[fin][1]);
            }
            for (uint32_t i = 0; i < 11; i++) {
                add_quad(plan, before + i, first + i, first + i + 1, before + i + 1, (i + column) % 2 == 0);
            }
            before = first;
        }
    }
}

// A surface without a rim.
static void plan_ring(struct plan *plan, uint64_t *seed) {
    const double wide = (double)random_between(seed, 0.9f, 1.1f);
    for (uint32_t i = 0; i < 24 * 12; i++) {
        const uint32_t station = i / 12;
        const double round = 2.0 * 3.14159265 * (double)station / 24.0;
        const double across = 2.0 * 3.14159265 * (double)(i % 12) / 12.0;
        const double out = wide + 0.4 * cos(across);
        add_corner(plan, (float)(out * cos(round)), (float)(0.4 * sin(across)), (float)(out * sin(round)));
    }
    for (uint32_t i = 0; i < 24; i++) {
        for (uint32_t k = 0; k < 12; k++) {
            const uint32_t next = 12 * ((i + 1) % 24);
            const uint32_t beside = (k + 1) % 12;
            add_quad(plan, 12 * i + k, next + k, next + beside, 12 * i + beside, false);
        }
    }
}

// A hub in which more triangles meet than can be parted, with two rings around it; jagged, for in one plane the strain
// of a tick can lay the corners of its slender triangles on one line.
static void plan_wheel(struct plan *plan, uint64_t *seed) {
    add_corner(plan, 0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < 300; i++) {
        const double angle = 2.0 * 3.14159265 * (double)(i % 100) / 100.0;
        const uint32_t circle = i / 100;
        const double out = 2.0 + 0.15 * (double)circle;
        add_corner(plan, (float)(out * cos(angle)), (float)(out * sin(angle)), random_between(seed, -0.1f, 0.1f));
    }
    for (uint32_t i = 0; i < 100; i++) {
        const uint32_t beside = (i + 1) % 100;
        add_triangle(plan, 0, 1 + i, 1 + beside);
        add_quad(plan, 1 + i, 101 + i, 101 + beside, 1 + beside, i % 2 == 0);
        add_quad(plan, 101 + i, 201 + i, 201 + beside, 101 + beside, i % 2 == 1);
    }
}

// ---- variants ----------------------------------------------------------------------------------------------------

struct variant {
    const char *name;
    void (*plan)(struct plan *, uint64_t *); // NULL: a lattice
    enum sim_lattice lattice;
    bool bend, tethers, self_collision;
    enum sim_pin_preset pins;
    bool pinned_edges; // of a mesh: its first twelve particles
};

static uint32_t spawn(struct sim_world *world, const struct variant *variant, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    uint32_t pins[12];
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    struct sim_sheet_desc *sheet = &cloth.sheet;
    cloth.columns = 20;
    cloth.rows = 20;
    cloth.lattice = variant->lattice;
    sheet->tear = 1.3f;
    sheet->bend = variant->bend;
    sheet->bend_compliance = variant->bend ? 0.01f : 0.0f;
    sheet->tethers = variant->tethers;
    sheet->self_collision = variant->self_collision;
    sheet->thickness = variant->self_collision ? 0.01f : sheet->thickness;
    sheet->pins.preset = variant->pins;
    if (variant->pinned_edges) {
        for (uint32_t i = 0; i < 12; i++) {
            pins[i] = i;
        }
        sheet->pins = (struct sim_pins){.preset = SIM_PIN_LIST, .indices = pins, .count = 12};
    }
    if (variant->plan == NULL) {
        MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
        return id;
    }
    static struct plan plan;
    plan.particles = 0;
    plan.triangle_count = 0;
    variant->plan(&plan, seed);
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = plan.positions;
    mesh.particles = plan.particles;
    mesh.triangles = plan.triangles;
    mesh.triangle_count = plan.triangle_count;
    const float density = mesh.sheet.areal_density;
    mesh.sheet = *sheet;
    mesh.sheet.areal_density = density;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

// ---- what a tear must leave --------------------------------------------------------------------------------------

// A particle stands for one of the particles there were, and no two triangles meet in an edge that did not before: the
// mesh is a manifold wherever it was one.
static void check_corners(const struct sim_world *world, const struct object *object, const uint32_t *before) {
    static uint32_t origin[PARTICLES_MAX];
    memset(origin, 0xff, sizeof origin);
    for (uint32_t i = 0; i < 3 * object->triangles; i++) {
        const uint32_t corner = corners_of(world, object, 0)[i];
        assert_true(origin[corner] == UINT32_MAX || origin[corner] == before[i]);
        origin[corner] = before[i];
    }
}

// The shortest ways to a pin, found by looking at every stick until nothing changes.
static void check_tethers(const struct sim_world *world, const struct object *object) {
    if (!object->tethers) {
        return;
    }
    static uint32_t anchor[PARTICLES_MAX];
    static int64_t length[PARTICLES_MAX];
    for (uint32_t i = 0; i < object->particles; i++) {
        const bool pinned = sim_particle_is_pinned(world, object->first + i);
        anchor[i] = pinned ? i : TETHER_NONE;
        length[i] = pinned ? 0 : INT64_MAX / 2;
    }
    for (bool changed = true; changed;) {
        changed = false;
        uint32_t stick = 0;
        for (uint32_t c = 0; c < object->colours; c++) {
            const bool bends = (world->colour_class[object->first_colour + c] & COLOUR_BEND) != 0;
            for (; stick < world->colour_end[object->first_colour + c]; stick++) {
                for (unsigned side = 0; side < 2 && !bends; side++) {
                    const uint32_t a = world->stick_a[stick];
                    const uint32_t b = world->stick_b[stick];
                    const uint32_t from = side == 0 ? a : b;
                    const uint32_t to = side == 0 ? b : a;
                    const int64_t way = length[from] + (int64_t)(world->stick_rest[stick] * 0x1p36f);
                    if (anchor[from] != TETHER_NONE &&
                        (way < length[to] || (way == length[to] && anchor[from] < anchor[to]))) {
                        length[to] = way;
                        anchor[to] = anchor[from];
                        changed = true;
                    }
                }
            }
        }
    }
    for (uint32_t i = 0; i < object->particles; i++) {
        assert_true(world->tether_anchor[object->first + i] == anchor[i]);
        assert_true(anchor[i] == TETHER_NONE || world->tether_way[object->first + i] == length[i]);
    }
}

// ---- tests -------------------------------------------------------------------------------------------------------

// Two hundred tears; the hash at the end. With `interrupted`, every few ticks are taken back and made again.
static uint64_t tear_apart(const struct variant *variant, uint64_t seed, bool interrupted) {
    static uint32_t before[CORNERS_MAX];
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 1, 1, 0.5f);
    const uint32_t id = spawn(world, variant, &seed);
    const struct object *object = &world->object[0];
    const double mass = mass_of(world, object);
    const uint32_t pins = object->pins;
    assert_true(3 * object->triangles <= CORNERS_MAX);
    memcpy(before, corners_of(world, object, 0), 3 * object->triangles * sizeof *before);
    check_mesh(world, object);
    uint32_t torn = 0;
    for (unsigned tick = 0; torn < TEARS; tick++) {
        assert_true(tick < TORN_MAX);
        if (interrupted && tick % 16 == 15) {
            struct sim_snapshot *snapshot = NULL;
            uint64_t other = seed;
            assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
            strain(world, &other, id);
            strain(world, &other, id);
            sim_world_restore(world, snapshot);
            sim_snapshot_destroy(snapshot);
        }
        const struct nails nails = drive_nails(world, &seed, id);
        sim_world_step(world);
        torn += torn_in_last_tick(world);
        if (!interrupted) {
            check_mesh(world, object);
            check_corners(world, object, before);
            check_tethers(world, object);
        }
        draw_nails(world, id, &nails);
        assert_int_equal(object->pins, pins);
    }
    const double off = fabs(mass_of(world, object) / mass - 1.0);
    if (!interrupted) {
        print_message("%s: %u tears, %u particles in %u pieces, mass off by %.1e\n", variant->name, torn,
                      object->particles, pieces_of(world, object, false), off);
    }
    assert_true(off < 1e-6);
    assert_int_equal(pieces_of(world, object, true), pieces_of(world, object, false));
    const uint64_t hash = sim_world_hash(world);
    sim_world_destroy(world);
    return hash;
}

static void two_hundred_random_tears_leave_a_mesh_of_any_kind(void **state) {
    (void)state;
    static const struct variant variants[] = {
        {"hex", NULL, SIM_LATTICE_HEX, false, true, false, SIM_PIN_TOP_CORNERS, false},
        {"hex that bends, on a pinned edge", NULL, SIM_LATTICE_HEX, true, true, false, SIM_PIN_TOP_EDGE, false},
        {"grid that bends, on a pinned edge", NULL, SIM_LATTICE_GRID, true, true, false, SIM_PIN_TOP_EDGE, false},
        {"grid that collides with itself", NULL, SIM_LATTICE_GRID, false, true, true, SIM_PIN_TOP_CORNERS, false},
        {"uneven mesh", plan_uneven, 0, false, false, false, SIM_PIN_NONE, false},
        {"uneven mesh that bends, pinned", plan_uneven, 0, true, true, false, SIM_PIN_NONE, true},
        {"five sheets on an edge", plan_fins, 0, false, false, false, SIM_PIN_NONE, false},
        {"five sheets that bend on a pinned edge", plan_fins, 0, true, true, false, SIM_PIN_NONE, true},
        {"ring", plan_ring, 0, true, true, false, SIM_PIN_NONE, true},
        {"wheel", plan_wheel, 0, true, true, false, SIM_PIN_NONE, true},
    };
    const uint64_t seed = new_seed(__func__);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        const uint64_t hash = tear_apart(&variants[i], seed, false);
        assert_true(tear_apart(&variants[i], seed, true) == hash);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_hundred_random_tears_leave_a_mesh_of_any_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
