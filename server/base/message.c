// SPDX-License-Identifier: MIT
// Messages: one allocation each, made of the head, the headroom into which a transport writes its frame header, and the
// payload. A WebSocket server's header depends on nothing but the kind and the length of the message (a server does not
// mask), so the same bytes can be sent to any number of clients; only one thread sends.
//
// A pool keeps messages that came back by the power of two that their capacity is. Whoever releases one for the last
// time pushes it on a stack without a lock; the one thread that takes empties that stack at a stroke, so that no
// message can be popped, used and pushed again between another thread's look and its exchange.
#include "base/message.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define POOL_CLASS_LEAST 12u // 4 KiB
#define POOL_CLASSES 20u     // up to 2 GiB; larger messages are not kept
#define POOL_KEPT_MAX 8u     // free ones of a class

struct message {
    _Atomic uint32_t references;
    uint32_t rank;             // of the pool
    struct message_pool *pool; // NULL: none
    struct message *next;      // in the pool
    uint64_t bundle;           // the place in a bundle, 0: none
    enum message_kind kind;
    size_t capacity;
    size_t length;
    _Alignas(16) uint8_t bytes[]; // MESSAGE_HEADROOM bytes, then the payload
};

struct message_pool {
    _Atomic uint32_t references; // its owner, and each message that is out
    _Atomic(struct message *) returned;
    struct message *kept[POOL_CLASSES];
    uint32_t kept_count[POOL_CLASSES];
    bool stocked[POOL_CLASSES];
};

static_assert(MESSAGE_HEADROOM % 8 == 0, "the payload must be aligned for 32- and 64-bit words");

struct message *message_create(enum message_kind kind, size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct message) - MESSAGE_HEADROOM)
        return NULL;
    struct message *message = malloc(sizeof *message + MESSAGE_HEADROOM + capacity);
    if (message == NULL)
        return NULL;
    atomic_init(&message->references, 1);
    message->pool = NULL;
    message->bundle = 0;
    message->kind = kind;
    message->capacity = capacity;
    message->length = 0;
    return message;
}

struct message *message_from_text(const char *text, size_t length) {
    struct message *message = message_create(MESSAGE_TEXT, length);
    if (message == NULL)
        return NULL;
    memcpy(message_data(message), text, length);
    message->length = length;
    return message;
}

uint8_t *message_data(struct message *message) {
    return message->bytes + MESSAGE_HEADROOM;
}

enum message_kind message_kind(const struct message *message) {
    return message->kind;
}

size_t message_capacity(const struct message *message) {
    return message->capacity;
}

void message_set_length(struct message *message, size_t length) {
    assert(length <= message->capacity);
    message->length = length;
}

size_t message_length(const struct message *message) {
    return message->length;
}

struct message *message_retain(struct message *message) {
    atomic_fetch_add_explicit(&message->references, 1, memory_order_relaxed);
    return message;
}

void message_set_bundle(struct message *message, uint64_t bundle) {
    message->bundle = bundle;
}

uint64_t message_bundle(const struct message *message) {
    return message->bundle;
}

// ---- the pool ----------------------------------------------------------------------------------------------------

struct message_pool *message_pool_create(void) {
    struct message_pool *pool = calloc(1, sizeof *pool);
    if (pool != NULL)
        atomic_init(&pool->references, 1);
    return pool;
}

static void free_list(struct message *list) {
    while (list != NULL) {
        struct message *next = list->next;
        free(list);
        list = next;
    }
}

static void leave_pool(struct message_pool *pool) {
    if (atomic_fetch_sub_explicit(&pool->references, 1, memory_order_acq_rel) != 1)
        return;
    free_list(atomic_load(&pool->returned));
    for (uint32_t rank = 0; rank < POOL_CLASSES; rank++)
        free_list(pool->kept[rank]);
    free(pool);
}

void message_pool_destroy(struct message_pool *pool) {
    if (pool != NULL)
        leave_pool(pool);
}

static void keep(struct message_pool *pool, struct message *message) {
    if (pool->kept_count[message->rank] == POOL_KEPT_MAX) {
        free(message);
        return;
    }
    message->next = pool->kept[message->rank];
    pool->kept[message->rank] = message;
    pool->kept_count[message->rank]++;
}

static void sort_returned(struct message_pool *pool) {
    struct message *message = atomic_exchange_explicit(&pool->returned, NULL, memory_order_acquire);
    while (message != NULL) {
        struct message *next = message->next;
        keep(pool, message);
        message = next;
    }
}

static uint32_t class_of(size_t capacity) {
    uint32_t rank = 0;
    while (rank < POOL_CLASSES && (size_t)1 << (POOL_CLASS_LEAST + rank) < capacity)
        rank++;
    return rank;
}

// The first of a class comes with as many as are likely to be out at a time, being sent, waiting and being packed, and
// with the smaller classes: a part of the same may be wanted at any time.
static void stock(struct message_pool *pool, uint32_t largest) {
    for (uint32_t rank = 0; rank <= largest; rank++) {
        const uint32_t wanted = rank == largest || !pool->stocked[rank] ? POOL_KEPT_MAX / 2 : 0;
        for (uint32_t i = 0; i < wanted; i++) {
            struct message *message = message_create(MESSAGE_BINARY, (size_t)1 << (POOL_CLASS_LEAST + rank));
            if (message == NULL)
                return;
            message->rank = rank;
            keep(pool, message);
        }
        pool->stocked[rank] = true;
    }
}

struct message *message_pool_take(struct message_pool *pool, enum message_kind kind, size_t capacity) {
    const uint32_t rank = class_of(capacity);
    if (rank == POOL_CLASSES)
        return message_create(kind, capacity);
    sort_returned(pool);
    if (pool->kept[rank] == NULL)
        stock(pool, rank);
    struct message *message = pool->kept[rank];
    if (message == NULL)
        return NULL;
    pool->kept[rank] = message->next;
    pool->kept_count[rank]--;
    atomic_store_explicit(&message->references, 1, memory_order_relaxed);
    message->pool = pool;
    message->bundle = 0;
    message->kind = kind;
    message->length = 0;
    atomic_fetch_add_explicit(&pool->references, 1, memory_order_relaxed);
    return message;
}

static void give_back(struct message *message) {
    struct message_pool *pool = message->pool;
    struct message *top = atomic_load_explicit(&pool->returned, memory_order_relaxed);
    do {
        message->next = top;
    } while (!atomic_compare_exchange_weak_explicit(&pool->returned, &top, message, memory_order_release,
                                                    memory_order_relaxed));
    leave_pool(pool);
}

void message_release(struct message *message) {
    if (message == NULL)
        return;
    // The thread that frees the message must see what the others did with it.
    if (atomic_fetch_sub_explicit(&message->references, 1, memory_order_acq_rel) != 1)
        return;
    if (message->pool != NULL)
        give_back(message);
    else
        free(message);
}
