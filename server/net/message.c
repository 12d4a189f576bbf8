// SPDX-License-Identifier: MIT
// Messages: one allocation each, made of the head, the headroom libwebsockets writes its frame header into, and the
// payload. That header depends on nothing but the kind and the length of the message (a server does not mask), so the
// same bytes can be sent to any number of peers; only the net thread sends.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/net_internal.h"

struct net_message {
    _Atomic uint32_t references;
    enum net_message_kind kind;
    size_t capacity;
    size_t length;
    _Alignas(16) uint8_t bytes[]; // LWS_PRE bytes of headroom, then the payload
};

static_assert(LWS_PRE % 8 == 0, "the payload must be aligned for 32- and 64-bit words");

struct net_message *net_message_create(enum net_message_kind kind, size_t capacity) {
    if (capacity > SIZE_MAX - sizeof(struct net_message) - LWS_PRE)
        return NULL;
    struct net_message *message = malloc(sizeof *message + LWS_PRE + capacity);
    if (message == NULL)
        return NULL;
    atomic_init(&message->references, 1);
    message->kind = kind;
    message->capacity = capacity;
    message->length = 0;
    return message;
}

struct net_message *net_message_from_text(const char *text, size_t length) {
    struct net_message *message = net_message_create(NET_MESSAGE_TEXT, length);
    if (message == NULL)
        return NULL;
    memcpy(net_message_data(message), text, length);
    message->length = length;
    return message;
}

uint8_t *net_message_data(struct net_message *message) {
    return message->bytes + LWS_PRE;
}

enum net_message_kind net_message_kind(const struct net_message *message) {
    return message->kind;
}

size_t net_message_capacity(const struct net_message *message) {
    return message->capacity;
}

void net_message_set_length(struct net_message *message, size_t length) {
    assert(length <= message->capacity);
    message->length = length;
}

size_t net_message_length(const struct net_message *message) {
    return message->length;
}

struct net_message *net_message_retain(struct net_message *message) {
    atomic_fetch_add_explicit(&message->references, 1, memory_order_relaxed);
    return message;
}

void net_message_release(struct net_message *message) {
    if (message == NULL)
        return;
    // The last one to let go must see what the others did with the message before it frees it.
    if (atomic_fetch_sub_explicit(&message->references, 1, memory_order_acq_rel) == 1)
        free(message);
}
