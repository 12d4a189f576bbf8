// SPDX-License-Identifier: MIT
#include "host/history/history_query_end.h"

#include <stdlib.h>

#include "host/history/history_query.h"

void history_query_cut_end(struct history_query *past) {
    struct store_history *history = past->history;
    const uint32_t timeline = past->range.timeline;
    while (history->entry_count > 0) {
        struct store_logged *last = &history->entries[history->entry_count - 1];
        if (last->timeline != timeline || last->entry.sequence <= past->end_sequence) {
            return;
        }
        free((void *)last->entry.record.data);
        history->entry_count--;
    }
}
