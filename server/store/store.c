// SPDX-License-Identifier: MIT
// Opening, closing, and the thread: it takes what was posted, commits it, tells; does what somebody waits for; and
// between two commits a little upkeep. While the disk fails it does nothing but try it.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/store_internal.h"

#define PROBE_BYTES (256 * 1024) // a disk that takes no more than this is full

uint64_t store_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t store_monotonic_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t store_ran_ms(const struct store *store) {
    return store->ran_before_ms + (store_monotonic_us() - store->opened_us) / 1000;
}

uint64_t store_steady_ms(const struct store *store) {
    return store->opened_ms + (store_monotonic_us() - store->opened_us) / 1000;
}

static uint64_t monotonic_ms(void) {
    return store_monotonic_us() / 1000;
}

// ---- health
// --------------------------------------------------------------------------------------------------------------------

static void tell_health(struct store *store, bool well, const struct fault *fault) {
    if (store->listener.health != NULL) {
        store->listener.health(store->listener.user, well, fault);
    }
}

static void settle(struct store *store, const struct store_posts *posts, enum result result,
                   const struct fault *fault) {
    struct fault gone;
    for (struct store_post *post = NULL; (post = store_posts_next(posts, post)) != NULL;) {
        enum result own = result == RESULT_OK ? post->result : result;
        const struct fault *why = result == RESULT_OK ? NULL : fault;
        if (own == RESULT_NOT_FOUND) {
            own = fault_set(&gone, RESULT_NOT_FOUND, "", "the world was removed");
            why = &gone;
        }
        store->listener.settled(store->listener.user, post->world, post->ticket, own, why);
    }
}

// The transaction of `working` (it may be empty) failed: nobody behind it is told otherwise.
static void fail(struct store *store, enum result result, const struct fault *fault) {
    struct store_posts behind = {0};
    pthread_mutex_lock(&store->mutex);
    store->figures.well = false;
    store->figures.fault = *fault;
    store->figures.failures++;
    behind = store->pending;
    store->pending = (struct store_posts){0};
    store_posts_lose(store, &store->working);
    store_posts_lose(store, &behind);
    store->in_hand = 0;
    store->figures.queue_bytes = 0;
    pthread_mutex_unlock(&store->mutex);
    store->next_probe_ms = monotonic_ms() + store->probe_ms;
    tell_health(store, false, fault);
    settle(store, &store->working, result, fault);
    settle(store, &behind, result, fault);
    store_posts_clear(&store->working);
    store_posts_clear(&behind);
    store_posts_free(&behind);
}

// Writes as much as an ordinary commit may have to, and takes it back.
static enum result write_probe(struct store *store, struct fault *fault) {
    int code = store_begin_transaction(store);
    if (code == SQLITE_OK) {
        code = store_execute(&store->connection, "INSERT OR REPLACE INTO probe VALUES(1, randomblob(?1))", "u",
                             (uint64_t)PROBE_BYTES);
    }
    if (code == SQLITE_OK) {
        code = store_commit_transaction(store);
    }
    if (code == SQLITE_OK) {
        code = store_execute(&store->connection, "DELETE FROM probe", "");
    }
    if (code != SQLITE_OK) {
        store_rollback(store);
        return store_sql_fault(fault, store->connection.db, code, "writing to the store");
    }
    return RESULT_OK;
}

// What an error left behind in a connection is not relied on: it is opened anew. In memory there is nothing to reopen.
static enum result try_disk(struct store *store, struct fault *fault) {
    pthread_mutex_lock(&store->connection_mutex);
    enum result result = store_check_place(store, fault);
    if (result == RESULT_OK && !store->in_memory) {
        store_disconnect(&store->connection);
        result = store_connect(store, fault);
    }
    if (result == RESULT_OK && store->mark.state == STORE_MARK_READ && store->commits < store->mark.commits) {
        result = fault_set(fault, RESULT_DAMAGED, "", "%s lacks commits that were acknowledged: it has %llu of %llu",
                           store->path, (unsigned long long)store->commits, (unsigned long long)store->mark.commits);
    }
    if (result == RESULT_OK) {
        result = write_probe(store, fault);
    }
    pthread_mutex_unlock(&store->connection_mutex);
    return result;
}

static void probe(struct store *store) {
    struct fault fault = {0};
    if (try_disk(store, &fault) != RESULT_OK) {
        pthread_mutex_lock(&store->mutex);
        store->figures.fault = fault;
        pthread_mutex_unlock(&store->mutex);
        store->next_probe_ms = monotonic_ms() + store->probe_ms;
        return;
    }
    pthread_mutex_lock(&store->mutex);
    store->figures.well = true;
    store->figures.fault = (struct fault){0};
    pthread_mutex_unlock(&store->mutex);
    tell_health(store, true, NULL);
}

// ---- the thread
// ----------------------------------------------------------------------------------------------------------------

static uint64_t file_bytes(const char *path, const char *suffix) {
    char name[STORE_PATH_MAX + 8];
    struct stat status;
    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static uint64_t measure_file(struct store *store) {
    return store->in_memory ? (uint64_t)sqlite3_memory_used()
                            : file_bytes(store->path, "") + file_bytes(store->path, "-wal");
}

static void count_commit(struct store *store, uint64_t started_us) {
    const uint64_t took_us = store_monotonic_us() - started_us, bytes = measure_file(store);
    pthread_mutex_lock(&store->mutex);
    struct store_figures *figures = &store->figures;
    figures->commits++;
    figures->commit_us = took_us;
    figures->commit_max_us = took_us > figures->commit_max_us ? took_us : figures->commit_max_us;
    figures->file_bytes = bytes;
    store->in_hand = 0;
    figures->queue_bytes = store->pending.size + store->pending.snapshot_bytes;
    for (struct store_post *post = NULL; (post = store_posts_next(&store->working, post)) != NULL;) {
        figures->entries += post->result == RESULT_OK ? post->count : 0;
        figures->snapshots += post->result == RESULT_OK && post->snapshot != NULL ? 1 : 0;
    }
    pthread_mutex_unlock(&store->mutex);
}

static void commit(struct store *store) {
    struct fault fault = {0};
    const uint64_t started_us = store_monotonic_us();
    pthread_mutex_lock(&store->connection_mutex);
    enum result result = store_write(store, &store->working, &fault);
    if (result == RESULT_OK) {
        result = store_check_files(store, &fault);
    }
    pthread_mutex_unlock(&store->connection_mutex);
    if (result != RESULT_OK) {
        fail(store, result == RESULT_MEMORY ? RESULT_MEMORY : RESULT_IO, &fault);
        return;
    }
    count_commit(store, started_us);
    settle(store, &store->working, RESULT_OK, NULL);
    store_posts_clear(&store->working);
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

static void do_jobs(struct store *store, struct store_job *jobs) {
    while (jobs != NULL) {
        struct store_job *job = jobs;
        jobs = job->next; // whoever waits may be gone with it once it is done
        enum result result = do_job(store, job);
        pthread_mutex_lock(&store->mutex);
        job->result = result;
        job->done = true;
        pthread_cond_broadcast(&store->job_done);
        pthread_mutex_unlock(&store->mutex);
    }
}

enum result store_run_job(struct store *store, struct store_job *job) {
    struct fault own = {0};
    job->fault = job->fault != NULL ? job->fault : &own;
    job->next = NULL;
    job->done = false;
    pthread_mutex_lock(&store->mutex);
    *store->jobs_tail = job;
    store->jobs_tail = &job->next;
    pthread_cond_signal(&store->woken);
    while (!job->done) {
        pthread_cond_wait(&store->job_done, &store->mutex);
    }
    pthread_mutex_unlock(&store->mutex);
    return job->result;
}

static void tend(struct store *store) {
    struct store_fold fold = {0};
    struct fault fault = {0};
    pthread_mutex_lock(&store->connection_mutex);
    const enum result result = store_check_files(store, &fault);
    const uint32_t wait_ms = result == RESULT_OK ? store_upkeep(store, &fold) : 0;
    pthread_mutex_unlock(&store->connection_mutex);
    if (result != RESULT_OK) {
        fail(store, RESULT_IO, &fault);
        return;
    }
    store->upkeep_ms = monotonic_ms() + wait_ms;
    if (fold.entries > 0) {
        pthread_mutex_lock(&store->mutex);
        store->figures.folded += fold.entries;
        pthread_mutex_unlock(&store->mutex);
    }
    if (fold.happened && store->listener.folded != NULL) {
        store->listener.folded(store->listener.user, fold.world, fold.timeline, fold.tick);
    }
}

// Waits for something to do until `due_ms`; takes it. False when the store closes and nothing is left.
static bool take_work(struct store *store, uint64_t due_ms, struct store_job **jobs) {
    const struct timespec due = {.tv_sec = (time_t)(due_ms / 1000), .tv_nsec = (long)(due_ms % 1000) * 1000000};
    pthread_mutex_lock(&store->mutex);
    int waited = 0;
    while (store->pending.size == 0 && store->jobs == NULL && !store->stopping && waited == 0) {
        waited = pthread_cond_timedwait(&store->woken, &store->mutex, &due);
    }
    const struct store_posts empty = store->working;
    store->working = store->pending;
    store->pending = empty;
    store->in_hand = store->working.size + store->working.snapshot_bytes;
    *jobs = store->jobs;
    store->jobs = NULL;
    store->jobs_tail = &store->jobs;
    const bool going = store->working.size > 0 || *jobs != NULL || !store->stopping;
    pthread_mutex_unlock(&store->mutex);
    return going;
}

static void *run(void *argument) {
    struct store *store = argument;
    struct store_job *jobs = NULL;
    bool well = true;
    while (take_work(store, well ? store->upkeep_ms : store->next_probe_ms, &jobs)) {
        if (store->working.size > 0) {
            commit(store);
        }
        do_jobs(store, jobs);
        pthread_mutex_lock(&store->mutex);
        well = store->figures.well;
        pthread_mutex_unlock(&store->mutex);
        const uint64_t now = monotonic_ms();
        if (well && (now >= store->upkeep_ms || store->wal_pages >= STORE_CHECKPOINT_PAGES)) {
            tend(store);
        } else if (!well && now >= store->next_probe_ms) {
            probe(store);
        }
    }
    return NULL;
}

// ---- opening
// -------------------------------------------------------------------------------------------------------------------

// What is in a folder must survive a power cut as well as what is in its files.
static enum result sync_directory(const char *directory, struct fault *fault) {
    const int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && fsync(folder) == 0;
    const int error = errno;
    if (folder >= 0) {
        close(folder);
    }
    return synced ? RESULT_OK
                  : fault_set(fault, RESULT_IO, "/data", "cannot sync the folder %s: %s", directory, strerror(error));
}

static enum result make_directory(const char *directory, struct fault *fault) {
    if (mkdir(directory, 0700) != 0) {
        return errno == EEXIST
                   ? RESULT_OK
                   : fault_set(fault, RESULT_IO, "/data", "cannot make the folder %s: %s", directory, strerror(errno));
    }
    char parent[STORE_PATH_MAX];
    if ((size_t)snprintf(parent, sizeof parent, "%s/..", directory) >= sizeof parent) {
        return fault_set(fault, RESULT_INVALID, "/data", "the path of the folder is too long");
    }
    return sync_directory(parent, fault);
}

// One server a directory: the lock goes with the process, however it ends.
static enum result lock_directory(struct store *store, const char *directory, struct fault *fault) {
    char path[STORE_PATH_MAX];
    enum result result = make_directory(directory, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if ((size_t)snprintf(path, sizeof path, "%s/weft.lock", directory) >= sizeof path ||
        (size_t)snprintf(store->path, sizeof store->path, "%s/" STORE_FILE, directory) >= sizeof store->path ||
        (size_t)snprintf(store->mark_path, sizeof store->mark_path, "%s/" STORE_MARK_FILE, directory) >=
            sizeof store->mark_path) {
        return fault_set(fault, RESULT_INVALID, "/data", "the path of the folder is too long");
    }
    result = store_check_kinds(directory, "/data", fault);
    if (result != RESULT_OK) {
        return result;
    }
    store->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_file < 0) {
        return fault_set(fault, RESULT_IO, "/data", "cannot write to %s: %s", directory, strerror(errno));
    }
    if (flock(store->lock_file, LOCK_EX | LOCK_NB) != 0) {
        return errno == EWOULDBLOCK
                   ? fault_set(fault, RESULT_STATE, "/data",
                               "another server uses %s: stop it, or give this one a directory of its own", directory)
                   : fault_set(fault, RESULT_IO, "/data", "cannot lock %s: %s", path, strerror(errno));
    }
    return RESULT_OK;
}

static enum result make_file(struct store *store, struct fault *fault) {
    // It holds what people said and the keys of their sessions: nobody else reads it. SQLite gives its other files the
    // rights of this one.
    const int file = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return fault_set(fault, RESULT_IO, "/data", "cannot write to %s: %s", store->path, strerror(errno));
    }
    close(file);
    return RESULT_OK;
}

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
        store->logs[store->log_count++] = (struct store_log){.world = worlds[i].world,
                                                             .timeline = row.timeline,
                                                             .sequence = row.last_sequence,
                                                             .lost = worlds[i].damaged}; // nothing is added to it
    }
    store_worlds_free(worlds, count);
    return result;
}

static void release(struct store *store) {
    store_disconnect(&store->connection);
    store_mark_close(store);
    if (store->lock_file >= 0) {
        close(store->lock_file);
    }
    store_posts_free(&store->pending);
    store_posts_free(&store->working);
    for (uint32_t i = 0; i < store->log_count; i++) {
        store_gathered_free(store->logs[i].gathered);
    }
    free(store->logs);
    pthread_cond_destroy(&store->woken);
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
    store->probe_ms = options->probe_ms > 0 ? options->probe_ms : STORE_PROBE_MS;
    store->jobs_tail = &store->jobs;
    store->figures.well = true;
    store->upkeep_ms = monotonic_ms(); // it may have been interrupted in something
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&store->woken, &monotonic);
    pthread_cond_init(&store->job_done, NULL);
    pthread_condattr_destroy(&monotonic);
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
    enum result result = made->in_memory ? RESULT_OK : lock_directory(made, options->directory, fault);
    if (result == RESULT_OK && !made->in_memory) {
        result = store_guard(made, fault);
    }
    if (result == RESULT_OK && !made->in_memory) {
        result = make_file(made, fault);
    }
    if (result == RESULT_OK) {
        result = store_connect(made, fault);
    }
    if (result == RESULT_OK && !made->in_memory) {
        result = store_note_place(made, fault);
    }
    if (result == RESULT_OK && !made->in_memory) {
        result = store_mark_open(made, fault);
    }
    if (result == RESULT_OK && !made->in_memory && made->durability != STORE_OFF) {
        result = sync_directory(options->directory, fault);
    }
    if (result == RESULT_OK) {
        result = load_logs(made, fault);
    }
    if (result == RESULT_OK && pthread_create(&made->thread, NULL, run, made) != 0) {
        result = fault_set(fault, RESULT_MEMORY, "", "no thread can be made for the store");
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
    pthread_cond_signal(&store->woken);
    pthread_mutex_unlock(&store->mutex);
    pthread_join(store->thread, NULL);
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
