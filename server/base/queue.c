// SPDX-License-Identifier: MIT
// The bounded queue: a ring of slots under one mutex. Critical sections are a few instructions long (a drain copies
// pointers), so that the net thread and the tick never wait noticeably for each other.
#include "base/queue.h"

#include <assert.h>
#include <stdlib.h>

enum result queue_init(struct queue *queue, size_t capacity, size_t reserve) {
    assert(capacity >= 1);
    void **slots = calloc(capacity + reserve, sizeof *slots);
    if (slots == NULL)
        return RESULT_MEMORY;
    if (pthread_mutex_init(&queue->mutex, NULL) != 0) {
        free(slots);
        return RESULT_MEMORY;
    }
    queue->slots = slots;
    queue->capacity = capacity;
    queue->slots_max = capacity + reserve;
    queue->head = 0;
    queue->length = 0;
    return RESULT_OK;
}

void queue_free(struct queue *queue) {
    pthread_mutex_destroy(&queue->mutex);
    free(queue->slots);
    queue->slots = NULL;
}

static enum result push_below(struct queue *queue, void *item, size_t limit) {
    assert(item != NULL);
    enum result result = RESULT_BUSY;
    pthread_mutex_lock(&queue->mutex);
    if (queue->length < limit) {
        queue->slots[(queue->head + queue->length) % queue->slots_max] = item;
        queue->length++;
        result = RESULT_OK;
    }
    pthread_mutex_unlock(&queue->mutex);
    return result;
}

enum result queue_try_push(struct queue *queue, void *item) {
    return push_below(queue, item, queue->capacity);
}

enum result queue_push_reserved(struct queue *queue, void *item) {
    return push_below(queue, item, queue->slots_max);
}

void *queue_pop(struct queue *queue) {
    void *item = NULL;
    (void)queue_drain(queue, &item, 1);
    return item;
}

size_t queue_drain(struct queue *queue, void **items, size_t items_max) {
    pthread_mutex_lock(&queue->mutex);
    size_t count = queue->length < items_max ? queue->length : items_max;
    for (size_t i = 0; i < count; i++) {
        items[i] = queue->slots[queue->head];
        queue->head = (queue->head + 1) % queue->slots_max;
    }
    queue->length -= count;
    pthread_mutex_unlock(&queue->mutex);
    return count;
}

size_t queue_length(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    size_t length = queue->length;
    pthread_mutex_unlock(&queue->mutex);
    return length;
}
