// SPDX-License-Identifier: MIT
// Forces that last some ticks: each is a record that adds its share to the accumulators in every tick until it expires
// (PHYSICS.md 12.2). The particles of the records lie in one array, in the order of the records.
#include "sim/force/force.h"

#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

enum result sim_force_apply(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                            struct vec3 force, uint32_t ticks, struct fault *fault) {
    struct sim_state *state = &world->state;
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        result = layout_check_indices(found, indices, count, "/particles", fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(force, 1e9f, "N", "/force", fault);
    }
    if (result == RESULT_OK && ticks == 0) {
        result = fault_set(fault, RESULT_INVALID, "/ticks", "ticks must be at least 1, got 0");
    }
    if (result == RESULT_OK && state->forces == SIM_FORCES_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "at most %u forces can act at a time", SIM_FORCES_MAX);
    }
    if (result == RESULT_OK && count > world->capacity.particles - state->force_indices) {
        result = fault_set(fault, RESULT_LIMIT, "/particles", "forces that act at a time can name at most %u particles",
                           world->capacity.particles);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t sharers = count > 0 ? count : found->particles;
    if (count > 0) {
        memcpy(world->force_index + state->force_indices, indices, count * sizeof *indices);
    }
    world->force[state->forces] = (struct force){
        .object = object,
        .ticks = ticks,
        .first_index = state->force_indices,
        .indices = count,
        .share = vec3_of(force.x / (float)sharers, force.y / (float)sharers, force.z / (float)sharers),
    };
    state->forces++;
    state->force_indices += count;
    wake_object(world, object);
    (void)sequence_next(world);
    return RESULT_OK;
}

static void add_share(struct sim_world *world, uint32_t slot, struct vec3 share) {
    world->fx[slot] += share.x;
    world->fy[slot] += share.y;
    world->fz[slot] += share.z;
}

static void accumulate(struct sim_world *world, const struct force *force) {
    struct object *object = NULL;
    if (layout_find(world, force->object, &object, NULL) != RESULT_OK) {
        return;
    }
    const uint32_t sharers = force->indices > 0 ? force->indices : object->particles;
    for (uint32_t i = 0; i < sharers; i++) {
        const uint32_t index = force->indices > 0 ? world->force_index[force->first_index + i] : i;
        add_share(world, object->first + index, force->share);
    }
}

// Removes expired records and their particles.
static void compact(struct sim_world *world) {
    struct sim_state *state = &world->state;
    uint32_t kept = 0;
    uint32_t kept_indices = 0;
    for (uint32_t i = 0; i < state->forces; i++) {
        struct force force = world->force[i];
        if (force.ticks == 0) {
            continue;
        }
        memmove(world->force_index + kept_indices, world->force_index + force.first_index,
                force.indices * sizeof *world->force_index);
        force.first_index = kept_indices;
        kept_indices += force.indices;
        world->force[kept] = force;
        kept++;
    }
    state->forces = kept;
    state->force_indices = kept_indices;
}

void force_accumulate(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.forces; i++) {
        accumulate(world, &world->force[i]);
    }
}

void force_clear(const struct sim_world *world, struct slot_span span) {
    const size_t bytes = (size_t)(span.end - span.first) * sizeof *world->fx;
    memset(world->fx + span.first, 0, bytes);
    memset(world->fy + span.first, 0, bytes);
    memset(world->fz + span.first, 0, bytes);
}

void force_accumulate_again(struct sim_world *world, uint32_t k) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->wind_due == k && object_is_active(object)) {
            force_clear(world, (struct slot_span){object->first, object->first + object->particles});
        }
    }
    for (uint32_t i = 0; i < world->state.forces; i++) {
        struct object *object = NULL;
        if (layout_find(world, world->force[i].object, &object, NULL) == RESULT_OK && object->wind_due == k &&
            object_is_active(object)) {
            accumulate(world, &world->force[i]);
        }
    }
}

void force_expire(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.forces; i++) {
        world->force[i].ticks--;
    }
    compact(world);
}

void force_drop_object(struct sim_world *world, uint32_t object) {
    for (uint32_t i = 0; i < world->state.forces; i++) {
        if (world->force[i].object == object) {
            world->force[i].ticks = 0;
        }
    }
    compact(world);
}
