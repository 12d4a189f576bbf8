// SPDX-License-Identifier: MIT
// A bounded first-in first-out queue of pointers, safe for any number of threads on both ends. It never blocks for room
// and never grows: a full queue returns RESULT_BUSY, which the caller passes on. Behind the ordinary capacity lies a
// reserve for the few items that must not be lost (for example that a client left); ordinary pushes never use it.
// The queue owns its slots, never the items.
#ifndef WEFT_BASE_QUEUE_H
#define WEFT_BASE_QUEUE_H

#include <pthread.h>
#include <stddef.h>

#include "base/result.h"

struct queue {
    pthread_mutex_t mutex;
    void **slots;     // a ring of capacity + reserve
    size_t capacity;  // items that ordinary pushes may hold
    size_t slots_max; // capacity + reserve
    size_t head;      // slot of the oldest item
    size_t length;
};

// Errors: RESULT_MEMORY. `capacity` is at least 1, asserted.
enum result queue_init(struct queue *queue, size_t capacity, size_t reserve) WEFT_MUST_USE;
// Items that are still queued belong to the caller, who drains the queue first.
void queue_free(struct queue *queue);

// Errors: RESULT_BUSY when `capacity` items wait. `item` is not NULL, asserted.
enum result queue_try_push(struct queue *queue, void *item) WEFT_MUST_USE;
// Pushes an item that must not be lost: may use the reserve. Errors: RESULT_BUSY when the reserve is full too.
enum result queue_push_reserved(struct queue *queue, void *item) WEFT_MUST_USE;

void *queue_pop(struct queue *queue); // the oldest item, NULL when empty
// Moves the oldest items, at most `items_max`, to `items` in their order, under one lock; returns how many.
size_t queue_drain(struct queue *queue, void **items, size_t items_max);
size_t queue_length(struct queue *queue); // other threads may have changed it by the time it is read

#endif
