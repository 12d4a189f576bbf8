// SPDX-License-Identifier: MIT
// Parts of objects as convex shapes in double: bodies and bones by their hulls, other parts by their particles.
#include "sim/body/body_shape.h"

#include "sim/world/part.h"
#include "sim/world/particle.h"

static const uint32_t outward[2][12] = {
    {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2}, // for a negative determinant
    {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3},
};
static const uint32_t lone_triangle[3] = {0, 1, 2};

struct point body_particle_between(const struct sim_world *world, uint32_t i, double share) {
    const struct point x = {(double)world->x[i], (double)world->y[i], (double)world->z[i]};
    const struct point p = point_of(particle_relaxed(world, i));
    return point_add(point_scale(x, 1.0 - share), point_scale(p, share));
}

static bool is_positive(const struct point corner[4]) {
    const struct point normal = point_cross(point_sub(corner[1], corner[0]), point_sub(corner[2], corner[0]));
    return point_dot(normal, point_sub(corner[3], corner[0])) > 0.0;
}

static void set_embedded(const struct sim_world *world, const struct body_part *of, const struct point carrier[4],
                         struct body_shape *shape) {
    const struct hull_part part = part_at(world, &world->object[of->object], of->part);
    shape->weight = of->turned != NULL ? of->turned : part.weight;
    shape->convex.vertices = part.vertices;
    shape->convex.triangles = part.triangles;
    shape->convex.triangle = part.triangle;
    for (uint32_t i = 0; i < part.vertices; i++) {
        const float *weight = shape->weight + 4 * (size_t)i;
        struct point at = point_scale(carrier[0], (double)weight[0]);
        for (unsigned k = 1; k < 4; k++) {
            at = point_add(at, point_scale(carrier[k], (double)weight[k]));
        }
        shape->vertex[i] = at;
    }
}

void body_shape_carried(const struct sim_world *world, const struct body_part *part, const struct point carrier[4],
                        struct body_shape *shape) {
    const struct object *object = &world->object[part->object];
    shape->convex.vertex = shape->vertex;
    if (object->hull_vertices > 0) {
        set_embedded(world, part, carrier, shape);
        return;
    }
    memcpy(shape->vertex, carrier, part->particles * sizeof carrier[0]);
    shape->weight = NULL;
    shape->convex.vertices = part->particles;
    shape->convex.triangles = 0;
    shape->convex.triangle = NULL;
    if (part->particles == 3) {
        shape->convex.triangles = 1;
        shape->convex.triangle = lone_triangle;
    } else if (part->particles == 4) {
        shape->convex.triangles = 4;
        shape->convex.triangle = outward[is_positive(carrier) ? 1 : 0];
    }
}

void body_shape_set(const struct sim_world *world, const struct body_part *part, double share,
                    struct body_shape *shape) {
    struct point carrier[4];
    for (uint32_t k = 0; k < part->particles; k++) {
        carrier[k] = body_particle_between(world, part->slot[k], share);
    }
    body_shape_carried(world, part, carrier, shape);
}

static void include(struct body_part *part, struct vec3 p) {
    part->low = vec3_of(scalar_min(part->low.x, p.x), scalar_min(part->low.y, p.y), scalar_min(part->low.z, p.z));
    part->high = vec3_of(scalar_max(part->high.x, p.x), scalar_max(part->high.y, p.y), scalar_max(part->high.z, p.z));
}

static void bound_hull(const struct sim_world *world, struct body_part *part, unsigned ends) {
    struct body_shape shape;
    for (unsigned share = 0; share < ends; share++) {
        body_shape_set(world, part, (double)share, &shape);
        if (share == 0) {
            part->low = point_rounded(shape.vertex[0]);
            part->high = part->low;
        }
        for (uint32_t i = 0; i < shape.convex.vertices; i++) {
            include(part, point_rounded(shape.vertex[i]));
        }
    }
}

static void bound_particles(const struct sim_world *world, struct body_part *part, unsigned ends) {
    const uint32_t first = part->slot[0];
    part->low = particle_position(world, first);
    part->high = part->low;
    for (uint32_t k = 0; k < part->particles; k++) {
        const uint32_t i = part->slot[k];
        include(part, particle_position(world, i));
        if (ends == 2) {
            include(part, particle_relaxed(world, i));
        }
    }
}

void body_shape_bound(const struct sim_world *world, struct body_part *part) {
    const struct object *object = &world->object[part->object];
    const unsigned ends = object_is_active(object) ? 2 : 1; // for objects at rest p = x
    if (object->hull_vertices > 0) {
        bound_hull(world, part, ends);
    } else {
        bound_particles(world, part, ends);
    }
    body_part_widen(part);
}

void body_part_widen(struct body_part *part) {
    const float reach = scalar_max(vec3_reach(part->low), vec3_reach(part->high));
    const float margin = part->radius + 1e-6f * reach + 1e-4f;
    part->low = vec3_sub(part->low, vec3_of(margin, margin, margin));
    part->high = vec3_add(part->high, vec3_of(margin, margin, margin));
}
