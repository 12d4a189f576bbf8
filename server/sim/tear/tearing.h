// SPDX-License-Identifier: MIT
// An object while it tears, by stretch (tear.c) or by command (cut.c): its room and its sticks. All of this is scratch
// of one object in one tick or command.
#ifndef WEFT_SIM_TEAR_TEARING_H
#define WEFT_SIM_TEAR_TEARING_H

#include "sim/world/world.h"

#define TEAR_FAN_MAX 64u     // triangles that may meet in a particle for the sheet to part there
#define TEAR_PATCH_MAX 4096u // triangles around it that are looked at
#define TEAR_ADDED_MAX 256u  // sticks that one object may gain in a tick

// A stick of which only the place is missing.
struct tear_stick {
    uint32_t a, b; // local
    float rest;    // m
    uint32_t colour;
};

// What can be touched, in the order of its indices: spares looking through a large sheet again and again.
struct tear_near {
    const uint32_t *triangle; // NULL: all of the object's are looked through, and all sticks
    const uint32_t *stick;    // twice its index, and 1 more if it bends
    uint32_t triangles, sticks;
};

struct tearing {
    struct sim_world *world;
    struct object *object;
    struct tear_near near;
    uint32_t particles; // of the object in use; up to object->particles are room
    struct tear_stick added[TEAR_ADDED_MAX];
    uint32_t added_count;
    uint32_t colours; // of the object, with those that added sticks bring
};

// A broken stick keeps its place until the end of the object's turn.
#define TEAR_GONE UINT32_MAX

static inline bool tear_is_gone(const struct tearing *tearing, uint32_t stick) {
    return tearing->world->stick_a[tearing->object->first_stick + stick] == TEAR_GONE;
}

// Gives the object room for so many particles more, as far as there is; and leaves it with the sticks, colours and
// particles it has then, and no room.
void tear_begin(struct tearing *tearing, uint32_t more_particles);
void tear_finish(struct tearing *tearing);
// Adds a stick along an edge, in the first colour of such sticks that is free at both ends. There has to be room.
void tear_add_stick(struct tearing *tearing, float rest, uint32_t a, uint32_t b);

#endif
