// SPDX-License-Identifier: MIT
#include "host/past_end.h"

#include <stdlib.h>

#include "host/past.h"

void past_cut_end(struct past *past) {
    struct store_history *history = past->history;
    const uint32_t timeline = past->query.timeline;
    while (history->entry_count > 0) {
        struct store_logged *last = &history->entries[history->entry_count - 1];
        if (last->timeline != timeline || last->entry.sequence <= past->end_sequence) {
            return;
        }
        free((void *)last->entry.record.data);
        history->entry_count--;
    }
}
