// SPDX-License-Identifier: MIT
// The world from inside: what it is made of, and what the files of the core offer one another.
//
// Everything lies in arrays reserved once. A world's state is `struct sim_state` (all scalars) and the used part of the
// arrays that snapshot.c lists; that is what is saved, restored and, field by field, hashed. The rest is scratch
// that each tick, or the first tick after a change of layout, builds anew from the state.
//
// Objects stand in creation order, so their ids rise; particles, sticks, colours and triangles of an object are
// contiguous and in the same order. Sticks and triangles hold indices local to their object, so that taking an object
// out moves memory but rewrites nothing.
#ifndef WEFT_SIM_WORLD_H
#define WEFT_SIM_WORLD_H

#include "sim/scalar.h"
#include "sim/sim.h"

#define SIM_GRABS_MAX 4096u
#define SIM_FORCES_MAX 4096u
#define SIM_FREE_STICKS_MAX 65536u
#define SIM_VALENCE_MAX 1024u    // sticks that may meet in one particle: keeps colouring linear
#define SIM_MASS_MIN 1e-12f      // kg, of one particle
#define SIM_MASS_MAX 1e12f       // kg, of one particle
#define SIM_GRAB_MEMORY_TICKS 4u // over which a hand's velocity is averaged

enum particle_flag { PARTICLE_PINNED = 1, PARTICLE_HELD = 2 };

struct object {
    uint32_t id;
    enum sim_kind kind;
    uint32_t first, particles;
    uint32_t first_stick, sticks;
    uint32_t first_colour, colours;
    uint32_t first_triangle, triangles;
    uint32_t pins;
    uint32_t columns, rows; // cloth only
    enum sim_lattice lattice;
    enum sim_projection projection;
    float spacing; // m
    float radius;  // m
    float friction;
};

struct obstacle {
    struct sim_obstacle shape;
    struct mat3 axes;    // of a box
    struct vec3 box_min; // m, axis-aligned and wider than the shape by more than any rounding
    struct vec3 box_max;
};

struct free_stick {
    uint32_t id;
    struct sim_stick_end a, b;
    enum sim_stick_kind kind;
    float rest_length; // m
};

struct grab {
    uint32_t id, object;
    uint32_t holds; // 1: a particle, taken out of the dynamics; 0: a point, carried by its particles
    uint32_t carriers;
    uint32_t particle[3]; // local
    float weight[3];
    uint32_t slot[3];                         // scratch: where the carriers lie in the arrays
    struct vec3 target;                       // m, where the hand is
    struct vec3 position;                     // m, where the hand is on its way through the substeps
    struct vec3 moved[SIM_GRAB_MEMORY_TICKS]; // m a tick, newest first
    uint32_t ticks;                           // how many of them are filled
};

struct force {
    uint32_t object;
    uint32_t ticks;       // left
    uint32_t first_index; // in `force_indices`
    uint32_t indices;     // 0: all particles of the object
    struct vec3 share;    // N, for each particle
};

struct sim_state {
    struct sim_parameters parameters;
    uint64_t tick;
    uint32_t epoch;
    uint32_t sequence; // of the last command applied
    uint32_t particles, sticks, colours, triangles;
    uint32_t objects, obstacles, free_sticks, grabs, forces, force_indices;
};

struct sim_world {
    struct sim_capacity capacity;
    float tick_hz;
    struct sim_state state;

    // Particles.
    float *x, *y, *z;    // m, published
    float *dx, *dy, *dz; // m per substep
    float *own_w;        // 1/kg, as if neither pinned nor held
    float *w;            // 1/kg, 0 where pinned or held
    uint8_t *flags;      // of enum particle_flag
    // Sticks, sorted by colour within an object; no two of a colour share a particle.
    uint32_t *stick_a, *stick_b; // local
    float *stick_rest;           // m
    uint32_t *colour_end;        // index of the object's stick after the colour's last
    uint32_t *triangle;          // 3 local indices each

    struct object *object;
    struct obstacle *obstacle;
    struct free_stick *free_stick;
    struct grab *grab;
    struct force *force;
    uint32_t *force_index; // local

    // Scratch.
    float *px, *py, *pz; // m, positions while they are relaxed
    float *fx, *fy, *fz; // N, force accumulators: zero between ticks
    bool free_sticks_stale;
    uint32_t *free_slot_a, *free_slot_b; // of the free stick at the same index
    uint32_t *free_colour;               // of the free stick at the same index
    uint32_t *free_colour_end;           // in `free_order`
    uint32_t *free_order;                // indices of the free sticks by colour
    uint64_t *colours_taken;             // a set of colours per particle, zero between uses
};

// The lengths of a tick and its parts, and what follows from them.
struct substep {
    float h;                // s
    float keep;             // 1 − c_s, physics.md 1
    struct vec3 gravity;    // m/s²
    float displacement_max; // m per substep
};

static inline float world_substep_seconds(const struct sim_world *world) {
    return 1.0f / (world->tick_hz * (float)world->state.parameters.substeps);
}

// ---- world.c -----------------------------------------------------------------------------------------------------
// Takes the number for a command about to be applied; a creating command first asks whether there is one left.
uint32_t world_next_sequence(struct sim_world *world);
enum result world_can_name(const struct sim_world *world, struct fault *fault) WEFT_MUST_USE;
void world_layout_changed(struct sim_world *world); // epoch, and what is resolved from ids to slots

// ---- layout.c ----------------------------------------------------------------------------------------------------
// Room for one more object of this size at the end, or the limit that refuses it. Nothing is visible before the commit.
struct object_size {
    uint64_t particles, sticks, triangles;
};
enum result layout_reserve(const struct sim_world *world, struct object_size size, struct object *object,
                           struct fault *fault) WEFT_MUST_USE;
uint32_t layout_commit(struct sim_world *world, struct object *object);
enum result layout_find(const struct sim_world *world, uint32_t id, struct object **object,
                        struct fault *fault) WEFT_MUST_USE;
// Checks that every index is one of the object's; `member` names the list, "/particles".
enum result layout_check_indices(const struct object *object, const uint32_t *indices, uint32_t count,
                                 const char *member, struct fault *fault) WEFT_MUST_USE;

// ---- check.c -----------------------------------------------------------------------------------------------------
enum result check_range(float value, float low, float high, const char *unit, const char *member,
                        struct fault *fault) WEFT_MUST_USE;
enum result check_vector(struct vec3 value, float magnitude_max, const char *unit, const char *member,
                         struct fault *fault) WEFT_MUST_USE;
enum result check_array(const float *values, uint32_t count, float low, float high, const char *unit,
                        const char *member, struct fault *fault) WEFT_MUST_USE;
enum result check_rotation(struct quat rotation, struct mat3 *matrix, struct fault *fault) WEFT_MUST_USE;
enum result check_friction(float friction, struct fault *fault) WEFT_MUST_USE;
// Every particle of an object that is being made: within ±SIM_POSITION_MAX.
enum result check_positions(const struct sim_world *world, const struct object *object, const char *member,
                            struct fault *fault) WEFT_MUST_USE;

// ---- colour.c ----------------------------------------------------------------------------------------------------
struct stick_list {
    const uint32_t *a, *b;
    uint32_t count;
};
// Greedy: each stick in turn gets the lowest colour that is free at both ends, into `colour`. `taken` is a zeroed set
// per particle and is zeroed again. Returns the number of colours.
uint32_t colour_sticks(struct stick_list sticks, uint64_t *taken, uint32_t *colour);
// Sorts stick indices by colour, in turn within a colour: `order` has one per stick, `end` where each colour ends in
// it.
void colour_sort(const uint32_t *colour, uint32_t count, uint32_t colours, uint32_t *end, uint32_t *order);

// ---- sheet.c -----------------------------------------------------------------------------------------------------
// From local positions in x, y, z, sticks and triangles to a finished object: masses, pins, its place in the world.
enum result sheet_finish(struct sim_world *world, struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) WEFT_MUST_USE;

// ---- particle.c --------------------------------------------------------------------------------------------------
// A particle as it comes into the world: at rest, free.
void particle_init(struct sim_world *world, uint32_t slot, struct vec3 position, float inverse_mass);
void particle_refresh(struct sim_world *world, uint32_t slot); // w from own_w and flags
void particle_set_pinned(struct sim_world *world, struct object *object, uint32_t index, bool pinned);
static inline struct vec3 particle_position(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->x[slot], world->y[slot], world->z[slot]);
}
void particle_place(struct sim_world *world, uint32_t slot, struct vec3 position);
void particle_set_displacement(struct sim_world *world, uint32_t slot, struct vec3 displacement);

// ---- stick.c -----------------------------------------------------------------------------------------------------
void stick_relax_object(struct sim_world *world, const struct object *object);

// ---- free_stick.c ------------------------------------------------------------------------------------------------
void free_stick_resolve(struct sim_world *world); // slots and colours, when stale
void free_stick_relax(struct sim_world *world);
void free_stick_drop_object(struct sim_world *world, uint32_t object);

// ---- contact.c, obstacle.c ---------------------------------------------------------------------------------------
void contact_relax(struct sim_world *world);

// ---- wind.c, force.c ---------------------------------------------------------------------------------------------
void wind_apply(struct sim_world *world);
void force_accumulate(struct sim_world *world);
void force_drop_object(struct sim_world *world, uint32_t object);

// ---- grab.c ------------------------------------------------------------------------------------------------------
void grab_resolve(struct sim_world *world);
void grab_advance(struct sim_world *world, const struct substep *substep, uint32_t substeps_left);
void grab_relax(struct sim_world *world);
void grab_remember(struct sim_world *world);
void grab_follow_particle(struct sim_world *world, uint32_t object, uint32_t index, struct vec3 position);
void grab_drop_object(struct sim_world *world, uint32_t object);

#endif
