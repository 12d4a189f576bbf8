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

#define STATE_ARRAY(type, name, each, per, since, hash) SECTION_##name,
#define ELEMENT_ARRAY(type, name, per, room, one, many) SECTION_##name,
enum {
#include "sim/world/arrays.h"
    SECTIONS
};

// The used part of one array.
struct section {
    void *data;
    size_t bytes;
};

static void list_sections(const struct sim_world *world, struct section sections[SECTIONS]) {
    const struct sim_state *state = &world->state;
#define STATE_ARRAY(type, name, each, per, since, hash)                                                                \
    *sections++ = (struct section){world->name, (each) * (size_t)state->per * sizeof *world->name};
#define ELEMENT_ARRAY(type, name, per, room, one, many) STATE_ARRAY(type, name, 1, per, , )
#include "sim/world/arrays.h"
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
