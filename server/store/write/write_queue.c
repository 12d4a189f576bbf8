// SPDX-License-Identifier: MIT
#include "store/write/write_queue.h"

#include <stdlib.h>

#include "store/database/row.h"
#include "store/store_state.h"

#define BUFFER_LEAST ((size_t)64 << 10)
#define BUFFER_KEPT ((size_t)4 << 20) // a larger buffer is freed once it is empty

_Static_assert(sizeof(struct store_write) % 8 == 0 && sizeof(struct store_write_entry) % 8 == 0, "writes stay aligned");

struct store_write *store_queue_next(const struct store_queue *queue, const struct store_write *write) {
    const size_t at = write == NULL ? 0 : (size_t)((const unsigned char *)write - queue->data) + (size_t)write->size;
    return at < queue->size ? (struct store_write *)(void *)(queue->data + at) : NULL;
}

void store_packed_free(struct store_packed *packed) {
    if (packed != NULL) {
        free((void *)packed->bytes.data);
        free(packed);
    }
}

void store_queue_clear(struct store_queue *queue) {
    for (struct store_write *write = NULL; (write = store_queue_next(queue, write)) != NULL;) {
        store_packed_free(write->snapshot);
    }
    queue->size = 0;
    queue->snapshot_bytes = 0;
    if (queue->capacity > BUFFER_KEPT) {
        store_queue_free(queue);
    }
}

void store_queue_free(struct store_queue *queue) {
    free(queue->data);
    *queue = (struct store_queue){0};
}

void store_group_free(struct store_group *group) {
    if (group != NULL) {
        store_queue_clear(&group->writes);
        store_queue_free(&group->writes);
        free(group);
    }
}

void *store_queue_reserve(struct store_queue *queue, size_t size) {
    if (size > queue->capacity - queue->size) {
        size_t capacity = queue->capacity < BUFFER_LEAST ? BUFFER_LEAST : queue->capacity;
        while (capacity - queue->size < size) {
            capacity *= 2;
        }
        unsigned char *data = realloc(queue->data, capacity);
        if (data == NULL) {
            return NULL;
        }
        queue->data = data;
        queue->capacity = capacity;
    }
    return queue->data + queue->size;
}
