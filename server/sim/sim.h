// SPDX-License-Identifier: MIT
// The simulation: one Verlet world as a library.
//
// The method is Thomas Jakobsen's "Advanced Character Physics" (2001/2003): Verlet integration, constraints by
// projection, relaxation by repetition (server/sim/PHYSICS.md). A world is a pure function of its commands and the
// ticks between which they were given: no I/O, no clock, no threads, no globals, no randomness, and no allocation in
// `sim_world_step`. The same calls give the same bits with every compiler, optimisation level and vector width (build
// with -ffp-contract=off, never with -ffast-math).
//
// Units are SI (m, kg, s, N); y is up; positions and displacements are float32. All memory is reserved by
// `sim_world_create` for the given capacities; pages that are not used cost nothing.
//
// An example, which the tests compile as C and as C++ and run (tests/system/library.test.mjs):
//
//     #include <stdio.h>
//
//     #include "sim/sim.h"
//
//     int main(void) {
//         struct sim_capacity capacity = sim_capacity_default();
//         struct sim_world *world = NULL;
//         if (sim_world_create(&capacity, 60.0f, &world) != RESULT_OK) {
//             puts("There is no memory for this world.");
//             return 1;
//         }
//         struct sim_cloth_desc cloth = sim_cloth_desc_default();
//         cloth.columns = cloth.rows = 20;
//         cloth.sheet.position.y = 2.0f;
//         uint32_t id = 0;
//         struct fault fault;
//         if (sim_cloth_spawn(world, &cloth, &id, &fault) != RESULT_OK) {
//             puts(fault.message);
//             sim_world_destroy(world);
//             return 1;
//         }
//         for (int tick = 0; tick < 60; tick++) {
//             sim_world_step(world);
//         }
//         struct sim_particles_view particles = sim_world_particles(world);
//         printf("Particle 399 of cloth %u is %.3f m high.\n", id, (double)particles.y[399]);
//         sim_world_destroy(world);
//         return 0;
//     }
//
// The example is built from the root of this repository with
//
//     cc -std=c17 -O2 -ffp-contract=off -D_GNU_SOURCE -Iserver example.c server/base/*.c server/sim/*/*.c -lpthread -lm
//
// Ids of objects, obstacles, sticks and grabs are the sequence numbers of the commands that made them: ≥ 1, rising,
// never reused. A refused command changes nothing, the sequence number included. One thread at a time may use a world.
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "base/vector.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sim_world;

// ---- the version of the arithmetic -------------------------------------------------------------------------------

// The version of this arithmetic. Two builds with the same version compute the same bits from the same state and the
// same commands. It rises with every change to the solver that changes a result. Snapshots, logs and capsules carry the
// version that produced them: data of an older version can be loaded, but not verified by computing it again.
//   1: up to November 2026.
//   2: sleep only in equilibrium, bounces that do not depend on substeps, compensated displacements everywhere, air.
#define SIM_PHYSICS_VERSION 2u

// ---- limits of single values (the schema states the same ones) -------------------------------------------------

#define SIM_POSITION_MAX 100000.0f  // m, each component of a position
#define SIM_SPEED_MAX 1000.0f       // m/s, the speed limit of every particle
#define SIM_AIR_DENSITY_MAX 2000.0f // kg/m³
#define SIM_TEAR_FORCE_MAX 1e9f     // N
#define SIM_SUBSTEPS_MAX 64u
// An object falls asleep when it and everything that it touches have been in equilibrium for this time (still.c).
#define SIM_SLEEP_SECONDS 0.5f // s
#define SIM_ITERATIONS_MAX 256u

// The greatest number of each that a world can hold; fixed at creation.
struct sim_capacity {
    uint32_t particles;
    uint32_t sticks; // a tetrahedron takes the room of four
    uint32_t triangles;
    uint32_t objects;
    uint32_t obstacles;
    uint32_t shape_words; // numbers for the data of hulls, height fields and obstacle meshes
};

struct sim_capacity sim_capacity_default(void); // 1,000,000 particles, 8,000,000 sticks, …

// ---- a world -----------------------------------------------------------------------------------------------------

// Creates an empty world at tick 0. `tick_hz` is 1..1000. Errors: RESULT_INVALID, RESULT_MEMORY.
enum result sim_world_create(const struct sim_capacity *capacity, float tick_hz,
                             struct sim_world **world) WEFT_MUST_USE;
void sim_world_destroy(struct sim_world *world);

// Makes the world empty, with default parameters, at tick 0 of a new epoch. Epochs and ids continue and are never
// reused. The same commands give the same hash as the first time all the same, since ids are not hashed.
void sim_world_clear(struct sim_world *world);

// Advances by one tick of 1/tick_hz seconds: in each of `substeps` substeps, integrates and relaxes `iterations` times,
// contacts last.
void sim_world_step(struct sim_world *world);

// For predicting a large world that is brought back to a state before: all islands (objects that contacts and added
// sticks join) without one of these objects fall asleep where they are, and wake when something touches them or changes
// them. Ids without an object are passed over. No event tells of it.
void sim_world_isolate(struct sim_world *world, const uint32_t *objects, uint32_t count);

// Threads that a world may use during `sim_world_step`: `run` calls task(argument, 0) … task(argument, shares − 1),
// each once and from any thread, and returns when all have returned. `shares` is at most `count`. The bits of the
// results do not depend on `count`. At first, and with NULL, there are none.
#define SIM_WORKERS_MAX 8u
struct sim_workers {
    void *context;
    unsigned count;
    void (*run)(void *context, unsigned shares, void (*task)(void *argument, unsigned share), void *argument);
};
void sim_world_set_workers(struct sim_world *world, const struct sim_workers *workers);

// Times of the stages of a tick. The simulation has no clock: the caller may provide one, in ns from any origin. At
// first, and with NULL, nothing is measured. The results do not depend on it.
enum sim_stage {
    SIM_STAGE_FORCES,    // resolving changes; wind, forces, grabs
    SIM_STAGE_INTEGRATE, // p = x + d'
    SIM_STAGE_DETECT,    // collision detection
    SIM_STAGE_STICKS,    // relaxation of sticks, tethers and grabs
    SIM_STAGE_CONTACTS,  // relaxation of contacts, guard
    SIM_STAGE_FINISH,    // new d and x
    SIM_STAGE_UPKEEP,    // tearing, sleep
    SIM_STAGE_COUNT
};
struct sim_stopwatch {
    void *context;
    uint64_t (*now_ns)(void *context);
};
void sim_world_set_stopwatch(struct sim_world *world, const struct sim_stopwatch *stopwatch);
uint64_t sim_world_stage_ns(const struct sim_world *world, enum sim_stage stage); // of the last tick

// The width of the vectors that the world's kernels use, in float32: 4, 8 or 16. At first it is the widest of the
// machine; the bits of the results do not depend on it. sim_world_set_lanes returns false and changes nothing where the
// machine has no such vectors.
unsigned sim_world_lanes(const struct sim_world *world);
bool sim_world_set_lanes(struct sim_world *world, unsigned lanes);

// A copy of all state. `sim_world_restore` returns the world (of the same capacity) to it, bit for bit, epoch and
// sequence number included. Errors: RESULT_MEMORY.
struct sim_snapshot;
enum result sim_world_save(const struct sim_world *world, struct sim_snapshot **snapshot) WEFT_MUST_USE;
void sim_world_restore(struct sim_world *world, const struct sim_snapshot *snapshot);
void sim_snapshot_destroy(struct sim_snapshot *snapshot);

uint64_t sim_world_tick(const struct sim_world *world);
// Rises with every change of layout: objects, added sticks, obstacles, bounds; also with a clear. Starts at 1.
uint32_t sim_world_epoch(const struct sim_world *world);
float sim_world_tick_hz(const struct sim_world *world);

// 64-bit hash (XXH64) of tick, parameters and every bit of moving state and layout, in a documented order
// (state_hash.c). The epoch is not part of it: it counts changes of the layout and does not describe it.
uint64_t sim_world_hash(const struct sim_world *world);

// True if the last command would have made something faster than SIM_SPEED_MAX and was limited. A new object is slowed
// down as a whole, so that it keeps its shape; speeds caused by a force or a grab are limited when they arise.
bool sim_world_last_capped(const struct sim_world *world);
// The sequence number of the last command that was applied. Commands that are refused, or that change nothing of the
// world, have none.
uint32_t sim_world_sequence(const struct sim_world *world);

struct sim_counts {
    uint32_t particles, sticks, triangles, tetrahedra, objects, obstacles, grabs, pins;
};
struct sim_counts sim_world_counts(const struct sim_world *world);
struct sim_capacity sim_world_capacity(const struct sim_world *world);

// A limit for the next commands: what their sender has in the world, and the most that it may have. It is not state of
// the world, holds until the next call, and affects only refusals. NULL: no limit but the world's capacity.
struct sim_quota {
    struct sim_capacity used, most;
};
void sim_world_set_quota(struct sim_world *world, const struct sim_quota *quota);

// Memory in use for all particles, and for all sticks of objects.
struct sim_memory {
    uint64_t particle_bytes, stick_bytes;
};
struct sim_memory sim_world_memory(const struct sim_world *world);
// Called between ticks: returns memory of removed objects to the system. The memory is taken again when needed; no
// result changes.
void sim_world_give_back(struct sim_world *world);

// ---- parameters --------------------------------------------------------------------------------------------------

enum sim_square_root { SIM_SQUARE_ROOT_EXACT, SIM_SQUARE_ROOT_APPROXIMATE, SIM_SQUARE_ROOT_COUNT };

struct sim_parameters {
    struct vec3 gravity; // m/s², default (0, −9.81, 0)
    float damping;       // share of the displacement lost per tick, [0, 1), default 0
    uint32_t substeps;   // 1..64, default 8
    uint32_t iterations; // relaxation iterations per substep, 1..256, default 1
    enum sim_square_root square_root;
    struct vec3 bounds_min; // m, default −100 each
    struct vec3 bounds_max; // m, default +100 each
    float friction;         // of the bounds, 0..10, default 0.5
    // Relaxation stops when no correction of an iteration exceeds this share, default 0: never.
    float tolerance;
    struct vec3 wind_velocity; // m/s, default 0
    float wind_gust;           // 0..1, share of the wind speed by which gusts vary it, default 0
    float air_density;         // kg/m³, 0..SIM_AIR_DENSITY_MAX, default 1.2; 0: a vacuum, in which no wind acts
    bool sleep;                // objects at rest fall asleep, default true
};

struct sim_parameters sim_parameters_default(void);
const struct sim_parameters *sim_world_parameters(const struct sim_world *world);
// Changes all parameters at once; a change of `substeps` scales every displacement by h_new/h_old (PHYSICS.md 2.2).
enum result sim_world_set_parameters(struct sim_world *world, const struct sim_parameters *parameters,
                                     struct fault *fault) WEFT_MUST_USE;

// ---- objects -----------------------------------------------------------------------------------------------------

enum sim_kind {
    SIM_KIND_PARTICLES,
    SIM_KIND_CLOTH,
    SIM_KIND_MESH,
    SIM_KIND_ROPE,
    SIM_KIND_BODY,
    SIM_KIND_PLANT,
    SIM_KIND_RAGDOLL,
    SIM_KIND_SOFT,
    SIM_KIND_COUNT
};
enum sim_body_shape {
    SIM_BODY_TETRAHEDRON,
    SIM_BODY_BOX,
    SIM_BODY_HULL,
    SIM_BODY_FRAME,
    SIM_BODY_SPHERE,
    SIM_BODY_CAPSULE,
    SIM_BODY_CYLINDER,
    SIM_BODY_COMPOUND,
    SIM_BODY_SHAPE_COUNT
};
enum sim_lattice { SIM_LATTICE_GRID, SIM_LATTICE_HEX, SIM_LATTICE_COUNT };
enum sim_projection {
    SIM_PROJECTION_CURRENT, // along δ, as in Jakobsen's article: loses rotation, damps
    SIM_PROJECTION_START,   // along δ° (SHAKE): keeps rotation
    SIM_PROJECTION_COUNT
};
enum sim_pin_preset {
    SIM_PIN_NONE,
    SIM_PIN_TOP_CORNERS,
    SIM_PIN_CORNERS,
    SIM_PIN_TOP_EDGE,
    SIM_PIN_LIST,
    SIM_PIN_START,
    SIM_PIN_END,
    SIM_PIN_BOTH
};

struct sim_pins {
    enum sim_pin_preset preset;
    const uint32_t *indices; // with SIM_PIN_LIST
    uint32_t count;
};

// The figures of a fabric, those of its warp and of its weft (PHYSICS.md 7.5): of the sheet and not of its mesh. The
// warp runs along the local y axis, laid onto each triangle; in a mesh that faces along y on the whole, along z. A
// bending stiffness of 0 leaves bending free; below 0, it is the other one's, and a weft below 0 is as the warp.
struct sim_fabric {
    float stretch_warp, stretch_weft; // N/m: force per width and strain; a warp of 0: not a fabric, but sticks
    float shear;                      // N/m: force per width and shear angle in rad; below 0: a tenth of the lesser
    float bend_warp, bend_weft;       // N·m: moment per width and curvature
    float areal_density;              // kg/m², of named fabrics; a sheet takes its own (struct sim_sheet_desc)
    float crease;                     // 1/m: bending beyond this curvature stays; 0: it is elastic
};
enum sim_fabric_name {
    SIM_FABRIC_COTTON,
    SIM_FABRIC_DENIM,
    SIM_FABRIC_POLYESTER,
    SIM_FABRIC_NYLON,
    SIM_FABRIC_TWILL,
    SIM_FABRIC_BLANKET,
    SIM_FABRIC_NAME_COUNT
};
struct sim_fabric sim_fabric_named(enum sim_fabric_name name); // name < SIM_FABRIC_NAME_COUNT, asserted
#define SIM_FABRIC_STIFFNESS_MAX 1e6f                          // N/m
#define SIM_FABRIC_BENDING_MAX 10.0f                           // N·m
#define SIM_FABRIC_CREASE_MAX 1e5f                             // 1/m
#define SIM_PANELS_MAX 131072u                                 // triangles of fabric in a world

// The common members of cloth and mesh. Pointers are read during the call only.
struct sim_sheet_desc {
    struct vec3 position;
    struct quat rotation;
    struct sim_pins pins;
    const float *masses; // kg, one per particle, or NULL
    float mass;          // kg in all, used when not 0 and `masses` is NULL
    float areal_density; // kg/m², used when neither is given
    bool shear;          // sticks across the quads of a grid
    float friction;      // 0..10
    float restitution;   // 0..1
    enum sim_projection projection;
    float stretch_compliance; // m/N of each structural and shear stick (XPBD; PHYSICS.md 3.4), 0: rigid
    bool bend;                // sticks between particles that share a neighbour
    float bend_compliance;    // m/N of each bending stick
    bool tethers;             // at-most sticks to the nearest pin (long-range attachments)
    float tear;               // a stick stretched past this ratio (> 1) breaks; 0: never
    float tear_force;         // N: a stick that pulls more over a tick breaks; 0: never; not of a fabric
    float thickness;          // m, distance kept from obstacles, from itself and from other cloth
    bool self_collision;
    struct sim_fabric fabric; // takes the place of the compliances and of `bend`
};

// Gas in a closed mesh whose triangles wind outward.
struct sim_gas {
    bool filled;
    float pressure; // Pa above the pressure outside, at the volume at which it is filled; −100,000..1,000,000
    bool supplied;  // the pressure stays, as from a pump; otherwise the gas does: (101,325 Pa + pressure)·volume
};

struct sim_cloth_desc {
    uint32_t columns, rows; // particles, ≥ 2; index = row·columns + column
    float spacing;          // m
    enum sim_lattice lattice;
    struct sim_sheet_desc sheet;
};

struct sim_mesh_desc {
    const float *positions; // 3 per particle, local
    uint32_t particles;
    const uint32_t *triangles; // 3 indices each
    uint32_t triangle_count;
    struct sim_gas gas;
    struct sim_sheet_desc sheet;
};

struct sim_particles_desc {
    const float *positions; // 3 per particle
    uint32_t particles;
    const float *velocities; // 3 per particle, or NULL
    const float *masses;     // kg, or NULL: 1 kg each
    float radius;            // m, ≥ 0, distance kept from obstacles and bounds
    float friction;
    float restitution;
    bool collision; // with one another, ropes and particles that collide, cloth, meshes and soft bodies with thickness
};

struct sim_rope_desc {
    struct vec3 from, to;
    const float *positions; // m, three for each particle from the start on, in the place of from and to; NULL: straight
    uint32_t particles;     // ≥ 2
    float mass;             // kg in all
    const float *masses;
    struct sim_pins pins; // NONE, START, END or BOTH
    float friction;
    float restitution;
    float thickness;                // m, diameter
    bool collision;                 // with itself and with what particles with `collision` collide with
    float stretch_compliance;       // m/N of each stick, with any substeps and iterations (rope_relax.c); 0: rigid
    enum sim_projection projection; // of a rope with stretch_compliance 0
    float tear_force;               // N: a stick that pulls more over a tick breaks; 0: never
};

#define SIM_BODY_PARTS_MAX 32u
#define SIM_BODY_VERTICES_MAX 1024u  // of all parts together
#define SIM_BODY_TRIANGLES_MAX 2048u // of all parts together

// A part of a COMPOUND: a BOX, HULL, SPHERE, CAPSULE or CYLINDER, with the members that such a body has.
struct sim_body_part {
    enum sim_body_shape shape;
    struct vec3 extents; // m, full
    const float *vertices;
    uint32_t vertex_count;
    float radius, length;
    struct vec3 position; // m, of the part's own origin in the body's coordinates
    struct quat rotation;
    float density; // against that of the other parts
    float share;   // of the body's mass, against those of the other parts; 0: by density and volume
};

// A rigid body: a bare tetrahedron (its particles are its corners), a shape embedded in four particles placed for its
// exact mass, centre and inertia (PHYSICS.md 6.5), or a basis frame.
struct sim_body_desc {
    enum sim_body_shape shape;
    float size;            // m: edge of a regular TETRAHEDRON without vertices; axis length of a FRAME
    struct vec3 extents;   // m, full, of a BOX
    const float *vertices; // 3 numbers each, local: 4 of a TETRAHEDRON (or NULL), 4..256 of a HULL
    uint32_t vertex_count;
    float
        radius; // m: of a SPHERE, CAPSULE or CYLINDER; by how much a BOX or a HULL is larger on every side and rounded
    float length; // m: between the centres of a CAPSULE's ends; height of a CYLINDER. Their axis is y
    const struct sim_body_part *parts; // 1..SIM_BODY_PARTS_MAX of a COMPOUND
    uint32_t part_count;
    struct vec3 position; // of the centre of mass; of the origin where vertices or parts are given
    struct quat rotation;
    struct vec3 velocity;         // m/s
    struct vec3 angular_velocity; // rad/s, about the centre of mass
    float mass;                   // kg in all
    const float *masses;          // 4, of a TETRAHEDRON or FRAME, or NULL
    float friction;
    float restitution; // 0..1
    enum sim_projection projection;
};

// A plant: a stem of crossed sticks that bends and stands up again, with pairs of leaves.
struct sim_plant_desc {
    struct vec3 position; // of the root, which is pinned
    float height;         // m
    uint32_t levels;      // of the stem, 3..64
    uint32_t leaves;      // pairs of leaves, 0..64
    float mass;           // kg in all
    float stiffness;      // 0..1, stiffness of the stem
    float friction;
};

// An articulated figure of tetrahedral bones that share particles: one in a pin joint, two in a hinge (PHYSICS.md
// 11.3).
struct sim_ragdoll_desc {
    struct vec3 position; // of the pelvis
    struct quat rotation;
    struct vec3 velocity; // m/s
    float height;         // m
    float mass;           // kg in all
    float friction;
};

// A soft body: particles and tetrahedra of an elastic material (PHYSICS.md 17).
enum sim_soft_shape {
    SIM_SOFT_BOX,        // cells of five tetrahedra each
    SIM_SOFT_BALL,       // the same, of a cube that is drawn to a ball
    SIM_SOFT_TETRAHEDRA, // given
    SIM_SOFT_SHAPE_COUNT
};
struct sim_soft_desc {
    enum sim_soft_shape shape;
    struct vec3 extents;        // m, full, of a BOX
    float radius;               // m, of a BALL
    uint32_t cells[3];          // of a BOX along x, y and z, 1..256; of a BALL cells[0] across it, even
    const float *positions;     // TETRAHEDRA: 3 per particle, local
    uint32_t particles;         // TETRAHEDRA
    const uint32_t *tetrahedra; // TETRAHEDRA: 4 indices each, in any order of the four
    uint32_t tetrahedron_count; // TETRAHEDRA
    struct vec3 position;       // of the centre of a BOX or BALL; of the origin where positions are given
    struct quat rotation;
    struct vec3 velocity;         // m/s
    struct vec3 angular_velocity; // rad/s, about the centre of mass
    float young;                  // Pa, Young's modulus, 1..1e12
    float poisson;                // Poisson's ratio, 0..0.5; at 0.5 every tetrahedron keeps its volume
    float density;                // kg/m³
    float viscosity;              // s: the stress of a strain rate of 1/s is this times that of a strain of 1, 0..10
    struct sim_pins pins;         // NONE or LIST
    float friction;
    float restitution;
    float thickness; // m, distance kept from obstacles, from itself and from cloth and other soft bodies
    bool self_collision;
    enum sim_projection projection;
};

#define SIM_TETRAHEDRON_STICKS 4u                 // a tetrahedron takes the room of this many sticks
struct sim_soft_desc sim_soft_desc_default(void); // a box of 0.4 m and 4×4×4 cells
struct sim_cloth_desc sim_cloth_desc_default(void);
struct sim_mesh_desc sim_mesh_desc_default(void);
struct sim_particles_desc sim_particles_desc_default(void);
struct sim_rope_desc sim_rope_desc_default(void);
struct sim_body_desc sim_body_desc_default(void);
struct sim_plant_desc sim_plant_desc_default(void);
struct sim_ragdoll_desc sim_ragdoll_desc_default(void);

// Each creates one object at the end of the layout. Errors: RESULT_INVALID with the member to blame (a zero-length
// stick, a flat tetrahedron, a mass that is not positive …), RESULT_LIMIT.
enum result sim_cloth_spawn(struct sim_world *, const struct sim_cloth_desc *, uint32_t *object,
                            struct fault *) WEFT_MUST_USE;
enum result sim_mesh_spawn(struct sim_world *, const struct sim_mesh_desc *, uint32_t *object,
                           struct fault *) WEFT_MUST_USE;
enum result sim_particles_spawn(struct sim_world *, const struct sim_particles_desc *, uint32_t *object,
                                struct fault *) WEFT_MUST_USE;
enum result sim_rope_spawn(struct sim_world *, const struct sim_rope_desc *, uint32_t *object,
                           struct fault *) WEFT_MUST_USE;
enum result sim_body_spawn(struct sim_world *, const struct sim_body_desc *, uint32_t *object,
                           struct fault *) WEFT_MUST_USE;
enum result sim_plant_spawn(struct sim_world *, const struct sim_plant_desc *, uint32_t *object,
                            struct fault *) WEFT_MUST_USE;
enum result sim_ragdoll_spawn(struct sim_world *, const struct sim_ragdoll_desc *, uint32_t *object,
                              struct fault *) WEFT_MUST_USE;
enum result sim_soft_spawn(struct sim_world *, const struct sim_soft_desc *, uint32_t *object,
                           struct fault *) WEFT_MUST_USE;
// Also removes the added sticks and grabs on the object. Errors: RESULT_NOT_FOUND.
enum result sim_object_remove(struct sim_world *, uint32_t object, struct fault *) WEFT_MUST_USE;

// Changes a material; members that are NULL stay unchanged. Errors: RESULT_NOT_FOUND, RESULT_INVALID (also where an
// object has no such sticks or no mass, and where an obstacle is given any but the first two). A mass is distributed
// among the particles as the mass before; those of inverse mass 0 keep it.
struct sim_material {
    const float *friction;           // 0..10
    const float *restitution;        // 0..1
    const float *stretch_compliance; // m/N, of the sticks of a cloth, mesh or rope that keep its lengths
    const float *bend_compliance;    // m/N, of bending sticks
    const float *mass;               // kg in all
    const float *young;              // Pa, of a soft body
    const float *poisson;            // of a soft body
    const float *viscosity;          // s, of a soft body
    // Pa, of the gas in a closed mesh: what it would be at the volume at which it was filled first, which is now where
    // there has been no gas. A mesh that tears loses its gas.
    const float *pressure;
    const struct sim_fabric *fabric; // all figures of a fabric; objects of sticks have none
};
enum result sim_object_set(struct sim_world *, uint32_t object, struct sim_material, struct fault *) WEFT_MUST_USE;
enum result sim_obstacle_set(struct sim_world *, uint32_t obstacle, struct sim_material, struct fault *) WEFT_MUST_USE;

// An object in the world's arrays. Objects stand in creation order, their particles contiguous and in the same order,
// so `first` is the sum of the counts before it.
struct sim_object_view {
    uint32_t id;
    enum sim_kind kind;
    uint32_t first, particles; // slots in the arrays of sim_world_particles
    uint32_t sticks;           // its own, without free sticks
    uint32_t pins;
    uint32_t columns, rows; // cloth only
    enum sim_lattice lattice;
    float spacing;
    float radius;
    float friction;
    float restitution;
    float tear;                                        // ratio of lengths at which its sticks break; 0: never
    float tear_force;                                  // N, at which its sticks break; 0: never
    const float *stretch_compliance, *bend_compliance; // m/N; NULL: it has no such sticks
    const struct sim_fabric *fabric;                   // NULL: it is none
    enum sim_projection projection;
    const uint32_t
        *triangles; // 3 local indices each; cloth, mesh, body, plant, ragdoll, soft; outward for the last and a body
    uint32_t triangle_count;
    const uint32_t *tetrahedra;     // 4 local indices each, of a soft body
    const float *tetrahedron_rests; // 10 each: rows of the inverse of its edges at rest in 1/m, its volume in m³
    uint32_t tetrahedron_count;
    float young, poisson, viscosity; // of a soft body
    struct sim_gas gas;              // in a closed mesh
    bool asleep;                     // at rest: costs no solver time until something touches it
    bool quarantined;                // not finite: frozen at its last good state
    // An embedded body: its vertices follow its four particles with fixed weights that add up to 1.
    enum sim_body_shape shape;
    const float *hull_weights; // 4 per vertex; NULL of a TETRAHEDRON and a FRAME
    uint32_t hull_vertices;
    const uint32_t *hull_triangles; // 3 vertex indices each, outward; of a part's triangles, among its own vertices
    uint32_t hull_triangle_count;
    const struct vec3 *rest_edges; // m, of a body: from its first particle to the three others, without its rotation
    uint32_t hull_parts; // of the round kinds and compound bodies; 0: the vertices are one part without a radius
};
// A convex part of an embedded body. index < hull_parts, asserted.
struct sim_part_view {
    uint32_t first_vertex, vertices;
    uint32_t first_triangle, triangles; // none of a point or a segment
    float radius;                       // m, kept around the vertices
    bool ring;                          // a cylinder: half of its vertices stand on each rim
};
struct sim_part_view sim_object_part(const struct sim_world *world, uint32_t object, uint32_t index);
uint32_t sim_world_object_count(const struct sim_world *world);
struct sim_object_view sim_world_object_at(const struct sim_world *world, uint32_t index); // index < count, asserted
enum result sim_object_find(const struct sim_world *, uint32_t object, struct sim_object_view *,
                            struct fault *) WEFT_MUST_USE;
// The mass of the particles that have a finite one, in kg.
double sim_object_mass(const struct sim_world *world, const struct sim_object_view *object);
// Of a mesh with gas the volume in m³ and the pressure above that outside in Pa, at present; zeros for all else.
struct sim_gas_state {
    double volume, pressure;
};
struct sim_gas_state sim_object_gas(const struct sim_world *world, uint32_t object);
// Of a soft body the volume in m³, of all its tetrahedra at present; 0 for all else.
double sim_object_volume(const struct sim_world *world, uint32_t object);
// The rotation of a body from the attitude in which its shape was given; the identity for other kinds. index < count,
// asserted.
struct quat sim_object_orientation(const struct sim_world *world, uint32_t index);

// The published arrays, `count` long, valid until the next call that changes the world.
struct sim_particles_view {
    uint32_t count;
    const float *x, *y, *z;    // m
    const float *dx, *dy, *dz; // m per substep; velocity = d/h; x, y, z and dx, dy, dz lie equally far apart in memory
    const float *inverse_mass; // 1/kg, 0 where pinned or held
    float substep;             // h in s
};
struct sim_particles_view sim_world_particles(const struct sim_world *world);

// ---- particles ---------------------------------------------------------------------------------------------------

// A pinned particle has w = 0 and d = 0 and is moved by commands only. `position` may be NULL: the present position;
// otherwise there must be exactly one index. Unpinning restores the particle's own mass. Errors: RESULT_NOT_FOUND
// (object, index), RESULT_INVALID.
enum result sim_particle_pin(struct sim_world *, uint32_t object, const uint32_t *indices, uint32_t count,
                             const struct vec3 *position, struct fault *) WEFT_MUST_USE;
enum result sim_particle_unpin(struct sim_world *, uint32_t object, const uint32_t *indices, uint32_t count,
                               struct fault *) WEFT_MUST_USE;
enum result sim_particle_set_inverse_mass(struct sim_world *, uint32_t object, const uint32_t *indices, uint32_t count,
                                          float inverse_mass, struct fault *) WEFT_MUST_USE;
enum sim_move_mode { SIM_MOVE_TELEPORT, SIM_MOVE_PUSH }; // teleport: d = 0; push: d += Δ
enum result sim_particle_move(struct sim_world *, uint32_t object, uint32_t index, struct vec3 position,
                              enum sim_move_mode mode, struct fault *) WEFT_MUST_USE;
bool sim_particle_is_pinned(const struct sim_world *, uint32_t slot);         // slot < count, asserted
float sim_particle_own_inverse_mass(const struct sim_world *, uint32_t slot); // as if neither pinned nor held

// Cuts a cloth or mesh along the edges between the given particles, or of one particle along all its edges: each fan of
// triangles that is no longer connected gets a particle of its own, appended to the object's (PHYSICS.md 9). A cut that
// would open nothing, such as one edge inside the sheet, continues straight by one edge. `made`: number of new
// particles. Errors: RESULT_NOT_FOUND, RESULT_INVALID (another kind, no edge between them, nothing parts),
// RESULT_LIMIT, RESULT_STATE (quarantined).
#define SIM_TEAR_PARTICLES_MAX 256u // in one command
enum result sim_particle_tear(struct sim_world *, uint32_t object, const uint32_t *indices, uint32_t count,
                              uint32_t *made, struct fault *) WEFT_MUST_USE;

// Cuts with a blade that moves along a path: the surface between its two ends parts the cloths and meshes that it
// crosses, along edges, and takes away the sticks of ropes that it crosses (PHYSICS.md 9). `object` 0: all of them;
// objects of other kinds and quarantined ones are passed over. New particles are appended to their objects. Errors:
// RESULT_NOT_FOUND, RESULT_INVALID (another kind, a path of too few or too many places or out of range, nothing parts),
// RESULT_LIMIT, RESULT_STATE (quarantined).
#define SIM_BLADE_PLACES_MAX 256u // of one path
struct sim_blade {
    const float *path, *far_path; // m, 3 per place: where the blade's one end is, and its other end
    uint32_t places;              // 2..SIM_BLADE_PLACES_MAX
};
struct sim_blade_result {
    uint32_t objects; // that were cut
    uint32_t made;    // new particles
    uint32_t sticks;  // of ropes, that are gone
};
enum result sim_blade_cut(struct sim_world *, uint32_t object, const struct sim_blade *, struct sim_blade_result *,
                          struct fault *) WEFT_MUST_USE;

// Distributes `force` (N in all) evenly over the given particles (all when `count` is 0) during the next `ticks` ticks.
enum result sim_force_apply(struct sim_world *, uint32_t object, const uint32_t *indices, uint32_t count,
                            struct vec3 force, uint32_t ticks, struct fault *) WEFT_MUST_USE;

// ---- grabs -------------------------------------------------------------------------------------------------------

// A grab of a particle (w = 0 while held) or of a surface point (carried by up to three particles, in an embedded shape
// by the body's four, and projected onto the hand). It follows the hand, distributed over the substeps, under the speed
// limit. When released in motion, it keeps the hand's mean velocity over the last ticks (PHYSICS.md 12.1).
#define SIM_GRAB_CARRIERS 4u
struct sim_grab_view {
    uint32_t id, object;
    uint32_t carriers;                    // 1..SIM_GRAB_CARRIERS
    uint32_t particle[SIM_GRAB_CARRIERS]; // local indices
    float weight[SIM_GRAB_CARRIERS];      // sum 1
    struct vec3 target;
};
enum result sim_grab_start_particle(struct sim_world *, uint32_t object, uint32_t index, uint32_t *grab,
                                    struct fault *) WEFT_MUST_USE;
// Grabs the point of the object's surface (triangles; sticks of a rope; particles) nearest to `point`.
enum result sim_grab_start_point(struct sim_world *, uint32_t object, struct vec3 point, uint32_t *grab,
                                 struct fault *) WEFT_MUST_USE;
enum result sim_grab_move(struct sim_world *, uint32_t grab, struct vec3 position, struct fault *) WEFT_MUST_USE;
enum result sim_grab_end(struct sim_world *, uint32_t grab, struct fault *) WEFT_MUST_USE;
uint32_t sim_world_grab_count(const struct sim_world *world);
struct sim_grab_view sim_world_grab_at(const struct sim_world *world, uint32_t index);

// ---- free sticks -------------------------------------------------------------------------------------------------

enum sim_stick_kind { SIM_STICK_EQUAL, SIM_STICK_AT_MOST, SIM_STICK_AT_LEAST, SIM_STICK_KIND_COUNT };
struct sim_stick_end {
    uint32_t object, particle;
};
// A point that particles of the end's object carry: Σ weight_i·p_i (PHYSICS.md 3.9).
#define SIM_STICK_CARRIERS 4u
struct sim_stick_point {
    uint32_t carriers;                     // 1..SIM_STICK_CARRIERS; 0: the end is the particle itself
    uint32_t particle[SIM_STICK_CARRIERS]; // local indices
    float weight[SIM_STICK_CARRIERS];      // sum 1
};
enum sim_stick_at {
    SIM_STICK_AT_PARTICLE, // the particle of the end
    SIM_STICK_AT_SURFACE,  // the point of the object's surface nearest to `point`, as sim_grab_start_point finds it
    SIM_STICK_AT_ANCHOR,   // `point` itself, inside or outside of a body, which carries it
    SIM_STICK_AT_WEIGHTS   // the given weights
};
struct sim_stick_place {
    enum sim_stick_at at;
    struct vec3 point; // m
    struct sim_stick_point weights;
};
// A length that swings: rest_length + amplitude·sin(2π·(phase + t/period)), where t is the time of the world.
struct sim_stick_swing {
    float amplitude; // m, 0: none; below rest_length
    float period;    // s
    float phase;     // turns
};
struct sim_stick_view {
    uint32_t id;
    struct sim_stick_end a, b; // of an end between particles, its first carrier
    struct sim_stick_point a_point, b_point;
    float rest_length;
    float length; // m, what the stick keeps at present: rest_length and what its swing adds
    enum sim_stick_kind kind;
    float compliance; // m/N
    enum sim_projection projection;
    float target_length; // m, with a rate
    float rate;          // m/s, at which rest_length moves to target_length; 0: it does not move
    struct sim_stick_swing swing;
    float break_force; // N; 0: never
    float force;       // N, mean over the last tick, above 0 where it pulled; known of sticks with a break_force
};
struct sim_stick_desc {
    struct sim_stick_end a, b;
    struct sim_stick_place a_place, b_place;
    float rest_length; // m; below 0: so that it keeps the present distance now; 0: a ball joint, of kind EQUAL
    enum sim_stick_kind kind;
    float compliance;               // m/N
    enum sim_projection projection; // of a stick with compliance 0; compliant sticks act along their present direction
    struct sim_stick_swing swing;
    float break_force; // N: a stick that bears more over a tick is removed (SIM_EVENT_BROKEN); 0: never
};
// What is changed of an added stick; members that are NULL stay. A rest length takes effect at once, or with a rate
// moves at so many m/s. It is 0 for equal sticks only.
struct sim_stick_change {
    const float *rest_length; // m
    const float *rate;        // m/s, ≥ 0, with a rest_length; 0: at once
    const enum sim_stick_kind *kind;
    const float *compliance;             // m/N
    const struct sim_stick_swing *swing; // an amplitude of 0 ends it
    const float *break_force;            // N; 0: never
};
struct sim_stick_desc sim_stick_desc_default(void); // the present length, rigid, SIM_PROJECTION_START; without ends
enum result sim_stick_join(struct sim_world *, const struct sim_stick_desc *, uint32_t *stick,
                           struct fault *) WEFT_MUST_USE;
// The same from single values, with SIM_PROJECTION_START.
enum result sim_stick_add(struct sim_world *, struct sim_stick_end a, struct sim_stick_end b, float rest_length,
                          enum sim_stick_kind kind, float compliance, uint32_t *stick, struct fault *) WEFT_MUST_USE;
enum result sim_stick_set(struct sim_world *, uint32_t stick, struct sim_stick_change, struct fault *) WEFT_MUST_USE;
enum result sim_stick_remove(struct sim_world *, uint32_t stick, struct fault *) WEFT_MUST_USE;
uint32_t sim_world_stick_count(const struct sim_world *world); // free sticks
struct sim_stick_view sim_world_stick_at(const struct sim_world *world, uint32_t index);

// ---- obstacles ---------------------------------------------------------------------------------------------------

enum sim_obstacle_shape {
    SIM_OBSTACLE_SPHERE,
    SIM_OBSTACLE_BOX,
    SIM_OBSTACLE_PLANE,
    SIM_OBSTACLE_CAPSULE,
    SIM_OBSTACLE_HEIGHTFIELD,
    SIM_OBSTACLE_MESH,
    SIM_OBSTACLE_SHAPE_COUNT
};
#define SIM_PATH_POINTS_MAX 4096u // of all obstacles of a world
#define SIM_TURN_SPEED_MAX 100.0f // rad/s, each component of an obstacle's angular velocity
#define SIM_PATH_TIME_MIN 1e-3f   // s, between two points of a path
#define SIM_PATH_TIME_MAX 1e6f    // s, of a path's last point
// Where an obstacle is at a time of its path. The rotation is that of a box or a mesh, and of another shape the turn
// from how it was given; all zeros: as at the point before.
struct sim_path_point {
    float time; // s, above 0 and above the time of the point before
    struct vec3 position;
    struct quat rotation;
};
// How an obstacle moves: with velocities, or along a path from where it is, straight from point to point. The position
// of a capsule is the middle of its axis.
struct sim_motion {
    struct vec3 velocity;              // m/s
    struct vec3 angular_velocity;      // rad/s
    struct vec3 pivot;                 // m, from the position to the axis of the angular velocity
    struct vec3 surface_velocity;      // m/s, of the surface of an obstacle that stays, as of a conveyor belt
    const struct sim_path_point *path; // with a path, both velocities are 0
    uint32_t points;                   // of the path; 0: none
    bool loop;                         // the path begins anew when it ends, which is where it began
    float path_time;                   // s, where on the path the motion begins
};

// Arrays are read during sim_obstacle_add only; a view from the world points into the world.
struct sim_obstacle {
    uint32_t id; // set by the world
    enum sim_obstacle_shape shape;
    struct vec3 position;
    float radius;              // sphere, capsule
    struct vec3 size;          // box, full extents
    struct quat rotation;      // box, mesh
    struct vec3 normal;        // plane, outward; normalised by the world
    struct vec3 from, to;      // capsule: ends of its axis
    uint32_t columns, rows;    // height field: samples along x and z, ≥ 2, centred on `position`
    float spacing;             // height field: m between samples
    const float *heights;      // height field: rows·columns, m above `position`; solid below
    const float *positions;    // mesh: 3 per vertex, local
    uint32_t vertices;         // mesh
    const uint32_t *triangles; // mesh: 3 indices each, outward
    uint32_t triangle_count;   // mesh
    float friction;            // two materials meet with √(μ₁μ₂)
    float restitution;         // 0..1; two materials meet with the larger
    struct sim_motion motion;  // from the next tick on
};
enum result sim_obstacle_add(struct sim_world *, const struct sim_obstacle *, uint32_t *obstacle,
                             struct fault *) WEFT_MUST_USE;
enum result sim_obstacle_remove(struct sim_world *, uint32_t obstacle, struct fault *) WEFT_MUST_USE;
uint32_t sim_world_obstacle_count(const struct sim_world *world);
const struct sim_obstacle *sim_world_obstacle_at(const struct sim_world *world, uint32_t index); // where it is now
// The description that would make an obstacle that goes on as this one does.
struct sim_obstacle sim_world_obstacle_going_on(const struct sim_world *world, uint32_t index);
// As it was when its motion began; sets the tick before which that was.
const struct sim_obstacle *sim_world_obstacle_start(const struct sim_world *world, uint32_t index, uint64_t *tick);
// Gives an obstacle another motion from the next tick on; one of zeros stops it. Errors: RESULT_NOT_FOUND,
// RESULT_INVALID, RESULT_LIMIT for the points of a path, RESULT_MEMORY.
enum result sim_obstacle_move(struct sim_world *, uint32_t obstacle, const struct sim_motion *,
                              struct fault *) WEFT_MUST_USE;

// ---- events ------------------------------------------------------------------------------------------------------

// What happened in the last tick without a command; the next tick overwrites it. `sim_world_events_lost` counts the
// events that did not fit.
enum sim_event_kind {
    SIM_EVENT_TORN,
    SIM_EVENT_QUARANTINED,
    SIM_EVENT_SLEPT,
    SIM_EVENT_WOKE,
    SIM_EVENT_BROKEN,
    SIM_EVENT_KIND_COUNT
};
struct sim_event {
    enum sim_event_kind kind;
    uint32_t object;
    // TORN: the ends of the stick that broke, local. BROKEN: the id of the added stick, and the object of its end b.
    uint32_t a, b;
};
uint32_t sim_world_event_count(const struct sim_world *world);
struct sim_event sim_world_event_at(const struct sim_world *world, uint32_t index);
uint32_t sim_world_events_lost(const struct sim_world *world);

#ifdef __cplusplus
}
#endif

#endif
