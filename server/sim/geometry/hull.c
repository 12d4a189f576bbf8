// SPDX-License-Identifier: MIT
// The convex hull, built incrementally: each point in turn removes the triangles that see it and closes the hole with a
// cone.
//
// Points are rounded to a grid of 2^19 steps across their extent, so that the determinant that decides on which side of
// a triangle a point lies fits 64-bit integers and is exact. A point in a triangle's plane does not see the triangle:
// no triangle without area can arise, because a cone over an edge of a visible triangle is never flat.
#include "sim/geometry/hull.h"

#include <math.h>
#include <string.h>

#define GRID_STEPS 524288.0 // 2^19: a determinant of differences stays below 2^60
#define PLANE_SHARE 1e-5    // share of the extent: triangles whose corners deviate less lie in one plane
#define FLAT_TOLERANCES 8.0 // a hull thinner than this many of these deviations is flat

struct lattice_point {
    int64_t x, y, z;
};

struct builder {
    struct lattice_point point[HULL_POINTS_MAX];
    uint32_t triangles;
    uint32_t triangle[HULL_TRIANGLES_MAX][3];             // indices of `point`
    uint64_t seen[HULL_POINTS_MAX][HULL_POINTS_MAX / 64]; // directed edges of triangles that will be removed
};

// ---- the grid ----------------------------------------------------------------------------------------------------

static double extent_of(const float *points, uint32_t count) {
    double extent = 0.0;
    for (unsigned axis = 0; axis < 3; axis++) {
        float low = points[axis];
        float high = points[axis];
        for (uint32_t i = 1; i < count; i++) {
            const float value = points[3 * i + axis];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        const double reach = (double)high - (double)low;
        extent = reach > extent ? reach : extent;
    }
    return extent;
}

static int64_t to_grid(float value, float origin, double steps) {
    const double scaled = ((double)value - (double)origin) * steps;
    return (int64_t)(scaled < 0.0 ? scaled - 0.5 : scaled + 0.5);
}

static struct lattice_point minus(struct lattice_point a, struct lattice_point b) {
    return (struct lattice_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static struct lattice_point cross(struct lattice_point a, struct lattice_point b) {
    return (struct lattice_point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static bool is_zero(struct lattice_point a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

// > 0 where `p` lies on the outer side of the triangle.
static int64_t side(const struct builder *build, const uint32_t triangle[3], uint32_t p) {
    const struct lattice_point origin = build->point[triangle[0]];
    const struct lattice_point normal =
        cross(minus(build->point[triangle[1]], origin), minus(build->point[triangle[2]], origin));
    const struct lattice_point to = minus(build->point[p], origin);
    return normal.x * to.x + normal.y * to.y + normal.z * to.z;
}

// ---- building ----------------------------------------------------------------------------------------------------

static void add_triangle(struct builder *build, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *triangle = build->triangle[build->triangles];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    build->triangles++;
}

// Finds the first four points that span space.
static bool start(struct builder *build, uint32_t count) {
    uint32_t b = 1;
    while (b < count && is_zero(minus(build->point[b], build->point[0]))) {
        b++;
    }
    uint32_t c = b + 1;
    while (c < count &&
           is_zero(cross(minus(build->point[b], build->point[0]), minus(build->point[c], build->point[0])))) {
        c++;
    }
    uint32_t d = c + 1;
    while (d < count && side(build, (uint32_t[3]){0, b, c}, d) == 0) {
        d++;
    }
    if (d >= count) {
        return false;
    }
    if (side(build, (uint32_t[3]){0, b, c}, d) > 0) {
        const uint32_t other = b;
        b = c;
        c = other;
    }
    add_triangle(build, 0, b, c);
    add_triangle(build, 0, d, b);
    add_triangle(build, b, d, c);
    add_triangle(build, c, d, 0);
    return true;
}

static void mark(struct builder *build, const uint32_t triangle[3], bool seen) {
    for (unsigned k = 0; k < 3; k++) {
        uint64_t *word = &build->seen[triangle[k]][triangle[(k + 1) % 3] / 64];
        const uint64_t bit = (uint64_t)1 << (triangle[(k + 1) % 3] % 64);
        *word = seen ? *word | bit : *word & ~bit;
    }
}

static bool is_marked(const struct builder *build, uint32_t from, uint32_t to) {
    return (build->seen[from][to / 64] >> (to % 64) & 1) != 0;
}

// Every vertex of the hull has at least three triangles, so after the exchange there are at most 2n − 4 triangles.
static void add_point(struct builder *build, uint32_t p) {
    uint32_t gone[HULL_TRIANGLES_MAX][3];
    uint32_t gone_count = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < build->triangles; i++) {
        if (side(build, build->triangle[i], p) > 0) {
            memcpy(gone[gone_count], build->triangle[i], sizeof gone[0]);
            mark(build, gone[gone_count], true);
            gone_count++;
        } else {
            memmove(build->triangle[kept], build->triangle[i], sizeof build->triangle[0]);
            kept++;
        }
    }
    build->triangles = kept;
    for (uint32_t i = 0; i < gone_count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t from = gone[i][k];
            const uint32_t to = gone[i][(k + 1) % 3];
            if (!is_marked(build, to, from)) {
                add_triangle(build, from, to, p);
            }
        }
    }
    for (uint32_t i = 0; i < gone_count; i++) {
        mark(build, gone[i], false);
    }
}

static void number_vertices(const struct builder *build, uint32_t count, struct hull *hull) {
    uint32_t number[HULL_POINTS_MAX] = {0};
    bool used[HULL_POINTS_MAX] = {false};
    for (uint32_t i = 0; i < build->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            used[build->triangle[i][k]] = true;
        }
    }
    hull->vertices = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (used[i]) {
            number[i] = hull->vertices;
            hull->vertex[hull->vertices] = i;
            hull->vertices++;
        }
    }
    hull->triangles = build->triangles;
    for (uint32_t i = 0; i < build->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            hull->triangle[i][k] = number[build->triangle[i][k]];
        }
    }
}

// ---- faces -------------------------------------------------------------------------------------------------------

struct plane {
    double x, y, z, offset; // unit normal; n·p of the plane
    double area;            // twice
};

static void coordinates(const float *points, const struct hull *hull, uint32_t vertex, double at[3]) {
    for (unsigned axis = 0; axis < 3; axis++) {
        at[axis] = (double)points[3 * hull->vertex[vertex] + axis];
    }
}

static struct plane plane_of(const float *points, const struct hull *hull, uint32_t triangle) {
    double a[3];
    double b[3];
    double c[3];
    coordinates(points, hull, hull->triangle[triangle][0], a);
    coordinates(points, hull, hull->triangle[triangle][1], b);
    coordinates(points, hull, hull->triangle[triangle][2], c);
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    struct plane plane = {.area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])};
    if (plane.area > 0.0) {
        plane.x = n[0] / plane.area;
        plane.y = n[1] / plane.area;
        plane.z = n[2] / plane.area;
        plane.offset = plane.x * a[0] + plane.y * a[1] + plane.z * a[2];
    }
    return plane;
}

static bool lies_in(const float *points, const struct hull *hull, uint32_t triangle, const struct plane *plane,
                    double tolerance) {
    for (unsigned k = 0; k < 3; k++) {
        double p[3];
        coordinates(points, hull, hull->triangle[triangle][k], p);
        const double height = plane->x * p[0] + plane->y * p[1] + plane->z * p[2] - plane->offset;
        if (height > tolerance || height < -tolerance) {
            return false;
        }
    }
    return true;
}

static bool has_edge(const struct hull *hull, const bool *member, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < hull->triangles; i++) {
        const uint32_t *triangle = hull->triangle[i];
        if (member[i] && ((triangle[0] == from && triangle[1] == to) || (triangle[1] == from && triangle[2] == to) ||
                          (triangle[2] == from && triangle[0] == to))) {
            return true;
        }
    }
    return false;
}

// Finds the border of a face: its edges whose other side is not in the face. Returns false when they do not form one
// loop.
static bool add_loop(struct hull *hull, const bool *member) {
    uint32_t next[HULL_POINTS_MAX]; // next vertex of the border after a vertex
    uint32_t first = 0;
    uint32_t edges = 0;
    for (uint32_t i = 0; i < hull->triangles; i++) {
        for (unsigned k = 0; member[i] && k < 3; k++) {
            const uint32_t from = hull->triangle[i][k];
            const uint32_t to = hull->triangle[i][(k + 1) % 3];
            if (!has_edge(hull, member, to, from)) {
                next[from] = to;
                first = from;
                edges++;
            }
        }
    }
    uint32_t at = first;
    for (uint32_t i = 0; i < edges; i++) {
        hull->corner[hull->corners + i] = at;
        at = next[at];
        if ((at == first) != (i + 1 == edges)) {
            return false;
        }
    }
    if (edges == 0) {
        return false;
    }
    hull->corners += edges;
    hull->face_end[hull->faces] = hull->corners;
    hull->faces++;
    return true;
}

// The distance that the hull reaches behind a plane.
static double depth_below(const float *points, const struct hull *hull, const struct plane *plane) {
    double depth = 0.0;
    for (uint32_t i = 0; i < hull->vertices; i++) {
        double p[3];
        coordinates(points, hull, i, p);
        const double below = plane->offset - (plane->x * p[0] + plane->y * p[1] + plane->z * p[2]);
        depth = below > depth ? below : depth;
    }
    return depth;
}

static bool is_neighbour(const struct hull *hull, uint32_t triangle, const bool *member) {
    for (uint32_t j = 0; j < hull->triangles; j++) {
        unsigned shared = 0;
        for (unsigned k = 0; member[j] && k < 9; k++) {
            shared += hull->triangle[triangle][k / 3] == hull->triangle[j][k % 3] ? 1 : 0;
        }
        if (shared == 2) {
            return true;
        }
    }
    return false;
}

// Collects a face from the largest triangle left over its neighbours in the same plane: slivers join large faces, never
// the other way round. Returns false when the hull is flat.
static bool find_faces(const float *points, struct hull *hull, double tolerance) {
    bool taken[HULL_TRIANGLES_MAX] = {false};
    hull->faces = 0;
    hull->corners = 0;
    for (;;) {
        bool member[HULL_TRIANGLES_MAX] = {false};
        uint32_t seed = UINT32_MAX;
        struct plane plane = {0};
        for (uint32_t i = 0; i < hull->triangles; i++) {
            const struct plane candidate = plane_of(points, hull, i);
            if (!taken[i] && (seed == UINT32_MAX || candidate.area > plane.area)) {
                seed = i;
                plane = candidate;
            }
        }
        if (seed == UINT32_MAX) {
            return true;
        }
        if (!(depth_below(points, hull, &plane) > FLAT_TOLERANCES * tolerance)) {
            return false;
        }
        member[seed] = true;
        for (bool grown = true; grown;) {
            grown = false;
            for (uint32_t i = 0; i < hull->triangles; i++) {
                if (!taken[i] && !member[i] && lies_in(points, hull, i, &plane, tolerance) &&
                    is_neighbour(hull, i, member)) {
                    member[i] = true;
                    grown = true;
                }
            }
        }
        if (!add_loop(hull, member)) { // not a single polygon
            memset(member, 0, sizeof member);
            member[seed] = true;
            (void)add_loop(hull, member);
        }
        for (uint32_t i = 0; i < hull->triangles; i++) {
            taken[i] = taken[i] || member[i];
        }
    }
}

bool hull_build(const float *points, uint32_t count, struct hull *hull) {
    struct builder build = {0};
    const double extent = extent_of(points, count);
    if (!(extent > 0.0)) {
        return false;
    }
    // A power of two, so that points on a coarser grid stay exactly in their planes.
    double steps = 1.0;
    while (steps * extent <= 0.5 * GRID_STEPS) {
        steps *= 2.0;
    }
    while (steps * extent > GRID_STEPS) {
        steps *= 0.5;
    }
    for (uint32_t i = 0; i < count; i++) {
        build.point[i].x = to_grid(points[3 * i], points[0], steps);
        build.point[i].y = to_grid(points[3 * i + 1], points[1], steps);
        build.point[i].z = to_grid(points[3 * i + 2], points[2], steps);
    }
    if (!start(&build, count)) {
        return false;
    }
    for (uint32_t i = 1; i < count; i++) {
        add_point(&build, i);
    }
    number_vertices(&build, count, hull);
    return find_faces(points, hull, PLANE_SHARE * extent);
}
