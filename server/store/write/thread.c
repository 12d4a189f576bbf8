// SPDX-License-Identifier: MIT
// A job thread: one job takes what was queued, commits it and settles it; the others are those that callers wait for;
// and between them the thread does a little maintenance. While the database fails it only tries it again.
#include "store/write/thread.h"

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/compact.h"
#include "store/write/maintenance.h"
#include "store/write/queue_writer.h"
#include "store/write/world_log.h"
#include "store/write/write_queue.h"

#define PROBE_BYTES (256 * 1024) // a disk that cannot take this much counts as full

// ---- health ---------------------------------------------------------------------------------------------------------

static void notify_health(struct store *store, bool well, const struct fault *fault) {
    if (store->listener.health != NULL) {
        store->listener.health(store->listener.user, well, fault);
    }
}

static void settle(struct store *store, const struct store_queue *writes, enum result result,
                   const struct fault *fault) {
    struct fault gone;
    for (struct store_write *write = NULL; (write = store_queue_next(writes, write)) != NULL;) {
        enum result own = result == RESULT_OK ? write->result : result;
        const struct fault *why = result == RESULT_OK ? NULL : fault;
        if (own == RESULT_NOT_FOUND) {
            own = fault_set(&gone, RESULT_NOT_FOUND, "", "the world was removed");
            why = &gone;
        } else if (own == RESULT_STATE) {
            own = fault_set(&gone, RESULT_STATE, "", "another server has taken the world");
            why = &gone;
        }
        store->listener.settled(store->listener.user, write->world, write->ticket, own, why);
    }
}

// A transaction failed. Settles its writes, if it had any, and all writes queued behind it with the fault.
static void fail(struct store *store, enum result result, const struct fault *fault) {
    struct store_queue behind = {0};
    pthread_mutex_lock(&store->mutex);
    store->figures.well = false;
    store->figures.fault = *fault;
    store->figures.failures++;
    behind = store->queued;
    store->queued = (struct store_queue){0};
    store_logs_lose(store, &store->committing);
    store_logs_lose(store, &behind);
    store->committing_bytes = 0;
    store->waiting_since_ms = 0;
    store->figures.queue_bytes = 0;
    pthread_mutex_unlock(&store->mutex);
    store->next_probe_ms = store_monotonic_ms() + store->probe_ms;
    notify_health(store, false, fault);
    settle(store, &store->committing, result, fault);
    settle(store, &behind, result, fault);
    store_queue_clear(&store->committing);
    store_queue_clear(&behind);
    store_queue_free(&behind);
}

// Writes as much as an ordinary commit may need, and deletes it again.
static enum result write_probe(struct store *store, struct fault *fault) {
    int code = store_begin_transaction(store);
    if (code == STORE_SQL_OK) {
        code = store_execute(&store->connection, store->engine->probe, "u", (uint64_t)PROBE_BYTES);
    }
    if (code == STORE_SQL_OK) {
        code = store_commit_transaction(store);
    }
    if (code == STORE_SQL_OK) {
        code = store_execute(&store->connection, "DELETE FROM probe", "");
    }
    if (code != STORE_SQL_OK) {
        store_rollback(store);
        return store_sql_fault(fault, &store->connection, code, "writing to the store");
    }
    return RESULT_OK;
}

// Opens the connection anew, since an error may have left it unusable, and writes.
static enum result try_database(struct store *store, struct fault *fault) {
    pthread_mutex_lock(&store->connection_mutex);
    enum result result = store->engine->reopen(store, fault);
    if (result == RESULT_OK) {
        result = write_probe(store, fault);
    }
    pthread_mutex_unlock(&store->connection_mutex);
    return result;
}

// Reports the store as well again if its database can be written.
static void probe(struct store *store) {
    struct fault fault = {0};
    if (try_database(store, &fault) != RESULT_OK) {
        pthread_mutex_lock(&store->mutex);
        store->figures.fault = fault;
        pthread_mutex_unlock(&store->mutex);
        store->next_probe_ms = store_monotonic_ms() + store->probe_ms;
        return;
    }
    pthread_mutex_lock(&store->mutex);
    store->figures.well = true;
    store->figures.fault = (struct fault){0};
    pthread_mutex_unlock(&store->mutex);
    notify_health(store, true, NULL);
}

// ---- work -----------------------------------------------------------------------------------------------------------

static void count_commit(struct store *store, uint64_t started_us, uint64_t round_trips) {
    const uint64_t took_us = store_monotonic_us() - started_us, bytes = store->engine->file_bytes(store);
    pthread_mutex_lock(&store->mutex);
    struct store_figures *figures = &store->figures;
    figures->commits++;
    figures->commit_us = took_us;
    figures->commit_round_trips = round_trips;
    figures->commit_max_us = took_us > figures->commit_max_us ? took_us : figures->commit_max_us;
    figures->file_bytes = bytes;
    store->committing_bytes = 0;
    store->waiting_since_ms = store->queued.size > 0 ? store_monotonic_ms() : 0;
    figures->queue_bytes = store->queued.size + store->queued.snapshot_bytes;
    for (struct store_write *write = NULL; (write = store_queue_next(&store->committing, write)) != NULL;) {
        figures->entries += write->result == RESULT_OK ? write->count : 0;
        figures->snapshots += write->result == RESULT_OK && write->snapshot != NULL ? 1 : 0;
    }
    pthread_mutex_unlock(&store->mutex);
}

static void commit(struct store *store) {
    struct fault fault = {0};
    const uint64_t started_us = store_monotonic_us();
    pthread_mutex_lock(&store->connection_mutex);
    const uint64_t round_trips = store->connection.round_trips;
    enum result result = store_write_queue(store, &store->committing, &fault);
    const uint64_t made = store->connection.round_trips - round_trips;
    if (result == RESULT_OK) {
        result = store->engine->check(store, &fault);
    }
    pthread_mutex_unlock(&store->connection_mutex);
    if (result != RESULT_OK) {
        fail(store, result == RESULT_MEMORY ? RESULT_MEMORY : RESULT_IO, &fault);
        return;
    }
    count_commit(store, started_us, made);
    settle(store, &store->committing, RESULT_OK, NULL);
    store_queue_clear(&store->committing);
}

static void commit_queued(struct thread_job *job) {
    struct store *store = (struct store *)job;
    pthread_mutex_lock(&store->mutex);
    const struct store_queue empty = store->committing;
    store->committing = store->queued;
    store->queued = empty;
    store->committing_bytes = store->committing.size + store->committing.snapshot_bytes;
    store->commit_posted = false;
    pthread_mutex_unlock(&store->mutex);
    if (store->committing.size > 0) { // a failure may have taken it
        commit(store);
    }
}

static enum result do_job(struct store *store, struct store_job *job) {
    pthread_mutex_lock(&store->mutex);
    const bool well = store->figures.well;
    if (!well) {
        (void)fault_set(job->fault, RESULT_IO, "", "%s", store->figures.fault.message);
    }
    pthread_mutex_unlock(&store->mutex);
    if (!well) {
        return RESULT_IO;
    }
    pthread_mutex_lock(&store->connection_mutex);
    enum result result = job->run(store, job->argument, job->fault);
    pthread_mutex_unlock(&store->connection_mutex);
    if (result == RESULT_IO) {
        fail(store, result, job->fault);
    }
    return result;
}

static void run_job(struct thread_job *base) {
    struct store_job *job = (struct store_job *)base;
    struct store *store = job->store;
    const enum result result = do_job(store, job);
    pthread_mutex_lock(&store->mutex);
    job->result = result;
    job->done = true; // the job is on the waiting caller's stack: it is gone once it is done
    pthread_cond_broadcast(&store->job_done);
    pthread_mutex_unlock(&store->mutex);
}

enum result store_run_job(struct store *store, struct store_job *job) {
    struct fault own = {0};
    job->job = (struct thread_job){.run = run_job};
    job->store = store;
    job->fault = job->fault != NULL ? job->fault : &own;
    job->done = false;
    if (job_thread_post(store->thread, &job->job) != RESULT_OK) {
        return fault_set(job->fault, RESULT_IO, "", "the store is closing");
    }
    pthread_mutex_lock(&store->mutex);
    while (!job->done) {
        pthread_cond_wait(&store->job_done, &store->mutex);
    }
    pthread_mutex_unlock(&store->mutex);
    return job->result;
}

// ---- between jobs ---------------------------------------------------------------------------------------------------

static void maintain(struct store *store) {
    struct store_compaction compaction = {0};
    uint64_t entries = 0;
    struct fault fault = {0};
    pthread_mutex_lock(&store->connection_mutex);
    enum result result = store->engine->check(store, &fault);
    const uint32_t wait_ms = result == RESULT_OK ? store_maintain(store, &compaction, &entries) : 0;
    if (result == RESULT_OK) {
        result = store->engine->check(store, &fault); // maintenance may have found that the database is gone
    }
    pthread_mutex_unlock(&store->connection_mutex);
    if (result != RESULT_OK) {
        fail(store, RESULT_IO, &fault);
        return;
    }
    store->next_maintenance_ms = store_monotonic_ms() + wait_ms;
    if (entries > 0) {
        pthread_mutex_lock(&store->mutex);
        store->figures.compacted += entries;
        pthread_mutex_unlock(&store->mutex);
    }
    if (compaction.happened && store->listener.compacted != NULL) {
        store->listener.compacted(store->listener.user, compaction.world, compaction.timeline, compaction.tick);
    }
}

// Returns when it is to be called next.
static uint64_t tend(void *context) {
    struct store *store = context;
    pthread_mutex_lock(&store->mutex);
    const bool well = store->figures.well;
    pthread_mutex_unlock(&store->mutex);
    const uint64_t now = store_monotonic_ms();
    if (well && (now >= store->next_maintenance_ms || store->wal_pages >= STORE_CHECKPOINT_PAGES)) {
        maintain(store);
    } else if (!well && now >= store->next_probe_ms) {
        probe(store);
    }
    return well ? store->next_maintenance_ms : store->next_probe_ms;
}

enum result store_thread_start(struct store *store, struct fault *fault) {
    store->commit.run = commit_queued;
    return job_thread_create(&(struct job_thread_options){.tend = tend, .context = store}, &store->thread) == RESULT_OK
               ? RESULT_OK
               : fault_set(fault, RESULT_MEMORY, "", "no thread can be made for the store");
}
