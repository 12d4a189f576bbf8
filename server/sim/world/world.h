// SPDX-License-Identifier: MIT
// The world from inside: what it is made of, and what the files of the core offer one another.
//
// Everything lies in arrays reserved once. A world's state is `struct sim_state` (all scalars) and the used part of the
// arrays that snapshot.c lists; that is what is saved, restored and, field by field, hashed. The rest is scratch
// that each tick, or the first tick after a change of layout, builds anew from the state.
//
// A particle's position is x + low. Clients are sent x, a float32; low is what rounding the position to x left out, at
// most half a unit in x's last place. Without it whatever moves by less than that in a substep (0.015 m/s with 64
// substeps, 90 m from the origin) would stand still or jump, and sticks would make momentum of the jumps. During a
// substep relaxation changes not coordinates but offsets from them, which are small (kernel.h, step.c).
//
// Objects stand in creation order, so their ids rise; particles, sticks, colours and triangles of an object are
// contiguous and in the same order. Sticks and triangles hold indices local to their object, so that taking an object
// out moves memory but rewrites nothing.
#ifndef WEFT_SIM_WORLD_WORLD_H
#define WEFT_SIM_WORLD_WORLD_H

#include "sim/geometry/scalar.h"
#include "sim/sim.h"
#include "sim/world/shape.h"

#define SIM_GRABS_MAX 4096u
#define SIM_FORCES_MAX 4096u
#define SIM_FREE_STICKS_MAX 65536u
#define SIM_VALENCE_MAX 1024u        // sticks that may meet in one particle: keeps colouring linear
#define SIM_MASS_MIN 1e-12f          // kg, of one particle
#define SIM_MASS_MAX 1e12f           // kg, of one particle
#define SIM_EVENTS_MAX 4096u         // kept of one tick
#define SIM_HALF_ROOT_3 0.866025404f // rows of a hexagonal lattice lie so many spacings apart
#define SIM_GRAB_MEMORY_TICKS 4u     // over which a hand's velocity is averaged

// What a colour's sticks have in common: the low bits are an enum sim_stick_kind.
enum colour_class { COLOUR_KIND_MASK = 3, COLOUR_BEND = 4 };

enum particle_flag { PARTICLE_PINNED = 1, PARTICLE_HELD = 2, PARTICLE_FROZEN = 4 }; // each makes w = 0

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
    bool asleep;          // at rest: no time is spent on it (sleep.c)
    bool quarantined;     // went non-finite: frozen, in the way of nothing (quarantine.c)
    bool told_asleep;     // `asleep` as the last event reported it
    uint32_t still_ticks; // for how long it has been still (still.c)
    float still_moved[2]; // m, how far its particles got in the last windows of stillness, the latest first
    uint32_t island;      // while asleep: the id of the first of the objects that fell asleep with it
    float restitution;
    // Of a body. BOX and HULL are embedded: `hull` holds 4 weights per vertex, then 3 vertex indices per triangle, the
    // end of each face in the corners that follow, and those corners: the faces of more than three corners put
    // together.
    enum sim_body_shape shape;
    struct shape_span hull;
    uint32_t hull_vertices, hull_triangles, hull_faces;
    float determinant;        // m³, det[e1, e2, e3] at rest (PHYSICS.md 6.2); of a figure its height³
    struct vec3 rest_edge[3]; // m, e1, e2, e3 of a body that is not turned
    // Of sheets, ropes and plants.
    float stretch_compliance, bend_compliance; // m/N, of the sticks of colours without and with COLOUR_BEND
    float tear;                                // a stick longer than this ratio breaks; 0: never
    bool self_collision;
    float height; // m, the smallest of a triangle of a sheet as it was made
    bool tethers;
    float grain;      // m, scratch: the longest side of a mesh's triangles, 0 before it is needed (contact_detect.c)
    bool near_solids; // scratch: it may meet a body or a figure in this substep (body_detect.c)
    uint32_t ignored_obstacle; // scratch: 1 + the index of an obstacle that it does not feel (contact_leave.c), or 0
    bool may_pass;             // scratch: the guard has to look at it (contact_guard.c)
    bool on_stick;             // scratch: an added stick ends on it (free_stick.c)
    bool touches;              // scratch: it has contacts (still.c)
    bool slips;                // scratch: one of them is almost without friction (still.c)
    uint8_t pairs;             // scratch: which pairs of its two to four particles rigid sticks join (free_stick.c)
    bool tethers_stale;        // scratch: pins changed since they were last found (tether.c)
    uint32_t wind_due;         // scratch: the substep before which the air's forces on it are found again (wind.c)
};

struct obstacle {
    struct sim_obstacle shape;
    struct mat3 axes;       // of a box or a mesh
    struct shape_span data; // of a height field or a mesh
    float grain;            // m, how large the triangles of a height field or a mesh are
    bool closed;            // of a mesh: it has an inside
    struct vec3 box_min;    // m, axis-aligned and wider than the shape by more than any rounding
    struct vec3 box_max;
};

struct free_stick {
    uint32_t id;
    struct sim_stick_end a, b;
    enum sim_stick_kind kind;
    float rest_length; // m
    float compliance;  // m/N
    enum sim_projection projection;
};

struct grab {
    uint32_t id, object;
    uint32_t holds; // 1: a particle, taken out of the dynamics; 0: a point, carried by its particles
    uint32_t carriers;
    uint32_t particle[SIM_GRAB_CARRIERS]; // local
    float weight[SIM_GRAB_CARRIERS];
    uint32_t slot[SIM_GRAB_CARRIERS];         // scratch: where the carriers lie in the arrays
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

struct body_part;      // body_part.h
struct body_interval;  // body_part.h
struct impact_body;    // impact.h
struct rope_row;       // rope_relax.h
struct contact;        // contact.h
struct cloth_contacts; // cloth_contact.h
struct stick_plan;     // stick_plan.h
struct stick_run;      // simd.h
struct simd_kernels;   // simd.h

// Slots from `first` to before `end`.
struct slot_span {
    uint32_t first, end;
};

struct sim_state {
    struct sim_parameters parameters;
    uint64_t tick;
    uint32_t epoch;
    uint32_t sequence; // of the last command applied
    uint32_t particles, sticks, colours, triangles;
    uint32_t objects, obstacles, free_sticks, grabs, forces, force_indices;
    uint32_t shape_reals, shape_indices;
    // Until how many there are in all sheets may tear: the capacity of the world that was made first. One that it is
    // brought back to by an archive tears no further, whatever it has room for itself. Not hashed.
    uint32_t room_particles, room_sticks;
};

// How the bodies of a substep are sorted (body_broad.c).
struct body_broad {
    unsigned axis[3];   // of the sweep, of the slabs, and the third
    double base, width; // m, where the slabs begin and how wide they are
    float reach;        // m, the longest of the boxes along the sweep, giants apart
    uint32_t giants;    // where those begin in the order
};

struct sim_world {
    struct sim_capacity capacity;
    struct sim_allowance allowance; // of whoever makes things now; most: 0xffffffff where it is not limited
    float tick_hz;
    struct sim_state state;

    // Particles.
    float *x, *y, *z;                     // m, published
    float *low_x, *low_y, *low_z;         // m, the rest of the position: it is x + low, and x is that rounded
    float *dx, *dy, *dz;                  // m per substep
    int16_t *still_x, *still_y, *still_z; // where it was when its object was last seen to move, in steps (still.c)
    float *own_w;                         // 1/kg, as if neither pinned nor held
    float *w;                             // 1/kg, 0 where pinned or held
    uint8_t *flags;                       // of enum particle_flag
    // Sticks, sorted by colour within an object; no two of a colour share a particle.
    uint32_t *stick_a, *stick_b; // local
    float *stick_rest;           // m
    uint32_t *colour_end;        // index of the object's stick after the colour's last
    uint8_t *colour_class;       // of the colour at the same index: an enum sim_stick_kind and COLOUR_BEND
    uint32_t *triangle;          // 3 local indices each

    struct object *object;
    struct obstacle *obstacle;
    struct free_stick *free_stick;
    struct grab *grab;
    struct force *force;
    uint32_t *force_index; // local
    float *shape_real;     // shape.h
    uint32_t *shape_index;

    // Scratch.
    // Where particles are while they are relaxed: at p = ahead + off. `ahead` is where d' takes them, rounded; off
    // starts as what that leaves, and is what relaxation changes. Between substeps `ahead` holds x as it was before the
    // last.
    float *ahead_x, *ahead_y, *ahead_z; // m
    float *off_x, *off_y, *off_z;       // m
    float *fx, *fy, *fz;                // N, force accumulators: zero between ticks
    struct contact *contact;            // of this substep, contact.h
    uint32_t contacts;
    uint32_t contacts_epoch; // of the layout in which they name particles
    // How many detection has found, and how many of the places it leaves to the guard (contact_guard.c).
    uint32_t contacts_found, contacts_reserved;
    // Where particles were when relaxation began, in m: contacts may carry x itself.
    float *begun_x, *begun_y, *begun_z;
    struct impact_body *impact_body; // impact.h, at an object's place
    bool impact_bodies_known;        // some have been struck in this substep
    struct body_part *body_part;     // solids of this substep, body_detect.h
    uint32_t body_parts;
    uint32_t *body_order, *body_order_other; // sorted along an axis; and scratch of the sort
    uint32_t *body_key;
    struct body_interval *body_interval; // their boxes in sorted order
    struct body_broad body_broad;
    float *stick_lambda;     // N·s², of compliant sticks, since the substep began (stick_together)
    float lambda_h;          // s, the length of the substep from which λ comes; 0: there has been none
    uint32_t *tether_anchor; // local, of the particle at the same index: its pin, or TETHER_NONE
    int64_t *tether_way;     // to there along the sheet, tether.c
    // Of the object whose tethers are being found, by local indices (struct ways).
    uint32_t *tether_next, *tether_link_end, *tether_link, *tether_heap, *tether_place;
    uint64_t sticks_relaxed;               // since creation: what the tests measure work by
    struct cloth_contacts *cloth_contacts; // cloth that collides with cloth
    bool cloth_contact_stale;              // its faces have to be gathered again
    bool free_sticks_stale;
    uint32_t free_sticks_active;         // in `free_order`
    float *free_lambda;                  // N·s²
    uint32_t *free_slot_a, *free_slot_b; // of the free stick at the same index
    uint32_t *free_colour;               // of the free stick at the same index
    uint32_t *free_colour_end;           // in `free_order`
    uint32_t *free_order;                // indices of the free sticks by colour
    struct slot_span *span;              // the particles of active objects, in order
    uint32_t spans;
    bool spans_stale;
    bool grabs_stale;        // the slots of their carriers
    uint32_t *stack_level;   // of the object in the same place, stack.c
    uint32_t *island_parent; // of the object in the same place, a forest while islands are sought
    bool *island_marked;     // at the place of the island's first object; false between uses
    uint32_t capped;         // the number of the command last held to the speed limit; 0: none
    struct sim_event *event;
    uint32_t events, events_lost;
    struct sim_workers workers;
    struct sim_stopwatch stopwatch;
    uint64_t lap_ns;                    // when the last stage ended
    uint64_t stage_ns[SIM_STAGE_COUNT]; // of the last tick
    struct stick_plan *stick_plan;      // of the object at the same index, stick_plan.h
    struct stick_run *stick_run;        // simd.h
    uint32_t stick_runs;
    bool stick_plans_stale;
    uint32_t wind_due;               // the substep before which wind.c has something to do again
    uint8_t *outcode;                // of the particle at the same index, contact_detect.c
    struct rope_row *rope_row;       // of the particle at the same index, rope_relax.c
    float *stick_block;              // the particles of objects that are relaxed in blocks, stick_block.c
    const struct simd_kernels *simd; // simd.h
    uint64_t *colours_taken;         // a set of colours per particle, zero between uses
};

// Whether time is spent on an object: what is asleep or quarantined keeps its place, has d = 0, ahead =
// x and off = low.
static inline bool object_is_active(const struct object *object) {
    return !object->asleep && !object->quarantined;
}

// Whether a cloth still has the particles, sticks and triangles that its lattice gave it (cloth.c): it has not torn.
static inline bool object_is_whole_lattice(const struct object *object) {
    return object->kind == SIM_KIND_CLOTH && object->particles == object->columns * object->rows &&
           object->triangles == 2 * (object->columns - 1) * (object->rows - 1);
}

// Whether rigid sticks join each of an object's particles to each other: two and a stick, three and three, four and
// six.
static inline bool object_is_frame(const struct object *object) {
    const uint32_t all = object->particles * (object->particles - 1) / 2;
    return object->particles >= 2 && object->particles <= 4 && object->pairs == (1u << all) - 1;
}

// The lengths of a tick and its parts, and what follows from them.
struct substep {
    float h;                // s
    float keep;             // 1 − c_s, PHYSICS.md 2.2
    struct vec3 gravity;    // m/s²
    float displacement_max; // m per substep
};

static inline float world_substep_seconds(const struct sim_world *world) {
    return 1.0f / (world->tick_hz * (float)world->state.parameters.substeps);
}

#endif
