// SPDX-License-Identifier: MIT
// Convex hulls and mass properties (server/sim/PHYSICS.md 6.4), against what is known or computed in another way.
#include "sim_fixture.h"

#include "sim/geometry/hull.h"
#include "sim/geometry/mass.h"

#include <string.h>

struct sample {
    float point[HULL_POINTS_MAX][3];
    uint32_t count;
};

static struct sample cube_corners(void) {
    struct sample sample = {.count = 8};
    for (unsigned i = 0; i < 24; i++) {
        sample.point[i / 3][i % 3] = (i / 3 >> i % 3 & 1u) != 0 ? 1.0f : -1.0f;
    }
    return sample;
}

static void add_point(struct sample *sample, float x, float y, float z) {
    const float point[3] = {x, y, z};
    memcpy(sample->point[sample->count], point, sizeof point);
    sample->count++;
}

static struct hull built(const struct sample *sample) {
    struct hull hull;
    assert_true(hull_build(sample->point[0], sample->count, &hull));
    return hull;
}

// Closed, with outward faces: Euler's formula, every edge once in each direction, no point outside.
static void assert_is_hull_of(const struct hull *hull, const struct sample *sample, double tolerance) {
    assert_int_equal(hull->triangles, 2 * hull->vertices - 4);
    for (uint32_t i = 0; i < hull->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            unsigned partners = 0;
            for (uint32_t j = 0; j < 3 * hull->triangles; j++) {
                const uint32_t *other = hull->triangle[j / 3];
                partners += other[j % 3] == hull->triangle[i][(k + 1) % 3] && other[(j + 1) % 3] == hull->triangle[i][k]
                                ? 1
                                : 0;
            }
            assert_int_equal(partners, 1);
        }
        double corner[3][3];
        for (unsigned k = 0; k < 9; k++) {
            corner[k / 3][k % 3] = (double)sample->point[hull->vertex[hull->triangle[i][k / 3]]][k % 3];
        }
        double n[3];
        for (unsigned k = 0; k < 3; k++) {
            const unsigned a = (k + 1) % 3;
            const unsigned b = (k + 2) % 3;
            n[k] = (corner[1][a] - corner[0][a]) * (corner[2][b] - corner[0][b]) -
                   (corner[1][b] - corner[0][b]) * (corner[2][a] - corner[0][a]);
        }
        const double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        assert_true(area > 0.0);
        for (uint32_t j = 0; j < sample->count; j++) {
            double height = 0.0;
            for (unsigned k = 0; k < 3; k++) {
                height += n[k] / area * ((double)sample->point[j][k] - corner[0][k]);
            }
            assert_true(height < tolerance);
        }
    }
    uint32_t corners = 0;
    for (uint32_t i = 0; i < hull->faces; i++) {
        assert_true(hull->face_end[i] >= corners + 3);
        corners = hull->face_end[i];
    }
    assert_int_equal(corners, hull->corners);
}

static void a_cube_has_8_vertices_12_triangles_and_6_faces(void **state) {
    (void)state;
    const struct sample cube = cube_corners();
    const struct hull hull = built(&cube);
    assert_is_hull_of(&hull, &cube, 1e-9);
    assert_int_equal(hull.vertices, 8);
    assert_int_equal(hull.triangles, 12);
    assert_int_equal(hull.faces, 6);
    assert_int_equal(hull.corners, 24);
}

static void points_within_on_faces_and_doubled_change_no_cube(void **state) {
    (void)state;
    struct sample cube = cube_corners();
    for (unsigned i = 0; i < 8; i++) {
        add_point(&cube, cube.point[i][0], cube.point[i][1], cube.point[i][2]);
        add_point(&cube, 0.3f * cube.point[i][0], 0.4f * cube.point[i][1], -1.0f);
        add_point(&cube, 0.5f * cube.point[i][0], 0.1f * cube.point[i][1], 0.2f * cube.point[i][2]);
    }
    const struct hull hull = built(&cube);
    assert_is_hull_of(&hull, &cube, 1e-9);
    assert_int_equal(hull.vertices, 8);
    assert_int_equal(hull.faces, 6);
}

static void random_points_have_a_closed_convex_hull_with_none_outside(void **state) {
    (void)state;
    uint64_t seed = new_seed("random_points_have_a_closed_convex_hull_with_none_outside");
    for (unsigned round = 0; round < 60; round++) {
        struct sample sample = {.count = 4 + random_below(&seed, HULL_POINTS_MAX - 3)};
        const bool coarse = round % 3 == 0; // many points in common planes and lines
        for (uint32_t i = 0; i < sample.count; i++) {
            const struct vec3 at = random_point(&seed, 1.0f);
            const float length = sqrtf(at.x * at.x + at.y * at.y + at.z * at.z);
            const float scale = round % 3 == 1 ? 1.0f / length : 1.0f; // on a sphere: every point is a vertex
            sample.point[i][0] = coarse ? roundf(2.0f * at.x) : scale * at.x;
            sample.point[i][1] = coarse ? roundf(2.0f * at.y) : scale * at.y;
            sample.point[i][2] = coarse ? roundf(2.0f * at.z) : scale * at.z;
        }
        struct hull hull;
        if (hull_build(sample.point[0], sample.count, &hull)) {
            assert_is_hull_of(&hull, &sample, 2e-4);
        } else {
            assert_true(coarse);
        }
    }
}

static void points_in_a_plane_on_a_line_or_all_alike_have_no_hull(void **state) {
    (void)state;
    struct hull hull;
    struct sample flat = {0};
    for (unsigned i = 0; i < 20; i++) {
        add_point(&flat, (float)(i % 5), (float)(i / 5), 0.5f * (float)(i % 5) - (float)(i / 5));
    }
    assert_false(hull_build(flat.point[0], flat.count, &hull));
    assert_false(hull_build(flat.point[0], 5, &hull));
    struct sample alike = {0};
    for (unsigned i = 0; i < 4; i++) {
        add_point(&alike, 3.0f, 2.0f, 1.0f);
    }
    assert_false(hull_build(alike.point[0], 4, &hull));
}

static void a_box_and_an_octahedron_have_the_moments_of_the_textbook(void **state) {
    (void)state;
    struct sample box = cube_corners();
    for (uint32_t i = 0; i < 8; i++) {
        box.point[i][0] = 5.0f + 0.5f * box.point[i][0];
        box.point[i][1] *= 1.5f;
    }
    struct hull hull = built(&box);
    struct mass_properties mass = mass_of_hull(box.point[0], &hull);
    assert_true(fabs(mass.volume - 1.0 * 3.0 * 2.0) < 1e-12);
    assert_true(fabs(mass.centre[0] - 5.0) < 1e-12);
    const double sides[3] = {3.0, 2.0, 1.0}; // longest first
    for (unsigned i = 0; i < 3; i++) {
        assert_true(fabs(mass.spread[i] - sides[i] / sqrt(12.0)) < 1e-12);
    }
    struct sample octahedron = {0};
    for (unsigned i = 0; i < 6; i++) {
        const float sign = i % 2 == 0 ? 1.0f : -1.0f;
        add_point(&octahedron, i / 2 == 0 ? sign : 0.0f, i / 2 == 1 ? sign : 0.0f, i / 2 == 2 ? sign : 0.0f);
    }
    hull = built(&octahedron);
    mass = mass_of_hull(octahedron.point[0], &hull);
    assert_int_equal(hull.faces, 8);
    assert_true(fabs(mass.volume - 4.0 / 3.0) < 1e-12);
    assert_true(fabs(mass.spread[2] - sqrt(0.1)) < 1e-12); // I = M·r²/5 about each axis
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_has_8_vertices_12_triangles_and_6_faces),
        cmocka_unit_test(points_within_on_faces_and_doubled_change_no_cube),
        cmocka_unit_test(random_points_have_a_closed_convex_hull_with_none_outside),
        cmocka_unit_test(points_in_a_plane_on_a_line_or_all_alike_have_no_hull),
        cmocka_unit_test(a_box_and_an_octahedron_have_the_moments_of_the_textbook),
    };
    return cmocka_run_group_tests_name("hull", tests, NULL, NULL);
}
