// SPDX-License-Identifier: MIT
// The broad phase of cloth against cloth: finds the features that can come near one another.
//
// Faces stand along a Morton curve (cloth_contact_order.c), two to a leaf in a binary tree of boxes, which is traversed
// against itself: O(n log n) for n faces plus the pairs found. The pairs are all that can come nearer than their
// thickness while every particle stays within its skin, a distance from its expected place. The mean motion of all
// particles does not count. They are found in the order of their keys (cloth_contact_order_of).
#include "sim/cloth_contact/cloth_contact_tree.h"

#include <stddef.h>

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_batch.h"
#include "sim/cloth_contact/cloth_contact_chain.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/cloth_contact/cloth_contact_order.h"
#include "sim/cloth_contact/cloth_contact_pair.h"
#include "sim/geometry/point.h"
#include "sim/geometry/proximity.h"

#define LEAF_FACES CLOTH_CONTACT_LEAF_FACES
#define WALK_DEPTH_MAX 128u // at most three for each level

// ---- the tree ----------------------------------------------------------------------------------------------------

static void box_join(struct cloth_contact_box *box, struct cloth_contact_box other) {
    cloth_contact_box_add(box, other.min);
    cloth_contact_box_add(box, other.max);
}

static float skin_of_face(const struct cloth_contacts *cloth, uint32_t face) {
    const uint32_t *corner = cloth->face[face].corner;
    const float *skin = cloth->plan.skin;
    return scalar_max(skin[corner[0]], scalar_max(skin[corner[1]], skin[corner[2]]));
}

static bool is_loose(const struct cloth_contacts *cloth, uint32_t face) {
    const uint32_t *corner = cloth->face[face].corner;
    const uint8_t *loose = cloth->plan.loose;
    return (loose[corner[0]] | loose[corner[1]] | loose[corner[2]]) != 0;
}

// Expected position of a corner when the substep begins.
static struct vec3 corner_of(const struct cloth_contacts *cloth, uint32_t slot) {
    const struct cloth_contact_plan *plan = &cloth->plan;
    const float since = (float)(plan->substeps - cloth->substeps_left);
    return vec3_of(plan->from_x[slot] + since * plan->way_x[slot], plan->from_y[slot] + since * plan->way_y[slot],
                   plan->from_z[slot] + since * plan->way_z[slot]);
}

static void go_along(struct cloth_contact_swept_face *swept) {
    for (unsigned k = 0; k < 3; k++) {
        swept->corner_box[k] = (struct cloth_contact_box){.min = swept->corner[k], .max = swept->corner[k]};
        cloth_contact_box_add(&swept->corner_box[k], vec3_add(swept->corner[k], swept->path[k]));
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
    const struct cloth_contact_plan *plan = &cloth->plan;
    const float left = (float)(plan->end - (plan->substeps - cloth->substeps_left));
    struct cloth_contact_swept_face swept = {
        .outer = 0.5f * cloth_contact_distance(cloth_contact_thickness(object)) + skin,
        .inner = 0.5f * cloth_contact_distance(cloth_contact_gap_within(object)) + skin,
        .face = face,
        .object = cloth->face[face].object,
        .loose = is_loose(cloth, face),
    };
    for (unsigned k = 0; k < 3; k++) {
        const struct vec3 way = vec3_of(plan->way_x[corner[k]], plan->way_y[corner[k]], plan->way_z[corner[k]]);
        swept.corner[k] = corner_of(cloth, corner[k]);
        swept.path[k] = vec3_scale(way, left);
    }
    go_along(&swept);
    return swept;
}

static const struct cloth_contact_box nowhere = {.min = {1e30f, 1e30f, 1e30f}, .max = {-1e30f, -1e30f, -1e30f}};

static void build_leaf(struct cloth_contacts *cloth, uint32_t leaf) {
    struct cloth_contact_box box = nowhere;
    bool loose = false;
    for (uint32_t i = leaf * LEAF_FACES; i < (leaf + 1) * LEAF_FACES && i < cloth->faces; i++) {
        const struct cloth_contact_swept_face *swept = &cloth->swept_face[i];
        const float wide = scalar_max(swept->outer, swept->inner);
        const struct vec3 around = vec3_of(wide, wide, wide);
        cloth_contact_box_add(&box, vec3_sub(swept->box.min, around));
        cloth_contact_box_add(&box, vec3_add(swept->box.max, around));
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
            cloth_contact_box_add(&cloth->node[node], right->min);
            cloth_contact_box_add(&cloth->node[node], right->max);
        }
    }
}

// ---- pairs -------------------------------------------------------------------------------------------------------

// A corner of a box in the first three of four lanes.
typedef float lanes __attribute__((vector_size(16)));
typedef int32_t lane_mask __attribute__((vector_size(16)));

static inline lanes lanes_at(const struct cloth_contact_box *box, size_t corner) {
    lanes value;
    memcpy(&value, (const char *)box + corner, sizeof value);
    return value;
}

static inline lanes larger(lanes a, lanes b) {
    const lane_mask mask = a > b;
    return (lanes)((mask & (lane_mask)a) | (~mask & (lane_mask)b));
}

// The square of the distance between two boxes, without a branch.
static inline float gap_squared(const struct cloth_contact_box *a, const struct cloth_contact_box *b) {
    const size_t min = offsetof(struct cloth_contact_box, min);
    const size_t max = offsetof(struct cloth_contact_box, max);
    const lanes zero = {0.0f, 0.0f, 0.0f, 0.0f};
    const lanes gap = larger(zero, larger(lanes_at(b, min) - lanes_at(a, max), lanes_at(a, min) - lanes_at(b, max)));
    const lanes squared = gap * gap;
    return squared[0] + squared[1] + squared[2];
}

static inline bool overlap(const struct cloth_contact_box *a, const struct cloth_contact_box *b) {
    return gap_squared(a, b) == 0.0f;
}

// The state of gathering.
struct gather {
    struct cloth_contacts *cloth;
    uint32_t most; // candidates
    const struct cloth_contact_swept_face *f, *g;
    float near;          // m, distance within which pairs are near
    float far;           // m; pairs that are expected to stay farther apart are left out
    bool may_be_chained; // one of the faces is of a rope or a particle
    struct cloth_contact_batch batch;
    struct cloth_contact_candidate found[CLOTH_CONTACT_BATCH_MAX]; // the batch's pairs, with `near` for their room
};

static bool boxes_are_near(const struct gather *gather, const struct cloth_contact_box *a,
                           const struct cloth_contact_box *b) {
    return gap_squared(a, b) <= gather->far * gather->far;
}

static void put_corner(struct simd_pairs *pairs, uint32_t place, unsigned index,
                       const struct cloth_contact_swept_face *swept, unsigned k) {
    pairs->at[3 * index][place] = swept->corner[k].x;
    pairs->at[3 * index + 1][place] = swept->corner[k].y;
    pairs->at[3 * index + 2][place] = swept->corner[k].z;
    pairs->path[3 * index][place] = swept->path[k].x;
    pairs->path[3 * index + 1][place] = swept->path[k].y;
    pairs->path[3 * index + 2][place] = swept->path[k].z;
}

// Adds those of the batch that can come near: a cheap test precedes the exact one.
static void add_batch(const struct sim_world *world, struct gather *gather) {
    struct cloth_contacts *cloth = gather->cloth;
    struct cloth_contact_batch *batch = &gather->batch;
    for (unsigned kind = 0; kind < 2; kind++) {
        world->simd->pairs_separate(&batch->pairs[kind]);
        world->simd->pair_distances(&batch->pairs[kind]);
        world->simd->pair_reaches(&batch->pairs[kind], false);
    }
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct simd_pairs *pairs = &batch->pairs[batch->row[i].kind];
        const uint32_t place = batch->row[i].place;
        const double left = pairs->distance[place] - pairs->reach[place];
        if (pairs->far[place] == 0.0 && left <= pairs->limit[place] && cloth->candidates < gather->most) {
            const struct cloth_contact_candidate *found = &gather->found[i];
            cloth->candidate[cloth->candidates] =
                (struct cloth_contact_candidate){found->a, found->b, (float)(left - (double)found->room)};
            cloth->candidates++;
        }
    }
    cloth_contact_batch_empty(batch);
}

// Adds a pair to the batch; its corners are set next. Returns its place in the rows.
static uint32_t add(struct gather *gather, enum proximity_kind kind, uint32_t a, uint32_t b) {
    const uint32_t number = cloth_contact_batch_add(&gather->batch, kind);
    const uint32_t place = gather->batch.row[number].place;
    gather->batch.pairs[kind].limit[place] = (double)gather->far;
    gather->found[number] = (struct cloth_contact_candidate){a, b, gather->near};
    return place;
}

// Adds the vertices that one face owns against the other face.
static void add_vertices(const struct sim_world *world, struct gather *gather, const struct cloth_contact_swept_face *f,
                         const struct cloth_contact_swept_face *g) {
    const struct cloth_contacts *cloth = gather->cloth;
    const unsigned owned = cloth->owned[f->face];
    const uint32_t *own = cloth->face[f->face].corner;
    const uint32_t *other = cloth->face[g->face].corner;
    for (unsigned k = 0; k < 3; k++) {
        if ((owned & 1u << k) == 0 || own[k] == other[0] || own[k] == other[1] || own[k] == other[2]) {
            continue;
        }
        if (boxes_are_near(gather, &f->corner_box[k], &g->box) &&
            !(gather->may_be_chained &&
              cloth_contact_is_chained(world, (struct cloth_contact_feature){&own[k], 1, f->object},
                                       (struct cloth_contact_feature){other, 3, g->object}))) {
            struct simd_pairs *pairs = &gather->batch.pairs[PROXIMITY_VERTEX_TRIANGLE];
            const uint32_t place = add(gather, PROXIMITY_VERTEX_TRIANGLE, f->face * 8 + k, g->face * 8);
            put_corner(pairs, place, 0, f, k);
            put_corner(pairs, place, 1, g, 0);
            put_corner(pairs, place, 2, g, 1);
            put_corner(pairs, place, 3, g, 2);
            if (cloth_contact_batch_is_full(&gather->batch)) {
                add_batch(world, gather);
            }
        }
    }
}

// Adds edge i of the first face against edge k of the second; their boxes are near.
static void add_edge_pair(const struct sim_world *world, struct gather *gather, unsigned i, unsigned k) {
    const struct cloth_contact_swept_face *f = gather->f;
    const struct cloth_contact_swept_face *g = gather->g;
    const uint32_t *first = gather->cloth->face[f->face].corner;
    const uint32_t *second = gather->cloth->face[g->face].corner;
    const unsigned j = (i + 1) % 3;
    const unsigned l = (k + 1) % 3;
    const uint32_t a[2] = {first[i], first[j]};
    const uint32_t b[2] = {second[k], second[l]};
    if (a[0] != b[0] && a[0] != b[1] && a[1] != b[0] && a[1] != b[1] &&
        !(gather->may_be_chained && cloth_contact_is_chained(world, (struct cloth_contact_feature){a, 2, f->object},
                                                             (struct cloth_contact_feature){b, 2, g->object}))) {
        struct simd_pairs *pairs = &gather->batch.pairs[PROXIMITY_EDGE_EDGE];
        const uint32_t place = add(gather, PROXIMITY_EDGE_EDGE, f->face * 8 + 4 + i, g->face * 8 + 4 + k);
        put_corner(pairs, place, 0, f, i);
        put_corner(pairs, place, 1, f, j);
        put_corner(pairs, place, 2, g, k);
        put_corner(pairs, place, 3, g, l);
        if (cloth_contact_batch_is_full(&gather->batch)) {
            add_batch(world, gather);
        }
    }
}

static void add_edges(const struct sim_world *world, struct gather *gather) {
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
                add_edge_pair(world, gather, i, k);
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
    gather->far = far_of(f, g);
    if (!boxes_are_near(gather, &f->box, &g->box) ||
        (f->object == g->object && !world->object[f->object].self_collision)) {
        return;
    }
    gather->near = cloth_contact_distance_max(world, f->object, g->object);
    const unsigned corners_f = cloth_contact_corners(&world->object[f->object]);
    const unsigned corners_g = cloth_contact_corners(&world->object[g->object]);
    gather->may_be_chained = corners_f < 3 || corners_g < 3;
    // A particle is the first feature of its pairs, and of two particles the one with the lower number.
    if (corners_g > 1 || (corners_f == 1 && f->face < g->face)) {
        add_vertices(world, gather, f, g);
    }
    if (corners_f > 1 || (corners_g == 1 && g->face < f->face)) {
        add_vertices(world, gather, g, f);
    }
    add_edges(world, gather);
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
    struct gather gather;
    gather.cloth = cloth;
    gather.most = cloth_contact_candidate_capacity(cloth_contact_face_count(world));
    cloth_contact_batch_begin(&gather.batch);
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
    add_batch(world, &gather);
}

static bool has_room(const struct sim_world *world) {
    return world->cloth_contacts->candidates < cloth_contact_candidate_capacity(cloth_contact_face_count(world));
}

bool cloth_contact_gather(struct sim_world *world) {
    world->cloth_contacts->candidates = 0;
    build(world);
    add_loose(world);
    return has_room(world);
}

bool cloth_contact_gather_loose(struct sim_world *world) {
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
    return has_room(world);
}
