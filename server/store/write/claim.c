// SPDX-License-Identifier: MIT
#include "store/write/claim.h"

#include "store/database/engine.h"
#include "store/database/sql.h"
#include "store/database/transaction.h"
#include "store/store_state.h"
#include "store/write/world_log.h"

int store_claim_world(struct store *store, uint64_t world, uint32_t timeline, struct store_claim *claim) {
    *claim = (struct store_claim){.world = world, .timeline = timeline};
    return store->engine->claim(store, claim, 1);
}

enum result store_claim_lost(struct store *store, uint64_t world, struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    if (log != NULL) {
        log->lost = log->taken = true;
    }
    pthread_mutex_unlock(&store->mutex);
    return fault_set(fault, RESULT_STATE, "", "another server has taken the world");
}

enum result store_begin_owned(struct store *store, uint64_t world, const char *action, struct fault *fault) {
    struct store_claim claim = {0};
    int code = store_begin_transaction(store);
    if (code == STORE_SQL_OK) {
        code = store_claim_world(store, world, 0, &claim);
    }
    if (code == STORE_SQL_OK && claim.owned) {
        return RESULT_OK;
    }
    enum result result = code == STORE_SQL_OK ? store_claim_lost(store, world, fault)
                                              : store_sql_fault(fault, &store->connection, code, action);
    store_rollback(store);
    return result == RESULT_DAMAGED ? RESULT_IO : result;
}
