// SPDX-License-Identifier: MIT
// A queue of writes: each a head, followed by its entries, in one growing buffer.
#ifndef WEFT_STORE_WRITE_WRITE_QUEUE_H
#define WEFT_STORE_WRITE_WRITE_QUEUE_H

#include "store/database/row.h"
#include "store/store_state.h"

enum store_write_kind { STORE_WRITE_APPEND, STORE_WRITE_HASH, STORE_WRITE_SAVE, STORE_WRITE_BEGIN, STORE_WRITE_COUNT };

// Head of a queued write; its entries follow. All sizes are multiples of 8.
struct store_write {
    uint64_t size; // of head and entries
    enum store_write_kind kind;
    enum result result; // set when it was written
    uint64_t world;
    uint64_t ticket;
    uint64_t saved_ms;
    uint32_t timeline;
    uint32_t count;                // entries
    uint64_t tick, sequence, hash; // HASH
    struct store_beginning beginning;
    struct store_packed *snapshot; // SAVE, BEGIN: owned; or NULL
};

// Head of an entry; session, request, reply and record follow, each text with its terminator.
#define STORE_NO_TEXT UINT32_MAX // as the length of a text: there is none
struct store_write_entry {
    uint64_t size; // of head and bytes
    uint64_t tick, sequence;
    uint32_t kind, client;
    uint32_t session_length, request_length, reply_length;
    uint32_t record_length;
};

// Walks a queue: NULL gives the first write; returns NULL at the end.
struct store_write *store_queue_next(const struct store_queue *queue, const struct store_write *write);
// Makes room for `size` bytes at the end; NULL when memory runs out.
void *store_queue_reserve(struct store_queue *queue, size_t size);
void store_queue_clear(struct store_queue *queue); // frees what the writes own; keeps the buffer unless it is large
void store_queue_free(struct store_queue *queue);
void store_packed_free(struct store_packed *packed); // NULL is allowed
void store_group_free(struct store_group *group);    // with what its writes own; NULL is allowed

#endif
