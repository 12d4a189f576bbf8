// SPDX-License-Identifier: MIT
// Saving and restoring a world: its scalars and the used part of its arrays, one after the other in one block.
#include <assert.h>
#include <stdlib.h>

#include "sim/state/lifecycle.h"

struct sim_snapshot {
    struct sim_state state;
    struct sim_capacity capacity;
    unsigned char bytes[];
};

#define SECTIONS 29

// The used part of one array.
struct section {
    void *data;
    size_t bytes;
};

#define SECTION(array, count)                                                                                          \
    { (array), (size_t)(count) * sizeof *(array) }

static void list_sections(const struct sim_world *world, struct section sections[SECTIONS]) {
    const struct sim_state *state = &world->state;
    const struct section all[] = {
        SECTION(world->x, state->particles),
        SECTION(world->y, state->particles),
        SECTION(world->z, state->particles),
        SECTION(world->low_x, state->particles),
        SECTION(world->low_y, state->particles),
        SECTION(world->low_z, state->particles),
        SECTION(world->dx, state->particles),
        SECTION(world->dy, state->particles),
        SECTION(world->dz, state->particles),
        SECTION(world->still_x, state->particles),
        SECTION(world->still_y, state->particles),
        SECTION(world->still_z, state->particles),
        SECTION(world->own_w, state->particles),
        SECTION(world->w, state->particles),
        SECTION(world->flags, state->particles),
        SECTION(world->stick_a, state->sticks),
        SECTION(world->stick_b, state->sticks),
        SECTION(world->stick_rest, state->sticks),
        SECTION(world->colour_end, state->colours),
        SECTION(world->colour_class, state->colours),
        SECTION(world->triangle, 3 * (size_t)state->triangles),
        SECTION(world->object, state->objects),
        SECTION(world->obstacle, state->obstacles),
        SECTION(world->free_stick, state->free_sticks),
        SECTION(world->grab, state->grabs),
        SECTION(world->force, state->forces),
        SECTION(world->force_index, state->force_indices),
        SECTION(world->shape_real, state->shape_reals),
        SECTION(world->shape_index, state->shape_indices),
    };
    _Static_assert(sizeof all / sizeof all[0] == SECTIONS, "every array of the state is a section");
    memcpy(sections, all, sizeof all);
}

enum result sim_world_save(const struct sim_world *world, struct sim_snapshot **snapshot) {
    struct section sections[SECTIONS];
    list_sections(world, sections);
    size_t bytes = 0;
    for (unsigned i = 0; i < SECTIONS; i++) {
        bytes += sections[i].bytes;
    }
    struct sim_snapshot *made = malloc(sizeof *made + bytes);
    if (made == NULL) {
        return RESULT_MEMORY;
    }
    made->state = world->state;
    made->capacity = world->capacity;
    unsigned char *at = made->bytes;
    for (unsigned i = 0; i < SECTIONS; i++) {
        memcpy(at, sections[i].data, sections[i].bytes);
        at += sections[i].bytes;
    }
    *snapshot = made;
    return RESULT_OK;
}

void sim_world_restore(struct sim_world *world, const struct sim_snapshot *snapshot) {
    assert(memcmp(&world->capacity, &snapshot->capacity, sizeof world->capacity) == 0);
    struct section sections[SECTIONS];
    world->state = snapshot->state;
    list_sections(world, sections);
    const unsigned char *at = snapshot->bytes;
    for (unsigned i = 0; i < SECTIONS; i++) {
        memcpy(sections[i].data, at, sections[i].bytes);
        at += sections[i].bytes;
    }
    lifecycle_refresh(world);
}

void sim_snapshot_destroy(struct sim_snapshot *snapshot) {
    free(snapshot);
}
