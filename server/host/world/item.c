// SPDX-License-Identifier: MIT
#include "host/world/item.h"

#include <stdlib.h>

#include "host/connection/backpressure.h"
#include "host/connection/connection_list.h"
#include "store/store.h"

void item_leave_backpressure(struct item *item) {
    if (item->backpressure != NULL) {
        backpressure_leave(item->backpressure, item->bytes);
        item->backpressure = NULL;
    }
}

void item_destroy(struct item *item) {
    if (item != NULL) {
        item_leave_backpressure(item);
        connection_release(item->connection);
        store_replies_free(item->replies, item->reply_count);
        if (item->disposer != NULL) {
            item->disposer->dispose(item->disposer, item);
            return;
        }
        free(item->url);
        proto_request_destroy(item->request);
        free(item);
    }
}
