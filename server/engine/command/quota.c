// SPDX-License-Identifier: MIT
// What an owner has is counted anew when something has gone or others have made something since, so that no command has
// to keep a balance. Added sticks have no records; their owners are kept here.
#include "engine/command/quota.h"

#include <stdlib.h>

#define GROWTH_RETRY_MS 5000u

// ---- owners ------------------------------------------------------------------------------------------------------

void engine_own_stick(struct engine_world *world, uint32_t stick, uint64_t owner) {
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
static uint32_t count_sticks(struct engine_world *world, uint64_t owner) {
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

static struct sim_capacity count_own(struct engine_world *world, uint64_t owner) {
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

// ---- quotas ------------------------------------------------------------------------------------------------------

static bool is_limited(const struct sim_capacity *most) {
    return most->particles != UINT32_MAX || most->sticks != UINT32_MAX || most->objects != UINT32_MAX ||
           most->obstacles != UINT32_MAX;
}

static bool grows(enum proto_method method) {
    const enum proto_makes makes = proto_methods[method].makes;
    return makes == PROTO_MAKES_OBJECT || makes == PROTO_MAKES_OBSTACLE || makes == PROTO_MAKES_STICK;
}

enum result quota_begin(struct command_call *call) {
    struct engine_world *world = call->world;
    if (call->client == NULL || call->world->replaying || !grows(call->command->method)) {
        return RESULT_OK;
    }
    if (world->refuses_growth && world->running) {
        fault_set(call->fault, RESULT_BUSY, "",
                  "the world runs at %u %% of its speed and takes nothing new below %u %%: remove something, or try "
                  "again in %u s",
                  world->speed_percent, world->speed_percent_min, GROWTH_RETRY_MS / 1000);
        call->fault->retry_after_ms = GROWTH_RETRY_MS;
        return RESULT_BUSY;
    }
    struct sim_quota quota = {.most = world->quota};
    if (!is_limited(&quota.most)) {
        return RESULT_OK;
    }
    struct client *client = call->client;
    const uint32_t sticks = sim_world_stick_count(world->sim);
    if (client->own_stamp != world->owned_stamp || client->own_stick_count != sticks) {
        client->own_stick_count = sticks;
        client->own = count_own(world, client->owner);
        client->own_stamp = world->owned_stamp;
    }
    quota.used = client->own;
    sim_world_set_quota(world->sim, &quota);
    return RESULT_OK;
}

// Keeps the count when nothing but this command has changed it, so that a long batch is not counted anew each time.
static void note_made(const struct engine_world *world, struct client *client, enum proto_method method) {
    const enum proto_makes makes = proto_methods[method].makes;
    if (makes == PROTO_MAKES_STICK && client->own_stick_count + 1 == sim_world_stick_count(world->sim)) {
        client->own_stick_count++;
        client->own.sticks++;
    } else if (client->own_stamp + 1 == world->owned_stamp && makes == PROTO_MAKES_OBSTACLE) {
        client->own_stamp++;
        client->own.obstacles++;
    } else if (client->own_stamp + 1 == world->owned_stamp && world->object_count > 0) {
        const struct object_record *record = &world->objects[world->object_count - 1];
        client->own_stamp++;
        client->own.objects++;
        client->own.particles += record->particles;
        client->own.sticks += record->sticks;
    }
}

void quota_end(const struct command_call *call, enum result result) {
    if (call->client == NULL || call->world->replaying || !grows(call->command->method)) {
        return;
    }
    sim_world_set_quota(call->world->sim, NULL);
    if (result == RESULT_OK && call->client->own_stamp != 0) {
        note_made(call->world, call->client, call->command->method);
    }
}
