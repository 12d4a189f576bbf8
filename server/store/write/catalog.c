// SPDX-License-Identifier: MIT
// Worlds are created, changed and removed on the store's thread, in order with the queued writes.
#include "store/write/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/claim.h"
#include "store/write/thread.h"
#include "store/write/world_log.h"
#include "store/write/write_queue.h"

// ---- creation -------------------------------------------------------------------------------------------------------

struct creation {
    const struct store_world *given;
    uint64_t world;
};

// Makes room for one more log, before anything is written.
static enum result make_room(struct store *store, struct fault *fault) {
    enum result result = RESULT_OK;
    pthread_mutex_lock(&store->mutex);
    if (store->log_count >= STORE_WORLDS_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "there are %u worlds already: remove one first", STORE_WORLDS_MAX);
    } else if (store->log_count == store->log_capacity) {
        struct store_log *logs = realloc(store->logs, 2 * store->log_capacity * sizeof *logs);
        if (logs == NULL) {
            result = fault_set(fault, RESULT_MEMORY, "", "out of memory for a world");
        } else {
            store->logs = logs;
            store->log_capacity *= 2;
        }
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

static enum result create(struct store *store, void *argument, struct fault *fault) {
    struct creation *creation = argument;
    struct store_world given = *creation->given;
    given.created_ms = store_clock_ms();
    enum result result = make_room(store, fault);
    if (result != RESULT_OK) {
        return result;
    }
    bool made = false;
    int code = store_begin_transaction(store);
    if (code == STORE_SQL_OK) {
        code = store_fetch(&store->connection, &creation->world, &made,
                           "INSERT INTO world(name, created_ms, parent, parent_timeline, parent_tick, settings,"
                           " checksum) VALUES(?1,?2,?3,?4,?5,?6,?7) RETURNING world",
                           "tuuuubu", given.name, given.created_ms, given.parent, (uint64_t)given.parent_timeline,
                           given.parent_tick, given.settings, store_world_checksum(&given));
    }
    if (code == STORE_SQL_TAKEN) {
        store_rollback(store);
        return fault_set(fault, RESULT_STATE, "/name", "there is a world \"%s\" already", given.name);
    }
    if (code == STORE_SQL_OK) {
        code = store->engine->world_own(store, creation->world);
    }
    result = store_end_transaction(store, code, "making a world", fault);
    if (result == RESULT_OK) {
        pthread_mutex_lock(&store->mutex);
        store_log_insert(store, &(struct store_log){.world = creation->world});
        pthread_mutex_unlock(&store->mutex);
    }
    return result;
}

enum result store_world_create(struct store *store, const struct store_world *given, uint64_t *world,
                               struct fault *fault) {
    struct creation creation = {.given = given};
    struct store_job job = {.run = create, .argument = &creation, .fault = fault};
    enum result result = store_run_job(store, &job);
    if (result == RESULT_OK) {
        *world = creation.world;
    }
    return result;
}

// ---- list -----------------------------------------------------------------------------------------------------------

void store_worlds_free(struct store_world *worlds, uint32_t count) {
    for (uint32_t i = 0; worlds != NULL && i < count; i++) {
        free((void *)worlds[i].settings.data);
    }
    free(worlds);
}

static void note_damage(struct store_world *world, const char *what) {
    if (!world->damaged) {
        world->damaged = true;
        fault_set(&world->why, RESULT_DAMAGED, "", "%s", what);
    }
}

// Returns false when memory runs out.
static bool copy_world(struct store_rows *statement, struct store_world *world) {
    const char *name = store_column_text(statement, 1);
    const struct store_bytes settings = store_column_bytes(statement, 6);
    char *copy = malloc(settings.size + 1);
    if (copy == NULL || store_out_of_memory(statement)) {
        free(copy);
        return false;
    }
    if (settings.size > 0) {
        memcpy(copy, settings.data, settings.size);
    }
    *world = (struct store_world){
        .world = store_column(statement, 0),
        .created_ms = store_column(statement, 2),
        .parent = store_column(statement, 3),
        .parent_timeline = (uint32_t)store_column(statement, 4),
        .parent_tick = store_column(statement, 5),
        .timeline = (uint32_t)store_column(statement, 7),
        .tick = store_column(statement, 8),
        .physics = (uint32_t)store_column(statement, 10),
    };
    world->settings.data = copy;
    world->settings.size = settings.size;
    strncpy(world->name, name != NULL ? name : "", STORE_NAME_MAX);
    if (name == NULL || store_column(statement, 9) != store_world_checksum(world)) {
        note_damage(world, "its row does not have its checksum");
        for (char *at = world->name; *at != '\0'; at++) {
            *at = (char)(*at < ' ' || *at > '~' ? '?' : *at); // a damaged name may hold anything
        }
    }
    return true;
}

// Checks the row of the newest timeline. If that row is gone or changed, the world is damaged: an older timeline must
// not be continued in its place.
static enum result check_world(struct store_connection *reader, struct store_world *world) {
    static const char *const newer[] = {
        "SELECT max(timeline) FROM entry WHERE world=?1",
        "SELECT max(timeline) FROM hash WHERE world=?1",
        "SELECT max(timeline) FROM snapshot WHERE world=?1",
    };
    struct store_timeline_row row = {0};
    struct fault why = {.message = ""};
    if (world->timeline != 0) {
        const enum result result = store_timeline_load(reader, world->world, world->timeline, &row, &why);
        if (result == RESULT_MEMORY) {
            return result;
        }
        if (result != RESULT_OK) {
            note_damage(world, why.message);
        }
    }
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        uint64_t timeline = 0;
        bool found = false;
        const int code = store_fetch(reader, &timeline, &found, newer[i], "u", world->world);
        if (store_is_memory(code)) {
            return RESULT_MEMORY;
        }
        if (code != STORE_SQL_OK) {
            note_damage(world, "its log cannot be read, for the store's file is damaged");
        } else if (found && timeline > world->timeline) {
            note_damage(world,
                        "the row of its newest timeline is gone, but commands, hashes or snapshots of it are there");
        }
    }
    return RESULT_OK;
}

// Lists worlds whose own row is gone though they were not removed.
static int find_orphans(struct store_connection *reader, struct store_world *list, uint32_t *listed) {
    int code = STORE_SQL_OK;
    struct store_rows *statement =
        store_query(reader, &code,
                    "SELECT DISTINCT world, max(timeline), max(last_tick) FROM timeline WHERE world NOT IN"
                    " (SELECT world FROM world) AND world NOT IN (SELECT world FROM sweep WHERE snapshot=?1)"
                    " GROUP BY world ORDER BY world LIMIT ?2",
                    "uu", (uint64_t)INT64_MAX, (uint64_t)(STORE_WORLDS_MAX - *listed));
    if (statement == NULL) {
        return code;
    }
    while ((code = store_step(statement)) == STORE_SQL_ROW) {
        struct store_world *world = &list[(*listed)++];
        *world = (struct store_world){.world = store_column(statement, 0),
                                      .timeline = (uint32_t)store_column(statement, 1),
                                      .tick = store_column(statement, 2)};
        snprintf(world->name, sizeof world->name, "world-%llu", (unsigned long long)world->world);
        note_damage(world, "the row with its name is gone");
    }
    return store_done(statement, code);
}

static int by_number(const void *a, const void *b) {
    const uint64_t first = ((const struct store_world *)a)->world, second = ((const struct store_world *)b)->world;
    return (first > second) - (first < second);
}

static enum result read_worlds(struct store_connection *reader, struct store_world **worlds, uint32_t *count,
                               struct fault *fault) {
    int code = STORE_SQL_OK;
    struct store_rows *statement =
        store_query(reader, &code,
                    "SELECT w.world, name, created_ms, parent, w.parent_timeline, parent_tick, settings,"
                    " coalesce(timeline, 0), coalesce(last_tick, 0), w.checksum, coalesce(physics, 0) FROM world w"
                    " LEFT JOIN timeline t"
                    " ON t.world=w.world AND timeline=(SELECT max(timeline) FROM timeline WHERE world=w.world)"
                    " ORDER BY w.world LIMIT ?1",
                    "u", (uint64_t)STORE_WORLDS_MAX);
    struct store_world *list = calloc(STORE_WORLDS_MAX, sizeof *list);
    uint32_t listed = 0;
    bool complete = list != NULL;
    if (statement != NULL) {
        while (complete && (code = store_step(statement)) == STORE_SQL_ROW) {
            complete = copy_world(statement, &list[listed]);
            listed += complete ? 1 : 0;
        }
        code = store_done(statement, code);
    }
    if (code == STORE_SQL_OK && complete) {
        code = find_orphans(reader, list, &listed);
    }
    if (code == STORE_SQL_OK && complete) {
        qsort(list, listed, sizeof *list, by_number);
    }
    for (uint32_t i = 0; i < listed && code == STORE_SQL_OK && complete; i++) {
        complete = check_world(reader, &list[i]) == RESULT_OK;
    }
    if (code == STORE_SQL_OK && complete) {
        *worlds = list;
        *count = listed;
        return RESULT_OK;
    }
    store_worlds_free(list, listed);
    return complete ? store_sql_fault(fault, reader, code, "listing the worlds")
                    : fault_set(fault, RESULT_MEMORY, "", "out of memory while listing the worlds");
}

enum result store_world_list(struct store *store, struct store_world **worlds, uint32_t *count, struct fault *fault) {
    struct store_connection reader = {0};
    enum result result = store->engine->reader_begin(store, &reader, fault);
    if (result == RESULT_OK) {
        result = read_worlds(&reader, worlds, count, fault);
        store->engine->reader_end(store, &reader);
    }
    return result;
}

// ---- settings -------------------------------------------------------------------------------------------------------

struct change {
    uint64_t world;
    struct store_bytes settings;
};

// Reads the columns that the checksum of a world's row covers besides its settings.
static enum result read_world(struct store_connection *connection, uint64_t number, struct store_world *world,
                              struct fault *fault) {
    int code = STORE_SQL_OK;
    struct store_rows *rows = store_query(connection, &code,
                                          "SELECT name, created_ms, parent, parent_timeline, parent_tick FROM world"
                                          " WHERE world=?1",
                                          "u", number);
    bool complete = true;
    if (rows != NULL) {
        code = store_step(rows);
        const char *name = code == STORE_SQL_ROW ? store_column_text(rows, 0) : NULL;
        complete = code != STORE_SQL_ROW || !store_out_of_memory(rows);
        if (name != NULL) {
            *world = (struct store_world){.world = number,
                                          .created_ms = store_column(rows, 1),
                                          .parent = store_column(rows, 2),
                                          .parent_timeline = (uint32_t)store_column(rows, 3),
                                          .parent_tick = store_column(rows, 4)};
            strncpy(world->name, name, STORE_NAME_MAX);
        }
        code = store_done(rows, code);
    }
    if (code != STORE_SQL_OK) {
        return store_sql_fault(fault, connection, code, "changing a world");
    }
    return !complete           ? fault_set(fault, RESULT_MEMORY, "", "out of memory for a world")
           : world->world == 0 ? store_no_world(fault)
                               : RESULT_OK;
}

static enum result change(struct store *store, void *argument, struct fault *fault) {
    const struct change *change = argument;
    struct store_world world = {0};
    enum result result = store_begin_owned(store, change->world, "changing a world", fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = read_world(&store->connection, change->world, &world, fault);
    if (result != RESULT_OK) {
        store_rollback(store);
        return result;
    }
    world.settings = change->settings;
    const int code = store_execute(&store->connection, "UPDATE world SET settings=?2, checksum=?3 WHERE world=?1",
                                   "ubu", change->world, change->settings, store_world_checksum(&world));
    return store_end_transaction(store, code, "changing a world", fault);
}

enum result store_world_set(struct store *store, uint64_t world, struct store_bytes settings, struct fault *fault) {
    struct change argument = {world, settings};
    struct store_job job = {.run = change, .argument = &argument, .fault = fault};
    return store_run_job(store, &job);
}

// ---- removal --------------------------------------------------------------------------------------------------------

static void forget(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    struct store_group *group = log->group;
    const size_t behind = (size_t)(store->logs + store->log_count - log) - 1;
    memmove(log, log + 1, behind * sizeof *log);
    store->log_count--;
    pthread_mutex_unlock(&store->mutex);
    store_group_free(group);
}

static enum result remove_world(struct store *store, void *argument, struct fault *fault) {
    const uint64_t world = *(const uint64_t *)argument;
    enum result result = store_world_check(store, world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    result = store_begin_owned(store, world, "removing a world", fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = store_execute(&store->connection, "DELETE FROM world WHERE world=?1", "u", world);
    if (code == STORE_SQL_OK) {
        code = store_execute(&store->connection, "DELETE FROM timeline WHERE world=?1", "u", world);
    }
    if (code == STORE_SQL_OK) {
        code = store_execute(&store->connection,
                             "INSERT INTO sweep(world, timeline, sequence, tick, snapshot) VALUES(?1,?2,?2,?2,?2)",
                             "uu", world, (uint64_t)INT64_MAX);
    }
    result = store_end_transaction(store, code, "removing a world", fault);
    if (result == RESULT_OK) {
        forget(store, world);
    }
    return result;
}

enum result store_world_remove(struct store *store, uint64_t world, struct fault *fault) {
    struct store_job job = {.run = remove_world, .argument = &world, .fault = fault};
    return store_run_job(store, &job);
}
