// SPDX-License-Identifier: MIT
// A list under a mutex, which is held to add, to remove and to copy.
#include "host/roster.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/budget.h"
#include "host/pool.h"

struct roster {
    pthread_mutex_t mutex; // guards all below
    struct visitor *first, *last;
    uint32_t count;
    atomic_size_t kept; // visitors in memory, also those not listed any more that are still in use; not guarded
};

struct roster *roster_create(void) {
    struct roster *roster = calloc(1, sizeof *roster);
    if (roster != NULL) {
        pthread_mutex_init(&roster->mutex, NULL);
    }
    return roster;
}

void roster_destroy(struct roster *roster) {
    if (roster != NULL) {
        pthread_mutex_destroy(&roster->mutex);
        free(roster);
    }
}

// FNV-1a, 64 bits: of the token's name, or of the address where there is none.
static uint64_t owner_of(const struct visitor_facts *facts) {
    const char *text = facts->name[0] != '\0' ? facts->name : facts->address;
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(facts->name[0] != '\0');
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    }
    return hash != 0 ? hash : 1;
}

struct visitor *roster_add(struct roster *roster, const struct visitor_facts *facts) {
    struct visitor *visitor = calloc(1, sizeof *visitor);
    if (visitor == NULL) {
        return NULL;
    }
    visitor->facts = *facts;
    atomic_init(&visitor->known, facts->role != PROTO_ROLE_NONE);
    visitor->owner = owner_of(facts);
    visitor->since_ns = pool_now_ns();
    budget_init(&visitor->budget, facts->rate, visitor->since_ns);
    atomic_init(&visitor->references, 1);
    visitor->roster = roster;
    atomic_fetch_add(&roster->kept, 1);
    pthread_mutex_lock(&roster->mutex);
    visitor->previous = roster->last;
    *(roster->last != NULL ? &roster->last->next : &roster->first) = visitor;
    roster->last = visitor;
    roster->count++;
    pthread_mutex_unlock(&roster->mutex);
    return visitor;
}

struct visitor *visitor_retain(struct visitor *visitor) {
    atomic_fetch_add_explicit(&visitor->references, 1, memory_order_relaxed);
    return visitor;
}

void visitor_release(struct visitor *visitor) {
    if (visitor != NULL && atomic_fetch_sub_explicit(&visitor->references, 1, memory_order_acq_rel) == 1) {
        atomic_fetch_sub(&visitor->roster->kept, 1);
        budget_free(&visitor->budget);
        purse_release(visitor->purse);
        free(visitor);
    }
}

struct budget *visitor_budget(struct visitor *visitor) {
    return visitor->purse != NULL ? purse_budget(visitor->purse) : &visitor->budget;
}

void roster_remove(struct visitor *take) {
    struct roster *roster = take->roster;
    pthread_mutex_lock(&roster->mutex);
    *(take->previous != NULL ? &take->previous->next : &roster->first) = take->next;
    *(take->next != NULL ? &take->next->previous : &roster->last) = take->previous;
    roster->count--;
    pthread_mutex_unlock(&roster->mutex);
    visitor_release(take);
}

size_t roster_count_kept(const struct roster *roster) {
    return atomic_load(&roster->kept);
}

void visitor_grant(struct visitor *visitor, const struct grant *grant) {
    struct visitor_facts *facts = &visitor->facts;
    pthread_mutex_lock(&visitor->roster->mutex);
    facts->role = grant->role;
    atomic_store(&visitor->known, grant->role != PROTO_ROLE_NONE);
    snprintf(facts->name, sizeof facts->name, "%s", grant->name);
    memcpy(facts->token, grant->token, sizeof facts->token);
    visitor->owner = owner_of(facts);
    pthread_mutex_unlock(&visitor->roster->mutex);
}

void visitor_introduce(struct visitor *visitor, const struct person *person) {
    pthread_mutex_lock(&visitor->roster->mutex);
    visitor->person = *person;
    pthread_mutex_unlock(&visitor->roster->mutex);
}

void roster_for_each(struct roster *roster, void (*act)(void *context, const struct visitor *visitor), void *context) {
    pthread_mutex_lock(&roster->mutex);
    for (const struct visitor *visitor = roster->first; visitor != NULL; visitor = visitor->next) {
        act(context, visitor);
    }
    pthread_mutex_unlock(&roster->mutex);
}

static struct visitor_row row_of(struct visitor *visitor) {
    return (struct visitor_row){.facts = visitor->facts,
                                .person = visitor->person,
                                .since_ns = visitor->since_ns,
                                .messages = atomic_load(&visitor->messages),
                                .bytes_received = atomic_load(&visitor->bytes_received),
                                .bytes_sent = atomic_load(&visitor->bytes_sent),
                                .refusals = atomic_load(&visitor->refusals),
                                .session = atomic_load(&visitor->session)};
}

bool roster_has(struct roster *roster, uint64_t peer) {
    pthread_mutex_lock(&roster->mutex);
    const struct visitor *visitor = roster->first;
    while (visitor != NULL && visitor->facts.peer != peer) {
        visitor = visitor->next;
    }
    pthread_mutex_unlock(&roster->mutex);
    return visitor != NULL;
}

enum result roster_list(struct roster *roster, struct visitor_row **rows, uint32_t *count) {
    pthread_mutex_lock(&roster->mutex);
    struct visitor_row *copied = malloc((roster->count + 1) * sizeof *copied);
    uint32_t copies = 0;
    for (struct visitor *visitor = roster->first; copied != NULL && visitor != NULL; visitor = visitor->next) {
        copied[copies++] = row_of(visitor);
    }
    pthread_mutex_unlock(&roster->mutex);
    if (copied == NULL) {
        return RESULT_MEMORY;
    }
    *rows = copied;
    *count = copies;
    return RESULT_OK;
}
