// SPDX-License-Identifier: MIT
// Cloth against itself and against other cloth.
//
// What always holds: if no edge crosses a triangle at a substep's start, none does at its end. Two sheets that are
// apart can meet in two ways only, a vertex with a triangle or an edge with an edge, so it is enough to keep every such
// pair of features apart on the straight way from the substep's start to its end. (R. Bridson, R. Fedkiw, J. Anderson,
// "Robust Treatment of Collisions, Contact and Friction for Cloth Animation", 2002.)
//
//   cloth_contact_tree.c, cloth_contact_drift.c: the candidates, pairs that can come near during the next substeps,
//     from a tree of boxes
//   cloth_contact.c: the contacts, candidates nearer than the thickness, which the solver keeps apart
//   cloth_contact_guard.c: after the last sweep, pairs that would have met on the way are pushed apart once more, and
//     what cannot be, goes back towards its start
//
// Which side is which is told by the start: the normal of a pair is the way between its nearest points there. What a
// command has put through something stays through it.
//
// All of this is scratch. It is reserved with the world, touched only once there is cloth that collides, and built from
// the state: candidates at the start of a tick (and again when something has moved further than they allow for), so
// that a restored world goes on bit for bit. Units: m.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H

#include "sim/geometry/proximity.h"
#include "sim/world/world.h"

// At once; a world of few triangles reserves fewer. The candidates that do not fit are left out, the same everywhere,
// and nothing is promised of them.
#define CLOTH_CONTACT_CANDIDATES_MAX 16777216u
#define CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE 192u
#define CLOTH_CONTACT_CANDIDATES_MIN 16384u
#define CLOTH_CONTACTS_MAX 2097152u
#define CLOTH_CONTACTS_PER_TRIANGLE 32u
#define CLOTH_CONTACTS_MIN 2048u
#define CLOTH_CONTACT_GAPS 1.25f
#define CLOTH_CONTACT_FACES_MAX 536870912u // three bits of a feature's name say which part of the face it is

// A triangle that takes part, by slots.
struct cloth_contact_face {
    uint32_t corner[3];
    uint32_t object; // its place in world->object
};

struct cloth_contact_box {
    struct vec3 min, max;
};

// A face where it was when candidates were gathered and where it is expected to go, in the order of the tree's leaves.
struct cloth_contact_swept_face {
    struct vec3 corner[3], way[3];
    struct cloth_contact_box box, corner_box[3], edge_box[3]; // of all that it, its corners and its edges pass by
    float outer, inner; // m: half of what it keeps from other cloth, and from its own, and its skin
    uint32_t face, object;
    bool loose; // a corner is
};

// A pair of features. A vertex is named face·8 + corner, an edge face·8 + 4 + its first corner.
struct cloth_contact_candidate {
    uint32_t a; // a vertex or an edge
    uint32_t b; // an edge, if a is; else a face·8
    float room; // m, that is left until they are near when all goes as expected
};

// A candidate that may come near in this substep.
struct cloth_contact_near {
    uint32_t candidate;
    float distance; // at the substep's start
};

struct cloth_contact {
    uint32_t slot[4];
    float weight[4];    // proximity.h
    float share[4];     // λ·w·weight: how a depth of 1 moves each
    struct vec3 normal; // unit
    float gap;          // to be kept
    float recovered;    // of `gap`, what was missing at the start already: given back without gaining speed
    uint32_t object_a, object_b;
    float friction; // μ of the pair
    bool pushed;
};

struct cloth_contacts {
    bool stale;          // faces have to be gathered anew
    bool gathered;       // the candidates are of this tick
    bool idle;           // nothing that collides moves
    bool near_overflows; // `near` is not complete
    uint32_t faces;      // 0: nothing collides
    struct cloth_contact_face *face;
    uint8_t *owned;      // of a face: bits 0..2 its corners, bits 3..5 its edges; each feature has one owner
    uint32_t *fan_first; // of a slot: where its faces begin in `fan`; one more at the end
    uint32_t *fan;
    uint32_t *member; // places of the objects that take part
    uint32_t members;
    float thickness_max;

    // The tree of boxes: faces in Morton order, four to a leaf, nodes as in a heap.
    uint32_t *key, *order, *key_spare, *order_spare;
    struct cloth_contact_box *node;
    struct cloth_contact_swept_face *swept_face;
    uint8_t *node_loose; // whether a face below has a loose corner
    uint32_t first_leaf;

    struct cloth_contact_candidate *candidate;
    uint32_t candidates;
    struct cloth_contact_near *near;
    uint32_t nears;
    struct cloth_contact *contact;
    uint32_t contacts;

    uint32_t substeps_left;             // of the tick, this one included
    uint32_t plan_substeps;             // as many were left when candidates were gathered
    uint32_t plan_end;                  // for so many substeps they were
    float *from_x, *from_y, *from_z;    // where particles were then
    float *plan_x, *plan_y, *plan_z;    // and where they are expected to go in a substep
    float *start_x, *start_y, *start_z; // and at the substep's start
    // Of a particle, all less what all particles have in common:
    float *skin;    // how far it may be from where it is expected before candidates are gathered again
    float *moved;   // how far it is from there in this substep at most
    float *way;     // how far it goes in this substep
    uint8_t *loose; // whether it has left its skin: its pairs are gathered again
    float *predicted_x, *predicted_y, *predicted_z; // where it was going when `near` was listed
    uint32_t pushes, retreats; // pairs that the guard pushed apart, and held back, since the world began
};

// The features of a candidate as four slots, and what they have to keep.
struct cloth_contact_pair {
    enum proximity_kind kind;
    uint32_t slot[4];
    uint32_t object_a, object_b;
};

// ---- cloth_contact.c ------------------------------------------------------------------------------------------------
void cloth_contact_begin_tick(struct sim_world *world);
// After `integrate`: candidates and contacts of the substep.
void cloth_contact_detect(struct sim_world *world, uint32_t substeps_left);
// Wakes what sleeps and has a contact with something awake; whether there was any.
bool cloth_contact_wake(struct sim_world *world);
void cloth_contact_relax(struct sim_world *world,
                         uint32_t iteration); // every contact once, the other way round in odd sweeps
// After `finish`: takes out the speed of what was recovered; whether there was any.
bool cloth_contact_settle(struct sim_world *world);

struct cloth_contact_pair cloth_contact_pair_of(const struct sim_world *world,
                                                const struct cloth_contact_candidate *candidate);
float cloth_contact_gap(const struct sim_world *world, const struct cloth_contact_pair *pair); // h in m
float cloth_contact_gap_within(const struct object *object); // the most that it is within one cloth
// What is nearer than this has a contact: pairs that are about to touch are kept from being pushed together by what
// else the sweeps do.
static inline float cloth_contact_distance(float gap) {
    return CLOTH_CONTACT_GAPS * gap;
}
// The most that this is for the features of two objects.
static inline float cloth_contact_distance_max(const struct sim_world *world, uint32_t place_a, uint32_t place_b) {
    const struct object *a = &world->object[place_a];
    const float gap =
        place_a == place_b ? cloth_contact_gap_within(a) : 0.5f * (a->radius + world->object[place_b].radius);
    return cloth_contact_distance(gap);
}
void cloth_contact_points_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair,
                                   struct point at[4]);
void cloth_contact_points_now(const struct sim_world *world, const struct cloth_contact_pair *pair, struct point at[4]);
// Lists anew what can come near in this substep, as measured.
void cloth_contact_watch(struct sim_world *world);
// How much nearer the features of a candidate can come when particles go as far as `far` says, one value each.
float cloth_contact_closing(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                            const float *far);
// Everything of a contact but its gap; false if nothing in it can move.
bool cloth_contact_of(const struct sim_world *world, const struct cloth_contact_pair *pair,
                      const struct proximity *nearest, struct cloth_contact *contact) WEFT_MUST_USE;
bool cloth_contact_relax_one(struct sim_world *world, struct cloth_contact *contact); // true if it had to push

// ---- cloth_contact_memory.c -----------------------------------------------------------------------------------------
enum result cloth_contact_reserve(struct sim_world *world) WEFT_MUST_USE;
void cloth_contact_release(struct sim_world *world);
void cloth_contact_give_back(struct sim_world *world); // sim_world_give_back
// How many there may be in a world of so many triangles: of those it has, whatever it has room for (contact_capacity).
uint32_t cloth_contact_capacity(uint32_t triangles);
uint32_t cloth_contact_candidate_capacity(uint32_t triangles);

// ---- cloth_contact_mesh.c -------------------------------------------------------------------------------------------
bool cloth_contact_takes_part(const struct object *object);
void cloth_contact_resolve(struct sim_world *world); // faces and owners, when stale
// Whether another pair has the same nearest points, by their weights: where one lies on an edge or a corner, all faces
// around it and their edges see the same. The vertex and the face that owns the edge or corner stand for all of them,
// unless the vertex is of that face.
bool cloth_contact_is_repeated(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                               const struct cloth_contact_pair *pair, const double weight[4]);

// ---- cloth_contact_tree.c -------------------------------------------------------------------------------------------
void cloth_contact_gather(struct sim_world *world);       // all candidates
void cloth_contact_gather_loose(struct sim_world *world); // those of faces with loose corners, the others stay

// ---- cloth_contact_drift.c ------------------------------------------------------------------------------------------
// Measures `moved` and `way` on the way from the substep's start to where particles are now, and makes sure that the
// candidates hold for it. True if they had to be gathered anew.
bool cloth_contact_refresh(struct sim_world *world);

// ---- cloth_contact_guard.c ------------------------------------------------------------------------------------------
// After the last sweep, before `finish`.
void cloth_contact_guard(struct sim_world *world);

#endif
