// SPDX-License-Identifier: MIT
#include "net/websocket/membership.h"

#include <stdlib.h>

static struct channel **find_slot(struct net_server *server, uint32_t number) {
    struct channel **slot = &server->channels[number % CHANNEL_BUCKETS];
    while (*slot != NULL && (*slot)->number != number) {
        slot = &(*slot)->bucket_next;
    }
    return slot;
}

struct channel *membership_channel(struct net_server *server, uint32_t number) {
    return *find_slot(server, number);
}

struct membership *membership_find(const struct websocket *websocket, uint32_t number) {
    struct membership *membership = websocket->memberships;
    while (membership != NULL && membership->channel->number != number) {
        membership = membership->websocket_next;
    }
    return membership;
}

// The channel of that number, made if need be; NULL when memory runs out.
static struct channel *open_channel(struct net_server *server, uint32_t number) {
    struct channel **slot = find_slot(server, number);
    if (*slot == NULL) {
        *slot = calloc(1, sizeof **slot);
        if (*slot != NULL) {
            (*slot)->number = number;
        }
    }
    return *slot;
}

static void close_channel_if_empty(struct net_server *server, struct channel *channel) {
    if (channel->members != NULL) {
        return;
    }
    *find_slot(server, channel->number) = channel->bucket_next;
    lws_sul_cancel(&channel->held_timer);
    free(channel);
}

struct membership *membership_create(struct websocket *websocket, uint32_t number) {
    struct membership *membership = calloc(1, sizeof *membership);
    if (membership == NULL) {
        return NULL;
    }
    struct channel *channel = open_channel(websocket->server, number);
    if (channel == NULL) {
        free(membership);
        return NULL;
    }
    membership->websocket = websocket;
    membership->channel = channel;
    membership->websocket_next = websocket->memberships;
    websocket->memberships = membership;
    membership->channel_next = channel->members;
    if (channel->members != NULL) {
        channel->members->channel_previous = membership;
    }
    channel->members = membership;
    return membership;
}

void membership_destroy(struct membership *membership) {
    struct websocket *websocket = membership->websocket;
    struct channel *channel = membership->channel;
    struct membership **link = &websocket->memberships;
    while (*link != membership) {
        link = &(*link)->websocket_next;
    }
    *link = membership->websocket_next;

    if (membership->channel_previous != NULL) {
        membership->channel_previous->channel_next = membership->channel_next;
    } else {
        channel->members = membership->channel_next;
    }
    if (membership->channel_next != NULL) {
        membership->channel_next->channel_previous = membership->channel_previous;
    }
    message_release(membership->state);
    free(membership);
    close_channel_if_empty(websocket->server, channel);
}

void membership_destroy_all(struct websocket *websocket) {
    struct membership *membership = websocket->memberships;
    while (membership != NULL) {
        struct membership *next = membership->websocket_next;
        membership_destroy(membership);
        membership = next;
    }
}

bool membership_is_hungry(const struct membership *member) {
    return member->starving && member->told == 0 && member->websocket->server->options.handlers.starved != NULL;
}
