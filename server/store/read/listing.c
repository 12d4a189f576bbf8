// SPDX-License-Identifier: MIT
#include "store/read/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "store/database/engine.h"
#include "store/database/sql.h"
#include "store/store_state.h"
#include "store/write/world_log.h"

// The rows of a query as an array of items of `size` bytes.
struct list {
    void *items;
    uint32_t count;
    size_t size;
};

// Steps through a query and adds one item per row. `fill` returns false when memory runs out.
static enum result collect(struct store_connection *reader, struct store_rows *statement, int code, struct list *list,
                           bool (*fill)(struct store_rows *statement, void *item), struct fault *fault) {
    bool complete = true;
    if (statement != NULL) {
        while (complete && (code = store_step(statement)) == STORE_SQL_ROW) {
            void *items = array_grow(list->items, list->count, list->size);
            complete = items != NULL;
            if (complete) {
                list->items = items;
                void *item = (char *)items + list->count++ * list->size;
                complete = fill(statement, memset(item, 0, list->size));
            }
        }
        code = store_done(statement, code);
    }
    if (!complete) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a list");
    }
    return code == STORE_SQL_OK ? RESULT_OK : store_sql_fault(fault, reader, code, "listing the history");
}

static enum result open_list(struct store *store, uint64_t world, struct store_connection *reader,
                             struct fault *fault) {
    const enum result result = store_world_check(store, world, fault);
    return result == RESULT_OK ? store->engine->reader_begin(store, reader, fault) : result;
}

// ---- timelines -----------------------------------------------------------------------------------------------------

static bool fill_timeline(struct store_rows *statement, void *item) {
    struct store_timeline *timeline = item;
    const bool compacted = store_column(statement, 7) != 0;
    *timeline = (struct store_timeline){
        .timeline = (uint32_t)store_column(statement, 0),
        .origin = (enum store_origin)store_column(statement, 1),
        .parent_timeline = (uint32_t)store_column(statement, 2),
        .parent_sequence = store_column(statement, 3),
        .first_tick = compacted ? store_column(statement, 9) : store_column(statement, 4),
        .last_sequence = store_column(statement, 5),
        .last_tick = store_column(statement, 6),
        .compacted = compacted,
        .began_ms = store_column(statement, 10),
        .physics = (uint32_t)store_column(statement, 11),
    };
    timeline->entries = timeline->last_sequence - (compacted ? store_column(statement, 8) : 0);
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
    int code = STORE_SQL_OK;
    struct store_rows *statement =
        store_query(&reader, &code,
                    "SELECT timeline, origin, parent_timeline, parent_sequence, began_tick,"
                    " last_sequence, last_tick, folded, folded_sequence, folded_tick, began_ms,"
                    " physics"
                    " FROM timeline WHERE world=?1 ORDER BY timeline",
                    "u", world);
    result = collect(&reader, statement, code, &list, fill_timeline, fault);
    store->engine->reader_end(store, &reader);
    if (result != RESULT_OK) {
        free(list.items);
        return result;
    }
    *timelines = list.items;
    *count = list.count;
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

// ---- snapshots ------------------------------------------------------------------------------------------------------

static bool fill_snapshot(struct store_rows *statement, void *item) {
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
    int code = STORE_SQL_OK; // without snapshots that maintenance is to delete
    struct store_rows *statement =
        store_query(&reader, &code,
                    "SELECT timeline, tick, sequence, hash, saved_ms, length(bytes) FROM snapshot"
                    " WHERE world=?1 AND snapshot>=coalesce((SELECT max(snapshot) FROM sweep"
                    " WHERE world=?1), 0) ORDER BY snapshot",
                    "u", world);
    result = collect(&reader, statement, code, &list, fill_snapshot, fault);
    store->engine->reader_end(store, &reader);
    if (result != RESULT_OK) {
        free(list.items);
        return result;
    }
    *snapshots = list.items;
    *count = list.count;
    return RESULT_OK;
}

// ---- replies --------------------------------------------------------------------------------------------------------

void store_replies_free(struct store_reply *replies, uint32_t count) {
    for (uint32_t i = 0; replies != NULL && i < count; i++) {
        free(replies[i].request);
        free(replies[i].reply);
    }
    free(replies);
}

static bool fill_reply(struct store_rows *statement, void *item) {
    struct store_reply *reply = item;
    const char *request = store_column_text(statement, 0);
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
    int code = STORE_SQL_OK;
    struct store_rows *statement = store_query(&reader, &code,
                                               "SELECT request, bytes FROM reply WHERE world=?1 AND session=?2"
                                               " ORDER BY reply",
                                               "ut", world, session);
    result = collect(&reader, statement, code, &list, fill_reply, fault);
    store->engine->reader_end(store, &reader);
    if (result != RESULT_OK) {
        store_replies_free(list.items, list.count);
        return result;
    }
    *replies = list.items;
    *count = list.count;
    return RESULT_OK;
}
