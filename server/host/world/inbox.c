// SPDX-License-Identifier: MIT
#include "host/world/inbox.h"

#include "base/queue.h"
#include "host/run/scheduler.h"

enum result world_post(struct world *world, struct item *item) {
    enum result result = item->kind == ITEM_REQUEST || item->kind == ITEM_FAULT
                             ? queue_try_push(&world->inbox, item)
                             : queue_push_reserved(&world->inbox, item);
    if (result == RESULT_OK) {
        scheduler_wake(world->scheduler, world->task);
    }
    return result;
}

void world_intake(struct world *world) {
    void *items[256];
    size_t count;
    while ((count = queue_drain(&world->inbox, items, sizeof items / sizeof items[0])) > 0) {
        for (size_t i = 0; i < count; i++) {
            struct item *item = items[i];
            item->next = NULL;
            *world->pending_tail = item;
            world->pending_tail = &item->next;
        }
    }
}
