// SPDX-License-Identifier: MIT
#include "store/write/world_log.h"

#include "store/store_state.h"
#include "store/write/write_queue.h"

struct store_log *store_log_find(struct store *store, uint64_t world) {
    uint32_t low = 0, high = store->log_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (store->logs[middle].world < world) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < store->log_count && store->logs[low].world == world ? &store->logs[low] : NULL;
}

void store_log_insert(struct store *store, const struct store_log *log) {
    uint32_t at = store->log_count++;
    for (; at > 0 && store->logs[at - 1].world > log->world; at--) {
        store->logs[at] = store->logs[at - 1];
    }
    store->logs[at] = *log;
}

void store_logs_lose(struct store *store, const struct store_queue *writes) {
    for (struct store_write *write = NULL; (write = store_queue_next(writes, write)) != NULL;) {
        struct store_log *log = store_log_find(store, write->world);
        if (log != NULL && (write->kind == STORE_WRITE_APPEND || write->kind == STORE_WRITE_BEGIN)) {
            log->lost = true;
        }
    }
}

enum result store_no_world(struct fault *fault) {
    return fault_set(fault, RESULT_NOT_FOUND, "", "the store has no such world");
}

enum result store_world_check(struct store *store, uint64_t world, struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    const bool known = store_log_find(store, world) != NULL;
    pthread_mutex_unlock(&store->mutex);
    return known ? RESULT_OK : store_no_world(fault);
}
