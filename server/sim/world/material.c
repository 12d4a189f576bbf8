// SPDX-License-Identifier: MIT
// Changes the material of objects and obstacles. Nothing else changes; objects that rest on them wake, since they may
// slide now, or give way.
#include <stdio.h>

#include "sim/world/check.h"
#include "sim/world/enclosure.h"
#include "sim/world/fabric.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

#define MASS_MIN 1e-6f // kg, of an object
#define MASS_MAX 1e6f

static enum result check_surface(const struct sim_material *material, struct fault *fault) {
    const enum result result = material->friction != NULL ? check_friction(*material->friction, fault) : RESULT_OK;
    if (result != RESULT_OK || material->restitution == NULL) {
        return result;
    }
    return check_range(*material->restitution, 0.0f, 1.0f, "", "/restitution", fault);
}

static bool take_over_surface(const struct sim_material *material, float *friction, float *restitution) {
    *friction = material->friction != NULL ? *material->friction : *friction;
    *restitution = material->restitution != NULL ? *material->restitution : *restitution;
    return material->friction != NULL || material->restitution != NULL;
}

// ---- stiffness ---------------------------------------------------------------------------------------------------

static enum result check_stiffness(const struct sim_world *world, const struct object *object,
                                   const struct sim_material *material, struct fault *fault) {
    if (material->stretch_compliance != NULL && !layout_stretches(object)) {
        return fault_set(fault, RESULT_INVALID, "/stretchCompliance",
                         "object %u has no stretchCompliance: only cloths, meshes and ropes have one", object->id);
    }
    if (material->bend_compliance != NULL && !layout_bends(world, object)) {
        return fault_set(
            fault, RESULT_INVALID, "/bendCompliance",
            "object %u has no bending sticks: only plants, and cloths and meshes made with bend, have them",
            object->id);
    }
    if (material->fabric != NULL && object->panels == 0) {
        return fault_set(fault, RESULT_INVALID, "/stretchWarp",
                         "object %u is not of fabric: only a cloth or mesh made of one has its stiffnesses",
                         object->id);
    }
    struct sim_fabric fabric;
    enum result result = material->fabric != NULL ? fabric_check(material->fabric, &fabric, fault) : RESULT_OK;
    if (result == RESULT_OK && material->stretch_compliance != NULL) {
        result = check_compliance(*material->stretch_compliance, "/stretchCompliance", fault);
    }
    if (result == RESULT_OK && material->bend_compliance != NULL) {
        result = check_compliance(*material->bend_compliance, "/bendCompliance", fault);
    }
    return result;
}

static bool take_over_stiffness(struct sim_world *world, const struct sim_material *material, struct object *object) {
    if (material->fabric != NULL && fabric_check(material->fabric, &object->fabric, NULL) == RESULT_OK) {
        world->panels_stale = true; // curvature at a rim depends on the stiffnesses
    }
    if (material->stretch_compliance == NULL && material->bend_compliance == NULL) {
        return material->fabric != NULL;
    }
    if (material->stretch_compliance != NULL) {
        object->stretch_compliance = *material->stretch_compliance;
    }
    if (material->bend_compliance != NULL) {
        object->bend_compliance = *material->bend_compliance;
    }
    world->free_sticks_stale = true; // the pairs that rigid sticks join
    return true;
}

// ---- soft bodies and gas -----------------------------------------------------------------------------------------

static enum result check_soft(const struct object *object, const struct sim_material *material, struct fault *fault) {
    if (material->young == NULL && material->poisson == NULL && material->viscosity == NULL) {
        return RESULT_OK;
    }
    if (object->kind != SIM_KIND_SOFT) {
        const char *member = material->young != NULL ? "young" : material->poisson != NULL ? "poisson" : "viscosity";
        char pointer[FAULT_POINTER_MAX];
        snprintf(pointer, sizeof pointer, "/%s", member);
        return fault_set(fault, RESULT_INVALID, pointer, "object %u has no %s: only soft bodies have one", object->id,
                         member);
    }
    return check_elasticity(material->young != NULL ? *material->young : object->young,
                            material->poisson != NULL ? *material->poisson : object->poisson,
                            material->viscosity != NULL ? *material->viscosity : object->viscosity, fault);
}

static bool take_over_soft(const struct sim_material *material, struct object *object) {
    object->young = material->young != NULL ? *material->young : object->young;
    object->poisson = material->poisson != NULL ? *material->poisson : object->poisson;
    object->viscosity = material->viscosity != NULL ? *material->viscosity : object->viscosity;
    return material->young != NULL || material->poisson != NULL || material->viscosity != NULL;
}

// Sets `volume` to that at which the gas has the pressure.
static enum result check_gas(const struct sim_world *world, const struct object *object,
                             const struct sim_material *material, float *volume, struct fault *fault) {
    *volume = object->gas_volume;
    if (material->pressure == NULL) {
        return RESULT_OK;
    }
    if (object->kind != SIM_KIND_MESH) {
        return fault_set(fault, RESULT_INVALID, "/pressure", "object %u has no pressure: only closed meshes hold gas",
                         object->id);
    }
    const enum result result = enclosure_check_pressure(*material->pressure, fault);
    return result == RESULT_OK && object->gas_volume == 0.0f ? enclosure_measure(world, object, volume, fault) : result;
}

// ---- mass --------------------------------------------------------------------------------------------------------

static double mass_of(const struct sim_world *world, uint32_t first, uint32_t particles) {
    double mass = 0.0;
    for (uint32_t slot = first; slot < first + particles; slot++) {
        mass += world->own_w[slot] > 0.0f ? 1.0 / (double)world->own_w[slot] : 0.0;
    }
    return mass;
}

double sim_object_mass(const struct sim_world *world, const struct sim_object_view *object) {
    return mass_of(world, object->first, object->particles);
}

static float scaled(const struct sim_world *world, uint32_t slot, double share) {
    return (float)((double)world->own_w[slot] * share);
}

// Sets `share` to that by which inverse masses are multiplied.
static enum result check_mass(const struct sim_world *world, const struct object *object, const float *mass,
                              double *share, struct fault *fault) {
    *share = 1.0;
    if (mass == NULL) {
        return RESULT_OK;
    }
    const double before = mass_of(world, object->first, object->particles);
    if (!(before > 0.0)) {
        return fault_set(fault, RESULT_INVALID, "/mass",
                         "object %u has no mass: all its particles have the inverse mass 0", object->id);
    }
    const enum result result = check_range(*mass, MASS_MIN, MASS_MAX, "kg", "/mass", fault);
    if (result != RESULT_OK) {
        return result;
    }
    const double wanted = before / (double)*mass;
    for (uint32_t i = 0; i < object->particles; i++) {
        const float inverse_mass = scaled(world, object->first + i, wanted);
        if (world->own_w[object->first + i] > 0.0f &&
            !(inverse_mass >= 1.0f / SIM_MASS_MAX && inverse_mass <= 1.0f / SIM_MASS_MIN)) {
            return fault_set(fault, RESULT_INVALID, "/mass", "particle %u would weigh %g kg, which must be %g to %g", i,
                             1.0 / (double)inverse_mass, (double)SIM_MASS_MIN, (double)SIM_MASS_MAX);
        }
    }
    *share = wanted;
    return RESULT_OK;
}

static void weigh(struct sim_world *world, const struct object *object, double share) {
    for (uint32_t slot = object->first; slot < object->first + object->particles; slot++) {
        world->own_w[slot] = scaled(world, slot, share);
        particle_refresh(world, slot);
    }
}

// ---- the commands ------------------------------------------------------------------------------------------------

enum result sim_object_set(struct sim_world *world, uint32_t object, struct sim_material material,
                           struct fault *fault) {
    struct object *found = NULL;
    double share = 1.0;
    float volume = 0.0f;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        result = check_surface(&material, fault);
    }
    if (result == RESULT_OK) {
        result = check_stiffness(world, found, &material, fault);
    }
    if (result == RESULT_OK) {
        result = check_soft(found, &material, fault);
    }
    if (result == RESULT_OK) {
        result = check_gas(world, found, &material, &volume, fault);
    }
    if (result == RESULT_OK) {
        result = check_mass(world, found, material.mass, &share, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    bool changed = take_over_surface(&material, &found->friction, &found->restitution);
    changed = take_over_stiffness(world, &material, found) || changed;
    changed = take_over_soft(&material, found) || changed;
    if (material.pressure != NULL) {
        found->gas_volume = volume;
        found->gas_pressure = *material.pressure;
        changed = true;
    }
    if (material.mass != NULL) {
        weigh(world, found, share);
        changed = true;
    }
    if (changed) {
        wake_object(world, object);
    }
    (void)sequence_next(world);
    return RESULT_OK;
}

static enum result check_obstacle_material(const struct sim_material *material, struct fault *fault) {
    if (material->stretch_compliance != NULL || material->bend_compliance != NULL || material->mass != NULL ||
        material->young != NULL || material->poisson != NULL || material->viscosity != NULL ||
        material->pressure != NULL || material->fabric != NULL) {
        return fault_set(fault, RESULT_INVALID, "", "an obstacle has only friction and restitution");
    }
    return check_surface(material, fault);
}

enum result sim_obstacle_set(struct sim_world *world, uint32_t obstacle, struct sim_material material,
                             struct fault *fault) {
    struct obstacle *found = NULL;
    for (uint32_t i = 0; i < world->state.obstacles; i++) {
        found = world->obstacle[i].base.id == obstacle ? &world->obstacle[i] : found;
    }
    if (found == NULL) {
        return fault_set(fault, RESULT_NOT_FOUND, "/obstacle", "there is no obstacle %u in this world", obstacle);
    }
    const enum result result = check_obstacle_material(&material, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const bool changed = take_over_surface(&material, &found->base.friction, &found->base.restitution);
    found->shape.friction = found->base.friction;
    found->shape.restitution = found->base.restitution;
    if (changed) {
        wake_box(world, found->box_min, found->box_max);
    }
    (void)sequence_next(world);
    return RESULT_OK;
}
