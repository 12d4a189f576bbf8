// SPDX-License-Identifier: MIT
// Two counters and whether the client is held. Whoever turns `held` back to false lets the client be read again, so it
// happens once: on a worker after the last of many, or at once on the net thread if the worker was quicker.
#include "host/connection/backpressure.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "host/connection/connection_list.h"

struct backpressure {
    struct net_server *net;
    uint64_t connection_id;
    struct connection *connection;
    atomic_uint references;
    atomic_uint reading;
    atomic_uint messages;
    atomic_size_t bytes;
    atomic_bool held;
    atomic_bool abandoned;
};

struct backpressure *backpressure_create(struct net_server *net, uint64_t connection_id,
                                         struct connection *connection) {
    struct backpressure *backpressure = calloc(1, sizeof *backpressure);
    if (backpressure != NULL) {
        backpressure->net = net;
        backpressure->connection_id = connection_id;
        backpressure->connection = connection_retain(connection);
        atomic_init(&backpressure->references, 1);
    }
    return backpressure;
}

void backpressure_release(struct backpressure *backpressure) {
    if (backpressure != NULL && atomic_fetch_sub(&backpressure->references, 1) == 1) {
        connection_release(backpressure->connection);
        free(backpressure);
    }
}

struct connection *backpressure_connection(const struct backpressure *backpressure) {
    return backpressure->connection;
}

void backpressure_begin_reading(struct backpressure *backpressure) {
    atomic_fetch_add(&backpressure->references, 1);
    atomic_fetch_add(&backpressure->reading, 1);
}

void backpressure_end_reading(struct backpressure *backpressure) {
    atomic_fetch_sub(&backpressure->reading, 1);
    backpressure_release(backpressure);
}

bool backpressure_is_reading(const struct backpressure *backpressure) {
    return atomic_load(&backpressure->reading) > 0;
}

void backpressure_abandon(struct backpressure *backpressure) {
    atomic_store(&backpressure->abandoned, true);
}

bool backpressure_is_abandoned(const struct backpressure *backpressure) {
    return atomic_load(&backpressure->abandoned);
}

static bool is_full(const struct backpressure *backpressure) {
    return atomic_load(&backpressure->messages) >= BACKPRESSURE_MESSAGES_MAX ||
           atomic_load(&backpressure->bytes) >= BACKPRESSURE_BYTES_MAX;
}

static bool has_room(const struct backpressure *backpressure) {
    return atomic_load(&backpressure->messages) <= BACKPRESSURE_MESSAGES_MAX / 2 &&
           atomic_load(&backpressure->bytes) <= BACKPRESSURE_BYTES_MAX / 2;
}

void backpressure_add(struct backpressure *backpressure) {
    atomic_fetch_add(&backpressure->references, 1);
    atomic_fetch_add(&backpressure->messages, 1);
}

void backpressure_enter(struct backpressure *backpressure, size_t bytes) {
    backpressure_add(backpressure);
    atomic_fetch_add(&backpressure->bytes, bytes);
    if (!is_full(backpressure) || atomic_exchange(&backpressure->held, true)) {
        return;
    }
    // The world may have read it all before `held` was set; then nobody else would let the client go on.
    if (!has_room(backpressure) || !atomic_exchange(&backpressure->held, false)) {
        net_hold_reading(backpressure->net, backpressure->connection_id);
    }
}

void backpressure_leave(struct backpressure *backpressure, size_t bytes) {
    atomic_fetch_sub(&backpressure->messages, 1);
    atomic_fetch_sub(&backpressure->bytes, bytes);
    if (has_room(backpressure) && atomic_exchange(&backpressure->held, false)) {
        net_post_resume_reading(backpressure->net, backpressure->connection_id);
    }
    backpressure_release(backpressure);
}
