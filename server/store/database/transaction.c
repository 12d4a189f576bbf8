// SPDX-License-Identifier: MIT
#include "store/database/transaction.h"

#include "store/database/engine.h"
#include "store/database/sql.h"
#include "store/store_state.h"

int store_begin_transaction(struct store *store) {
    return store->engine->begin(store);
}

int store_commit_transaction(struct store *store) {
    return store->engine->commit(store);
}

void store_rollback(struct store *store) {
    store->engine->rollback(store);
}

enum result store_end_transaction(struct store *store, int code, const char *action, struct fault *fault) {
    if (code == STORE_SQL_OK) {
        code = store_commit_transaction(store);
    }
    if (code != STORE_SQL_OK) {
        enum result result = store_sql_fault(fault, &store->connection, code, action);
        store_rollback(store);
        return result == RESULT_DAMAGED ? RESULT_IO : result;
    }
    return RESULT_OK;
}
