// SPDX-License-Identifier: MIT
// When the net thread is late because the machine is busy, states of several ticks wait at once. They are then applied
// one per pass of the event loop, so that a client that reads misses none; a client that does not read still skips
// states. Each such pass costs credit, which the thread regains only when it is on time: a thread that is always late
// sends only the newest state.
//
// Where sending a state to all members takes long, catching up would make the thread later still. There, only the
// newest of several waiting states is sent, and one that is late by more than half an interval is held back for the
// next one.
#include "net/loop/delivery.h"

#include <assert.h>
#include <string.h>

#include "base/log.h"
#include "net/connection/connection.h"
#include "net/http/http.h"
#include "net/http/post_reply.h"
#include "net/loop/mailbox.h"
#include "net/websocket/channel.h"
#include "net/websocket/watch.h"
#include "net/websocket/websocket.h"

#define CLOSE_TRY_AGAIN_LATER 1013

static void apply_send(struct net_server *server, struct websocket *websocket, const struct post *post) {
    if (websocket != NULL) {
        websocket_send(websocket, message_retain(post->message));
    } else {
        post_reply_add(server, post->connection, message_retain(post->message));
    }
}

static void apply_expect(struct net_server *server, struct websocket *websocket, const struct post *post) {
    if (websocket != NULL) {
        websocket_expect(websocket, post->expect.bundle, post->expect.messages);
    } else {
        post_reply_expect(server, post->connection, post->expect.messages, post->expect.array);
    }
}

static void apply_state(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    channel_state(websocket, post->channel, message_retain(post->message));
}

static void apply_frame(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    channel_frame(websocket, post->channel, post->frame.number, message_retain(post->message));
}

static void apply_publish_frame(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)websocket;
    struct message *const *built_on = post->frame.built_on;
    const struct message_forms frame = {.number = post->frame.number,
                                        .forms = {post->message, built_on[0], built_on[1], built_on[2]}};
    channel_publish_frame(server, post->channel, &frame);
}

static void apply_join(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    channel_join(websocket, post->channel, post->join.every_ticks, post->join.tags);
}

static void apply_leave(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    channel_leave(websocket, post->channel);
}

static void apply_hold_reading(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    connection_hold_for(websocket->connection, post->hold_ms);
}

static void apply_resume_reading(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)server;
    (void)post;
    connection_resume(websocket->connection, HOLD_APPLICATION);
}

static void apply_publish_ordered(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)websocket;
    channel_publish_ordered(server, post->channel, post->ordered.tag, post->ordered.clear_state, post->message);
}

// Whether a newer state of its channel waits behind it, and sending both would make a late thread later.
static bool is_overtaken(struct net_server *server, const struct post *post) {
    if (!channel_is_slow(server, post->channel)) {
        return false;
    }
    const struct post_list *taken = &server->mailbox.taken;
    for (const struct post *next = post + 1; next < taken->posts + taken->count; next++) {
        if (next->kind == POST_PUBLISH_STATE && next->channel == post->channel) {
            return true;
        }
    }
    return false;
}

static void apply_publish_state(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)websocket;
    if (is_overtaken(server, post)) {
        channel_pass_over_state(server, post->channel, post->state.tick, post->state.posted_us, post->message);
    } else if (channel_is_late(server, post->channel, post->state.posted_us)) {
        channel_hold_state(server, post->channel, post->state.tick, post->state.posted_us, post->message);
    } else {
        channel_publish_state(server, post->channel, post->state.tick, post->state.posted_us, post->message);
    }
}

static void apply_close(struct net_server *server, struct websocket *websocket, const struct post *post) {
    char reason[CLOSE_REASON_MAX + 1] = "";
    if (post->message != NULL) { // NULL when memory ran out: then only the code is sent
        const uint8_t *text = message_data(post->message);
        size_t length = message_length(post->message);
        if (length > CLOSE_REASON_MAX) {
            length = CLOSE_REASON_MAX;
            while (length > 0 && (text[length] & 0xC0) == 0x80) {
                length--; // not within a character, since a reason must be UTF-8
            }
        }
        memcpy(reason, text, length);
    }
    if (websocket != NULL) {
        websocket_close(websocket, post->close_code, reason);
    } else {
        post_reply_refuse(server, post->connection, reason);
    }
}

static void apply_document(struct net_server *server, struct websocket *websocket, const struct post *post) {
    (void)websocket;
    struct message *message = post->message != NULL ? message_retain(post->message) : NULL;
    http_take_document(server, post->connection, post->document.status, post->document.file, message);
}

struct post_entry {
    void (*apply)(struct net_server *server, struct websocket *websocket, const struct post *post);
    bool needs_websocket; // else the post is also for a POST, or names no connection
};

static const struct post_entry entries[] = {
    [POST_SEND] = {apply_send, false},
    [POST_EXPECT] = {apply_expect, false},
    [POST_STATE] = {apply_state, true},
    [POST_JOIN] = {apply_join, true},
    [POST_LEAVE] = {apply_leave, true},
    [POST_HOLD_READING] = {apply_hold_reading, true},
    [POST_RESUME_READING] = {apply_resume_reading, true},
    [POST_PUBLISH_ORDERED] = {apply_publish_ordered, false},
    [POST_PUBLISH_STATE] = {apply_publish_state, false},
    [POST_FRAME] = {apply_frame, true},
    [POST_PUBLISH_FRAME] = {apply_publish_frame, false},
    [POST_CLOSE] = {apply_close, false},
    [POST_DOCUMENT] = {apply_document, false},
};
static_assert(sizeof entries / sizeof entries[0] == POST_KIND_COUNT, "a kind of post has no row");

static void apply_post(struct net_server *server, const struct post *post) {
    const struct post_entry *entry = &entries[post->kind];
    struct websocket *websocket = websocket_find(server, post->connection);
    if (websocket != NULL || !entry->needs_websocket) {
        entry->apply(server, websocket, post);
    }
}

void delivery_run(struct net_server *server) {
    struct mailbox *mailbox = &server->mailbox;
    bool overrun = mailbox->applied == mailbox->taken.count && mailbox_take(mailbox);
    server->pass++;
    server->hasty = mailbox->credit == 0;
    while (mailbox->applied < mailbox->taken.count) {
        const struct post *post = &mailbox->taken.posts[mailbox->applied];
        const bool publishes = post->kind == POST_PUBLISH_STATE || post->kind == POST_PUBLISH_FRAME;
        if (publishes && channel_is_published(server, post->channel)) {
            mailbox->crowded = true;
            if (mailbox->credit > 0) {
                mailbox->credit--;
                lws_cancel_service(server->context); // wakes the loop even when nothing can be sent
                return;
            }
        }
        apply_post(server, post);
        mailbox->applied++;
    }
    if (mailbox->crowded) {
        lws_cancel_service(server->context); // posts may have come whose wake-up one of the passes has used
    }
    if (mailbox->taken.count > 0 && !mailbox->crowded && mailbox->credit < MAILBOX_CATCH_UP_PASSES_MAX) {
        mailbox->credit++;
    }
    if (overrun) {
        log_error("net", "more than %u posts waited: closing every client, since some replies are lost",
                  MAILBOX_POSTS_MAX);
        watch_close_all(server, CLOSE_TRY_AGAIN_LATER, "the server is overloaded");
    }
}
