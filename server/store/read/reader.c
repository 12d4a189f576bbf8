// SPDX-License-Identifier: MIT
// The way to a moment has a leg in each timeline that it uses. Back from the moment: to the newest intact snapshot,
// else to the beginning of the timeline, else on into its parent. Then forward: the entries of each leg, each checked,
// none missing. A damaged snapshot costs time; a damaged entry ends the reading with a report.
#include "store/read/reader.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "base/array.h"
#include "store/database/connect.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/read/history_rows.h"
#include "store/state.h"
#include "store/write/world_log.h"

#define WAY_MAX 65536u // timelines forked from one another

typedef unsigned long long ull;

// A piece of the way: entries of one timeline, (from, upto], of at most some tick. Its state goes up to the tick
// `reached`, where the next leg begins.
struct leg {
    struct store_timeline_row row;
    uint64_t from, upto, tick, reached;
};

struct way {
    struct store_connection *reader;
    uint64_t world;
    struct leg *legs; // the newest first
    uint32_t count;
    struct store_history *history;
    struct fault *fault;
};

static enum result sql_fault(const struct way *way, int code) {
    return store_sql_fault(way->fault, way->reader->db, code, "reading the history");
}

// ---- back: a place to begin -----------------------------------------------------------------------------------------

// Whether the snapshot of that row may hold nothing that comes after the tick of the leg.
static enum result check_candidate(const struct way *way, const struct leg *leg, uint64_t tick, uint64_t sequence,
                                   bool *fits) {
    uint64_t last = 0;
    bool found = false;
    *fits = true;
    if (tick < leg->tick || sequence == 0) {
        return RESULT_OK;
    }
    int code =
        store_fetch(way->reader, &last, &found, "SELECT tick FROM entry WHERE world=?1 AND timeline=?2 AND sequence=?3",
                    "uuu", way->world, (uint64_t)leg->row.timeline, sequence);
    *fits = !found || last <= leg->tick; // it was applied while the clock stood still
    return code == SQLITE_OK ? RESULT_OK : sql_fault(way, code);
}

static enum result try_candidate(struct way *way, struct leg *leg, sqlite3_stmt *row, bool *found) {
    struct fault why = {0};
    bool fits = false;
    enum result result = check_candidate(way, leg, store_column(row, 1), store_column(row, 2), &fits);
    if (result != RESULT_OK || !fits) {
        return result;
    }
    struct store_snapshot snapshot = {0};
    result = store_snapshot_load(way->reader, store_column(row, 0), &snapshot, &why);
    if (result == RESULT_OK && snapshot.timeline != leg->row.timeline) {
        free((void *)snapshot.state.data);
        result = fault_set(&why, RESULT_DAMAGED, "", "a snapshot is of another timeline");
    }
    if (result == RESULT_DAMAGED) {
        way->history->passed_over++;
        way->history->last_why = why;
        return RESULT_OK;
    }
    if (result == RESULT_OK) {
        *found = true;
        way->history->snapshot = snapshot;
        leg->from = snapshot.sequence;
    } else if (way->fault != NULL) {
        *way->fault = why;
    }
    return result;
}

// The newest intact snapshot on the leg; its sequence number is below `below`, its tick at most `latest`.
static enum result find_snapshot(struct way *way, struct leg *leg, uint64_t below, uint64_t latest, bool *found) {
    int code = SQLITE_OK;
    sqlite3_stmt *row = store_query(way->reader, &code,
                                    "SELECT snapshot, tick, sequence FROM snapshot INDEXED BY snapshot_by_world"
                                    " WHERE world=?1 AND timeline=?2 AND tick<=?3 AND sequence<=?4 AND sequence<?5"
                                    " ORDER BY snapshot DESC",
                                    "uuuuu", way->world, (uint64_t)leg->row.timeline, latest, leg->upto, below);
    if (row == NULL) {
        return sql_fault(way, code);
    }
    enum result result = RESULT_OK;
    while (result == RESULT_OK && !*found && (code = sqlite3_step(row)) == SQLITE_ROW) {
        result = try_candidate(way, leg, row, found);
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != SQLITE_OK ? sql_fault(way, code) : result;
}

static uint64_t first_tick(const struct store_timeline_row *row) {
    return row->compacted ? row->compacted_tick : row->began_tick;
}

static enum result not_there(const struct way *way, const struct store_timeline_row *row, uint64_t tick) {
    return fault_set(way->fault, RESULT_NOT_FOUND, "/tick",
                     "tick %llu is not in the history: that of timeline %u holds ticks %llu to %llu", (ull)tick,
                     row->timeline, (ull)first_tick(row), (ull)row->last_tick);
}

static enum result no_beginning(const struct way *way, const struct leg *leg, uint64_t tick) {
    if (way->history->passed_over == 0 && tick < first_tick(&leg->row)) {
        return not_there(way, &leg->row, tick);
    }
    return fault_set(way->fault, RESULT_DAMAGED, "/tick",
                     "timeline %u has no intact snapshot up to tick %llu, where its history begins (%u damaged)%s%s",
                     leg->row.timeline, (ull)tick, way->history->passed_over, way->history->passed_over > 0 ? ": " : "",
                     way->history->passed_over > 0 ? way->history->last_why.message : "");
}

static enum result add_leg(struct way *way, const struct leg *leg) {
    struct leg *legs = array_grow(way->legs, way->count, sizeof *legs);
    if (legs == NULL) {
        return fault_set(way->fault, RESULT_MEMORY, "", "out of memory for the history");
    }
    way->legs = legs;
    legs[way->count++] = *leg;
    return RESULT_OK;
}

// From a leg to the one before it, in the timeline that this one was forked from.
static enum result go_to_parent(struct way *way, struct leg *leg, uint64_t latest) {
    const struct leg child = *leg;
    const uint64_t began_tick = child.row.began_tick;
    enum result result =
        child.row.parent_timeline > 0 && child.row.parent_timeline < child.row.timeline
            ? store_timeline_load(way->reader, way->world, child.row.parent_timeline, &leg->row, way->fault)
            : RESULT_NOT_FOUND;
    if (result == RESULT_NOT_FOUND) {
        return no_beginning(way, &child, latest);
    }
    leg->from = 0;
    leg->upto = child.row.parent_sequence;
    leg->reached = child.reached < began_tick ? child.reached : began_tick;
    return result;
}

// One leg; `more` when the way goes on in its parent, of which `leg` is then the next.
static enum result go_back(struct way *way, struct leg *leg, uint64_t below, uint64_t before_tick, bool *more) {
    bool found = false;
    const uint64_t latest = before_tick < leg->reached ? before_tick : leg->reached;
    enum result result = find_snapshot(way, leg, below, latest, &found);
    *more = false;
    if (result != RESULT_OK) {
        return result;
    }
    if (!found && (leg->row.compacted || leg->row.origin == STORE_ORIGIN_SNAPSHOT)) {
        return no_beginning(way, leg, latest);
    }
    if (way->history->newest_physics < leg->row.physics) {
        way->history->newest_physics = leg->row.physics;
    }
    way->history->physics = leg->row.physics; // the last leg that is looked at is the one that the way begins with
    way->history->from_empty = !found && leg->row.origin == STORE_ORIGIN_EMPTY;
    *more = !found && leg->row.origin == STORE_ORIGIN_FORK;
    result = add_leg(way, leg);
    return *more && result == RESULT_OK ? go_to_parent(way, leg, latest) : result;
}

static enum result find_beginning(struct way *way, const struct store_query *query) {
    struct leg leg = {.upto = UINT64_MAX >> 1, .tick = query->tick};
    enum result result = store_timeline_load(way->reader, way->world, query->timeline, &leg.row, way->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const uint64_t last = leg.row.last_tick;
    if (query->tick != STORE_END && query->tick > last) {
        return not_there(way, &leg.row, query->tick);
    }
    way->history->tick = query->tick == STORE_END ? last : query->tick;
    leg.tick = leg.reached = query->tick == STORE_END ? UINT64_MAX >> 1 : query->tick;
    const uint64_t before_tick = query->before_tick == 0 && !query->bounded ? leg.tick : query->before_tick;
    const uint32_t named = query->before_timeline != 0 ? query->before_timeline : leg.row.timeline;
    bool passed = query->before_sequence == 0; // the timeline of that entry
    for (bool more = true; more && result == RESULT_OK;) {
        uint64_t below = passed ? UINT64_MAX >> 1 : 0; // what was forked from it contains it, its parents do not
        if (!passed && leg.row.timeline == named) {
            below = query->before_sequence;
            passed = true;
        }
        result = way->count < WAY_MAX
                     ? go_back(way, &leg, below, before_tick, &more)
                     : fault_set(way->fault, RESULT_DAMAGED, "", "the timelines are forked without end");
    }
    return result;
}

// ---- forward: entries -----------------------------------------------------------------------------------------------

static enum result damaged(const struct way *way, const struct leg *leg, uint64_t sequence, uint64_t tick,
                           const char *how) {
    return fault_set(way->fault, RESULT_DAMAGED, "/tick",
                     "the log is damaged: command %llu of timeline %u, after tick %llu, %s", (ull)sequence,
                     leg->row.timeline, (ull)tick, how);
}

// One row into the history, if it is on the leg; `ended` when it lies behind.
static enum result add_entry(struct way *way, const struct leg *leg, sqlite3_stmt *row, uint64_t expected,
                             uint64_t *tick, bool *ended) {
    struct store_logged logged = {0};
    uint64_t checksum = 0;
    enum result result = store_entry_copy(row, &logged, &checksum, way->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const bool intact = checksum == store_entry_checksum(way->world, &logged);
    if (!intact || logged.entry.sequence != expected || logged.entry.tick < *tick) {
        free((void *)logged.entry.record.data);
        return damaged(way, leg, expected, *tick,
                       !intact                             ? "does not have its checksum"
                       : logged.entry.sequence != expected ? "is missing"
                                                           : "goes back in time");
    }
    *ended = logged.entry.tick > leg->tick;
    if (*ended) {
        free((void *)logged.entry.record.data);
        return RESULT_OK;
    }
    *tick = logged.entry.tick;
    return store_history_add(way->history, &logged, way->fault);
}

// The entries of one leg, at most `most`; none is missing.
static enum result read_entries(struct way *way, const struct leg *leg, uint32_t most) {
    int code = SQLITE_OK;
    sqlite3_stmt *row = store_query(way->reader, &code,
                                    "SELECT timeline, sequence, tick, kind, client, session, request, saved_ms, record,"
                                    " checksum FROM entry WHERE world=?1 AND timeline=?2 AND sequence>?3"
                                    " ORDER BY sequence",
                                    "uuu", way->world, (uint64_t)leg->row.timeline, leg->from);
    if (row == NULL) {
        return sql_fault(way, code);
    }
    const uint64_t last = leg->upto < leg->row.last_sequence ? leg->upto : leg->row.last_sequence;
    uint64_t expected = leg->from + 1, tick = 0;
    bool ended = false;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && !ended && expected <= last && most > 0 && (code = sqlite3_step(row)) == SQLITE_ROW) {
        result = add_entry(way, leg, row, expected, &tick, &ended);
        expected += ended ? 0 : 1;
        most--;
    }
    if (result == RESULT_OK && code == SQLITE_DONE) {
        result = damaged(way, leg, expected, tick, "is missing");
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != SQLITE_OK ? sql_fault(way, code) : result;
}

// ---- forward: hashes ------------------------------------------------------------------------------------------------

static enum result read_hashes(struct way *way, const struct leg *leg, uint64_t from_tick, uint64_t upto_sequence) {
    int code = SQLITE_OK;
    sqlite3_stmt *row = store_query(way->reader, &code,
                                    "SELECT tick, sequence, hash, checksum FROM hash WHERE world=?1 AND timeline=?2 AND"
                                    " tick BETWEEN ?3 AND ?4 AND sequence BETWEEN ?5 AND ?6 ORDER BY tick, sequence",
                                    "uuuuuu", way->world, (uint64_t)leg->row.timeline, from_tick, leg->reached,
                                    leg->from, upto_sequence);
    if (row == NULL) {
        return sql_fault(way, code);
    }
    enum result result = RESULT_OK;
    while (result == RESULT_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        const struct store_hash hash = {leg->row.timeline, store_column(row, 0), store_column(row, 1),
                                        store_column(row, 2)};
        result = store_column(row, 3) == store_hash_checksum(way->world, &hash)
                     ? store_history_add_hash(way->history, &hash, way->fault)
                     : fault_set(way->fault, RESULT_DAMAGED, "/tick",
                                 "the log is damaged: the hash of tick %llu of timeline %u does not have its checksum",
                                 (ull)hash.tick, hash.timeline);
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != SQLITE_OK ? sql_fault(way, code) : result;
}

static enum result go_forward(struct way *way) {
    enum result result = RESULT_OK;
    for (uint32_t i = way->count; i-- > 0 && result == RESULT_OK;) {
        const struct leg leg = way->legs[i];
        const uint32_t before = way->history->entry_count;
        result = read_entries(way, &leg, UINT32_MAX);
        if (result == RESULT_OK) {
            const uint64_t from_tick = i + 1 == way->count ? way->history->snapshot.tick : 0;
            result = read_hashes(way, &leg, from_tick, leg.from + (way->history->entry_count - before));
        }
    }
    return result;
}

// ---- both -----------------------------------------------------------------------------------------------------------

static enum result begin_way(struct store *store, uint64_t world, struct store_connection *reader, struct way *way,
                             struct fault *fault) {
    enum result result = store_world_check(store, world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct store_history *history = calloc(1, sizeof *history);
    if (history == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for the history");
    }
    result = store_reader_begin(store, reader, fault);
    if (result != RESULT_OK) {
        free(history);
        return result;
    }
    *way = (struct way){.reader = reader, .world = world, .history = history, .fault = fault};
    return RESULT_OK;
}

static enum result end_way(struct store *store, struct way *way, enum result result, struct store_history **history) {
    store_reader_end(store, way->reader);
    free(way->legs);
    if (result == RESULT_OK) {
        *history = way->history;
    } else {
        store_history_free(way->history);
    }
    return result;
}

enum result store_read(struct store *store, const struct store_query *query, struct store_history **history,
                       struct fault *fault) {
    struct store_connection reader = {0};
    struct way way = {0};
    enum result result = begin_way(store, query->world, &reader, &way, fault);
    if (result != RESULT_OK) {
        return result;
    }
    assert(way.reader != NULL && way.history != NULL);
    result = find_beginning(&way, query);
    if (result == RESULT_OK) {
        result = go_forward(&way);
    }
    return end_way(store, &way, result, history);
}

enum result store_list_entries(struct store *store, uint64_t world, uint32_t timeline, uint64_t from_sequence,
                               uint32_t most, struct store_history **history, struct fault *fault) {
    struct store_connection reader = {0};
    struct way way = {0};
    enum result result = begin_way(store, world, &reader, &way, fault);
    if (result != RESULT_OK) {
        return result;
    }
    assert(way.reader != NULL && way.history != NULL);
    struct leg leg = {.upto = UINT64_MAX >> 1, .tick = UINT64_MAX >> 1};
    result = store_timeline_load(way.reader, world, timeline, &leg.row, fault);
    if (result == RESULT_OK) {
        const uint64_t first = leg.row.compacted ? leg.row.compacted_sequence + 1 : 1;
        leg.from = (from_sequence > first ? from_sequence : first) - 1;
        result = read_entries(&way, &leg, most);
    }
    return end_way(store, &way, result, history);
}
