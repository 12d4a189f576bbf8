// SPDX-License-Identifier: MIT
#include "net/connection/bundle.h"

#include <stdlib.h>
#include <string.h>

#define BUNDLE_BYTES_MAX ((size_t)64 << 20) // of the replies to one array of requests

struct bundle *bundle_create(uint64_t number, uint32_t expected, bool array) {
    struct bundle *bundle = calloc(1, sizeof *bundle + expected * sizeof(struct message *));
    if (bundle != NULL) {
        bundle->number = number;
        bundle->expected = expected;
        bundle->array = array;
    }
    return bundle;
}

void bundle_free(struct bundle *bundle) {
    for (uint32_t at = 0; bundle != NULL && at < bundle->expected; at++) {
        message_release(bundle->messages[at]);
    }
    free(bundle);
}

enum bundle_state bundle_add(struct bundle *bundle, struct message *take) {
    const uint32_t place = NET_BUNDLE_PLACE(message_bundle(take));
    if (place >= bundle->expected || bundle->messages[place] != NULL) {
        message_release(take);
        return BUNDLE_OPEN;
    }
    bundle->messages[place] = take;
    bundle->count++;
    bundle->bytes += message_length(take) + 1;
    if (bundle->bytes > BUNDLE_BYTES_MAX && bundle->count > 1) {
        return BUNDLE_TOO_LONG;
    }
    return bundle->count == bundle->expected ? BUNDLE_WHOLE : BUNDLE_OPEN;
}

struct message *bundle_join(const struct bundle *bundle) {
    if (!bundle->array) {
        return message_retain(bundle->messages[0]);
    }
    struct message *joined = message_create(MESSAGE_TEXT, bundle->bytes + 2);
    if (joined == NULL) {
        return NULL;
    }
    uint8_t *out = message_data(joined);
    size_t length = 0;
    for (uint32_t at = 0; at < bundle->expected; at++) {
        out[length++] = at == 0 ? '[' : ',';
        memcpy(out + length, message_data(bundle->messages[at]), message_length(bundle->messages[at]));
        length += message_length(bundle->messages[at]);
    }
    out[length++] = ']';
    message_set_length(joined, length);
    return joined;
}
