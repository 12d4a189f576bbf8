// SPDX-License-Identifier: MIT
// A table of histories by the number that their worlds have in the store.
#include "host/history/store_hub.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/result.h"
#include "host/history/history.h"
#include "proto/json/json_writer.h"

#define LEASE_OPEN_MS 2000u // a lease without an answer of the database for so long is lost

// A world that could not be brought back.
struct aside {
    uint64_t number;
    char name[STORE_NAME_MAX + 1], reason[FAULT_MESSAGE_MAX];
};

struct store_hub {
    struct store *store;
    struct store_hub_calls calls;
    atomic_bool lease_failing;       // the last attempt to renew the lease failed
    _Atomic uint64_t lease_open_ms;  // since when changes wait for news of the lease; 0: none waits
    _Atomic uint64_t lease_until_ms; // of CLOCK_BOOTTIME; UINT64_MAX: this server needs no lease
    pthread_mutex_t mutex;           // guards the table; its histories are not freed while they are called
    struct history *histories[STORE_WORLDS_MAX];
    uint32_t count;
    struct aside asides[STORE_WORLDS_MAX];
    uint32_t aside_count;
};

// ---- what the store's thread tells -------------------------------------------------------------------------------

static void on_settled(void *user, uint64_t number, uint64_t ticket, enum result result, const struct fault *fault) {
    struct store_hub *hub = user;
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->count; i++) {
        if (hub->histories[i]->number == number) {
            hub->calls.settle(hub->histories[i], ticket, result, fault);
            break;
        }
    }
    pthread_mutex_unlock(&hub->mutex);
}

static void on_folded(void *user, uint64_t number, uint32_t timeline, uint64_t tick) {
    struct store_hub *hub = user;
    (void)tick;
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->count; i++) {
        if (hub->histories[i]->number == number) {
            atomic_store(&hub->histories[i]->oldest, timeline);
            break;
        }
    }
    pthread_mutex_unlock(&hub->mutex);
}

// Every world checks for changes.
static void wake_all(struct store_hub *hub) {
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->count; i++) {
        hub->calls.wake(hub->histories[i]);
    }
    pthread_mutex_unlock(&hub->mutex);
}

// Every world looks whether the store has missed something of its.
static void on_health(void *user, bool well, const struct fault *fault) {
    struct store_hub *hub = user;
    if (!well) {
        log_error("store", "nothing can be stored: %s", fault->message);
        return;
    }
    log_info("store", "what is written can be stored again");
    wake_all(hub);
}

// ---- life --------------------------------------------------------------------------------------------------------

enum result store_hub_open(const struct config *config, const struct store_hub_calls *calls, struct store_hub **out,
                           struct fault *fault) {
    *out = NULL;
    const bool in_folder = strcmp(config->data, CONFIG_DATA_NONE) != 0, in_database = config->store[0] != '\0';
    if (in_folder && in_database) {
        return fault_set(fault, RESULT_INVALID, "", "either --data DIR or --store postgres://… keeps the worlds");
    }
    if (config->node_url[0] != '\0' && !in_database) {
        return fault_set(fault, RESULT_INVALID, "", "--node-url goes with --store postgres://…, which the nodes share");
    }
    if (!in_folder && !in_database) {
        return RESULT_OK;
    }
    struct store_hub *hub = calloc(1, sizeof *hub);
    if (hub == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    hub->calls = *calls;
    atomic_store(&hub->lease_until_ms, UINT64_MAX);
    pthread_mutex_init(&hub->mutex, NULL);
    const struct store_options options = {
        .directory = config->data,
        .address = in_database ? config->store : NULL,
        .shared = config->node_url[0] != '\0',
        .durability = config->durability,
        .budget = config->history,
        .listener = {.user = hub, .settled = on_settled, .health = on_health, .compacted = on_folded}};
    const enum result result = store_open(&options, &hub->store, fault);
    if (result != RESULT_OK) {
        const struct fault why = *fault;
        pthread_mutex_destroy(&hub->mutex);
        free(hub);
        return in_database ? fault_set(fault, result, "", "--store: %s", why.message)
                           : fault_set(fault, result, "", "--data %.200s: %s", config->data, why.message);
    }
    *out = hub;
    return RESULT_OK;
}

void store_hub_close(struct store_hub *hub) {
    if (hub != NULL) {
        store_close(hub->store);
        hub->store = NULL;
    }
}

void store_hub_destroy(struct store_hub *hub) {
    if (hub != NULL) {
        pthread_mutex_destroy(&hub->mutex);
        free(hub);
    }
}

struct store *store_hub_store(const struct store_hub *hub) {
    return hub->store;
}

enum result store_hub_enter(struct store_hub *hub, struct history *history) {
    pthread_mutex_lock(&hub->mutex);
    const bool room = hub->count < STORE_WORLDS_MAX;
    if (room) {
        hub->histories[hub->count++] = history;
    }
    pthread_mutex_unlock(&hub->mutex);
    return room ? RESULT_OK : RESULT_LIMIT;
}

void store_hub_leave(struct store_hub *hub, const struct history *history) {
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->count; i++) {
        if (hub->histories[i] == history) {
            hub->histories[i] = hub->histories[--hub->count];
            break;
        }
    }
    pthread_mutex_unlock(&hub->mutex);
}

bool store_hub_is_well(struct store_hub *hub, struct fault *fault) {
    if (hub == NULL) {
        return true;
    }
    struct store_figures figures;
    store_figures(hub->store, &figures);
    *fault = figures.fault;
    return figures.well && store_hub_has_lease(hub, fault) == RESULT_OK;
}

// ---- the lease of a node -----------------------------------------------------------------------------------------

static uint64_t boot_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void store_hub_set_lease(struct store_hub *hub, uint64_t until_ms, bool well) {
    atomic_store(&hub->lease_open_ms, 0);
    const bool ran_out = atomic_exchange(&hub->lease_until_ms, until_ms) <= boot_ms();
    if (atomic_exchange(&hub->lease_failing, !well) == well || ran_out) {
        wake_all(hub); // changes wait for the new lease
    }
}

bool store_hub_lease_is_open(struct store_hub *hub) {
    const uint64_t now_ms = boot_ms();
    if (hub == NULL || atomic_load(&hub->lease_failing) || atomic_load(&hub->lease_until_ms) > now_ms) {
        return false;
    }
    uint64_t since_ms = 0;
    if (atomic_compare_exchange_strong(&hub->lease_open_ms, &since_ms, now_ms)) {
        since_ms = now_ms;
    }
    return now_ms < since_ms + LEASE_OPEN_MS;
}

enum result store_hub_has_lease(struct store_hub *hub, struct fault *fault) {
    const uint64_t until_ms = atomic_load(&hub->lease_until_ms), now_ms = boot_ms();
    return now_ms < until_ms || until_ms == UINT64_MAX
               ? RESULT_OK
               : fault_set(
                     fault, RESULT_IO, "",
                     "this node has not reached its database for %.1f s, and another node may have taken the world",
                     (double)(now_ms - until_ms + STORE_LEASE_MS) / 1000.0);
}

// ---- worlds that are set aside -----------------------------------------------------------------------------------

void store_hub_set_aside(struct store_hub *hub, uint64_t number, const char *name, const struct fault *why) {
    pthread_mutex_lock(&hub->mutex);
    struct aside *aside = &hub->asides[hub->aside_count++]; // the store lists no more than there is room for
    aside->number = number;
    snprintf(aside->name, sizeof aside->name, "%s", name);
    snprintf(aside->reason, sizeof aside->reason, "%s", why->message);
    pthread_mutex_unlock(&hub->mutex);
    log_error("store",
              "%s: damaged and unavailable; the other worlds run: %s. It stays in the store as it is; weftctl salvage "
              "recovers what is intact",
              name, why->message);
}

uint32_t store_hub_aside_count(struct store_hub *hub) {
    if (hub == NULL) {
        return 0;
    }
    pthread_mutex_lock(&hub->mutex);
    const uint32_t count = hub->aside_count;
    pthread_mutex_unlock(&hub->mutex);
    return count;
}

uint64_t store_hub_find_aside(struct store_hub *hub, const char *name) {
    uint64_t number = 0;
    if (hub == NULL) {
        return 0;
    }
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->aside_count && number == 0; i++) {
        number = strcmp(hub->asides[i].name, name) == 0 ? hub->asides[i].number : 0;
    }
    pthread_mutex_unlock(&hub->mutex);
    return number;
}

void store_hub_forget_aside(struct store_hub *hub, uint64_t number) {
    pthread_mutex_lock(&hub->mutex);
    for (uint32_t i = 0; i < hub->aside_count; i++) {
        if (hub->asides[i].number == number) {
            hub->asides[i] = hub->asides[--hub->aside_count];
            break;
        }
    }
    pthread_mutex_unlock(&hub->mutex);
}

void store_hub_describe_aside(struct store_hub *hub, struct json_writer *out) {
    if (store_hub_aside_count(hub) == 0) {
        return;
    }
    pthread_mutex_lock(&hub->mutex);
    json_writer_key(out, "setAside");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < hub->aside_count; i++) {
        json_writer_open_object(out);
        json_writer_member_string(out, "name", hub->asides[i].name);
        json_writer_member_string(out, "reason", hub->asides[i].reason);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
    pthread_mutex_unlock(&hub->mutex);
}
