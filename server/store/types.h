// SPDX-License-Identifier: MIT
// Data that the store takes and returns: entries, snapshots, histories, timelines, replies, worlds, options, figures.
//
// Ticks: the `tick` of an entry is the first tick whose step sees the entry; the `tick` of a snapshot or of a hash is
// the last tick that was done. Times are milliseconds of the Unix clock. Texts are UTF-8.
#ifndef WEFT_STORE_TYPES_H
#define WEFT_STORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define STORE_SCHEMA 3u                                // of the file; an older one is migrated, a newer one refused
#define STORE_END UINT64_MAX                           // as a tick or a sequence number: up to the end
#define STORE_NAME_MAX 64                              // bytes of a world's name
#define STORE_BYTES_MAX (256u * 1024u * 1024u)         // of one record, of one reply, of one uncompressed snapshot
#define STORE_QUEUE_MAX (32u * 1024u * 1024u)          // bytes that wait for a commit; above that RESULT_BUSY
#define STORE_REPLIES_MAX 256u                         // replies kept of one session; older ones are deleted
#define STORE_REPLY_AGE_MS (24ull * 3600ull * 1000ull) // of server running time, so a jump of the clock changes nothing
#define STORE_WORLDS_MAX 1024u
#define STORE_NODES_MAX 64u // nodes that share a database
#define STORE_NODE_MAX 24   // letters of a node's number
#define STORE_URL_MAX 255   // bytes of a node's address

struct store;

struct store_bytes {
    const void *data;
    size_t size;
};

// ---- options -------------------------------------------------------------------------------------------------------

// How long a commit waits. PostgreSQL: with STORE_FULL its setting synchronous_commit decides, otherwise a commit waits
// for nothing.
enum store_durability {
    STORE_FULL,   // the data is on the disk: it survives a power cut
    STORE_NORMAL, // the operating system has the data: it survives the process; a power cut may take the last commits
    STORE_OFF,    // as STORE_NORMAL, and a power cut may damage the file
    STORE_DURABILITY_COUNT
};

// Callbacks. They run on the store's thread, or inside store_close on the caller's thread. They must not wait and must
// not call the store, except for store_accepts. With RESULT_OK `fault` is NULL.
struct store_listener {
    void *user;
    // The write with this ticket was committed (RESULT_OK) or lost (RESULT_IO, RESULT_MEMORY; RESULT_NOT_FOUND: its
    // world was removed meanwhile; RESULT_STATE: another server has taken its world).
    void (*settled)(void *user, uint64_t world, uint64_t ticket, enum result result, const struct fault *fault);
    // The disk or the database fails, or works again. May be NULL.
    void (*health)(void *user, bool well, const struct fault *fault);
    // The history before this moment was deleted; it now begins with a snapshot of this moment. May be NULL.
    void (*compacted)(void *user, uint64_t world, uint32_t timeline, uint64_t tick);
};

// How much history is kept; 0: no limit. The two newest snapshots of each world, and the entries after them, are never
// deleted.
struct store_budget {
    uint64_t age_ms; // older history is deleted
    uint64_t bytes;  // of the database's pages in use, replies included, the write-ahead log excluded
};

struct store_options {
    const char *directory; // is made if it is missing; ":memory:" keeps everything in memory until store_close
    const char *address;   // postgres://…: the database, and `directory` is ignored; NULL: SQLite
    bool shared;           // other nodes use the database, too: no world is this server's until store_world_adopt
    enum store_durability durability;
    struct store_budget budget;
    // PostgreSQL: a connection that transfers no byte for so long counts as lost; 0: 10 s. A commit that waits for a
    // standby, or for a slow disk, must not take longer.
    uint32_t answer_ms;
    uint32_t probe_ms; // how often a failing disk or database is tried again; 0: each second
    struct store_listener listener;
};

// Figures for /metrics and /healthz.
struct store_figures {
    bool well;
    struct fault fault;              // when not well
    uint64_t commits, failures;      // transactions
    uint64_t entries, snapshots;     // committed
    uint64_t queue_bytes, queue_max; // waiting now, and the most that ever waited
    uint64_t commit_us, commit_max_us;
    uint64_t commit_round_trips; // of the last one, to a database that is a server of its own
    uint64_t file_bytes;         // of the database and its write-ahead log
    uint64_t compacted;          // entries that compaction has deleted
    struct store_budget budget;
    uint64_t history_bytes; // as the budget counts them, when they were last counted
    bool over_budget;       // history_bytes exceed the budget, and nothing more can be deleted
};

// ---- worlds --------------------------------------------------------------------------------------------------------

struct store_world {
    uint64_t world; // its number; a number is never used again
    char name[STORE_NAME_MAX + 1];
    uint64_t created_ms;
    uint64_t parent; // the world it was branched from, which may have been removed since; 0: none
    uint32_t parent_timeline;
    uint64_t parent_tick;
    uint32_t timeline; // the newest, 0: none yet
    uint64_t tick;     // the last logged tick of that timeline
    uint32_t physics;  // physics version of that timeline
    struct store_bytes settings;
    bool damaged;     // its rows contradict one another or were changed: the members above may be wrong
    struct fault why; // when it is damaged
};

// ---- writing -------------------------------------------------------------------------------------------------------

// One applied command. The meaning of `kind` is the caller's. An entry of sequence 0 is not logged: only its reply is
// kept.
struct store_entry {
    uint64_t tick;
    uint64_t sequence; // 1 for the first entry of a timeline, then one more each
    uint32_t kind;
    uint32_t client;     // number of the client, 0: the server itself
    const char *session; // session key of the client, NULL: it has none
    const char *request; // id of the request as JSON text, or NULL
    const char *reply;   // the whole reply, or NULL; it is kept if session and request are given
    size_t reply_length;
    struct store_bytes record; // the command
};

// Where a timeline comes from.
enum store_origin {
    STORE_ORIGIN_EMPTY,    // an empty world at tick 0; the entries alone reproduce every state
    STORE_ORIGIN_FORK,     // another timeline of the same world, up to an entry and a tick
    STORE_ORIGIN_SNAPSHOT, // its first snapshot; there is nothing before
    STORE_ORIGIN_COUNT
};

// `state` is the simulation's archive; `extra` holds what the caller keeps beside it (names, pins, grabs …).
struct store_snapshot {
    uint32_t timeline;
    uint64_t tick;
    uint64_t sequence; // the last entry that was applied before it, 0: none
    uint64_t hash;     // of the state
    uint32_t version;  // of the formats of `state` and `extra`; its meaning is the caller's
    uint64_t saved_ms; // set by the store
    struct store_bytes state, extra;
};

// How a timeline begins.
struct store_beginning {
    uint32_t timeline; // above every other timeline that the world has had
    uint64_t tick;     // the last tick done when it begins
    enum store_origin origin;
    uint32_t parent_timeline; // STORE_ORIGIN_FORK only
    uint64_t parent_sequence; // the last entry of the parent that is part of this timeline
    uint32_t physics;         // version of the arithmetic that computes it, from 1; its meaning is the caller's
};

// ---- reading -------------------------------------------------------------------------------------------------------

// The state's hash when `tick` was the last tick done and entry `sequence` the last one applied.
struct store_hash {
    uint32_t timeline;
    uint64_t tick;
    uint64_t sequence;
    uint64_t hash;
};

// An entry that was read. Its record and texts live as long as the history they came with.
struct store_logged {
    uint32_t timeline;
    struct store_entry entry; // reply is NULL
    uint64_t saved_ms;
};

// How to compute the state of a moment: begin with the snapshot, or with an empty world at tick 0, apply the entries in
// order before the steps of their ticks, and compare the hashes. The entries are those after the snapshot; the hashes
// those from it on.
//
// One physics version computes a whole timeline. The hashes of a timeline of another version than the present one
// cannot be met.
struct store_history {
    bool from_empty; // then `snapshot` is all zero
    struct store_snapshot snapshot;
    struct store_logged *entries;
    uint32_t entry_count;
    struct store_hash *hashes;
    uint32_t hash_count;
    uint32_t physics, newest_physics; // of the timeline that it begins in, and the newest of the timelines it uses
    uint64_t tick;                    // the last tick known to have been done, at most the requested one
    uint32_t passed_over;             // damaged snapshots that would have been nearer
    struct fault last_why;            // the damage of the last of them
};

struct store_query {
    uint64_t world;
    uint32_t timeline;        // 0: the newest
    uint64_t tick;            // the moment: entries up to this tick; STORE_END: all entries
    uint64_t before_sequence; // the snapshot must not contain this entry, nor later ones; 0: any snapshot
    uint32_t before_timeline; // timeline of that entry: `timeline`, or one of its ancestors; 0: `timeline`
    uint64_t before_tick;     // the snapshot must not be later; 0 without `bounded`: `tick` is the bound
    bool bounded;             // `before_tick` counts even if it is 0
};

struct store_timeline {
    uint32_t timeline;
    enum store_origin origin;
    uint32_t parent_timeline;
    uint64_t parent_sequence;
    uint64_t first_tick;    // the first tick whose state can be computed
    uint64_t last_tick;     // the last logged one
    uint64_t last_sequence; // of its entries, 0: none
    uint64_t entries;       // that are kept
    bool compacted;         // its beginning was deleted, and with it the connection to its parent
    uint64_t began_ms;
    uint32_t physics; // version of the arithmetic that computed it
};

struct store_snapshot_info {
    uint32_t timeline;
    uint64_t tick, sequence, hash, saved_ms;
    uint64_t bytes; // compressed
};

struct store_reply {
    char *request; // the id as JSON text
    char *reply;
    size_t reply_length;
};

#endif
