// SPDX-License-Identifier: MIT
// The broad phase of rigid bodies: which bodies come near one another, and near what other objects are made of.
//
// Bodies are sorted by the lower end of their boxes along the axis on which they are spread widest (radix sort on
// integers, stable, so that equals stay in the order of creation), and swept along it. Particles, sticks and triangles
// of other objects look their bodies up in the sorted list. Contacts are added in this order, the same everywhere.
#include "sim/body_detect.h"
#include "sim/contact.h"

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

static float along(struct vec3 v, unsigned axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Integers in the order of the floats.
static uint32_t sort_key(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

// ---- the bodies --------------------------------------------------------------------------------------------------

// Four triangles in a row are those of one body, or of one bone.
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
        if (object->kind == SIM_KIND_BODY) { // in the order in which its weights count them
            for (uint32_t k = 0; k < 4; k++) {
                part->slot[k] = object->first + k;
            }
        }
        body_shape_bound(world, part);
        world->body_parts++;
    }
}

static bool is_solid(const struct object *object) {
    return object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
}

// The axis on which the boxes' lower ends vary most.
static unsigned widest_axis(const struct sim_world *world) {
    double sum[3] = {0.0, 0.0, 0.0};
    double squares[3] = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < world->body_parts; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const double at = (double)along(world->body_part[i].low, axis);
            sum[axis] += at;
            squares[axis] += at * at;
        }
    }
    unsigned widest = 0;
    double most = -1.0;
    for (unsigned axis = 0; axis < 3; axis++) {
        const double variance = squares[axis] - sum[axis] * sum[axis] / (double)world->body_parts;
        if (variance > most) {
            most = variance;
            widest = axis;
        }
    }
    return widest;
}

static void sort_parts(struct sim_world *world, unsigned axis) {
    const uint32_t count = world->body_parts;
    uint32_t *from = world->body_order;
    uint32_t *to = world->body_order_other;
    for (uint32_t i = 0; i < count; i++) {
        from[i] = i;
        world->body_key[i] = sort_key(along(world->body_part[i].low, axis));
    }
    for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
        uint32_t end[DIGITS] = {0};
        for (uint32_t i = 0; i < count; i++) {
            end[world->body_key[i] >> shift & (DIGITS - 1)]++;
        }
        uint32_t sum = 0;
        for (uint32_t digit = 0; digit < DIGITS; digit++) {
            const uint32_t here = end[digit];
            end[digit] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t *place = &end[world->body_key[from[i]] >> shift & (DIGITS - 1)];
            to[*place] = from[i];
            (*place)++;
        }
        uint32_t *const other = from;
        from = to;
        to = other;
    }
    if (from != world->body_order) {
        memcpy(world->body_order, from, count * sizeof *from);
    }
}

static bool boxes_meet(const struct body_part *a, const struct body_part *b) {
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// The boxes once more, in sorted order and with the axis of the sweep first: what the sweep reads lies side by side.
static void line_up(struct sim_world *world, unsigned axis) {
    for (uint32_t i = 0; i < world->body_parts; i++) {
        const struct body_part *part = &world->body_part[world->body_order[i]];
        struct body_interval *at = &world->body_interval[i];
        for (unsigned k = 0; k < 3; k++) {
            at->low[k] = along(part->low, (axis + k) % 3);
            at->high[k] = along(part->high, (axis + k) % 3);
        }
    }
}

static void sweep(struct sim_world *world) {
    const struct body_interval *at = world->body_interval;
    for (uint32_t i = 0; i < world->body_parts; i++) {
        const struct body_interval mine = at[i];
        for (uint32_t j = i + 1; j < world->body_parts && at[j].low[0] <= mine.high[0]; j++) {
            const bool apart = (at[j].low[1] > mine.high[1]) | (at[j].high[1] < mine.low[1]) |
                               (at[j].low[2] > mine.high[2]) | (at[j].high[2] < mine.low[2]);
            if (!apart) {
                const uint32_t a = world->body_order[i];
                const uint32_t b = world->body_order[j];
                body_pair_detect(world, &world->body_part[a < b ? a : b], &world->body_part[a < b ? b : a]);
            }
        }
    }
}

// ---- other objects -----------------------------------------------------------------------------------------------

struct bodies {
    struct body_part all; // its box is around all
    unsigned axis;
    float width; // m, of the widest along the axis
};

static struct bodies bodies_of(const struct sim_world *world, unsigned axis) {
    struct bodies bodies = {.all = world->body_part[0], .axis = axis};
    for (uint32_t i = 0; i < world->body_parts; i++) {
        const struct vec3 low = world->body_part[i].low;
        const struct vec3 high = world->body_part[i].high;
        struct vec3 *least = &bodies.all.low;
        struct vec3 *most = &bodies.all.high;
        *least = vec3_of(scalar_min(least->x, low.x), scalar_min(least->y, low.y), scalar_min(least->z, low.z));
        *most = vec3_of(scalar_max(most->x, high.x), scalar_max(most->y, high.y), scalar_max(most->z, high.z));
        bodies.width = scalar_max(bodies.width, along(high, axis) - along(low, axis));
    }
    return bodies;
}

// The first in the sorted list that begins at `low` or later.
static uint32_t first_from(const struct sim_world *world, const struct bodies *bodies, float low) {
    uint32_t first = 0;
    uint32_t end = world->body_parts;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (along(world->body_part[world->body_order[middle]].low, bodies->axis) < low) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

static void meet_bodies(struct sim_world *world, const struct bodies *bodies, struct body_part *part) {
    body_shape_bound(world, part);
    if (!boxes_meet(part, &bodies->all)) {
        return;
    }
    const float low = along(part->low, bodies->axis);
    const float high = along(part->high, bodies->axis);
    for (uint32_t i = first_from(world, bodies, low - bodies->width - 1e-3f); i < world->body_parts; i++) {
        const struct body_part *body = &world->body_part[world->body_order[i]];
        if (along(body->low, bodies->axis) > high) {
            break;
        }
        if (boxes_meet(part, body)) {
            body_pair_detect(world, body, part);
        }
    }
}

static bool is_near(const struct sim_world *world, const struct object *object, const struct bodies *bodies) {
    struct body_part box = {.low = particle_position(world, object->first)};
    box.high = box.low;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        box.low = vec3_of(scalar_min(box.low.x, scalar_min(world->x[i], world->px[i])),
                          scalar_min(box.low.y, scalar_min(world->y[i], world->py[i])),
                          scalar_min(box.low.z, scalar_min(world->z[i], world->pz[i])));
        box.high = vec3_of(scalar_max(box.high.x, scalar_max(world->x[i], world->px[i])),
                           scalar_max(box.high.y, scalar_max(world->y[i], world->py[i])),
                           scalar_max(box.high.z, scalar_max(world->z[i], world->pz[i])));
    }
    const float margin = object->radius + 0.1f;
    box.low = vec3_sub(box.low, vec3_of(margin, margin, margin));
    box.high = vec3_add(box.high, vec3_of(margin, margin, margin));
    return boxes_meet(&box, &bodies->all);
}

// Triangles where there are any, else sticks, else particles.
static void meet_object(struct sim_world *world, const struct bodies *bodies, uint32_t place) {
    const struct object *object = &world->object[place];
    const uint32_t first = object->first;
    struct body_part part = {.object = place, .radius = object->radius};
    if (!is_near(world, object, bodies)) {
        return;
    }
    if (object->triangles > 0) {
        part.particles = 3;
        for (uint32_t t = 0; t < object->triangles; t++) {
            const uint32_t *corner = world->triangle + 3 * (size_t)(object->first_triangle + t);
            for (unsigned k = 0; k < 3; k++) {
                part.slot[k] = first + corner[k];
            }
            meet_bodies(world, bodies, &part);
        }
        return;
    }
    part.particles = object->sticks > 0 ? 2 : 1;
    const uint32_t count = object->sticks > 0 ? object->sticks : object->particles;
    for (uint32_t i = 0; i < count; i++) {
        part.slot[0] = first + (object->sticks > 0 ? world->stick_a[object->first_stick + i] : i);
        part.slot[1] = first + (object->sticks > 0 ? world->stick_b[object->first_stick + i] : i);
        meet_bodies(world, bodies, &part);
    }
}

void body_detect(struct sim_world *world) {
    world->body_parts = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (is_solid(&world->object[i])) {
            add_parts(world, i);
        }
    }
    if (world->body_parts == 0) {
        return;
    }
    const unsigned axis = widest_axis(world);
    sort_parts(world, axis);
    line_up(world, axis);
    sweep(world);
    const struct bodies bodies = bodies_of(world, axis);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (!is_solid(&world->object[i])) {
            meet_object(world, &bodies, i);
        }
    }
}
