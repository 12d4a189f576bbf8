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

// ---- world.c --------------------------------------------------------------------------------------------------------
// Takes the number for a command about to be applied; a creating command first asks whether there is one left.
uint32_t world_next_sequence(struct sim_world *world);
enum result world_can_name(const struct sim_world *world, struct fault *fault) WEFT_MUST_USE;
void world_own_room(struct sim_world *world);                 // sheets may tear until there is no memory for more
void world_note_capped(struct sim_world *world, bool capped); // of the command whose number was taken last
// The nearest point within the bounds; what is not a number becomes the lower ones.
struct vec3 world_within_bounds(const struct sim_world *world, struct vec3 p);
enum result world_check_parameters(const struct sim_parameters *parameters, struct fault *fault) WEFT_MUST_USE;
void world_layout_changed(struct sim_world *world); // epoch, and what is resolved from ids to slots

// ---- layout.c -------------------------------------------------------------------------------------------------------
// Room for one more object of this size at the end, or the limit that refuses it. Nothing is visible before the commit.
struct object_size {
    uint64_t particles, sticks, triangles;
};
enum result layout_reserve(const struct sim_world *world, struct object_size size, struct object *object,
                           struct fault *fault) WEFT_MUST_USE;
// Whether whoever makes things now may have `wanted` more of `what`, of which `used` are theirs.
enum result layout_check_allowance(const char *what, uint64_t wanted, uint32_t used, uint32_t most,
                                   struct fault *fault) WEFT_MUST_USE;
uint32_t layout_commit(struct sim_world *world, struct object *object);
enum result layout_find(const struct sim_world *world, uint32_t id, struct object **object,
                        struct fault *fault) WEFT_MUST_USE;
// Gives an object other numbers of particles, sticks and colours: what lies behind moves, what is new is not set. There
// has to be room, and the layout has to be declared changed at the end.
void layout_resize(struct sim_world *world, struct object *object, uint32_t particles, uint32_t sticks,
                   uint32_t colours);
// Checks that every index is one of the object's; `member` names the list, "/particles".
enum result layout_check_indices(const struct object *object, const uint32_t *indices, uint32_t count,
                                 const char *member, struct fault *fault) WEFT_MUST_USE;

// ---- check.c --------------------------------------------------------------------------------------------------------
enum result check_range(float value, float low, float high, const char *unit, const char *member,
                        struct fault *fault) WEFT_MUST_USE;
enum result check_vector(struct vec3 value, float magnitude_max, const char *unit, const char *member,
                         struct fault *fault) WEFT_MUST_USE;
enum result check_array(const float *values, uint32_t count, float low, float high, const char *unit,
                        const char *member, struct fault *fault) WEFT_MUST_USE;
enum result check_rotation(struct quat rotation, struct mat3 *matrix, struct fault *fault) WEFT_MUST_USE;
enum result check_friction(float friction, struct fault *fault) WEFT_MUST_USE;
enum result check_compliance(float compliance, const char *member, struct fault *fault) WEFT_MUST_USE;
// Every particle of an object that is being made: within ±SIM_POSITION_MAX.
enum result check_positions(const struct sim_world *world, const struct object *object, const char *member,
                            struct fault *fault) WEFT_MUST_USE;

// ---- colour.c -------------------------------------------------------------------------------------------------------
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
// Adds sticks of one class to an object that is being made, in colours of their own after those it has. `colour` and
// `order` have room for one number per stick.
struct stick_batch {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    uint32_t count;
    uint8_t class;
    uint32_t *colour, *order;
};
void colour_append(struct sim_world *world, struct object *object, const struct stick_batch *batch);

// ---- sheet.c --------------------------------------------------------------------------------------------------------
// From local positions in x, y, z, sticks and triangles to a finished object: masses, pins, its place in the world.
enum result sheet_finish(struct sim_world *world, struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) WEFT_MUST_USE;

// ---- cloth_contact_mesh.c -------------------------------------------------------------------------------------------
// The smallest height of an object's triangles as they lie, in m.
float cloth_contact_height(const struct sim_world *world, const struct object *object);

// ---- particle.c -----------------------------------------------------------------------------------------------------
// A particle as it comes into the world: at rest, free.
void particle_init(struct sim_world *world, uint32_t slot, struct vec3 position, float inverse_mass);
void particle_init_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm,
                         float inverse_mass);                  // particle_place_apart
void particle_refresh(struct sim_world *world, uint32_t slot); // w from own_w and flags
void particle_set_pinned(struct sim_world *world, struct object *object, uint32_t index, bool pinned);
static inline struct vec3 particle_position(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->x[slot], world->y[slot], world->z[slot]);
}
static inline struct vec3 particle_low(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->low_x[slot], world->low_y[slot], world->low_z[slot]);
}
static inline struct vec3 particle_displacement(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->dx[slot], world->dy[slot], world->dz[slot]);
}
static inline struct vec3 particle_ahead(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->ahead_x[slot], world->ahead_y[slot], world->ahead_z[slot]);
}
static inline struct vec3 particle_off(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->off_x[slot], world->off_y[slot], world->off_z[slot]);
}
// Moves p by `way`; the start stays.
static inline void particle_shift(struct sim_world *world, uint32_t slot, struct vec3 way) {
    world->off_x[slot] += way.x;
    world->off_y[slot] += way.y;
    world->off_z[slot] += way.z;
}
// p, where relaxation has brought it so far, rounded to the coordinates that it would be published as.
static inline struct vec3 particle_relaxed(const struct sim_world *world, uint32_t slot) {
    return vec3_of(world->ahead_x[slot] + world->off_x[slot], world->ahead_y[slot] + world->off_y[slot],
                   world->ahead_z[slot] + world->off_z[slot]);
}
// p becomes `position`, exactly; where it started from stays. Along an axis on which it is there already nothing
// changes.
static inline void particle_set_relaxed(struct sim_world *world, uint32_t slot, struct vec3 position) {
    const struct vec3 p = particle_relaxed(world, slot);
    if (position.x != p.x) {
        world->ahead_x[slot] = position.x;
        world->off_x[slot] = 0.0f;
    }
    if (position.y != p.y) {
        world->ahead_y[slot] = position.y;
        world->off_y[slot] = 0.0f;
    }
    if (position.z != p.z) {
        world->ahead_z[slot] = position.z;
        world->off_z[slot] = 0.0f;
    }
}
void particle_place(struct sim_world *world, uint32_t slot, struct vec3 position); // exactly there
// At `origin` + `arm`, kept to more digits than one float has: what is built from arms is as it was meant to be,
// however far from the world's origin.
void particle_place_apart(struct sim_world *world, uint32_t slot, struct vec3 origin, struct vec3 arm);
// Moves the start, x + low, by `way`; p stays.
void particle_carry(struct sim_world *world, uint32_t slot, struct vec3 way);
void particle_set_displacement(struct sim_world *world, uint32_t slot, struct vec3 displacement);
// Slows them down together until none is above SIM_SPEED_MAX; whether that was needed.
bool particle_limit(struct sim_world *world, uint32_t first, uint32_t count);

// ---- stick.c --------------------------------------------------------------------------------------------------------
void stick_begin(struct sim_world *world); // of a substep: no compliant stick has pulled yet
void stick_relax_object(const struct sim_world *world, const struct object *object);
uint32_t stick_passes(const struct object *object); // over an object's sticks in a sweep
float stick_compliance(const struct sim_world *world, const struct object *object, uint32_t colour); // m/N

// ---- ragdoll.c ------------------------------------------------------------------------------------------------------
bool ragdoll_has_its_parts(const struct object *figure); // as many as the code below counts on
// Whether no bone is flat or its own mirror image; and one sweep of the constraint that forbids it (PHYSICS.md 6.2).
bool ragdoll_bones_are_upright(const struct sim_world *world, const struct object *figure);
void ragdoll_relax_bones(struct sim_world *world, const struct object *figure);

// ---- stack.c --------------------------------------------------------------------------------------------------------
void stack_relax(struct sim_world *world); // before and after the sweeps: bodies that rest on one another stand firm

// ---- settle.c -------------------------------------------------------------------------------------------------------
void settle_after_sweeps(struct sim_world *world); // obstacles keep their sides, figures' bones their lengths

// ---- tether.c -------------------------------------------------------------------------------------------------------
#define TETHER_NONE UINT32_MAX
void tether_refresh(struct sim_world *world, struct object *object); // anchors and ways, where stale
void tether_resolve(struct sim_world *world);                        // of all objects
// After a tear, which made particles of what was there: finds the ways again that led through it.
void tether_cut(struct sim_world *world, const struct object *object, uint32_t particles_before);
void tether_relax(struct sim_world *world);

// ---- tear.c ---------------------------------------------------------------------------------------------------------
void tear_update(struct sim_world *world); // at the end of a tick: what is stretched too far breaks

// ---- free_stick.c ---------------------------------------------------------------------------------------------------
void free_stick_resolve(struct sim_world *world); // slots and colours, when stale
void free_stick_relax(struct sim_world *world);
void free_stick_drop_object(struct sim_world *world, uint32_t object);

// ---- body_detect.c --------------------------------------------------------------------------------------------------
// Adds the contacts of bodies with one another and with what other objects are made of.
void body_detect(struct sim_world *world);

// ---- wind.c, force.c ------------------------------------------------------------------------------------------------
// Before substep number `k` of a tick: adds the air's forces to those of objects on which they are due.
void wind_apply(struct sim_world *world, const struct substep *substep, uint32_t k);
void force_accumulate(struct sim_world *world);                         // at the start of a tick
void force_clear(const struct sim_world *world, struct slot_span span); // the accumulators of its particles
// Sets the accumulators of the objects whose `wind_due` is `k` back to what force_accumulate made them.
void force_accumulate_again(struct sim_world *world, uint32_t k);
void force_expire(struct sim_world *world); // at the end of a tick: one tick less to last
void force_drop_object(struct sim_world *world, uint32_t object);

// ---- sleep.c, island.c ----------------------------------------------------------------------------------------------
// Whatever acts on an object wakes it, and what fell asleep with it; a command calls one of these once it is applied.
void sleep_wake(struct sim_world *world, uint32_t object); // by id
void sleep_wake_place(struct sim_world *world, uint32_t place);
void sleep_wake_all(struct sim_world *world);
void sleep_wake_box(struct sim_world *world, struct vec3 min, struct vec3 max); // what lies in or near it
void sleep_wake_near(struct sim_world *world, const struct object *object);
void sleep_resolve(struct sim_world *world);      // spans, when stale; ahead and off of what is not in them
bool sleep_wake_touched(struct sim_world *world); // by contacts with what is awake; whether there were any
void sleep_update(struct sim_world *world);       // at the end of a tick
// Marks the islands: objects that contacts and free sticks join have the same root.
void island_find(struct sim_world *world);
uint32_t island_root(const struct sim_world *world, uint32_t place);

// ---- still.c --------------------------------------------------------------------------------------------------------
// Counts for how many ticks each active object has been still; whether one has been for long enough to fall asleep.
bool still_count(struct sim_world *world);
uint32_t still_ticks_until_sleep(const struct sim_world *world);
void still_remember_place(struct sim_world *world, uint32_t slot); // of a particle that a command has placed

// ---- tolerance.c ----------------------------------------------------------------------------------------------------
bool tolerance_is_met(const struct sim_world *world);

// ---- quarantine.c ---------------------------------------------------------------------------------------------------
// Freezes every active object with a displacement that is not finite where `good` has its particles.
void quarantine_find(struct sim_world *world, float *const good[3]);

// ---- event.c --------------------------------------------------------------------------------------------------------
void event_add(struct sim_world *world, enum sim_event_kind kind, uint32_t object, uint32_t a, uint32_t b);
void event_clear(struct sim_world *world);

// ---- grab.c ---------------------------------------------------------------------------------------------------------
void grab_resolve(struct sim_world *world);
void grab_advance(struct sim_world *world, const struct substep *substep, uint32_t substeps_left);
void grab_relax(struct sim_world *world);
void grab_remember(struct sim_world *world);
void grab_follow_particle(struct sim_world *world, uint32_t object, uint32_t index, struct vec3 position);
void grab_drop_object(struct sim_world *world, uint32_t object);

#endif
