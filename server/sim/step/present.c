// SPDX-License-Identifier: MIT
// A world may have ten thousand objects, each of several cache lines: a pass over all of them that finds nothing to do
// takes a tenth of a millisecond in every substep.
#include "sim/step/present.h"

void present_note(struct sim_world *world) {
    world->bounces_present = world->figures_present = false;
    world->tethers_present = world->gas_present = world->tear_force_present = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        world->bounces_present |= object->restitution > 0.0f;
        world->figures_present |= object->kind == SIM_KIND_RAGDOLL;
        world->tethers_present |= object->tethers;
        world->gas_present |= object->gas_volume > 0.0f;
        world->tear_force_present |= object->tear_force > 0.0f;
    }
}
