// SPDX-License-Identifier: MIT
// One peer: its ordered queue, its state slots and its end. What is queued in order goes first, then the slots, the one
// that waited longest first. A peer ends in two steps: it leaves (it is out of the table and of every channel, and the
// application has been told), and later its socket is gone and libwebsockets lets us free it.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/net_internal.h"

// What a queued message costs beside its bytes, so that empty ones fill the queue as well.
#define MESSAGE_OVERHEAD_BYTES 64

static struct peer **bucket(struct net_server *server, uint64_t id) {
    return &server->peers[id % PEER_BUCKETS];
}

struct peer *peer_create(struct net_server *server, struct lws *wsi) {
    struct peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return NULL;
    peer->id = ++server->last_peer_id;
    peer->server = server;
    peer->wsi = wsi;
    struct peer **first = bucket(server, peer->id);
    peer->bucket_next = *first;
    *first = peer;
    count_up(server, COUNTER_PEERS, 1);
    return peer;
}

struct peer *peer_find(struct net_server *server, uint64_t id) {
    struct peer *peer = *bucket(server, id);
    while (peer != NULL && peer->id != id)
        peer = peer->bucket_next;
    return peer;
}

// ---- reading -----------------------------------------------------------------------------------------------------

void peer_hold(struct peer *peer, enum peer_hold reason) {
    if (peer->holds == 0 && lws_rx_flow_control(peer->wsi, 0) < 0)
        log_debug("net", "peer %llu cannot be held", (unsigned long long)peer->id);
    peer->holds |= reason;
}

void peer_resume(struct peer *peer, enum peer_hold reason) {
    if (peer->holds == 0)
        return;
    peer->holds &= ~(unsigned)reason;
    if (peer->holds != 0)
        return;
    if (lws_rx_flow_control(peer->wsi, 1) < 0)
        log_debug("net", "peer %llu cannot be read on", (unsigned long long)peer->id);
    lws_validity_confirmed(peer->wsi); // it could not answer a ping meanwhile
}

static void on_hold_timer(lws_sorted_usec_list_t *timer) {
    peer_resume(lws_container_of(timer, struct peer, hold_timer), PEER_HOLD_TIMED);
}

void peer_hold_for(struct peer *peer, uint32_t hold_ms) {
    peer_hold(peer, PEER_HOLD_TIMED);
    lws_sul_schedule(peer->server->context, 0, &peer->hold_timer, on_hold_timer, (lws_usec_t)hold_ms * LWS_US_PER_MS);
}

void net_hold_reading(struct net_server *server, uint64_t id) {
    struct peer *peer = peer_find(server, id);
    if (peer != NULL)
        peer_hold(peer, PEER_HOLD_APPLICATION);
}

// ---- the ordered queue -------------------------------------------------------------------------------------------

static bool outbox_push(struct outbox *outbox, struct message *take) {
    if (outbox->count == outbox->capacity) {
        size_t capacity = outbox->capacity == 0 ? 8 : outbox->capacity * 2;
        struct message **slots = calloc(capacity, sizeof(struct message *));
        if (slots == NULL)
            return false;
        for (size_t i = 0; i < outbox->count; i++)
            slots[i] = outbox->slots[(outbox->head + i) & (outbox->capacity - 1)];
        free(outbox->slots);
        outbox->slots = slots;
        outbox->capacity = capacity;
        outbox->head = 0;
    }
    outbox->slots[(outbox->head + outbox->count) & (outbox->capacity - 1)] = take;
    outbox->count++;
    outbox->bytes += message_length(take) + MESSAGE_OVERHEAD_BYTES;
    return true;
}

static struct message *outbox_pop(struct outbox *outbox) {
    if (outbox->count == 0)
        return NULL;
    struct message *message = outbox->slots[outbox->head];
    outbox->head = (outbox->head + 1) & (outbox->capacity - 1);
    outbox->count--;
    outbox->bytes -= message_length(message) + MESSAGE_OVERHEAD_BYTES;
    if (outbox->count == 0) { // most peers wait for nothing most of the time
        free(outbox->slots);
        memset(outbox, 0, sizeof *outbox);
    }
    return message;
}

static void outbox_free(struct outbox *outbox) {
    struct message *message;
    while ((message = outbox_pop(outbox)) != NULL)
        message_release(message);
    free(outbox->slots);
    memset(outbox, 0, sizeof *outbox);
}

void peer_enqueue(struct peer *peer, struct message *take) {
    // A single message may be longer than the limit (a large topology); it is the second one that finds no room.
    if (peer->outbox.bytes > peer->server->options.outbox_max) {
        message_release(take);
        outbox_free(&peer->outbox);
        peer_close(peer, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too slow: more messages wait than the limit allows");
        return;
    }
    if (!outbox_push(&peer->outbox, take)) {
        message_release(take);
        peer_close(peer, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    if (peer->outbox.bytes > OUTBOX_HOLD_BYTES)
        peer_hold(peer, PEER_HOLD_OUTBOX);
    peer_ask_to_write(peer);
}

void peer_ask_to_write(struct peer *peer) {
    if (!peer->asked) {
        peer->asked = true;
        lws_callback_on_writable(peer->wsi);
    }
}

// ---- state slots -------------------------------------------------------------------------------------------------

void peer_keep_state(struct membership *membership, struct message *take) {
    if (membership->state != NULL) {
        message_release(membership->state);
        count_up(membership->peer->server, COUNTER_FRAMES_SKIPPED, 1);
    }
    membership->state = take;
}

void peer_set_state(struct membership *membership, struct message *take) {
    struct peer *peer = membership->peer;
    peer_keep_state(membership, take);
    if (peer->asked)
        return; // it has its turn when its socket takes more
    if (peer->caution == 0 && !peer->server->hasty && !lws_partial_buffered(peer->wsi))
        websocket_write_now(peer);
    else
        peer_ask_to_write(peer);
}

// The state of the first membership that has one; that membership moves to the end of the line.
static struct message *take_state(struct peer *peer) {
    struct membership **link = &peer->memberships;
    while (*link != NULL && (*link)->state == NULL)
        link = &(*link)->peer_next;
    struct membership *chosen = *link;
    if (chosen == NULL)
        return NULL;
    *link = chosen->peer_next;
    chosen->peer_next = NULL;
    while (*link != NULL)
        link = &(*link)->peer_next;
    *link = chosen;

    struct message *message = chosen->state;
    chosen->state = NULL;
    return message;
}

struct message *peer_next_message(struct peer *peer, bool *is_state) {
    struct message *message = outbox_pop(&peer->outbox);
    *is_state = message == NULL;
    if ((peer->holds & PEER_HOLD_OUTBOX) != 0 && peer->outbox.bytes <= OUTBOX_HOLD_BYTES / 2)
        peer_resume(peer, PEER_HOLD_OUTBOX);
    return message != NULL ? message : take_state(peer);
}

bool peer_has_message(const struct peer *peer) {
    if (peer->outbox.count > 0)
        return true;
    const struct membership *membership = peer->memberships;
    while (membership != NULL && membership->state == NULL && !stream_is_hungry(membership))
        membership = membership->peer_next;
    return membership != NULL;
}

// ---- the end -----------------------------------------------------------------------------------------------------

void peer_leave(struct peer *peer) {
    if (peer->leaving)
        return;
    peer->leaving = true;
    struct net_server *server = peer->server;
    struct peer **link = bucket(server, peer->id);
    while (*link != peer)
        link = &(*link)->bucket_next;
    *link = peer->bucket_next;
    channel_leave_all(peer);
    atomic_fetch_sub_explicit(&server->counters[COUNTER_PEERS], 1, memory_order_relaxed);
    const struct line *line = line_of(peer->wsi);
    const bool vanished = peer->close_code == 0 && !server->draining && (line == NULL || !line->walk.closed);
    server->options.handlers.closed(server->options.handlers.user, peer->id, vanished);
}

void peer_close(struct peer *peer, uint16_t code, const char *reason) {
    if (peer->leaving)
        return;
    log_debug("net", "closing peer %llu with %u: %s", (unsigned long long)peer->id, code, reason);
    peer->close_code = code;
    free(peer->close_reason);
    peer->close_reason = strndup(reason, CLOSE_REASON_MAX);
    lws_sul_cancel(&peer->hold_timer);
    peer_resume(peer, PEER_HOLD_APPLICATION | PEER_HOLD_OUTBOX | PEER_HOLD_TIMED |
                          PEER_HOLD_DRAIN); // for its answer to the close frame
    peer_leave(peer);
    // A peer that reads gets what is queued, then the close frame; one that does not is cut off by the timeout.
    lws_set_timeout(peer->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_TIMEOUT_S);
    peer_ask_to_write(peer);
}

// What it has acknowledged since it came; a write that the socket took only in part makes progress as well.
static uint64_t acknowledged_bytes(const struct peer *peer) {
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    if (getsockopt(lws_get_socket_fd(peer->wsi), IPPROTO_TCP, TCP_INFO, &info, &size) != 0)
        return 0;
    return info.tcpi_bytes_acked;
}

// What lies in the kernel for it goes with its socket, which otherwise would wait for it long after.
static void forget_unsent(const struct peer *peer) {
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (setsockopt(lws_get_socket_fd(peer->wsi), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) != 0)
        log_debug("net", "peer %llu lingers", (unsigned long long)peer->id);
}

static void drop_if_stalled(struct peer *peer, uint16_t code, const char *reason) {
    if (!peer->asked && !lws_partial_buffered(peer->wsi)) { // it has taken all there was
        peer->progress_us = 0;
        return;
    }
    const lws_usec_t now_us = lws_now_usecs();
    const uint64_t acknowledged = acknowledged_bytes(peer);
    if (peer->progress_us == 0 || acknowledged != peer->acknowledged) {
        peer->acknowledged = acknowledged;
        peer->progress_us = now_us;
    } else if (now_us - peer->progress_us >= (lws_usec_t)peer->server->options.stall_ms * LWS_US_PER_MS) {
        forget_unsent(peer);
        peer_close(peer, code, reason);
    }
}

static void for_all(struct net_server *server, void (*act)(struct peer *, uint16_t, const char *), uint16_t code,
                    const char *reason) {
    for (size_t i = 0; i < PEER_BUCKETS; i++) {
        struct peer *peer = server->peers[i];
        while (peer != NULL) {
            struct peer *next = peer->bucket_next;
            act(peer, code, reason);
            peer = next;
        }
    }
}

struct peer *peer_find_idle_assembly(struct net_server *server) {
    struct peer *idle = NULL;
    for (size_t i = 0; i < PEER_BUCKETS; i++) {
        for (struct peer *peer = server->peers[i]; peer != NULL; peer = peer->bucket_next) {
            if (peer->assembly != NULL && (idle == NULL || peer->assembled_us < idle->assembled_us))
                idle = peer;
        }
    }
    return idle;
}

static void hold_for_drain(struct peer *peer, uint16_t code, const char *reason) {
    (void)code;
    (void)reason;
    peer_hold(peer, PEER_HOLD_DRAIN);
}

void peer_hold_all(struct net_server *server) {
    for_all(server, hold_for_drain, 0, "");
}

void peer_close_all(struct net_server *server, uint16_t code, const char *reason) {
    for_all(server, peer_close, code, reason);
}

void peer_drop_stalled(struct net_server *server) {
    char reason[CLOSE_REASON_MAX + 1];
    snprintf(reason, sizeof reason, "stalled: nothing was taken for %u ms", server->options.stall_ms);
    for_all(server, drop_if_stalled, LWS_CLOSE_STATUS_POLICY_VIOLATION, reason);
}

static void leave_quietly(struct peer *peer, uint16_t code, const char *reason) {
    (void)code;
    (void)reason;
    peer_leave(peer);
}

void peer_leave_all(struct net_server *server) {
    for_all(server, leave_quietly, 0, "");
}

void peer_destroy(struct peer *peer) {
    peer_leave(peer);
    lws_sul_cancel(&peer->hold_timer);
    outbox_free(&peer->outbox);
    bundle_free_all(peer);
    websocket_forget_assembly(peer);
    free(peer->close_reason);
    free(peer);
}
