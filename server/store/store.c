// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/postgres/engine.h"
#include "store/sqlite/engine.h"
#include "store/store_state.h"
#include "store/write/catalog.h"
#include "store/write/thread.h"
#include "store/write/write_queue.h"

#define PROBE_MS 1000u

// Makes a log for each world of the database.
static enum result load_logs(struct store *store, struct fault *fault) {
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    enum result result = store->shared ? RESULT_OK : store_world_list(store, &worlds, &count, fault);
    if (result != RESULT_OK) {
        return result;
    }
    store->log_capacity = count + 16;
    store->logs = calloc(store->log_capacity, sizeof *store->logs);
    if (store->logs == NULL) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    for (uint32_t i = 0; store->logs != NULL && i < count && result == RESULT_OK; i++) {
        struct store_timeline_row row = {0};
        if (worlds[i].timeline != 0 && !worlds[i].damaged) {
            result = store_timeline_load(&store->connection, worlds[i].world, worlds[i].timeline, &row, fault);
        }
        store->logs[store->log_count++] =
            (struct store_log){.world = worlds[i].world,
                               .timeline = row.timeline,
                               .sequence = row.last_sequence,
                               .lost = worlds[i].damaged}; // nothing is written to a damaged world
    }
    store_worlds_free(worlds, count);
    return result;
}

static void release(struct store *store) {
    job_thread_destroy(store->thread);
    store->engine->close(store);
    store_queue_free(&store->queued);
    store_queue_free(&store->committing);
    for (uint32_t i = 0; i < store->log_count; i++) {
        store_group_free(store->logs[i].group);
    }
    free(store->logs);
    pthread_cond_destroy(&store->job_done);
    pthread_mutex_destroy(&store->mutex);
    pthread_mutex_destroy(&store->connection_mutex);
    free(store);
}

static struct store *create(const struct store_options *options) {
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return NULL;
    }
    store->engine = options->address != NULL ? &store_postgres_engine : &store_sqlite_engine;
    store->lock_file = -1;
    store->durability = options->durability;
    store->budget = store->figures.budget = options->budget;
    store->listener = options->listener;
    store->probe_ms = options->probe_ms > 0 ? options->probe_ms : PROBE_MS;
    store->figures.well = true;
    store->sweeps = true;
    store->next_maintenance_ms = store_monotonic_ms(); // at once: maintenance may have been interrupted
    pthread_cond_init(&store->job_done, NULL);
    pthread_mutex_init(&store->mutex, NULL);
    pthread_mutex_init(&store->connection_mutex, NULL);
    return store;
}

enum result store_open(const struct store_options *options, struct store **store, struct fault *fault) {
    assert(options->listener.settled != NULL && options->durability < STORE_DURABILITY_COUNT);
    struct store *made = create(options);
    if (made == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    enum result result = made->engine->open(made, options, fault);
    if (result == RESULT_OK) {
        result = load_logs(made, fault);
    }
    if (result == RESULT_OK) {
        result = store_thread_start(made, fault);
    }
    if (result != RESULT_OK) {
        release(made);
        return result;
    }
    *store = made;
    return RESULT_OK;
}

void store_close(struct store *store) {
    if (store == NULL) {
        return;
    }
    pthread_mutex_lock(&store->mutex);
    store->stopping = true;
    pthread_mutex_unlock(&store->mutex);
    release(store);
}

bool store_in_memory(const struct store *store) {
    return store->in_memory;
}

void store_figures(struct store *store, struct store_figures *figures) {
    pthread_mutex_lock(&store->mutex);
    *figures = store->figures;
    pthread_mutex_unlock(&store->mutex);
}
