// SPDX-License-Identifier: MIT
// The state of an open store. Data only.
//
// Threads: `mutex` guards what queueing and committing share (queue, logs, health, figures) and is held for moments
// only. The connection belongs to the store's thread; `connection_mutex` is held while it is used, because readers of a
// store in memory borrow it. Neither is held while a callback of the listener runs.
//
// `owned` belongs to the store's thread, too, but it changes under `mutex`: other threads ask for the epoch of a world.
//
// Unsigned numbers of 64 bits are kept as SQLite's signed ones, bit for bit.
#ifndef WEFT_STORE_STORE_STATE_H
#define WEFT_STORE_STORE_STATE_H

#include <pthread.h>

#include "base/job_thread.h"
#include "store/types.h"

struct sqlite3;
struct sqlite3_file;
struct store_connection;
struct store_engine;
struct store_postgres;
struct store_sql;

#define STORE_PATH_MAX 1200
#define STORE_FILE "weft.db"
#define STORE_WATERMARK_FILE "weft.mark"
#define STORE_BOOT_MAX 40
#define STORE_BUSY_MS 5000 // how long to wait while another process reads the file with a tool of SQLite
#define STORE_STATEMENTS_MAX 64u
#define STORE_CHECKPOINT_PAGES 1000 // of the write-ahead log, about 4 MB

// A statement of a connection, and the rows that it finds.
struct store_rows {
    struct store_connection *connection;
    const char *text;
    uint32_t number; // from 1, of the statement within the connection
    bool prepared;   // PostgreSQL
    void *statement; // SQLite: sqlite3_stmt; PostgreSQL: PGresult of the rows
    int row;         // PostgreSQL: of the result
};

// An open database and its statements, found by the address of their text.
struct store_connection {
    const struct store_sql *sql;     // NULL: none is open
    struct sqlite3 *db;              // SQLite
    struct store_postgres *postgres; // PostgreSQL
    struct store_rows cached[STORE_STATEMENTS_MAX];
    uint32_t cached_count;
    uint64_t round_trips; // PostgreSQL
};

enum store_watermark_state { STORE_WATERMARK_ABSENT, STORE_WATERMARK_UNREADABLE, STORE_WATERMARK_READ };
struct store_watermark {
    enum store_watermark_state state;
    uint64_t sequence, commits;
    uint32_t durability;       // of the server that wrote it
    char boot[STORE_BOOT_MAX]; // the run of the machine in which it was written, see store_boot_name; empty: unknown
};

// Queued writes, one after another in one allocation.
struct store_queue {
    unsigned char *data;
    size_t size, capacity;
    size_t snapshot_bytes; // that the queued writes own elsewhere
};

// What queueing needs to know of a world.
struct store_log {
    uint64_t world;
    uint32_t timeline;         // 0: none yet
    uint64_t sequence, tick;   // of the last entry
    bool lost;                 // the log lacks entries that were applied
    bool taken;                // another server has taken the world
    struct store_group *group; // NULL: writes go into the queue at once
};

// Writes of a world that go into the queue together, and the world's log as it was before them.
struct store_group {
    struct store_queue writes;
    struct store_log before;
};

// A world that this server owns, or has removed but not yet deleted, and the epoch of its ownership. A world that it
// owned once may stay in the list: the row in the database has another epoch then.
struct store_owned {
    uint64_t world, epoch;
};

// Work that a caller waits for. Runs on the store's thread, with the connection locked.
struct store_job {
    struct thread_job job;
    struct store *store;
    enum result (*run)(struct store *store, void *argument, struct fault *fault);
    void *argument;
    struct fault *fault;
    enum result result;
    bool done;
};

struct store {
    struct thread_job commit; // of what is queued; first, so that the job is its store
    const struct store_engine *engine;
    char *address; // of the PostgreSQL database; NULL: SQLite
    char path[STORE_PATH_MAX], watermark_path[STORE_PATH_MAX];
    char boot[STORE_BOOT_MAX];
    struct store_watermark watermark;    // as it was read, then as it was written
    struct sqlite3_file *watermark_file; // NULL: not open yet
    bool watermark_synced;
    uint64_t database_bytes;   // PostgreSQL: of the database, when it was last measured
    uint32_t answer_ms;        // PostgreSQL: see store_options
    char backend[64];          // PostgreSQL: the process that serves the writing connection, and its start
    struct store_owned *owned; // PostgreSQL: by rising world numbers
    uint32_t owned_count, owned_capacity;
    uint64_t commits;              // as the database counts them
    uint64_t uptime_before_ms;     // how long servers ran with this store before this one
    uint64_t opened_us, opened_ms; // when this server opened it, by the monotonic and by the Unix clock
    uint64_t device, inode;        // of the database file that was opened
    bool in_memory;
    bool shared;                   // PostgreSQL: other nodes may use the database, too
    bool sweeps;                   // this server deletes the rows that are to be deleted
    char node[STORE_NODE_MAX + 1]; // of a node: its number, and its address
    char node_url[STORE_URL_MAX + 1];
    int lock_file; // −1: none
    enum store_durability durability;
    struct store_budget budget;
    struct store_listener listener;
    uint32_t probe_ms;

    struct job_thread *thread;
    pthread_mutex_t mutex;
    pthread_cond_t job_done;
    struct store_queue queued, committing; // `committing` belongs to the thread
    size_t committing_bytes;               // of `committing`, until it is settled
    struct store_log *logs;                // by rising world numbers
    uint32_t log_count, log_capacity;
    bool commit_posted;        // a commit is posted, and not yet begun
    uint64_t waiting_since_ms; // of the monotonic clock: since when writes have waited for a commit; 0: none wait
    bool stopping;
    struct store_figures figures; // `well` and `fault` are the store's health

    pthread_mutex_t connection_mutex;
    struct store_connection connection;
    int wal_pages; // in the write-ahead log
    // Of the monotonic clock: the last commit, the last checkpoint; when the next work of each kind is due.
    uint64_t commit_ms, checkpoint_ms;
    uint64_t reply_passed; // trimming replies: those up to this one are young, or of worlds of other servers
    uint64_t next_compaction_ms, next_maintenance_ms, next_probe_ms;
};

#endif
