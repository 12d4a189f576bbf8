// SPDX-License-Identifier: MIT
#include "store/salvage/salvage_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/salvage/salvage_plan.h"
#include "store/sqlite/file_copy.h"
#include "store/sqlite/files.h"
#include "store/sqlite/migration.h"
#include "store/sqlite/statement.h"
#include "store/sqlite/wal.h"
#include "store/sqlite/watermark.h"
#include "store/store.h"
#include "store/store_state.h"
#include "store/write/append.h"
#include "store/write/catalog.h"

#define COPY_FILE "salvage.db"
#define WRITES_MAX 64u // queued before the next wait

typedef unsigned long long ull;

struct salvage {
    const struct store_salvage_listener *listener;
    char database[STORE_PATH_MAX], log[STORE_PATH_MAX + 8], lock[STORE_PATH_MAX], copy[STORE_PATH_MAX];
    struct store_connection source;
    struct store *target;
    pthread_mutex_t mutex;
    pthread_cond_t settled;
    uint64_t queued, settled_ticket; // tickets: the last one used, the last one settled
    enum result result;              // of the writes so far
    struct fault *fault;
};

// ---- the copy ------------------------------------------------------------------------------------------------------

static enum result check_folders(struct salvage *salvage, const char *from, const char *to) {
    char path[STORE_PATH_MAX];
    struct stat status;
    if ((size_t)snprintf(path, sizeof path, "%s/" STORE_WATERMARK_FILE, from) >= sizeof path ||
        (size_t)snprintf(salvage->copy, sizeof salvage->copy, "%s/" COPY_FILE "-journal", to) >= sizeof salvage->copy) {
        return fault_set(salvage->fault, RESULT_INVALID, "", "the path of a folder is too long");
    }
    snprintf(salvage->database, sizeof salvage->database, "%s/" STORE_FILE, from);
    snprintf(salvage->log, sizeof salvage->log, "%s-wal", salvage->database);
    snprintf(salvage->lock, sizeof salvage->lock, "%s/weft.lock", from);
    snprintf(salvage->copy, sizeof salvage->copy, "%s/" COPY_FILE, to);
    if (stat(salvage->database, &status) != 0 && stat(salvage->log, &status) != 0) {
        return fault_set(salvage->fault, RESULT_NOT_FOUND, "", "there is no store in %s", from);
    }
    if (store_check_kinds(from, "", salvage->fault) != RESULT_OK) {
        return RESULT_IO;
    }
    snprintf(path, sizeof path, "%s/" STORE_FILE, to);
    if (stat(path, &status) == 0 || stat(salvage->copy, &status) == 0) {
        return fault_set(salvage->fault, RESULT_STATE, "", "there is a store in %s already: give a new folder", to);
    }
    if (mkdir(to, 0700) != 0 && errno != EEXIST) {
        return fault_set(salvage->fault, RESULT_IO, "", "cannot make the folder %s: %s", to, strerror(errno));
    }
    return RESULT_OK;
}

// Returns the locked file; −1 when there is no lock file, as in a copy of a folder; −2 when a server holds the lock.
static int lock_source(const struct salvage *salvage) {
    const int file = open(salvage->lock, O_RDONLY | O_CLOEXEC);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        (void)close(file);
        return -2;
    }
    return file;
}

// Copies as much of the database as there is and can be read, and adds the intact part of the write-ahead log.
static enum result make_copy(struct salvage *salvage) {
    FILE *in = fopen(salvage->database, "rbe");
    FILE *out = store_create_copy(salvage->copy);
    bool copied = out != NULL && (in == NULL || store_copy_bytes(in, out));
    if (in != NULL) {
        (void)fclose(in);
    }
    copied = out != NULL && fclose(out) == 0 && copied;
    if (!copied) {
        return fault_set(salvage->fault, RESULT_IO, "", "cannot write %s: %s", salvage->copy, strerror(errno));
    }
    return store_wal_apply(salvage->log, salvage->copy, store_page_size(salvage->copy), salvage->fault);
}

static enum result open_copy(struct salvage *salvage) {
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(salvage->copy, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA trusted_schema=OFF", NULL, NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = store_schema_migrate_copy(db);
    }
    salvage->source = store_sqlite_connection(db);
    return code == SQLITE_OK ? RESULT_OK : store_sqlite_fault(salvage->fault, db, code, "opening a copy of the store");
}

static void remove_copy(struct salvage *salvage) {
    static const char *const ends[] = {"", "-wal", "-shm", "-journal"};
    store_disconnect(&salvage->source);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        char path[STORE_PATH_MAX + 16];
        snprintf(path, sizeof path, "%s%s", salvage->copy, ends[i]);
        (void)unlink(path);
    }
}

// ---- the new store -------------------------------------------------------------------------------------------------

static void on_settled(void *user, uint64_t world, uint64_t ticket, enum result result, const struct fault *fault) {
    struct salvage *salvage = user;
    (void)world;
    pthread_mutex_lock(&salvage->mutex);
    salvage->settled_ticket = ticket;
    if (result != RESULT_OK && salvage->result == RESULT_OK) {
        salvage->result = fault_set(salvage->fault, result, "", "%s", fault->message);
    }
    pthread_cond_signal(&salvage->settled);
    pthread_mutex_unlock(&salvage->mutex);
}

static enum result await(struct salvage *salvage) {
    pthread_mutex_lock(&salvage->mutex);
    while (salvage->settled_ticket < salvage->queued) {
        pthread_cond_wait(&salvage->settled, &salvage->mutex);
    }
    const enum result result = salvage->result;
    pthread_mutex_unlock(&salvage->mutex);
    return result;
}

// Notes the result of queueing a write. After every WRITES_MAX writes it waits until all of them are stored.
static enum result note(struct salvage *salvage, enum result result) {
    if (result != RESULT_OK) {
        return result;
    }
    salvage->queued++;
    return salvage->queued % WRITES_MAX == 0 ? await(salvage) : RESULT_OK;
}

static enum result load(struct salvage *salvage, const struct plan_snapshot *at, struct store_snapshot *snapshot) {
    const enum result result = store_snapshot_load(&salvage->source, at->row, snapshot, salvage->fault);
    snapshot->timeline = 1;
    snapshot->sequence = at->after;
    return result;
}

static enum result write_beginning(struct salvage *salvage, uint64_t world, const struct plan *plan,
                                   const struct store_snapshot *snapshot) {
    const struct store_beginning beginning = {
        .timeline = 1,
        .tick = plan->from_empty ? 0 : snapshot->tick,
        .origin = plan->from_empty ? STORE_ORIGIN_EMPTY : STORE_ORIGIN_SNAPSHOT,
        .physics = plan->physics > 0 ? plan->physics : 1,
    };
    return note(salvage, store_begin(salvage->target, world, &beginning, plan->from_empty ? NULL : snapshot,
                                     salvage->queued + 1, salvage->fault));
}

// Writes the snapshots, then the hashes, that stand in the plan after `after` entries.
static enum result write_states(struct salvage *salvage, uint64_t world, const struct plan *plan, uint64_t after,
                                uint32_t *hashes) {
    enum result result = RESULT_OK;
    for (uint32_t i = 0; i < plan->snapshot_count && result == RESULT_OK; i++) {
        struct store_snapshot snapshot = {0};
        if (plan->snapshots[i].after != after) {
            continue;
        }
        result = await(salvage); // so that the queue has room
        result = result == RESULT_OK ? load(salvage, &plan->snapshots[i], &snapshot) : result;
        if (result == RESULT_OK) {
            result = note(salvage, store_save(salvage->target, world, &snapshot, salvage->queued + 1, salvage->fault));
            free((void *)snapshot.state.data);
        }
    }
    for (; *hashes < plan->hash_count && plan->hashes[*hashes].after <= after && result == RESULT_OK; ++*hashes) {
        const struct store_hash *hash = &plan->hashes[*hashes].hash;
        if (plan->hashes[*hashes].after == after) {
            result = note(salvage, store_append_hash(salvage->target, world, hash->tick, hash->hash,
                                                     salvage->queued + 1, salvage->fault));
        }
    }
    return result;
}

static int by_place(const void *a, const void *b) {
    const struct plan_hash *first = a, *second = b;
    return first->after != second->after
               ? (first->after > second->after) - (first->after < second->after)
               : (first->hash.tick > second->hash.tick) - (first->hash.tick < second->hash.tick);
}

static enum result write_world(struct salvage *salvage, uint64_t world, struct plan *plan,
                               const struct store_snapshot *base) {
    uint32_t hashes = 0;
    uint64_t tick = 0;
    if (plan->hash_count > 0) {
        qsort(plan->hashes, plan->hash_count, sizeof *plan->hashes, by_place);
    }
    enum result result = write_beginning(salvage, world, plan, base);
    for (uint64_t i = 0; i <= plan->entries->entry_count && result == RESULT_OK; i++) {
        if (i > 0) {
            struct store_entry entry = plan->entries->entries[i - 1].entry;
            entry.sequence = i;
            entry.tick = entry.tick > tick ? entry.tick : tick > 0 ? tick : 1;
            tick = entry.tick;
            result =
                note(salvage, store_append(salvage->target, world, &entry, 1, salvage->queued + 1, salvage->fault));
        }
        if (result == RESULT_OK) {
            result = write_states(salvage, world, plan, i, &hashes);
        }
    }
    return result == RESULT_OK ? await(salvage) : result;
}

// ---- one world -----------------------------------------------------------------------------------------------------

// Reads the row of a world if its checksum is right. The settings are copied to `settings`.
static enum result read_row(struct salvage *salvage, uint64_t world, struct store_world *kept,
                            unsigned char settings[STORE_SALVAGE_SETTINGS_MAX]) {
    int code = SQLITE_OK;
    *kept = (struct store_world){.world = world};
    snprintf(kept->name, sizeof kept->name, "world-%llu", (ull)world);
    struct store_rows *row =
        store_query(&salvage->source, &code,
                    "SELECT name, created_ms, parent, parent_timeline, parent_tick, settings, checksum"
                    " FROM world WHERE world=?1",
                    "u", world);
    kept->damaged = true;
    if (row != NULL && (code = store_step(row)) == SQLITE_ROW) {
        const char *name = store_column_text(row, 0);
        const struct store_bytes bytes = store_column_bytes(row, 5);
        struct store_world read = {.world = world,
                                   .created_ms = store_column(row, 1),
                                   .parent = store_column(row, 2),
                                   .parent_timeline = (uint32_t)store_column(row, 3),
                                   .parent_tick = store_column(row, 4),
                                   .settings = bytes};
        if (name != NULL && bytes.size <= STORE_SALVAGE_SETTINGS_MAX) {
            strncpy(read.name, name, STORE_NAME_MAX);
            if (store_column(row, 6) == store_world_checksum(&read)) {
                memcpy(settings, bytes.data != NULL ? bytes.data : (const void *)"", bytes.size);
                read.settings.data = settings;
                *kept = read;
            }
        }
    }
    if (row != NULL) {
        code = store_done(row, code);
    }
    return store_is_memory(code) ? fault_set(salvage->fault, RESULT_MEMORY, "", "out of memory while salvaging")
                                 : RESULT_OK;
}

static void report(const struct salvage *salvage, const struct store_world *kept, const struct plan *plan,
                   uint64_t first_tick) {
    struct store_salvaged outcome = {.name = kept->name,
                                     .found = plan->reached,
                                     .whole = plan->whole && !kept->damaged,
                                     .first_tick = first_tick,
                                     .last_tick = first_tick,
                                     .lost_commands = plan->lost_commands,
                                     .damaged_rows = plan->damaged_rows + (kept->damaged ? 1 : 0)};
    if (plan->reached) {
        const uint32_t count = plan->entries->entry_count;
        outcome.commands = count;
        outcome.snapshots = plan->snapshot_count + (plan->from_empty ? 0 : 1);
        outcome.last_tick = count > 0 ? plan->entries->entries[count - 1].entry.tick - 1 : first_tick;
        for (uint32_t i = 0; i < plan->hash_count; i++) {
            const uint64_t tick = plan->hashes[i].hash.tick;
            outcome.last_tick = tick > outcome.last_tick ? tick : outcome.last_tick;
        }
    }
    salvage->listener->report(salvage->listener->user, &outcome);
}

static enum result salvage_world(struct salvage *salvage, uint64_t number) {
    unsigned char settings[STORE_SALVAGE_SETTINGS_MAX], snapshot_settings[STORE_SALVAGE_SETTINGS_MAX];
    struct store_world kept;
    struct plan plan;
    struct store_snapshot base = {0};
    size_t snapshot_settings_size = 0;
    uint32_t physics = 0;
    uint64_t made = 0;
    enum result result = read_row(salvage, number, &kept, settings);
    if (result == RESULT_OK) {
        result = plan_make(&salvage->source, number, &plan, salvage->fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (plan.reached && !plan.from_empty) {
        plan.base.after = 0;
        result = load(salvage, &plan.base, &base);
        const bool known =
            result == RESULT_OK && salvage->listener->read_settings(salvage->listener->user, &base, snapshot_settings,
                                                                    &snapshot_settings_size, &physics);
        if (known && kept.damaged) {
            kept.settings = (struct store_bytes){snapshot_settings, snapshot_settings_size};
        }
        plan.physics = plan.physics == 0 ? physics : plan.physics;
    }
    plan.reached = plan.reached && kept.settings.size > 0; // a world without settings cannot run
    if (result == RESULT_OK && plan.reached) {
        result = store_world_create(salvage->target, &kept, &made, salvage->fault);
        if (result == RESULT_STATE) { // another world has the name already
            snprintf(kept.name, sizeof kept.name, "world-%llu", (ull)number);
            result = store_world_create(salvage->target, &kept, &made, salvage->fault);
        }
        result = result == RESULT_OK ? write_world(salvage, made, &plan, &base) : result;
    }
    if (result == RESULT_OK) {
        report(salvage, &kept, &plan, base.tick);
    }
    free((void *)base.state.data);
    plan_free(&plan);
    return result;
}

// ---- all -----------------------------------------------------------------------------------------------------------

// Returns the next number above `after` of a world that was not removed and of which any row is left; 0: none.
static uint64_t next_world(struct salvage *salvage, uint64_t after) {
    static const char *const texts[] = {
        "SELECT min(world) FROM world WHERE world>?1",
        "SELECT min(world) FROM timeline WHERE world>?1 AND world NOT IN (SELECT world FROM sweep WHERE snapshot=?2)",
        "SELECT min(world) FROM entry WHERE world>?1 AND world NOT IN (SELECT world FROM sweep WHERE snapshot=?2)",
        ("SELECT min(world) FROM snapshot NOT INDEXED WHERE world>?1 AND world NOT IN"
         " (SELECT world FROM sweep WHERE snapshot=?2)"),
    };
    uint64_t least = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t found = 0;
        bool there = false;
        const int code =
            store_fetch(&salvage->source, &found, &there, texts[i], i == 0 ? "u" : "uu", after, (uint64_t)INT64_MAX);
        least = code == SQLITE_OK && there && (least == 0 || found < least) ? found : least;
    }
    return least;
}

static enum result salvage_all(struct salvage *salvage) {
    enum result result = RESULT_OK;
    uint64_t number = next_world(salvage, 0);
    if (number == 0) {
        return fault_set(salvage->fault, RESULT_DAMAGED, "", "nothing of any world can be read in %s",
                         salvage->database);
    }
    for (uint32_t count = 0; number != 0 && result == RESULT_OK && count < STORE_WORLDS_MAX; count++) {
        result = salvage_world(salvage, number);
        number = next_world(salvage, number);
    }
    return result;
}

static uint64_t count_missing(struct salvage *salvage, const char *from) {
    char path[STORE_PATH_MAX + 16];
    uint64_t count = 0;
    bool found = false;
    snprintf(path, sizeof path, "%s/" STORE_WATERMARK_FILE, from);
    const struct store_watermark mark = store_watermark_read(path);
    if (store_fetch(&salvage->source, &count, &found, "SELECT count FROM commits", "") != SQLITE_OK || !found) {
        count = 0;
    }
    return mark.state == STORE_WATERMARK_READ && mark.commits > count ? mark.commits - count : 0;
}

enum result store_salvage(const char *from, const char *to, const struct store_salvage_listener *listener,
                          uint64_t *missing, struct fault *fault) {
    struct salvage salvage = {.listener = listener, .fault = fault};
    enum result result = check_folders(&salvage, from, to);
    if (result != RESULT_OK) {
        return result;
    }
    const int lock = lock_source(&salvage);
    if (lock == -2) {
        return fault_set(fault, RESULT_STATE, "", "a server uses %s: stop it first", from);
    }
    pthread_mutex_init(&salvage.mutex, NULL);
    pthread_cond_init(&salvage.settled, NULL);
    const struct store_options options = {
        .directory = to, .durability = STORE_FULL, .listener = {.user = &salvage, .settled = on_settled}};
    result = make_copy(&salvage);
    result = result == RESULT_OK ? open_copy(&salvage) : result;
    result = result == RESULT_OK ? store_open(&options, &salvage.target, fault) : result;
    *missing = result == RESULT_OK ? count_missing(&salvage, from) : 0;
    result = result == RESULT_OK ? salvage_all(&salvage) : result;
    store_close(salvage.target);
    remove_copy(&salvage);
    if (lock >= 0) {
        (void)close(lock);
    }
    pthread_cond_destroy(&salvage.settled);
    pthread_mutex_destroy(&salvage.mutex);
    return result;
}
