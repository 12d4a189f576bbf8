// SPDX-License-Identifier: MIT
// Removing an object, and everything that refers to it.
#include "sim/contact/obstacle.h"
#include "sim/force/force.h"
#include "sim/force/grab.h"
#include "sim/stick/free_stick.h"
#include "sim/world/layout.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

enum result sim_object_remove(struct sim_world *world, uint32_t object, struct fault *fault) {
    struct object *found = NULL;
    const enum result result = layout_find(world, object, &found, fault);
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t place = (uint32_t)(found - world->object);
    wake_place(world, place);
    wake_near(world, found);
    grab_drop_object(world, object);
    free_stick_drop_object(world, object);
    force_drop_object(world, object);
    const struct shape_span hull = found->hull;
    layout_close(world, place);
    shape_remove(world, &hull);
    obstacle_refresh(world);
    layout_changed(world);
    (void)sequence_next(world);
    return RESULT_OK;
}
