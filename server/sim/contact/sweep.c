// SPDX-License-Identifier: MIT
// Sweeps: making one from particles, and making a contact from a point of it.
#include "sim/contact/sweep.h"

#include "sim/contact/obstacle_motion.h"
#include "sim/world/particle.h"

static struct point start_of(const struct sweep *sweep, uint32_t i) {
    const struct point at = point_of(start_position(&sweep->from, i));
    return sweep->step != NULL ? point_add(at, obstacle_carries(sweep->step, at)) : at;
}

static struct point end_of(const struct sim_world *world, uint32_t i) {
    return point_of(particle_relaxed(world, i));
}

static void include(struct sweep *sweep, struct point p) {
    const struct vec3 at = point_rounded(p);
    sweep->min =
        vec3_of(scalar_min(sweep->min.x, at.x), scalar_min(sweep->min.y, at.y), scalar_min(sweep->min.z, at.z));
    sweep->max =
        vec3_of(scalar_max(sweep->max.x, at.x), scalar_max(sweep->max.y, at.y), scalar_max(sweep->max.z, at.z));
}

static void enclose(struct sweep *sweep) {
    sweep->min = sweep->max = point_rounded(sweep->start[0]);
    sweep->moved = 0.0;
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const double moved = point_length(point_sub(sweep->end[i], sweep->start[i]));
        sweep->moved = moved > sweep->moved ? moved : sweep->moved;
        include(sweep, sweep->start[i]);
        include(sweep, sweep->end[i]);
    }
    const float margin = sweep_margin(sweep->radius);
    sweep->min = vec3_sub(sweep->min, vec3_of(margin, margin, margin));
    sweep->max = vec3_add(sweep->max, vec3_of(margin, margin, margin));
}

static void take_material(struct sweep *sweep, const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    sweep->place = place;
    sweep->radius = object->radius;
    sweep->friction = object->friction;
    sweep->restitution = object->restitution;
}

void sweep_of_particles(struct sweep *sweep, const struct sim_world *world, uint32_t place) {
    static const uint32_t face[3] = {0, 1, 2};
    take_material(sweep, world, place);
    sweep->vertices = sweep->slots;
    sweep->weight = NULL;
    sweep->ring = false;
    sweep->round = false;
    sweep->triangles = sweep->slots == 3 ? 1 : 0;
    sweep->triangle = sweep->slots == 3 ? face : NULL;
    if (sweep->slots == 4) {
        sweep->triangles = world->object[place].triangles;
        sweep->triangle = world->triangle + 3 * (size_t)world->object[place].first_triangle;
    }
    for (uint32_t i = 0; i < sweep->slots; i++) {
        sweep->start[i] = start_of(sweep, sweep->slot[i]);
        sweep->end[i] = end_of(world, sweep->slot[i]);
    }
    enclose(sweep);
}

static void carry_vertices(struct sweep *sweep, const struct sim_world *world) {
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        const float *weight = sweep->weight + 4 * (size_t)i;
        sweep->start[i] = sweep->end[i] = (struct point){0};
        for (uint32_t k = 0; k < 4; k++) {
            const double share = (double)weight[k];
            sweep->start[i] = point_add(sweep->start[i], point_scale(start_of(sweep, sweep->slot[k]), share));
            sweep->end[i] = point_add(sweep->end[i], point_scale(end_of(world, sweep->slot[k]), share));
        }
    }
    enclose(sweep);
}

void sweep_of_hull(struct sweep *sweep, const struct sim_world *world, uint32_t place, uint32_t index) {
    const struct object *object = &world->object[place];
    const struct hull_part part = part_at(world, object, index);
    take_material(sweep, world, place);
    sweep->slots = 4;
    sweep->vertices = part.vertices;
    sweep->triangles = part.triangles;
    sweep->weight = part.weight;
    sweep->triangle = part.triangle;
    sweep->part = index;
    sweep->ring = part.ring;
    sweep->rim = (double)part.rim;
    sweep->round = part.radius > 0.0f;
    sweep->radius = part.radius;
    for (uint32_t k = 0; k < 4; k++) {
        sweep->slot[k] = object->first + k;
    }
    carry_vertices(sweep, world);
}

void sweep_seen_from(struct sweep *sweep, const struct sweep *from, const struct obstacle *obstacle) {
    *sweep = *from;
    sweep->step = &obstacle->step;
    for (uint32_t i = 0; i < sweep->vertices; i++) {
        sweep->start[i] = point_add(sweep->start[i], obstacle_carries(sweep->step, sweep->start[i]));
    }
    enclose(sweep);
}

void sweep_turn(struct sweep *sweep, const struct sim_world *world, struct point direction) {
    const struct hull_part part = part_at(world, &world->object[sweep->place], sweep->part);
    struct point carrier[4];
    for (uint32_t k = 0; k < 4; k++) {
        carrier[k] = end_of(world, sweep->slot[k]);
    }
    part_turn(&part, carrier, direction, sweep->turned);
    sweep->weight = sweep->turned;
    carry_vertices(sweep, world);
}

struct part_lift sweep_lift(const struct sweep *sweep, const struct mixture *point, struct point normal) {
    bool foremost = sweep->ring;
    for (uint32_t k = 0; k < point->vertices; k++) {
        foremost = foremost && point->vertex[k] % RING_SIDES == 0;
    }
    return foremost ? part_ring_lift(sweep->end[0], sweep->end[RING_SIDES / 2], sweep->rim, normal)
                    : (struct part_lift){0.0, 0.0};
}

void sweep_weights(const struct sweep *sweep, const struct mixture *point, double weight[4]) {
    for (uint32_t k = 0; k < 4; k++) {
        weight[k] = 0.0;
    }
    for (uint32_t v = 0; v < point->vertices; v++) {
        for (uint32_t k = 0; k < sweep->slots; k++) {
            const double own = point->vertex[v] == k ? 1.0 : 0.0;
            const double share = sweep->weight != NULL ? (double)sweep->weight[4 * (size_t)point->vertex[v] + k] : own;
            weight[k] += point->weight[v] * share;
        }
    }
}

struct contact sweep_contact(const struct sweep *sweep, const double weight[4], struct point fixed, struct point normal,
                             double gap) {
    struct contact contact = {
        .object_a = sweep->place,
        .object_b = CONTACT_NO_OBJECT,
        .normal = point_rounded(normal),
        .offset = (float)(point_dot(normal, fixed) + gap),
    };
    for (uint32_t k = 0; k < sweep->slots; k++) {
        if (weight[k] != 0.0) {
            contact.slot[contact.carriers] = sweep->slot[k];
            contact.weight[contact.carriers] = (float)weight[k];
            contact.carriers++;
        }
    }
    return contact;
}
