// SPDX-License-Identifier: MIT
// One list under one mutex, in the order of the calls. The net thread takes the whole list at once and applies it
// without the lock. It is woken once for each list and not once for each post, by `lws_cancel_service`, the only
// function of libwebsockets that other threads call.
//
// The list has a limit. A state beyond STATE_BYTES_MAX is dropped and counted as skipped, since a newer one replaces
// it. When an ordered post finds no room, any client may have missed something: all are closed with 1013 and can come
// back.
#include "net/loop/mailbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/connection/state.h"

#define STATE_BYTES_MAX (64u << 20) // state posts not yet taken

enum result mailbox_init(struct mailbox *mailbox) {
    memset(mailbox, 0, sizeof *mailbox);
    mailbox->credit = MAILBOX_CATCH_UP_PASSES_MAX;
    return pthread_mutex_init(&mailbox->mutex, NULL) == 0 ? RESULT_OK : RESULT_MEMORY;
}

static void release_messages(const struct post *post) {
    message_release(post->message);
    for (size_t i = 0; post->kind == POST_PUBLISH_FRAME && i < MESSAGE_FORMS - 1; i++) {
        message_release(post->frame.built_on[i]);
    }
}

static void release_posts(struct post_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        release_messages(&list->posts[i]);
    }
    list->count = 0;
}

void mailbox_free(struct mailbox *mailbox) {
    release_posts(&mailbox->waiting);
    release_posts(&mailbox->taken);
    free(mailbox->waiting.posts);
    free(mailbox->taken.posts);
    pthread_mutex_destroy(&mailbox->mutex);
}

static bool is_state(const struct post *post) {
    return post->kind == POST_STATE || post->kind == POST_PUBLISH_STATE || post->kind == POST_FRAME ||
           post->kind == POST_PUBLISH_FRAME;
}

static size_t count_bytes(const struct post *post) {
    size_t bytes = post->message == NULL ? 0 : message_length(post->message);
    for (size_t i = 0; post->kind == POST_PUBLISH_FRAME && i < MESSAGE_FORMS - 1; i++) {
        const struct message *form = post->frame.built_on[i];
        bytes += form == NULL ? 0 : message_length(form);
    }
    return bytes;
}

// ---- posting: any thread -----------------------------------------------------------------------------------------

static bool append(struct post_list *list, const struct post *post) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        if (capacity > MAILBOX_POSTS_MAX) {
            return false;
        }
        struct post *posts = realloc(list->posts, capacity * sizeof *posts);
        if (posts == NULL) {
            return false;
        }
        list->posts = posts;
        list->capacity = capacity;
    }
    list->posts[list->count++] = *post;
    return true;
}

// Whether the post found room. One state message is taken whatever its size.
static bool admit_post(struct mailbox *mailbox, const struct post *post) {
    if (!is_state(post)) {
        return append(&mailbox->waiting, post);
    }
    size_t bytes = count_bytes(post);
    bool room = mailbox->state_bytes_waiting == 0 || mailbox->state_bytes_waiting + bytes <= STATE_BYTES_MAX;
    if (!room || !append(&mailbox->waiting, post)) {
        return false;
    }
    mailbox->state_bytes_waiting += bytes;
    return true;
}

static void push(struct net_server *server, const struct post *post) {
    struct mailbox *mailbox = &server->mailbox;
    pthread_mutex_lock(&mailbox->mutex);
    bool taken = admit_post(mailbox, post);
    if (!taken && !is_state(post)) {
        mailbox->overrun = true;
    }
    bool wake = !mailbox->signalled;
    mailbox->signalled = true;
    pthread_mutex_unlock(&mailbox->mutex);
    if (!taken) {
        if (is_state(post)) {
            count_up(server, COUNTER_FRAMES_SKIPPED, 1);
        }
        release_messages(post);
    }
    if (wake) {
        lws_cancel_service(server->context);
    }
}

void net_post_send(struct net_server *server, uint64_t connection, struct message *take) {
    push(server, &(struct post){.kind = POST_SEND, .connection = connection, .message = take});
}

void net_post_expect(struct net_server *server, uint64_t connection, uint64_t number, uint32_t messages, bool array) {
    push(server, &(struct post){.kind = POST_EXPECT, .connection = connection, .expect = {number, messages, array}});
}

void net_post_close(struct net_server *server, uint64_t connection, uint16_t code, const char *reason) {
    struct message *text = message_from_text(reason, strlen(reason));
    push(server, &(struct post){.kind = POST_CLOSE, .connection = connection, .message = text, .close_code = code});
}

void net_post_resume_reading(struct net_server *server, uint64_t connection) {
    push(server, &(struct post){.kind = POST_RESUME_READING, .connection = connection});
}

void net_post_hold_reading(struct net_server *server, uint64_t connection, uint32_t hold_ms) {
    push(server, &(struct post){.kind = POST_HOLD_READING, .connection = connection, .hold_ms = hold_ms});
}

void net_post_document(struct net_server *server, uint64_t request, int status, const char *file,
                       struct message *take) {
    struct post post = {.kind = POST_DOCUMENT, .connection = request, .message = take, .document = {.status = status}};
    snprintf(post.document.file, sizeof post.document.file, "%s", file != NULL ? file : "");
    push(server, &post);
}

void net_post_join(struct net_server *server, uint64_t connection, uint32_t channel, uint32_t every_ticks,
                   uint32_t tags) {
    push(server, &(struct post){.kind = POST_JOIN,
                                .connection = connection,
                                .channel = channel,
                                .join = {every_ticks == 0 ? 1 : every_ticks, tags}});
}

void net_post_leave(struct net_server *server, uint64_t connection, uint32_t channel) {
    push(server, &(struct post){.kind = POST_LEAVE, .connection = connection, .channel = channel});
}

void net_post_publish_ordered(struct net_server *server, uint32_t channel, uint32_t tag, bool clear_state,
                              struct message *take) {
    push(server, &(struct post){
                     .kind = POST_PUBLISH_ORDERED, .channel = channel, .message = take, .ordered = {tag, clear_state}});
}

void net_post_publish_state(struct net_server *server, uint32_t channel, uint64_t tick, struct message *take) {
    push(server,
         &(struct post){
             .kind = POST_PUBLISH_STATE, .channel = channel, .message = take, .state = {tick, lws_now_usecs()}});
}

void net_post_state(struct net_server *server, uint64_t connection, uint32_t channel, struct message *take) {
    push(server, &(struct post){.kind = POST_STATE, .connection = connection, .channel = channel, .message = take});
}

void net_post_publish_frame(struct net_server *server, uint32_t channel, const struct message_forms *take) {
    push(server, &(struct post){.kind = POST_PUBLISH_FRAME,
                                .channel = channel,
                                .message = take->forms[0],
                                .frame = {take->number, {take->forms[1], take->forms[2], take->forms[3]}}});
}

void net_post_frame(struct net_server *server, uint64_t connection, uint32_t channel, uint64_t number,
                    struct message *take) {
    push(server, &(struct post){.kind = POST_FRAME,
                                .connection = connection,
                                .channel = channel,
                                .message = take,
                                .frame = {.number = number}});
}

// ---- taking: the net thread --------------------------------------------------------------------------------------

bool mailbox_take(struct mailbox *mailbox) {
    release_posts(&mailbox->taken);
    mailbox->applied = 0;
    mailbox->crowded = false;
    pthread_mutex_lock(&mailbox->mutex);
    struct post_list list = mailbox->waiting;
    mailbox->waiting = mailbox->taken;
    mailbox->taken = list;
    mailbox->state_bytes_waiting = 0;
    mailbox->signalled = false;
    bool overrun = mailbox->overrun;
    mailbox->overrun = false;
    pthread_mutex_unlock(&mailbox->mutex);
    return overrun;
}
