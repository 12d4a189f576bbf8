// SPDX-License-Identifier: MIT
// Each object has a chain of its joints: `joint` is one more than the first entry, 2·stick + side; joint_next goes on.
#include "sim/world/joint.h"

#include "sim/world/layout.h"

static bool turns(const struct object *object) {
    return object->kind == SIM_KIND_PARTICLES || object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
}

static void add(struct sim_world *world, struct object *object, uint32_t entry) {
    world->joint_next[entry] = object->joint;
    object->joint = entry + 1;
}

void joint_note(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].joint = 0;
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        struct object *a = NULL;
        struct object *b = NULL;
        if (stick->rest_length == 0.0f && stick->a.object != stick->b.object &&
            layout_find(world, stick->a.object, &a, NULL) == RESULT_OK &&
            layout_find(world, stick->b.object, &b, NULL) == RESULT_OK && turns(a) && turns(b)) {
            add(world, a, 2 * i);
            add(world, b, 2 * i + 1);
        }
    }
}

bool joint_is_between(const struct sim_world *world, uint32_t a, uint32_t b) {
    const uint32_t other = world->object[b].joint != 0 ? world->object[b].id : 0;
    for (uint32_t at = world->object[a].joint; at != 0 && other != 0; at = world->joint_next[at - 1]) {
        const struct free_stick *stick = &world->free_stick[(at - 1) / 2];
        if ((at - 1) % 2 == 0 ? stick->b.object == other : stick->a.object == other) {
            return true;
        }
    }
    return false;
}
