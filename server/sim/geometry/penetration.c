// SPDX-License-Identifier: MIT
// The expanding polytope algorithm (G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game
// Objects", 2001) on the difference A − B.
//
// A polytope of points of the difference's surface grows where its nearest face is: the farthest point of the
// difference beyond that face is added, and the faces that see it are replaced by a cone. Distances are signed, so the
// polytope need not contain the origin at first, and shapes that are apart are recognised. The algorithm ends when no
// point lies beyond the nearest face: that face belongs to the difference itself, and its normal is exact.
#include "sim/geometry/penetration.h"

#define ROUNDS_MAX 96u
#define CORNERS_MAX (4u + ROUNDS_MAX)
#define FACES_MAX (2u * CORNERS_MAX)
#define ENOUGH 1e-9      // share of the shapes' size: points no farther beyond a face lie on it
#define PLANE_SHARE 1e-7 // share of the shapes' size: triangles that differ less lie in one plane

struct corner {
    struct point at; // of A − B
    uint32_t a, b;   // the vertices whose difference it is
};

struct face {
    uint32_t corner[3];  // counter-clockwise seen from outside
    struct point normal; // unit, outward
    double distance;     // signed distance of its plane from the origin along the normal
};

struct polytope {
    const struct convex *a, *b;
    double size; // m
    uint32_t corners, faces;
    struct corner corner[CORNERS_MAX];
    struct face face[FACES_MAX];
};

static uint32_t farthest(const struct convex *shape, struct point direction, double sign) {
    uint32_t best = 0;
    double most = sign * point_dot(shape->vertex[0], direction);
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double along = sign * point_dot(shape->vertex[i], direction);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

static struct corner support(const struct polytope *p, struct point direction) {
    struct corner corner = {.a = farthest(p->a, direction, 1.0), .b = farthest(p->b, direction, -1.0)};
    corner.at = point_sub(p->a->vertex[corner.a], p->b->vertex[corner.b]);
    return corner;
}

static bool add_face(struct polytope *p, uint32_t i, uint32_t j, uint32_t k) {
    const struct point o = p->corner[i].at;
    const struct point across = point_cross(point_sub(p->corner[j].at, o), point_sub(p->corner[k].at, o));
    const double area = point_length(across);
    if (!(area > 1e-14 * p->size * p->size) || p->faces == FACES_MAX) {
        return false;
    }
    struct face *face = &p->face[p->faces];
    *face = (struct face){.corner = {i, j, k}, .normal = point_scale(across, 1.0 / area)};
    face->distance = point_dot(face->normal, o);
    p->faces++;
    return true;
}

// ---- the first four corners --------------------------------------------------------------------------------------

static struct point axis_across(struct point way) {
    const double x = way.x < 0.0 ? -way.x : way.x;
    const double y = way.y < 0.0 ? -way.y : way.y;
    const double z = way.z < 0.0 ? -way.z : way.z;
    if (x <= y && x <= z) {
        return (struct point){1.0, 0.0, 0.0};
    }
    return y <= z ? (struct point){0.0, 1.0, 0.0} : (struct point){0.0, 0.0, 1.0};
}

// The corner farther from the plane or line through the present corners, of the two along ±direction.
static struct corner farther_of_two(const struct polytope *p, struct point direction) {
    const struct corner up = support(p, direction);
    const struct corner down = support(p, point_scale(direction, -1.0));
    const struct point o = p->corner[0].at;
    const double above = point_dot(point_sub(up.at, o), direction);
    const double below = -point_dot(point_sub(down.at, o), direction);
    return above >= below ? up : down;
}

static void push(struct polytope *p, struct corner corner) {
    p->corner[p->corners] = corner;
    p->corners++;
}

static bool begin(struct polytope *p, struct point way) {
    const double length = point_length(way);
    const struct point first = length > 0.0 ? way : (struct point){1.0, 0.0, 0.0};
    push(p, support(p, point_scale(first, -1.0)));
    push(p, support(p, first));
    struct point edge = point_sub(p->corner[1].at, p->corner[0].at);
    if (!(point_length(edge) > 0.0)) {
        return false;
    }
    push(p, farther_of_two(p, point_cross(edge, axis_across(edge))));
    struct point normal = point_cross(edge, point_sub(p->corner[2].at, p->corner[0].at));
    if (!(point_length(normal) > 1e-12 * p->size * p->size)) { // thin: another perpendicular direction
        p->corners--;
        push(p, farther_of_two(p, point_cross(edge, point_cross(edge, axis_across(edge)))));
        normal = point_cross(edge, point_sub(p->corner[2].at, p->corner[0].at));
    }
    push(p, farther_of_two(p, normal));
    const bool above = point_dot(normal, point_sub(p->corner[3].at, p->corner[0].at)) > 0.0;
    const uint32_t i = above ? 2 : 1;
    const uint32_t j = above ? 1 : 2;
    return add_face(p, 0, i, j) && add_face(p, 0, j, 3) && add_face(p, j, i, 3) && add_face(p, i, 0, 3);
}

// ---- growing -----------------------------------------------------------------------------------------------------

static uint32_t nearest_face(const struct polytope *p) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < p->faces; i++) {
        best = p->face[i].distance < p->face[best].distance ? i : best;
    }
    return best;
}

static bool has_edge(uint32_t (*edge)[2], uint32_t edges, uint32_t from, uint32_t to, uint32_t *where) {
    for (uint32_t i = 0; i < edges; i++) {
        if (edge[i][0] == from && edge[i][1] == to) {
            *where = i;
            return true;
        }
    }
    return false;
}

// Removes the faces that see the corner and stores the border of the hole in `edge`.
static uint32_t open_up(struct polytope *p, struct point at, uint32_t (*edge)[2]) {
    uint32_t edges = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->faces; i++) {
        const struct face face = p->face[i];
        if (!(point_dot(face.normal, at) - face.distance > 0.25 * ENOUGH * p->size)) {
            p->face[kept] = face;
            kept++;
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t from = face.corner[k];
            const uint32_t to = face.corner[(k + 1) % 3];
            uint32_t where = 0;
            if (has_edge(edge, edges, to, from, &where)) {
                edges--;
                edge[where][0] = edge[edges][0];
                edge[where][1] = edge[edges][1];
            } else {
                edge[edges][0] = from;
                edge[edges][1] = to;
                edges++;
            }
        }
    }
    p->faces = kept;
    return edges;
}

static bool grow(struct polytope *p, struct corner corner) {
    uint32_t edge[3 * FACES_MAX][2];
    const uint32_t edges = open_up(p, corner.at, edge);
    const uint32_t at = p->corners;
    push(p, corner);
    for (uint32_t i = 0; i < edges; i++) {
        if (!add_face(p, edge[i][0], edge[i][1], at)) {
            return false;
        }
    }
    return p->faces > 0;
}

// ---- the result --------------------------------------------------------------------------------------------------

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

// Sets the weights of the face's corners in the foot of the origin, by areas. Returns the least of them.
static double shares_of(const struct polytope *p, const struct face *face, double share[3]) {
    const struct point foot = point_scale(face->normal, face->distance);
    double sum = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        const struct point from = point_sub(p->corner[face->corner[(k + 1) % 3]].at, foot);
        const struct point to = point_sub(p->corner[face->corner[(k + 2) % 3]].at, foot);
        share[k] = point_dot(face->normal, point_cross(from, to));
        sum += share[k];
    }
    double least = 1.0;
    for (unsigned k = 0; k < 3; k++) {
        share[k] /= sum;
        least = share[k] < least ? share[k] : least;
    }
    return least;
}

// Among the triangles in the plane of the nearest one, the one that contains the foot of the origin gives the pair of
// points.
static struct penetration result_of(const struct polytope *p, const struct face *nearest, double depth) {
    struct penetration found = {.depth = depth, .normal = point_scale(nearest->normal, -1.0)};
    double share[3];
    double best[3];
    double most = shares_of(p, nearest, best);
    const struct face *holder = nearest;
    for (uint32_t i = 0; i < p->faces; i++) {
        const struct face *face = &p->face[i];
        const double off = face->distance - nearest->distance;
        if (off < PLANE_SHARE * p->size && point_dot(face->normal, nearest->normal) > 1.0 - PLANE_SHARE) {
            const double least = shares_of(p, face, share);
            if (least > most) {
                most = least;
                holder = face;
                memcpy(best, share, sizeof best);
            }
        }
    }
    double sum = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        best[k] = best[k] > 0.0 ? best[k] : 0.0;
        sum += best[k];
    }
    for (unsigned k = 0; k < 3; k++) {
        mix_in(&found.a, p->corner[holder->corner[k]].a, best[k] / sum);
        mix_in(&found.b, p->corner[holder->corner[k]].b, best[k] / sum);
    }
    return found;
}

static double size_of(const struct convex *shape) {
    double most = 0.0;
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double length = point_length(point_sub(shape->vertex[i], shape->vertex[0]));
        most = length > most ? length : most;
    }
    return most;
}

static struct point middle_of(const struct convex *shape) {
    struct point sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < shape->vertices; i++) {
        sum = point_add(sum, shape->vertex[i]);
    }
    return point_scale(sum, 1.0 / (double)shape->vertices);
}

bool penetration_find(const struct convex *a, const struct convex *b, struct penetration *found) {
    struct polytope p;
    p.a = a;
    p.b = b;
    p.size = size_of(a) + size_of(b);
    p.corners = 0;
    p.faces = 0;
    if (!begin(&p, point_sub(middle_of(a), middle_of(b)))) {
        return false;
    }
    for (unsigned round = 0;; round++) {
        const struct face nearest = p.face[nearest_face(&p)];
        const struct corner corner = support(&p, nearest.normal);
        const double beyond = point_dot(nearest.normal, corner.at) - nearest.distance;
        if (!(beyond > ENOUGH * p.size) || round == ROUNDS_MAX) {
            *found = result_of(&p, &nearest, nearest.distance + (beyond > 0.0 ? beyond : 0.0));
            return true;
        }
        if (!grow(&p, corner)) {
            return false;
        }
    }
}
