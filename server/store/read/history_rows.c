// SPDX-License-Identifier: MIT
#include "store/read/history_rows.h"

#include <stdlib.h>

#include "base/array.h"

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for the history");
}

enum result store_history_add(struct store_history *history, struct store_logged *take, struct fault *fault) {
    struct store_logged *entries = array_grow(history->entries, history->entry_count, sizeof *entries);
    if (entries == NULL) {
        free((void *)take->entry.record.data);
        return out_of_memory(fault);
    }
    history->entries = entries;
    history->entries[history->entry_count++] = *take;
    return RESULT_OK;
}

enum result store_history_add_hash(struct store_history *history, const struct store_hash *hash, struct fault *fault) {
    struct store_hash *hashes = array_grow(history->hashes, history->hash_count, sizeof *hashes);
    if (hashes == NULL) {
        return out_of_memory(fault);
    }
    history->hashes = hashes;
    history->hashes[history->hash_count++] = *hash;
    return RESULT_OK;
}

void store_history_free(struct store_history *history) {
    if (history == NULL) {
        return;
    }
    for (uint32_t i = 0; i < history->entry_count; i++) {
        free((void *)history->entries[i].entry.record.data);
    }
    free(history->entries);
    free(history->hashes);
    free((void *)history->snapshot.state.data);
    free(history);
}
