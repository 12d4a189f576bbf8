// SPDX-License-Identifier: MIT
// Measuring a world: its mass and motion, the stretch of its sticks, its contacts.
//
// Everything is computed on request, from the state and from the scratch that the last tick's solver has left; a tick
// does no work for it. The world does not change. SI units.
#ifndef WEFT_SIM_PROBE_H
#define WEFT_SIM_PROBE_H

#include "sim/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- measure.c ------------------------------------------------------------------------------------------------------

struct sim_triple {
    double x, y, z;
};
struct sim_measure {
    double mass;                        // kg, of all particles with a finite mass
    double kinetic, potential;          // J; potential energy of gravity, 0 at the origin
    struct sim_triple momentum;         // kg·m/s
    struct sim_triple angular_momentum; // kg·m²/s, about the centre of mass
    struct sim_triple centre;           // m, of mass
    // Of sticks that keep a length, bending sticks excluded: |δ|/r − 1.
    uint32_t sticks;     // number measured; of more than SIM_MEASURE_STICKS_MAX only every n-th
    double mean_stretch; // mean magnitude
    double worst_stretch;
    struct sim_stick_end worst[2]; // object 0: none
    // Of compliant sticks, added ones included, in the last substep: Σ |force transmitted − C/α| / Σ |C/α|, where C/α
    // is the force of the spring law at its length. 0: the iterations have converged; 0.9: only a tenth is transmitted.
    // Nothing is measured after a change to the world until the next tick.
    uint32_t compliant_sticks;
    double compliance_residual;
};
#define SIM_MEASURE_STICKS_MAX 1000000u
struct sim_measure sim_world_measure(const struct sim_world *world);

// An object's own sticks, in the batches in which they are solved: no two sticks of a batch share a particle.
struct sim_sticks_view {
    uint32_t count;
    const uint32_t *a, *b; // local indices of their ends
    const float *rest;     // m
    uint32_t batches;
    const uint32_t *batch_end; // the stick after the batch's last
};
struct sim_batch_view {
    enum sim_stick_kind kind;
    bool bends;       // bending sticks
    float compliance; // m/N
};
struct sim_sticks_view sim_object_sticks(const struct sim_world *world, uint32_t index);      // index < count, asserted
float sim_object_stick_length(const struct sim_world *world, uint32_t index, uint32_t stick); // m, present length
struct sim_batch_view sim_object_batch(const struct sim_world *world, uint32_t index, uint32_t batch);

// ---- probe_contacts.c -----------------------------------------------------------------------------------------------

enum sim_contact_kind {
    SIM_CONTACT_OBSTACLE,
    SIM_CONTACT_BOUNDS,
    SIM_CONTACT_BODY,  // a body
    SIM_CONTACT_SELF,  // a cloth with itself
    SIM_CONTACT_CLOTH, // two cloths
    SIM_CONTACT_KIND_COUNT
};
struct sim_contact {
    enum sim_contact_kind kind;
    uint32_t object;
    uint32_t other;     // id of an object; for OBSTACLE of an obstacle, 0 if unknown; for BOUNDS 0
    struct vec3 point;  // m, on the object
    struct vec3 normal; // unit, towards the object
    float depth;        // m, remaining depth; negative where the two are apart
    float slip;         // m/s, across the normal
    float friction;     // μ of the pair
};
// Writes at most `most` contacts, spread evenly over all, and returns their number. Sets `total` to the number of all
// contacts and `complete` to whether everything was examined.
uint32_t sim_world_contacts(const struct sim_world *world, struct sim_contact *contacts, uint32_t most, uint32_t *total,
                            bool *complete);

#ifdef __cplusplus
}
#endif

#endif
