// SPDX-License-Identifier: MIT
// Exactly once: what named sessions were answered, so that who comes back and repeats a request is answered as the
// first time, and nothing is done twice.
//
// A session goes by a key that its client chose at random (session.resume). Its changes are remembered by their request
// ids: here, and in the store, from which they are read back after a restart. The worker's own.
#ifndef WEFT_HOST_HISTORY_REPLY_CACHE_H
#define WEFT_HOST_HISTORY_REPLY_CACHE_H

#include "host/world/world_state.h"
#include "store/store.h"

#define REPLY_CACHE_NAMES_MAX 256u        // keys a world remembers; who is here is never forgotten
#define REPLY_CACHE_MAX STORE_REPLIES_MAX // replies of one key, the newest

struct reply_cache;

void reply_cache_free(struct reply_cache *replies); // NULL is allowed
// Whether this key is known; then it is the last to be forgotten.
bool reply_cache_know(struct world *world, const char *key);
// A key from now on, with what it was answered before (of the store; may be none). False when memory is out.
bool reply_cache_begin(struct world *world, const char *key, const struct store_reply *before, uint32_t count);
// What the key was answered; waits for this post, 0: none.
void reply_cache_keep(struct world *world, const char *key, const char *request, struct message *message,
                      uint64_t ticket);
// The reply that this request of the session had when it was made before, and the post that told of its change (0:
// none); NULL: it was not made before. Valid until the next reply is kept.
struct message *reply_cache_find(struct world *world, const struct session *session, const struct proto_id *id,
                                 uint64_t *ticket);

#endif
