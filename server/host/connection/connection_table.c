// SPDX-License-Identifier: MIT
// Linear probing, at most half full; a removal moves later entries back, so there are no tombstones.
#include "host/connection/connection_table.h"

#include <stdlib.h>

static size_t home_of(const struct connection_table *table, uint64_t connection_id) {
    return (size_t)(connection_id * 0x9e3779b97f4a7c15u >> 32) & (table->capacity - 1);
}

static void place(struct connection_table *table, struct connection_table_entry entry) {
    size_t at = home_of(table, entry.connection_id);
    while (table->entries[at].used) {
        at = (at + 1) & (table->capacity - 1);
    }
    table->entries[at] = entry;
    table->count++;
}

static bool grow(struct connection_table *table) {
    struct connection_table grown = {.capacity = table->capacity == 0 ? 64 : table->capacity * 2,
                                     .leaving = table->leaving};
    grown.entries = calloc(grown.capacity, sizeof *grown.entries);
    if (grown.entries == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->entries[i].used) {
            place(&grown, table->entries[i]);
        }
    }
    free(table->entries);
    *table = grown;
    return true;
}

bool connection_table_add(struct connection_table *table, uint64_t connection_id, uint32_t world,
                          struct backpressure *backpressure) {
    if (2 * (table->count + 1) > table->capacity && !grow(table)) {
        return false;
    }
    place(table, (struct connection_table_entry){
                     .connection_id = connection_id, .world = world, .used = true, .backpressure = backpressure});
    return true;
}

static struct connection_table_entry *find(const struct connection_table *table, uint64_t connection_id) {
    if (table->capacity == 0) {
        return NULL;
    }
    size_t at = home_of(table, connection_id);
    while (table->entries[at].used) {
        if (table->entries[at].connection_id == connection_id) {
            return &table->entries[at];
        }
        at = (at + 1) & (table->capacity - 1);
    }
    return NULL;
}

const struct connection_table_entry *connection_table_find(const struct connection_table *table,
                                                           uint64_t connection_id) {
    return find(table, connection_id);
}

void connection_table_note_leaving(struct connection_table *table, uint64_t connection_id) {
    struct connection_table_entry *entry = find(table, connection_id);
    if (entry != NULL && !entry->leaving) {
        entry->leaving = true;
        table->leaving++;
    }
}

bool connection_table_find_leaving(const struct connection_table *table, uint64_t *connection_id) {
    for (size_t i = 0; table->leaving > 0 && i < table->capacity; i++) {
        if (table->entries[i].used && table->entries[i].leaving) {
            *connection_id = table->entries[i].connection_id;
            return true;
        }
    }
    return false;
}

bool connection_table_remove(struct connection_table *table, uint64_t connection_id,
                             struct connection_table_entry *removed) {
    struct connection_table_entry *entry = find(table, connection_id);
    if (entry == NULL) {
        return false;
    }
    *removed = *entry;
    table->leaving -= entry->leaving ? 1 : 0;
    entry->used = false;
    table->count--;
    size_t at = (size_t)(entry - table->entries);
    for (at = (at + 1) & (table->capacity - 1); table->entries[at].used; at = (at + 1) & (table->capacity - 1)) {
        struct connection_table_entry moved = table->entries[at];
        table->entries[at].used = false;
        table->count--;
        place(table, moved);
    }
    return true;
}

void connection_table_free(struct connection_table *table) {
    free(table->entries);
    *table = (struct connection_table){0};
}
