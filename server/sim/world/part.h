// SPDX-License-Identifier: MIT
// The convex parts of embedded shapes. A box or a hull is one part. The round kinds and compound bodies have a table of
// parts behind their weights and triangles (world.h): each part has vertices and triangles of its own, a radius that is
// kept around them, and may be a ring: a cylinder, whose stored vertices stand on its two rims.
#ifndef WEFT_SIM_WORLD_PART_H
#define WEFT_SIM_WORLD_PART_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

#define PART_REALS 3u   // per row of the table: radius, thickness and rim, in m
#define PART_INDICES 3u // per row: end of its vertices, end of its triangles, 1 for a ring and 0 otherwise

struct hull_part {
    uint32_t first_vertex, vertices; // among those of the object
    uint32_t first_triangle, triangles;
    const float *weight;      // 4 per vertex
    const uint32_t *triangle; // 3 vertices of the part each, outward; none of a point or a segment
    float radius;             // m
    float thickness;          // m, least width with the radius; 0: that of its particles (body_guard.h)
    float rim;                // m, radius of a ring
    bool ring;
};

// The number of parts, 0 of objects without an embedded shape; and one of them.
uint32_t part_count(const struct object *object);
struct hull_part part_at(const struct sim_world *world, const struct object *object, uint32_t index);

// The weights of a ring's vertices after it has been turned about its axis, so that vertex 0 of each rim lies farthest
// along `direction`, where the four particles lie at `carrier`: 4 for each of its vertices.
void part_turn(const struct hull_part *ring, const struct point carrier[4], struct point direction, float *turned);
// The way along a normal from a point of a ring's rim, which touches something, to the axis: where the ring lies on its
// side, within 60°. `kept`: the same at rest, since what turns fast is wider for the moment. 0 elsewhere. In m.
struct part_lift {
    double way, kept;
};
// `touching` and `opposite`: two vertices of the rim; `rim`: its radius.
struct part_lift part_ring_lift(struct point touching, struct point opposite, double rim, struct point normal);

// The edges of a body's four particles from the first, and the three vectors that are dual to them.
struct part_edges {
    struct point edge[3], dual[3];
    bool flat; // the particles lie in a plane
};
struct part_edges part_edges_of(const struct point corner[4]);
// The weights with which the four carry the vector `way`: their sum is 0.
void part_weigh(const struct part_edges *edges, struct point way, double weight[4]);
// The same from the corners; false when they lie in a plane.
bool part_weights(const struct point corner[4], struct point way, double weight[4]);

#endif
