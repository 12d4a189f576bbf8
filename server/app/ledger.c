// SPDX-License-Identifier: MIT
// A table of histories by the number that their worlds have in the store.
#include "app/ledger.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "app/history.h"
#include "base/log.h"

struct ledger {
    struct store *store;
    pthread_mutex_t mutex; // guards the table, and that who is in it is not freed while it is told
    struct history *histories[STORE_WORLDS_MAX];
    uint32_t count;
};

// ---- what the store's thread tells -------------------------------------------------------------------------------

static void on_settled(void *user, uint64_t number, uint64_t ticket, enum result result, const struct fault *fault) {
    struct ledger *ledger = user;
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (ledger->histories[i]->number == number) {
            history_settle(ledger->histories[i], ticket, result, fault);
            break;
        }
    }
    pthread_mutex_unlock(&ledger->mutex);
}

static void on_folded(void *user, uint64_t number, uint32_t timeline, uint64_t tick) {
    struct ledger *ledger = user;
    (void)tick;
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (ledger->histories[i]->number == number) {
            atomic_store(&ledger->histories[i]->oldest, timeline);
            break;
        }
    }
    pthread_mutex_unlock(&ledger->mutex);
}

// Every world looks whether the store has missed something of its.
static void on_health(void *user, bool well, const struct fault *fault) {
    struct ledger *ledger = user;
    if (!well) {
        log_error("store", "nothing can be stored: %s", fault->message);
        return;
    }
    log_info("store", "the disk takes what is written again");
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->count; i++) {
        history_wake(ledger->histories[i]);
    }
    pthread_mutex_unlock(&ledger->mutex);
}

// ---- life --------------------------------------------------------------------------------------------------------

enum result ledger_open(const struct config *config, struct ledger **out, struct fault *fault) {
    *out = NULL;
    if (strcmp(config->data, CONFIG_DATA_NONE) == 0) {
        return RESULT_OK;
    }
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    pthread_mutex_init(&ledger->mutex, NULL);
    const struct store_options options = {
        .directory = config->data,
        .durability = config->durability,
        .budget = config->history,
        .listener = {.user = ledger, .settled = on_settled, .health = on_health, .folded = on_folded}};
    const enum result result = store_open(&options, &ledger->store, fault);
    if (result != RESULT_OK) {
        const struct fault why = *fault;
        pthread_mutex_destroy(&ledger->mutex);
        free(ledger);
        return fault_set(fault, result, "", "--data %.200s: %s", config->data, why.message);
    }
    *out = ledger;
    return RESULT_OK;
}

void ledger_close(struct ledger *ledger) {
    if (ledger != NULL) {
        store_close(ledger->store);
        ledger->store = NULL;
    }
}

void ledger_destroy(struct ledger *ledger) {
    if (ledger != NULL) {
        pthread_mutex_destroy(&ledger->mutex);
        free(ledger);
    }
}

struct store *ledger_store(const struct ledger *ledger) {
    return ledger->store;
}

enum result ledger_enter(struct ledger *ledger, struct history *history) {
    pthread_mutex_lock(&ledger->mutex);
    const bool room = ledger->count < STORE_WORLDS_MAX;
    if (room) {
        ledger->histories[ledger->count++] = history;
    }
    pthread_mutex_unlock(&ledger->mutex);
    return room ? RESULT_OK : RESULT_LIMIT;
}

void ledger_leave(struct ledger *ledger, const struct history *history) {
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (ledger->histories[i] == history) {
            ledger->histories[i] = ledger->histories[--ledger->count];
            break;
        }
    }
    pthread_mutex_unlock(&ledger->mutex);
}

bool ledger_is_well(struct ledger *ledger, struct fault *fault) {
    if (ledger == NULL) {
        return true;
    }
    struct store_figures figures;
    store_figures(ledger->store, &figures);
    *fault = figures.fault;
    return figures.well;
}
