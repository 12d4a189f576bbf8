// SPDX-License-Identifier: MIT
// The path to a moment has a segment in each timeline that it uses. Back from the moment: to the newest intact
// snapshot, else to the beginning of the timeline, else on into its parent. Then forward: the entries of each segment,
// each checked, none missing. A damaged snapshot costs time; a damaged entry ends the reading with a report.
#include "store/read/reader.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/read/history_rows.h"
#include "store/store_state.h"
#include "store/write/world_log.h"

#define SEGMENTS_MAX 65536u

typedef unsigned long long ull;

// A segment of the path: the entries (from, upto] of one timeline whose tick is at most `tick`. The next segment begins
// at the tick `reached`.
struct segment {
    struct store_timeline_row row;
    uint64_t from, upto, tick, reached;
};

struct path {
    struct store_connection *reader;
    uint64_t world;
    struct segment *segments; // the newest first
    uint32_t count;
    struct store_history *history;
    struct fault *fault;
};

static enum result sql_fault(const struct path *path, int code) {
    return store_sql_fault(path->fault, path->reader, code, "reading the history");
}

// ---- back: a place to begin -----------------------------------------------------------------------------------------

// Checks that a snapshot holds no entry that is later than the tick of the segment.
static enum result check_candidate(const struct path *path, const struct segment *segment, uint64_t tick,
                                   uint64_t sequence, bool *fits) {
    uint64_t last = 0;
    bool found = false;
    *fits = true;
    if (tick < segment->tick || sequence == 0) {
        return RESULT_OK;
    }
    int code = store_fetch(path->reader, &last, &found,
                           "SELECT tick FROM entry WHERE world=?1 AND timeline=?2 AND sequence=?3", "uuu", path->world,
                           (uint64_t)segment->row.timeline, sequence);
    *fits = !found || last <= segment->tick; // an entry of a later tick was applied while the clock was stopped
    return code == STORE_SQL_OK ? RESULT_OK : sql_fault(path, code);
}

static enum result try_candidate(struct path *path, struct segment *segment, struct store_rows *row, bool *found) {
    struct fault why = {0};
    bool fits = false;
    enum result result = check_candidate(path, segment, store_column(row, 1), store_column(row, 2), &fits);
    if (result != RESULT_OK || !fits) {
        return result;
    }
    struct store_snapshot snapshot = {0};
    result = store_snapshot_load(path->reader, store_column(row, 0), &snapshot, &why);
    if (result == RESULT_OK && snapshot.timeline != segment->row.timeline) {
        free((void *)snapshot.state.data);
        result = fault_set(&why, RESULT_DAMAGED, "", "a snapshot is of another timeline");
    }
    if (result == RESULT_DAMAGED) {
        path->history->passed_over++;
        path->history->last_why = why;
        return RESULT_OK;
    }
    if (result == RESULT_OK) {
        *found = true;
        path->history->snapshot = snapshot;
        segment->from = snapshot.sequence;
    } else if (path->fault != NULL) {
        *path->fault = why;
    }
    return result;
}

// Finds the newest intact snapshot on the segment whose sequence number is below `below` and whose tick is at most
// `latest`.
static enum result find_snapshot(struct path *path, struct segment *segment, uint64_t below, uint64_t latest,
                                 bool *found) {
    int code = STORE_SQL_OK;
    struct store_rows *row =
        store_query(path->reader, &code,
                    "SELECT snapshot, tick, sequence FROM snapshot INDEXED BY snapshot_by_world"
                    " WHERE world=?1 AND timeline=?2 AND tick<=?3 AND sequence<=?4 AND sequence<?5"
                    " ORDER BY snapshot DESC",
                    "uuuuu", path->world, (uint64_t)segment->row.timeline, latest, segment->upto, below);
    if (row == NULL) {
        return sql_fault(path, code);
    }
    enum result result = RESULT_OK;
    while (result == RESULT_OK && !*found && (code = store_step(row)) == STORE_SQL_ROW) {
        result = try_candidate(path, segment, row, found);
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? sql_fault(path, code) : result;
}

static uint64_t first_tick(const struct store_timeline_row *row) {
    return row->compacted ? row->compacted_tick : row->began_tick;
}

static enum result not_there(const struct path *path, const struct store_timeline_row *row, uint64_t tick) {
    return fault_set(path->fault, RESULT_NOT_FOUND, "/tick",
                     "tick %llu is not in the history: that of timeline %u holds ticks %llu to %llu", (ull)tick,
                     row->timeline, (ull)first_tick(row), (ull)row->last_tick);
}

static enum result no_beginning(const struct path *path, const struct segment *segment, uint64_t tick) {
    if (path->history->passed_over == 0 && tick < first_tick(&segment->row)) {
        return not_there(path, &segment->row, tick);
    }
    return fault_set(path->fault, RESULT_DAMAGED, "/tick",
                     "timeline %u has no intact snapshot up to tick %llu, where its history begins (%u damaged)%s%s",
                     segment->row.timeline, (ull)tick, path->history->passed_over,
                     path->history->passed_over > 0 ? ": " : "",
                     path->history->passed_over > 0 ? path->history->last_why.message : "");
}

static enum result add_segment(struct path *path, const struct segment *segment) {
    struct segment *segments = array_grow(path->segments, path->count, sizeof *segments);
    if (segments == NULL) {
        return fault_set(path->fault, RESULT_MEMORY, "", "out of memory for the history");
    }
    path->segments = segments;
    segments[path->count++] = *segment;
    return RESULT_OK;
}

// Turns a segment into the previous one, which lies in the parent of its timeline.
static enum result go_to_parent(struct path *path, struct segment *segment, uint64_t latest) {
    const struct segment child = *segment;
    const uint64_t began_tick = child.row.began_tick;
    enum result result =
        child.row.parent_timeline > 0 && child.row.parent_timeline < child.row.timeline
            ? store_timeline_load(path->reader, path->world, child.row.parent_timeline, &segment->row, path->fault)
            : RESULT_NOT_FOUND;
    if (result == RESULT_NOT_FOUND) {
        return no_beginning(path, &child, latest);
    }
    segment->from = 0;
    segment->upto = child.row.parent_sequence;
    segment->reached = child.reached < began_tick ? child.reached : began_tick;
    return result;
}

// Adds a segment to the path. `more` says that the path goes back into the parent; `segment` is then the segment there.
static enum result go_back(struct path *path, struct segment *segment, uint64_t below, uint64_t before_tick,
                           bool *more) {
    bool found = false;
    const uint64_t latest = before_tick < segment->reached ? before_tick : segment->reached;
    enum result result = find_snapshot(path, segment, below, latest, &found);
    *more = false;
    if (result != RESULT_OK) {
        return result;
    }
    if (!found && (segment->row.compacted || segment->row.origin == STORE_ORIGIN_SNAPSHOT)) {
        return no_beginning(path, segment, latest);
    }
    if (path->history->newest_physics < segment->row.physics) {
        path->history->newest_physics = segment->row.physics;
    }
    path->history->physics = segment->row.physics; // in the end that of the first segment, which is visited last
    path->history->from_empty = !found && segment->row.origin == STORE_ORIGIN_EMPTY;
    *more = !found && segment->row.origin == STORE_ORIGIN_FORK;
    result = add_segment(path, segment);
    return *more && result == RESULT_OK ? go_to_parent(path, segment, latest) : result;
}

static enum result find_beginning(struct path *path, const struct store_query *query) {
    struct segment segment = {.upto = UINT64_MAX >> 1, .tick = query->tick};
    enum result result = store_timeline_load(path->reader, path->world, query->timeline, &segment.row, path->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const uint64_t last = segment.row.last_tick;
    if (query->tick != STORE_END && query->tick > last) {
        return not_there(path, &segment.row, query->tick);
    }
    path->history->tick = query->tick == STORE_END ? last : query->tick;
    segment.tick = segment.reached = query->tick == STORE_END ? UINT64_MAX >> 1 : query->tick;
    const uint64_t before_tick = query->before_tick == 0 && !query->bounded ? segment.tick : query->before_tick;
    const uint32_t named = query->before_timeline != 0 ? query->before_timeline : segment.row.timeline;
    bool passed = query->before_sequence == 0; // the timeline of the entry `before_sequence`
    for (bool more = true; more && result == RESULT_OK;) {
        uint64_t below =
            passed ? UINT64_MAX >> 1 : 0; // timelines forked from that timeline contain the entry, its parents do not
        if (!passed && segment.row.timeline == named) {
            below = query->before_sequence;
            passed = true;
        }
        result = path->count < SEGMENTS_MAX
                     ? go_back(path, &segment, below, before_tick, &more)
                     : fault_set(path->fault, RESULT_DAMAGED, "", "the timelines are forked without end");
    }
    return result;
}

// ---- forward: entries -----------------------------------------------------------------------------------------------

static enum result damaged(const struct path *path, const struct segment *segment, uint64_t sequence, uint64_t tick,
                           const char *how) {
    return fault_set(path->fault, RESULT_DAMAGED, "/tick",
                     "the log is damaged: command %llu of timeline %u, after tick %llu, %s", (ull)sequence,
                     segment->row.timeline, (ull)tick, how);
}

// Adds the entry of a row to the history if it is on the segment. `ended` says that it lies behind the segment.
static enum result add_entry(struct path *path, const struct segment *segment, struct store_rows *row,
                             uint64_t expected, uint64_t *tick, bool *ended) {
    struct store_logged logged = {0};
    uint64_t checksum = 0;
    enum result result = store_entry_copy(row, &logged, &checksum, path->fault);
    if (result != RESULT_OK) {
        return result;
    }
    const bool intact = checksum == store_entry_checksum(path->world, &logged);
    if (!intact || logged.entry.sequence != expected || logged.entry.tick < *tick) {
        free((void *)logged.entry.record.data);
        return damaged(path, segment, expected, *tick,
                       !intact                             ? "does not have its checksum"
                       : logged.entry.sequence != expected ? "is missing"
                                                           : "has an earlier tick than the one before");
    }
    *ended = logged.entry.tick > segment->tick;
    if (*ended) {
        free((void *)logged.entry.record.data);
        return RESULT_OK;
    }
    *tick = logged.entry.tick;
    return store_history_add(path->history, &logged, path->fault);
}

// Adds the entries of a segment to the history, at most `most`, and checks that none is missing.
static enum result read_entries(struct path *path, const struct segment *segment, uint32_t most) {
    int code = STORE_SQL_OK;
    struct store_rows *row =
        store_query(path->reader, &code,
                    "SELECT timeline, sequence, tick, kind, client, session, request, saved_ms, record,"
                    " checksum FROM entry WHERE world=?1 AND timeline=?2 AND sequence>?3"
                    " ORDER BY sequence LIMIT ?4",
                    "uuuu", path->world, (uint64_t)segment->row.timeline, segment->from, (uint64_t)most);
    if (row == NULL) {
        return sql_fault(path, code);
    }
    const uint64_t last = segment->upto < segment->row.last_sequence ? segment->upto : segment->row.last_sequence;
    uint64_t expected = segment->from + 1, tick = 0;
    bool ended = false;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && !ended && expected <= last && most > 0 && (code = store_step(row)) == STORE_SQL_ROW) {
        result = add_entry(path, segment, row, expected, &tick, &ended);
        expected += ended ? 0 : 1;
        most--;
    }
    if (result == RESULT_OK && code == STORE_SQL_DONE) {
        result = damaged(path, segment, expected, tick, "is missing");
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? sql_fault(path, code) : result;
}

// ---- forward: hashes ------------------------------------------------------------------------------------------------

static enum result read_hashes(struct path *path, const struct segment *segment, uint64_t from_tick,
                               uint64_t upto_sequence) {
    int code = STORE_SQL_OK;
    struct store_rows *row =
        store_query(path->reader, &code,
                    "SELECT tick, sequence, hash, checksum FROM hash WHERE world=?1 AND timeline=?2 AND"
                    " tick BETWEEN ?3 AND ?4 AND sequence BETWEEN ?5 AND ?6 ORDER BY tick, sequence",
                    "uuuuuu", path->world, (uint64_t)segment->row.timeline, from_tick, segment->reached, segment->from,
                    upto_sequence);
    if (row == NULL) {
        return sql_fault(path, code);
    }
    enum result result = RESULT_OK;
    while (result == RESULT_OK && (code = store_step(row)) == STORE_SQL_ROW) {
        const struct store_hash hash = {segment->row.timeline, store_column(row, 0), store_column(row, 1),
                                        store_column(row, 2)};
        result = store_column(row, 3) == store_hash_checksum(path->world, &hash)
                     ? store_history_add_hash(path->history, &hash, path->fault)
                     : fault_set(path->fault, RESULT_DAMAGED, "/tick",
                                 "the log is damaged: the hash of tick %llu of timeline %u does not have its checksum",
                                 (ull)hash.tick, hash.timeline);
    }
    code = store_done(row, code);
    return result == RESULT_OK && code != STORE_SQL_OK ? sql_fault(path, code) : result;
}

static enum result go_forward(struct path *path) {
    enum result result = RESULT_OK;
    for (uint32_t i = path->count; i-- > 0 && result == RESULT_OK;) {
        const struct segment segment = path->segments[i];
        const uint32_t before = path->history->entry_count;
        result = read_entries(path, &segment, UINT32_MAX);
        if (result == RESULT_OK) {
            const uint64_t from_tick = i + 1 == path->count ? path->history->snapshot.tick : 0;
            result = read_hashes(path, &segment, from_tick, segment.from + (path->history->entry_count - before));
        }
    }
    return result;
}

// ---- both -----------------------------------------------------------------------------------------------------------

static enum result begin_path(struct store *store, uint64_t world, struct store_connection *reader, struct path *path,
                              struct fault *fault) {
    enum result result = store_world_check(store, world, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct store_history *history = calloc(1, sizeof *history);
    if (history == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for the history");
    }
    result = store->engine->reader_begin(store, reader, fault);
    if (result != RESULT_OK) {
        free(history);
        return result;
    }
    *path = (struct path){.reader = reader, .world = world, .history = history, .fault = fault};
    return RESULT_OK;
}

static enum result end_path(struct store *store, struct path *path, enum result result,
                            struct store_history **history) {
    store->engine->reader_end(store, path->reader);
    free(path->segments);
    if (result == RESULT_OK) {
        *history = path->history;
    } else {
        store_history_free(path->history);
    }
    return result;
}

enum result store_read(struct store *store, const struct store_query *query, struct store_history **history,
                       struct fault *fault) {
    struct store_connection reader = {0};
    struct path path = {0};
    enum result result = begin_path(store, query->world, &reader, &path, fault);
    if (result != RESULT_OK) {
        return result;
    }
    assert(path.reader != NULL && path.history != NULL);
    result = find_beginning(&path, query);
    if (result == RESULT_OK) {
        result = go_forward(&path);
    }
    return end_path(store, &path, result, history);
}

enum result store_list_entries(struct store *store, uint64_t world, uint32_t timeline, uint64_t from_sequence,
                               uint32_t most, struct store_history **history, struct fault *fault) {
    struct store_connection reader = {0};
    struct path path = {0};
    enum result result = begin_path(store, world, &reader, &path, fault);
    if (result != RESULT_OK) {
        return result;
    }
    assert(path.reader != NULL && path.history != NULL);
    struct segment segment = {.upto = UINT64_MAX >> 1, .tick = UINT64_MAX >> 1};
    result = store_timeline_load(path.reader, world, timeline, &segment.row, fault);
    if (result == RESULT_OK) {
        const uint64_t first = segment.row.compacted ? segment.row.compacted_sequence + 1 : 1;
        segment.from = (from_sequence > first ? from_sequence : first) - 1;
        result = read_entries(&path, &segment, most);
    }
    return end_path(store, &path, result, history);
}
