// SPDX-License-Identifier: MIT
// The interface of a database engine: sqlite/engine.c and postgres/engine.c each have one table. STORE.md describes the
// common parts and the differences of the engines.
//
// All functions but reader_begin and reader_end run on the store's thread with the connection locked, or before that
// thread starts and after it has ended. Functions that return an int return a code of database/sql.h.
#ifndef WEFT_STORE_DATABASE_ENGINE_H
#define WEFT_STORE_DATABASE_ENGINE_H

#include "store/database/row.h"
#include "store/store_state.h"

// A world that a transaction writes to, and the row of the timeline that it changes. Claims of one call rise by world
// and timeline, without duplicates.
struct store_claim {
    uint64_t world;
    uint32_t timeline; // 0: no row is needed
    bool owned;        // false: another server has taken the world
    bool found;        // the row of the timeline is there
    bool intact;       // and it has its checksum
    bool changed;      // by the transaction
    struct store_timeline_row row;
};

struct store_engine {
    const char *keeper; // in messages: the thing that the writes wait for

    // Claims the database for this server, makes or migrates its tables, and connects. On failure `close` is called.
    enum result (*open)(struct store *store, const struct store_options *options, struct fault *fault);
    void (*close)(struct store *store);
    // Connects anew after a failure. Errors: RESULT_DAMAGED also when acknowledged commits are missing.
    enum result (*reopen)(struct store *store, struct fault *fault);
    // Whether the database is still the one that was opened. Called after each commit and before maintenance.
    enum result (*check)(struct store *store, struct fault *fault);

    // A connection that reads one unchanging moment. From any thread.
    enum result (*reader_begin)(struct store *store, struct store_connection *reader, struct fault *fault);
    void (*reader_end)(struct store *store, struct store_connection *reader);

    int (*begin)(struct store *store);
    int (*commit)(struct store *store); // also counts the commit in `commits` and `commit_ms`
    void (*rollback)(struct store *store);

    // Ownership. Each transaction that writes to worlds claims them first: then they are this server's until it ends.
    // `world_own` makes this server the owner of a new world, within the transaction that makes it; `world_disown`
    // forgets the owner of a removed world, within the transaction that deletes its last row.
    int (*claim)(struct store *store, struct store_claim *claims, uint32_t count);
    int (*world_own)(struct store *store, uint64_t world);
    int (*world_disown)(struct store *store, uint64_t world);
    // Nodes: `world_adopt` remembers the epoch by which this node became the owner of a world; `world_epoch` returns
    // it, 0: none, and runs on any thread with `mutex` held.
    int (*world_adopt)(struct store *store, uint64_t world, uint64_t epoch);
    uint64_t (*world_epoch)(const struct store *store, uint64_t world);

    int (*tend)(struct store *store);                        // called between commits: the engine's own upkeep
    int (*reclaim)(struct store *store, bool *more);         // returns room to the file system, a little at a time
    int (*used_bytes)(struct store *store, uint64_t *bytes); // of history, as struct store_budget counts them
    uint64_t (*file_bytes)(struct store *store);             // for store_figures
    const char *probe;                                       // a statement that writes ?1 bytes into the table `probe`
};

#endif
