// SPDX-License-Identifier: MIT
// Changes the material of objects and obstacles. Nothing else changes; objects that rest on them wake, since they may
// slide now.
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

static enum result check_material(struct sim_material material, struct fault *fault) {
    const enum result result = material.friction != NULL ? check_friction(*material.friction, fault) : RESULT_OK;
    if (result != RESULT_OK || material.restitution == NULL) {
        return result;
    }
    return check_range(*material.restitution, 0.0f, 1.0f, "", "/restitution", fault);
}

static bool take_over(struct sim_material material, float *friction, float *restitution) {
    *friction = material.friction != NULL ? *material.friction : *friction;
    *restitution = material.restitution != NULL ? *material.restitution : *restitution;
    return material.friction != NULL || material.restitution != NULL;
}

enum result sim_object_set(struct sim_world *world, uint32_t object, struct sim_material material,
                           struct fault *fault) {
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        result = check_material(material, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (take_over(material, &found->friction, &found->restitution)) {
        wake_object(world, object);
    }
    (void)sequence_next(world);
    return RESULT_OK;
}

enum result sim_obstacle_set(struct sim_world *world, uint32_t obstacle, struct sim_material material,
                             struct fault *fault) {
    struct obstacle *found = NULL;
    for (uint32_t i = 0; i < world->state.obstacles; i++) {
        found = world->obstacle[i].shape.id == obstacle ? &world->obstacle[i] : found;
    }
    if (found == NULL) {
        return fault_set(fault, RESULT_NOT_FOUND, "/obstacle", "there is no obstacle %u in this world", obstacle);
    }
    const enum result result = check_material(material, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (take_over(material, &found->shape.friction, &found->shape.restitution)) {
        wake_box(world, found->box_min, found->box_max);
    }
    (void)sequence_next(world);
    return RESULT_OK;
}
