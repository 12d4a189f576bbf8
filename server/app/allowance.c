// SPDX-License-Identifier: MIT
// What each client has in a world and may have: caps on particles, sticks, objects and obstacles. What a client made
// stays its own while it is there, also when the client comes back: all connections of one token, or of one address
// where there are no tokens, are one client. What a scene made belongs to nobody.
//
// And when a world may grow at all: one that has been slower than its clock for some seconds takes nothing new.
//
// What a client has is counted anew when something has gone or others have made something since, so that no command
// has to keep the books; of added sticks, which have no records, it is kept here whose they are.
#include <stdlib.h>

#include "app/command.h"
#include "app/roster.h"

#define GROWTH_RETRY_MS 5000u

// ---- whose ---------------------------------------------------------------------------------------------------------

void world_own_stick(struct world *world, uint32_t stick, uint64_t owner) {
    while (world->stick_owner_count > 0 && world->stick_owners[world->stick_owner_count - 1].stick >= stick) {
        world->stick_owner_count--; // of a batch that was taken back: its ids come again
    }
    if (world->stick_owner_count == world->stick_owner_capacity) {
        const uint32_t capacity = world->stick_owner_capacity == 0 ? 64 : world->stick_owner_capacity * 2;
        struct stick_owner *owners = realloc(world->stick_owners, capacity * sizeof *owners);
        if (owners == NULL) {
            return; // then it is nobody's
        }
        world->stick_owners = owners;
        world->stick_owner_capacity = capacity;
    }
    world->stick_owners[world->stick_owner_count++] = (struct stick_owner){stick, owner};
}

// Both lists rise by their ids.
static uint32_t count_sticks(struct world *world, uint64_t owner) {
    const uint32_t sticks = sim_world_stick_count(world->sim);
    uint32_t kept = 0, at = 0, count = 0;
    for (uint32_t i = 0; i < world->stick_owner_count; i++) {
        const struct stick_owner one = world->stick_owners[i];
        while (at < sticks && sim_world_stick_at(world->sim, at).id < one.stick) {
            at++;
        }
        if (at < sticks && sim_world_stick_at(world->sim, at).id == one.stick) {
            world->stick_owners[kept++] = one;
            count += one.owner == owner ? 1 : 0;
        }
    }
    world->stick_owner_count = kept;
    return count;
}

static struct sim_capacity count_own(struct world *world, uint64_t owner) {
    struct sim_capacity own = {.sticks = count_sticks(world, owner)};
    for (uint32_t i = 0; i < world->object_count; i++) {
        const struct object_record *record = &world->objects[i];
        if (record->owner == owner) {
            own.objects++;
            own.particles += record->particles;
            own.sticks += record->sticks;
        }
    }
    for (uint32_t i = 0; i < world->obstacle_count; i++) {
        own.obstacles += world->obstacles[i].owner == owner ? 1 : 0;
    }
    return own;
}

// ---- how much ------------------------------------------------------------------------------------------------------

static uint32_t cap(uint32_t own, uint32_t whole) {
    return own < whole ? own : UINT32_MAX; // what the world cannot hold needs no cap of its own
}

struct sim_capacity allowance_most(const struct config *config) {
    return (struct sim_capacity){.particles = cap(config->own_particles, config->max_particles),
                                 .sticks = cap(config->own_sticks, config->max_sticks),
                                 .objects = cap(config->own_objects, config->max_objects),
                                 .obstacles = cap(config->own_obstacles, config->max_obstacles),
                                 .triangles = UINT32_MAX,
                                 .shape_words = UINT32_MAX};
}

static bool is_limited(const struct sim_capacity *most) {
    return most->particles != UINT32_MAX || most->sticks != UINT32_MAX || most->objects != UINT32_MAX ||
           most->obstacles != UINT32_MAX;
}

static bool grows(enum proto_method method) {
    return proto_methods[method].makes_object || method == PROTO_METHOD_STICK_ADD ||
           method == PROTO_METHOD_OBSTACLE_ADD;
}

enum result allowance_begin(struct command_call *call) {
    struct world *world = call->world;
    if (call->session == NULL || call->world->replaying || !grows(call->command->method)) {
        return RESULT_OK;
    }
    if (world->slow_seconds >= WORLD_SLOW_SECONDS && world->running) {
        fault_set(call->fault, RESULT_BUSY, "",
                  "the world runs at %u %% of its speed and takes nothing new below %u %%: remove something, or try "
                  "again in %u s",
                  atomic_load(&world->figures.real_time_permille) / 10, world->config->slow_percent,
                  GROWTH_RETRY_MS / 1000);
        call->fault->retry_after_ms = GROWTH_RETRY_MS;
        return RESULT_BUSY;
    }
    struct sim_allowance allowance = {.most = allowance_most(world->config)};
    if (!is_limited(&allowance.most)) {
        return RESULT_OK;
    }
    struct session *session = call->session;
    const uint32_t sticks = sim_world_stick_count(world->sim);
    if (session->own_stamp != world->owned_stamp || session->own_stick_count != sticks) {
        session->own_stick_count = sticks;
        session->own = count_own(world, session->visitor->owner);
        session->own_stamp = world->owned_stamp;
    }
    allowance.used = session->own;
    sim_world_set_allowance(world->sim, &allowance);
    return RESULT_OK;
}

// Keeps the count when nothing but this command has changed it, so that a long batch is not counted anew each time.
static void note_made(const struct world *world, struct session *session, enum proto_method method) {
    if (method == PROTO_METHOD_STICK_ADD && session->own_stick_count + 1 == sim_world_stick_count(world->sim)) {
        session->own_stick_count++;
        session->own.sticks++;
    } else if (session->own_stamp + 1 == world->owned_stamp && method == PROTO_METHOD_OBSTACLE_ADD) {
        session->own_stamp++;
        session->own.obstacles++;
    } else if (session->own_stamp + 1 == world->owned_stamp && world->object_count > 0) {
        const struct object_record *record = &world->objects[world->object_count - 1];
        session->own_stamp++;
        session->own.objects++;
        session->own.particles += record->particles;
        session->own.sticks += record->sticks;
    }
}

void allowance_end(const struct command_call *call, enum result result) {
    if (call->session == NULL || call->world->replaying || !grows(call->command->method)) {
        return;
    }
    sim_world_set_allowance(call->world->sim, NULL);
    if (result == RESULT_OK && call->session->own_stamp != 0) {
        note_made(call->world, call->session, call->command->method);
    }
}

void allowance_note_second(struct world *world) {
    const uint32_t permille = atomic_load(&world->figures.real_time_permille);
    const bool slow = world->running && permille < 10 * world->config->slow_percent;
    world->slow_seconds = !slow                                      ? 0
                          : world->slow_seconds < WORLD_SLOW_SECONDS ? world->slow_seconds + 1
                                                                     : world->slow_seconds;
}
