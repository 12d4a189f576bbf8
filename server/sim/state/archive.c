// SPDX-License-Identifier: MIT
// A world as bytes that any machine can read: every number little-endian; enumerators, booleans and counts as u32;
// floats as their bits; no padding, no pointer, nothing that can be computed.
//
//   magic u32, version u32, physics version u32, tick rate f32, tick u64, the other scalars of struct sim_state, then
//   objects, obstacles, added sticks, grabs and forces one after the other (fields.c), array by array (arrays.h), and
//   last XXH64 over all of it before.
//
// There are two version numbers. `version` is that of this layout, which says which fields there are. The physics
// version says which arithmetic has produced the state (SIM_PHYSICS_VERSION).
//
// Versions of the layout:
//   1  the first
//   2  how far sheets may tear: room_particles, room_sticks
//   3  the physics version, and the rows of fields.c and arrays.h with `since` 3
//   4  the rows with `since` 4
// To add a field or an array: give it a row there, with the version that is the newest and the value that the field
// had, in effect, before it was there. It may stand anywhere: what was written before is read in the same order without
// it. Raise STATE_VERSION only when snapshots of the present one have been released.
//
// One walk counts, writes or reads, so that the three cannot disagree. Data that was read is trusted only after
// archive_check.c has checked it: it may come from a stranger.
#include "sim/archive.h"

#include <assert.h>

#include "base/hash.h"
#include "sim/contact/obstacle.h"
#include "sim/state/archive_check.h"
#include "sim/state/archive_walk.h"
#include "sim/state/lifecycle.h"
#include "sim/world/layout.h"

#define MAGIC 0x4d495357u // "WSIM"
#define HASH_BYTES 8u

// ---- the whole ---------------------------------------------------------------------------------------------------

static void pass_elements(struct walk *walk, const struct sim_world *world, const struct sim_state *state) {
    for (unsigned k = 0; k < ELEMENT_KIND_COUNT; k++) {
        const struct element_kind *kind = &element_kinds[k];
        const uint32_t count = elements_count(state, kind);
        for (uint32_t i = 0; i < count && !walk->short_of; i++) {
            void *element = elements_at(world, kind, i);
            if (walk->mode == READ) {
                memset(element, 0, kind->size);
            }
            pass_fields(walk, &kind->fields, element);
        }
    }
}

static void pass_arrays(struct walk *walk, const struct sim_world *world, const struct sim_state *state) {
#define STATE_ARRAY(type, name, each, per, since, hash)                                                                \
    pass_array(walk, (since), world->name, (each) * (size_t)state->per * sizeof *world->name);
#include "sim/world/arrays.h"
}

// Everything after the scalars; the counts are those of `state`.
static void pass_world(struct walk *walk, const struct sim_world *world, const struct sim_state *state) {
    pass_elements(walk, world, state);
    pass_arrays(walk, world, state);
}

// The head of every version.
struct archive_head {
    uint32_t magic, physics;
    float tick_hz;
};

static void pass_head(struct walk *walk, struct archive_head *head, struct sim_state *state) {
    pass_u32(walk, &head->magic);
    pass_u32(walk, &walk->version);
    head->physics = walk->mode == READ ? 1 : head->physics; // so in versions before 3
    if (walk->version >= 3) {
        pass_u32(walk, &head->physics);
    }
    pass_bytes(walk, &head->tick_hz, sizeof head->tick_hz);
    pass_bytes(walk, &state->tick, sizeof state->tick);
    pass_fields(walk, &state_fields, state);
}

static void pass_all(struct walk *walk, const struct sim_world *world) {
    struct archive_head head = {.magic = MAGIC, .physics = SIM_PHYSICS_VERSION, .tick_hz = world->tick_hz};
    struct sim_state state = world->state;
    pass_head(walk, &head, &state);
    pass_world(walk, world, &state);
}

size_t sim_world_archive_length(const struct sim_world *world) {
    struct walk walk = {.mode = COUNT, .version = STATE_VERSION};
    pass_all(&walk, world);
    return walk.at + HASH_BYTES;
}

void sim_world_archive(const struct sim_world *world, void *bytes) {
    struct walk walk = {.mode = WRITE, .version = STATE_VERSION, .out = bytes};
    pass_all(&walk, world);
    const uint64_t hash = hash64_of(bytes, walk.at, 0);
    memcpy(walk.out + walk.at, &hash, sizeof hash);
}

// ---- reading -----------------------------------------------------------------------------------------------------

static enum result refuse(struct fault *fault, const char *why) {
    return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: %s", why);
}

static enum result read_head(struct walk *walk, struct archive_head *head, struct sim_state *state,
                             struct fault *fault) {
    uint64_t hash = 0;
    const size_t whole = walk->length;
    if (whole < HASH_BYTES) {
        return refuse(fault, "it is cut off");
    }
    walk->length = whole - HASH_BYTES;
    pass_head(walk, head, state);
    if (head->magic == MAGIC && walk->version > STATE_VERSION) { // what follows may be anything
        return fault_set(fault, RESULT_INVALID, "", "the snapshot is of version %u, this server reads versions 1 to %u",
                         walk->version, STATE_VERSION);
    }
    if (walk->short_of || head->magic != MAGIC || walk->version < 1) {
        return refuse(fault, "it is not one");
    }
    memcpy(&hash, walk->in + walk->length, sizeof hash);
    if (hash != hash64_of(walk->in, walk->length, 0)) {
        return refuse(fault, "its bytes are not those that were written");
    }
    if (head->physics < 1 || head->physics > SIM_PHYSICS_VERSION) {
        return fault_set(fault, RESULT_INVALID, "",
                         "the snapshot was made with physics version %u, this server has versions 1 to %u",
                         head->physics, SIM_PHYSICS_VERSION);
    }
    if (!(head->tick_hz >= 1.0f && head->tick_hz <= 1000.0f)) {
        return refuse(fault, "its tick rate is none");
    }
    return RESULT_OK;
}

enum result sim_archive_look(const void *bytes, size_t length, struct sim_archive_info *info, struct fault *fault) {
    struct walk walk = {.mode = READ, .in = bytes, .length = length};
    struct sim_state state = {0};
    struct archive_head head = {0};
    const enum result result = read_head(&walk, &head, &state, fault);
    if (result == RESULT_OK) {
        *info = (struct sim_archive_info){.tick_hz = head.tick_hz, .physics = head.physics};
    }
    return result;
}

// Sets the starts of the objects' parts. Returns false when the counts do not add up.
static bool lay_out(struct sim_world *world, const struct sim_state *state) {
    uint64_t particles = 0;
    uint64_t sticks = 0;
    uint64_t colours = 0;
    uint64_t triangles = 0;
    uint64_t tetrahedra = 0;
    uint64_t panels = 0;
    for (uint32_t i = 0; i < state->objects; i++) {
        struct object *object = &world->object[i];
        object->first = (uint32_t)particles;
        object->first_stick = (uint32_t)sticks;
        object->first_colour = (uint32_t)colours;
        object->first_triangle = (uint32_t)triangles;
        object->first_tetrahedron = (uint32_t)tetrahedra;
        object->first_panel = (uint32_t)panels;
        particles += object->particles;
        sticks += object->sticks;
        colours += object->colours;
        triangles += object->triangles;
        tetrahedra += object->tetrahedra;
        panels += object->panels;
        if (particles > state->particles || sticks > state->sticks || colours > state->colours ||
            triangles > state->triangles || tetrahedra > state->tetrahedra || panels > state->panels) {
            return false;
        }
    }
    return particles == state->particles && sticks == state->sticks && colours == state->colours &&
           triangles == state->triangles && tetrahedra == state->tetrahedra && panels == state->panels;
}

// Sheets that may tear need the room to tear as far as in the archived world.
static enum result settle_room(struct sim_world *world, struct fault *fault) {
    const struct sim_state *state = &world->state;
    const bool has = state->room_particles <= world->capacity.particles && state->room_sticks <= world->capacity.sticks;
    for (uint32_t i = 0; i < state->objects && !has; i++) {
        if (world->object[i].tear > 0.0f) {
            return fault_set(
                fault, RESULT_LIMIT, "",
                "the snapshot's sheets may tear until there are %u particles and %u sticks, this world has "
                "room for %u and %u",
                state->room_particles, state->room_sticks, world->capacity.particles, world->capacity.sticks);
        }
    }
    if (!has) {
        lifecycle_own_room(world);
    }
    return RESULT_OK;
}

static enum result read_body(struct sim_world *world, struct walk *walk, const struct sim_state *state,
                             struct fault *fault) {
    struct walk count = {.mode = COUNT, .version = walk->version};
    enum result result = archive_check_counts(world, state, fault);
    if (result != RESULT_OK) {
        return result;
    }
    pass_world(&count, world, state);
    if (count.at != walk->length - walk->at) {
        return refuse(fault, "it is longer or shorter than it says");
    }
    pass_world(walk, world, state);
    if (walk->short_of || !lay_out(world, state)) {
        return refuse(fault, "its objects do not add up");
    }
    world->state = *state;
    world->state.obstacles = 0;
    result = archive_check_objects(world, state, fault);
    result = result == RESULT_OK ? settle_room(world, fault) : result;
    for (uint32_t i = 0; i < state->obstacles && result == RESULT_OK; i++) {
        world->state.obstacles = i; // the obstacles before it, for the check that there is room for one more
        result = obstacle_resume(world, &world->obstacle[i], fault);
    }
    world->state.obstacles = state->obstacles;
    return result == RESULT_OK ? archive_check_links(world, fault) : result;
}

enum result sim_world_unarchive(struct sim_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct walk walk = {.mode = READ, .in = bytes, .length = length};
    struct sim_state state = {0};
    struct archive_head head = {0};
    enum result result = read_head(&walk, &head, &state, fault);
    if (result == RESULT_OK && head.tick_hz != world->tick_hz) {
        result =
            fault_set(fault, RESULT_INVALID, "", "the snapshot is of a world of %g ticks a second, this one has %g",
                      (double)head.tick_hz, (double)world->tick_hz);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const uint32_t epoch = world->state.epoch;
    if (state.room_particles == 0 && state.room_sticks == 0) { // of version 1, or of a world without any room
        state.room_particles = world->capacity.particles;
        state.room_sticks = world->capacity.sticks;
    }
    result = read_body(world, &walk, &state, fault);
    if (result != RESULT_OK) {
        world->state = (struct sim_state){.parameters = sim_parameters_default(), .epoch = epoch};
        lifecycle_own_room(world);
        layout_changed(world);
        return result;
    }
    lifecycle_refresh(world);
    return RESULT_OK;
}

void sim_world_renew_epoch(struct sim_world *world, uint32_t above) {
    if (world->state.epoch < above) {
        world->state.epoch = above;
    }
    world->state.epoch++;
}

void sim_world_skip_sequence(struct sim_world *world, uint32_t sequence) {
    if (world->state.sequence < sequence) {
        world->state.sequence = sequence;
    }
}
