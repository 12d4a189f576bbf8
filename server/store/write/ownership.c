// SPDX-License-Identifier: MIT
#include "store/write/ownership.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/claim.h"
#include "store/write/thread.h"
#include "store/write/world_log.h"
#include "store/write/write_queue.h"

struct adoption {
    uint64_t world, epoch;
};

void store_join(struct store *store, const char *node, const char *url) {
    pthread_mutex_lock(&store->connection_mutex);
    snprintf(store->node, sizeof store->node, "%s", node);
    snprintf(store->node_url, sizeof store->node_url, "%s", url);
    pthread_mutex_unlock(&store->connection_mutex);
}

// Puts the log in its place, in the order of numbers.
static enum result insert_log(struct store *store, const struct store_log *log, struct fault *fault) {
    enum result result = RESULT_OK;
    pthread_mutex_lock(&store->mutex);
    struct store_log *known = store_log_find(store, log->world);
    if (known != NULL) {
        struct store_group *group = known->group;
        *known = *log;
        known->group = group;
        pthread_mutex_unlock(&store->mutex);
        return RESULT_OK;
    }
    if (store->log_count >= STORE_WORLDS_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "there are %u worlds already: remove one first", STORE_WORLDS_MAX);
    } else if (store->log_count == store->log_capacity) {
        struct store_log *logs = realloc(store->logs, 2 * (size_t)store->log_capacity * sizeof *logs);
        if (logs == NULL) {
            result = fault_set(fault, RESULT_MEMORY, "", "out of memory for a world");
        } else {
            store->logs = logs;
            store->log_capacity *= 2;
        }
    }
    if (result == RESULT_OK) {
        store_log_insert(store, log);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// The newest timeline of the world; number 0: it has none yet.
static enum result read_newest(struct store *store, uint64_t world, struct store_timeline_row *row,
                               struct fault *fault) {
    uint64_t timeline = 0;
    bool found = false;
    const int code = store_fetch(&store->connection, &timeline, &found,
                                 "SELECT max(timeline) FROM timeline WHERE world=?1", "u", world);
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, &store->connection, code, "taking a world");
    }
    return found && timeline != 0 ? store_timeline_load(&store->connection, world, (uint32_t)timeline, row, fault)
                                  : RESULT_OK;
}

// The timeline is read while the owner's row is locked: this node may have stood still since it took the world, and
// another node may have gone on with the world.
static enum result adopt(struct store *store, void *argument, struct fault *fault) {
    const struct adoption *adoption = argument;
    if (store_world_epoch(store, adoption->world) == adoption->epoch) {
        return fault_set(fault, RESULT_STATE, "", "it is written here by that epoch already");
    }
    const int code = store->engine->world_adopt(store, adoption->world, adoption->epoch);
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, &store->connection, code, "taking a world");
    }
    struct store_timeline_row row = {0};
    enum result result = store_begin_owned(store, adoption->world, "taking a world", fault);
    if (result != RESULT_OK) {
        return result == RESULT_STATE ? fault_set(fault, RESULT_BUSY, "", "another node has taken it meanwhile")
                                      : result;
    }
    result = read_newest(store, adoption->world, &row, fault);
    store_rollback(store);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_log log = {.world = adoption->world, .timeline = row.timeline, .sequence = row.last_sequence};
    return insert_log(store, &log, fault);
}

enum result store_world_adopt(struct store *store, uint64_t world, uint64_t epoch, struct fault *fault) {
    struct adoption adoption = {world, epoch};
    struct store_job job = {.run = adopt, .argument = &adoption, .fault = fault};
    return store_run_job(store, &job);
}

void store_world_forget(struct store *store, uint64_t world) {
    struct store_group *group = NULL;
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    if (log != NULL) {
        group = log->group;
        memmove(log, log + 1, (size_t)(store->logs + store->log_count - log - 1) * sizeof *log);
        store->log_count--;
    }
    pthread_mutex_unlock(&store->mutex);
    store_group_free(group);
}

// Jobs of the store's thread run in their order: writes that were queued before are settled by now.
static enum result release(struct store *store, void *argument, struct fault *fault) {
    const uint64_t world = *(const uint64_t *)argument;
    const enum result result = store_world_check(store, world, fault);
    if (result == RESULT_OK) {
        store_world_forget(store, world);
    }
    return result;
}

enum result store_world_release(struct store *store, uint64_t world, struct fault *fault) {
    struct store_job job = {.run = release, .argument = &world, .fault = fault};
    return store_run_job(store, &job);
}

uint64_t store_world_epoch(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    const bool known = store_log_find(store, world) != NULL;
    const uint64_t epoch = known ? store->engine->world_epoch(store, world) : 0;
    pthread_mutex_unlock(&store->mutex);
    return epoch;
}
