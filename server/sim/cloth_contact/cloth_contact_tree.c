// SPDX-License-Identifier: MIT
// The broad phase of cloth against cloth: finds the features that can come near one another.
//
// Faces are sorted along a Morton curve (stably, on integers) and stand four to a leaf in a binary tree of boxes, which
// is traversed against itself: O(n log n) for n faces plus the pairs found. The pairs are all that can come nearer than
// their thickness while every particle stays within its skin, a distance from its expected place. The mean motion of
// all particles does not count.
#include "sim/cloth_contact/cloth_contact_tree.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/cloth_contact/cloth_contact_pair.h"
#include "sim/geometry/point.h"
#include "sim/geometry/proximity.h"

#define LEAF_FACES 2u
#define MORTON_BITS 10u // per axis
#define DIGIT_BITS 10u
#define DIGITS (1u << DIGIT_BITS)
#define WALK_DEPTH_MAX 128u // at most three for each level
static struct vec3 from_of(const struct cloth_contacts *cloth, uint32_t slot) {
    return vec3_of(cloth->from_x[slot], cloth->from_y[slot], cloth->from_z[slot]);
}

// ---- the tree ----------------------------------------------------------------------------------------------------

static void box_add(struct cloth_contact_box *box, struct vec3 p) {
    box->min = vec3_of(scalar_min(box->min.x, p.x), scalar_min(box->min.y, p.y), scalar_min(box->min.z, p.z));
    box->max = vec3_of(scalar_max(box->max.x, p.x), scalar_max(box->max.y, p.y), scalar_max(box->max.z, p.z));
}

static void box_join(struct cloth_contact_box *box, struct cloth_contact_box other) {
    box_add(box, other.min);
    box_add(box, other.max);
}

// Spreads the bits of a number, with two zeros between neighbours.
static uint32_t spread_bits(uint32_t value) {
    value = (value | value << 16) & 0x030000ffu;
    value = (value | value << 8) & 0x0300f00fu;
    value = (value | value << 4) & 0x030c30c3u;
    return (value | value << 2) & 0x09249249u;
}

static uint32_t cell_of(float value, float low, float scale) {
    return (uint32_t)scalar_clamp((value - low) * scale, 0.0f, (float)((1u << MORTON_BITS) - 1));
}

static float cells_per_metre(float size) {
    return size > 0.0f ? (float)((1u << MORTON_BITS) - 1) / size : 0.0f;
}

static void key_faces(struct cloth_contacts *cloth) {
    struct cloth_contact_box all = {from_of(cloth, cloth->face[0].corner[0]), from_of(cloth, cloth->face[0].corner[0])};
    for (uint32_t i = 1; i < cloth->faces; i++) {
        box_add(&all, from_of(cloth, cloth->face[i].corner[0]));
    }
    const struct vec3 size = vec3_sub(all.max, all.min);
    const float scale[3] = {cells_per_metre(size.x), cells_per_metre(size.y), cells_per_metre(size.z)};
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const struct vec3 p = from_of(cloth, cloth->face[i].corner[0]);
        cloth->key[i] = spread_bits(cell_of(p.x, all.min.x, scale[0])) |
                        spread_bits(cell_of(p.y, all.min.y, scale[1])) << 1 |
                        spread_bits(cell_of(p.z, all.min.z, scale[2])) << 2;
        cloth->order[i] = i;
    }
}

// One pass of a stable radix sort, from key and order to their spare arrays, which then take their places.
static void sort_digit(struct cloth_contacts *cloth, unsigned shift) {
    uint32_t first[DIGITS] = {0};
    for (uint32_t i = 0; i < cloth->faces; i++) {
        first[cloth->key[i] >> shift & (DIGITS - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t count = first[digit];
        first[digit] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const uint32_t digit = cloth->key[i] >> shift & (DIGITS - 1);
        cloth->key_spare[first[digit]] = cloth->key[i];
        cloth->order_spare[first[digit]] = cloth->order[i];
        first[digit]++;
    }
    uint32_t *const key = cloth->key;
    uint32_t *const order = cloth->order;
    cloth->key = cloth->key_spare;
    cloth->order = cloth->order_spare;
    cloth->key_spare = key;
    cloth->order_spare = order;
}

static float skin_of_face(const struct cloth_contacts *cloth, uint32_t face) {
    const uint32_t *corner = cloth->face[face].corner;
    return scalar_max(cloth->skin[corner[0]], scalar_max(cloth->skin[corner[1]], cloth->skin[corner[2]]));
}

static bool is_loose(const struct cloth_contacts *cloth, uint32_t face) {
    const uint32_t *corner = cloth->face[face].corner;
    return (cloth->loose[corner[0]] | cloth->loose[corner[1]] | cloth->loose[corner[2]]) != 0;
}

// Expected position of a corner when the substep begins.
static struct vec3 corner_of(const struct cloth_contacts *cloth, uint32_t slot) {
    const float since = (float)(cloth->plan_substeps - cloth->substeps_left);
    return vec3_of(cloth->from_x[slot] + since * cloth->plan_x[slot], cloth->from_y[slot] + since * cloth->plan_y[slot],
                   cloth->from_z[slot] + since * cloth->plan_z[slot]);
}

static void go_along(struct cloth_contact_swept_face *swept) {
    for (unsigned k = 0; k < 3; k++) {
        swept->corner_box[k] = (struct cloth_contact_box){swept->corner[k], swept->corner[k]};
        box_add(&swept->corner_box[k], vec3_add(swept->corner[k], swept->path[k]));
    }
    for (unsigned k = 0; k < 3; k++) {
        swept->edge_box[k] = swept->corner_box[k];
        box_join(&swept->edge_box[k], swept->corner_box[(k + 1) % 3]);
    }
    swept->box = swept->edge_box[0];
    box_join(&swept->box, swept->corner_box[2]);
}

static struct cloth_contact_swept_face swept_face_of(const struct sim_world *world, uint32_t face) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t *corner = cloth->face[face].corner;
    const struct object *object = &world->object[cloth->face[face].object];
    const float skin = skin_of_face(cloth, face);
    const float left = (float)(cloth->plan_end - (cloth->plan_substeps - cloth->substeps_left));
    struct cloth_contact_swept_face swept = {
        .outer = 0.5f * cloth_contact_distance(object->radius) + skin,
        .inner = 0.5f * cloth_contact_distance(cloth_contact_gap_within(object)) + skin,
        .face = face,
        .object = cloth->face[face].object,
        .loose = is_loose(cloth, face),
    };
    for (unsigned k = 0; k < 3; k++) {
        const struct vec3 plan = vec3_of(cloth->plan_x[corner[k]], cloth->plan_y[corner[k]], cloth->plan_z[corner[k]]);
        swept.corner[k] = corner_of(cloth, corner[k]);
        swept.path[k] = vec3_scale(plan, left);
    }
    go_along(&swept);
    return swept;
}

static const struct cloth_contact_box nowhere = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

static void build_leaf(struct cloth_contacts *cloth, uint32_t leaf) {
    struct cloth_contact_box box = nowhere;
    bool loose = false;
    for (uint32_t i = leaf * LEAF_FACES; i < (leaf + 1) * LEAF_FACES && i < cloth->faces; i++) {
        const struct cloth_contact_swept_face *swept = &cloth->swept_face[i];
        const float wide = scalar_max(swept->outer, swept->inner);
        const struct vec3 around = vec3_of(wide, wide, wide);
        box_add(&box, vec3_sub(swept->box.min, around));
        box_add(&box, vec3_add(swept->box.max, around));
        loose = loose || swept->loose;
    }
    cloth->node[cloth->first_leaf + leaf] = box;
    cloth->node_loose[cloth->first_leaf + leaf] = loose ? 1 : 0;
}

static void build(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t leaves = (cloth->faces + LEAF_FACES - 1) / LEAF_FACES;
    cloth->first_leaf = 1;
    while (cloth->first_leaf < leaves) {
        cloth->first_leaf *= 2;
    }
    for (uint32_t i = 0; i < cloth->faces; i++) {
        cloth->swept_face[i] = swept_face_of(world, cloth->order[i]);
    }
    for (uint32_t leaf = 0; leaf < cloth->first_leaf; leaf++) {
        build_leaf(cloth, leaf);
    }
    for (uint32_t node = cloth->first_leaf - 1; node > 0; node--) {
        const struct cloth_contact_box *right = &cloth->node[2 * node + 1];
        cloth->node[node] = cloth->node[2 * node];
        cloth->node_loose[node] = cloth->node_loose[2 * node] | cloth->node_loose[2 * node + 1];
        if (right->min.x <= right->max.x) { // empty leaves stand at the end
            box_add(&cloth->node[node], right->min);
            box_add(&cloth->node[node], right->max);
        }
    }
}

// ---- pairs -------------------------------------------------------------------------------------------------------

static float gap_along(float min_a, float max_a, float min_b, float max_b) {
    return scalar_max(0.0f, scalar_max(min_b - max_a, min_a - max_b));
}

static float gap_squared(const struct cloth_contact_box *a, const struct cloth_contact_box *b) {
    const float x = gap_along(a->min.x, a->max.x, b->min.x, b->max.x);
    const float y = gap_along(a->min.y, a->max.y, b->min.y, b->max.y);
    const float z = gap_along(a->min.z, a->max.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
}

static bool overlap(const struct cloth_contact_box *a, const struct cloth_contact_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// The state of gathering.
struct gather {
    struct cloth_contacts *cloth;
    uint32_t most; // candidates
    const struct cloth_contact_swept_face *f, *g;
    float near; // m, distance within which pairs are near
    float far;  // m; pairs that are expected to stay farther apart are left out
};

static bool boxes_are_near(const struct gather *gather, const struct cloth_contact_box *a,
                           const struct cloth_contact_box *b) {
    return gap_squared(a, b) <= gather->far * gather->far;
}

// A pair of features, with the positions and expected motions of its particles.
struct features {
    enum proximity_kind kind;
    uint32_t a, b;
    struct point at[4], path[4];
};

static void put_corner(struct features *features, unsigned index, const struct cloth_contact_swept_face *swept,
                       unsigned k) {
    features->at[index] = point_of(swept->corner[k]);
    features->path[index] = point_of(swept->path[k]);
}

struct extent {
    double min, max;
};

static struct extent extent_along(struct point axis, const struct point *at, const struct point *path, unsigned count,
                                  double share) {
    struct extent extent = {HUGE_VAL, -HUGE_VAL};
    for (unsigned k = 0; k < count; k++) {
        const double along = point_dot(axis, at[k]) + share * point_dot(axis, path[k]);
        extent.min = along < extent.min ? along : extent.min;
        extent.max = along > extent.max ? along : extent.max;
    }
    return extent;
}

static struct point middle_of(const struct point *at, unsigned count) {
    struct point sum = {0.0, 0.0, 0.0};
    for (unsigned k = 0; k < count; k++) {
        sum = (struct point){sum.x + at[k].x, sum.y + at[k].y, sum.z + at[k].z};
    }
    const double share = 1.0 / (double)count;
    return (struct point){share * sum.x, share * sum.y, share * sum.z};
}

// True if a plane across the line between the middles of the features separates them all the way: a cheap test before
// the exact one. Their distance along that line is least at one end of the path.
static bool are_apart(const struct features *features, double far) {
    const unsigned first = features->kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2;
    const struct point *other = features->at + first;
    const struct point *other_path = features->path + first;
    const struct point axis = point_sub(middle_of(other, 4 - first), middle_of(features->at, first));
    const double least = far * sqrt(point_dot(axis, axis));
    for (unsigned end = 0; end < 2; end++) {
        const struct extent a = extent_along(axis, features->at, features->path, first, end);
        const struct extent b = extent_along(axis, other, other_path, 4 - first, end);
        if (!(b.min - a.max > least)) {
            return false;
        }
    }
    return true;
}

static void add(struct gather *gather, const struct features *features) {
    struct cloth_contacts *cloth = gather->cloth;
    if (are_apart(features, (double)gather->far)) {
        return;
    }
    const double distance = proximity_of(features->kind, features->at).distance;
    const double left = distance - proximity_reach(features->kind, features->path);
    if (left <= (double)gather->far && cloth->candidates < gather->most) {
        cloth->candidate[cloth->candidates] =
            (struct cloth_contact_candidate){features->a, features->b, (float)(left - (double)gather->near)};
        cloth->candidates++;
    }
}

// Adds the vertices that one face owns against the other face.
static void add_vertices(struct gather *gather, const struct cloth_contact_swept_face *f,
                         const struct cloth_contact_swept_face *g) {
    const struct cloth_contacts *cloth = gather->cloth;
    const unsigned owned = cloth->owned[f->face];
    const uint32_t *own = cloth->face[f->face].corner;
    const uint32_t *other = cloth->face[g->face].corner;
    for (unsigned k = 0; k < 3; k++) {
        if ((owned & 1u << k) == 0 || own[k] == other[0] || own[k] == other[1] || own[k] == other[2]) {
            continue;
        }
        if (boxes_are_near(gather, &f->corner_box[k], &g->box)) {
            struct features features = {.kind = PROXIMITY_VERTEX_TRIANGLE, .a = f->face * 8 + k, .b = g->face * 8};
            put_corner(&features, 0, f, k);
            put_corner(&features, 1, g, 0);
            put_corner(&features, 2, g, 1);
            put_corner(&features, 3, g, 2);
            add(gather, &features);
        }
    }
}

// Adds edge i of the first face against edge k of the second; their boxes are near.
static void add_edge_pair(struct gather *gather, unsigned i, unsigned k) {
    const struct cloth_contact_swept_face *f = gather->f;
    const struct cloth_contact_swept_face *g = gather->g;
    const uint32_t *first = gather->cloth->face[f->face].corner;
    const uint32_t *second = gather->cloth->face[g->face].corner;
    const unsigned j = (i + 1) % 3;
    const unsigned l = (k + 1) % 3;
    if (first[i] != second[k] && first[i] != second[l] && first[j] != second[k] && first[j] != second[l]) {
        struct features features = {.kind = PROXIMITY_EDGE_EDGE, .a = f->face * 8 + 4 + i, .b = g->face * 8 + 4 + k};
        put_corner(&features, 0, f, i);
        put_corner(&features, 1, f, j);
        put_corner(&features, 2, g, k);
        put_corner(&features, 3, g, l);
        add(gather, &features);
    }
}

static void add_edges(struct gather *gather) {
    const struct cloth_contact_swept_face *f = gather->f;
    const struct cloth_contact_swept_face *g = gather->g;
    const unsigned owned_f = gather->cloth->owned[f->face];
    const unsigned owned_g = gather->cloth->owned[g->face];
    for (unsigned i = 0; i < 3; i++) {
        if ((owned_f & 8u << i) == 0 || !boxes_are_near(gather, &f->edge_box[i], &g->box)) {
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            if ((owned_g & 8u << k) != 0 && boxes_are_near(gather, &f->edge_box[i], &g->edge_box[k])) {
                add_edge_pair(gather, i, k);
            }
        }
    }
}

static float far_of(const struct cloth_contact_swept_face *f, const struct cloth_contact_swept_face *g) {
    return f->object == g->object ? f->inner + g->inner : f->outer + g->outer;
}

static void add_faces(const struct sim_world *world, struct gather *gather) {
    const struct cloth_contact_swept_face *f = gather->f;
    const struct cloth_contact_swept_face *g = gather->g;
    const struct object *a = &world->object[f->object];
    const struct object *b = &world->object[g->object];
    gather->far = far_of(f, g);
    if (!boxes_are_near(gather, &f->box, &g->box) || (f->object == g->object && !a->self_collision) ||
        (!object_is_active(a) && !object_is_active(b))) {
        return;
    }
    gather->near = cloth_contact_distance_max(world, f->object, g->object);
    add_vertices(gather, f, g);
    add_vertices(gather, g, f);
    add_edges(gather);
}

static void add_leaves(const struct sim_world *world, struct gather *gather, uint32_t a, uint32_t b) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t first_a = (a - cloth->first_leaf) * LEAF_FACES;
    const uint32_t first_b = (b - cloth->first_leaf) * LEAF_FACES;
    for (uint32_t i = first_a; i < first_a + LEAF_FACES && i < cloth->faces; i++) {
        for (uint32_t k = a == b ? i + 1 : first_b; k < first_b + LEAF_FACES && k < cloth->faces; k++) {
            gather->f = &cloth->swept_face[i];
            gather->g = &cloth->swept_face[k];
            if (gather->f->loose || gather->g->loose) {
                add_faces(world, gather);
            }
        }
    }
}

// Both nodes of a pair have the same level: siblings are descended together.
struct walk {
    uint32_t pair[WALK_DEPTH_MAX][2];
    uint32_t depth;
};

static void push(struct walk *walk, const struct cloth_contacts *cloth, uint32_t a, uint32_t b) {
    if ((cloth->node_loose[a] | cloth->node_loose[b]) != 0 && overlap(&cloth->node[a], &cloth->node[b])) {
        walk->pair[walk->depth][0] = a;
        walk->pair[walk->depth][1] = b;
        walk->depth++;
    }
}

static void add_loose(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    struct gather gather = {.cloth = cloth, .most = cloth_contact_candidate_capacity(world->state.triangles)};
    struct walk walk;
    walk.depth = 0;
    push(&walk, cloth, 1, 1);
    while (walk.depth > 0) {
        walk.depth--;
        const uint32_t a = walk.pair[walk.depth][0];
        const uint32_t b = walk.pair[walk.depth][1];
        if (a >= cloth->first_leaf) {
            add_leaves(world, &gather, a, b);
            continue;
        }
        push(&walk, cloth, 2 * a + 1, 2 * b + 1);
        push(&walk, cloth, 2 * a, 2 * b + 1);
        if (a != b) {
            push(&walk, cloth, 2 * a + 1, 2 * b);
        }
        push(&walk, cloth, 2 * a, 2 * b);
    }
}

void cloth_contact_gather(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    cloth->candidates = 0;
    key_faces(cloth);
    for (unsigned shift = 0; shift < 3 * MORTON_BITS; shift += DIGIT_BITS) {
        sort_digit(cloth, shift);
    }
    build(world);
    add_loose(world);
}

void cloth_contact_gather_loose(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cloth->candidates; i++) {
        const struct cloth_contact_candidate candidate = cloth->candidate[i];
        if (!is_loose(cloth, candidate.a / 8) && !is_loose(cloth, candidate.b / 8)) {
            cloth->candidate[kept] = candidate;
            kept++;
        }
    }
    cloth->candidates = kept;
    build(world);
    add_loose(world);
}
