// SPDX-License-Identifier: MIT
#include "store/sqlite/transaction.h"

#include <sqlite3.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/sqlite/watermark.h"
#include "store/store_state.h"

int store_sqlite_begin(struct store *store) {
    return store_execute(&store->connection, "BEGIN IMMEDIATE", "");
}

int store_sqlite_commit(struct store *store) {
    int code = store_execute(&store->connection, "UPDATE commits SET count=?1, ran_ms=?2", "uu", store->commits + 1,
                             store_uptime_ms(store));
    if (code == SQLITE_OK) {
        code = store_execute(&store->connection, "COMMIT", "");
    }
    if (code == SQLITE_OK) {
        store->commits++;
        store->commit_ms = store_monotonic_ms();
        store_watermark_raise(store);
    }
    return code;
}

void store_sqlite_rollback(struct store *store) {
    if (store->connection.db != NULL && sqlite3_get_autocommit(store->connection.db) == 0) {
        (void)sqlite3_exec(store->connection.db, "ROLLBACK", NULL, NULL,
                           NULL); // after some errors SQLite has rolled back already
    }
}
