// SPDX-License-Identifier: MIT
// The distance of two convex shapes: E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance
// between complex objects in three-dimensional space", 1988.
//
// The point of the difference A − B nearest to the origin is approached by simplices of up to four of its vertices; the
// nearest point of a simplex is found by the Voronoi regions of its corners, edges and faces (C. Ericson, "Real-Time
// Collision Detection", 2005, ch. 5). Ties go to the vertex with the lower index.
#include "sim/geometry/collide_gjk.h"

#define ROUNDS_MAX 64u
#define OVERLAP 1e-9   // m
#define PROGRESS 1e-10 // least relative gain of a round

struct simplex {
    uint32_t count;
    struct point corner[4]; // of A − B
    uint32_t a[4], b[4];    // the vertices whose difference it is
    double weight[4];       // of the nearest point
};

// The point nearest to the origin of the parts of a simplex examined so far, as a mean of up to three corners. It is
// changed in place when another part is nearer, since copying it for each part would be slow.
struct foot {
    double squared; // m², from the origin
    struct point at;
    uint32_t count; // 0: no part was examined yet
    uint32_t corner[3];
    double weight[3];
};

static const struct point origin = {0.0, 0.0, 0.0};

// The first of the vertices that lie farthest along a direction.
static inline uint32_t farthest(const struct convex *shape, struct point direction) {
    uint32_t best = 0;
    double most = point_dot(shape->vertex[0], direction);
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double along = point_dot(shape->vertex[i], direction);
        best = along > most ? i : best;
        most = along > most ? along : most;
    }
    return best;
}

static inline struct point with(struct point sum, struct point corner, double weight) {
    return point_add(sum, point_scale(corner, weight));
}

static inline bool is_nearer(const struct foot *foot, struct point at, double *squared) {
    *squared = point_dot(at, at);
    return foot->count == 0 || *squared < foot->squared;
}

static inline void look_at_corner(struct foot *foot, const struct simplex *s, uint32_t i) {
    const struct point at = with(origin, s->corner[i], 1.0);
    double squared;
    if (is_nearer(foot, at, &squared)) {
        *foot = (struct foot){squared, at, 1, {i}, {1.0}};
    }
}

static inline void look_at_edge(struct foot *foot, const struct simplex *s, uint32_t i, uint32_t j) {
    const struct point from = s->corner[i];
    const struct point to = s->corner[j];
    const struct point edge = point_sub(to, from);
    const double along = -point_dot(from, edge);
    const double length = point_dot(edge, edge); // squared
    if (!(along > 0.0)) {
        look_at_corner(foot, s, i);
    } else if (!(along < length)) {
        look_at_corner(foot, s, j);
    } else {
        const double t = along / length;
        const struct point at = with(with(origin, from, 1.0 - t), to, t);
        double squared;
        if (is_nearer(foot, at, &squared)) {
            *foot = (struct foot){squared, at, 2, {i, j}, {1.0 - t, t}};
        }
    }
}

// The foot is inside the triangle when each sub-area has the triangle's orientation; otherwise the nearest point is on
// an edge.
static void look_at_triangle(struct foot *foot, const struct simplex *s, uint32_t i, uint32_t j, uint32_t k) {
    const struct point a = s->corner[i];
    const struct point b = s->corner[j];
    const struct point c = s->corner[k];
    const struct point normal = point_cross(point_sub(b, a), point_sub(c, a));
    const double u = point_dot(point_cross(b, c), normal);
    const double v = point_dot(point_cross(c, a), normal);
    const double w = point_dot(point_cross(a, b), normal);
    if (!(u > 0.0 && v > 0.0 && w > 0.0 && point_dot(normal, normal) > 0.0)) {
        look_at_edge(foot, s, i, j);
        look_at_edge(foot, s, j, k);
        look_at_edge(foot, s, k, i);
        return;
    }
    const double sum = u + v + w;
    const double share[3] = {u / sum, v / sum, w / sum};
    const struct point at = with(with(with(origin, a, share[0]), b, share[1]), c, share[2]);
    double squared;
    if (is_nearer(foot, at, &squared)) {
        *foot = (struct foot){squared, at, 3, {i, j, k}, {share[0], share[1], share[2]}};
    }
}

// Examines no face when the origin lies inside.
static void look_at_tetrahedron(struct foot *foot, const struct simplex *s) {
    static const uint32_t face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    for (unsigned f = 0; f < 4; f++) {
        const struct point a = s->corner[face[f][0]];
        const struct point normal =
            point_cross(point_sub(s->corner[face[f][1]], a), point_sub(s->corner[face[f][2]], a));
        const double height = -point_dot(normal, a);
        const double opposite = point_dot(normal, point_sub(s->corner[face[f][3]], a));
        if (height * opposite < 0.0 || opposite == 0.0) {
            look_at_triangle(foot, s, face[f][0], face[f][1], face[f][2]);
        }
    }
}

static void look_at_all(struct foot *foot, const struct simplex *s) {
    foot->count = 0;
    if (s->count == 2) {
        look_at_edge(foot, s, 0, 1);
    } else if (s->count == 3) {
        look_at_triangle(foot, s, 0, 1, 2);
    } else {
        look_at_tetrahedron(foot, s);
    }
}

// Keeps only the corners that carry the nearest point.
static void reduce(struct simplex *s, const struct foot *foot) {
    const struct simplex all = *s;
    s->count = foot->count;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t i = k < foot->count ? foot->corner[k] : 0;
        s->corner[k] = all.corner[i];
        s->a[k] = all.a[i];
        s->b[k] = all.b[i];
        s->weight[k] = foot->weight[k];
    }
}

static bool has(const struct simplex *s, uint32_t a, uint32_t b) {
    for (uint32_t k = 0; k < s->count; k++) {
        if (s->a[k] == a && s->b[k] == b) {
            return true;
        }
    }
    return false;
}

static inline void add_corner(struct simplex *s, struct point at, uint32_t ia, uint32_t ib) {
    s->corner[s->count] = at;
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
    struct simplex s;
    s.count = 0;
    add_corner(&s, point_sub(a->vertex[0], b->vertex[0]), 0, 0);
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
        struct foot foot;
        add_corner(&s, w, ia, ib);
        look_at_all(&foot, &s);
        if (foot.count == 0) {
            return (struct separation){0};
        }
        if (!(foot.squared < squared)) {
            s.count--; // only rounding is left to gain
            break;
        }
        reduce(&s, &foot);
        v = foot.at;
    }
    return separation_of(&s, v);
}
