// SPDX-License-Identifier: MIT
// Contacts between two convex parts that move (PHYSICS.md 4.6).
//
// Slow parts are compared where the substep has carried them: overlapping parts are separated along the direction in
// which they come apart soonest, near ones have a contact along their shortest distance. Parts that move far against
// their thickness within the substep are followed to where they first come near (conservative advancement; B. Mirtich,
// 1996) and keep the direction found there, so that nothing passes through.
#include "sim/body/body_pair.h"

#include "sim/body/body_contact.h"
#include "sim/body/body_shape.h"
#include "sim/contact/grip.h"
#include "sim/geometry/collide_gjk.h"
#include "sim/geometry/penetration.h"
#include "sim/geometry/round.h"
#include "sim/world/joint.h"
#include "sim/world/part.h"

#define NEAR_SHARE 0.02 // share of the thinner part: points as near as this join the contact
#define FAST_SHARE 0.25 // share of the thinner part: a longer relative motion is followed
// Share of the thinner part: parts that overlap more at the start are separated, not followed.
#define OVERLAP_SHARE 0.5
#define ADVANCE_ROUNDS 24u
#define TOUCH_SHARE 0.01 // share of the thinner part: parts as near as this touch

// The plane in which two parts that are followed meet, and the part whose vertices are kept on their side of it.
struct contact_plane {
    struct point normal;   // unit, from B to A
    struct point on_plane; // m, a point of the other part
    double share;          // share of the path
    double round;          // m, distance to keep around vertices that are round
    bool vertices_of_a;
};

// ---- present positions -------------------------------------------------------------------------------------------

static void set_shapes(const struct sim_world *world, struct part_pair *pair, double share) {
    body_shape_set(world, pair->a, share, &pair->shape_a);
    body_shape_set(world, pair->b, share, &pair->shape_b);
}

// True of the core of a ball or a capsule.
static bool is_thin(const struct body_shape *shape) {
    return shape->convex.triangles == 0;
}

// Keeps a triangle, stick or particle on the side on which it was when the substep began: it is too thin for its
// overlap to show the side.
static bool side_at_start(const struct sim_world *world, const struct part_pair *pair, struct penetration *found) {
    struct body_shape a;
    struct body_shape b;
    body_shape_set(world, pair->a, 0.0, &a);
    body_shape_set(world, pair->b, 0.0, &b);
    const struct separation before = collide_distance(&a.convex, &b.convex);
    if (!(before.distance > 0.0)) {
        return false;
    }
    double low_a = 1e30;
    double high_b = -1e30;
    *found = (struct penetration){.normal = before.normal, .a = {1, {0}, {1.0}}, .b = {1, {0}, {1.0}}};
    for (uint32_t i = 0; i < pair->shape_a.convex.vertices; i++) {
        const double along = point_dot(before.normal, pair->shape_a.vertex[i]);
        found->a.vertex[0] = along < low_a ? i : found->a.vertex[0];
        low_a = along < low_a ? along : low_a;
    }
    for (uint32_t i = 0; i < pair->shape_b.convex.vertices; i++) {
        const double along = point_dot(before.normal, pair->shape_b.vertex[i]);
        found->b.vertex[0] = along > high_b ? i : found->b.vertex[0];
        high_b = along > high_b ? along : high_b;
    }
    found->depth = high_b - low_a;
    return true;
}

static void detect_here(struct sim_world *world, struct part_pair *pair) {
    set_shapes(world, pair, 1.0);
    const struct separation apart = collide_distance(&pair->shape_a.convex, &pair->shape_b.convex);
    if (apart.distance > 0.0) {
        const double most = pair->only_overlaps ? pair->keep : pair->keep + pair->near;
        if (apart.distance <= most) {
            body_contact_patch(world, pair, apart.normal, &apart.a, &apart.b, apart.distance);
        }
        return;
    }
    struct penetration deep;
    const bool thin =
        pair->a->particles < 4 || pair->b->particles < 4 || is_thin(&pair->shape_a) || is_thin(&pair->shape_b);
    if ((thin && side_at_start(world, pair, &deep)) ||
        penetration_find(&pair->shape_a.convex, &pair->shape_b.convex, &deep)) {
        body_contact_patch(world, pair, deep.normal, &deep.a, &deep.b, -deep.depth);
    }
}

// ---- followed paths ----------------------------------------------------------------------------------------------

static double size_of(const struct body_shape *shape) {
    double most = 0.0;
    for (uint32_t i = 1; i < shape->convex.vertices; i++) {
        const double length = point_length(point_sub(shape->vertex[i], shape->vertex[0]));
        most = length > most ? length : most;
    }
    return most;
}

// The longest path of a vertex relative to the common motion of both parts.
static double longest_way(const struct body_shape *from, const struct body_shape *to, struct point common) {
    double most = 0.0;
    for (uint32_t i = 0; i < from->convex.vertices; i++) {
        const struct point way = point_sub(point_sub(to->vertex[i], from->vertex[i]), common);
        const double length = point_length(way);
        most = length > most ? length : most;
    }
    return most;
}

static struct point mean_way(const struct body_shape *from, const struct body_shape *to) {
    struct point sum = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < from->convex.vertices; i++) {
        sum = point_add(sum, point_sub(to->vertex[i], from->vertex[i]));
    }
    return point_scale(sum, 1.0 / (double)from->convex.vertices);
}

// Sets the weights of a part's four particles for any point of space. Returns false when the particles lie in a plane.
static bool weights_at(const struct sim_world *world, const struct body_part *part, double share, struct point at,
                       float weight[4]) {
    struct point corner[4];
    for (unsigned k = 0; k < 4; k++) {
        corner[k] = body_particle_between(world, part->slot[k], share);
    }
    const struct point e1 = point_sub(corner[1], corner[0]);
    const struct point e2 = point_sub(corner[2], corner[0]);
    const struct point e3 = point_sub(corner[3], corner[0]);
    const struct point to = point_sub(at, corner[0]);
    const double determinant = point_dot(point_cross(e1, e2), e3);
    if (determinant == 0.0) {
        return false;
    }
    weight[1] = (float)(point_dot(point_cross(to, e2), e3) / determinant);
    weight[2] = (float)(point_dot(point_cross(e1, to), e3) / determinant);
    weight[3] = (float)(point_dot(point_cross(e1, e2), to) / determinant);
    weight[0] = 1.0f - (weight[1] + weight[2] + weight[3]);
    return true;
}

// Adds a contact of one vertex with the plane of contact, which moves with the other part.
static void add_vertex(struct sim_world *world, const struct part_pair *pair, const struct contact_plane *plane,
                       uint32_t vertex) {
    const bool of_a = plane->vertices_of_a;
    const struct body_part *mine = of_a ? pair->a : pair->b;
    const struct body_part *other = of_a ? pair->b : pair->a;
    const struct body_shape *shape = of_a ? &pair->shape_a : &pair->shape_b;
    const struct mixture sole = {1, {vertex}, {1.0}};
    const double height = point_dot(plane->normal, point_sub(shape->vertex[vertex], plane->on_plane));
    const struct point foot = point_sub(shape->vertex[vertex], point_scale(plane->normal, height));
    struct contact contact = body_contact_of(world, pair, plane->normal);
    float weight[4];
    if (!weights_at(world, other, plane->share, foot, weight)) {
        return;
    }
    body_contact_weigh(mine, shape, &sole, of_a ? 1.0f : -1.0f, &contact);
    for (unsigned k = 0; k < 4; k++) {
        contact.slot[contact.carriers] = other->slot[k];
        contact.weight[contact.carriers] = of_a ? -weight[k] : weight[k];
        contact.carriers++;
    }
    if (pair->round > 0.0) {
        const float arm[2] = {body_part_is_embedded(pair->a) ? pair->a->radius : 0.0f,
                              body_part_is_embedded(pair->b) ? pair->b->radius : 0.0f};
        (void)grip_add_contact(world, &contact, arm);
        return;
    }
    (void)contact_add(world, &contact);
}

// The rest of the substep after the two meet; the plane of contact moves with the other part.
struct rest_of_substep {
    struct body_shape to; // at the end
    double carried;       // m, path of the plane along the normal
    double approach;      // m, approach of the centres
};

static void set_rest(const struct sim_world *world, const struct part_pair *pair, const struct contact_plane *plane,
                     struct rest_of_substep *rest) {
    const bool of_a = plane->vertices_of_a;
    struct body_shape other_to;
    body_shape_set(world, of_a ? pair->a : pair->b, 1.0, &rest->to);
    body_shape_set(world, of_a ? pair->b : pair->a, 1.0, &other_to);
    const struct point way = mean_way(of_a ? &pair->shape_a : &pair->shape_b, &rest->to);
    const struct point other_way = mean_way(of_a ? &pair->shape_b : &pair->shape_a, &other_to);
    rest->carried = point_dot(plane->normal, other_way);
    rest->approach = (of_a ? -1.0 : 1.0) * (point_dot(plane->normal, way) - rest->carried);
}

static double depth_past(const struct rest_of_substep *rest, const struct contact_plane *plane, uint32_t vertex) {
    const struct point from_plane = point_sub(rest->to.vertex[vertex], plane->on_plane);
    const double height = point_dot(plane->normal, from_plane) - rest->carried;
    return (plane->vertices_of_a ? -height : height) + plane->round;
}

// Adds a contact with weights by mass, which moves a part as a whole: it takes back the rest of the approach of the
// centres before the contacts of corners act, whose push alone would bend a small fast body more than the iterations
// can mend.
static void add_whole(struct sim_world *world, const struct part_pair *pair, const struct contact_plane *plane,
                      double push) {
    const struct body_part *part[2] = {pair->a, pair->b};
    struct contact contact = body_contact_of(world, pair, plane->normal);
    double apart = 0.0;
    for (unsigned side = 0; side < 2; side++) {
        const uint32_t count = part[side]->particles;
        double mass = 0.0;
        for (uint32_t k = 0; k < count; k++) {
            mass += 1.0 / (double)world->own_w[part[side]->slot[k]];
        }
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t slot = part[side]->slot[k];
            const double weight = (side == 0 ? 1.0 : -1.0) / ((double)world->own_w[slot] * mass);
            contact.slot[contact.carriers] = slot;
            contact.weight[contact.carriers] = (float)weight;
            contact.carriers++;
            apart += weight * point_dot(plane->normal, body_particle_between(world, slot, 1.0));
        }
    }
    contact.friction = 0.0f;
    contact.offset = (float)(apart + push);
    (void)contact_add(world, &contact);
}

// The contact that stops a corner does not stop the rest of the part: the four vertices of the smaller part that would
// get farthest beyond the plane of contact are kept on its side as well.
static void add_vertices(struct sim_world *world, const struct part_pair *pair, const struct contact_plane *plane) {
    const uint32_t vertices = (plane->vertices_of_a ? &pair->shape_a : &pair->shape_b)->convex.vertices;
    const bool solid = (plane->vertices_of_a ? pair->b : pair->a)->particles == 4;
    struct rest_of_substep rest;
    double last_depth = 1e30;
    uint32_t last = UINT32_MAX;
    set_rest(world, pair, plane, &rest);
    for (unsigned chosen = 0; chosen < COLLIDE_PATCH_MAX; chosen++) {
        double most = 0.0;
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < vertices; i++) {
            const double depth = depth_past(&rest, plane, i);
            const bool left = depth < last_depth || (depth == last_depth && i > last);
            if (left && depth > most) {
                most = depth;
                next = i;
            }
        }
        if (next == UINT32_MAX) {
            return;
        }
        if (chosen == 0 && contact_restitution(world->object[pair->a->object].restitution,
                                               world->object[pair->b->object].restitution) == 0.0f) {
            add_whole(world, pair, plane, most < rest.approach ? most : rest.approach);
        }
        if (solid) {
            add_vertex(world, pair, plane, next);
        }
        last_depth = most;
        last = next;
    }
}

// Adds the contacts of two parts that meet here, on their path or at its start.
static void add_meeting(struct sim_world *world, const struct part_pair *pair, const struct penetration *met,
                        double share) {
    const bool of_a = size_of(&pair->shape_a) <= size_of(&pair->shape_b);
    const struct contact_plane plane = {
        .normal = met->normal,
        .on_plane = of_a ? point_mix(&met->b, pair->shape_b.vertex) : point_mix(&met->a, pair->shape_a.vertex),
        .share = share,
        .round = pair->round,
        .vertices_of_a = of_a,
    };
    add_vertices(world, pair, &plane);
    body_contact_patch(world, pair, met->normal, &met->a, &met->b, -met->depth);
}

// The distance of the two along a normal at the end of the substep.
static double gap_along(struct point normal, const struct body_shape *a, const struct body_shape *b) {
    double low = 1e30;
    double high = -1e30;
    for (uint32_t i = 0; i < a->convex.vertices; i++) {
        const double along = point_dot(normal, point_sub(a->vertex[i], b->vertex[0]));
        low = along < low ? along : low;
    }
    for (uint32_t i = 0; i < b->convex.vertices; i++) {
        const double along = point_dot(normal, point_sub(b->vertex[i], b->vertex[0]));
        high = along > high ? along : high;
    }
    return low - high;
}

// Follows the two. Returns true when they meet, or reach the end without meeting. Parts that the last substep's
// iterations left overlapping a little meet at once. Vertices move straight, so that along a fixed normal the distance
// falls faster and faster: the parts stay apart at least until it would be 0 if it fell evenly.
static bool detect_on_the_way(struct sim_world *world, struct part_pair *pair, const struct body_shape *end_a,
                              const struct body_shape *end_b) {
    const double touching = pair->keep + TOUCH_SHARE * pair->thickness;
    const double least = pair->keep + 0.5 * TOUCH_SHARE * pair->thickness;
    struct penetration met;
    double share = 0.0;
    for (unsigned round = 0; round < ADVANCE_ROUNDS; round++) {
        set_shapes(world, pair, share);
        const struct separation apart = collide_distance(&pair->shape_a.convex, &pair->shape_b.convex);
        if (!(apart.distance > 0.0)) {
            if (!penetration_find(&pair->shape_a.convex, &pair->shape_b.convex, &met) ||
                met.depth > OVERLAP_SHARE * pair->thickness) {
                return false;
            }
            add_meeting(world, pair, &met, share);
            return true;
        }
        if (apart.distance <= touching) {
            met = (struct penetration){-apart.distance, apart.normal, apart.a, apart.b};
            add_meeting(world, pair, &met, share);
            return true;
        }
        const double at_end = gap_along(apart.normal, end_a, end_b);
        if (share >= 1.0 || at_end > touching) {
            return true;
        }
        share = at_end < least ? share + (1.0 - share) * (apart.distance - least) / (apart.distance - at_end) : 1.0;
    }
    return false;
}

// ---- the pair ----------------------------------------------------------------------------------------------------

// The least side of the part's box, with a radius that is its own; of thin parts the distance that is kept.
static double thickness_of(const struct body_part *part, const struct body_shape *shape) {
    double low[3] = {1e30, 1e30, 1e30};
    double high[3] = {-1e30, -1e30, -1e30};
    for (uint32_t i = 0; i < shape->convex.vertices; i++) {
        const double at[3] = {shape->vertex[i].x, shape->vertex[i].y, shape->vertex[i].z};
        for (unsigned k = 0; k < 3; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    double least = 1e30;
    for (unsigned k = 0; k < 3; k++) {
        least = high[k] - low[k] < least ? high[k] - low[k] : least;
    }
    const double least_kept = 2.0 * (double)part->radius;
    return part->particles < 4 ? (least_kept > 1e-3 ? least_kept : 1e-3) : least + least_kept;
}

static bool share_a_particle(const struct body_part *a, const struct body_part *b) {
    for (uint32_t i = 0; i < a->particles; i++) {
        for (uint32_t j = 0; j < b->particles; j++) {
            if (a->slot[i] == b->slot[j]) {
                return true;
            }
        }
    }
    return false;
}

static double rim_of(const struct sim_world *world, const struct body_part *part) {
    return part->turned != NULL ? (double)part_at(world, &world->object[part->object], part->part).rim : 0.0;
}

static void detect(struct sim_world *world, const struct body_part *a, const struct body_part *b) {
    struct part_pair pair;
    pair.a = a;
    pair.b = b;
    struct body_shape end_a;
    struct body_shape end_b;
    set_shapes(world, &pair, 0.0);
    body_shape_set(world, a, 1.0, &end_a);
    body_shape_set(world, b, 1.0, &end_b);
    const double thick_a = thickness_of(a, &end_a);
    const double thick_b = thickness_of(b, &end_b);
    pair.thickness = thick_a < thick_b ? thick_a : thick_b;
    pair.keep = (double)a->radius + (double)b->radius;
    pair.round =
        (body_part_is_embedded(a) ? (double)a->radius : 0.0) + (body_part_is_embedded(b) ? (double)b->radius : 0.0);
    pair.rim[0] = rim_of(world, a);
    pair.rim[1] = rim_of(world, b);
    pair.near = NEAR_SHARE * pair.thickness;
    pair.only_overlaps = !object_is_active(&world->object[a->object]) || !object_is_active(&world->object[b->object]);
    const struct point common = mean_way(&pair.shape_a, &end_a);
    const double reach = longest_way(&pair.shape_a, &end_a, common) + longest_way(&pair.shape_b, &end_b, common);
    if (reach > FAST_SHARE * pair.thickness && detect_on_the_way(world, &pair, &end_a, &end_b)) {
        return;
    }
    detect_here(world, &pair);
}

// The axis of a ring, the vertices of any other part.
static void set_axis(const struct body_shape *shape, bool ring, struct body_shape *axis) {
    axis->convex = shape->convex;
    if (ring) {
        axis->vertex[0] = point_scale(point_add(shape->vertex[0], shape->vertex[RING_SIDES / 2]), 0.5);
        axis->vertex[1] =
            point_scale(point_add(shape->vertex[RING_SIDES], shape->vertex[RING_SIDES + RING_SIDES / 2]), 0.5);
        axis->convex = (struct convex){.vertex = axis->vertex, .vertices = 2};
    }
}

// Turns a ring towards the other part, along the way between their axes at the substep's start.
static void turn_ring(const struct sim_world *world, struct body_part *part, struct point direction, float *turned) {
    const struct hull_part ring = part_at(world, &world->object[part->object], part->part);
    struct point carrier[4];
    for (uint32_t k = 0; k < 4; k++) {
        carrier[k] = body_particle_between(world, part->slot[k], 1.0);
    }
    part_turn(&ring, carrier, direction, turned);
    part->turned = turned;
}

static bool is_ring(const struct sim_world *world, const struct body_part *part) {
    const struct object *object = &world->object[part->object];
    return object->hull_parts > 0 && body_part_is_embedded(part) && part_at(world, object, part->part).ring;
}

static void detect_turned(struct sim_world *world, struct body_part *a, struct body_part *b) {
    const bool ring[2] = {is_ring(world, a), is_ring(world, b)};
    float turned[2][4 * 2 * RING_SIDES];
    struct body_shape shape[2];
    struct body_shape axis[2];
    body_shape_set(world, a, 0.0, &shape[0]);
    body_shape_set(world, b, 0.0, &shape[1]);
    set_axis(&shape[0], ring[0], &axis[0]);
    set_axis(&shape[1], ring[1], &axis[1]);
    const struct separation apart = collide_distance(&axis[0].convex, &axis[1].convex);
    if (apart.distance > 0.0 && ring[0]) {
        turn_ring(world, a, point_scale(apart.normal, -1.0), turned[0]);
    }
    if (apart.distance > 0.0 && ring[1]) {
        turn_ring(world, b, apart.normal, turned[1]);
    }
    detect(world, a, b);
}

void body_pair_detect(struct sim_world *world, const struct body_part *a, const struct body_part *b) {
    const bool active_a = object_is_active(&world->object[a->object]);
    const bool active_b = object_is_active(&world->object[b->object]);
    if ((!active_a && !active_b) || share_a_particle(a, b) || joint_is_between(world, a->object, b->object)) {
        return;
    }
    if (is_ring(world, a) || is_ring(world, b)) {
        struct body_part first = *a;
        struct body_part second = *b;
        detect_turned(world, &first, &second);
    } else {
        detect(world, a, b);
    }
}
