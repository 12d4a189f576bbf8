// SPDX-License-Identifier: MIT
// Grabs. A grabbed particle has w = 0 and the displacement of the hand; a grabbed point of a surface is projected onto
// the hand in every iteration (PHYSICS.md 12.1):
//
//   p = Σ c_i·p_i,  Σ c_i = 1,  Δ = hand − p,  λ = 1/Σ w_i·c_i²,  p_i += λ·w_i·c_i·Δ
//
// A hand reaches its target at the end of the tick, in equal steps, no faster than SIM_SPEED_MAX.
#include "sim/force/grab.h"

#include <assert.h>

#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/nearest.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

#define ARRIVED 1e-6f // share of the hand's distance from the origin: rounding

void grab_resolve(struct sim_world *world) {
    if (!world->grabs_stale) {
        return;
    }
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct grab *grab = &world->grab[i];
        struct object *object = NULL;
        const enum result found = layout_find(world, grab->object, &object, NULL);
        assert(found == RESULT_OK);
        for (uint32_t k = 0; found == RESULT_OK && k < grab->carriers; k++) {
            grab->slot[k] = object->first + grab->particle[k];
        }
    }
    world->grabs_stale = false;
}

// ---- in the tick -------------------------------------------------------------------------------------------------

static struct vec3 part_of_way(struct vec3 way, uint32_t parts, float most) {
    const struct vec3 part = vec3_of(way.x / (float)parts, way.y / (float)parts, way.z / (float)parts);
    const float squared = vec3_dot(part, part);
    return squared > most * most ? vec3_scale(part, most / sqrtf(squared)) : part;
}

void grab_advance(struct sim_world *world, const struct substep *substep, uint32_t substeps_left) {
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct grab *grab = &world->grab[i];
        const struct vec3 from = grab->holds ? particle_position(world, grab->slot[0]) : grab->position;
        const struct vec3 low = grab->holds ? particle_low(world, grab->slot[0]) : vec3_of(0.0f, 0.0f, 0.0f);
        const struct vec3 way = vec3_sub(vec3_sub(grab->target, from), low);
        const struct vec3 part = part_of_way(way, substeps_left, substep->displacement_max);
        if (grab->holds) {
            particle_set_displacement(world, grab->slot[0], part);
        } else {
            grab->position = vec3_add(grab->position, part);
        }
    }
}

static void relax_point(struct sim_world *world, const struct grab *grab) {
    // From the point to the hand: the weighted mean over the carriers, since the weights add up to 1.
    struct vec3 delta = {0};
    float sum = 0.0f;
    for (uint32_t k = 0; k < grab->carriers; k++) {
        const uint32_t slot = grab->slot[k];
        const float c = grab->weight[k];
        const struct vec3 ahead = particle_ahead(world, slot);
        const struct vec3 way = vec3_sub(vec3_sub(grab->position, ahead), particle_off(world, slot));
        delta = vec3_add(delta, vec3_scale(way, c));
        sum += world->w[slot] * c * c;
    }
    if (sum == 0.0f) {
        return;
    }
    const float lambda = 1.0f / sum;
    for (uint32_t k = 0; k < grab->carriers; k++) {
        const uint32_t slot = grab->slot[k];
        const float share = lambda * world->w[slot] * grab->weight[k];
        particle_shift(world, slot, vec3_scale(delta, share));
    }
}

void grab_relax(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        if (!world->grab[i].holds) {
            relax_point(world, &world->grab[i]);
        }
    }
}

// Stores the motion of the held particle in this tick, for the throw. Called at the end of a tick.
void grab_remember(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct grab *grab = &world->grab[i];
        if (!grab->holds) {
            continue;
        }
        const struct vec3 now = particle_position(world, grab->slot[0]);
        memmove(&grab->moved[1], &grab->moved[0], (SIM_GRAB_MEMORY_TICKS - 1) * sizeof grab->moved[0]);
        grab->moved[0] = vec3_sub(now, grab->position);
        grab->position = now;
        grab->ticks += grab->ticks < SIM_GRAB_MEMORY_TICKS ? 1 : 0;
    }
}

// True if the hand's target has changed since the last tick, or the hand is too slow to have reached it.
static bool is_on_its_way(const struct grab *grab) {
    return vec3_reach(vec3_sub(grab->target, grab->position)) > ARRIVED * (1.0f + vec3_reach(grab->target));
}

// The mean displacement per substep over the stored ticks. For a hand that has not reached its target, the tick to come
// counts as well: moving the hand and releasing at once is a throw.
static struct vec3 throw_displacement(const struct sim_world *world, const struct grab *grab) {
    const uint32_t substeps = world->state.parameters.substeps;
    const uint32_t more = grab->ticks > 0 && is_on_its_way(grab) ? 1 : 0;
    const uint32_t known = grab->ticks < SIM_GRAB_MEMORY_TICKS ? grab->ticks : SIM_GRAB_MEMORY_TICKS - more;
    struct vec3 sum = {0};
    if (more > 0) {
        const struct vec3 way = vec3_sub(grab->target, grab->position);
        const struct vec3 part = part_of_way(way, substeps, SIM_SPEED_MAX * world_substep_seconds(world));
        sum = vec3_scale(part, (float)substeps);
    }
    for (uint32_t i = 0; i < known; i++) {
        sum = vec3_add(sum, grab->moved[i]);
    }
    return known > 0 ? vec3_scale(sum, 1.0f / (float)((known + more) * substeps)) : sum;
}

// ---- commands ----------------------------------------------------------------------------------------------------

static struct grab *find_holder(const struct sim_world *world, uint32_t object, uint32_t index) {
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct grab *grab = &world->grab[i];
        if (grab->holds && grab->object == object && grab->particle[0] == index) {
            return grab;
        }
    }
    return NULL;
}

static enum result check_can_hold(const struct sim_world *world, const struct object *object, struct fault *fault) {
    if (object->quarantined) {
        return fault_set(fault, RESULT_STATE, "/object",
                         "object %u is quarantined: it went non-finite and is frozen until it is removed", object->id);
    }
    if (world->state.grabs == SIM_GRABS_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "at most %u grabs can be held at a time", SIM_GRABS_MAX);
    }
    return sequence_check(world, fault);
}

static uint32_t commit(struct sim_world *world, struct grab *grab) {
    grab->id = sequence_next(world);
    world->grab[world->state.grabs] = *grab;
    world->state.grabs++;
    world->grabs_stale = true;
    grab_resolve(world);
    wake_object(world, grab->object);
    return grab->id;
}

enum result sim_grab_start_particle(struct sim_world *world, uint32_t object, uint32_t index, uint32_t *grab,
                                    struct fault *fault) {
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK && index >= found->particles) {
        result = fault_set(fault, RESULT_NOT_FOUND, "/particle", "there is no particle %u in object %u, which has %u",
                           index, object, found->particles);
    }
    if (result == RESULT_OK) {
        result = check_can_hold(world, found, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t slot = found->first + index;
    if ((world->flags[slot] & PARTICLE_HELD) != 0) {
        return fault_set(fault, RESULT_STATE, "/particle", "particle %u of object %u is held by grab %u", index, object,
                         find_holder(world, object, index)->id);
    }
    struct grab made = {.object = object, .holds = 1, .carriers = 1, .particle = {index}, .weight = {1.0f}};
    made.target = particle_position(world, slot);
    made.position = made.target;
    world->flags[slot] |= PARTICLE_HELD;
    particle_set_displacement(world, slot, vec3_of(0.0f, 0.0f, 0.0f));
    particle_refresh(world, slot);
    *grab = commit(world, &made);
    return RESULT_OK;
}

enum result sim_grab_start_point(struct sim_world *world, uint32_t object, struct vec3 point, uint32_t *grab,
                                 struct fault *fault) {
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        result = check_vector(point, SIM_POSITION_MAX, "m", "/point", fault);
    }
    if (result == RESULT_OK) {
        result = check_can_hold(world, found, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct grab made = {.object = object};
    const struct surface_point nearest = nearest_on_object(world, found, point);
    made.carriers = nearest.carriers;
    memcpy(made.particle, nearest.particle, sizeof made.particle);
    memcpy(made.weight, nearest.weight, sizeof made.weight);
    made.target = nearest.position;
    made.position = nearest.position;
    *grab = commit(world, &made);
    return RESULT_OK;
}

static enum result find_grab(const struct sim_world *world, uint32_t id, uint32_t *index, struct fault *fault) {
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        if (world->grab[i].id == id) {
            *index = i;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/grab", "there is no grab %u in this world", id);
}

enum result sim_grab_move(struct sim_world *world, uint32_t grab, struct vec3 position, struct fault *fault) {
    uint32_t index = 0;
    enum result result = find_grab(world, grab, &index, fault);
    if (result == RESULT_OK) {
        result = check_vector(position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    world->grab[index].target = position;
    (void)sequence_next(world);
    return RESULT_OK;
}

// Releases the particle; a pin on it acts again.
static void release(struct sim_world *world, const struct grab *grab) {
    if (!grab->holds) {
        return;
    }
    const uint32_t slot = grab->slot[0];
    world->flags[slot] &= (uint8_t)~PARTICLE_HELD;
    particle_refresh(world, slot);
    const bool flies = world->w[slot] > 0.0f;
    particle_set_displacement(world, slot, flies ? throw_displacement(world, grab) : vec3_of(0.0f, 0.0f, 0.0f));
}

static void drop(struct sim_world *world, uint32_t index) {
    grab_resolve(world);
    release(world, &world->grab[index]);
    wake_object(world, world->grab[index].object);
    const uint32_t after = world->state.grabs - index - 1;
    memmove(&world->grab[index], &world->grab[index + 1], after * sizeof *world->grab);
    world->state.grabs--;
}

enum result sim_grab_end(struct sim_world *world, uint32_t grab, struct fault *fault) {
    uint32_t index = 0;
    const enum result result = find_grab(world, grab, &index, fault);
    if (result == RESULT_OK) {
        drop(world, index);
        (void)sequence_next(world);
    }
    return result;
}

void grab_drop_object(struct sim_world *world, uint32_t object) {
    for (uint32_t i = world->state.grabs; i > 0; i--) {
        if (world->grab[i - 1].object == object) {
            drop(world, i - 1);
        }
    }
}

// A particle that a command places while it is held moves the hand, too.
void grab_follow_particle(struct sim_world *world, uint32_t object, uint32_t index, struct vec3 position) {
    struct grab *grab = find_holder(world, object, index);
    if (grab != NULL) {
        grab->target = position;
        grab->position = position;
        grab->ticks = 0;
    }
}

uint32_t sim_world_grab_count(const struct sim_world *world) {
    return world->state.grabs;
}

struct sim_grab_view sim_world_grab_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.grabs);
    const struct grab *grab = &world->grab[index];
    struct sim_grab_view view = {
        .id = grab->id, .object = grab->object, .carriers = grab->carriers, .target = grab->target};
    memcpy(view.particle, grab->particle, sizeof view.particle);
    memcpy(view.weight, grab->weight, sizeof view.weight);
    return view;
}
