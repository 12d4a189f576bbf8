// SPDX-License-Identifier: MIT
// What the files of the store offer one another, and the tables of its file.
//
// Threads: `mutex` guards what posting and committing share (queue, logs, health, figures) and is held for moments
// only. The connection is the store's thread's; `connection_mutex` is held while it is used, because in memory readers
// borrow it. Neither is held while the listener is called.
//
// Numbers of 64 bits without sign are kept as SQLite's signed ones, bit for bit.
#ifndef WEFT_STORE_STORE_INTERNAL_H
#define WEFT_STORE_STORE_INTERNAL_H

#include <pthread.h>
#include <stdio.h>

#include "base/array.h"
#include "base/hash.h"
#include "store/store.h"

struct sqlite3;
struct sqlite3_file;
struct sqlite3_stmt;

#define STORE_PATH_MAX 1200
#define STORE_FILE "weft.db"
#define STORE_MARK_FILE "weft.mark"
#define STORE_BOOT_MAX 40
#define STORE_BUSY_MS 5000         // while another process reads the file with a tool of SQLite
#define STORE_CHECKPOINT_MS 10000u // after so long at most, if anything was written
#define STORE_IDLE_MS 1000u        // without a commit
#define STORE_STATEMENTS_MAX 64u
#define STORE_PROBE_MS 1000u
#define STORE_CHECKPOINT_PAGES 1000 // of the write-ahead log, about 4 MB

// ---- sql.c: statements ---------------------------------------------------------------------------------------------

// An open database and its prepared statements, found by the address of their text.
struct store_connection {
    struct sqlite3 *db;
    struct {
        const char *text;
        struct sqlite3_stmt *statement;
    } cached[STORE_STATEMENTS_MAX];
    uint32_t cached_count;
};

// A statement with its parameters bound, to be stepped and then handed to store_done; NULL when it failed, `code` says
// how. `text` is a literal. `format` has a letter per parameter: u (uint64_t), t (const char *, or NULL), b (struct
// store_bytes; NULL data is an empty blob).
struct sqlite3_stmt *store_query(struct store_connection *connection, int *code, const char *text, const char *format,
                                 ...) WEFT_MUST_USE;
// Ends a query that was stepped until `code`: SQLITE_DONE and SQLITE_ROW become SQLITE_OK.
int store_done(struct sqlite3_stmt *statement, int code) WEFT_MUST_USE;
// Runs a statement that gives no rows.
int store_execute(struct store_connection *connection, const char *text, const char *format, ...) WEFT_MUST_USE;
// The first column of the first row; `found` false when there is none.
int store_fetch(struct store_connection *connection, uint64_t *value, bool *found, const char *text, const char *format,
                ...) WEFT_MUST_USE;
uint64_t store_column(struct sqlite3_stmt *statement, int column);
struct store_bytes store_column_bytes(struct sqlite3_stmt *statement, int column);
void store_disconnect(struct store_connection *connection);
bool store_is_memory(int code); // whether an SQLite code says that memory is out
// An SQLite code as a fault: RESULT_MEMORY, RESULT_DAMAGED, else RESULT_IO. `what` says what was tried.
enum result store_sql_fault(struct fault *fault, struct sqlite3 *db, int code, const char *what);

// ---- schema.c: the file
// ----------------------------------------------------------------------------------------------

// Opens the writing connection: made, migrated, checked.
enum result store_connect(struct store *store, struct fault *fault) WEFT_MUST_USE;
// Makes a copy of an older file one of the present schema, to salvage it. An SQLite code.
int store_migrate_copy(struct sqlite3 *db) WEFT_MUST_USE;
// A reading connection inside a transaction, and its end. In memory it is the writing one, locked.
enum result store_reader_begin(struct store *store, struct store_connection *reader, struct fault *fault) WEFT_MUST_USE;
void store_reader_end(struct store *store, struct store_connection *reader);

// ---- row.c: rows and their checksums
// ---------------------------------------------------------------------------------

struct store_timeline_row {
    uint64_t world;
    uint32_t timeline;
    enum store_origin origin;
    uint32_t parent_timeline;
    uint64_t parent_sequence;
    uint64_t began_tick, began_ms;
    uint64_t last_sequence, last_tick;
    bool folded; // its beginning is gone: it now begins with a snapshot that has these
    uint64_t folded_sequence, folded_tick;
    uint32_t physics;
};

// A snapshot as it is kept: state and extra one after another, as one frame of zstd.
struct store_packed {
    struct store_snapshot head; // without bytes
    uint64_t state_size, extra_size;
    bool raw; // not compressed yet
    struct store_bytes bytes;
};

// The checksum of an entry's row. Of a capsule's, world and timeline are 1.
uint64_t store_entry_checksum(uint64_t world, const struct store_logged *logged);
uint64_t store_snapshot_checksum(uint64_t world, const struct store_packed *packed);
uint64_t store_hash_checksum(uint64_t world, const struct store_hash *hash);
uint64_t store_world_checksum(const struct store_world *world); // of what is given when it is made, and when

// Timeline 0 is the newest. Errors: RESULT_NOT_FOUND, RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_timeline_load(struct store_connection *connection, uint64_t world, uint32_t timeline,
                                struct store_timeline_row *row, struct fault *fault) WEFT_MUST_USE;
int store_timeline_keep(struct store_connection *connection, const struct store_timeline_row *row) WEFT_MUST_USE;

// Compresses; `packed->bytes` is the caller's to free. Errors: RESULT_LIMIT, RESULT_MEMORY.
enum result store_snapshot_pack(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) WEFT_MUST_USE;
// Only copies; what compresses it later is store_snapshot_compress. Errors: as store_snapshot_pack.
enum result store_snapshot_copy(const struct store_snapshot *snapshot, struct store_packed *packed,
                                struct fault *fault) WEFT_MUST_USE;
// Compresses what was copied; false, and nothing changed, when memory is out.
bool store_snapshot_compress(struct store_packed *packed) WEFT_MUST_USE;
// Decompresses into one allocation, to which `snapshot->state` points. Errors: RESULT_DAMAGED, RESULT_MEMORY.
enum result store_snapshot_unpack(const struct store_packed *packed, struct store_snapshot *snapshot,
                                  struct fault *fault) WEFT_MUST_USE;
// Reads a snapshot by its row's number, checks and decompresses it. Errors: RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_snapshot_load(struct store_connection *connection, uint64_t number, struct store_snapshot *snapshot,
                                struct fault *fault) WEFT_MUST_USE;

// Copies an entry from (timeline, sequence, tick, kind, client, session, request, saved_ms, record, checksum), the
// columns of `statement`, into `logged`, one allocation to which `record` points. `checksum` is the row's.
enum result store_entry_copy(struct sqlite3_stmt *statement, struct store_logged *logged, uint64_t *checksum,
                             struct fault *fault) WEFT_MUST_USE;

// ---- history.c: growing a history
// -------------------------------------------------------------------------------------

// Adds an entry or a hash; the entry is taken. Errors: RESULT_MEMORY.
enum result store_history_add(struct store_history *history, struct store_logged *take,
                              struct fault *fault) WEFT_MUST_USE;
enum result store_history_add_hash(struct store_history *history, const struct store_hash *hash,
                                   struct fault *fault) WEFT_MUST_USE;

// ---- mark.c: how many commits were acknowledged, beside the database
// -------------------------------------------------------

enum store_mark_state { STORE_MARK_ABSENT, STORE_MARK_UNREADABLE, STORE_MARK_READ };
struct store_mark {
    enum store_mark_state state;
    uint64_t sequence, commits;
    uint32_t durability;       // of the server that wrote it
    char boot[STORE_BOOT_MAX]; // when it did, see store_boot_name; empty: unknown
};
// Identifies the run of the machine since it was started; empty where the system does not say.
void store_boot_name(char boot[STORE_BOOT_MAX]);
struct store_mark store_mark_read(const char *path);
// Opens the mark, which holds `store->commits` from now on. Errors: RESULT_IO, RESULT_MEMORY.
enum result store_mark_open(struct store *store, struct fault *fault) WEFT_MUST_USE;
void store_mark_note(struct store *store); // after a commit, before it is acknowledged
void store_mark_sync(struct store *store);
void store_mark_close(struct store *store);

// ---- copy.c: its files without SQLite ---------------------------------------------------------------------------

// The size of a database's pages, as its header says it; where that says none, the usual one.
uint32_t store_page_size(const char *path);
// A new file that nobody but its owner reads; NULL when it cannot be made, as where there is one.
FILE *store_create_copy(const char *path);
// Copies what can be read. False: memory is out, or not all of it could be written. Whether all of it was read, ferror
// tells.
bool store_copy_bytes(FILE *in, FILE *out);

// ---- place.c: while it is open
// ------------------------------------------------------------------------------------------

// Whether the files of a store that exist are regular ones. Opening a pipe would wait for ever. `pointer` is that of
// the fault. Errors: RESULT_IO.
enum result store_check_kinds(const char *directory, const char *pointer, struct fault *fault) WEFT_MUST_USE;
// Remembers which file was opened. Errors: RESULT_IO.
enum result store_note_place(struct store *store, struct fault *fault) WEFT_MUST_USE;
// Whether the database is still that file. Errors: RESULT_IO.
enum result store_check_place(const struct store *store, struct fault *fault) WEFT_MUST_USE;
// The same, and whether its log and its mark are there. If not, they are made again from the open files. Errors:
// RESULT_IO, RESULT_DAMAGED, RESULT_MEMORY.
enum result store_check_files(struct store *store, struct fault *fault) WEFT_MUST_USE;

// ---- guard.c: before it is opened
// -------------------------------------------------------------------------------------

// Whether all that was acknowledged is there. Changes nothing; keeps a copy of a log that is damaged. Errors:
// RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_guard(struct store *store, struct fault *fault) WEFT_MUST_USE;

// ---- post.c: the queue ---------------------------------------------------------------------------------------------

enum store_post_kind { STORE_POST_APPEND, STORE_POST_MARK, STORE_POST_SAVE, STORE_POST_BEGIN, STORE_POST_COUNT };

// A post as it waits: this head, then its entries. All sizes are multiples of 8.
struct store_post {
    uint64_t size; // of head and entries
    enum store_post_kind kind;
    enum result result; // once it was written
    uint64_t world;
    uint64_t ticket;
    uint64_t saved_ms;
    uint32_t timeline;
    uint32_t count;                // entries
    uint64_t tick, sequence, hash; // MARK
    struct store_beginning beginning;
    struct store_packed *snapshot; // SAVE, BEGIN: owned; or NULL
};

// An entry of a post; session, request, reply and record follow, each text with its end. UINT32_MAX: none.
struct store_post_entry {
    uint64_t size; // of head and bytes
    uint64_t tick, sequence;
    uint32_t kind, client;
    uint32_t session_length, request_length, reply_length;
    uint32_t record_length;
};

struct store_posts {
    unsigned char *data;
    size_t size, capacity;
    size_t snapshot_bytes; // that posts own beside
};

// Walks: the first post, then each next one; NULL at the end.
struct store_post *store_posts_next(const struct store_posts *posts, const struct store_post *post);
void store_posts_clear(struct store_posts *posts); // frees what the posts own; keeps the memory unless it is much
void store_posts_free(struct store_posts *posts);

// What posting knows of a world.
struct store_log {
    uint64_t world;
    uint32_t timeline;       // 0: none yet
    uint64_t sequence, tick; // of the last entry
    bool lost;
    struct store_gathered *gathered; // NULL: what is posted goes into the queue at once
};

// Posts of a world that go into the queue together, and its log before them.
struct store_gathered {
    struct store_posts posts;
    struct store_log before;
};
void store_gathered_free(struct store_gathered *gathered); // with what the posts own; NULL is allowed
// Under the mutex. NULL: no such world.
struct store_log *store_log_find(struct store *store, uint64_t world);
bool store_world_known(struct store *store, uint64_t world); // takes the mutex itself
// Under the mutex: the worlds whose entries these posts hold are lost.
void store_posts_lose(struct store *store, const struct store_posts *posts);

// ---- writer.c
// ----------------------------------------------------------------------------------------------------------

// Writes posts as one transaction, or nothing.
enum result store_write(struct store *store, const struct store_posts *posts, struct fault *fault) WEFT_MUST_USE;
int store_begin_transaction(struct store *store) WEFT_MUST_USE;
int store_commit_transaction(struct store *store) WEFT_MUST_USE;
void store_rollback(struct store *store);

// ---- fold.c
// ------------------------------------------------------------------------------------------------------------

// One small piece of upkeep; the store's thread, with the connection locked. Returns ms until the next is due. `folded`
// is filled when history was shortened.
struct store_fold {
    bool happened;
    uint64_t world;
    uint32_t timeline;
    uint64_t tick;
    uint64_t entries; // deleted
};
uint32_t store_upkeep(struct store *store, struct store_fold *fold);

// ---- store.c
// -----------------------------------------------------------------------------------------------------------

// Work that somebody waits for; on the store's thread, with the connection locked.
struct store_job {
    enum result (*run)(struct store *store, void *argument, struct fault *fault);
    void *argument;
    struct fault *fault;
    enum result result;
    bool done;
    struct store_job *next;
};
enum result store_run_job(struct store *store, struct store_job *job) WEFT_MUST_USE;

struct store {
    char path[STORE_PATH_MAX], mark_path[STORE_PATH_MAX];
    char boot[STORE_BOOT_MAX];
    struct store_mark mark;         // as it was read, then as it was written
    struct sqlite3_file *mark_file; // NULL: not open yet
    bool mark_synced;
    uint64_t commits;              // that the database counts
    uint64_t ran_before_ms;        // how long servers ran with this store before this one
    uint64_t opened_us, opened_ms; // when this one began, of the monotonic clock and of the Unix clock
    uint64_t device, inode;        // of the database that was opened
    bool in_memory;
    int lock_file; // −1: none
    enum store_durability durability;
    struct store_budget budget;
    struct store_listener listener;
    uint32_t probe_ms;

    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t woken, job_done;
    struct store_posts pending, working; // `working` is the thread's
    size_t in_hand;                      // bytes of `working` until it is settled
    struct store_job *jobs, **jobs_tail;
    struct store_log *logs; // rising worlds
    uint32_t log_count, log_capacity;
    bool stopping;
    struct store_figures figures; // `well` and `fault` are the state

    pthread_mutex_t connection_mutex;
    struct store_connection connection;
    int wal_pages;                     // in the write-ahead log
    uint64_t commit_ms, checkpoint_ms; // when the last was, of the monotonic clock
    uint64_t next_fold_ms;             // fold.c, of the monotonic clock
    uint64_t upkeep_ms;                // when it is due
    uint64_t next_probe_ms;
};

uint64_t store_clock_ms(void);     // of the Unix clock
uint64_t store_monotonic_us(void); // from any origin
// The Unix clock as it was when the store was opened, and the time since: it does not jump.
uint64_t store_steady_ms(const struct store *store);
uint64_t store_ran_ms(const struct store *store); // how long servers have run with this store

#endif
