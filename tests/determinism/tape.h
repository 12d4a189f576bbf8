// SPDX-License-Identifier: MIT
// A tape: the commands that build scenes, as the simulation is given them, one after the other in a file. The server
// writes it (record.c), and what knows nothing but the simulation plays it (scene.c), so that a scene is built and run
// by every build there is, WebAssembly too. Little-endian; numbers and structures without pointers as they lie in
// memory, which is alike on all these machines; an array as its presence (u8) and its elements.
#ifndef WEFT_TESTS_DETERMINISM_TAPE_H
#define WEFT_TESTS_DETERMINISM_TAPE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/sim.h"

#define TAPE_ARRAYS_MAX 40 // of one command: a body of hulls has one for each part
#define TAPE_NAME_MAX 65

enum tape_kind {
    TAPE_SCENE, // a new one begins, in an empty world
    TAPE_PARAMETERS,
    TAPE_CLOTH,
    TAPE_MESH,
    TAPE_PARTICLES,
    TAPE_ROPE,
    TAPE_BODY,
    TAPE_PLANT,
    TAPE_RAGDOLL,
    TAPE_SOFT,
    TAPE_OBSTACLE,
    TAPE_MOVE,
    TAPE_STICK,
    TAPE_PIN,
    TAPE_UNPIN,
    TAPE_MASS,
    TAPE_CUT,
    TAPE_KIND_COUNT
};

struct tape_choice { // of an object's particles, and what becomes of them
    uint32_t object, count;
    const uint32_t *indices;
    bool moved;           // PIN: to `position`
    struct vec3 position; // PIN
    float inverse_mass;   // MASS
};

struct tape_cut {
    uint32_t object;
    struct sim_blade blade;
};

struct tape_move { // of an obstacle
    uint32_t obstacle;
    struct sim_motion motion;
};

struct tape_command {
    enum tape_kind kind;
    union {
        char name[TAPE_NAME_MAX]; // SCENE
        struct sim_parameters parameters;
        struct sim_cloth_desc cloth;
        struct sim_mesh_desc mesh;
        struct sim_particles_desc particles;
        struct sim_rope_desc rope;
        struct sim_body_desc body;
        struct sim_plant_desc plant;
        struct sim_ragdoll_desc ragdoll;
        struct sim_soft_desc soft;
        struct sim_obstacle obstacle;
        struct tape_move move;
        struct sim_stick_desc stick;
        struct tape_choice choice; // PIN, UNPIN, MASS
        struct tape_cut cut;
    } of;
};

struct tape {
    FILE *file;
    bool writing;
    bool failed;                  // or at its end
    void *array[TAPE_ARRAYS_MAX]; // of the command read last
    uint32_t arrays;
};

// Writes the command, or reads the next one, whose arrays last until the call after; false at the end.
bool tape_carry(struct tape *tape, struct tape_command *command);
void tape_release(struct tape *tape); // the arrays of the command read last

#endif
