// SPDX-License-Identifier: MIT
// An object while it tears, by stretch (tear.c) or by command (cut.c, blade.c): its room and its sticks. All of this is
// scratch of one object in one tick or command.
#ifndef WEFT_SIM_TEAR_TEARING_H
#define WEFT_SIM_TEAR_TEARING_H

#include "sim/world/world.h"

#define TEAR_FAN_MAX 64u     // greatest number of triangles around a particle that can be split
#define TEAR_PATCH_MAX 4096u // greatest number of triangles around it and its neighbours
#define TEAR_ADDED_MAX 256u  // greatest number of sticks that one object gains in a tick

// A stick that has no place in the arrays yet.
struct tear_stick {
    uint32_t a, b; // local
    float rest;    // m
    uint32_t colour;
};

// The triangles and sticks that a cut can affect, in the order of their indices; saves searching a large sheet again
// and again.
struct tear_near {
    const uint32_t *triangle; // NULL: all triangles and sticks of the object are searched
    const uint32_t *stick;    // twice the index of a stick, plus 1 if it is a bending stick
    uint32_t triangles, sticks;
};

struct tearing {
    struct sim_world *world;
    struct object *object;
    struct tear_near near;
    bool by_sides;      // `cut_sides` of the world says which edges are cut
    uint32_t particles; // particles of the object in use; those up to object->particles are reserved
    struct tear_stick added[TEAR_ADDED_MAX];
    uint32_t added_count;
    uint32_t colours; // colours of the object, with those of added sticks
};

// A broken stick keeps its place until tear_finish.
#define TEAR_GONE UINT32_MAX

static inline bool tear_is_gone(const struct tearing *tearing, uint32_t stick) {
    return tearing->world->stick_a[tearing->object->first_stick + stick] == TEAR_GONE;
}

// tear_begin gives the object room for this many more particles, if available; tear_finish removes the unused room and
// puts sticks and colours in order.
void tear_begin(struct tearing *tearing, uint32_t more_particles);
void tear_finish(struct tearing *tearing);
// Adds a stick along an edge, in the first colour of such sticks that is free at both ends. There has to be room.
void tear_add_stick(struct tearing *tearing, float rest, uint32_t a, uint32_t b);

#endif
