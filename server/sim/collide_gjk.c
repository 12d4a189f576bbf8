// SPDX-License-Identifier: MIT
// The distance of two convex shapes: E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance
// between complex objects in three-dimensional space", 1988.
//
// The nearest point to the origin of the difference A − B is approached by simplices of up to four of its vertices; the
// nearest point of a simplex by the Voronoi regions of its corners, edges and faces (C. Ericson, "Real-Time Collision
// Detection", 2005, ch. 5). Ties go to the vertex with the lower index.
#include "sim/collide.h"

#define ROUNDS_MAX 64u
#define OVERLAP 1e-9   // m
#define PROGRESS 1e-10 // least relative gain of a round

struct simplex {
    uint32_t count;
    struct point corner[4]; // of A − B
    uint32_t a[4], b[4];    // the vertices it is the difference of
    double weight[4];       // of the nearest point
};

static uint32_t farthest(const struct convex *shape, struct point direction) {
    uint32_t best = 0;
    double most = point_dot(shape->vertex[0], direction);
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double along = point_dot(shape->vertex[i], direction);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

static void keep(struct simplex *to, const struct simplex *from, uint32_t corner, double weight) {
    const uint32_t k = to->count;
    to->corner[k] = from->corner[corner];
    to->a[k] = from->a[corner];
    to->b[k] = from->b[corner];
    to->weight[k] = weight;
    to->count++;
}

static struct simplex nearest_of_segment(const struct simplex *s, uint32_t i, uint32_t j) {
    struct simplex nearest = {0};
    const struct point edge = point_sub(s->corner[j], s->corner[i]);
    const double along = -point_dot(s->corner[i], edge);
    const double squared = point_dot(edge, edge);
    if (!(along > 0.0)) {
        keep(&nearest, s, i, 1.0);
    } else if (!(along < squared)) {
        keep(&nearest, s, j, 1.0);
    } else {
        const double t = along / squared;
        keep(&nearest, s, i, 1.0 - t);
        keep(&nearest, s, j, t);
    }
    return nearest;
}

static struct point weighted(const struct simplex *s) {
    struct point sum = {0};
    for (uint32_t k = 0; k < s->count; k++) {
        sum = point_add(sum, point_scale(s->corner[k], s->weight[k]));
    }
    return sum;
}

static double squared_distance(const struct simplex *s) {
    const struct point v = weighted(s);
    return point_dot(v, v);
}

static struct simplex nearer(struct simplex best, struct simplex other) {
    return squared_distance(&other) < squared_distance(&best) ? other : best;
}

// Inside the triangle's prism when each sub-area has the triangle's own orientation; else on the nearest edge.
static struct simplex nearest_of_triangle(const struct simplex *s, uint32_t i, uint32_t j, uint32_t k) {
    const struct point a = s->corner[i], b = s->corner[j], c = s->corner[k];
    const struct point normal = point_cross(point_sub(b, a), point_sub(c, a));
    const double squared = point_dot(normal, normal);
    const double u = point_dot(point_cross(b, c), normal);
    const double v = point_dot(point_cross(c, a), normal);
    const double w = point_dot(point_cross(a, b), normal);
    if (squared > 0.0 && u > 0.0 && v > 0.0 && w > 0.0) {
        struct simplex nearest = {0};
        const double sum = u + v + w;
        keep(&nearest, s, i, u / sum);
        keep(&nearest, s, j, v / sum);
        keep(&nearest, s, k, w / sum);
        return nearest;
    }
    const struct simplex best = nearer(nearest_of_segment(s, i, j), nearest_of_segment(s, j, k));
    return nearer(best, nearest_of_segment(s, k, i));
}

// False when the origin lies inside.
static bool nearest_of_tetrahedron(const struct simplex *s, struct simplex *nearest) {
    static const uint32_t face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    bool outside = false;
    for (unsigned f = 0; f < 4; f++) {
        const struct point a = s->corner[face[f][0]];
        const struct point normal =
            point_cross(point_sub(s->corner[face[f][1]], a), point_sub(s->corner[face[f][2]], a));
        const double origin = -point_dot(normal, a);
        const double opposite = point_dot(normal, point_sub(s->corner[face[f][3]], a));
        if (origin * opposite < 0.0 || opposite == 0.0) {
            const struct simplex found = nearest_of_triangle(s, face[f][0], face[f][1], face[f][2]);
            *nearest = outside ? nearer(*nearest, found) : found;
            outside = true;
        }
    }
    return outside;
}

static bool reduce(struct simplex *s) {
    struct simplex nearest = *s;
    bool outside = true;
    if (s->count == 2) {
        nearest = nearest_of_segment(s, 0, 1);
    } else if (s->count == 3) {
        nearest = nearest_of_triangle(s, 0, 1, 2);
    } else if (s->count == 4) {
        outside = nearest_of_tetrahedron(s, &nearest);
    }
    *s = nearest;
    return outside;
}

static bool has(const struct simplex *s, uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < s->count; k++) {
        if (s->a[k] == a && s->b[k] == b) {
            return true;
        }
    }
    return false;
}

static void add_corner(struct simplex *s, const struct convex *a, const struct convex *b, uint32_t ia, uint32_t ib) {
    s->corner[s->count] = point_sub(a->vertex[ia], b->vertex[ib]);
    s->a[s->count] = ia;
    s->b[s->count] = ib;
    s->weight[s->count] = 1.0;
    s->count++;
}

static void mix_in(struct mixture *mixture, uint32_t vertex, double weight) {
    for (uint32_t k = 0; k < mixture->vertices; k++) {
        if (mixture->vertex[k] == vertex) {
            mixture->weight[k] += weight;
            return;
        }
    }
    mixture->vertex[mixture->vertices] = vertex;
    mixture->weight[mixture->vertices] = weight;
    mixture->vertices++;
}

static struct separation separation_of(const struct simplex *s, struct point v) {
    struct separation found = {.distance = point_length(v)};
    found.normal = point_scale(v, 1.0 / found.distance);
    for (uint32_t k = 0; k < s->count; k++) {
        mix_in(&found.a, s->a[k], s->weight[k]);
        mix_in(&found.b, s->b[k], s->weight[k]);
    }
    return found;
}

struct separation collide_distance(const struct convex *a, const struct convex *b) {
    struct simplex s = {0};
    add_corner(&s, a, b, 0, 0);
    struct point v = s.corner[0];
    for (unsigned round = 0; round < ROUNDS_MAX; round++) {
        const double squared = point_dot(v, v);
        if (squared < OVERLAP * OVERLAP) {
            return (struct separation){0};
        }
        const uint32_t ia = farthest(a, point_scale(v, -1.0));
        const uint32_t ib = farthest(b, v);
        const struct point w = point_sub(a->vertex[ia], b->vertex[ib]);
        if (squared - point_dot(v, w) <= PROGRESS * squared || has(&s, ia, ib)) {
            break;
        }
        struct simplex grown = s;
        add_corner(&grown, a, b, ia, ib);
        if (!reduce(&grown)) {
            return (struct separation){0};
        }
        const struct point next = weighted(&grown);
        if (!(point_dot(next, next) < squared)) {
            break; // nothing but rounding left to gain
        }
        s = grown;
        v = next;
    }
    return separation_of(&s, v);
}
