// SPDX-License-Identifier: MIT
// A list under a mutex, which is held to add, to remove and to copy.
#include "host/connection/connection_list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/connection/rate_limit.h"
#include "host/run/scheduler.h"

struct connection_list {
    pthread_mutex_t mutex; // guards all below
    struct connection *first, *last;
    uint32_t count;
    atomic_size_t kept; // connections in memory, also those not listed any more that are still in use; not guarded
};

struct connection_list *connection_list_create(void) {
    struct connection_list *connections = calloc(1, sizeof *connections);
    if (connections != NULL) {
        pthread_mutex_init(&connections->mutex, NULL);
    }
    return connections;
}

void connection_list_destroy(struct connection_list *connections) {
    if (connections != NULL) {
        pthread_mutex_destroy(&connections->mutex);
        free(connections);
    }
}

// FNV-1a, 64 bits: of the token's name, or of the address where there is none.
static uint64_t owner_of(const struct connection_facts *facts) {
    const char *text = facts->name[0] != '\0' ? facts->name : facts->address;
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(facts->name[0] != '\0');
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash != 0 ? hash : 1;
}

struct connection *connection_list_add(struct connection_list *connections, const struct connection_facts *facts) {
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        return NULL;
    }
    connection->facts = *facts;
    atomic_init(&connection->known, facts->role != PROTO_ROLE_NONE);
    connection->owner = owner_of(facts);
    connection->since_ns = scheduler_now_ns();
    rate_limit_init(&connection->rate_limit, facts->rate, connection->since_ns);
    atomic_init(&connection->references, 1);
    connection->connections = connections;
    atomic_fetch_add(&connections->kept, 1);
    pthread_mutex_lock(&connections->mutex);
    connection->previous = connections->last;
    *(connections->last != NULL ? &connections->last->next : &connections->first) = connection;
    connections->last = connection;
    connections->count++;
    pthread_mutex_unlock(&connections->mutex);
    return connection;
}

struct connection *connection_retain(struct connection *connection) {
    atomic_fetch_add_explicit(&connection->references, 1, memory_order_relaxed);
    return connection;
}

void connection_release(struct connection *connection) {
    if (connection != NULL && atomic_fetch_sub_explicit(&connection->references, 1, memory_order_acq_rel) == 1) {
        atomic_fetch_sub(&connection->connections->kept, 1);
        rate_limit_free(&connection->rate_limit);
        shared_limit_release(connection->shared_limit);
        free(connection);
    }
}

struct rate_limit *connection_budget(struct connection *connection) {
    return connection->shared_limit != NULL ? shared_limit_rate_limit(connection->shared_limit)
                                            : &connection->rate_limit;
}

void connection_list_remove(struct connection *take) {
    struct connection_list *connections = take->connections;
    pthread_mutex_lock(&connections->mutex);
    *(take->previous != NULL ? &take->previous->next : &connections->first) = take->next;
    *(take->next != NULL ? &take->next->previous : &connections->last) = take->previous;
    connections->count--;
    pthread_mutex_unlock(&connections->mutex);
    connection_release(take);
}

size_t connection_list_count_kept(const struct connection_list *connections) {
    return atomic_load(&connections->kept);
}

void connection_grant(struct connection *connection, const struct grant *grant) {
    struct connection_facts *facts = &connection->facts;
    pthread_mutex_lock(&connection->connections->mutex);
    facts->role = facts->granted = grant->role;
    atomic_store(&connection->known, grant->role != PROTO_ROLE_NONE);
    snprintf(facts->name, sizeof facts->name, "%s", grant->name);
    memcpy(facts->token, grant->token, sizeof facts->token);
    connection->owner = owner_of(facts);
    pthread_mutex_unlock(&connection->connections->mutex);
}

void connection_set_role(struct connection *connection, enum proto_role role) {
    pthread_mutex_lock(&connection->connections->mutex);
    connection->facts.role = role;
    pthread_mutex_unlock(&connection->connections->mutex);
}

void connection_introduce(struct connection *connection, const struct person *person) {
    pthread_mutex_lock(&connection->connections->mutex);
    connection->person = *person;
    pthread_mutex_unlock(&connection->connections->mutex);
}

void connection_list_for_each(struct connection_list *connections,
                              void (*act)(void *context, const struct connection *connection), void *context) {
    pthread_mutex_lock(&connections->mutex);
    for (const struct connection *connection = connections->first; connection != NULL; connection = connection->next) {
        act(context, connection);
    }
    pthread_mutex_unlock(&connections->mutex);
}

static struct connection_row row_of(struct connection *connection) {
    return (struct connection_row){.facts = connection->facts,
                                   .person = connection->person,
                                   .since_ns = connection->since_ns,
                                   .messages = atomic_load(&connection->messages),
                                   .bytes_received = atomic_load(&connection->bytes_received),
                                   .bytes_sent = atomic_load(&connection->bytes_sent),
                                   .refusals = atomic_load(&connection->refusals),
                                   .session = atomic_load(&connection->session)};
}

bool connection_list_has(struct connection_list *connections, uint64_t connection_id) {
    pthread_mutex_lock(&connections->mutex);
    const struct connection *connection = connections->first;
    while (connection != NULL && connection->facts.connection_id != connection_id) {
        connection = connection->next;
    }
    pthread_mutex_unlock(&connections->mutex);
    return connection != NULL;
}

enum result connection_list_list(struct connection_list *connections, struct connection_row **rows, uint32_t *count) {
    pthread_mutex_lock(&connections->mutex);
    struct connection_row *copied = malloc((connections->count + 1) * sizeof *copied);
    uint32_t copies = 0;
    for (struct connection *connection = connections->first; copied != NULL && connection != NULL;
         connection = connection->next) {
        copied[copies++] = row_of(connection);
    }
    pthread_mutex_unlock(&connections->mutex);
    if (copied == NULL) {
        return RESULT_MEMORY;
    }
    *rows = copied;
    *count = copies;
    return RESULT_OK;
}
