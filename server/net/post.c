// SPDX-License-Identifier: MIT
// Posts: how every other thread speaks to the net thread. One list under one mutex, in the order of the calls; the net
// thread takes the whole list at once and applies it without the lock. It is woken (`lws_cancel_service`, the only call
// into libwebsockets from outside its thread) once per list, not once per post.
//
// When this thread was late (the machine was busy), several ticks wait at once. They are then applied one per pass of
// the loop, so that a peer that reads misses none; a peer that does not still skips. There is credit for so many such
// passes, which only being on time gives back: a network thread that is late all the time sends the newest at once.
//
// Where sending to all members takes long, catching up would make this thread later still: of several ticks that wait
// the newest is sent, and one whose turn comes late by more than half an interval is held back for the next.
//
// The list is capped. State is replaceable, so it goes first: beyond STATE_BYTES_WAITING_MAX it is dropped and counted
// as skipped. An ordered post that finds no room cannot be dropped silently: every peer may then have missed something
// and is closed with 1013, to come back and start over.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "net/net_internal.h"

#define CLOSE_TRY_AGAIN_LATER 1013

enum result post_queue_init(struct post_queue *queue) {
    memset(queue, 0, sizeof *queue);
    queue->credit = CATCH_UP_PASSES_MAX;
    return pthread_mutex_init(&queue->mutex, NULL) == 0 ? RESULT_OK : RESULT_MEMORY;
}

static void release_messages(const struct post *post) {
    message_release(post->message);
    for (size_t i = 0; i < MESSAGE_FORMS - 1; i++)
        message_release(post->built_on[i]);
}

static void release_posts(struct post_list *list) {
    for (size_t i = 0; i < list->count; i++)
        release_messages(&list->posts[i]);
    list->count = 0;
}

void post_queue_free(struct post_queue *queue) {
    release_posts(&queue->waiting);
    release_posts(&queue->taken);
    free(queue->waiting.posts);
    free(queue->taken.posts);
    pthread_mutex_destroy(&queue->mutex);
}

static bool is_state(const struct post *post) {
    return post->kind == POST_STATE || post->kind == POST_PUBLISH_STATE || post->kind == POST_FRAME ||
           post->kind == POST_PUBLISH_FRAME;
}

static size_t count_bytes(const struct post *post) {
    size_t bytes = post->message == NULL ? 0 : message_length(post->message);
    for (size_t i = 0; i < MESSAGE_FORMS - 1; i++)
        bytes += post->built_on[i] == NULL ? 0 : message_length(post->built_on[i]);
    return bytes;
}

// ---- any thread --------------------------------------------------------------------------------------------------

static bool append(struct post_list *list, const struct post *post) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        if (capacity > POSTS_WAITING_MAX)
            return false;
        struct post *posts = realloc(list->posts, capacity * sizeof *posts);
        if (posts == NULL)
            return false;
        list->posts = posts;
        list->capacity = capacity;
    }
    list->posts[list->count++] = *post;
    return true;
}

// Whether the post found room. One state message is taken whatever its size.
static bool admit_post(struct post_queue *queue, const struct post *post) {
    if (!is_state(post))
        return append(&queue->waiting, post);
    size_t bytes = count_bytes(post);
    bool room = queue->state_bytes_waiting == 0 || queue->state_bytes_waiting + bytes <= STATE_BYTES_WAITING_MAX;
    if (!room || !append(&queue->waiting, post))
        return false;
    queue->state_bytes_waiting += bytes;
    return true;
}

static void push(struct net_server *server, const struct post *post) {
    struct post_queue *queue = &server->posts;
    pthread_mutex_lock(&queue->mutex);
    bool taken = admit_post(queue, post);
    if (!taken && !is_state(post))
        queue->overrun = true;
    bool wake = !queue->signalled;
    queue->signalled = true;
    pthread_mutex_unlock(&queue->mutex);
    if (!taken) {
        if (is_state(post))
            count_up(server, COUNTER_FRAMES_SKIPPED, 1);
        release_messages(post);
    }
    if (wake)
        lws_cancel_service(server->context);
}

void net_post_send(struct net_server *server, uint64_t peer, struct message *take) {
    push(server, &(struct post){.kind = POST_SEND, .peer = peer, .message = take});
}

void net_post_expect(struct net_server *server, uint64_t peer, uint64_t number, uint32_t messages, bool array) {
    push(server,
         &(struct post){.kind = POST_EXPECT, .peer = peer, .tick = number, .tags = messages, .clear_state = array});
}

void net_post_document(struct net_server *server, uint64_t request, int status, const char *file,
                       struct message *take) {
    struct post post = {.kind = POST_DOCUMENT, .peer = request, .close_code = (uint16_t)status, .message = take};
    snprintf(post.file, sizeof post.file, "%s", file != NULL ? file : "");
    push(server, &post);
}

void net_post_state(struct net_server *server, uint64_t peer, uint32_t channel, struct message *take) {
    push(server, &(struct post){.kind = POST_STATE, .peer = peer, .channel = channel, .message = take});
}

void net_post_join(struct net_server *server, uint64_t peer, uint32_t channel, uint32_t every_ticks, uint32_t tags) {
    push(server, &(struct post){.kind = POST_JOIN,
                                .peer = peer,
                                .channel = channel,
                                .every_ticks = every_ticks == 0 ? 1 : every_ticks,
                                .tags = tags});
}

void net_post_leave(struct net_server *server, uint64_t peer, uint32_t channel) {
    push(server, &(struct post){.kind = POST_LEAVE, .peer = peer, .channel = channel});
}

void net_post_resume_reading(struct net_server *server, uint64_t peer) {
    push(server, &(struct post){.kind = POST_RESUME_READING, .peer = peer});
}

void net_post_hold_reading(struct net_server *server, uint64_t peer, uint32_t hold_ms) {
    push(server, &(struct post){.kind = POST_HOLD_READING, .peer = peer, .tick = hold_ms});
}

void net_post_publish_ordered(struct net_server *server, uint32_t channel, uint32_t tag, bool clear_state,
                              struct message *take) {
    push(server, &(struct post){.kind = POST_PUBLISH_ORDERED,
                                .channel = channel,
                                .tags = tag,
                                .clear_state = clear_state,
                                .message = take});
}

void net_post_publish_state(struct net_server *server, uint32_t channel, uint64_t tick, struct message *take) {
    push(server, &(struct post){.kind = POST_PUBLISH_STATE,
                                .channel = channel,
                                .tick = tick,
                                .posted_us = lws_now_usecs(),
                                .message = take});
}

void net_post_frame(struct net_server *server, uint64_t peer, uint32_t channel, uint64_t number, struct message *take) {
    push(server, &(struct post){.kind = POST_FRAME, .peer = peer, .channel = channel, .tick = number, .message = take});
}

void net_post_publish_frame(struct net_server *server, uint32_t channel, const struct message_forms *take) {
    push(server, &(struct post){.kind = POST_PUBLISH_FRAME,
                                .channel = channel,
                                .tick = take->number,
                                .message = take->forms[0],
                                .built_on = {take->forms[1], take->forms[2], take->forms[3]}});
}

void net_post_close(struct net_server *server, uint64_t peer, uint16_t code, const char *reason) {
    struct message *text = message_from_text(reason, strlen(reason));
    push(server, &(struct post){.kind = POST_CLOSE, .peer = peer, .close_code = code, .message = text});
}

// ---- the net thread ----------------------------------------------------------------------------------------------

static void apply_send(struct net_server *server, struct peer *peer, const struct post *post) {
    if (peer != NULL)
        bundle_send(peer, message_retain(post->message));
    else
        collect_add(server, post->peer, message_retain(post->message));
}

static void apply_expect(struct net_server *server, struct peer *peer, const struct post *post) {
    if (peer != NULL)
        bundle_expect(peer, post->tick, post->tags);
    else
        collect_expect(server, post->peer, post->tags, post->clear_state);
}

static void apply_state(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    channel_state(peer, post->channel, message_retain(post->message));
}

static void apply_frame(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    channel_frame(peer, post->channel, post->tick, message_retain(post->message));
}

static void apply_publish_frame(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)peer;
    const struct message_forms frame = {
        .number = post->tick, .forms = {post->message, post->built_on[0], post->built_on[1], post->built_on[2]}};
    channel_publish_frame(server, post->channel, &frame);
}

static void apply_join(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    channel_join(peer, post->channel, post->every_ticks, post->tags);
}

static void apply_leave(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    channel_leave(peer, post->channel);
}

static void apply_hold_reading(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    peer_hold_for(peer, (uint32_t)post->tick);
}

static void apply_resume_reading(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)server;
    (void)post;
    peer_resume(peer, PEER_HOLD_APPLICATION);
}

static void apply_publish_ordered(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)peer;
    channel_publish_ordered(server, post->channel, post->tags, post->clear_state, post->message);
}

// Whether a newer state of its channel waits behind it, and sending both would make a late thread later.
static bool is_overtaken(struct net_server *server, const struct post *post) {
    if (!channel_is_slow(server, post->channel))
        return false;
    const struct post_list *taken = &server->posts.taken;
    for (const struct post *next = post + 1; next < taken->posts + taken->count; next++) {
        if (next->kind == POST_PUBLISH_STATE && next->channel == post->channel)
            return true;
    }
    return false;
}

static void apply_publish_state(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)peer;
    if (is_overtaken(server, post))
        channel_pass_over_state(server, post->channel, post->tick, post->posted_us, post->message);
    else if (channel_is_late(server, post->channel, post->posted_us))
        channel_hold_state(server, post->channel, post->tick, post->posted_us, post->message);
    else
        channel_publish_state(server, post->channel, post->tick, post->posted_us, post->message);
}

static void apply_close(struct net_server *server, struct peer *peer, const struct post *post) {
    char reason[CLOSE_REASON_MAX + 1] = "";
    if (post->message != NULL) { // NULL when memory was out: the code alone must do
        const uint8_t *text = message_data(post->message);
        size_t length = message_length(post->message);
        if (length > CLOSE_REASON_MAX) {
            length = CLOSE_REASON_MAX;
            while (length > 0 && (text[length] & 0xC0) == 0x80)
                length--; // no half of a character: UTF-8 it must be
        }
        memcpy(reason, text, length);
    }
    if (peer != NULL)
        peer_close(peer, post->close_code, reason);
    else
        collect_refuse(server, post->peer, reason);
}

static void apply_document(struct net_server *server, struct peer *peer, const struct post *post) {
    (void)peer;
    struct message *message = post->message != NULL ? message_retain(post->message) : NULL;
    http_answer(server, post->peer, post->close_code, post->file, message);
}

struct post_entry {
    void (*apply)(struct net_server *server, struct peer *peer, const struct post *post);
    bool needs_peer; // of the table; a POST's peer is none of it
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

// Swaps the lists when all that was taken has been applied. Returns whether an ordered post was lost meanwhile.
static bool take_waiting(struct post_queue *queue) {
    release_posts(&queue->taken);
    queue->applied = 0;
    queue->crowded = false;
    pthread_mutex_lock(&queue->mutex);
    struct post_list list = queue->waiting;
    queue->waiting = queue->taken;
    queue->taken = list;
    queue->state_bytes_waiting = 0;
    queue->signalled = false;
    bool overrun = queue->overrun;
    queue->overrun = false;
    pthread_mutex_unlock(&queue->mutex);
    return overrun;
}

static void apply_post(struct net_server *server, const struct post *post) {
    const struct post_entry *entry = &entries[post->kind];
    struct peer *peer = peer_find(server, post->peer);
    if (peer != NULL || !entry->needs_peer)
        entry->apply(server, peer, post);
}

void post_queue_apply(struct net_server *server) {
    struct post_queue *queue = &server->posts;
    bool overrun = queue->applied == queue->taken.count && take_waiting(queue);
    server->pass++;
    server->hasty = queue->credit == 0;
    while (queue->applied < queue->taken.count) {
        const struct post *post = &queue->taken.posts[queue->applied];
        const bool publishes = post->kind == POST_PUBLISH_STATE || post->kind == POST_PUBLISH_FRAME;
        if (publishes && channel_is_published(server, post->channel)) {
            queue->crowded = true;
            if (queue->credit > 0) {
                queue->credit--;
                lws_cancel_service(server->context); // so that the loop comes back even when nothing can be sent
                return;
            }
        }
        apply_post(server, post);
        queue->applied++;
    }
    if (queue->crowded)
        lws_cancel_service(
            server->context); // the wake for what came between the passes has been used up by one of them
    if (queue->taken.count > 0 && !queue->crowded && queue->credit < CATCH_UP_PASSES_MAX)
        queue->credit++;
    if (overrun) {
        log_error("net", "more than %u posts waited: closing every client, since some replies are lost",
                  POSTS_WAITING_MAX);
        peer_close_all(server, CLOSE_TRY_AGAIN_LATER, "the server is overloaded");
    }
}
