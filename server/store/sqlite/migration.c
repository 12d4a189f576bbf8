// SPDX-License-Identifier: MIT
// `application_id` of the file says that it is a store, `user_version` which schema it has. One migration, in one
// transaction, makes each schema from the one before; migration 0 makes the first one from an empty file.
#include "store/sqlite/migration.h"

#include <sqlite3.h>
#include <stdio.h>

#include "store/database/sql.h"
#include "store/sqlite/statement.h"
#include "store/store_state.h"

#define APPLICATION_ID 0x57454654 // "WEFT"

// The tables:
//
// world      the worlds
//
// timeline   the timelines of the worlds; `folded` is 1 when the beginning of the timeline was deleted, so that it
//            begins with a snapshot of folded_sequence and folded_tick; `physics` is the version of its arithmetic
//
// entry      the applied commands
//
// snapshot   `bytes` is one zstd frame: state_size bytes, then extra_size bytes; row numbers rise in the order of
//            writing
//
// hash       hashes of the state at some ticks
//
// reply      the first reply to each request of a session; saved_ms is the uptime; row numbers rise in the order of
//            writing
//
// sweep      rows of a world that maintenance is to delete: entries up to (timeline, sequence), hashes before
//            (timeline, tick), snapshots before row `snapshot`; INT64_MAX there: the world was removed, its replies
//            are deleted too
//
// probe      written to try a failing disk
//
// commits    one row: `count` is the number of commits (see watermark.c), ran_ms how long servers have run in all
static const char *const migrations[STORE_SCHEMA] = {
    "CREATE TABLE world(world INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
    " created_ms INTEGER NOT NULL, parent INTEGER NOT NULL, parent_timeline INTEGER NOT NULL,"
    " parent_tick INTEGER NOT NULL, settings BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT;"
    "CREATE TABLE timeline(world INTEGER NOT NULL, timeline INTEGER NOT NULL, origin INTEGER NOT NULL,"
    " parent_timeline INTEGER NOT NULL, parent_sequence INTEGER NOT NULL, began_tick INTEGER NOT NULL,"
    " began_ms INTEGER NOT NULL, last_sequence INTEGER NOT NULL, last_tick INTEGER NOT NULL,"
    " folded INTEGER NOT NULL, folded_sequence INTEGER NOT NULL, folded_tick INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL, PRIMARY KEY(world, timeline)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE entry(world INTEGER NOT NULL, timeline INTEGER NOT NULL, sequence INTEGER NOT NULL,"
    " tick INTEGER NOT NULL, kind INTEGER NOT NULL, client INTEGER NOT NULL, session TEXT, request TEXT,"
    " saved_ms INTEGER NOT NULL, record BLOB NOT NULL, checksum INTEGER NOT NULL,"
    " PRIMARY KEY(world, timeline, sequence)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE snapshot(snapshot INTEGER PRIMARY KEY, world INTEGER NOT NULL, timeline INTEGER NOT NULL,"
    " tick INTEGER NOT NULL, sequence INTEGER NOT NULL, hash INTEGER NOT NULL, version INTEGER NOT NULL,"
    " saved_ms INTEGER NOT NULL, state_size INTEGER NOT NULL, extra_size INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE INDEX snapshot_by_world ON snapshot(world, snapshot, timeline, tick, sequence, saved_ms);"
    "CREATE TABLE hash(world INTEGER NOT NULL, timeline INTEGER NOT NULL, tick INTEGER NOT NULL,"
    " sequence INTEGER NOT NULL, hash INTEGER NOT NULL, checksum INTEGER NOT NULL,"
    " PRIMARY KEY(world, timeline, tick, sequence)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE reply(reply INTEGER PRIMARY KEY, world INTEGER NOT NULL, session TEXT NOT NULL,"
    " request TEXT NOT NULL, saved_ms INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE UNIQUE INDEX reply_by_request ON reply(world, session, request);"
    "CREATE INDEX reply_by_session ON reply(world, session, reply);"
    "CREATE TABLE sweep(sweep INTEGER PRIMARY KEY, world INTEGER NOT NULL, timeline INTEGER NOT NULL,"
    " sequence INTEGER NOT NULL, tick INTEGER NOT NULL, snapshot INTEGER NOT NULL) STRICT;"
    "CREATE TABLE probe(probe INTEGER PRIMARY KEY, bytes BLOB) STRICT;",
    // Physics version 1 computed all timelines that are older than this column.
    "ALTER TABLE timeline ADD COLUMN physics INTEGER NOT NULL DEFAULT 1;"
    "CREATE TABLE commits(one INTEGER PRIMARY KEY CHECK(one=1), count INTEGER NOT NULL) STRICT;"
    "INSERT INTO commits VALUES(1, 0);",
    // Replies age with the server's running time, not with the Unix clock.
    "ALTER TABLE commits ADD COLUMN ran_ms INTEGER NOT NULL DEFAULT 0; UPDATE reply SET saved_ms=0;",
};

static int read_pragma(sqlite3 *db, const char *text, int *value) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, text, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
        *value = code == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int migrate_by_one(sqlite3 *db, int version) {
    char tail[128];
    snprintf(tail, sizeof tail, "PRAGMA application_id=%d; PRAGMA user_version=%d; COMMIT", APPLICATION_ID,
             version + 1);
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, migrations[version], NULL, NULL, NULL);
    }
    if (code == SQLITE_OK) {
        code = sqlite3_exec(db, tail, NULL, NULL, NULL);
    }
    if (code != SQLITE_OK && sqlite3_get_autocommit(db) == 0) {
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

int store_schema_migrate(sqlite3 *db, int version) {
    int code = SQLITE_OK;
    for (; code == SQLITE_OK && version < (int)STORE_SCHEMA; version++) {
        code = migrate_by_one(db, version);
    }
    return code;
}

int store_schema_migrate_copy(sqlite3 *db) {
    int version = 0;
    const int code = read_pragma(db, "PRAGMA user_version", &version);
    return code == SQLITE_OK && version >= 1 ? store_schema_migrate(db, version) : code;
}

enum result store_schema_identify(const char *path, sqlite3 *db, int *version, struct fault *fault) {
    int id = 0, tables = 0;
    int code = read_pragma(db, "PRAGMA application_id", &id);
    if (code == SQLITE_OK) {
        code = read_pragma(db, "PRAGMA user_version", version);
    }
    if (code == SQLITE_OK) {
        code = read_pragma(db, "SELECT count(*) FROM sqlite_schema", &tables);
    }
    if ((code & 0xFF) == SQLITE_NOTADB || (code == SQLITE_OK && id != APPLICATION_ID && tables > 0)) {
        return fault_set(fault, RESULT_INVALID, "/data", "%s is not a store of Weft", path);
    }
    if (code != SQLITE_OK) {
        return store_sqlite_fault(fault, db, code, "opening the store");
    }
    if (*version > (int)STORE_SCHEMA || *version < 0) {
        return fault_set(fault, RESULT_INVALID, "/data",
                         "%s was written by a newer Weft: it has schema %d, this version reads up to %u", path,
                         *version, STORE_SCHEMA);
    }
    return RESULT_OK;
}
