// SPDX-License-Identifier: MIT
#include "store/database/transaction.h"

#include <sqlite3.h>

#include "store/database/clock.h"
#include "store/database/sql.h"
#include "store/database/watermark.h"
#include "store/store_state.h"

int store_begin_transaction(struct store *store) {
    return store_execute(&store->connection, "BEGIN IMMEDIATE", "");
}

int store_commit_transaction(struct store *store) {
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

void store_rollback(struct store *store) {
    if (store->connection.db != NULL && sqlite3_get_autocommit(store->connection.db) == 0) {
        (void)sqlite3_exec(store->connection.db, "ROLLBACK", NULL, NULL,
                           NULL); // after some errors SQLite has rolled back already
    }
}

enum result store_end_transaction(struct store *store, int code, const char *action, struct fault *fault) {
    if (code == SQLITE_OK) {
        code = store_commit_transaction(store);
    }
    if (code != SQLITE_OK) {
        enum result result = store_sql_fault(fault, store->connection.db, code, action);
        store_rollback(store);
        return result == RESULT_DAMAGED ? RESULT_IO : result;
    }
    return RESULT_OK;
}
