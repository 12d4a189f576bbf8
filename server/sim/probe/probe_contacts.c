// SPDX-License-Identifier: MIT
// Contacts after the last tick: the solver's lists of contacts, which stay until the next substep, and the particles
// that lie on an obstacle or on the bounds, which have no list (contact_particle.c) and are searched.
//
// The lists hold slots of particles: after a change of the layout they are not valid until the next tick.
#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_particle.h"
#include "sim/contact/obstacle_point.h"
#include "sim/probe.h"
#include "sim/simd/simd.h"
#include "sim/world/box.h"
#include "sim/world/particle.h"

#define TOUCH_DISTANCE 1e-4f // m: things nearer than this are in contact
#define LOOKS_MAX 524288u    // greatest number of pairs of a particle and an obstacle that are examined

struct collector {
    const struct sim_world *world;
    struct sim_contact *contacts;
    uint32_t most, count, total;
    uint32_t step; // every step-th contact is kept
    uint32_t looks;
    float per_second; // substeps per second
};

// When there is no more room, every other contact is removed, and later only every other one is kept.
static void collect(struct collector *collector, const struct sim_contact *contact) {
    const uint32_t index = collector->total;
    collector->total++;
    if (index % collector->step == 0 && collector->count == collector->most) {
        collector->count = (collector->most + 1) / 2;
        for (uint32_t i = 1; i < collector->count; i++) {
            collector->contacts[i] = collector->contacts[2 * i];
        }
        collector->step *= 2;
    }
    if (index % collector->step == 0) {
        collector->contacts[collector->count] = *contact;
        collector->count++;
    }
}

static float slip_of(const struct collector *collector, struct vec3 moved, struct vec3 normal) {
    const struct vec3 across = vec3_sub(moved, vec3_scale(normal, vec3_dot(moved, normal)));
    return vec3_length(across) * collector->per_second;
}

// ---- the lists ---------------------------------------------------------------------------------------------------

// A point that particles carry: its position, its motion, and its distance from the other side's point.
struct carried {
    struct vec3 point, apart, moved;
};

static void carry(struct carried *carried, const struct sim_world *world, uint32_t slot, float weight, bool is_first) {
    const struct vec3 at = vec3_scale(particle_position(world, slot), weight);
    carried->apart = vec3_add(carried->apart, at);
    carried->point = is_first ? vec3_add(carried->point, at) : carried->point;
    carried->moved = vec3_add(carried->moved, vec3_scale(particle_displacement(world, slot), weight));
}

// Weights of A may be negative: vertices of an embedded shape may lie outside its particles.
static struct carried carry_contact(const struct sim_world *world, const struct contact *contact) {
    const struct object *first = &world->object[contact->object_a];
    struct carried carried = {0};
    for (uint32_t i = 0; i < contact->carriers; i++) {
        const uint32_t slot = contact->slot[i];
        const bool is_first = slot >= first->first && slot < first->first + first->particles;
        carry(&carried, world, slot, contact->weight[i], is_first);
    }
    return carried;
}

// Both features may belong to one cloth; the second one has negative weights.
static struct carried carry_pair(const struct sim_world *world, const struct cloth_contact *contact) {
    struct carried carried = {0};
    for (uint32_t i = 0; i < 4; i++) {
        carry(&carried, world, contact->slot[i], contact->weight[i], contact->weight[i] > 0.0f);
    }
    return carried;
}

static void collect_listed(struct collector *collector) {
    const struct sim_world *world = collector->world;
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        if (contact->object_a == CONTACT_NO_OBJECT) {
            continue;
        }
        const struct carried carried = carry_contact(world, contact);
        const float depth = contact->offset - vec3_dot(contact->normal, carried.apart);
        const bool with_body = contact->object_b != CONTACT_NO_OBJECT;
        if (!(contact->pushed > 0.0f || depth > -TOUCH_DISTANCE)) {
            continue;
        }
        collect(collector, &(struct sim_contact){
                               .kind = with_body ? SIM_CONTACT_BODY : SIM_CONTACT_OBSTACLE,
                               .object = world->object[contact->object_a].id,
                               .other = with_body ? world->object[contact->object_b].id : 0,
                               .point = carried.point,
                               .normal = contact->normal,
                               .depth = depth,
                               .slip = slip_of(collector, carried.moved, contact->normal),
                               .friction = contact->friction,
                           });
    }
}

static void collect_cloth(struct collector *collector) {
    const struct sim_world *world = collector->world;
    const struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t i = 0; cloth->faces > 0 && i < cloth->contacts; i++) {
        const struct cloth_contact *contact = &cloth->contact[i];
        const struct carried carried = carry_pair(world, contact);
        const float depth = contact->gap - vec3_dot(contact->normal, carried.apart);
        if (!(contact->pushed || depth > -TOUCH_DISTANCE)) {
            continue;
        }
        collect(collector, &(struct sim_contact){
                               .kind = contact->object_a == contact->object_b ? SIM_CONTACT_SELF : SIM_CONTACT_CLOTH,
                               .object = world->object[contact->object_a].id,
                               .other = world->object[contact->object_b].id,
                               .point = carried.point,
                               .normal = contact->normal,
                               .depth = depth,
                               .slip = slip_of(collector, carried.moved, contact->normal),
                               .friction = contact->friction,
                           });
    }
}

// ---- particles ---------------------------------------------------------------------------------------------------

static bool is_apart(const struct box *box, const struct obstacle *obstacle, float reach) {
    return box->max.x + reach < obstacle->box_min.x || box->min.x - reach > obstacle->box_max.x ||
           box->max.y + reach < obstacle->box_min.y || box->min.y - reach > obstacle->box_max.y ||
           box->max.z + reach < obstacle->box_min.z || box->min.z - reach > obstacle->box_max.z;
}

static void collect_particle(struct collector *collector, const struct object *object, uint32_t slot,
                             const struct sim_contact *contact) {
    struct sim_contact made = *contact;
    made.object = object->id;
    made.point = vec3_sub(particle_position(collector->world, slot), vec3_scale(contact->normal, object->radius));
    made.slip = slip_of(collector, particle_displacement(collector->world, slot), contact->normal);
    collect(collector, &made);
}

static void look_at_obstacle(struct collector *collector, const struct object *object,
                             const struct obstacle *obstacle) {
    const struct sim_world *world = collector->world;
    const float reach = contact_reach(object, obstacle);
    for (uint32_t slot = object->first; slot < object->first + object->particles; slot++) {
        const struct touch touch = obstacle_touch(obstacle, particle_position(world, slot), reach);
        if (world->w[slot] > 0.0f && touch.depth > -TOUCH_DISTANCE) {
            collect_particle(collector, object, slot,
                             &(struct sim_contact){
                                 .kind = SIM_CONTACT_OBSTACLE,
                                 .other = obstacle->shape.id,
                                 .normal = touch.normal,
                                 .depth = touch.depth,
                                 .friction = contact_friction(object->friction, obstacle->shape.friction),
                             });
        }
    }
}

// The bounds are six planes that face inwards.
static void look_at_bounds(struct collector *collector, const struct object *object, const struct box *box) {
    const struct sim_world *world = collector->world;
    const struct sim_parameters *parameters = &world->state.parameters;
    const float low[3] = {parameters->bounds_min.x, parameters->bounds_min.y, parameters->bounds_min.z};
    const float high[3] = {parameters->bounds_max.x, parameters->bounds_max.y, parameters->bounds_max.z};
    const float least[3] = {box->min.x, box->min.y, box->min.z};
    const float most[3] = {box->max.x, box->max.y, box->max.z};
    const float *const at[3] = {world->x, world->y, world->z};
    for (unsigned side = 0; side < 6; side++) {
        const unsigned axis = side / 2;
        const float sign = side % 2 == 0 ? 1.0f : -1.0f;
        const float plane = side % 2 == 0 ? low[axis] : high[axis];
        const float nearest = side % 2 == 0 ? least[axis] : most[axis];
        if (sign * (nearest - plane) >= object->radius + TOUCH_DISTANCE) {
            continue;
        }
        const struct vec3 normal = vec3_of(axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f);
        for (uint32_t slot = object->first; slot < object->first + object->particles; slot++) {
            const float depth = object->radius - sign * (at[axis][slot] - plane);
            if (world->w[slot] > 0.0f && depth > -TOUCH_DISTANCE) {
                collect_particle(collector, object, slot,
                                 &(struct sim_contact){
                                     .kind = SIM_CONTACT_BOUNDS,
                                     .normal = normal,
                                     .depth = depth,
                                     .friction = contact_friction(object->friction, parameters->friction),
                                 });
            }
        }
    }
}

// Returns false when there are too many pairs to examine.
static bool look_at_object(struct collector *collector, const struct object *object) {
    const struct sim_world *world = collector->world;
    const struct box box = box_around(world, object, SIMD_START);
    for (uint32_t k = 0; k < world->state.obstacles; k++) {
        const struct obstacle *obstacle = &world->obstacle[k];
        if (contact_pair_is_listed(object, obstacle) ||
            is_apart(&box, obstacle, contact_reach(object, obstacle) + TOUCH_DISTANCE)) {
            continue;
        }
        collector->looks += object->particles;
        if (collector->looks > LOOKS_MAX) {
            return false;
        }
        look_at_obstacle(collector, object, obstacle);
    }
    look_at_bounds(collector, object, &box);
    return true;
}

uint32_t sim_world_contacts(const struct sim_world *world, struct sim_contact *contacts, uint32_t most, uint32_t *total,
                            bool *complete) {
    struct collector collector = {
        .world = world,
        .contacts = contacts,
        .most = most,
        .step = 1,
        .per_second = 1.0f / world_substep_seconds(world),
    };
    *complete = world->contacts_epoch == world->state.epoch;
    if (*complete) {
        collect_listed(&collector);
        collect_cloth(&collector);
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object_is_active(object) && object->hull_vertices == 0) {
            *complete = look_at_object(&collector, object) && *complete;
        }
    }
    *total = collector.total;
    return collector.count;
}
