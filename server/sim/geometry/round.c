// SPDX-License-Identifier: MIT
// Mass properties of round solids (PHYSICS.md 6.9), and the vertices of cylinders.
//
// The surface of a hull that is rounded by a ball of radius r is v(d) + r·d over all directions d, with v(d) the vertex
// that lies farthest along d. Directions on a grid of an octahedron give a polyhedron. Its ball is larger by the factor
// that gives a lone ball its exact volume.
#include "sim/geometry/round.h"

#include <string.h>

#include "sim/geometry/point.h"

#define PI 3.14159265358979323846
#define GRID 16 // parts of an octahedron's edge; of even number, so that the axes and diagonals are directions

struct solid solid_of_capsule(double radius, double length) {
    const double barrel = PI * radius * radius * length;
    const double ball = 4.0 / 3.0 * PI * radius * radius * radius;
    struct solid made = {.volume = barrel + ball};
    const double across = barrel * radius * radius / 4.0 + ball * radius * radius / 5.0;
    const double along = barrel * length * length / 12.0 +
                         ball * (radius * radius / 5.0 + 3.0 * radius * length / 8.0 + length * length / 4.0);
    made.second[0][0] = made.second[2][2] = across / made.volume;
    made.second[1][1] = along / made.volume;
    return made;
}

struct solid solid_of_cylinder(double radius, double height) {
    struct solid made = {.volume = PI * radius * radius * height};
    made.second[0][0] = made.second[2][2] = radius * radius / 4.0;
    made.second[1][1] = height * height / 12.0;
    return made;
}

// ---- rounded hulls -----------------------------------------------------------------------------------------------

// The direction of a point (i, j, k) of an octant's grid, i + j + k = GRID, unit.
static struct point direction_of(uint32_t octant, int i, int j) {
    const int k = GRID - i - j;
    const struct point d = {(double)((octant & 1) != 0 ? -i : i), (double)((octant & 2) != 0 ? -j : j),
                            (double)((octant & 4) != 0 ? -k : k)};
    return point_scale(d, 1.0 / point_length(d));
}

// A hull, or a point where it is NULL, with a ball around it.
struct rounding {
    const float *points;
    const struct hull *hull;
    const float *origin;
    double radius;
    struct moments sum;
};

static void surface_point(const struct rounding *rounding, struct point d, double at[3]) {
    const double way[3] = {d.x, d.y, d.z};
    double core[3] = {0.0, 0.0, 0.0};
    double most = -1e300;
    for (uint32_t v = 0; rounding->hull != NULL && v < rounding->hull->vertices; v++) {
        const float *point = rounding->points + 3 * (size_t)rounding->hull->vertex[v];
        double along = 0.0;
        for (unsigned axis = 0; axis < 3; axis++) {
            along += way[axis] * (double)point[axis];
        }
        for (unsigned axis = 0; axis < 3 && along > most; axis++) {
            core[axis] = (double)point[axis] - (double)rounding->origin[axis];
        }
        most = along > most ? along : most;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        at[axis] = core[axis] + rounding->radius * way[axis];
    }
}

static void add_facet(struct rounding *rounding, uint32_t octant, const int at[3][2]) {
    const bool mirrored = ((octant & 1) != 0) ^ ((octant & 2) != 0) ^ ((octant & 4) != 0);
    double corner[3][3];
    for (unsigned k = 0; k < 3; k++) {
        surface_point(rounding, direction_of(octant, at[k][0], at[k][1]), corner[mirrored ? 2 - k : k]);
    }
    moments_add(&rounding->sum, corner);
}

static void add_surface(struct rounding *rounding) {
    for (uint32_t octant = 0; octant < 8; octant++) {
        for (int i = 0; i < GRID; i++) {
            for (int j = 0; j < GRID - i; j++) {
                const int up[3][2] = {{i, j}, {i + 1, j}, {i, j + 1}};
                const int down[3][2] = {{i + 1, j}, {i + 1, j + 1}, {i, j + 1}};
                add_facet(rounding, octant, up);
                if (i + j + 1 < GRID) {
                    add_facet(rounding, octant, down);
                }
            }
        }
    }
}

// The factor by which a polyhedron's ball has to be larger for the volume of a ball: a cubic root, by Newton's method.
static double ball_scale(void) {
    struct rounding unit = {.radius = 1.0};
    add_surface(&unit);
    const double wanted = 4.0 / 3.0 * PI / unit.sum.volume;
    double scale = 1.0;
    for (unsigned round = 0; round < 4; round++) {
        scale -= (scale * scale * scale - wanted) / (3.0 * scale * scale);
    }
    return scale;
}

struct solid solid_of_rounded(const float *points, const struct hull *hull, double radius) {
    const float *origin = points + 3 * (size_t)hull->vertex[0];
    struct rounding rounding = {.points = points, .hull = hull, .origin = origin, .radius = radius * ball_scale()};
    add_surface(&rounding);
    return moments_solid(&rounding.sum, origin);
}

void solid_place(struct solid *solid, double column[3][3], const double shift[3]) {
    const struct solid from = *solid;
    for (unsigned i = 0; i < 3; i++) {
        solid->centre[i] = shift[i];
        for (unsigned k = 0; k < 3; k++) {
            solid->centre[i] += column[k][i] * from.centre[k];
        }
    }
    for (unsigned place = 0; place < 9; place++) {
        const unsigned i = place / 3;
        const unsigned j = place % 3;
        solid->second[i][j] = 0.0;
        for (unsigned term = 0; term < 9; term++) {
            solid->second[i][j] += column[term / 3][i] * from.second[term / 3][term % 3] * column[term % 3][j];
        }
    }
}

// ---- cylinders ---------------------------------------------------------------------------------------------------

double ring_cosine(uint32_t k) {
    static const double quarter[RING_SIDES / 4 + 1] = {1.0,
                                                       0.98078528040323044913,
                                                       0.92387953251128675613,
                                                       0.83146961230254523708,
                                                       0.70710678118654752440,
                                                       0.55557023301960222474,
                                                       0.38268343236508977173,
                                                       0.19509032201612826785,
                                                       0.0};
    const uint32_t half = RING_SIDES / 2;
    uint32_t at = k % RING_SIDES;
    at = at > half ? RING_SIDES - at : at;
    return at > half / 2 ? -quarter[half - at] : quarter[at];
}

void ring_points(double radius, double height, float points[2 * RING_SIDES][3]) {
    for (uint32_t i = 0; i < 2 * RING_SIDES; i++) {
        const uint32_t k = i % RING_SIDES;
        points[i][0] = (float)(radius * ring_cosine(k));
        points[i][1] = (float)(i < RING_SIDES ? -0.5 * height : 0.5 * height);
        points[i][2] = (float)(radius * ring_cosine(k + 3 * RING_SIDES / 4));
    }
}

void ring_triangles(uint32_t triangle[RING_TRIANGLES][3]) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < RING_SIDES; k++) {
        const uint32_t next = (k + 1) % RING_SIDES;
        const uint32_t lower[3] = {k, k + RING_SIDES, next};
        const uint32_t upper[3] = {next, k + RING_SIDES, next + RING_SIDES};
        memcpy(triangle[count++], lower, sizeof lower);
        memcpy(triangle[count++], upper, sizeof upper);
    }
    for (uint32_t k = 1; k + 1 < RING_SIDES; k++) {
        const uint32_t bottom[3] = {0, k, k + 1};
        const uint32_t top[3] = {RING_SIDES, RING_SIDES + k + 1, RING_SIDES + k};
        memcpy(triangle[count++], bottom, sizeof bottom);
        memcpy(triangle[count++], top, sizeof top);
    }
}
