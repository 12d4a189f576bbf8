// SPDX-License-Identifier: MIT
#include "host/item.h"

#include <stdlib.h>

#include "host/flow.h"
#include "host/roster.h"
#include "store/store.h"

void item_leave_flow(struct item *item) {
    if (item->flow != NULL) {
        flow_leave(item->flow, item->bytes);
        item->flow = NULL;
    }
}

void item_destroy(struct item *item) {
    if (item != NULL) {
        item_leave_flow(item);
        visitor_release(item->visitor);
        store_replies_free(item->replies, item->reply_count);
        if (item->disposer != NULL) {
            item->disposer->dispose(item->disposer, item);
            return;
        }
        proto_request_destroy(item->request);
        free(item);
    }
}
