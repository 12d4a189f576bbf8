// SPDX-License-Identifier: MIT
// All members get the same message, which is not copied.
#include "net/websocket/channel.h"

#include <time.h>

#include "net/connection/connection.h"
#include "net/websocket/membership.h"
#include "net/websocket/stream.h"
#include "net/websocket/websocket.h"

void channel_join(struct websocket *websocket, uint32_t number, uint32_t every_ticks, uint32_t tags) {
    struct membership *membership = membership_find(websocket, number);
    if (membership == NULL) {
        membership = membership_create(websocket, number);
    }
    if (membership == NULL) {
        websocket_close(websocket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    membership->every_ticks = every_ticks;
    membership->tags = tags;
}

void channel_leave(struct websocket *websocket, uint32_t number) {
    struct membership *membership = membership_find(websocket, number);
    if (membership != NULL) {
        membership_destroy(membership);
    }
}

void channel_state(struct websocket *websocket, uint32_t number, struct message *take) {
    struct membership *membership = membership_find(websocket, number);
    if (membership != NULL) {
        websocket_set_state(membership, take);
    } else {
        message_release(take);
    }
}

static void clear_states(struct channel *channel) {
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        message_release(member->state);
        member->state = NULL;
    }
}

void channel_publish_ordered(struct net_server *server, uint32_t number, uint32_t tag, bool clear_state,
                             struct message *message) {
    struct channel *channel = membership_channel(server, number);
    if (channel == NULL) {
        return;
    }
    if (clear_state) {
        clear_states(channel);
    }
    // A WebSocket whose queue overflows leaves all its channels at once, which frees its membership and perhaps this
    // channel: the next member is read before, and the channel is not used after.
    struct membership *member = channel->members;
    while (member != NULL) {
        struct membership *next = member->channel_next;
        if ((member->tags & tag) != 0) {
            websocket_enqueue(member->websocket, message_retain(message));
        }
        member = next;
    }
}

bool channel_is_published(struct net_server *server, uint32_t number) {
    const struct channel *channel = membership_channel(server, number);
    return channel != NULL && channel->published_pass == server->pass;
}

bool channel_is_slow(struct net_server *server, uint32_t number) {
    const struct channel *channel = membership_channel(server, number);
    return channel != NULL && channel->broadcast_us >= server->options.long_broadcast_us;
}

// After a state that was held back, the next one is sent.
bool channel_is_late(struct net_server *server, uint32_t number, lws_usec_t posted_us) {
    const struct channel *channel = membership_channel(server, number);
    if (!channel_is_slow(server, number) || channel->holds) {
        return false;
    }
    const lws_usec_t interval_us = posted_us - channel->posted_us;
    return (lws_usec_t)channel->broadcast_us < interval_us && lws_now_usecs() - posted_us > interval_us / 2;
}

// Processor time of this thread, without the time in which others ran.
static uint64_t spent_us(void) {
    struct timespec spent = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return (uint64_t)spent.tv_sec * 1000000u + (uint64_t)spent.tv_nsec / 1000u;
}

void channel_publish_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                           struct message *message) {
    struct channel *channel = membership_channel(server, number);
    if (channel == NULL) {
        return;
    }
    const uint64_t before_us = spent_us();
    channel->published_pass = server->pass;
    channel->posted_us = posted_us;
    if (channel->holds) {
        lws_sul_cancel(&channel->held_timer);
    }
    channel->holds = false;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (tick % member->every_ticks == 0) {
            websocket_set_state(member, message_retain(message));
        }
    }
    if (!server->hasty) { // otherwise nothing has been sent yet
        channel->broadcast_us = spent_us() - before_us;
    }
}

// Puts the state into the slots, without sending it.
static void keep_state(const struct channel *channel, uint64_t tick, struct message *message) {
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (member->every_ticks == 1) {
            websocket_keep_state(member, message_retain(message));
        } else if (tick % member->every_ticks == 0) {
            websocket_set_state(member, message_retain(message)); // its next one is far away
        }
    }
}

void channel_pass_over_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                             struct message *message) {
    struct channel *channel = membership_channel(server, number);
    if (channel == NULL) {
        return;
    }
    channel->posted_us = posted_us;
    keep_state(channel, tick, message);
}

// No newer state has come: sends the one that was held back.
static void on_held_timer(lws_sorted_usec_list_t *timer) {
    struct channel *channel = lws_container_of(timer, struct channel, held_timer);
    channel->holds = false;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        if (member->state != NULL) {
            connection_ask_to_write(member->websocket->connection);
        }
    }
}

void channel_hold_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                        struct message *message) {
    struct channel *channel = membership_channel(server, number);
    if (channel == NULL) {
        return;
    }
    keep_state(channel, tick, message);
    channel->holds = true;
    lws_sul_schedule(server->context, 0, &channel->held_timer, on_held_timer, posted_us - channel->posted_us);
    channel->posted_us = posted_us;
}

void channel_frame(struct websocket *websocket, uint32_t number, uint64_t frame, struct message *take) {
    struct membership *membership = membership_find(websocket, number);
    if (membership != NULL) {
        stream_begin(membership, frame, take);
    } else {
        message_release(take);
    }
}

void channel_publish_frame(struct net_server *server, uint32_t number, const struct message_forms *frame) {
    struct channel *channel = membership_channel(server, number);
    if (channel == NULL) {
        return;
    }
    channel->published_pass = server->pass;
    for (struct membership *member = channel->members; member != NULL; member = member->channel_next) {
        stream_hand(member, frame);
    }
}
