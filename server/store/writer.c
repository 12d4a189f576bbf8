// SPDX-License-Identifier: MIT
// Writing: all posts of a commit in one transaction. What fails leaves nothing of it behind.
#include <sqlite3.h>
#include <string.h>

#include "store/store_internal.h"

int store_begin_transaction(struct store *store) {
    return store_execute(&store->connection, "BEGIN IMMEDIATE", "");
}

// Counts the commit and writes the count into the mark, so the commit may be acknowledged after this.
int store_commit_transaction(struct store *store) {
    int code = store_execute(&store->connection, "UPDATE commits SET count=?1, ran_ms=?2", "uu", store->commits + 1,
                             store_ran_ms(store));
    if (code == SQLITE_OK) {
        code = store_execute(&store->connection, "COMMIT", "");
    }
    if (code == SQLITE_OK) {
        store->commits++;
        store->commit_ms = store_monotonic_us() / 1000;
        store_mark_note(store);
    }
    return code;
}

void store_rollback(struct store *store) {
    if (store->connection.db != NULL && sqlite3_get_autocommit(store->connection.db) == 0) {
        (void)sqlite3_exec(store->connection.db, "ROLLBACK", NULL, NULL, NULL); // for some errors SQLite has done so
    }
}

// ---- one post
// ------------------------------------------------------------------------------------------------------------------

static const char *take_text(const unsigned char **at, uint32_t length) {
    if (length == UINT32_MAX) {
        return NULL;
    }
    const char *text = (const char *)*at;
    *at += (size_t)length + 1;
    return text;
}

// An entry of a post, as it was given.
static struct store_entry unpack(const struct store_post_entry *head) {
    const unsigned char *at = (const unsigned char *)(head + 1);
    struct store_entry entry = {
        .tick = head->tick, .sequence = head->sequence, .kind = head->kind, .client = head->client};
    entry.session = take_text(&at, head->session_length);
    entry.request = take_text(&at, head->request_length);
    entry.reply = take_text(&at, head->reply_length);
    entry.reply_length = entry.reply == NULL ? 0 : head->reply_length;
    entry.record = (struct store_bytes){at, head->record_length};
    return entry;
}

static int write_reply(struct store *store, uint64_t world, const struct store_entry *entry) {
    const struct store_bytes bytes = {entry->reply, entry->reply_length};
    int code = store_execute(&store->connection,
                             "INSERT OR IGNORE INTO reply(world, session, request, saved_ms, bytes)"
                             " VALUES(?1,?2,?3,?4,?5)",
                             "uttub", world, entry->session, entry->request, store_ran_ms(store), bytes);
    if (code != SQLITE_OK) {
        return code;
    }
    return store_execute(
        &store->connection,
        "DELETE FROM reply WHERE world=?1 AND session=?2 AND reply<="
        "(SELECT reply FROM reply WHERE world=?1 AND session=?2 ORDER BY reply DESC LIMIT 1 OFFSET ?3)",
        "utu", world, entry->session, (uint64_t)STORE_REPLIES_MAX);
}

static int write_entry(struct store *store, const struct store_post *post, const struct store_entry *entry) {
    if (entry->sequence > 0) {
        const struct store_logged logged = {.timeline = post->timeline, .entry = *entry, .saved_ms = post->saved_ms};
        int code = store_execute(&store->connection, "INSERT INTO entry VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                                 "uuuuuuttubu", post->world, (uint64_t)post->timeline, entry->sequence, entry->tick,
                                 (uint64_t)entry->kind, (uint64_t)entry->client, entry->session, entry->request,
                                 post->saved_ms, entry->record, store_entry_checksum(post->world, &logged));
        if (code != SQLITE_OK) {
            return code;
        }
    }
    return entry->reply == NULL ? SQLITE_OK : write_reply(store, post->world, entry);
}

static int write_hash(struct store *store, uint64_t world, const struct store_hash *hash) {
    return store_execute(&store->connection, "INSERT OR REPLACE INTO hash VALUES(?1,?2,?3,?4,?5,?6)", "uuuuuu", world,
                         (uint64_t)hash->timeline, hash->tick, hash->sequence, hash->hash,
                         store_hash_checksum(world, hash));
}

static int write_snapshot(struct store *store, uint64_t world, struct store_packed *packed) {
    if (!store_snapshot_compress(packed)) {
        return SQLITE_NOMEM;
    }
    const struct store_snapshot *head = &packed->head;
    const struct store_hash hash = {head->timeline, head->tick, head->sequence, head->hash};
    int code = store_execute(&store->connection,
                             "INSERT INTO snapshot(world, timeline, tick, sequence, hash, version, saved_ms,"
                             " state_size, extra_size, checksum, bytes) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
                             "uuuuuuuuuub", world, (uint64_t)head->timeline, head->tick, head->sequence, head->hash,
                             (uint64_t)head->version, head->saved_ms, packed->state_size, packed->extra_size,
                             store_snapshot_checksum(world, packed), packed->bytes);
    return code == SQLITE_OK ? write_hash(store, world, &hash) : code;
}

static void reach(struct store_timeline_row *row, uint64_t tick) {
    row->last_tick = tick > row->last_tick ? tick : row->last_tick;
}

static int write_entries(struct store *store, const struct store_post *post, struct store_timeline_row *row) {
    const unsigned char *at = (const unsigned char *)(post + 1);
    int code = SQLITE_OK;
    for (uint32_t i = 0; i < post->count && code == SQLITE_OK; i++) {
        const struct store_post_entry *head = (const struct store_post_entry *)(const void *)at;
        const struct store_entry entry = unpack(head);
        code = write_entry(store, post, &entry);
        if (entry.sequence > 0) {
            row->last_sequence = entry.sequence;
            reach(row, entry.tick - 1); // it was made after that tick
        }
        at += head->size;
    }
    return code;
}

static int write_content(struct store *store, const struct store_post *post, struct store_timeline_row *row) {
    if (post->kind == STORE_POST_APPEND) {
        return write_entries(store, post, row);
    }
    if (post->kind == STORE_POST_MARK) {
        const struct store_hash hash = {post->timeline, post->tick, post->sequence, post->hash};
        reach(row, post->tick);
        return write_hash(store, post->world, &hash);
    }
    if (post->snapshot == NULL) {
        return SQLITE_OK; // BEGIN, from empty
    }
    reach(row, post->snapshot->head.tick);
    return write_snapshot(store, post->world, post->snapshot);
}

static struct store_timeline_row begin_row(const struct store_post *post) {
    const struct store_beginning *beginning = &post->beginning;
    return (struct store_timeline_row){
        .world = post->world,
        .timeline = post->timeline,
        .origin = beginning->origin,
        .parent_timeline = beginning->origin == STORE_ORIGIN_FORK ? beginning->parent_timeline : 0,
        .parent_sequence = beginning->origin == STORE_ORIGIN_FORK ? beginning->parent_sequence : 0,
        .began_tick = beginning->tick,
        .began_ms = post->saved_ms,
        .last_tick = beginning->tick,
        .physics = beginning->physics,
    };
}

static enum result write_post(struct store *store, const struct store_post *post, struct fault *fault) {
    struct store_timeline_row row = begin_row(post);
    if (post->kind != STORE_POST_BEGIN) {
        enum result result = store_timeline_load(&store->connection, post->world, post->timeline, &row, fault);
        if (result != RESULT_OK) {
            return result == RESULT_NOT_FOUND
                       ? fault_set(fault, RESULT_DAMAGED, "", "timeline %u is missing", post->timeline)
                       : result;
        }
    }
    int code = write_content(store, post, &row);
    if (code == SQLITE_OK) {
        code = store_timeline_keep(&store->connection, &row);
    }
    return code == SQLITE_OK ? RESULT_OK : store_sql_fault(fault, store->connection.db, code, "writing to the store");
}

// ---- all
// -----------------------------------------------------------------------------------------------------------------------

static enum result write_posts(struct store *store, const struct store_posts *posts, struct fault *fault) {
    for (struct store_post *post = NULL; (post = store_posts_next(posts, post)) != NULL;) {
        post->result = store_world_known(store, post->world) ? RESULT_OK : RESULT_NOT_FOUND;
        if (post->result != RESULT_OK) {
            continue; // removed since it was posted
        }
        enum result result = write_post(store, post, fault);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

enum result store_write(struct store *store, const struct store_posts *posts, struct fault *fault) {
    int code = store_begin_transaction(store);
    enum result result = RESULT_OK;
    if (code == SQLITE_OK) {
        result = write_posts(store, posts, fault);
    }
    if (code == SQLITE_OK && result == RESULT_OK) {
        code = store_commit_transaction(store);
    }
    if (code != SQLITE_OK) {
        result = store_sql_fault(fault, store->connection.db, code, "writing to the store");
    }
    if (result != RESULT_OK) {
        store_rollback(store);
    }
    return result;
}
