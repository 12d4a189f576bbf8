// SPDX-License-Identifier: MIT
// Movers: gathering one from its particles, and turning a point of it into a contact.
#include "sim/contact/sweep.h"

static struct point start_of(const struct mover *mover, uint32_t i) {
    return point_of(start_position(&mover->from, i));
}

static struct point end_of(const struct sim_world *world, uint32_t i) {
    return point_of(particle_relaxed(world, i));
}

static void include(struct mover *mover, struct point p) {
    const struct vec3 at = point_rounded(p);
    mover->min =
        vec3_of(scalar_min(mover->min.x, at.x), scalar_min(mover->min.y, at.y), scalar_min(mover->min.z, at.z));
    mover->max =
        vec3_of(scalar_max(mover->max.x, at.x), scalar_max(mover->max.y, at.y), scalar_max(mover->max.z, at.z));
}

static void enclose(struct mover *mover) {
    mover->min = mover->max = point_rounded(mover->start[0]);
    mover->moved = 0.0;
    for (uint32_t i = 0; i < mover->vertices; i++) {
        const double moved = point_length(point_sub(mover->end[i], mover->start[i]));
        mover->moved = moved > mover->moved ? moved : mover->moved;
        include(mover, mover->start[i]);
        include(mover, mover->end[i]);
    }
    const float margin = mover_margin(mover->radius);
    mover->min = vec3_sub(mover->min, vec3_of(margin, margin, margin));
    mover->max = vec3_add(mover->max, vec3_of(margin, margin, margin));
}

static void take_material(struct mover *mover, const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    mover->place = place;
    mover->radius = object->radius;
    mover->friction = object->friction;
    mover->restitution = object->restitution;
}

void mover_of_particles(struct mover *mover, const struct sim_world *world, uint32_t place) {
    static const uint32_t face[3] = {0, 1, 2};
    take_material(mover, world, place);
    mover->vertices = mover->slots;
    mover->weight = NULL;
    mover->triangles = mover->slots == 3 ? 1 : 0;
    mover->triangle = mover->slots == 3 ? face : NULL;
    if (mover->slots == 4) {
        mover->triangles = world->object[place].triangles;
        mover->triangle = world->triangle + 3 * (size_t)world->object[place].first_triangle;
    }
    for (uint32_t i = 0; i < mover->slots; i++) {
        mover->start[i] = start_of(mover, mover->slot[i]);
        mover->end[i] = end_of(world, mover->slot[i]);
    }
    enclose(mover);
}

void mover_of_hull(struct mover *mover, const struct sim_world *world, uint32_t place) {
    const struct object *object = &world->object[place];
    take_material(mover, world, place);
    mover->slots = 4;
    mover->vertices = object->hull_vertices;
    mover->triangles = object->hull_triangles;
    mover->weight = world->shape_real + object->hull.first_real;
    mover->triangle = world->shape_index + object->hull.first_index;
    for (uint32_t k = 0; k < 4; k++) {
        mover->slot[k] = object->first + k;
    }
    for (uint32_t i = 0; i < mover->vertices; i++) {
        const float *weight = mover->weight + 4 * (size_t)i;
        mover->start[i] = mover->end[i] = (struct point){0};
        for (uint32_t k = 0; k < 4; k++) {
            const double share = (double)weight[k];
            mover->start[i] = point_add(mover->start[i], point_scale(start_of(mover, mover->slot[k]), share));
            mover->end[i] = point_add(mover->end[i], point_scale(end_of(world, mover->slot[k]), share));
        }
    }
    enclose(mover);
}

struct contact mover_contact(const struct mover *mover, const struct mixture *point, struct point fixed,
                             struct point normal, double gap) {
    double weight[4] = {0};
    for (uint32_t v = 0; v < point->vertices; v++) {
        for (uint32_t k = 0; k < mover->slots; k++) {
            const double own = point->vertex[v] == k ? 1.0 : 0.0;
            const double share = mover->weight != NULL ? (double)mover->weight[4 * (size_t)point->vertex[v] + k] : own;
            weight[k] += point->weight[v] * share;
        }
    }
    struct contact contact = {
        .object_a = mover->place,
        .object_b = CONTACT_NO_OBJECT,
        .normal = point_rounded(normal),
        .offset = (float)(point_dot(normal, fixed) + gap),
    };
    for (uint32_t k = 0; k < mover->slots; k++) {
        if (weight[k] != 0.0) {
            contact.slot[contact.carriers] = mover->slot[k];
            contact.weight[contact.carriers] = (float)weight[k];
            contact.carriers++;
        }
    }
    return contact;
}
