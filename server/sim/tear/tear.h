// SPDX-License-Identifier: MIT
// Tearing from inside: what tear.c (which sticks break, and the sticks afterwards), cut.c (tearing by command) and
// split.c (parting the sheet at a particle) share. Everything here is scratch of one object in one tick or command.
#ifndef WEFT_SIM_TEAR_TEAR_H
#define WEFT_SIM_TEAR_TEAR_H

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

// ---- tear.c ---------------------------------------------------------------------------------------------------------
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

// ---- split.c --------------------------------------------------------------------------------------------------------
// How many triangles meet in a particle: TEAR_FAN_MAX + 1 when there are more than that.
uint32_t split_valence(const struct tearing *tearing, uint32_t particle);
// Parts the sheet at particle v, across the line from there to u. False, and nothing done, when all triangles lie on
// one side or there is no room.
bool split_particle(struct tearing *tearing, uint32_t v, uint32_t u);
// Parts it there along the edges to the particles that have SPLIT_CUT in `colours_taken`, which what is made of such a
// particle has as well, SPLIT_NEAR likewise. False, and nothing done, when the triangles hang together all the same or
// there is no room.
bool split_along(struct tearing *tearing, uint32_t v);
#define SPLIT_AROUND 1u // v and its neighbours, while it is parted
#define SPLIT_CUT 2u
#define SPLIT_NEAR 4u // its triangles and sticks are in `near`

#endif
