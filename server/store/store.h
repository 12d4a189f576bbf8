// SPDX-License-Identifier: MIT
// The store: every world's history in one SQLite file, so that an acknowledged command survives a crash.
//
// What is kept. A world's history is a list of timelines, numbered from 1; the newest is the one that goes on. A
// timeline has entries (applied commands as binary records, numbered 1, 2, 3 … by `sequence`), snapshots (the whole
// state after some entry), and hashes of the state at some ticks. Within a timeline ticks never fall, so (timeline,
// tick) names a moment. Whatever makes the clock jump begins a new timeline: a reset, a seek, an undo, an import, and
// the repair after a failed disk. How it began is its origin; from it the store knows from where it can be replayed.
//
// How it is written. One thread of the store has the one writing connection. `store_append`, `store_begin`,
// `store_save` and `store_mark` copy what they are given behind what others posted and return at once: they never wait
// for the disk. All that was posted since the last commit is one transaction (group commit); after it has been
// committed, and with STORE_FULL synced, the store's thread calls `settled` once for each post, in their order. What
// is answered only then survives `kill -9` and, with STORE_FULL, a power cut.
//
// When the disk fails. If a transaction cannot be committed (disk full, I/O error, failing fsync), each of its posts
// and each post behind it is settled with RESULT_IO and the reason: none of them was acknowledged. The store is then
// `failing`: posts are refused with RESULT_IO. Each second it opens the file anew and writes to it; when that succeeds,
// `health` says so and posts are taken again. A world of which a post was lost, or whose `store_append` was refused, is
// `lost` to its log: what it applied since is not in it. It gets RESULT_STATE for all posts until `store_begin` has
// begun a new timeline with a snapshot of what it is now. So the app
//   * asks `store_accepts` before it applies a command, and refuses the command with that fault if not RESULT_OK;
//   * applies it, appends it, and keeps the reply back until it is settled: the reply, or the error;
//   * on `health(well)` and whenever `store_accepts` says RESULT_STATE: saves the world and calls `store_begin` with
//     STORE_ORIGIN_SNAPSHOT.
//
// How it is read. Any thread may read, at any time, on a connection of its own that never blocks the writer nor waits
// for it; it may touch the disk, so never on a tick or the net thread. It sees what is committed. Damage is found by
// checksums: a damaged snapshot is passed over for the one before; entries that are missing or damaged are reported
// (RESULT_DAMAGED, with timeline, tick and reason), never guessed.
//
// Ticks: `tick` of an entry is the first tick whose step sees it, that of a snapshot or hash the last tick done. The
// last logged tick is the last that is known to have been done: those of marks and snapshots, those before entries.
// Times are milliseconds of the Unix clock. Texts are UTF-8. Bytes given are copied; bytes got belong to what was
// returned with them.
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define STORE_SCHEMA 3u                                // of the file; an older one is migrated, a newer one refused
#define STORE_END UINT64_MAX                           // as a tick or sequence: to the end
#define STORE_NAME_MAX 64                              // bytes of a world's name
#define STORE_BYTES_MAX (256u * 1024u * 1024u)         // of one record, reply, or snapshot before compression
#define STORE_QUEUE_MAX (32u * 1024u * 1024u)          // bytes that wait for the disk; then RESULT_BUSY
#define STORE_REPLIES_MAX 256u                         // replies kept of one session, the newest
#define STORE_REPLY_AGE_MS (24ull * 3600ull * 1000ull) // while a server runs: no clock that jumps makes them older
#define STORE_WORLDS_MAX 1024u

struct store;

struct store_bytes {
    const void *data;
    size_t size;
};

// ---- opening -------------------------------------------------------------------------------------------------------

// What a commit waits for.
enum store_durability {
    STORE_FULL,   // it is on the disk: survives a power cut
    STORE_NORMAL, // it is with the operating system: survives the process; after a power cut the end may be missing
    STORE_OFF,    // as NORMAL, and a power cut may damage the file
    STORE_DURABILITY_COUNT
};

// Called on the store's thread, or by store_close on the caller's. They must not wait and must not call the store,
// except for store_accepts. On RESULT_OK `fault` is NULL.
struct store_listener {
    void *user;
    // A post with this ticket was committed (RESULT_OK) or lost (RESULT_IO, RESULT_MEMORY; RESULT_NOT_FOUND: the world
    // was removed meanwhile).
    void (*settled)(void *user, uint64_t world, uint64_t ticket, enum result result, const struct fault *fault);
    // The disk fails, or is well again. May be NULL.
    void (*health)(void *user, bool well, const struct fault *fault);
    // What was before this moment has been folded into its snapshot: history begins there now. May be NULL.
    void (*folded)(void *user, uint64_t world, uint32_t timeline, uint64_t tick);
};

// How much history is kept; 0: without limit. The two newest snapshots of a world and what follows them always stay.
struct store_budget {
    uint64_t age_ms; // what is older is folded into snapshots
    uint64_t bytes;  // of the database's pages in use: all that is kept, replies too; not the write-ahead log
};

struct store_options {
    const char *directory; // made if missing; ":memory:" keeps everything in memory and nothing after store_close
    enum store_durability durability;
    struct store_budget budget;
    uint32_t probe_ms; // how often a failing disk is tried again; 0: each second
    struct store_listener listener;
};

// Opens DIRECTORY/weft.db, makes or migrates it, checks it, starts the store's thread. Errors: RESULT_STATE (another
// server uses the directory), RESULT_INVALID (no store, or that of a newer version), RESULT_DAMAGED (SQLite finds the
// file malformed), RESULT_IO, RESULT_MEMORY.
enum result store_open(const struct store_options *options, struct store **store, struct fault *fault) WEFT_MUST_USE;
// Commits what was posted, settles it, and closes. NULL is allowed.
void store_close(struct store *store);

bool store_in_memory(const struct store *store);
// "full", "normal", "off". Errors: RESULT_INVALID.
enum result store_durability_parse(const char *text, enum store_durability *durability,
                                   struct fault *fault) WEFT_MUST_USE;
// "1h", "90m", "30s", "7d", "1GB", "500MB", "1h,1GB" or "unlimited". Errors: RESULT_INVALID.
enum result store_budget_parse(const char *text, struct store_budget *budget, struct fault *fault) WEFT_MUST_USE;

// For /metrics and /healthz. From any thread.
struct store_figures {
    bool well;
    struct fault fault;              // when not well
    uint64_t commits, failures;      // transactions
    uint64_t entries, snapshots;     // committed
    uint64_t queue_bytes, queue_max; // waiting now, and the most there ever was
    uint64_t commit_us, commit_max_us;
    uint64_t file_bytes; // of the database and its write-ahead log
    uint64_t folded;     // entries deleted
    struct store_budget budget;
    uint64_t history_bytes; // as the budget counts them, when it was last looked
    bool over_budget;       // they are more than it allows, though nothing more can be folded
};
void store_figures(struct store *store, struct store_figures *figures);

// ---- worlds --------------------------------------------------------------------------------------------------------

struct store_world {
    uint64_t world; // its number, never used again
    char name[STORE_NAME_MAX + 1];
    uint64_t created_ms;
    uint64_t parent; // the world it was branched from, 0: none; that may be gone
    uint32_t parent_timeline;
    uint64_t parent_tick;
    uint32_t timeline; // the newest, 0: none yet
    uint64_t tick;     // the last that was logged in it
    uint32_t physics;  // of that timeline
    struct store_bytes settings;
    bool damaged;     // its rows contradict one another or were changed: the members above may be wrong
    struct fault why; // when it is damaged
};

// These four wait for the disk. Errors: RESULT_STATE (the name is taken), RESULT_LIMIT (STORE_WORLDS_MAX), RESULT_IO,
// RESULT_MEMORY; RESULT_NOT_FOUND.
// Of `given`, what counts is name, parent, parent_timeline, parent_tick and settings (the app's own, any bytes).
enum result store_world_create(struct store *store, const struct store_world *given, uint64_t *world,
                               struct fault *fault) WEFT_MUST_USE;
enum result store_world_set(struct store *store, uint64_t world, struct store_bytes settings,
                            struct fault *fault) WEFT_MUST_USE;
// It is gone at once; its rows are deleted bit by bit.
enum result store_world_remove(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Lists worlds by rising numbers. A damaged world is listed with `why`, even if its own row is gone and only other rows
// of it are left.
enum result store_world_list(struct store *store, struct store_world **worlds, uint32_t *count,
                             struct fault *fault) WEFT_MUST_USE;
void store_worlds_free(struct store_world *worlds, uint32_t count);

// ---- writing: from any thread, never waits -------------------------------------------------------------------------

// What was applied. Kinds are the app's; the store only keeps them. With sequence 0 it is no part of the log, and only
// its reply is kept.
struct store_entry {
    uint64_t tick;
    uint64_t sequence; // 1 for the first of a timeline, then one more each
    uint32_t kind;
    uint32_t client;     // the number others knew the client by, 0: the server itself
    const char *session; // key of the client, or NULL: it has not named itself
    const char *request; // the request's id as JSON text, or NULL
    const char *reply;   // the whole reply, kept if session and request are given; or NULL
    size_t reply_length;
    struct store_bytes record; // the command
};

// Where a timeline comes from.
enum store_origin {
    STORE_ORIGIN_EMPTY,    // an empty world at tick 0: its entries alone tell everything
    STORE_ORIGIN_FORK,     // another timeline of the same world, up to an entry and a tick
    STORE_ORIGIN_SNAPSHOT, // its first snapshot; there is nothing before
    STORE_ORIGIN_COUNT
};

// A state and what belongs to it. `state` is the simulation's, `extra` the app's own (names, pins, grabs …).
struct store_snapshot {
    uint32_t timeline;
    uint64_t tick;
    uint64_t sequence; // the last entry that is in it, 0: none
    uint64_t hash;     // of the state
    uint32_t version;  // of the formats of state and extra, the app's to know
    uint64_t saved_ms; // set by the store
    struct store_bytes state, extra;
};

struct store_beginning {
    uint32_t timeline; // above all that this world has had
    uint64_t tick;     // the last tick done when it begins
    enum store_origin origin;
    uint32_t parent_timeline; // FORK: from which
    uint64_t parent_sequence; // the last entry of it that is in this one
    uint32_t physics;         // version of the arithmetic that computes it; the app's to know, ≥ 1
};

// Whether an append of this world would be taken now. Cheap; from any thread. Errors: RESULT_BUSY (the queue is full:
// try again), RESULT_IO (the disk fails; `fault` says why), RESULT_STATE (the world is lost to its log, or has no
// timeline), RESULT_NOT_FOUND.
enum result store_accepts(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;

// Appends entries to the newest timeline: all of them or, in a crash, none. Taken also over STORE_QUEUE_MAX, since what
// was applied must be logged. `ticket` is the caller's to choose. Errors: RESULT_IO, RESULT_STATE, RESULT_NOT_FOUND,
// RESULT_MEMORY; then the world is lost, and `settled` is not called. Sequence numbers and ticks out of turn are
// asserted.
enum result store_append(struct store *store, uint64_t world, const struct store_entry *entries, uint32_t count,
                         uint64_t ticket, struct fault *fault) WEFT_MUST_USE;

// The state's hash after a tick, all that was appended so far applied; it also tells that the tick was reached. Due
// each 60th tick and when the clock stops. Settled with `ticket`. Errors as store_append, but no world is lost by it.
enum result store_mark(struct store *store, uint64_t world, uint64_t tick, uint64_t hash, uint64_t ticket,
                       struct fault *fault) WEFT_MUST_USE;

// Keeps a snapshot of the newest timeline. Compresses here, so call it from a thread that has the time; what was
// appended since it was made may well have been posted before it. RESULT_BUSY over STORE_QUEUE_MAX; RESULT_STATE also
// when it is of an older timeline. Other errors as store_append, but no world is lost by it.
enum result store_save(struct store *store, uint64_t world, const struct store_snapshot *snapshot, uint64_t ticket,
                       struct fault *fault) WEFT_MUST_USE;

// Begins a new timeline; from now on `store_append` writes to it. `snapshot` has sequence 0, and may be NULL only with
// STORE_ORIGIN_EMPTY: with STORE_ORIGIN_FORK the other timeline is what is fallen back to when it is damaged. Makes a
// lost world well. Copies the snapshot, so a tick may call it; it is compressed on the store's thread. Errors as
// store_save; a timeline out of turn is RESULT_STATE.
enum result store_begin(struct store *store, uint64_t world, const struct store_beginning *beginning,
                        const struct store_snapshot *snapshot, uint64_t ticket, struct fault *fault) WEFT_MUST_USE;

// What is posted of this world from now on waits until it is handed over, and is then one commit: in a crash all of it
// or nothing. Between the two it counts as posted. Errors: RESULT_MEMORY, RESULT_NOT_FOUND.
enum result store_gather(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Nothing happens when nothing is gathered. Errors: RESULT_MEMORY; then it is dropped, the world is lost, and `settled`
// is not called.
enum result store_hand_over(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// As if it had never been posted; `settled` is not called.
void store_drop_gathered(struct store *store, uint64_t world);

// ---- reading: from any thread that may wait ------------------------------------------------------------------------

// The state's hash when `tick` was the last tick done and entry `sequence` the last applied.
struct store_hash {
    uint32_t timeline;
    uint64_t tick;
    uint64_t sequence;
    uint64_t hash;
};

// An entry that was read. `record` and the texts live as long as what they came with.
struct store_logged {
    uint32_t timeline;
    struct store_entry entry; // reply is NULL
    uint64_t saved_ms;
};

// The way to a moment: begin with the snapshot, or an empty world at tick 0, apply the entries in order before the
// steps of their ticks, compare the hashes. Entries are those after the snapshot, hashes those from it on.
//
// A timeline is computed by one physics version throughout. Where a part of the way is of another version than the
// present one, its hashes cannot be met.
struct store_history {
    bool from_empty; // then `snapshot` is all zero
    struct store_snapshot snapshot;
    struct store_logged *entries;
    uint32_t entry_count;
    struct store_hash *hashes;
    uint32_t hash_count;
    uint32_t physics, newest_physics; // the versions that computed the snapshot's timeline, and the newest on the way
    uint64_t tick;                    // the last known to have been reached, at most the one asked for
    uint32_t passed_over;             // damaged snapshots that would have been nearer
    struct fault last_why;            // why the last of them was
};

struct store_query {
    uint64_t world;
    uint32_t timeline;        // 0: the newest
    uint64_t tick;            // the moment: entries of up to this tick; STORE_END: all there are
    uint64_t before_sequence; // the snapshot must not contain this entry, nor later ones; 0: any snapshot
    uint32_t before_timeline; // whose entry that is: `timeline`, or one it comes from; 0: `timeline`
    uint64_t before_tick;     // the snapshot must not be later; 0: at most `tick`, unless it is
    bool bounded;             // so also when it is 0
};

// Errors: RESULT_NOT_FOUND (no such world or timeline, or the tick is not in its history: `fault` says which are),
// RESULT_DAMAGED (no intact snapshot, or entries missing or damaged on the way), RESULT_IO, RESULT_MEMORY.
enum result store_read(struct store *store, const struct store_query *query, struct store_history **history,
                       struct fault *fault) WEFT_MUST_USE;
void store_history_free(struct store_history *history);

struct store_timeline {
    uint32_t timeline;
    enum store_origin origin;
    uint32_t parent_timeline;
    uint64_t parent_sequence;
    uint64_t first_tick;    // the first that can be come back to
    uint64_t last_tick;     // the last logged
    uint64_t last_sequence; // of its entries, 0: none
    uint64_t entries;       // kept
    bool folded;            // its beginning is gone, and with it the way to what it was forked from
    uint64_t began_ms;
    uint32_t physics; // version of the arithmetic that computed it
};
// Rising numbers. Free with free(). Errors: RESULT_NOT_FOUND, RESULT_IO, RESULT_MEMORY.
enum result store_list_timelines(struct store *store, uint64_t world, struct store_timeline **timelines,
                                 uint32_t *count, struct fault *fault) WEFT_MUST_USE;
// The one of this number in such a list, or NULL.
const struct store_timeline *store_find_timeline(const struct store_timeline *timelines, uint32_t count,
                                                 uint32_t number);
// The one it was forked from, or NULL.
const struct store_timeline *store_find_parent(const struct store_timeline *timelines, uint32_t count,
                                               const struct store_timeline *fork);

struct store_snapshot_info {
    uint32_t timeline;
    uint64_t tick, sequence, hash, saved_ms;
    uint64_t bytes; // as kept
};
// In the order they were made. Free with free().
enum result store_list_snapshots(struct store *store, uint64_t world, struct store_snapshot_info **snapshots,
                                 uint32_t *count, struct fault *fault) WEFT_MUST_USE;

// Entries of one timeline from a sequence number on, at most `most`; checked like those of store_read. `history` holds
// nothing else. Errors as store_read.
enum result store_list_entries(struct store *store, uint64_t world, uint32_t timeline, uint64_t from_sequence,
                               uint32_t most, struct store_history **history, struct fault *fault) WEFT_MUST_USE;

// ---- exactly once --------------------------------------------------------------------------------------------------

struct store_reply {
    char *request; // the id as JSON text
    char *reply;
    size_t reply_length;
};
// The committed replies to one session in one world, oldest first, so that they can be looked up without the disk
// when a client comes back. What is still being committed is not among them: the app holds that.
enum result store_read_replies(struct store *store, uint64_t world, const char *session, struct store_reply **replies,
                               uint32_t *count, struct fault *fault) WEFT_MUST_USE;
void store_replies_free(struct store_reply *replies, uint32_t count);

#endif
