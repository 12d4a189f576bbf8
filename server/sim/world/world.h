// SPDX-License-Identifier: MIT
// The data of a world, shared by the files of the simulation.
//
// Everything lies in arrays that are reserved once. A world's state is `struct sim_state` (all scalars) and the used
// part of the state arrays in arrays.h; this is saved, restored and, field by field, hashed. Everything else is
// scratch that each tick, or the first tick after a change of layout, computes anew from the state.
//
// A particle's position is x + low (PHYSICS.md 2.3). Clients are sent x, a float32; low is the rest that rounding to x
// leaves, at most half a unit in x's last place. Without it, a particle that moves by less than that in a substep
// (0.015 m/s with 64 substeps, 90 m from the origin) would stand still or jump, and sticks would make momentum of the
// jumps. During a substep, relaxation changes offsets from the coordinates, which are small (kernel.h, step.c).
//
// Objects stand in creation order, so their ids rise; particles, sticks, colours and triangles of an object are
// contiguous and in the same order. Sticks and triangles hold indices local to their object, so that removing an object
// moves memory but rewrites nothing.
#ifndef WEFT_SIM_WORLD_WORLD_H
#define WEFT_SIM_WORLD_WORLD_H

#include "sim/geometry/point.h"
#include "sim/sim.h"
#include "sim/world/shape.h"

#define SIM_GRABS_MAX 4096u
#define SIM_FORCES_MAX 4096u
#define SIM_FREE_STICKS_MAX 65536u
#define SIM_VALENCE_MAX 1024u        // greatest number of sticks at a particle; keeps colouring linear
#define SIM_STICK_WEIGHT_MAX 1001.0f // size of the weight with which a particle carries the end of an added stick
#define SIM_STICK_PERIOD_MIN 1e-3f   // s, of a swing
#define SIM_MASS_MIN 1e-12f          // kg, of one particle
#define SIM_MASS_MAX 1e12f           // kg, of one particle
#define SIM_EVENTS_MAX 4096u         // stored of one tick
#define SIM_HALF_ROOT_3 0.866025404f // distance of the rows of a hexagonal lattice in spacings
#define SIM_GRAB_MEMORY_TICKS 4u     // ticks over which a hand's velocity is averaged

// The class that the sticks of a colour share: the low bits are an enum sim_stick_kind.
enum colour_class { COLOUR_KIND_MASK = 3, COLOUR_BEND = 4 };

enum particle_flag { PARTICLE_PINNED = 1, PARTICLE_HELD = 2, PARTICLE_FROZEN = 4 }; // each makes w = 0

struct object {
    uint32_t id;
    enum sim_kind kind;
    uint32_t first, particles;
    uint32_t first_stick, sticks;
    uint32_t first_colour, colours;
    uint32_t first_triangle, triangles;
    uint32_t first_tetrahedron, tetrahedra;
    uint32_t pins;
    uint32_t columns, rows; // cloth only
    enum sim_lattice lattice;
    enum sim_projection projection;
    float spacing; // m
    float radius;  // m
    float friction;
    bool asleep;          // at rest: not processed (sleep.c)
    bool quarantined;     // not finite: frozen, without collisions (quarantine.c)
    bool told_asleep;     // `asleep` as the last event reported it
    uint32_t still_ticks; // ticks for which it has been still (still.c)
    float still_moved[2]; // m, greatest path of a particle in the last windows of stillness, latest first
    uint32_t island;      // while asleep: id of the first object that fell asleep with it
    float restitution;
    // Of a body. BOX and HULL are embedded: `hull` holds 4 weights per vertex, then 3 vertex indices per triangle, the
    // end of each face in the corners that follow, and those corners: of the faces of more than three corners.
    enum sim_body_shape shape;
    struct shape_span hull;
    uint32_t hull_vertices, hull_triangles, hull_faces;
    // Of the round kinds and compound bodies: the rows of the table of parts (part.h), whose reals stand behind the
    // weights and whose indices stand behind the triangles, in place of faces. 0: the hull is one part without a table.
    uint32_t hull_parts;
    float determinant;        // m³, det[e1, e2, e3] at rest (PHYSICS.md 6.2); of a figure its height³
    struct vec3 rest_edge[3]; // m, e1, e2, e3 of a body without rotation
    // Of sheets, ropes and plants.
    float stretch_compliance, bend_compliance; // m/N, of sticks of colours without and with COLOUR_BEND
    float tear;                                // ratio of length at which a stick breaks; 0: never
    float tear_force;                          // N, mean pull over a tick at which a stick breaks; 0: never
    // Of a fabric, each triangle of which is a panel (panel.h); its sticks only measure and tear.
    uint32_t first_panel, panels;
    struct sim_fabric fabric;
    bool self_collision;
    float height; // m, smallest height of a sheet's triangles at creation
    bool tethers;
    // Of soft bodies.
    float young;     // Pa
    float poisson;   // Poisson's ratio
    float viscosity; // s, the stress of a strain rate of 1/s is `viscosity` times that of a strain of 1
    // Of a closed mesh with gas in it.
    float gas_volume;              // m³, at which its pressure is `gas_pressure`; 0: no gas
    float gas_pressure;            // Pa above the pressure outside
    bool gas_supplied;             // the pressure stays; otherwise the gas does
    float gas_lambda;              // N·s²/m², scratch: h² times the pressure so far in this substep (gas.c)
    uint32_t first_batch, batches; // scratch: in `tetrahedron_batch_end` (tetrahedron_plan.c)
    float grain;      // m, scratch: longest side of a mesh's triangles; 0 until it is needed (contact_detect.c)
    bool near_solids; // scratch: may touch a body or a figure in this substep (body_detect.c)
    uint32_t ignored_obstacle; // scratch: 1 + the index of an obstacle that it ignores (contact_leave.c), or 0
    bool may_pass;             // scratch: has to be guarded (contact_guard.c)
    bool on_stick;             // scratch: an added stick ends on it (free_stick.c)
    bool touches;              // scratch: it has contacts (still.c)
    bool slips;                // scratch: one of them is almost without friction (still.c)
    bool alone;                // scratch: nothing acts on it in this substep but the world (alone.c)
    bool settled;              // scratch: it has come to the end of this substep already (motion.c)
    bool ahead;                // scratch: it is integrated for the next substep already (motion.c)
    bool start_late;           // scratch: begun_x, begun_y and begun_z of its particles are not set yet (contact.h)
    bool extent_known;         // scratch: `object_extent` has its present path (extent.h)
    uint32_t joint;            // scratch: 1 + the first entry of its ball joints (joint.c), or 0
    uint8_t pairs;             // scratch: pairs of its two to four particles that rigid sticks join (free_stick.c)
    bool tethers_stale;        // scratch: pins have changed since tethers were computed (tether.c)
    uint32_t wind_due;         // scratch: substep before which the air's forces on it are computed next (wind.c)
};

// What an obstacle's motion does in a substep: the material at p when the substep begins is displaced by shift +
// turn·(p − from).
struct obstacle_step {
    bool moves;           // false: everything else is 0
    struct point from;    // m, its position when the substep begins
    struct point shift;   // m
    struct point turn[3]; // columns of a rotation less the identity
    float farthest;       // m, the longest way of its points
};

struct obstacle {
    struct sim_obstacle base;       // when its motion began; its id and material
    uint32_t start_low, start_high; // the tick before which that was
    struct sim_obstacle shape;      // where it is: now, or when the present substep ends
    struct obstacle_step step;      // scratch: of the present substep
    float reach;                    // m, from its position to its farthest point; 0 for a plane and a height field
    struct mat3 axes;               // of a box or a mesh
    struct shape_span data;         // of a height field or a mesh
    float grain;                    // m, size of the triangles of a height field or a mesh
    bool closed;                    // of a mesh: has an inside
    struct vec3 box_min;            // m, axis-aligned, wider than the shape and its way by more than any rounding
    struct vec3 box_max;
};

struct free_stick {
    uint32_t id;
    struct sim_stick_end a, b;
    struct sim_stick_point a_point, b_point;
    enum sim_stick_kind kind;
    float rest_length; // m
    float rest_low;    // m, while it moves: what rounding has left out of rest_length
    float compliance;  // m/N
    enum sim_projection projection;
    float target_length; // m, with a rate
    float rate;          // m/s; 0: rest_length does not move
    struct sim_stick_swing swing;
    float break_force; // N; 0: never
    float force;       // N, of the last tick
};

struct grab {
    uint32_t id, object;
    uint32_t holds; // 1: a particle with w = 0; 0: a point, carried by its particles
    uint32_t carriers;
    uint32_t particle[SIM_GRAB_CARRIERS]; // local
    float weight[SIM_GRAB_CARRIERS];
    uint32_t slot[SIM_GRAB_CARRIERS];         // scratch: slots of the carriers
    struct vec3 target;                       // m, target of the hand
    struct vec3 position;                     // m, position of the hand in the present substep
    struct vec3 moved[SIM_GRAB_MEMORY_TICKS]; // m per tick, newest first
    uint32_t ticks;                           // number of `moved` that are set
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
struct stack_contact;  // stack.h
struct impact_body;    // impact.h
struct rope_row;       // rope_relax.h
struct contact;        // contact.h
struct extent;         // extent.h
struct grip;           // grip.h
struct cloth_contacts; // cloth_contact.h
struct stick_plan;     // stick_plan.h
struct panel;          // panel.h
struct point_stick;    // point_stick.h
struct stick_run;      // simd.h
struct stick_seam;     // stick_seam.h
struct wind_push;      // simd.h
struct simd_kernels;   // simd.h

// Slots from `first` to before `end`.
struct slot_span {
    uint32_t first, end;
};

struct sim_state {
    struct sim_parameters parameters;
    uint64_t tick;
    uint32_t epoch;
    uint32_t sequence; // of the last command that was applied
    uint32_t particles, sticks, colours, triangles, tetrahedra;
    uint32_t panels; // triangles of fabric
    uint32_t objects, obstacles, free_sticks, grabs, forces, force_indices;
    uint32_t shape_reals, shape_indices;
    uint32_t path_points; // of obstacles
    // Upper limits of particles and sticks after tearing: the capacity of the world that was created first. A world
    // that is read from an archive keeps the archive's limits, whatever its own capacity. Not hashed.
    uint32_t room_particles, room_sticks;
};

// The order of the bodies of a substep (body_broad.c).
struct body_broad {
    unsigned axis[3];   // axes of the sweep, of the slabs, and the third
    double base, width; // m, start and width of the slabs
    float reach;        // m, longest box along the sweep, without giants
    uint32_t giants;    // first giant in the order
};

struct sim_world {
    struct sim_capacity capacity;
    struct sim_quota quota; // of the present sender; most: 0xffffffff where there is no limit
    float tick_hz;
    struct sim_state state;

    // The arrays, of state and scratch (arrays.h).
#define STATE_ARRAY(type, name, each, per, since, hash) type *name;
#define ELEMENT_ARRAY(type, name, per, room, one, many) type *name;
#define CARRIED_ARRAY(type, name, per, element) type *name;
#define SCRATCH_ARRAY(type, name, room, element) type *name;
#include "sim/world/arrays.h"

    // Scratch.
    uint32_t contacts;
    uint32_t grips;          // of round surfaces, in the order of their contacts
    uint32_t contacts_epoch; // epoch in which their slots are valid
    // Number of contacts found by detection, and of places that it reserves for the guard (contact_guard.c).
    uint32_t contacts_found, contacts_reserved;
    bool impact_bodies_known; // some were struck in this substep
    uint32_t body_parts;
    uint32_t stack_contacts;
    struct body_broad body_broad;
    bool solids_rest; // no body and no figure is active, and body_part has their boxes (body_detect.c)
    struct vec3 solids_min, solids_max; // m, box around all body_part
    float body_thinnest;                // m, of all bodies (body_guard.c)
    // Of this tick (step/present.c): some object has them.
    bool bounces_present, figures_present, tethers_present, gas_present, tear_force_present;
    float lambda_h;                        // s, length of the substep of λ; 0: none yet
    uint64_t sticks_relaxed;               // since creation; measures work in tests
    struct cloth_contacts *cloth_contacts; // contacts of cloth with cloth
    bool cloth_contact_stale;              // its faces have to be gathered again
    bool free_sticks_stale;
    uint32_t free_sticks_active; // in `free_order`
    uint32_t spans;
    uint32_t active_objects, active_solids; // in the spans; solids: bodies and figures
    bool spans_stale;
    bool grabs_stale; // the slots of their carriers
    uint32_t capped;  // sequence number of the last command that was limited in speed; 0: none
    uint32_t events, events_lost;
    struct sim_workers workers;
    struct sim_stopwatch stopwatch;
    uint64_t lap_ns;                    // end of the last stage
    uint64_t stage_ns[SIM_STAGE_COUNT]; // of the last tick
    uint32_t stick_runs, stick_seams;
    bool stick_plans_stale;
    bool sticks_divided; // true if the last iteration over sticks was divided among threads
    bool tetrahedron_plan_stale;
    bool panels_stale;
    uint32_t wind_due; // substep before which forces of the air are computed next
    // Of this substep: active objects whose last iteration is over, that are `settled`, and `ahead` (motion.c).
    uint32_t objects_relaxed, objects_settled, objects_ahead;
    bool settled_exceeds;            // an object that is `settled` has moved too fast (motion.c)
    bool ahead_exceeds;              // an object that is `ahead` moves too fast
    const struct simd_kernels *simd; // simd.h
};

// True if an object is processed. A sleeping or quarantined object keeps its place and has d = 0, ahead = x and off =
// low.
static inline bool object_is_active(const struct object *object) {
    return !object->asleep && !object->quarantined;
}

// True if a cloth has all particles, sticks and triangles of its lattice (cloth.c): it has not torn.
static inline bool object_is_whole_lattice(const struct object *object) {
    return object->kind == SIM_KIND_CLOTH && object->particles == object->columns * object->rows &&
           object->triangles == 2 * (object->columns - 1) * (object->rows - 1);
}

// True if rigid sticks join all pairs of an object's particles: one stick for two particles, three for three, six for
// four.
static inline bool object_is_frame(const struct object *object) {
    const uint32_t all = object->particles * (object->particles - 1) / 2;
    return object->particles >= 2 && object->particles <= 4 && object->pairs == (1u << all) - 1;
}

// The length of a substep and quantities computed from it.
struct substep {
    float h;                // s
    float keep;             // 1 − c_s, PHYSICS.md 2.2
    struct vec3 gravity;    // m/s²
    float displacement_max; // m per substep
};

// True if an object's particles are tied to one another: it has a shape of its own.
static inline bool object_is_tied(const struct object *object) {
    return object->sticks > 0 || object->tetrahedra > 0;
}

#define TETRAHEDRON_STRAINS 7u // multipliers λ of each: six strains and the volume

static inline uint32_t world_tetrahedron_room(const struct sim_capacity *most) {
    return most->sticks / SIM_TETRAHEDRON_STICKS;
}

// The sticks of objects, added sticks, and the room that tetrahedra take.
static inline uint64_t world_sticks_used(const struct sim_state *state) {
    return (uint64_t)state->sticks + state->free_sticks + (uint64_t)SIM_TETRAHEDRON_STICKS * state->tetrahedra;
}

static inline uint32_t world_free_stick_room(const struct sim_capacity *most) {
    return most->sticks < SIM_FREE_STICKS_MAX ? most->sticks : SIM_FREE_STICKS_MAX;
}

static inline uint32_t world_panel_room(const struct sim_capacity *most) {
    return most->triangles < SIM_PANELS_MAX ? most->triangles : SIM_PANELS_MAX;
}

static inline float world_substep_seconds(const struct sim_world *world) {
    return 1.0f / (world->tick_hz * (float)world->state.parameters.substeps);
}

#endif
