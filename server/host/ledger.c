// SPDX-License-Identifier: MIT
// A table of histories by the number that their worlds have in the store.
#include "host/ledger.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/result.h"
#include "host/history.h"
#include "proto/json/json_writer.h"

// A world that could not be brought back.
struct aside {
    uint64_t number;
    char name[STORE_NAME_MAX + 1], reason[FAULT_MESSAGE_MAX];
};

struct ledger {
    struct store *store;
    struct ledger_calls calls;
    pthread_mutex_t mutex; // guards the table, and that who is in it is not freed while it is told
    struct history *histories[STORE_WORLDS_MAX];
    uint32_t count;
    struct aside asides[STORE_WORLDS_MAX];
    uint32_t aside_count;
};

// ---- what the store's thread tells -------------------------------------------------------------------------------

static void on_settled(void *user, uint64_t number, uint64_t ticket, enum result result, const struct fault *fault) {
    struct ledger *ledger = user;
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->count; i++) {
        if (ledger->histories[i]->number == number) {
            ledger->calls.settle(ledger->histories[i], ticket, result, fault);
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
        ledger->calls.wake(ledger->histories[i]);
    }
    pthread_mutex_unlock(&ledger->mutex);
}

// ---- life --------------------------------------------------------------------------------------------------------

enum result ledger_open(const struct config *config, const struct ledger_calls *calls, struct ledger **out,
                        struct fault *fault) {
    *out = NULL;
    if (strcmp(config->data, CONFIG_DATA_NONE) == 0) {
        return RESULT_OK;
    }
    struct ledger *ledger = calloc(1, sizeof *ledger);
    if (ledger == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    ledger->calls = *calls;
    pthread_mutex_init(&ledger->mutex, NULL);
    const struct store_options options = {
        .directory = config->data,
        .durability = config->durability,
        .budget = config->history,
        .listener = {.user = ledger, .settled = on_settled, .health = on_health, .compacted = on_folded}};
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

// ---- worlds that are set aside -----------------------------------------------------------------------------------

void ledger_set_aside(struct ledger *ledger, uint64_t number, const char *name, const struct fault *why) {
    pthread_mutex_lock(&ledger->mutex);
    struct aside *aside = &ledger->asides[ledger->aside_count++]; // the store lists no more than there is room for
    aside->number = number;
    snprintf(aside->name, sizeof aside->name, "%s", name);
    snprintf(aside->reason, sizeof aside->reason, "%s", why->message);
    pthread_mutex_unlock(&ledger->mutex);
    log_error("store",
              "%s: set aside, the other worlds run: %s. It stays in the store as it is; weftctl salvage gets "
              "out what is intact",
              name, why->message);
}

uint32_t ledger_aside_count(struct ledger *ledger) {
    if (ledger == NULL) {
        return 0;
    }
    pthread_mutex_lock(&ledger->mutex);
    const uint32_t count = ledger->aside_count;
    pthread_mutex_unlock(&ledger->mutex);
    return count;
}

uint64_t ledger_find_aside(struct ledger *ledger, const char *name) {
    uint64_t number = 0;
    if (ledger == NULL) {
        return 0;
    }
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->aside_count && number == 0; i++) {
        number = strcmp(ledger->asides[i].name, name) == 0 ? ledger->asides[i].number : 0;
    }
    pthread_mutex_unlock(&ledger->mutex);
    return number;
}

void ledger_forget_aside(struct ledger *ledger, uint64_t number) {
    pthread_mutex_lock(&ledger->mutex);
    for (uint32_t i = 0; i < ledger->aside_count; i++) {
        if (ledger->asides[i].number == number) {
            ledger->asides[i] = ledger->asides[--ledger->aside_count];
            break;
        }
    }
    pthread_mutex_unlock(&ledger->mutex);
}

void ledger_describe_aside(struct ledger *ledger, struct json_writer *out) {
    if (ledger_aside_count(ledger) == 0) {
        return;
    }
    pthread_mutex_lock(&ledger->mutex);
    json_writer_key(out, "setAside");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < ledger->aside_count; i++) {
        json_writer_open_object(out);
        json_writer_member_string(out, "name", ledger->asides[i].name);
        json_writer_member_string(out, "reason", ledger->asides[i].reason);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
    pthread_mutex_unlock(&ledger->mutex);
}
