// SPDX-License-Identifier: MIT
#include "sim/world/part.h"

#include "sim/geometry/round.h"

#define FLAT 1e-18  // m³: six times the volume of four particles in a plane
#define STANDS 1e-6 // share of the radius: a direction that leans less has no foremost point of a rim
#define LIES 0.5    // least cosine between the normal and a radius of a ring that lies on its side

uint32_t part_count(const struct object *object) {
    return object->hull_parts > 0 ? object->hull_parts : object->hull_vertices > 0 ? 1 : 0;
}

struct hull_part part_at(const struct sim_world *world, const struct object *object, uint32_t index) {
    const float *weight = world->shape_real + object->hull.first_real;
    const uint32_t *triangle = world->shape_index + object->hull.first_index;
    struct hull_part part = {
        .vertices = object->hull_vertices, .triangles = object->hull_triangles, .weight = weight, .triangle = triangle};
    if (object->hull_parts == 0) {
        return part;
    }
    const float *real = weight + 4 * (size_t)object->hull_vertices + PART_REALS * (size_t)index;
    const uint32_t *row = triangle + 3 * (size_t)object->hull_triangles + PART_INDICES * (size_t)index;
    part.first_vertex = index > 0 ? row[-(int)PART_INDICES] : 0;
    part.first_triangle = index > 0 ? row[1 - (int)PART_INDICES] : 0;
    part.vertices = row[0] - part.first_vertex;
    part.triangles = row[1] - part.first_triangle;
    part.weight = weight + 4 * (size_t)part.first_vertex;
    part.triangle = part.triangles > 0 ? triangle + 3 * (size_t)part.first_triangle : NULL;
    part.radius = real[0];
    part.thickness = real[1];
    part.rim = real[2];
    part.ring = row[2] != 0;
    return part;
}

static struct point carried(const double weight[4], const struct point carrier[4]) {
    struct point sum = {0};
    for (unsigned k = 0; k < 4; k++) {
        sum = point_add(sum, point_scale(carrier[k], weight[k]));
    }
    return sum;
}

void part_turn(const struct hull_part *ring, const struct point carrier[4], struct point direction, float *turned) {
    const uint32_t sides = ring->vertices / 2;
    double middle[2][4];
    double across[2][4]; // weights of the radii to vertex 0 and a quarter turn on
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned rim = 0; rim < 2; rim++) {
            const float *weight = ring->weight + 4 * (size_t)rim * sides + k;
            middle[rim][k] = 0.5 * ((double)weight[0] + (double)weight[4 * (size_t)(sides / 2)]);
        }
        across[0][k] = (double)ring->weight[k] - middle[0][k];
        across[1][k] = (double)ring->weight[4 * (size_t)(sides / 4) + k] - middle[0][k];
    }
    const struct point x = carried(across[0], carrier);
    const struct point y = carried(across[1], carrier);
    double cosine = point_dot(direction, x);
    double sine = point_dot(direction, y);
    const double length = sqrt(cosine * cosine + sine * sine);
    const bool stands = !(length > STANDS * point_length(x));
    cosine = stands ? 1.0 : cosine / length;
    sine = stands ? 0.0 : sine / length;
    for (uint32_t v = 0; v < ring->vertices; v++) {
        const double c = ring_cosine(v % sides);
        const double s = ring_cosine(v % sides + 3 * sides / 4);
        for (unsigned k = 0; k < 4; k++) {
            const double along = cosine * across[0][k] + sine * across[1][k];
            const double beside = cosine * across[1][k] - sine * across[0][k];
            turned[4 * (size_t)v + k] = (float)(middle[v / sides][k] + c * along + s * beside);
        }
    }
}

struct part_lift part_ring_lift(struct point touching, struct point opposite, double rim, struct point normal) {
    const struct point radius = point_scale(point_sub(touching, opposite), 0.5);
    const double length = point_length(radius);
    const double along = -point_dot(radius, normal);
    return along >= LIES * length && length > 0.0 ? (struct part_lift){length * length / along, rim * length / along}
                                                  : (struct part_lift){0.0, 0.0};
}

struct part_edges part_edges_of(const struct point corner[4]) {
    struct part_edges edges;
    for (unsigned k = 0; k < 3; k++) {
        edges.edge[k] = point_sub(corner[k + 1], corner[0]);
    }
    const struct point *e = edges.edge;
    const struct point across = point_cross(e[1], e[2]);
    const double determinant = point_dot(e[0], across);
    edges.flat = !(determinant > FLAT || determinant < -FLAT);
    const double scale = edges.flat ? 0.0 : 1.0 / determinant;
    edges.dual[0] = point_scale(across, scale);
    edges.dual[1] = point_scale(point_cross(e[2], e[0]), scale);
    edges.dual[2] = point_scale(point_cross(e[0], e[1]), scale);
    return edges;
}

void part_weigh(const struct part_edges *edges, struct point way, double weight[4]) {
    weight[0] = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        weight[k + 1] = point_dot(edges->dual[k], way);
        weight[0] -= weight[k + 1];
    }
}

bool part_weights(const struct point corner[4], struct point way, double weight[4]) {
    const struct part_edges edges = part_edges_of(corner);
    part_weigh(&edges, way, weight);
    return !edges.flat;
}
