// SPDX-License-Identifier: MIT
// Building and traversing the hierarchy of bvh.h.
#include "sim/geometry/bvh.h"

#include <string.h>

uint32_t bvh_nodes(uint32_t triangles) {
    return triangles <= BVH_LEAF_MAX ? 1 : 1 + bvh_nodes(triangles / 2) + bvh_nodes(triangles - triangles / 2);
}

// ---- sorting -----------------------------------------------------------------------------------------------------

static bool before(const struct keyed *a, const struct keyed *b) {
    return a->key != b->key ? a->key < b->key : a->index < b->index;
}

static void sift(struct keyed *items, uint32_t root, uint32_t count) {
    const struct keyed item = items[root];
    uint32_t hole = root;
    while (2 * (uint64_t)hole + 1 < count) {
        uint32_t child = 2 * hole + 1;
        if (child + 1 < count && before(&items[child], &items[child + 1])) {
            child++;
        }
        if (!before(&item, &items[child])) {
            break;
        }
        items[hole] = items[child];
        hole = child;
    }
    items[hole] = item;
}

// Heapsort: needs no memory and has no bad case.
void bvh_sort(struct keyed *items, uint32_t count) {
    for (uint32_t i = count / 2; i > 0; i--) {
        sift(items, i - 1, count);
    }
    for (uint32_t end = count; end > 1; end--) {
        const struct keyed largest = items[0];
        items[0] = items[end - 1];
        items[end - 1] = largest;
        sift(items, 0, end - 1);
    }
}

// ---- building ----------------------------------------------------------------------------------------------------

struct build {
    const struct bvh *bvh;
    const float *positions;
    const uint32_t *triangle;
    struct keyed *scratch;
    uint32_t nodes;
};

static void corner_of(const struct build *build, uint32_t triangle, unsigned corner, float at[3]) {
    memcpy(at, build->positions + 3 * (size_t)build->triangle[3 * (size_t)triangle + corner], 3 * sizeof *at);
}

static void measure(const struct build *build, uint32_t first, uint32_t count, float box[6]) {
    for (uint32_t i = first; i < first + count; i++) {
        for (unsigned corner = 0; corner < 3; corner++) {
            float at[3];
            corner_of(build, build->bvh->order[i], corner, at);
            for (unsigned axis = 0; axis < 3; axis++) {
                const bool start = i == first && corner == 0;
                box[axis] = start || at[axis] < box[axis] ? at[axis] : box[axis];
                box[3 + axis] = start || at[axis] > box[3 + axis] ? at[axis] : box[3 + axis];
            }
        }
    }
}

// Maps a float to an integer in the same order.
static uint64_t ordered(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

static void sort_along(const struct build *build, uint32_t first, uint32_t count, unsigned axis) {
    for (uint32_t i = 0; i < count; i++) {
        float a[3], b[3], c[3];
        const uint32_t triangle = build->bvh->order[first + i];
        corner_of(build, triangle, 0, a);
        corner_of(build, triangle, 1, b);
        corner_of(build, triangle, 2, c);
        build->scratch[i] = (struct keyed){ordered(a[axis] + b[axis] + c[axis]), triangle};
    }
    bvh_sort(build->scratch, count);
    for (uint32_t i = 0; i < count; i++) {
        build->bvh->order[first + i] = build->scratch[i].index;
    }
}

static void build_node(struct build *build, uint32_t first, uint32_t count) {
    const uint32_t node = build->nodes;
    float *box = build->bvh->box + 6 * (size_t)node;
    uint32_t *entry = build->bvh->node + 2 * (size_t)node;
    build->nodes++;
    measure(build, first, count, box);
    if (count <= BVH_LEAF_MAX) {
        entry[0] = count;
        entry[1] = first;
        return;
    }
    const float size[3] = {box[3] - box[0], box[4] - box[1], box[5] - box[2]};
    const unsigned wider = size[1] > size[0] ? 1 : 0;
    sort_along(build, first, count, size[2] > size[wider] ? 2 : wider);
    build_node(build, first, count / 2);
    entry[0] = 0;
    entry[1] = build->nodes;
    build_node(build, first + count / 2, count - count / 2);
}

void bvh_build(const struct bvh *bvh, const float *positions, const uint32_t *triangle, uint32_t triangles,
               struct keyed *scratch) {
    struct build build = {bvh, positions, triangle, scratch, 0};
    for (uint32_t i = 0; i < triangles; i++) {
        bvh->order[i] = i;
    }
    build_node(&build, 0, triangles);
}

// The children of a node stand behind it, so the last node comes first.
void bvh_refit(const struct bvh *bvh, const float *positions, const uint32_t *triangle, uint32_t nodes) {
    const struct build build = {bvh, positions, triangle, NULL, nodes};
    for (uint32_t node = nodes; node-- > 0;) {
        float *box = bvh->box + 6 * (size_t)node;
        const uint32_t *entry = bvh->node + 2 * (size_t)node;
        if (entry[0] > 0) {
            measure(&build, entry[1], entry[0], box);
            continue;
        }
        const float *a = box + 6;
        const float *b = bvh->box + 6 * (size_t)entry[1];
        for (unsigned axis = 0; axis < 3; axis++) {
            box[axis] = a[axis] < b[axis] ? a[axis] : b[axis];
            box[3 + axis] = a[3 + axis] > b[3 + axis] ? a[3 + axis] : b[3 + axis];
        }
    }
}

// ---- traversal ---------------------------------------------------------------------------------------------------

static bool meets(const struct bvh_walk *walk, uint32_t node) {
    const float *box = walk->bvh->box + 6 * (size_t)node;
    return box[0] <= walk->max.x && box[1] <= walk->max.y && box[2] <= walk->max.z && box[3] >= walk->min.x &&
           box[4] >= walk->min.y && box[5] >= walk->min.z;
}

struct bvh_walk bvh_walk_begin(const struct bvh *bvh, struct vec3 min, struct vec3 max) {
    return (struct bvh_walk){.bvh = bvh, .min = min, .max = max, .depth = 1};
}

bool bvh_walk_next(struct bvh_walk *walk, uint32_t *triangle) {
    while (walk->next == walk->end) {
        if (walk->depth == 0) {
            return false;
        }
        walk->depth--;
        const uint32_t node = walk->stack[walk->depth];
        const uint32_t *entry = walk->bvh->node + 2 * (size_t)node;
        if (!meets(walk, node)) {
            continue;
        }
        if (entry[0] > 0) {
            walk->next = entry[1];
            walk->end = entry[1] + entry[0];
        } else {
            walk->stack[walk->depth] = entry[1];
            walk->stack[walk->depth + 1] = node + 1;
            walk->depth += 2;
        }
    }
    *triangle = walk->bvh->order[walk->next];
    walk->next++;
    return true;
}
