// SPDX-License-Identifier: MIT
// The entries of a change among those that were logged without it, by tick and sequence number.
#include "host/history/redo.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/result.h"
#include "host/history/history.h"
#include "host/history/history_query.h"
#include "host/history/history_query_end.h"

#define CHUNK 512u // entries that are read at once

// ---- what may be given again -------------------------------------------------------------------------------------

static void free_one(struct redo *redo) {
    free(redo->places);
    free(redo);
}

void redo_forget(struct session *session) {
    while (session->redo != NULL) {
        redo_drop_newest(session);
    }
}

void redo_forget_all(struct world *world) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        redo_forget(&world->sessions[i]);
    }
}

void redo_drop_newest(struct session *session) {
    struct redo *newest = session->redo;
    if (newest != NULL) {
        session->redo = newest->older;
        free_one(newest);
    }
}

static void drop_oldest(struct session *session) {
    struct redo **place = &session->redo;
    for (uint32_t i = 0; *place != NULL && i < REDO_MAX; i++) {
        place = &(*place)->older;
    }
    if (*place != NULL) {
        free_one(*place);
        *place = NULL;
    }
}

void redo_keep(struct session *session, const struct redo *given) {
    struct redo *redo = malloc(sizeof *redo);
    if (redo == NULL) {
        free(given->places);
        redo_forget(session); // those before it need it
        return;
    }
    *redo = *given;
    redo->older = session->redo;
    session->redo = redo;
    drop_oldest(session);
}

enum result redo_begin(const struct session *session, struct history_query *past) {
    const struct redo *redo = session != NULL ? session->redo : NULL;
    if (redo == NULL) {
        return fault_set(&past->fault, RESULT_NOT_FOUND, "", "there is nothing to redo");
    }
    past->method = redo->method;
    past->whole_scene = redo->whole_scene;
    if (redo->whole_scene) {
        past->range.timeline = redo->timeline;
        past->range.tick = STORE_END;
        return RESULT_OK;
    }
    past->undone = malloc(redo->count * sizeof *past->undone);
    if (past->undone == NULL) {
        return fault_set(&past->fault, RESULT_MEMORY, "", "out of memory");
    }
    memcpy(past->undone, redo->places, redo->count * sizeof *past->undone);
    past->undone_count = redo->count;
    return RESULT_OK;
}

// ---- on the job thread ---------------------------------------------------------------------------------------

// A snapshot of the tick before the change's may hold what came after it in that tick, one of the tick before that
// cannot.
static enum result choose_snapshot(struct history_query *past) {
    const struct log_place *first = &past->undone[past->undone_count - 1];
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    past->range.tick = STORE_END;
    past->range.before_tick = first->tick > 2 ? first->tick - 2 : 0;
    if (past->range.before_tick > 0) {
        return RESULT_OK;
    }
    const enum result result =
        store_list_timelines(history_store(past->world), past->range.world, &timelines, &count, &past->fault);
    uint32_t root = past->range.timeline;
    for (uint32_t i = count; i-- > 0;) { // rising numbers, and a parent's is the lower one
        if (timelines[i].timeline == root && timelines[i].origin == STORE_ORIGIN_FORK) {
            root = timelines[i].parent_timeline;
        }
    }
    free(timelines);
    past->range.before_timeline = root; // with what it began
    past->range.before_sequence = 1;
    return result;
}

// The number of the simulation's next command before the entry was applied.
static uint32_t sequence_of(const struct store_logged *logged) {
    struct bytes_reader in = {.data = logged->entry.record.data, .length = logged->entry.record.size};
    return bytes_take_u32(&in);
}

static bool comes_before(const struct store_logged *a, const struct store_logged *b) {
    return a->entry.tick != b->entry.tick ? a->entry.tick < b->entry.tick : sequence_of(a) < sequence_of(b);
}

// Appends the change's entries, oldest first, to `redone`; each is the caller's from then on.
static enum result read_redone(struct history_query *past, struct store_logged *redone, uint32_t *count) {
    uint32_t left = past->undone_count;
    while (left > 0) {
        const struct log_place *next = &past->undone[left - 1];
        struct store_history *read = NULL;
        const enum result result = store_list_entries(history_store(past->world), past->range.world, next->timeline,
                                                      next->sequence, CHUNK, &read, &past->fault);
        if (result != RESULT_OK) {
            return result;
        }
        const uint32_t before = left;
        for (uint32_t i = 0; i < read->entry_count && left > 0; i++) {
            const struct log_place *place = &past->undone[left - 1];
            struct store_logged *logged = &read->entries[i];
            if (logged->timeline == place->timeline && logged->entry.sequence == place->sequence) {
                redone[(*count)++] = *logged;
                logged->entry.record.data = NULL;
                left--;
            }
        }
        store_history_free(read);
        if (left == before) {
            return fault_set(&past->fault, RESULT_NOT_FOUND, "", "the world's history no longer holds that change");
        }
    }
    return RESULT_OK;
}

// Both are in order already. Takes the entries.
static enum result merge(struct history_query *past, const struct store_logged *redone, uint32_t count) {
    struct store_history *history = past->history;
    struct store_logged *merged = malloc(((size_t)history->entry_count + count) * sizeof *merged);
    if (merged == NULL) {
        return fault_set(&past->fault, RESULT_MEMORY, "", "out of memory");
    }
    uint32_t at = 0, taken = 0;
    for (uint32_t i = 0; i < history->entry_count; i++) {
        while (taken < count && comes_before(&redone[taken], &history->entries[i])) {
            merged[at++] = redone[taken++];
        }
        merged[at++] = history->entries[i];
    }
    while (taken < count) {
        merged[at++] = redone[taken++];
    }
    free(history->entries);
    history->entries = merged;
    history->entry_count = at;
    return RESULT_OK;
}

enum result redo_read(struct history_query *past) {
    uint32_t count = 0;
    struct store_logged *redone = malloc(past->undone_count * sizeof *redone);
    if (redone == NULL) {
        return fault_set(&past->fault, RESULT_MEMORY, "", "out of memory");
    }
    enum result result = choose_snapshot(past);
    if (result == RESULT_OK) {
        result = store_read(history_store(past->world), &past->range, &past->history, &past->fault);
    }
    if (result == RESULT_OK) {
        history_query_cut_end(past);
        result = read_redone(past, redone, &count);
    }
    if (result == RESULT_OK) {
        result = merge(past, redone, count);
    }
    for (uint32_t i = 0; result != RESULT_OK && i < count; i++) {
        free((void *)redone[i].entry.record.data);
    }
    free(redone);
    return result;
}
