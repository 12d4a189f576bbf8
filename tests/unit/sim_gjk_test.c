// SPDX-License-Identifier: MIT
// The convex narrow phase against libccd (D. Fiser), an independent implementation of the same questions.
#include "sim_fixture.h"

#include <ccd/ccd.h>
#include <string.h>

#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/collide_patch.h"
#include "sim/geometry/hull.h"
#include "sim/geometry/penetration.h"

// A hull, for both.
struct solid {
    struct point vertex[HULL_POINTS_MAX];
    uint32_t triangle[3 * HULL_TRIANGLES_MAX];
    struct convex convex;
};

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *vertex) {
    const struct solid *solid = object;
    const struct point way = {(double)ccdVec3X(direction), (double)ccdVec3Y(direction), (double)ccdVec3Z(direction)};
    uint32_t best = 0;
    for (uint32_t i = 1; i < solid->convex.vertices; i++) {
        best = point_dot(solid->vertex[i], way) > point_dot(solid->vertex[best], way) ? i : best;
    }
    const struct point at = solid->vertex[best];
    ccdVec3Set(vertex, (ccd_real_t)at.x, (ccd_real_t)at.y, (ccd_real_t)at.z);
}

static ccd_t oracle(void) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.max_iterations = 500;
    ccd.epa_tolerance = (ccd_real_t)1e-6;
    return ccd;
}

static void random_solid(struct solid *solid, uint64_t *seed, struct vec3 place) {
    float points[HULL_POINTS_MAX][3];
    struct hull hull;
    do {
        const uint32_t count = random_below(seed, 4) == 0 ? 4 : 4 + random_below(seed, 60);
        const struct vec3 size = {random_between(seed, 0.1f, 1.0f), random_between(seed, 0.1f, 1.0f),
                                  random_between(seed, 0.1f, 1.0f)};
        for (uint32_t i = 0; i < count; i++) {
            const struct vec3 at = random_point(seed, 1.0f);
            points[i][0] = place.x + size.x * at.x;
            points[i][1] = place.y + size.y * at.y;
            points[i][2] = place.z + size.z * at.z;
        }
        if (!hull_build(points[0], count, &hull)) {
            hull.vertices = 0;
        }
    } while (hull.vertices == 0);
    for (uint32_t i = 0; i < hull.vertices; i++) {
        const float *at = points[hull.vertex[i]];
        solid->vertex[i] = (struct point){(double)at[0], (double)at[1], (double)at[2]};
    }
    memcpy(solid->triangle, hull.triangle, sizeof solid->triangle);
    solid->convex = (struct convex){solid->vertex, solid->triangle, hull.vertices, hull.triangles};
}

// How far the shapes reach past one another along the normal: the depth that direction has.
static double depth_along(const struct solid *a, const struct solid *b, struct point normal) {
    double low = 1e30;
    double high = -1e30;
    for (uint32_t i = 0; i < a->convex.vertices; i++) {
        low = fmin(low, point_dot(a->vertex[i], normal));
    }
    for (uint32_t i = 0; i < b->convex.vertices; i++) {
        high = fmax(high, point_dot(b->vertex[i], normal));
    }
    return high - low;
}

static void ten_thousand_random_pairs_meet_or_not_as_libccd_says(void **state) {
    (void)state;
    uint64_t seed = new_seed("ten_thousand_random_pairs_meet_or_not_as_libccd_says");
    const ccd_t ccd = oracle();
    unsigned apart = 0;
    unsigned meeting = 0;
    for (unsigned round = 0; round < 10000; round++) {
        struct solid a;
        struct solid b;
        random_solid(&a, &seed, (struct vec3){0.0f, 0.0f, 0.0f});
        random_solid(&b, &seed, random_point(&seed, 0.9f));
        const struct separation found = collide_distance(&a.convex, &b.convex);
        struct penetration deep;
        assert_true(penetration_find(&a.convex, &b.convex, &deep));
        const double touching = fmax(found.distance, fabs(deep.depth));
        if (touching < 1e-4) {
            continue;
        }
        const bool theirs = ccdGJKIntersect(&a, &b, &ccd) != 0;
        assert_int_equal(found.distance == 0.0, theirs);
        assert_int_equal(deep.depth > 0.0, theirs);
        apart += theirs ? 0 : 1;
        meeting += theirs ? 1 : 0;
        if (!theirs) { // the direction is one that separates, and by the distance
            assert_true(fabs(depth_along(&a, &b, found.normal) + found.distance) < 1e-6);
        }
    }
    print_message("%u pairs apart, %u meeting\n", apart, meeting);
    assert_true(apart > 2000 && meeting > 2000);
}

static void the_depth_of_random_pairs_is_that_of_libccd_or_less(void **state) {
    (void)state;
    uint64_t seed = new_seed("the_depth_of_random_pairs_is_that_of_libccd_or_less");
    const ccd_t ccd = oracle();
    unsigned compared = 0;
    unsigned untrue = 0;
    double worst = 0.0;
    double shallower = 0.0;
    for (unsigned round = 0; round < 4000; round++) {
        struct solid a;
        struct solid b;
        ccd_real_t depth;
        ccd_vec3_t way;
        ccd_vec3_t where;
        random_solid(&a, &seed, (struct vec3){0.0f, 0.0f, 0.0f});
        random_solid(&b, &seed, random_point(&seed, 1.0f));
        if (ccdGJKPenetration(&a, &b, &ccd, &depth, &way, &where) != 0 || depth < (ccd_real_t)1e-4) {
            continue;
        }
        // Its search sometimes ends early, with a depth that does not part the shapes along its direction.
        const struct point its = {(double)ccdVec3X(&way), (double)ccdVec3Y(&way), (double)ccdVec3Z(&way)};
        const double needed = fmin(depth_along(&a, &b, its), depth_along(&a, &b, point_scale(its, -1.0)));
        if (needed > (double)depth + 1e-5) {
            untrue++;
            continue;
        }
        struct penetration deep;
        assert_true(penetration_find(&a.convex, &b.convex, &deep));
        // What is claimed is true whatever the oracle says: along the normal they part at this depth.
        assert_true(fabs(depth_along(&a, &b, deep.normal) - deep.depth) < 1e-6);
        const struct point pa = point_mix(&deep.a, a.vertex);
        const struct point pb = point_mix(&deep.b, b.vertex);
        assert_true(point_length(point_sub(point_add(pa, point_scale(deep.normal, deep.depth)), pb)) < 1e-5);
        worst = fmax(worst, deep.depth - (double)depth);
        shallower = fmax(shallower, (double)depth - deep.depth);
        compared++;
    }
    print_message("%u pairs: deeper than libccd by up to %.1e m, shallower by up to %.1e m; %u depths not true\n",
                  compared, worst, shallower, untrue);
    assert_true(compared > 1000);
    assert_true(worst < 1e-5);
    assert_true(untrue < compared / 20);
}

static void a_face_on_a_face_meets_in_four_points(void **state) {
    (void)state;
    struct solid box[2];
    for (unsigned k = 0; k < 2; k++) {
        float points[8][3];
        struct hull hull;
        for (unsigned i = 0; i < 24; i++) {
            points[i / 3][i % 3] = (i / 3 >> i % 3 & 1u) != 0 ? 0.5f : -0.5f;
            points[i / 3][i % 3] += k == 1 && i % 3 == 1 ? 0.999f : k == 1 && i % 3 == 0 ? 0.2f : 0.0f;
        }
        assert_true(hull_build(points[0], 8, &hull));
        for (uint32_t i = 0; i < 8; i++) {
            const float *at = points[hull.vertex[i]];
            box[k].vertex[i] = (struct point){(double)at[0], (double)at[1], (double)at[2]};
        }
        memcpy(box[k].triangle, hull.triangle, sizeof hull.triangle);
        box[k].convex = (struct convex){box[k].vertex, box[k].triangle, 8, 12};
    }
    struct penetration deep;
    assert_true(penetration_find(&box[1].convex, &box[0].convex, &deep));
    assert_true(fabs(deep.depth - 0.001) < 1e-6);
    assert_true(fabs(deep.normal.y - 1.0) < 1e-9);
    struct patch_point patch[COLLIDE_PATCH_MAX];
    assert_int_equal(collide_patch(&box[1].convex, &box[0].convex, deep.normal, patch), 4);
    double area = 0.0; // the four span the 0.8 m × 1 m that they share
    for (unsigned i = 0; i < 4; i++) {
        const struct point p = point_mix(&patch[i].a, box[1].vertex);
        assert_true(fabs(patch[i].gap + 0.001) < 1e-6);
        area += fabs(p.x - 0.1) * fabs(p.z);
    }
    assert_true(fabs(area - 0.8) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_random_pairs_meet_or_not_as_libccd_says),
        cmocka_unit_test(the_depth_of_random_pairs_is_that_of_libccd_or_less),
        cmocka_unit_test(a_face_on_a_face_meets_in_four_points),
    };
    return cmocka_run_group_tests_name("gjk", tests, NULL, NULL);
}
