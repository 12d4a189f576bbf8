// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/database/clock.h"
#include "store/database/connect.h"
#include "store/database/directory.h"
#include "store/database/file_copy.h"
#include "store/database/files.h"
#include "store/database/integrity.h"
#include "store/database/row.h"
#include "store/database/sql.h"
#include "store/database/watermark.h"
#include "store/store_state.h"
#include "store/write/catalog.h"
#include "store/write/thread.h"
#include "store/write/write_queue.h"

#define PROBE_MS 1000u

// Only the owner may read the database, since it holds the commands and session keys of people. SQLite gives the files
// beside the database the same access rights.
static enum result make_database(struct store *store, struct fault *fault) {
    return store_make_file(store->path)
               ? RESULT_OK
               : fault_set(fault, RESULT_IO, "/data", "cannot write to %s: %s", store->path, strerror(errno));
}

// Makes a log for each world of the database.
static enum result load_logs(struct store *store, struct fault *fault) {
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    enum result result = store_world_list(store, &worlds, &count, fault);
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
    store_disconnect(&store->connection);
    store_watermark_close(store);
    if (store->lock_file >= 0) {
        close(store->lock_file);
    }
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
    store->in_memory = strcmp(options->directory, ":memory:") == 0;
    store->lock_file = -1;
    store->durability = options->durability;
    store->budget = store->figures.budget = options->budget;
    store->listener = options->listener;
    store->probe_ms = options->probe_ms > 0 ? options->probe_ms : PROBE_MS;
    store->figures.well = true;
    store->next_maintenance_ms = store_monotonic_ms(); // at once: maintenance may have been interrupted
    pthread_cond_init(&store->job_done, NULL);
    pthread_mutex_init(&store->mutex, NULL);
    pthread_mutex_init(&store->connection_mutex, NULL);
    return store;
}

static enum result open_on_disk(struct store *store, const char *directory, struct fault *fault) {
    static enum result (*const steps[])(struct store * store, struct fault * fault) = {
        store_check_integrity, make_database, store_connect, store_remember_database, store_watermark_open,
    };
    enum result result = store_lock_directory(store, directory, fault);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == RESULT_OK; i++) {
        result = steps[i](store, fault);
    }
    return result == RESULT_OK && store->durability != STORE_OFF ? store_sync_directory(directory, fault) : result;
}

enum result store_open(const struct store_options *options, struct store **store, struct fault *fault) {
    assert(options->listener.settled != NULL && options->durability < STORE_DURABILITY_COUNT);
    struct store *made = create(options);
    if (made == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory while opening the store");
    }
    enum result result = made->in_memory ? store_connect(made, fault) : open_on_disk(made, options->directory, fault);
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
