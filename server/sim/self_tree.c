// SPDX-License-Identifier: MIT
// The broad phase of cloth on cloth: which features can come near one another.
//
// Faces are sorted along a Morton curve (stably, on integers) and stand four to a leaf in a binary tree of boxes, which
// is walked against itself: O(n log n) for n faces plus the pairs found. The pairs are all that can come nearer than
// their thickness while every particle stays within its skin, a distance from where it was when they were gathered;
// what all particles have in common does not count.
#include "sim/self.h"

#define LEAF_FACES 4u
#define MORTON_BITS 10u // per axis
#define DIGIT_BITS 10u
#define DIGITS (1u << DIGIT_BITS)
#define WALK_DEPTH_MAX 128u // three for each level at most
// How far a particle goes in a substep at most, in thicknesses.
#define WAY_MOST 16.0f
#define WAY_MOST_HELD 2.0f
// A skin is what the rest of the tick takes at the present speed and a reserve, within some thicknesses.
#define SKIN_RESERVE 1.3f
#define SKIN_MOST 1.0f
#define SKIN_LEAST 0.25f

// ---- how far particles have come ---------------------------------------------------------------------------------

static struct vec3 from_of(const struct self *self, uint32_t slot) {
    return vec3_of(self->from_x[slot], self->from_y[slot], self->from_z[slot]);
}

struct drift {
    double x, y, z; // m
    double count;
};

static void add_drift(struct drift *drift, const struct sim_world *world, uint32_t i, bool start) {
    const struct self *self = world->self;
    drift->x += (double)(start ? self->start_x[i] : world->px[i]) - (double)self->from_x[i];
    drift->y += (double)(start ? self->start_y[i] : world->py[i]) - (double)self->from_y[i];
    drift->z += (double)(start ? self->start_z[i] : world->pz[i]) - (double)self->from_z[i];
    drift->count += 1.0;
}

// What all particles have moved on the average, until the substep's start or until now.
static struct vec3 mean_drift(const struct sim_world *world, bool start) {
    struct drift drift = {0.0, 0.0, 0.0, 0.0};
    for (uint32_t m = 0; m < world->self->members; m++) {
        const struct object *object = &world->object[world->self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            add_drift(&drift, world, i, start);
        }
    }
    return vec3_of((float)(drift.x / drift.count), (float)(drift.y / drift.count), (float)(drift.z / drift.count));
}

// The way of a particle from the substep's start, less what all do. Nothing goes further than WAY_MOST thicknesses: a
// hand that is torn across the world through cloth would have everything meet everything. What sleeps, is frozen or
// pinned stays where it is, however far the others go.
static struct vec3 curbed_way(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 way) {
    const float far = vec3_length(way);
    const float most = (world->w[i] > 0.0f ? WAY_MOST : WAY_MOST_HELD) * world->self->thickness_max;
    const bool moves = object_is_active(object) && (world->w[i] > 0.0f || (world->flags[i] & PARTICLE_HELD) != 0);
    if (!(far > most) || !moves) {
        return way;
    }
    const struct vec3 curbed = vec3_scale(way, most / far);
    world->px[i] -= way.x - curbed.x;
    world->py[i] -= way.y - curbed.y;
    world->pz[i] -= way.z - curbed.z;
    return curbed;
}

static bool measure_particle(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 before,
                             struct vec3 after) {
    struct self *self = world->self;
    const struct vec3 at_start = vec3_of(self->start_x[i], self->start_y[i], self->start_z[i]);
    const struct vec3 at_end = vec3_of(world->px[i], world->py[i], world->pz[i]);
    const struct vec3 start = vec3_sub(vec3_sub(at_start, from_of(self, i)), before);
    const struct vec3 end = vec3_sub(vec3_sub(at_end, from_of(self, i)), after);
    const struct vec3 way = curbed_way(world, object, i, vec3_sub(end, start));
    self->moved[i] = scalar_max(vec3_length(start), vec3_length(vec3_add(start, way)));
    self->way[i] = vec3_length(way);
    return self->moved[i] <= self->skin[i];
}

// Whether every particle is within its skin.
static bool measure(struct sim_world *world) {
    const struct vec3 before = mean_drift(world, true);
    const struct vec3 after = mean_drift(world, false);
    bool within = true;
    for (uint32_t m = 0; m < world->self->members; m++) {
        const struct object *object = &world->object[world->self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            within &= measure_particle(world, object, i, before, after);
        }
    }
    return within;
}

// ---- the tree ----------------------------------------------------------------------------------------------------

static void box_add(struct self_box *box, struct vec3 p) {
    box->min = vec3_of(scalar_min(box->min.x, p.x), scalar_min(box->min.y, p.y), scalar_min(box->min.z, p.z));
    box->max = vec3_of(scalar_max(box->max.x, p.x), scalar_max(box->max.y, p.y), scalar_max(box->max.z, p.z));
}

static struct self_box box_of_face(const struct self *self, uint32_t face) {
    const uint32_t *corner = self->face[face].corner;
    struct self_box box = {from_of(self, corner[0]), from_of(self, corner[0])};
    box_add(&box, from_of(self, corner[1]));
    box_add(&box, from_of(self, corner[2]));
    return box;
}

static struct self_box box_of_edge(const struct self *self, uint32_t face, unsigned k) {
    const uint32_t *corner = self->face[face].corner;
    struct self_box box = {from_of(self, corner[k]), from_of(self, corner[k])};
    box_add(&box, from_of(self, corner[(k + 1) % 3]));
    return box;
}

// Bits of a number, two zeros between each and the next.
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

static void key_faces(struct self *self) {
    struct self_box all = box_of_face(self, 0);
    for (uint32_t i = 1; i < self->faces; i++) {
        box_add(&all, from_of(self, self->face[i].corner[0]));
    }
    const struct vec3 size = vec3_sub(all.max, all.min);
    const float scale[3] = {cells_per_metre(size.x), cells_per_metre(size.y), cells_per_metre(size.z)};
    for (uint32_t i = 0; i < self->faces; i++) {
        const struct vec3 p = from_of(self, self->face[i].corner[0]);
        self->key[i] = spread_bits(cell_of(p.x, all.min.x, scale[0])) |
                       spread_bits(cell_of(p.y, all.min.y, scale[1])) << 1 |
                       spread_bits(cell_of(p.z, all.min.z, scale[2])) << 2;
        self->order[i] = i;
    }
}

// One pass of a radix sort, stable: from key and order to their spares, which become them.
static void sort_digit(struct self *self, unsigned shift) {
    uint32_t first[DIGITS] = {0};
    for (uint32_t i = 0; i < self->faces; i++) {
        first[self->key[i] >> shift & (DIGITS - 1)]++;
    }
    uint32_t sum = 0;
    for (uint32_t digit = 0; digit < DIGITS; digit++) {
        const uint32_t count = first[digit];
        first[digit] = sum;
        sum += count;
    }
    for (uint32_t i = 0; i < self->faces; i++) {
        const uint32_t digit = self->key[i] >> shift & (DIGITS - 1);
        self->key_spare[first[digit]] = self->key[i];
        self->order_spare[first[digit]] = self->order[i];
        first[digit]++;
    }
    uint32_t *const key = self->key;
    uint32_t *const order = self->order;
    self->key = self->key_spare;
    self->order = self->order_spare;
    self->key_spare = key;
    self->order_spare = order;
}

static float skin_of_face(const struct self *self, uint32_t face) {
    const uint32_t *corner = self->face[face].corner;
    return scalar_max(self->skin[corner[0]], scalar_max(self->skin[corner[1]], self->skin[corner[2]]));
}

static const struct self_box nowhere = {{1e30f, 1e30f, 1e30f}, {-1e30f, -1e30f, -1e30f}};

static struct self_box leaf_box(const struct sim_world *world, uint32_t leaf) {
    const struct self *self = world->self;
    struct self_box box = nowhere;
    for (uint32_t i = leaf * LEAF_FACES; i < (leaf + 1) * LEAF_FACES && i < self->faces; i++) {
        const uint32_t face = self->order[i];
        const float wide = 0.5f * world->object[self->face[face].object].radius + skin_of_face(self, face);
        const struct vec3 around = vec3_of(wide, wide, wide);
        const struct self_box bare = box_of_face(self, face);
        box_add(&box, vec3_sub(bare.min, around));
        box_add(&box, vec3_add(bare.max, around));
    }
    return box;
}

static void build(struct sim_world *world) {
    struct self *self = world->self;
    const uint32_t leaves = (self->faces + LEAF_FACES - 1) / LEAF_FACES;
    self->first_leaf = 1;
    while (self->first_leaf < leaves) {
        self->first_leaf *= 2;
    }
    for (uint32_t leaf = 0; leaf < self->first_leaf; leaf++) {
        self->node[self->first_leaf + leaf] = leaf < leaves ? leaf_box(world, leaf) : nowhere;
    }
    for (uint32_t node = self->first_leaf - 1; node > 0; node--) {
        const struct self_box *right = &self->node[2 * node + 1];
        self->node[node] = self->node[2 * node];
        if (right->min.x <= right->max.x) { // empty leaves stand at the end
            box_add(&self->node[node], right->min);
            box_add(&self->node[node], right->max);
        }
    }
}

// ---- pairs -------------------------------------------------------------------------------------------------------

static float gap_along(float min_a, float max_a, float min_b, float max_b) {
    return scalar_max(0.0f, scalar_max(min_b - max_a, min_a - max_b));
}

static float gap_squared(const struct self_box *a, const struct self_box *b) {
    const float x = gap_along(a->min.x, a->max.x, b->min.x, b->max.x);
    const float y = gap_along(a->min.y, a->max.y, b->min.y, b->max.y);
    const float z = gap_along(a->min.z, a->max.z, b->min.z, b->max.z);
    return x * x + y * y + z * z;
}

static bool overlap(const struct self_box *a, const struct self_box *b) {
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y && b->min.y <= a->max.y &&
           a->min.z <= b->max.z && b->min.z <= a->max.z;
}

struct gather {
    struct self *self;
    uint32_t most; // candidates
    uint32_t f, g; // the faces at hand
    float near;    // m, pairs further apart are left out
};

static struct point point_from(const struct self *self, uint32_t slot) {
    return point_of(from_of(self, slot));
}

static void add(struct gather *gather, enum proximity_kind kind, uint32_t a, uint32_t b, const struct point at[4]) {
    struct self *self = gather->self;
    const double distance = proximity_of(kind, at).distance;
    if (distance <= (double)gather->near && self->candidates < gather->most) {
        self->candidate[self->candidates] = (struct self_candidate){a, b, (float)distance};
        self->candidates++;
    }
}

// The vertices that face f owns against face g.
static void add_vertices(struct gather *gather, uint32_t f, uint32_t g) {
    const struct self *self = gather->self;
    const struct self_box box = box_of_face(self, g);
    const uint32_t *other = self->face[g].corner;
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t slot = self->face[f].corner[k];
        const struct self_box point = {from_of(self, slot), from_of(self, slot)};
        if ((self->owned[f] & 1u << k) != 0 && slot != other[0] && slot != other[1] && slot != other[2] &&
            gap_squared(&point, &box) <= gather->near * gather->near) {
            const struct point at[4] = {point_from(self, slot), point_from(self, other[0]), point_from(self, other[1]),
                                        point_from(self, other[2])};
            add(gather, PROXIMITY_VERTEX_TRIANGLE, f * 8 + k, g * 8, at);
        }
    }
}

// Edge i of face f against edge k of face g.
static void add_edge_pair(struct gather *gather, unsigned i, unsigned k) {
    const struct self *self = gather->self;
    const uint32_t *f = self->face[gather->f].corner;
    const uint32_t *g = self->face[gather->g].corner;
    const uint32_t a = f[i];
    const uint32_t b = f[(i + 1) % 3];
    const uint32_t c = g[k];
    const uint32_t d = g[(k + 1) % 3];
    if (a == c || a == d || b == c || b == d) {
        return;
    }
    const struct self_box first = box_of_edge(self, gather->f, i);
    const struct self_box second = box_of_edge(self, gather->g, k);
    if (gap_squared(&first, &second) <= gather->near * gather->near) {
        const struct point at[4] = {point_from(self, a), point_from(self, b), point_from(self, c), point_from(self, d)};
        add(gather, PROXIMITY_EDGE_EDGE, gather->f * 8 + 4 + i, gather->g * 8 + 4 + k, at);
    }
}

static void add_edges(struct gather *gather) {
    const unsigned owned_f = gather->self->owned[gather->f];
    const unsigned owned_g = gather->self->owned[gather->g];
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 3; k++) {
            if ((owned_f & 8u << i) != 0 && (owned_g & 8u << k) != 0) {
                add_edge_pair(gather, i, k);
            }
        }
    }
}

static void add_faces(const struct sim_world *world, struct gather *gather) {
    const struct self *self = world->self;
    const uint32_t place_f = self->face[gather->f].object;
    const uint32_t place_g = self->face[gather->g].object;
    const struct object *a = &world->object[place_f];
    const struct object *b = &world->object[place_g];
    if ((place_f == place_g && !a->self_collision) || (!object_is_active(a) && !object_is_active(b))) {
        return;
    }
    gather->near = 0.5f * (a->radius + b->radius) + skin_of_face(self, gather->f) + skin_of_face(self, gather->g);
    const struct self_box box_f = box_of_face(self, gather->f);
    const struct self_box box_g = box_of_face(self, gather->g);
    if (gap_squared(&box_f, &box_g) <= gather->near * gather->near) {
        add_vertices(gather, gather->f, gather->g);
        add_vertices(gather, gather->g, gather->f);
        add_edges(gather);
    }
}

static void add_leaves(const struct sim_world *world, struct gather *gather, uint32_t a, uint32_t b) {
    const struct self *self = world->self;
    const uint32_t first_a = (a - self->first_leaf) * LEAF_FACES;
    const uint32_t first_b = (b - self->first_leaf) * LEAF_FACES;
    for (uint32_t i = first_a; i < first_a + LEAF_FACES && i < self->faces; i++) {
        for (uint32_t k = a == b ? i + 1 : first_b; k < first_b + LEAF_FACES && k < self->faces; k++) {
            gather->f = self->order[i];
            gather->g = self->order[k];
            add_faces(world, gather);
        }
    }
}

// Both nodes of a pair are of the same level: siblings go down together.
struct walk {
    uint32_t pair[WALK_DEPTH_MAX][2];
    uint32_t depth;
};

static void push(struct walk *walk, const struct self *self, uint32_t a, uint32_t b) {
    if (overlap(&self->node[a], &self->node[b])) {
        walk->pair[walk->depth][0] = a;
        walk->pair[walk->depth][1] = b;
        walk->depth++;
    }
}

static void remember(struct sim_world *world) {
    struct self *self = world->self;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        const size_t bytes = object->particles * sizeof *self->from_x;
        memcpy(self->from_x + object->first, self->start_x + object->first, bytes);
        memcpy(self->from_y + object->first, self->start_y + object->first, bytes);
        memcpy(self->from_z + object->first, self->start_z + object->first, bytes);
    }
}

static void gather(struct sim_world *world) {
    struct self *self = world->self;
    struct gather gather = {.self = self, .most = self_candidates_most(world)};
    struct walk walk;
    self->candidates = 0;
    key_faces(self);
    for (unsigned shift = 0; shift < 3 * MORTON_BITS; shift += DIGIT_BITS) {
        sort_digit(self, shift);
    }
    build(world);
    walk.depth = 0;
    push(&walk, self, 1, 1);
    while (walk.depth > 0) {
        walk.depth--;
        const uint32_t a = walk.pair[walk.depth][0];
        const uint32_t b = walk.pair[walk.depth][1];
        if (a >= self->first_leaf) {
            add_leaves(world, &gather, a, b);
            continue;
        }
        push(&walk, self, 2 * a + 1, 2 * b + 1);
        push(&walk, self, 2 * a, 2 * b + 1);
        if (a != b) {
            push(&walk, self, 2 * a + 1, 2 * b);
        }
        push(&walk, self, 2 * a, 2 * b);
    }
}

static void choose_skins(struct sim_world *world, uint32_t substeps_left) {
    struct self *self = world->self;
    const float thickness = self->thickness_max;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const float rest_of_tick = SKIN_RESERVE * self->way[i] * (float)substeps_left;
            const float skin = scalar_max(2.0f * self->way[i], scalar_min(rest_of_tick, SKIN_MOST * thickness));
            self->skin[i] = scalar_max(skin, SKIN_LEAST * thickness);
        }
    }
}

bool self_refresh(struct sim_world *world, uint32_t substeps_left) {
    struct self *self = world->self;
    if (self->gathered && measure(world)) {
        return false;
    }
    remember(world);
    (void)measure(world);
    choose_skins(world, substeps_left);
    gather(world);
    self->gathered = true;
    return true;
}
