// SPDX-License-Identifier: MIT
// Finding a client's last change in the log, backwards and across timelines, and reading the way to a moment.
//
// A grab counts as one change from its start to its end, with all its moves. Stopping and starting the clock is none.
#include "host/history/history_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/job_thread.h"
#include "base/result.h"
#include "engine/world/opposite.h"
#include "engine/world/tick_record.h"
#include "host/history/history.h"
#include "host/history/history_query_end.h"
#include "host/history/redo.h"
#include "host/run/scheduler.h"
#include "host/world/hold.h"

#define CHUNK 512u          // entries that are read at once
#define SEARCHED_MAX 50000u // entries that are looked at
#define UNDONE_MAX 20000u   // entries that one change may consist of

void history_query_free(struct history_query *past) {
    if (past != NULL) {
        store_history_free(past->history);
        free(past->undone);
        free(past->sorted);
        free(past);
    }
}

static int compare_places(const void *a, const void *b) {
    const struct log_place *first = a, *second = b;
    if (first->timeline != second->timeline) {
        return first->timeline < second->timeline ? -1 : 1;
    }
    return first->sequence < second->sequence ? -1 : first->sequence > second->sequence ? 1 : 0;
}

static enum result sort_undone(struct history_query *past) {
    past->sorted = malloc(((size_t)past->undone_count + 1) * sizeof *past->sorted);
    if (past->sorted == NULL) {
        return fault_set(&past->fault, RESULT_MEMORY, "", "out of memory");
    }
    if (past->undone_count > 0) {
        memcpy(past->sorted, past->undone, past->undone_count * sizeof *past->sorted);
        qsort(past->sorted, past->undone_count, sizeof *past->sorted, compare_places);
    }
    return RESULT_OK;
}

// ---- the last change ---------------------------------------------------------------------------------------------

struct search {
    struct history_query *past;
    uint32_t grab; // whose start is looked for, 0: none
    bool found;    // all of it
    uint32_t looked_at;
};

bool history_query_is_own(const struct history_query *past, const struct store_entry *entry) {
    const bool named = past->key[0] != '\0' && entry->session != NULL && strcmp(entry->session, past->key) == 0;
    return named || (entry->client != 0 && entry->client == past->client);
}

static void add_row(struct lost *lost, const struct lost_row *found) {
    for (uint32_t i = 0; i < lost->row_count; i++) {
        struct lost_row *row = &lost->rows[i];
        if (row->client == found->client && row->method == found->method && row->object == found->object) {
            row->count++;
            row->tick = found->tick < row->tick ? found->tick : row->tick;
            return;
        }
    }
    if (lost->row_count < LOST_ROWS_MAX) {
        lost->rows[lost->row_count++] = *found;
    }
}

enum result history_query_note_lost(const struct history_query *past, struct lost *lost,
                                    const struct store_logged *logged) {
    struct proto_request *request = NULL;
    struct fault fault;
    uint32_t sequence = 0;
    lost->entries++;
    if (logged->entry.kind != RECORD_COMMAND || history_query_is_own(past, &logged->entry)) {
        return RESULT_OK;
    }
    const struct engine_record record = history_record(&logged->entry);
    const enum result result = engine_read_command(&record, &sequence, &request, &fault);
    if (result != RESULT_OK) {
        return result;
    }
    const enum proto_method method = request->command.method;
    if (!proto_methods[method].clock && method != PROTO_METHOD_GRAB_MOVE && method != PROTO_METHOD_GRAB_END) {
        const struct lost_row row = {.client = logged->entry.client,
                                     .method = method,
                                     .object = command_object_of(&request->command),
                                     .count = 1,
                                     .tick = logged->entry.tick};
        add_row(lost, &row);
        lost->of_others++;
    }
    proto_request_destroy(request);
    return RESULT_OK;
}

static enum result add(struct search *search, const struct store_logged *logged) {
    struct history_query *past = search->past;
    if (past->undone_count == UNDONE_MAX) {
        return fault_set(&past->fault, RESULT_LIMIT, "", "the last change consists of more than %u commands",
                         UNDONE_MAX);
    }
    struct log_place *grown = array_grow(past->undone, past->undone_count, sizeof *grown);
    if (grown == NULL) {
        return fault_set(&past->fault, RESULT_MEMORY, "", "out of memory");
    }
    past->undone = grown;
    grown[past->undone_count++] = (struct log_place){logged->timeline, logged->entry.sequence, logged->entry.tick};
    return RESULT_OK;
}

// The grab that a command of a hand is about; 0: none.
static uint32_t grab_of(const struct proto_command *command, uint32_t sequence) {
    switch (command->method) {
    case PROTO_METHOD_GRAB_START:
        return sequence + 1; // its id is the number of the command that made it
    case PROTO_METHOD_GRAB_MOVE:
        return ((const struct proto_grab_move *)command->params)->grab;
    case PROTO_METHOD_GRAB_END:
        return ((const struct proto_grab_end *)command->params)->grab;
    default:
        return 0;
    }
}

static enum result consider_command(struct search *search, const struct store_logged *logged,
                                    const struct proto_command *command, uint32_t sequence) {
    struct history_query *past = search->past;
    const uint32_t grab = grab_of(command, sequence);
    if (proto_methods[command->method].clock || (search->grab != 0 && grab != search->grab)) {
        return RESULT_OK;
    }
    if (search->grab == 0) {
        past->method = command->method;
    }
    search->grab = grab;
    search->found = grab == 0 || command->method == PROTO_METHOD_GRAB_START;
    return add(search, logged);
}

static enum result consider(struct search *search, const struct store_logged *logged) {
    struct history_query *past = search->past;
    search->looked_at++;
    if (past->scene ? logged->entry.kind != RECORD_SCENE : !history_query_is_own(past, &logged->entry)) {
        return history_query_note_lost(past, &past->lost, logged); // if it turns out to be a whole scene
    }
    if (logged->entry.kind == RECORD_SCENE && search->grab == 0) {
        past->method = PROTO_METHOD_SCENE_LOAD;
        past->whole_scene = true;
        past->scene_timeline = logged->timeline;
        search->found = true;
        return add(search, logged);
    }
    struct proto_request *request = NULL;
    uint32_t sequence = 0;
    if (logged->entry.kind != RECORD_COMMAND) {
        return RESULT_OK;
    }
    const struct engine_record record = history_record(&logged->entry);
    enum result result = engine_read_command(&record, &sequence, &request, &past->fault);
    if (result == RESULT_OK) {
        result = consider_command(search, logged, &request->command, sequence);
        proto_request_destroy(request);
    }
    return result;
}

// Backwards through one timeline from this entry.
static enum result search_timeline(struct search *search, uint32_t timeline, uint64_t last) {
    struct history_query *past = search->past;
    struct store *store = history_store(past->world);
    enum result result = RESULT_OK;
    while (result == RESULT_OK && last > 0 && !search->found && search->looked_at < SEARCHED_MAX) {
        const uint64_t from = last > CHUNK ? last - CHUNK + 1 : 1;
        struct store_history *entries = NULL;
        result = store_list_entries(store, past->range.world, timeline, from, CHUNK, &entries, &past->fault);
        if (result != RESULT_OK) {
            break;
        }
        for (uint32_t i = entries->entry_count; i-- > 0 && result == RESULT_OK && !search->found;) {
            if (entries->entries[i].entry.sequence <= last) {
                result = consider(search, &entries->entries[i]);
            }
        }
        store_history_free(entries);
        last = from - 1;
    }
    return result;
}

static enum result find_undone(struct history_query *past) {
    struct search search = {.past = past};
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    enum result result =
        store_list_timelines(history_store(past->world), past->range.world, &timelines, &count, &past->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_timeline *at = store_find_timeline(timelines, count, past->range.timeline);
    uint64_t last = at != NULL ? at->last_sequence : 0;
    last = last < past->end_sequence ? last : past->end_sequence;
    while (result == RESULT_OK && at != NULL && !search.found) {
        result = search_timeline(&search, at->timeline, last);
        last = at->parent_sequence;
        at = store_find_parent(timelines, count, at);
    }
    free(timelines);
    if (result == RESULT_OK && past->undone_count == 0) {
        result = fault_set(&past->fault, RESULT_NOT_FOUND, "",
                           past->scene ? "there is no reset and no scene in the world's history"
                                       : "you have no change to undo in the world's history");
    }
    return result;
}

// Notes the commands that are lost with a scene that is taken back: those of the timelines after the scene's.
static enum result find_lost_since(struct history_query *past, uint32_t current) {
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    struct store *store = history_store(past->world);
    enum result result = store_list_timelines(store, past->range.world, &timelines, &count, &past->fault);
    const struct store_timeline *at = result == RESULT_OK ? store_find_timeline(timelines, count, current) : NULL;
    for (uint64_t last = STORE_END; at != NULL && at->timeline > past->range.timeline && result == RESULT_OK;) {
        const uint64_t end = last < at->last_sequence ? last : at->last_sequence;
        for (uint64_t from = 1; from <= end && result == RESULT_OK; from += CHUNK) {
            struct store_history *read = NULL;
            result = store_list_entries(store, past->range.world, at->timeline, from, CHUNK, &read, &past->fault);
            for (uint32_t i = 0; result == RESULT_OK && i < read->entry_count; i++) {
                if (read->entries[i].entry.sequence <= end) {
                    result = history_query_note_lost(past, &past->lost, &read->entries[i]);
                }
            }
            store_history_free(read);
        }
        last = at->parent_sequence;
        at = store_find_parent(timelines, count, at);
    }
    free(timelines);
    return result;
}

// The way to the end, from a snapshot without what is to be undone.
static enum result query_undone(struct history_query *past) {
    const struct log_place *first = &past->undone[past->undone_count - 1];
    past->range.tick = STORE_END;
    if (past->whole_scene) {
        if (first->timeline <= 1) {
            return fault_set(&past->fault, RESULT_NOT_FOUND, "", "the world began with this scene");
        }
        past->range.timeline = first->timeline - 1; // what went on until the scene came
    } else {
        past->range.before_timeline = first->timeline;
        past->range.before_sequence = first->sequence;
    }
    return RESULT_OK;
}

// ---- an interval -------------------------------------------------------------------------------------------------

static enum result not_there(struct history_query *past, const char *pointer, uint64_t tick) {
    return fault_set(&past->fault, RESULT_NOT_FOUND, pointer,
                     "tick %llu is not in the history: that of timeline %u holds ticks %llu to %llu",
                     (unsigned long long)tick, past->range.timeline, (unsigned long long)past->first,
                     (unsigned long long)past->last);
}

// The way to its tick, from a snapshot that holds nothing that was done there later.
static enum result query_interval(struct history_query *past) {
    struct store_timeline *timelines = NULL;
    uint32_t count = 0;
    enum result result =
        store_list_timelines(history_store(past->world), past->range.world, &timelines, &count, &past->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_timeline *at = store_find_timeline(timelines, count, past->range.timeline);
    past->last = at != NULL ? at->last_tick : 0;
    uint32_t root = 0;
    uint64_t kept_from = 0; // the first entry of the root that is kept
    for (; at != NULL; at = store_find_parent(timelines, count, at)) {
        root = at->timeline;
        kept_from = at->last_sequence - at->entries + 1;
        past->first = at->first_tick;
        if (at->compacted) {
            break;
        }
    }
    free(timelines);
    if (root == 0) {
        return fault_set(&past->fault, RESULT_NOT_FOUND, "/timeline", "there is no timeline %u in this world",
                         past->range.timeline);
    }
    if (past->from < past->first || past->from > past->last) {
        return not_there(past, past->tick == past->from && past->to == past->from ? "/tick" : "/from", past->from);
    }
    if (past->tick > past->last || (past->to != STORE_END && past->to > past->last)) {
        return past->tick > past->last ? not_there(past, "/tick", past->tick) : not_there(past, "/to", past->to);
    }
    const uint64_t to = past->to == STORE_END ? past->last : past->to;
    const uint64_t most = past->last - past->tick;
    past->range.tick = past->ahead == STORE_END ? to : past->tick + (past->ahead < most ? past->ahead : most);
    past->range.bounded = true;
    past->range.before_tick = past->tick > past->first ? past->tick - 1 : past->first;
    if (past->tick == past->first) {
        past->range.before_timeline = root;
        past->range.before_sequence = kept_from;
    }
    return RESULT_OK;
}

static enum result read_change(struct history_query *past) {
    enum result result = past->undo ? find_undone(past) : RESULT_OK;
    if (result == RESULT_OK && past->undo) {
        result = query_undone(past);
    }
    if (result == RESULT_OK && past->redo && !past->whole_scene) {
        return redo_read(past);
    }
    if (result == RESULT_OK && past->redo) {
        result = find_lost_since(past, past->current);
    }
    if (result == RESULT_OK) {
        result = store_read(history_store(past->world), &past->range, &past->history, &past->fault);
    }
    if (result == RESULT_OK && !past->whole_scene) {
        history_query_cut_end(past);
    }
    return result;
}

void history_query_run(struct thread_job *job) {
    struct history_query *past = (struct history_query *)job;
    struct world *world = past->world;
    if (past->undo || past->redo) {
        past->result = read_change(past);
        if (past->result == RESULT_OK) {
            past->result = sort_undone(past);
        }
    } else {
        past->result = past->interval ? query_interval(past) : RESULT_OK;
        if (past->result == RESULT_OK) {
            past->result = store_read(history_store(world), &past->range, &past->history, &past->fault);
        }
    }
    atomic_store(past->arrived, past);
    scheduler_wake(world->scheduler, world->task);
    world_let_go(world);
}

bool history_query_is_undone(const struct history_query *past, const struct store_logged *logged) {
    const struct log_place place = {.timeline = logged->timeline, .sequence = logged->entry.sequence};
    return past->sorted != NULL &&
           bsearch(&place, past->sorted, past->undone_count, sizeof place, compare_places) != NULL;
}
