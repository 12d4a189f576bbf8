// SPDX-License-Identifier: MIT
// Which world each connection is in, and its backpressure: a hash table with open addressing. The net thread's own.
#ifndef WEFT_HOST_CONNECTION_CONNECTION_TABLE_H
#define WEFT_HOST_CONNECTION_CONNECTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct backpressure;

struct connection_table_entry {
    uint64_t connection_id;
    uint32_t world;
    bool used;
    bool leaving;                      // it is gone, and its world is still to be told
    struct backpressure *backpressure; // of its messages; not owned
};

struct connection_table { // zero is empty
    struct connection_table_entry *entries;
    size_t capacity, count; // capacity: a power of two, or 0
    size_t leaving;         // how many of them
};

bool connection_table_add(struct connection_table *table, uint64_t connection_id, uint32_t world,
                          struct backpressure *backpressure); // false when memory is out
// NULL when it is not there; else valid until the next addition or removal.
const struct connection_table_entry *connection_table_find(const struct connection_table *table,
                                                           uint64_t connection_id);
// Notes that one is gone, whose world could not be told yet; the number of one that was noted and not removed since.
void connection_table_note_leaving(struct connection_table *table, uint64_t connection_id);
bool connection_table_find_leaving(const struct connection_table *table, uint64_t *connection_id);
bool connection_table_remove(struct connection_table *table, uint64_t connection_id,
                             struct connection_table_entry *removed);
void connection_table_free(struct connection_table *table);

#endif
