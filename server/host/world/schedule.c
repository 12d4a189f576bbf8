// SPDX-License-Identifier: MIT
#include "host/world/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/result.h"
#include "engine/state/tick.h"
#include "host/connection/connection_list.h"
#include "host/world/item.h"
#include "host/world/reply.h"
#include "host/world/session.h"

// Whether this request of a named session waits for its tick already: then this connection is answered.
bool schedule_has(struct world *world, const struct session *session, const struct item *item) {
    for (struct scheduled_item *scheduled = world->scheduled; scheduled != NULL; scheduled = scheduled->next) {
        if (strcmp(scheduled->item->key, session->key) == 0 &&
            strcmp(scheduled->item->request->id.text, item->request->id.text) == 0) {
            scheduled->item->connection_id = item->connection_id;
            return true;
        }
    }
    return false;
}

// How many requests of this client wait for their tick.
static uint32_t count_scheduled(const struct world *world, uint64_t connection_id) {
    uint32_t count = 0;
    for (const struct scheduled_item *scheduled = world->scheduled; scheduled != NULL; scheduled = scheduled->next) {
        count += scheduled->item->connection_id == connection_id;
    }
    return count;
}

// Whether the request may wait until its tick.
static enum result check_schedule(const struct world *world, const struct item *item, struct fault *fault) {
    const uint64_t at_tick = item->request->command.at_tick, next = engine_next_tick(world->engine);
    const uint64_t last = next - 1 + (uint64_t)(WORLD_SCHEDULED_SECONDS * sim_world_tick_hz(world->engine->sim));
    if (at_tick < next) {
        return fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at least %llu, the next tick, got %llu",
                         (unsigned long long)next, (unsigned long long)at_tick);
    }
    if (at_tick > last) {
        return fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at most %llu, %.0f s ahead, got %llu",
                         (unsigned long long)last, (double)WORLD_SCHEDULED_SECONDS, (unsigned long long)at_tick);
    }
    if (count_scheduled(world, item->connection_id) >= WORLD_SCHEDULED_OWN_MAX) {
        return fault_set(fault, RESULT_BUSY, "/atTick",
                         "%u requests of yours wait for their tick already: try again when some are done",
                         WORLD_SCHEDULED_OWN_MAX);
    }
    if (world->scheduled_count >= WORLD_SCHEDULED_MAX) {
        return fault_set(fault, RESULT_BUSY, "/atTick",
                         "%u requests wait for their tick already: try again when some are done", WORLD_SCHEDULED_MAX);
    }
    return RESULT_OK;
}

// Takes the item if its request is for a later tick.
bool schedule_add(struct world *world, struct item *item) {
    const struct proto_command *command = &item->request->command;
    if (!command->has_at_tick || command->at_tick == engine_next_tick(world->engine) ||
        engine_may_be_late(world->engine, command)) {
        return false;
    }
    struct fault fault;
    struct scheduled_item *scheduled = NULL;
    if (check_schedule(world, item, &fault) == RESULT_OK && (scheduled = calloc(1, sizeof *scheduled)) == NULL) {
        fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    if (scheduled == NULL) {
        world_send_fault(world, item->connection_id, &item->request->id, &fault);
        item_destroy(item);
        return true;
    }
    const struct session *session = world_find_session(world, item->connection_id);
    if (session != NULL) {
        memcpy(item->key, session->key, sizeof item->key); // it may leave and come back until then
        scheduled->grant.role = session->connection->facts.role;
        memcpy(scheduled->grant.token, session->connection->facts.token, sizeof scheduled->grant.token);
    }
    scheduled->item = item;
    item_leave_backpressure(item);
    struct scheduled_item **place = &world->scheduled;
    while (*place != NULL && (*place)->item->request->command.at_tick <= command->at_tick) {
        place = &(*place)->next;
    }
    scheduled->next = *place;
    *place = scheduled;
    world->scheduled_count++;
    return true;
}

struct item *schedule_take(struct world *world, struct grant *grant) {
    struct scheduled_item *scheduled = world->scheduled;
    struct item *item = scheduled->item;
    *grant = scheduled->grant;
    world->scheduled = scheduled->next;
    world->scheduled_count--;
    free(scheduled);
    return item;
}

void world_refuse_scheduled(struct world *world) {
    struct fault fault;
    fault_set(&fault, RESULT_STATE, "/atTick", "the world began anew before the tick of this request");
    while (world->scheduled != NULL) {
        struct grant grant;
        struct item *item = schedule_take(world, &grant);
        world_send_fault(world, item->connection_id, &item->request->id, &fault);
        item_destroy(item);
    }
}
