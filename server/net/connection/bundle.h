// SPDX-License-Identifier: MIT
// Bundles: the replies to an array of requests, held until all of them have come, then sent as one array. Replies are
// made on several threads and come in any order; each has its place.
#ifndef WEFT_NET_CONNECTION_BUNDLE_H
#define WEFT_NET_CONNECTION_BUNDLE_H

#include "net/connection/state.h"

enum bundle_state { BUNDLE_OPEN, BUNDLE_WHOLE, BUNDLE_TOO_LONG };

struct bundle {
    struct bundle *next; // of the same WebSocket
    uint64_t number;
    bool array; // else it is one reply, which is sent as it is
    uint32_t expected, count;
    size_t bytes;
    struct message *messages[]; // by their places
};

struct bundle *bundle_create(uint64_t number, uint32_t expected, bool array); // NULL when memory runs out
void bundle_free(struct bundle *bundle);                                      // NULL is allowed
// Takes the message. It is dropped if the bundle has no such place, or if the place has a message already.
enum bundle_state bundle_add(struct bundle *bundle, struct message *take);
// All of a whole bundle as one message; NULL when memory runs out.
struct message *bundle_join(const struct bundle *bundle);

#endif
