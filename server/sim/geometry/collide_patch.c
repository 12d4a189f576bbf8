// SPDX-License-Identifier: MIT
// The patch in which two convex shapes face one another: a face on a face touches in a polygon, of which up to four
// points are kept (I. Sutherland, G. Hodgman, "Reentrant polygon clipping", 1974; the choice of four as in E. Catto,
// "Contact manifolds", 2007).
//
// Each shape contributes the feature that faces the other: a face that is nearly perpendicular to the normal, otherwise
// an edge, otherwise a corner. Both features are projected into the plane across the normal and clipped there.
#include "sim/geometry/collide_patch.h"

#define FACE_COSINE 0.96 // a face is perpendicular to the normal within 16°
#define EDGE_SLOPE 0.1   // an edge lies across the normal
#define PLANE_SHARE 1e-3 // share of the thickness behind a face within which vertices are its corners
#define CLIPPED_MAX (2u * COLLIDE_VERTICES_MAX)

struct flat {
    double u, v;
};

struct side {
    uint32_t corners; // 1, 2 or a polygon, counter-clockwise in (u, v)
    uint32_t vertex[COLLIDE_VERTICES_MAX];
    struct flat at[COLLIDE_VERTICES_MAX];
};

struct plane_basis {
    struct point u, v;
};

static struct plane_basis basis_across(struct point n) {
    const double x = n.x < 0.0 ? -n.x : n.x;
    const double y = n.y < 0.0 ? -n.y : n.y;
    const struct point helper = x < 0.57   ? (struct point){1.0, 0.0, 0.0}
                                : y < 0.57 ? (struct point){0.0, 1.0, 0.0}
                                           : (struct point){0.0, 0.0, 1.0};
    const struct point across = point_cross(n, helper);
    const struct point u = point_scale(across, 1.0 / point_length(across));
    return (struct plane_basis){u, point_cross(n, u)};
}

static struct flat lay(const struct plane_basis *basis, struct point p) {
    return (struct flat){point_dot(p, basis->u), point_dot(p, basis->v)};
}

// Twice the area of a, b, c; positive when counter-clockwise.
static double turn(struct flat a, struct flat b, struct flat c) {
    return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

static double apart(struct flat a, struct flat b) {
    return (b.u - a.u) * (b.u - a.u) + (b.v - a.v) * (b.v - a.v);
}

// ---- the feature that faces a direction --------------------------------------------------------------------------

static double extent_of(const struct convex *shape) {
    double most = 0.0;
    for (uint32_t i = 1; i < shape->vertices; i++) {
        const double length = point_length(point_sub(shape->vertex[i], shape->vertex[0]));
        most = length > most ? length : most;
    }
    return most;
}

// Finds the unit normal of the face that is most nearly perpendicular to `direction`. Returns false when none is near
// enough.
static bool find_face(const struct convex *shape, struct point direction, struct point *normal, struct point *origin) {
    double best = FACE_COSINE;
    bool found = false;
    for (uint32_t f = 0; f < shape->triangles; f++) {
        const uint32_t *corner = shape->triangle + 3 * (size_t)f;
        const struct point a = shape->vertex[corner[0]];
        const struct point n =
            point_cross(point_sub(shape->vertex[corner[1]], a), point_sub(shape->vertex[corner[2]], a));
        const double length = point_length(n);
        double cosine = length > 0.0 ? point_dot(n, direction) / length : 0.0;
        if (shape->triangles == 1 && cosine < 0.0) {
            cosine = -cosine; // a single triangle has two sides
        }
        if (cosine > best) {
            best = cosine;
            *normal = point_scale(n, 1.0 / length);
            *origin = a;
            found = true;
        }
    }
    return found;
}

// Gift wrapping from the leftmost corner; of corners in line, the farthest is taken.
static void wrap(struct side *side) {
    struct side hull;
    uint32_t start = 0;
    hull.corners = 0;
    if (side->corners < 2) {
        return;
    }
    for (uint32_t i = 1; i < side->corners; i++) {
        const bool left = side->at[i].u < side->at[start].u;
        start = left || (side->at[i].u == side->at[start].u && side->at[i].v < side->at[start].v) ? i : start;
    }
    uint32_t current = start;
    do {
        hull.vertex[hull.corners] = side->vertex[current];
        hull.at[hull.corners] = side->at[current];
        hull.corners++;
        uint32_t next = current == 0 ? 1 : 0;
        for (uint32_t i = 0; i < side->corners; i++) {
            const double right = turn(side->at[current], side->at[next], side->at[i]);
            const bool farther = apart(side->at[current], side->at[i]) > apart(side->at[current], side->at[next]);
            next = right < 0.0 || (right == 0.0 && farther) ? i : next;
        }
        current = next;
    } while (current != start && hull.corners < side->corners);
    side->corners = hull.corners;
    memcpy(side->vertex, hull.vertex, hull.corners * sizeof *hull.vertex);
    memcpy(side->at, hull.at, hull.corners * sizeof *hull.at);
}

static void add_corner(struct side *side, const struct convex *shape, const struct plane_basis *basis, uint32_t i) {
    side->vertex[side->corners] = i;
    side->at[side->corners] = lay(basis, shape->vertex[i]);
    side->corners++;
}

// The farthest vertex, and a second one if the edge to it lies across the direction.
static void take_edge(struct side *side, const struct convex *shape, const struct plane_basis *basis,
                      struct point direction) {
    uint32_t tip = 0;
    for (uint32_t i = 1; i < shape->vertices; i++) {
        tip = point_dot(shape->vertex[i], direction) > point_dot(shape->vertex[tip], direction) ? i : tip;
    }
    add_corner(side, shape, basis, tip);
    double flattest = EDGE_SLOPE;
    uint32_t partner = tip;
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const struct point way = point_sub(shape->vertex[tip], shape->vertex[i]);
        const double length = point_length(way);
        const double slope = length > 0.0 ? point_dot(way, direction) / length : 1.0;
        if (i != tip && slope < flattest) {
            flattest = slope;
            partner = i;
        }
    }
    if (partner != tip) {
        add_corner(side, shape, basis, partner);
    }
}

// Small enough that the two faces of a thin plate stay apart.
static double plane_tolerance(const struct convex *shape, struct point normal, struct point origin) {
    double thickness = 0.0;
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const double below = point_dot(normal, point_sub(origin, shape->vertex[i]));
        thickness = below > thickness ? below : thickness;
    }
    return PLANE_SHARE * thickness + 1e-9 * extent_of(shape);
}

static void find_side(struct side *side, const struct convex *shape, const struct plane_basis *basis,
                      struct point direction) {
    struct point normal;
    struct point origin;
    side->corners = 0;
    if (!find_face(shape, direction, &normal, &origin)) {
        take_edge(side, shape, basis, direction);
        return;
    }
    const double tolerance = plane_tolerance(shape, normal, origin);
    for (uint32_t i = 0; i < shape->vertices; i++) {
        const double off = point_dot(normal, point_sub(shape->vertex[i], origin));
        if (off <= tolerance && off >= -tolerance) {
            add_corner(side, shape, basis, i);
        }
    }
    wrap(side);
}

// ---- clipping ----------------------------------------------------------------------------------------------------

static uint32_t clip_at(const struct flat *from, uint32_t count, struct flat a, struct flat b, struct flat *to) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct flat p = from[i];
        const struct flat q = from[(i + 1) % count];
        const double here = turn(a, b, p);
        const double there = turn(a, b, q);
        if (here >= 0.0) {
            to[kept] = p;
            kept++;
        }
        if ((here < 0.0) != (there < 0.0) && kept < CLIPPED_MAX) {
            const double t = here / (here - there);
            to[kept] = (struct flat){p.u + t * (q.u - p.u), p.v + t * (q.v - p.v)};
            kept++;
        }
        if (kept >= CLIPPED_MAX) {
            break;
        }
    }
    return kept;
}

static uint32_t clip_by_polygon(const struct side *subject, const struct side *clip, struct flat *points) {
    struct flat other[CLIPPED_MAX];
    uint32_t count = subject->corners;
    memcpy(points, subject->at, count * sizeof *points);
    for (uint32_t i = 0; i < clip->corners && count > 0; i++) {
        count = clip_at(points, count, clip->at[i], clip->at[(i + 1) % clip->corners], other);
        memcpy(points, other, count * sizeof *points);
    }
    return count;
}

// Finds where two edges cross, if they do.
static uint32_t cross_edges(const struct side *subject, const struct side *clip, struct flat *points) {
    const struct flat p = subject->at[0], q = subject->at[1];
    const double from = turn(clip->at[0], clip->at[1], p);
    const double to = turn(clip->at[0], clip->at[1], q);
    const double a = turn(p, q, clip->at[0]);
    const double b = turn(p, q, clip->at[1]);
    if ((from < 0.0) == (to < 0.0) || (a < 0.0) == (b < 0.0)) {
        return 0;
    }
    const double t = from / (from - to);
    points[0] = (struct flat){p.u + t * (q.u - p.u), p.v + t * (q.v - p.v)};
    return 1;
}

// Two parallel edges share an interval.
static uint32_t clip_by_edge(const struct side *subject, const struct side *clip, struct flat *points) {
    const struct flat a = clip->at[0], b = clip->at[1];
    const struct flat p = subject->at[0], q = subject->at[1];
    const double length = apart(a, b);
    const double cross = turn(a, b, q) - turn(a, b, p);
    if (!(cross * cross < EDGE_SLOPE * EDGE_SLOPE * length * apart(p, q))) {
        return cross_edges(subject, clip, points);
    }
    const double along_p = ((p.u - a.u) * (b.u - a.u) + (p.v - a.v) * (b.v - a.v)) / length;
    const double along_q = ((q.u - a.u) * (b.u - a.u) + (q.v - a.v) * (b.v - a.v)) / length;
    const double low = along_p < along_q ? along_p : along_q;
    const double high = along_p < along_q ? along_q : along_p;
    const double from = low > 0.0 ? low : 0.0;
    const double to = high < 1.0 ? high : 1.0;
    if (!(from < to)) {
        return 0;
    }
    for (unsigned k = 0; k < 2; k++) {
        const double t = ((k == 0 ? from : to) - along_p) / (along_q - along_p);
        points[k] = (struct flat){p.u + t * (q.u - p.u), p.v + t * (q.v - p.v)};
    }
    return 2;
}

static uint32_t clip_sides(const struct side *a, const struct side *b, struct flat *points) {
    if (b->corners >= 3) {
        return clip_by_polygon(a, b, points);
    }
    if (a->corners >= 3) {
        return clip_by_polygon(b, a, points);
    }
    return a->corners == 2 && b->corners == 2 ? clip_by_edge(a, b, points) : 0;
}

// ---- back onto the shapes ----------------------------------------------------------------------------------------

static double clamped(double t) {
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static struct mixture on_edge(const struct side *side, struct flat p) {
    const struct flat a = side->at[0], b = side->at[1];
    const double t = clamped(((p.u - a.u) * (b.u - a.u) + (p.v - a.v) * (b.v - a.v)) / apart(a, b));
    return (struct mixture){2, {side->vertex[0], side->vertex[1]}, {1.0 - t, t}};
}

// Expresses p in the triangle of the fan about the first corner that contains p, or is nearest to it.
static struct mixture on_polygon(const struct side *side, struct flat p) {
    struct mixture found = {1, {side->vertex[0]}, {1.0}};
    double best = -1e30;
    for (uint32_t i = 1; i + 1 < side->corners; i++) {
        const struct flat a = side->at[0], b = side->at[i], c = side->at[i + 1];
        const double area = turn(a, b, c);
        if (!(area > 0.0)) {
            continue;
        }
        const double v = turn(c, a, p) / area;
        const double w = turn(a, b, p) / area;
        const double u = 1.0 - v - w;
        const double least = u < v ? (u < w ? u : w) : (v < w ? v : w);
        if (least > best) {
            const double cu = clamped(u), cv = clamped(v), cw = clamped(w);
            const double sum = cu + cv + cw;
            best = least;
            found = (struct mixture){
                3, {side->vertex[0], side->vertex[i], side->vertex[i + 1]}, {cu / sum, cv / sum, cw / sum}};
        }
    }
    return found;
}

static struct mixture lift(const struct side *side, struct flat p) {
    if (side->corners == 1) {
        return (struct mixture){1, {side->vertex[0]}, {1.0}};
    }
    return side->corners == 2 ? on_edge(side, p) : on_polygon(side, p);
}

// Keeps the deepest of many points, then repeatedly the point farthest from those that are kept.
static uint32_t choose(struct patch_point *all, const struct flat *at, uint32_t count, struct patch_point *patch) {
    double spread[CLIPPED_MAX];
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        spread[i] = 1e30;
        next = all[i].gap < all[next].gap ? i : next;
    }
    uint32_t chosen = 0;
    while (chosen < COLLIDE_PATCH_MAX && chosen < count) {
        patch[chosen] = all[next];
        chosen++;
        const struct flat taken = at[next];
        uint32_t farthest = 0;
        for (uint32_t i = 0; i < count; i++) {
            const double squared = apart(at[i], taken);
            spread[i] = squared < spread[i] ? squared : spread[i];
            farthest = spread[i] > spread[farthest] ? i : farthest;
        }
        if (!(spread[farthest] > 0.0)) {
            break;
        }
        next = farthest;
    }
    return chosen;
}

uint32_t collide_patch(const struct convex *a, const struct convex *b, struct point normal,
                       struct patch_point patch[COLLIDE_PATCH_MAX]) {
    const struct plane_basis basis = basis_across(normal);
    struct side side_a;
    struct side side_b;
    find_side(&side_a, a, &basis, point_scale(normal, -1.0));
    find_side(&side_b, b, &basis, normal);
    struct flat at[CLIPPED_MAX];
    struct patch_point all[CLIPPED_MAX];
    const uint32_t count = clip_sides(&side_a, &side_b, at);
    for (uint32_t i = 0; i < count; i++) {
        all[i].a = lift(&side_a, at[i]);
        all[i].b = lift(&side_b, at[i]);
        all[i].on_b = point_mix(&all[i].b, b->vertex);
        all[i].gap = point_dot(normal, point_sub(point_mix(&all[i].a, a->vertex), all[i].on_b));
    }
    return choose(all, at, count, patch);
}
