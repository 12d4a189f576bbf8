// SPDX-License-Identifier: MIT
// Outgoing messages: bytes that do not change once they are sent, shared by reference count between threads.
#ifndef WEFT_BASE_MESSAGE_H
#define WEFT_BASE_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

// In front of the payload lie MESSAGE_HEADROOM bytes into which a transport may write its own header, so that a message
// is sent to any number of clients without a copy.
#define MESSAGE_HEADROOM 16u

struct message;

enum message_kind { MESSAGE_TEXT, MESSAGE_BINARY };

// A message with room for `capacity` bytes; its length starts at 0. NULL when memory runs out.
struct message *message_create(enum message_kind kind, size_t capacity);
// A text message with a copy of `text`. NULL when memory runs out.
struct message *message_from_text(const char *text, size_t length);
enum message_kind message_kind(const struct message *message);
uint8_t *message_data(struct message *message); // the payload, aligned to 8 bytes
size_t message_capacity(const struct message *message);
void message_set_length(struct message *message, size_t length); // ≤ capacity, asserted
size_t message_length(const struct message *message);
struct message *message_retain(struct message *message); // thread-safe
void message_release(struct message *message);           // thread-safe; NULL is allowed

// The place that a reply has in an array of replies, as the transport numbers it; 0: it is sent by itself.
void message_set_bundle(struct message *message, uint64_t bundle); // before it is sent
uint64_t message_bundle(const struct message *message);

// A pool of messages that are used again, so that a tick that packs one allocates nothing once the pool is warm. One
// thread at a time takes from the pool; any thread may release its messages, also after the pool was destroyed.
struct message_pool;
struct message_pool *message_pool_create(void); // NULL when memory runs out
// An empty message with room for at least `capacity` bytes. NULL when memory runs out.
struct message *message_pool_take(struct message_pool *pool, enum message_kind kind, size_t capacity);
void message_pool_destroy(struct message_pool *pool); // NULL is allowed

// A frame of a stream in which frames build on earlier ones. Frames are numbered from 1 upwards; a frame that cannot
// build on the one before it skips a number, and one with the newest number takes that one's place. Form k is for
// clients that were handed the k frames before it, form 0 builds on nothing.
#define MESSAGE_FORMS 4u
struct message_forms {
    uint64_t number;
    struct message *forms[MESSAGE_FORMS]; // NULL: no client needs it
};

#endif
