// SPDX-License-Identifier: MIT
// Channels: a number, and the peers that joined it. A channel exists while it has members. Publishing walks the members
// once and hands each the same message; nothing is copied.
#include <stdlib.h>
#include <time.h>

#include "net/net_internal.h"

struct channel {
    uint32_t number;
    struct channel *bucket_next;
    struct membership *members;
    uint64_t published_pass; // of the server, in which a state was last published
    uint64_t broadcast_us;   // of processor, that the last state took which was sent at once
    lws_usec_t posted_us;    // when the last state was posted
    bool holds;              // that state is held back, for a newer one or until it is time
    lws_sorted_usec_list_t held_timer;
};

static struct channel **channel_slot(struct net_server *server, uint32_t number) {
    struct channel **slot = &server->channels[number % CHANNEL_BUCKETS];
    while (*slot != NULL && (*slot)->number != number)
        slot = &(*slot)->bucket_next;
    return slot;
}

static struct membership *find_membership(struct peer *peer, uint32_t number) {
    struct membership *membership = peer->memberships;
    while (membership != NULL && membership->channel->number != number)
        membership = membership->peer_next;
    return membership;
}

// The channel of that number, made if need be; NULL when memory is out.
static struct channel *open_channel(struct net_server *server, uint32_t number) {
    struct channel **slot = channel_slot(server, number);
    if (*slot == NULL) {
        *slot = calloc(1, sizeof **slot);
        if (*slot != NULL)
            (*slot)->number = number;
    }
    return *slot;
}

static void close_channel_if_empty(struct net_server *server, struct channel *channel) {
    if (channel->members != NULL)
        return;
    struct channel **slot = channel_slot(server, channel->number);
    *slot = channel->bucket_next;
    lws_sul_cancel(&channel->held_timer);
    free(channel);
}

static struct membership *create_membership(struct peer *peer, uint32_t number) {
    struct membership *membership = calloc(1, sizeof *membership);
    if (membership == NULL)
        return NULL;
    struct channel *channel = open_channel(peer->server, number);
    if (channel == NULL) {
        free(membership);
        return NULL;
    }
    membership->peer = peer;
    membership->channel = channel;
    membership->peer_next = peer->memberships;
    peer->memberships = membership;
    membership->channel_next = channel->members;
    if (channel->members != NULL)
        channel->members->channel_previous = membership;
    channel->members = membership;
    return membership;
}

void channel_join(struct peer *peer, uint32_t number, uint32_t every_ticks, uint32_t tags) {
    struct membership *membership = find_membership(peer, number);
    if (membership == NULL)
        membership = create_membership(peer, number);
    if (membership == NULL) {
        peer_close(peer, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    membership->every_ticks = every_ticks;
    membership->tags = tags;
}

static void destroy_membership(struct membership *membership) {
    struct peer *peer = membership->peer;
    struct channel *channel = membership->channel;
    struct membership **link = &peer->memberships;
    while (*link != membership)
        link = &(*link)->peer_next;
    *link = membership->peer_next;

    if (membership->channel_previous != NULL)
        membership->channel_previous->channel_next = membership->channel_next;
    else
        channel->members = membership->channel_next;
    if (membership->channel_next != NULL)
        membership->channel_next->channel_previous = membership->channel_previous;

    message_release(membership->state);
    free(membership);
    close_channel_if_empty(peer->server, channel);
}

void channel_leave(struct peer *peer, uint32_t number) {
    struct membership *membership = find_membership(peer, number);
    if (membership != NULL)
        destroy_membership(membership);
}

void channel_leave_all(struct peer *peer) {
    struct membership *membership = peer->memberships;
    while (membership != NULL) {
        struct membership *next = membership->peer_next;
        destroy_membership(membership);
        membership = next;
    }
}

void channel_state(struct peer *peer, uint32_t number, struct message *take) {
    struct membership *membership = find_membership(peer, number);
    if (membership != NULL)
        peer_set_state(membership, take);
    else
        message_release(take);
}

static void clear_states(struct channel *channel) {
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        message_release(member->state);
        member->state = NULL;
    }
}

void channel_publish_ordered(struct net_server *server, uint32_t number, uint32_t tag, bool clear_state,
                             struct message *message) {
    struct channel *channel = *channel_slot(server, number);
    if (channel == NULL)
        return;
    if (clear_state)
        clear_states(channel);
    // A peer whose queue overflows leaves all its channels on the spot, which may end this one: its own successor is
    // read before, and the channel is not touched after.
    struct membership *member = channel->members;
    while (member != NULL) {
        struct membership *next = member->channel_next;
        if ((member->tags & tag) != 0)
            peer_enqueue(member->peer, message_retain(message));
        member = next;
    }
}

bool channel_is_published(struct net_server *server, uint32_t number) {
    const struct channel *channel = *channel_slot(server, number);
    return channel != NULL && channel->published_pass == server->pass;
}

bool channel_is_slow(struct net_server *server, uint32_t number) {
    const struct channel *channel = *channel_slot(server, number);
    return channel != NULL && channel->broadcast_us >= server->options.long_broadcast_us;
}

// Two in a row are never late: the second one is sent.
bool channel_is_late(struct net_server *server, uint32_t number, lws_usec_t posted_us) {
    const struct channel *channel = *channel_slot(server, number);
    if (!channel_is_slow(server, number) || channel->holds)
        return false;
    const lws_usec_t interval_us = posted_us - channel->posted_us;
    return (lws_usec_t)channel->broadcast_us < interval_us && lws_now_usecs() - posted_us > interval_us / 2;
}

// Being interrupted does not add to it.
static uint64_t spent_us(void) {
    struct timespec spent = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (uint64_t)spent.tv_sec * 1000000u + (uint64_t)spent.tv_nsec / 1000u;
}

void channel_publish_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                           struct message *message) {
    struct channel *channel = *channel_slot(server, number);
    if (channel == NULL)
        return;
    const uint64_t before_us = spent_us();
    channel->published_pass = server->pass;
    channel->posted_us = posted_us;
    if (channel->holds)
        lws_sul_cancel(&channel->held_timer);
    channel->holds = false;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (tick % member->every_ticks == 0)
            peer_set_state(member, message_retain(message));
    }
    if (!server->hasty) // else nothing was sent yet
        channel->broadcast_us = spent_us() - before_us;
}

// Into the slots, to be sent only where a newer one does not take its place.
static void keep_state(const struct channel *channel, uint64_t tick, struct message *message) {
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (member->every_ticks == 1)
            peer_keep_state(member, message_retain(message));
        else if (tick % member->every_ticks == 0)
            peer_set_state(member, message_retain(message)); // whose next one is far away
    }
}

void channel_pass_over_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                             struct message *message) {
    struct channel *channel = *channel_slot(server, number);
    if (channel == NULL)
        return;
    channel->posted_us = posted_us;
    keep_state(channel, tick, message);
}

// Nothing newer has come: what was held back is sent after all.
static void on_held_timer(lws_sorted_usec_list_t *timer) {
    struct channel *channel = lws_container_of(timer, struct channel, held_timer);
    channel->holds = false;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (member->state != NULL)
            peer_ask_to_write(member->peer);
    }
}

void channel_hold_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                        struct message *message) {
    struct channel *channel = *channel_slot(server, number);
    if (channel == NULL)
        return;
    keep_state(channel, tick, message);
    channel->holds = true;
    lws_sul_schedule(server->context, 0, &channel->held_timer, on_held_timer, posted_us - channel->posted_us);
    channel->posted_us = posted_us;
}

void channel_frame(struct peer *peer, uint32_t number, uint64_t frame, struct message *take) {
    struct membership *membership = find_membership(peer, number);
    if (membership != NULL)
        stream_begin(membership, frame, take);
    else
        message_release(take);
}

void channel_publish_frame(struct net_server *server, uint32_t number, const struct message_forms *frame) {
    struct channel *channel = *channel_slot(server, number);
    if (channel == NULL)
        return;
    channel->published_pass = server->pass;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next)
        stream_hand(member, frame);
}

uint32_t channel_number(const struct channel *channel) {
    return channel->number;
}
