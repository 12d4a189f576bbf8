// SPDX-License-Identifier: MIT
#include "host/world/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/result.h"
#include "engine/state/schedule.h"
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

// Takes the item if its request is for a later tick.
bool schedule_add(struct world *world, struct item *item) {
    const struct proto_command *command = &item->request->command;
    struct fault fault;
    struct scheduled_item *scheduled = NULL;
    const enum schedule answer =
        engine_schedule(world->engine, command, command->has_at_tick ? count_scheduled(world, item->connection_id) : 0,
                        world->scheduled_count, &fault);
    if (answer == SCHEDULE_NOW) {
        return false;
    }
    if (answer == SCHEDULE_LATER && (scheduled = calloc(1, sizeof *scheduled)) == NULL) {
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
        scheduled->grant.role = session->connection->facts.granted;
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
    fault_set(&fault, RESULT_STATE, "/atTick", "the world was restarted before the tick of this request");
    while (world->scheduled != NULL) {
        struct grant grant;
        struct item *item = schedule_take(world, &grant);
        world_send_fault(world, item->connection_id, &item->request->id, &fault);
        item_destroy(item);
    }
}
