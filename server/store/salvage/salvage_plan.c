// SPDX-License-Identifier: MIT
// Timelines are tried from the newest to the oldest. A row counts only if its checksum is right. Where SQLite cannot
// read on in a table, the rows that it has returned count.
#include "store/salvage/salvage_plan.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/array.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/database/sql.h"
#include "store/read/history_rows.h"
#include "store/store_state.h"

#define TIMELINES_MAX 65536u
#define CHAIN_MAX 64u // forks from one another, back to a timeline with a snapshot

// The intact rows of one timeline.
struct intact {
    uint32_t timeline;
    bool has_row;
    struct store_timeline_row row;
    struct store_history *entries; // by rising sequence numbers, with gaps
    struct plan_snapshot *snapshots;
    uint32_t snapshot_count;
    uint64_t damaged;
};

struct planner {
    struct store_connection *source;
    uint64_t world;
    struct plan *plan;
    struct fault *fault;
};

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory while salvaging");
}

// ---- intact rows ---------------------------------------------------------------------------------------------------

static enum result read_entries(const struct planner *planner, struct intact *intact) {
    int code = SQLITE_OK;
    struct store_rows *row =
        store_query(planner->source, &code,
                    "SELECT timeline, sequence, tick, kind, client, session, request, saved_ms, record, checksum"
                    " FROM entry WHERE world=?1 AND timeline=?2 ORDER BY sequence",
                    "uu", planner->world, (uint64_t)intact->timeline);
    enum result result = RESULT_OK;
    uint64_t before = 0;
    while (row != NULL && result == RESULT_OK && (code = store_step(row)) == SQLITE_ROW) {
        struct store_logged logged = {0};
        uint64_t checksum = 0;
        result = store_entry_copy(row, &logged, &checksum, planner->fault);
        if (result == RESULT_OK &&
            (checksum != store_entry_checksum(planner->world, &logged) || logged.entry.sequence <= before)) {
            free((void *)logged.entry.record.data);
            intact->damaged++;
        } else if (result == RESULT_OK) {
            before = logged.entry.sequence;
            result = store_history_add(intact->entries, &logged, planner->fault);
        }
    }
    if (row != NULL) {
        code = store_done(row, code);
    }
    intact->damaged += code != SQLITE_OK ? 1 : 0;
    return result;
}

static enum result add_snapshot(const struct planner *planner, struct plan_snapshot **snapshots, uint32_t *count,
                                const struct plan_snapshot *found) {
    struct plan_snapshot *grown = array_grow(*snapshots, *count, sizeof *grown);
    if (grown == NULL) {
        return out_of_memory(planner->fault);
    }
    *snapshots = grown;
    grown[(*count)++] = *found;
    return RESULT_OK;
}

static enum result read_snapshots(const struct planner *planner, struct intact *intact) {
    int code = SQLITE_OK; // without the index, which may be damaged while the table is intact
    struct store_rows *row = store_query(planner->source, &code,
                                         "SELECT snapshot, sequence FROM snapshot NOT INDEXED WHERE world=?1 AND"
                                         " timeline=?2 ORDER BY sequence, snapshot",
                                         "uu", planner->world, (uint64_t)intact->timeline);
    enum result result = RESULT_OK;
    while (row != NULL && result == RESULT_OK && (code = store_step(row)) == SQLITE_ROW) {
        const struct plan_snapshot found = {.row = store_column(row, 0), .sequence = store_column(row, 1)};
        struct store_snapshot snapshot = {0};
        struct fault why;
        const enum result loaded = store_snapshot_load(planner->source, found.row, &snapshot, &why);
        if (loaded == RESULT_OK) {
            free((void *)snapshot.state.data);
        }
        if (loaded == RESULT_MEMORY) {
            result = out_of_memory(planner->fault);
        } else if (loaded == RESULT_OK) {
            result = add_snapshot(planner, &intact->snapshots, &intact->snapshot_count, &found);
        } else {
            intact->damaged++;
        }
    }
    if (row != NULL) {
        code = store_done(row, code);
    }
    intact->damaged += code != SQLITE_OK ? 1 : 0;
    return result;
}

static void free_intact(struct intact *intact) {
    store_history_free(intact->entries);
    free(intact->snapshots);
    *intact = (struct intact){0};
}

static enum result read_intact(const struct planner *planner, uint32_t timeline, struct intact *intact) {
    struct fault why;
    *intact = (struct intact){.timeline = timeline, .entries = calloc(1, sizeof *intact->entries)};
    if (intact->entries == NULL) {
        return out_of_memory(planner->fault);
    }
    enum result result = store_timeline_load(planner->source, planner->world, timeline, &intact->row, &why);
    intact->has_row = result == RESULT_OK;
    intact->damaged += result == RESULT_OK ? 0 : 1;
    result = result == RESULT_MEMORY ? out_of_memory(planner->fault) : read_entries(planner, intact);
    if (result == RESULT_OK) {
        result = read_snapshots(planner, intact);
    }
    if (result != RESULT_OK) {
        free_intact(intact);
    }
    return result;
}

// ---- the newest moment in reach ------------------------------------------------------------------------------------

// Returns the index of the first entry with at least this sequence number.
static uint32_t find_entry(const struct intact *intact, uint64_t sequence) {
    uint32_t low = 0, high = intact->entries->entry_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (intact->entries->entries[middle].entry.sequence < sequence) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool has_entry(const struct intact *intact, uint64_t sequence) {
    const uint32_t at = find_entry(intact, sequence);
    return at < intact->entries->entry_count && intact->entries->entries[at].entry.sequence == sequence;
}

// Returns the last entry up to which none is missing after `from`, at most `upto`.
static uint64_t run_to(const struct intact *intact, uint64_t from, uint64_t upto) {
    while (from < upto && has_entry(intact, from + 1)) {
        from++;
    }
    return from;
}

static bool begins_empty(const struct intact *intact) {
    return intact->has_row && intact->row.origin == STORE_ORIGIN_EMPTY && !intact->row.compacted;
}

// Chooses the earliest beginning from which no entry is missing up to the snapshot `newest`.
static void choose_base(const struct intact *intact, uint64_t newest, struct plan *plan) {
    uint64_t from = newest;
    while (from > 0 && has_entry(intact, from)) {
        from--;
    }
    if (from == 0 && begins_empty(intact)) {
        plan->from_empty = true;
        return;
    }
    for (uint32_t i = 0; i < intact->snapshot_count; i++) { // they rise, so the first that fits is the earliest
        if (intact->snapshots[i].sequence >= from) {
            plan->base = intact->snapshots[i];
            return;
        }
    }
}

static bool find_newest(const struct intact *intact, uint64_t upto, uint64_t *newest) {
    for (uint32_t i = intact->snapshot_count; i-- > 0;) {
        if (intact->snapshots[i].sequence <= upto) {
            *newest = intact->snapshots[i].sequence;
            return true;
        }
    }
    *newest = 0;
    return begins_empty(intact);
}

// Appends the entries (from, to] of a timeline to the plan, with the snapshots and the hashes between them.
static enum result take_segment(const struct planner *planner, struct intact *intact, uint64_t from, uint64_t to) {
    struct plan *plan = planner->plan;
    const uint64_t start = plan->entries->entry_count;
    enum result result = RESULT_OK;
    for (uint64_t sequence = from + 1; sequence <= to && result == RESULT_OK; sequence++) {
        struct store_logged *logged = &intact->entries->entries[find_entry(intact, sequence)];
        result = store_history_add(plan->entries, logged, planner->fault);
        logged->entry.record.data = NULL; // now the plan's
    }
    for (uint32_t i = 0; i < intact->snapshot_count && result == RESULT_OK; i++) {
        struct plan_snapshot snapshot = intact->snapshots[i];
        snapshot.after = start + snapshot.sequence - from;
        if (snapshot.sequence < from || snapshot.sequence > to || snapshot.row == plan->base.row) {
            continue;
        }
        result = add_snapshot(planner, &plan->snapshots, &plan->snapshot_count, &snapshot);
    }
    int code = SQLITE_OK;
    struct store_rows *row =
        store_query(planner->source, &code,
                    "SELECT tick, sequence, hash, checksum FROM hash WHERE world=?1 AND timeline=?2"
                    " AND sequence BETWEEN ?3 AND ?4 ORDER BY tick, sequence",
                    "uuuu", planner->world, (uint64_t)intact->timeline, from, to);
    while (row != NULL && result == RESULT_OK && (code = store_step(row)) == SQLITE_ROW) {
        struct plan_hash found = {
            .hash = {intact->timeline, store_column(row, 0), store_column(row, 1), store_column(row, 2)}};
        found.after = start + found.hash.sequence - from;
        if (store_column(row, 3) != store_hash_checksum(planner->world, &found.hash)) {
            plan->damaged_rows++;
            continue;
        }
        struct plan_hash *grown = array_grow(plan->hashes, plan->hash_count, sizeof *grown);
        if (grown == NULL) {
            result = out_of_memory(planner->fault);
        } else {
            plan->hashes = grown;
            plan->hashes[plan->hash_count++] = found;
        }
    }
    if (row != NULL) {
        plan->damaged_rows += store_done(row, code) != SQLITE_OK ? 1 : 0;
    }
    return result;
}

// Plans the path to entry `upto` of a timeline, or as far towards it as possible. `*reached` becomes the last entry on
// the path, `*where` its timeline. A fork without a snapshot of its own is reached through its parent.
static enum result reach(const struct planner *planner, uint32_t timeline, uint64_t upto, uint32_t depth,
                         uint64_t *reached, uint32_t *where) {
    struct intact intact;
    struct plan *plan = planner->plan;
    enum result result = read_intact(planner, timeline, &intact);
    if (result != RESULT_OK) {
        return result;
    }
    uint64_t newest = 0;
    plan->damaged_rows += intact.damaged;
    if (find_newest(&intact, upto, &newest)) {
        choose_base(&intact, newest, plan);
        *reached = run_to(&intact, newest, upto);
        *where = timeline;
        plan->reached = true;
        plan->physics = intact.has_row ? intact.row.physics : 0;
        result = take_segment(planner, &intact, plan->from_empty ? 0 : plan->base.sequence, *reached);
    } else if (intact.has_row && intact.row.origin == STORE_ORIGIN_FORK && depth < CHAIN_MAX &&
               intact.row.parent_timeline < timeline) {
        const uint64_t end = intact.row.parent_sequence;
        result = reach(planner, intact.row.parent_timeline, end, depth + 1, reached, where);
        if (result == RESULT_OK && plan->reached && *where == intact.row.parent_timeline && *reached == end) {
            *reached = run_to(&intact, 0, upto);
            *where = timeline;
            result = take_segment(planner, &intact, 0, *reached);
        }
    }
    free_intact(&intact);
    return result;
}

void plan_free(struct plan *plan) {
    store_history_free(plan->entries);
    free(plan->snapshots);
    free(plan->hashes);
}

// ---- all timelines -------------------------------------------------------------------------------------------------

// Returns the highest timeline number below `limit` of which any row is left; 0: none.
static uint64_t below(const struct planner *planner, uint64_t limit) {
    static const char *const texts[] = {
        "SELECT max(timeline) FROM timeline WHERE world=?1 AND timeline<?2",
        "SELECT max(timeline) FROM entry WHERE world=?1 AND timeline<?2",
        "SELECT max(timeline) FROM snapshot NOT INDEXED WHERE world=?1 AND timeline<?2",
    };
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        uint64_t found = 0;
        bool there = false;
        if (store_fetch(planner->source, &found, &there, texts[i], "uu", planner->world, limit) == SQLITE_OK && there &&
            found > most) {
            most = found;
        }
    }
    return most;
}

// Counts the entries after this one, as far as the timeline's row and the entries tell.
static uint64_t count_after(const struct planner *planner, uint32_t timeline, uint64_t sequence) {
    struct store_timeline_row row;
    struct fault why;
    uint64_t last = 0;
    bool found = false;
    if (store_fetch(planner->source, &last, &found, "SELECT max(sequence) FROM entry WHERE world=?1 AND timeline=?2",
                    "uu", planner->world, (uint64_t)timeline) != SQLITE_OK) {
        last = 0;
    }
    if (store_timeline_load(planner->source, planner->world, timeline, &row, &why) == RESULT_OK &&
        row.last_sequence > last) {
        last = row.last_sequence;
    }
    return last > sequence ? last - sequence : 0;
}

// Plans up to the end of one timeline. Unless it is reached, only the counts of losses go into the plan.
static enum result try_timeline(const struct planner *base, uint64_t timeline, uint64_t newest, struct plan *plan) {
    struct plan attempt = {.lost_commands = plan->lost_commands,
                           .damaged_rows = plan->damaged_rows,
                           .entries = calloc(1, sizeof *attempt.entries)};
    if (attempt.entries == NULL) {
        return out_of_memory(base->fault);
    }
    uint64_t reached = 0;
    uint32_t where = 0;
    const struct planner planner = {base->source, base->world, &attempt, base->fault};
    const enum result result = reach(&planner, (uint32_t)timeline, UINT64_MAX >> 1, 0, &reached, &where);
    const bool through = attempt.reached && where == timeline;
    attempt.lost_commands += count_after(&planner, (uint32_t)timeline, through ? reached : 0);
    attempt.whole = through && timeline == newest && attempt.lost_commands == 0 && attempt.damaged_rows == 0;
    if (result == RESULT_OK && attempt.reached) {
        *plan = attempt;
        return RESULT_OK;
    }
    plan->lost_commands = attempt.lost_commands;
    plan->damaged_rows = attempt.damaged_rows;
    plan_free(&attempt);
    return result;
}

enum result plan_make(struct store_connection *source, uint64_t world, struct plan *plan, struct fault *fault) {
    const struct planner planner = {.source = source, .world = world, .fault = fault};
    enum result result = RESULT_OK;
    const uint64_t newest = below(&planner, (uint64_t)UINT32_MAX + 1);
    *plan = (struct plan){0};
    for (uint64_t timeline = newest, tried = 0;
         timeline > 0 && result == RESULT_OK && !plan->reached && tried < TIMELINES_MAX; tried++) {
        result = try_timeline(&planner, timeline, newest, plan);
        timeline = below(&planner, timeline);
    }
    return result;
}
