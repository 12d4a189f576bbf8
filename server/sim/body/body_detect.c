// SPDX-License-Identifier: MIT
// Finds the contacts of rigid bodies in a substep: with one another, and with the particles, sticks and triangles of
// other objects. Contacts are added in the order of the broad phase (body_broad.c), the same on every machine: bodies
// first, then the other objects in the order of creation.
#include "sim/body/body_detect.h"

#include "sim/body/body_broad.h"
#include "sim/body/body_pair.h"
#include "sim/body/body_part.h"
#include "sim/body/body_shape.h"
#include "sim/contact/extent.h"
#include "sim/world/box.h"
#include "sim/world/part.h"
#include "sim/world/work.h"

#define TRIANGLES_IN_ROW 32u

// ---- the bodies --------------------------------------------------------------------------------------------------

// Of a body with a table of parts each part is one; the first is there already.
static void add_hull_parts(struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    for (uint32_t k = 0; k < object->hull_parts; k++) {
        struct body_part *part = &world->body_part[world->body_parts - 1];
        if (k > 0) {
            part[1] = part[0];
            part++;
            world->body_parts++;
        }
        part->part = k;
        part->radius = part_at(world, object, k).radius;
    }
}

// Four consecutive triangles are those of one body or of one bone.
static void add_parts(struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    for (uint32_t t = 0; t + 4 <= object->triangles; t += 4) {
        const uint32_t *triangle = world->triangle + 3 * (size_t)(object->first_triangle + t);
        struct body_part *part = &world->body_part[world->body_parts];
        uint32_t last = triangle[3];
        for (unsigned k = 4; k < 6 && (last == triangle[0] || last == triangle[1] || last == triangle[2]); k++) {
            last = triangle[k];
        }
        *part = (struct body_part){
            .object = place,
            .particles = 4,
            .slot = {object->first + triangle[0], object->first + triangle[1], object->first + triangle[2],
                     object->first + last},
        };
        if (object->kind == SIM_KIND_BODY) { // in the order of the hull's weights
            for (uint32_t k = 0; k < 4; k++) {
                part->slot[k] = object->first + k;
            }
        }
        world->body_parts++;
    }
    add_hull_parts(world, place);
}

static void bound_share(void *argument, unsigned share) {
    struct sim_world *world = argument;
    const unsigned shares = work_shares(world, 4 * (uint64_t)world->body_parts);
    const uint32_t end = work_begin(0, world->body_parts, share + 1, shares);
    for (uint32_t i = work_begin(0, world->body_parts, share, shares); i < end; i++) {
        body_shape_bound(world, &world->body_part[i]);
    }
}

static void bound_parts(struct sim_world *world) {
    work_run(world, work_shares(world, 4 * (uint64_t)world->body_parts), bound_share, world);
}

static bool is_solid(const struct object *object) {
    return object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
}

// ---- other objects -----------------------------------------------------------------------------------------------

static struct box around_all(const struct sim_world *world) {
    struct box all = {world->body_part[0].low, world->body_part[0].high};
    for (uint32_t i = 1; i < world->body_parts; i++) {
        const struct vec3 low = world->body_part[i].low;
        const struct vec3 high = world->body_part[i].high;
        all.min = vec3_of(scalar_min(all.min.x, low.x), scalar_min(all.min.y, low.y), scalar_min(all.min.z, low.z));
        all.max = vec3_of(scalar_max(all.max.x, high.x), scalar_max(all.max.y, high.y), scalar_max(all.max.z, high.z));
    }
    return all;
}

static bool boxes_meet(const struct body_part *a, const struct body_part *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static void meet_body(struct sim_world *world, const struct body_part *body, const struct body_part *part,
                      void *context) {
    (void)context;
    body_pair_detect(world, body, part);
}

static void meet_bodies(struct sim_world *world, const struct body_part *all, struct body_part *part) {
    body_shape_bound(world, part);
    if (boxes_meet(part, all)) {
        body_broad_meet(world, part, meet_body, NULL);
    }
}

static void note_body(struct sim_world *world, const struct body_part *body, const struct body_part *part, void *any) {
    (void)world;
    (void)body;
    (void)part;
    *(bool *)any = true;
}

// True if a body's box overlaps the box of these particles, which holds the boxes of all their parts.
static bool are_near(struct sim_world *world, float radius, const struct extent *extent, const struct body_part *all) {
    struct body_part box = {.radius = radius, .low = extent->min, .high = extent->max};
    bool any = false;
    body_part_widen(&box);
    if (boxes_meet(&box, all)) {
        body_broad_meet(world, &box, note_body, &any);
    }
    return any;
}

static void note_near(struct sim_world *world, uint32_t place, const void *all) {
    struct object *object = &world->object[place];
    object->near_solids = false;
    if (!is_solid(object)) {
        const struct extent extent =
            extent_known(world, place, &(struct start_positions){world->x, world->y, world->z});
        object->near_solids = are_near(world, object->radius, &extent, all);
    }
}

// Consecutive triangles and their particles mostly lie side by side, so that many can be skipped at once.
static bool is_row_near(struct sim_world *world, const struct object *object, uint32_t from, uint32_t to,
                        const struct body_part *all) {
    const uint32_t *corner = world->triangle + 3 * (size_t)(object->first_triangle + from);
    const uint32_t corners = 3 * (to - from);
    uint32_t first = corner[0];
    uint32_t last = corner[0];
    for (uint32_t i = 1; i < corners; i++) {
        first = corner[i] < first ? corner[i] : first;
        last = corner[i] > last ? corner[i] : last;
    }
    if (last - first > 2 * corners) {
        return true;
    }
    const struct start_positions start = {world->x, world->y, world->z};
    const struct extent extent = extent_of(world, object->first + first, object->first + last + 1, &start);
    return are_near(world, object->radius, &extent, all);
}

static void meet_triangles(struct sim_world *world, const struct body_part *all, struct body_part *part) {
    const struct object *object = &world->object[part->object];
    part->particles = 3;
    for (uint32_t from = 0; from < object->triangles; from += TRIANGLES_IN_ROW) {
        const uint32_t left = object->triangles - from;
        const uint32_t to = from + (left < TRIANGLES_IN_ROW ? left : TRIANGLES_IN_ROW);
        if (!is_row_near(world, object, from, to, all)) {
            continue;
        }
        for (uint32_t t = from; t < to; t++) {
            const uint32_t *corner = world->triangle + 3 * (size_t)(object->first_triangle + t);
            for (unsigned k = 0; k < 3; k++) {
                part->slot[k] = object->first + corner[k];
            }
            meet_bodies(world, all, part);
        }
    }
}

// Handles triangles where the object has any, otherwise sticks, otherwise particles.
static void meet_object(struct sim_world *world, const struct body_part *all, uint32_t place) {
    const struct object *object = &world->object[place];
    const uint32_t first = object->first;
    struct body_part part = {.object = place, .radius = object->radius};
    if (object->triangles > 0) {
        meet_triangles(world, all, &part);
        return;
    }
    part.particles = object->sticks > 0 ? 2 : 1;
    const uint32_t count = object->sticks > 0 ? object->sticks : object->particles;
    for (uint32_t i = 0; i < count; i++) {
        part.slot[0] = first + (object->sticks > 0 ? world->stick_a[object->first_stick + i] : i);
        part.slot[1] = first + (object->sticks > 0 ? world->stick_b[object->first_stick + i] : i);
        meet_bodies(world, all, &part);
    }
}

static void bound_solids(struct sim_world *world) {
    world->body_parts = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (is_solid(&world->object[i])) {
            add_parts(world, i);
        }
    }
    if (world->body_parts > 0) {
        bound_parts(world);
        body_broad_sort(world);
        const struct box all = around_all(world);
        world->solids_min = all.min;
        world->solids_max = all.max;
    }
}

void body_detect_begin_tick(struct sim_world *world) {
    world->solids_rest = false;
}

// Solids that rest, and have done so in the last substep of the tick, have their boxes and no contacts with one
// another.
void body_detect(struct sim_world *world) {
    const bool rest = world->active_solids == 0;
    if (!rest || !world->solids_rest) {
        bound_solids(world);
    }
    world->solids_rest = rest;
    if (world->body_parts == 0) {
        return;
    }
    if (!rest) {
        body_broad_pairs(world);
    }
    const struct body_part all = {.low = world->solids_min, .high = world->solids_max};
    work_objects(world, note_near, &all);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->object[i].near_solids) {
            meet_object(world, &all, i);
        }
    }
}
