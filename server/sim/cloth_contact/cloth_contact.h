// SPDX-License-Identifier: MIT
// Cloth, ropes and loose particles against themselves and against one another.
//
// A rope that collides is a chain of segments and loose particles are balls: faces with two equal corners, and with
// three. Below, "cloth" stands for all of them where nothing else is said.
//
// Invariant: if no edge crosses a triangle at a substep's start, none does at its end. Two sheets that are apart can
// only meet vertex on triangle or edge on edge, so it is enough to keep every such pair of features apart on the
// straight path from the substep's start to its end. (R. Bridson, R. Fedkiw, J. Anderson, "Robust Treatment of
// Collisions, Contact and Friction for Cloth Animation", 2002.)
//
//   cloth_contact_tree.c, cloth_contact_drift.c: the candidates, pairs that can come near during the next substeps,
//     from a tree of boxes
//   cloth_contact_order.c: the order of contacts, which does not depend on when candidates were gathered
//   cloth_contact.c: the contacts, candidates nearer than the thickness, which the solver keeps apart
//   cloth_contact_guard.c: after the last iteration, pairs that would have met on their paths are pushed apart once
//     more, and particles of pairs that remain go back towards their starts
//
// The start decides the sides: the normal of a pair is the direction between its nearest points there. Cloth that a
// command has put through something stays through it.
//
// All of this is scratch. It is reserved with the world, used only once there is cloth that collides, and computed from
// the state: candidates at the start of a tick (and again when particles have moved farther than the candidates allow),
// so that a restored world continues bit for bit. Units: m.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H

#include "sim/cloth_contact/cloth_contact_box.h"
#include "sim/cloth_contact/cloth_contact_face.h"
#include "sim/geometry/proximity.h"
#include "sim/world/world.h"

// Upper limits; a world with few faces reserves less. Candidates that do not fit are left out, the same ones on
// every machine, and are not kept apart.
#define CLOTH_CONTACT_CANDIDATES_MAX 16777216u
#define CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE 192u
#define CLOTH_CONTACT_CANDIDATES_MIN 16384u
#define CLOTH_CONTACTS_MAX 2097152u
#define CLOTH_CONTACTS_PER_TRIANGLE 32u
#define CLOTH_CONTACTS_MIN 2048u
#define CLOTH_CONTACT_GAPS 1.25f
#define CLOTH_CONTACT_FACES_MAX 536870912u // three bits of a feature's number select the part of the face

// A triangle that collides, by slots; of a rope a segment (a, b, b), of loose particles a particle (a, a, a).
struct cloth_contact_face {
    uint32_t corner[3];
    uint32_t object; // place in world->object
};

// An added stick from a particle: to whom, and how long. Those of a particle form a list.
struct cloth_contact_tie {
    uint32_t slot;
    uint32_t next; // 1 + the next entry, or 0
    float length;  // m
};

// A face where it was when candidates were gathered, and its expected motion, in the order of the tree's leaves.
struct cloth_contact_swept_face {
    struct vec3 corner[3], path[3];
    // Boxes around the paths of the face, its corners and its edges.
    struct cloth_contact_box box, corner_box[3], edge_box[3];
    float outer, inner; // m: half of its thickness against other cloth, and against its own, plus its skin
    uint32_t face, object;
    bool loose; // true if a corner is loose
};

// Where particles were at one time in a tick, and the motion that each is expected to keep (cloth_contact_drift.c).
// Arrays are per particle; all lengths are relative to the mean motion of all particles.
struct cloth_contact_plan {
    bool made;                       // in this tick
    uint32_t substeps;               // left when it was made
    uint32_t end;                    // number of substeps for which it was made
    float *from_x, *from_y, *from_z; // positions then
    float *way_x, *way_y, *way_z;    // expected motion in a substep
    float *skin;                     // distance from its expected place within which the plan holds
    float *moved;                    // greatest distance from its expected place in this substep
    uint8_t *loose;                  // 1 if it has left its skin
};

// The place of a pair in the order of contacts: by epoch, then by key.
struct cloth_contact_place {
    uint64_t key;
    uint32_t epoch;
    uint32_t index; // of the pair, wherever the caller keeps it
};

// A pair of features. A vertex has the number face·8 + corner, an edge face·8 + 4 + its first corner.
struct cloth_contact_candidate {
    uint32_t a; // a vertex or an edge
    uint32_t b; // an edge if a is an edge, otherwise a face·8
    float room; // m, distance left until they are near if all particles move as expected
};

// A candidate that may come near in this substep.
struct cloth_contact_near {
    struct cloth_contact_candidate candidate;
    float distance; // at the substep's start
};

struct cloth_contact {
    uint32_t slot[4];
    float weight[4];    // proximity.h
    float share[4];     // λ·w·weight: the motion of each particle for a depth of 1
    struct vec3 normal; // unit
    float gap;          // distance to keep
    float recovered;    // part of `gap` that was missing at the start, recovered without gaining speed
    uint32_t object_a, object_b;
    float friction; // μ of the pair
    bool pushed;
    bool thread;  // one of the objects is a rope or particles
    float unused; // m, then: the way that friction may still take back for the pushes of this substep
};

struct cloth_contacts {
    bool idle;           // no cloth that collides moves
    bool near_overflows; // `near` does not hold all
    uint32_t faces;      // 0: no cloth collides
    uint32_t threads;    // faces of ropes and particles among them
    struct cloth_contact_face *face;
    uint8_t *owned;      // per face: bits 0..2 its corners, bits 3..5 its edges; each feature has one owner
    uint32_t *fan_first; // per slot: where its faces begin in `fan`; one more at the end
    uint32_t *fan;
    uint32_t *member; // places of the objects that collide
    uint32_t members;
    float thickness_max;
    uint32_t *tie_first; // per slot: 1 + the first entry of its added sticks, or 0
    struct cloth_contact_tie *tie;
    uint32_t ties;

    // The tree of boxes: faces in Morton order, four to a leaf, nodes as in a heap.
    uint32_t *key, *order, *key_spare, *order_spare;
    struct cloth_contact_box *node;
    struct cloth_contact_swept_face *swept_face;
    uint8_t *node_loose; // true if a face below has a loose corner
    uint32_t first_leaf;

    struct cloth_contact_candidate *candidate;
    uint32_t candidates;
    struct cloth_contact_near *near;
    uint32_t nears;
    struct cloth_contact *contact, *contact_spare;
    uint32_t contacts;

    // The order of contacts (cloth_contact_order.c).
    uint32_t *rank;         // per face: its place along the Morton curve
    uint32_t *epoch;        // per face
    uint32_t epochs;        // begun since all faces were ranked, 0 at first
    uint32_t *active_epoch; // per object: the epoch from which it is active
    bool rests;             // some object was not active when faces were ranked
    struct cloth_contact_place *place, *place_spare;

    uint32_t substeps_left;         // in the tick, this one included
    struct cloth_contact_plan plan; // by which candidates were gathered
    struct cloth_contact_plan order_plan;
    float *start_x, *start_y, *start_z; // positions of particles at the substep's start
    float *path;                        // per particle: length of its path in this substep, relative to the mean motion
    float *face_moved;                  // per face: the greatest plan.moved of its corners
    float *predicted_x, *predicted_y, *predicted_z; // positions of particles when contacts were found
    float *listed_x, *listed_y, *listed_z;          // positions of particles when pairs were last listed
    uint8_t *face_off;                              // per face: true if a corner is too far from its predicted position
    uint32_t pushes, retreats; // pairs that the guard has pushed apart, and moved back, since the world began
};

// The features of a candidate as four slots.
struct cloth_contact_pair {
    enum proximity_kind kind;
    uint32_t slot[4];
    uint32_t object_a, object_b;
};

void cloth_contact_begin_tick(struct sim_world *world);
// Called after `integrate`: finds the candidates and contacts of the substep.
void cloth_contact_detect(struct sim_world *world, uint32_t substeps_left);
// Wakes objects that sleep and have a contact with an object that is awake. Returns true if there were any.
bool cloth_contact_wake(struct sim_world *world);
void cloth_contact_relax(struct sim_world *world,
                         uint32_t iteration); // relaxes every contact once, in reverse order in odd iterations
// Called after `finish`: removes the speed that recovery has given. Returns true if there was any.
bool cloth_contact_settle(struct sim_world *world);
// Lists the candidates that can come near in this substep anew, by their measured motion, if one of their faces is off.
void cloth_contact_list_near(struct sim_world *world);

#endif
