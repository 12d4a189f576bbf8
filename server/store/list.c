// SPDX-License-Identifier: MIT
// Lists: of timelines, of snapshots, of the replies to a session.
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

// An array that doubles; `filled` items of `size` bytes.
struct list {
    void *items;
    uint32_t filled, capacity;
    size_t size;
};

static void *add_item(struct list *list) {
    if (list->filled == list->capacity) {
        const uint32_t capacity = list->capacity == 0 ? 16 : list->capacity * 2;
        void *items = realloc(list->items, capacity * list->size);
        if (items == NULL) {
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return memset((char *)list->items + list->filled++ * list->size, 0, list->size);
}

// Steps through a query, one item a row; `fill` says whether it could.
static enum result collect(struct store_connection *reader, sqlite3_stmt *statement, int code, struct list *list,
                           bool (*fill)(sqlite3_stmt *statement, void *item), struct fault *fault) {
    bool complete = true;
    if (statement != NULL) {
        while (complete && (code = sqlite3_step(statement)) == SQLITE_ROW) {
            void *item = add_item(list);
            complete = item != NULL && fill(statement, item);
        }
        code = store_done(statement, code);
    }
    if (!complete) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a list");
    }
    return code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, reader->db, code, "listing the history");
}

static enum result open_list(struct store *store, uint64_t world, struct store_connection *reader,
                             struct fault *fault) {
    return store_world_known(store, world) ? store_reader_begin(store, reader, fault)
                                           : fault_set(fault, RESULT_NOT_FOUND, "", "the store has no such world");
}

static bool fill_timeline(sqlite3_stmt *statement, void *item) {
    struct store_timeline *timeline = item;
    const bool folded = store_column(statement, 7) != 0;
    *timeline = (struct store_timeline){
        .timeline = (uint32_t)store_column(statement, 0),
        .origin = (enum store_origin)store_column(statement, 1),
        .parent_timeline = (uint32_t)store_column(statement, 2),
        .parent_sequence = store_column(statement, 3),
        .first_tick = folded ? store_column(statement, 9) : store_column(statement, 4),
        .last_sequence = store_column(statement, 5),
        .last_tick = store_column(statement, 6),
        .folded = folded,
        .began_ms = store_column(statement, 10),
        .physics = (uint32_t)store_column(statement, 11),
    };
    timeline->entries = timeline->last_sequence - (folded ? store_column(statement, 8) : 0);
    return true;
}

enum result store_list_timelines(struct store *store, uint64_t world, struct store_timeline **timelines,
                                 uint32_t *count, struct fault *fault) {
    struct store_connection reader = {0};
    struct list list = {.size = sizeof **timelines};
    enum result result = open_list(store, world, &reader, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = SQLITE_OK;
    sqlite3_stmt *statement = store_query(&reader, &code,
                                          "SELECT timeline, origin, parent_timeline, parent_sequence, began_tick,"
                                          " last_sequence, last_tick, folded, folded_sequence, folded_tick, began_ms,"
                                          " physics"
                                          " FROM timeline WHERE world=?1 ORDER BY timeline",
                                          "u", world);
    result = collect(&reader, statement, code, &list, fill_timeline, fault);
    store_reader_end(store, &reader);
    if (result != RESULT_OK) {
        free(list.items);
        return result;
    }
    *timelines = list.items;
    *count = list.filled;
    return RESULT_OK;
}

const struct store_timeline *store_find_timeline(const struct store_timeline *timelines, uint32_t count,
                                                 uint32_t number) {
    for (uint32_t i = 0; i < count; i++) {
        if (timelines[i].timeline == number) {
            return &timelines[i];
        }
    }
    return NULL;
}

const struct store_timeline *store_find_parent(const struct store_timeline *timelines, uint32_t count,
                                               const struct store_timeline *fork) {
    return fork->origin == STORE_ORIGIN_FORK ? store_find_timeline(timelines, count, fork->parent_timeline) : NULL;
}

static bool fill_snapshot(sqlite3_stmt *statement, void *item) {
    *(struct store_snapshot_info *)item = (struct store_snapshot_info){
        .timeline = (uint32_t)store_column(statement, 0),
        .tick = store_column(statement, 1),
        .sequence = store_column(statement, 2),
        .hash = store_column(statement, 3),
        .saved_ms = store_column(statement, 4),
        .bytes = store_column(statement, 5),
    };
    return true;
}

enum result store_list_snapshots(struct store *store, uint64_t world, struct store_snapshot_info **snapshots,
                                 uint32_t *count, struct fault *fault) {
    struct store_connection reader = {0};
    struct list list = {.size = sizeof **snapshots};
    enum result result = open_list(store, world, &reader, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = SQLITE_OK; // those being swept away are no longer history
    sqlite3_stmt *statement = store_query(&reader, &code,
                                          "SELECT timeline, tick, sequence, hash, saved_ms, length(bytes) FROM snapshot"
                                          " WHERE world=?1 AND snapshot>=coalesce((SELECT max(snapshot) FROM sweep"
                                          " WHERE world=?1), 0) ORDER BY snapshot",
                                          "u", world);
    result = collect(&reader, statement, code, &list, fill_snapshot, fault);
    store_reader_end(store, &reader);
    if (result != RESULT_OK) {
        free(list.items);
        return result;
    }
    *snapshots = list.items;
    *count = list.filled;
    return RESULT_OK;
}

// ---- replies
// -------------------------------------------------------------------------------------------------------------------

void store_replies_free(struct store_reply *replies, uint32_t count) {
    for (uint32_t i = 0; replies != NULL && i < count; i++) {
        free(replies[i].request);
        free(replies[i].reply);
    }
    free(replies);
}

static bool fill_reply(sqlite3_stmt *statement, void *item) {
    struct store_reply *reply = item;
    const char *request = (const char *)sqlite3_column_text(statement, 0);
    const struct store_bytes bytes = store_column_bytes(statement, 1);
    reply->request = request == NULL ? NULL : strdup(request);
    reply->reply = malloc(bytes.size + 1);
    if (reply->request == NULL || reply->reply == NULL || (bytes.data == NULL && bytes.size > 0)) {
        return false;
    }
    if (bytes.size > 0) {
        memcpy(reply->reply, bytes.data, bytes.size);
    }
    reply->reply[bytes.size] = '\0';
    reply->reply_length = bytes.size;
    return true;
}

enum result store_read_replies(struct store *store, uint64_t world, const char *session, struct store_reply **replies,
                               uint32_t *count, struct fault *fault) {
    struct store_connection reader = {0};
    struct list list = {.size = sizeof **replies};
    enum result result = open_list(store, world, &reader, fault);
    if (result != RESULT_OK) {
        return result;
    }
    int code = SQLITE_OK;
    sqlite3_stmt *statement = store_query(&reader, &code,
                                          "SELECT request, bytes FROM reply WHERE world=?1 AND session=?2"
                                          " ORDER BY reply",
                                          "ut", world, session);
    result = collect(&reader, statement, code, &list, fill_reply, fault);
    store_reader_end(store, &reader);
    if (result != RESULT_OK) {
        store_replies_free(list.items, list.filled);
        return result;
    }
    *replies = list.items;
    *count = list.filled;
    return RESULT_OK;
}
