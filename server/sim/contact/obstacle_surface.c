// SPDX-License-Identifier: MIT
// The facets of height fields and meshes: those that may meet a box, and whether a point lies in the solid behind them.
//
// A cell of a height field is two triangles that share the diagonal from (column + 1, row) to (column, row + 1).
#include "sim/contact/obstacle_surface.h"

#include "sim/contact/obstacle_mesh.h"
#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/convex.h"

// Half of the slope by which two facets may differ for the surface to count as flat; as in obstacle_mesh.c.
#define SHARP_SHARE 1e-3

// ---- height field ------------------------------------------------------------------------------------------------

struct grid {
    const struct sim_obstacle *shape;
    const float *height;
    double left, back; // m, of sample (0, 0) along x and z
};

static struct grid grid_of(const struct sim_world *world, const struct obstacle *obstacle) {
    const struct sim_obstacle *shape = &obstacle->shape;
    return (struct grid){
        .shape = shape,
        .height = world->shape_real + obstacle->data.first_real,
        .left = (double)shape->position.x - 0.5 * (double)(shape->columns - 1) * (double)shape->spacing,
        .back = (double)shape->position.z - 0.5 * (double)(shape->rows - 1) * (double)shape->spacing,
    };
}

static struct point sample(const struct grid *grid, uint32_t column, uint32_t row) {
    const float height = grid->height[(size_t)row * grid->shape->columns + column];
    return (struct point){grid->left + (double)column * (double)grid->shape->spacing,
                          (double)grid->shape->position.y + (double)height,
                          grid->back + (double)row * (double)grid->shape->spacing};
}

static struct point normal_of(const struct point *corner) { // three corners
    const struct point across = point_cross(point_sub(corner[1], corner[0]), point_sub(corner[2], corner[0]));
    const double length = point_length(across);
    return length > 0.0 ? point_scale(across, 1.0 / length) : (struct point){0.0, 1.0, 0.0};
}

static bool is_below(const struct facet *facet, unsigned edge, struct point opposite) {
    const struct point way = point_sub(opposite, facet->corner[edge]);
    return point_dot(facet->normal, way) < -SHARP_SHARE * point_length(way);
}

// True if the surface bends away across an edge, to the sample (column, row) on the other side, or ends there.
static bool is_sharp(const struct grid *grid, const struct facet *facet, unsigned edge, int64_t column, int64_t row) {
    const bool there = column >= 0 && row >= 0 && column < grid->shape->columns && row < grid->shape->rows;
    return !there || is_below(facet, edge, sample(grid, (uint32_t)column, (uint32_t)row));
}

static void facet_of_cell(const struct grid *grid, uint32_t column, uint32_t row, uint32_t half, struct facet *facet) {
    const int64_t i = column;
    const int64_t j = row;
    facet->index = 2 * (row * grid->shape->columns + column) + half;
    if (half == 0) {
        facet->corner[0] = sample(grid, column, row);
        facet->corner[1] = sample(grid, column, row + 1);
        facet->corner[2] = sample(grid, column + 1, row);
        facet->normal = normal_of(facet->corner);
        facet->sharp[0] = is_sharp(grid, facet, 0, i - 1, j + 1);
        facet->sharp[1] = is_sharp(grid, facet, 1, i + 1, j + 1);
        facet->sharp[2] = is_sharp(grid, facet, 2, i + 1, j - 1);
        return;
    }
    facet->corner[0] = sample(grid, column + 1, row);
    facet->corner[1] = sample(grid, column, row + 1);
    facet->corner[2] = sample(grid, column + 1, row + 1);
    facet->normal = normal_of(facet->corner);
    facet->sharp[0] = is_sharp(grid, facet, 0, i, j);
    facet->sharp[1] = is_sharp(grid, facet, 1, i, j + 2);
    facet->sharp[2] = is_sharp(grid, facet, 2, i + 2, j);
}

static uint32_t clamp_index(double value, uint32_t last) {
    if (!(value > 0.0)) {
        return 0;
    }
    return value >= (double)last ? last : (uint32_t)value;
}

static void begin_cells(struct facet_walk *walk) {
    const struct grid grid = grid_of(walk->world, walk->obstacle);
    const double spacing = (double)grid.shape->spacing;
    const uint32_t last_column = grid.shape->columns - 2;
    const uint32_t last_row = grid.shape->rows - 2;
    walk->column_first = clamp_index(((double)walk->min.x - grid.left) / spacing, last_column);
    walk->column_end = clamp_index(((double)walk->max.x - grid.left) / spacing, last_column) + 1;
    walk->row_end = clamp_index(((double)walk->max.z - grid.back) / spacing, last_row) + 1;
    walk->row = clamp_index(((double)walk->min.z - grid.back) / spacing, last_row);
    walk->column = walk->column_first;
    walk->half = 0;
}

static bool is_apart(const struct facet_walk *walk, const struct facet *facet) {
    const struct point *c = facet->corner;
    const double low = (double)walk->min.y;
    const double high = (double)walk->max.y;
    return (c[0].y < low && c[1].y < low && c[2].y < low) || (c[0].y > high && c[1].y > high && c[2].y > high);
}

static bool next_cell(struct facet_walk *walk, struct facet *facet) {
    const struct grid grid = grid_of(walk->world, walk->obstacle);
    while (walk->row < walk->row_end) {
        facet_of_cell(&grid, walk->column, walk->row, walk->half, facet);
        walk->half++;
        if (walk->half == 2) {
            walk->half = 0;
            walk->column++;
        }
        if (walk->column == walk->column_end) {
            walk->column = walk->column_first;
            walk->row++;
        }
        if (!is_apart(walk, facet)) {
            return true;
        }
    }
    return false;
}

// A point is under the facet above it; the way out is along that facet's normal.
static bool under_field(const struct grid *grid, struct point p, struct point *surface, struct point *normal) {
    const double x = (p.x - grid->left) / (double)grid->shape->spacing;
    const double z = (p.z - grid->back) / (double)grid->shape->spacing;
    if (!(x >= 0.0 && z >= 0.0 && x <= (double)(grid->shape->columns - 1) && z <= (double)(grid->shape->rows - 1))) {
        return false;
    }
    const uint32_t column = clamp_index(x, grid->shape->columns - 2);
    const uint32_t row = clamp_index(z, grid->shape->rows - 2);
    const bool near_half = (x - (double)column) + (z - (double)row) <= 1.0;
    struct facet facet;
    facet_of_cell(grid, column, row, near_half ? 0 : 1, &facet);
    *surface = facet.corner[0];
    *normal = facet.normal;
    return point_dot(facet.normal, point_sub(p, facet.corner[0])) < 0.0;
}

// ---- mesh --------------------------------------------------------------------------------------------------------

static struct point vertex_of(const struct mesh_numbers *mesh, uint32_t vertex) {
    const float *at = mesh->placed + 3 * (size_t)vertex;
    return (struct point){(double)at[0], (double)at[1], (double)at[2]};
}

static void facet_of_mesh(const struct mesh_numbers *mesh, uint32_t triangle, struct facet *facet) {
    facet->index = triangle;
    for (unsigned k = 0; k < 3; k++) {
        facet->corner[k] = vertex_of(mesh, mesh->triangle[3 * (size_t)triangle + k]);
        facet->sharp[k] = (mesh->sharp[triangle] >> k & 1u) != 0;
    }
    facet->normal = normal_of(facet->corner);
}

// The facet nearest to p. Where several share the nearest point, the one that faces p most directly decides the side.
struct nearest_facet {
    double distance, facing;
    struct point surface, normal;
};

static void compare_facet(struct nearest_facet *best, const struct facet *facet, struct point p) {
    const struct convex dot = {.vertex = &p, .vertices = 1};
    static const uint32_t corners[3] = {0, 1, 2};
    const struct convex triangle = {facet->corner, corners, 3, 1};
    const struct separation apart = collide_distance(&dot, &triangle);
    const double side = point_dot(apart.normal, facet->normal);
    const double facing = side < 0.0 ? -side : side;
    const double tie = 1e-7 * (1.0 + apart.distance);
    if (apart.distance < best->distance - tie || (apart.distance < best->distance + tie && facing > best->facing)) {
        best->distance = apart.distance;
        best->facing = facing;
        best->normal = facet->normal;
        best->surface = apart.distance > 0.0 ? point_mix(&apart.b, facet->corner) : p;
    }
}

// The side of the edge a–b on which p lies, seen from above. A point on the edge counts as on one side for the triangle
// that traverses the edge forwards and on the other for the triangle that traverses it backwards, so that a ray through
// an edge hits exactly one of the two.
static bool is_left(struct point a, struct point b, struct point p) {
    const bool turned = b.x < a.x || (b.x == a.x && b.z < a.z);
    const struct point from = turned ? b : a;
    const struct point to = turned ? a : b;
    const bool left = (to.x - from.x) * (p.z - from.z) - (to.z - from.z) * (p.x - from.x) >= 0.0;
    return left != turned;
}

static bool is_over(const struct facet *facet, struct point p) {
    const struct point *c = facet->corner;
    const bool left = is_left(c[0], c[1], p);
    if (left != is_left(c[1], c[2], p) || left != is_left(c[2], c[0], p) || facet->normal.y == 0.0) {
        return false;
    }
    // Height of the plane above p.
    return point_dot(facet->normal, point_sub(c[0], p)) / facet->normal.y > 0.0;
}

// A ray upwards leaves a closed surface once more often than it enters it if it starts inside.
static bool is_inside(const struct sim_world *world, const struct obstacle *obstacle, struct point p) {
    const struct vec3 at = point_rounded(p);
    struct facet_walk walk;
    struct facet facet;
    bool inside = false;
    facet_walk_begin(&walk, world, obstacle, at, vec3_of(at.x, obstacle->box_max.y, at.z));
    while (facet_walk_next(&walk, &facet)) {
        inside ^= is_over(&facet, p);
    }
    return inside;
}

static double reach_of(struct vec3 min, struct vec3 max) {
    return point_length(point_sub(point_of(max), point_of(min)));
}

// The way out of a closed mesh: searches boxes about p that double in size until the nearest facet is nearer than the
// sides of the box.
static void leave_mesh(const struct sim_world *world, const struct obstacle *obstacle, struct point p,
                       struct point *surface, struct point *normal) {
    const double whole = reach_of(obstacle->box_min, obstacle->box_max);
    struct nearest_facet best = {.distance = 1e30};
    double reach = 2.0 * (double)obstacle->grain;
    bool searching = true;
    while (searching) {
        const float half = (float)(reach < whole ? reach : whole);
        const struct vec3 middle = point_rounded(p);
        const struct vec3 margin = vec3_of(half, half, half);
        struct facet_walk walk;
        struct facet facet;
        facet_walk_begin(&walk, world, obstacle, vec3_sub(middle, margin), vec3_add(middle, margin));
        while (facet_walk_next(&walk, &facet)) {
            compare_facet(&best, &facet, p);
        }
        searching = best.distance > reach && reach < whole;
        reach *= 2.0;
    }
    *surface = best.surface;
    *normal = best.normal;
}

// ---- both kinds --------------------------------------------------------------------------------------------------

void facet_walk_begin(struct facet_walk *walk, const struct sim_world *world, const struct obstacle *obstacle,
                      struct vec3 min, struct vec3 max) {
    *walk = (struct facet_walk){.world = world, .obstacle = obstacle, .min = min, .max = max};
    if (obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD) {
        begin_cells(walk);
    } else {
        walk->bvh = obstacle_mesh_numbers(world, obstacle).bvh;
        walk->mesh = bvh_walk_begin(&walk->bvh, min, max);
    }
}

bool facet_walk_next(struct facet_walk *walk, struct facet *facet) {
    if (walk->obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD) {
        return next_cell(walk, facet);
    }
    uint32_t triangle = 0;
    if (!bvh_walk_next(&walk->mesh, &triangle)) {
        return false;
    }
    const struct mesh_numbers mesh = obstacle_mesh_numbers(walk->world, walk->obstacle);
    facet_of_mesh(&mesh, triangle, facet);
    return true;
}

bool obstacle_encloses(const struct sim_world *world, const struct obstacle *obstacle, struct point p,
                       struct point *surface, struct point *normal) {
    if (obstacle->shape.shape == SIM_OBSTACLE_HEIGHTFIELD) {
        const struct grid grid = grid_of(world, obstacle);
        return under_field(&grid, p, surface, normal);
    }
    const struct vec3 at = point_rounded(p);
    const bool near_by = at.x > obstacle->box_min.x && at.y > obstacle->box_min.y && at.z > obstacle->box_min.z &&
                         at.x < obstacle->box_max.x && at.y < obstacle->box_max.y && at.z < obstacle->box_max.z;
    if (!obstacle->closed || !near_by || !is_inside(world, obstacle, p)) {
        return false;
    }
    leave_mesh(world, obstacle, p, surface, normal);
    return true;
}
