// SPDX-License-Identifier: MIT
#include "net/websocket/websocket.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "net/connection/bundle.h"
#include "net/connection/connection.h"
#include "net/connection/output.h"
#include "net/websocket/membership.h"

// Counted for each queued message beside its bytes, so that empty ones fill the queue as well.
#define MESSAGE_OVERHEAD_BYTES 64
// Bytes of queued replies beyond which nothing more is read from a client, until half of them have gone.
#define OUTBOX_HOLD_BYTES (16u << 20)
#define CAUTIOUS_WRITES 60 // wait until the socket says that it has room, after it did not take a message whole

static struct websocket **find_bucket(struct net_server *server, uint64_t id) {
    return &server->websockets[id % WEBSOCKET_BUCKETS];
}

struct websocket *websocket_create(struct connection *connection) {
    struct net_server *server = connection->server;
    struct websocket *websocket = calloc(1, sizeof *websocket);
    if (websocket == NULL) {
        return NULL;
    }
    websocket->id = ++server->last_connection_id;
    websocket->server = server;
    websocket->connection = connection;
    connection->websocket = websocket;
    struct websocket **first = find_bucket(server, websocket->id);
    websocket->bucket_next = *first;
    *first = websocket;
    server->sockets++;
    count_up(server, COUNTER_WEBSOCKETS, 1);
    return websocket;
}

struct websocket *websocket_find(struct net_server *server, uint64_t id) {
    struct websocket *websocket = *find_bucket(server, id);
    while (websocket != NULL && websocket->id != id) {
        websocket = websocket->bucket_next;
    }
    return websocket;
}

// ---- the end -----------------------------------------------------------------------------------------------------

void websocket_leave(struct websocket *websocket) {
    if (websocket->leaving) {
        return;
    }
    websocket->leaving = true;
    struct net_server *server = websocket->server;
    struct websocket **link = find_bucket(server, websocket->id);
    while (*link != websocket) {
        link = &(*link)->bucket_next;
    }
    *link = websocket->bucket_next;
    membership_destroy_all(websocket);
    atomic_fetch_sub_explicit(&server->counters[COUNTER_WEBSOCKETS], 1, memory_order_relaxed);
    const bool vanished = websocket->close_code == 0 && !server->draining && !websocket->closed_by_client;
    server->options.handlers.closed(server->options.handlers.user, websocket->id, vanished);
}

// Leaves, and gives the client some time to take what is still to be sent.
static void begin_end(struct websocket *websocket) {
    connection_resume(websocket->connection, websocket->connection->holds);
    websocket_leave(websocket);
    lws_set_timeout(websocket->connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_TIMEOUT_S);
    connection_ask_to_write(websocket->connection);
}

void websocket_close(struct websocket *websocket, uint16_t code, const char *reason) {
    if (websocket->leaving) {
        return;
    }
    log_debug("net", "closing connection %llu with %u: %s", (unsigned long long)websocket->id, code, reason);
    websocket->close_code = code;
    free(websocket->close_reason);
    websocket->close_reason = strdup(reason); // NULL when memory runs out: then only the code is sent
    begin_end(websocket);
}

void websocket_answer_close(struct websocket *websocket) {
    websocket->closed_by_client = true;
    begin_end(websocket);
}

// ---- the ordered queue -------------------------------------------------------------------------------------------

static bool outbox_push(struct outbox *outbox, struct message *take) {
    if (outbox->count == outbox->capacity) {
        const size_t capacity = outbox->capacity == 0 ? 8 : outbox->capacity * 2;
        struct message **slots = calloc(capacity, sizeof(struct message *));
        if (slots == NULL) {
            return false;
        }
        for (size_t i = 0; i < outbox->count; i++) {
            slots[i] = outbox->slots[(outbox->head + i) & (outbox->capacity - 1)];
        }
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
    if (outbox->count == 0) {
        return NULL;
    }
    struct message *message = outbox->slots[outbox->head];
    outbox->head = (outbox->head + 1) & (outbox->capacity - 1);
    outbox->count--;
    outbox->bytes -= message_length(message) + MESSAGE_OVERHEAD_BYTES;
    if (outbox->count == 0) { // most clients wait for nothing most of the time
        free(outbox->slots);
        memset(outbox, 0, sizeof *outbox);
    }
    return message;
}

static void outbox_free(struct outbox *outbox) {
    struct message *message;
    while ((message = outbox_pop(outbox)) != NULL) {
        message_release(message);
    }
    free(outbox->slots);
    memset(outbox, 0, sizeof *outbox);
}

void websocket_enqueue(struct websocket *websocket, struct message *take) {
    // A single message may be longer than the limit (a large topology); it is the second one that finds no room.
    if (websocket->outbox.bytes > websocket->server->options.outbox_max) {
        message_release(take);
        outbox_free(&websocket->outbox);
        websocket_close(websocket, LWS_CLOSE_STATUS_POLICY_VIOLATION,
                        "too slow: more messages wait than the limit allows");
        return;
    }
    if (!outbox_push(&websocket->outbox, take)) {
        message_release(take);
        websocket_close(websocket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    if (websocket->outbox.bytes > OUTBOX_HOLD_BYTES) {
        connection_hold(websocket->connection, HOLD_OUTBOX);
    }
    connection_ask_to_write(websocket->connection);
}

// ---- bundles -----------------------------------------------------------------------------------------------------

void websocket_expect(struct websocket *websocket, uint64_t number, uint32_t messages) {
    struct bundle *bundle = bundle_create(number, messages, true);
    if (bundle == NULL) {
        websocket_close(websocket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
        return;
    }
    bundle->next = websocket->bundles;
    websocket->bundles = bundle;
}

void websocket_send(struct websocket *websocket, struct message *take) {
    const uint64_t number = NET_BUNDLE_NUMBER(message_bundle(take));
    struct bundle **place = &websocket->bundles;
    while (*place != NULL && (*place)->number != number) {
        place = &(*place)->next;
    }
    struct bundle *bundle = *place;
    if (number == 0 || bundle == NULL) {
        websocket_enqueue(websocket, take);
        return;
    }
    const enum bundle_state state = bundle_add(bundle, take);
    if (state == BUNDLE_OPEN) {
        return;
    }
    struct message *joined = state == BUNDLE_WHOLE ? bundle_join(bundle) : NULL;
    *place = bundle->next;
    bundle_free(bundle);
    if (joined != NULL) {
        websocket_enqueue(websocket, joined);
    } else if (state == BUNDLE_TOO_LONG) {
        websocket_close(websocket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                        "the replies to an array of requests are too long together");
    } else {
        websocket_close(websocket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
    }
}

// ---- slots for states --------------------------------------------------------------------------------------------

void websocket_keep_state(struct membership *member, struct message *take) {
    if (member->state != NULL) {
        message_release(member->state);
        count_up(member->websocket->server, COUNTER_FRAMES_SKIPPED, 1);
    }
    member->state = take;
}

// Sends a broadcast at once where the socket has room, without a round through the event loop, which would ask the
// kernel twice about every socket.
void websocket_set_state(struct membership *member, struct message *take) {
    struct websocket *websocket = member->websocket;
    struct connection *connection = websocket->connection;
    websocket_keep_state(member, take);
    if (connection->write_asked) {
        return; // it is sent when the socket has room
    }
    if (websocket->caution == 0 && !websocket->server->hasty && connection->sending == NULL) {
        websocket_write(websocket);
    } else {
        connection_ask_to_write(connection);
    }
}

// The state of the first membership that has one. That membership moves to the end of the list.
static struct message *take_state(struct websocket *websocket) {
    struct membership **link = &websocket->memberships;
    while (*link != NULL && (*link)->state == NULL) {
        link = &(*link)->websocket_next;
    }
    struct membership *chosen = *link;
    if (chosen == NULL) {
        return NULL;
    }
    *link = chosen->websocket_next;
    chosen->websocket_next = NULL;
    while (*link != NULL) {
        link = &(*link)->websocket_next;
    }
    *link = chosen;

    struct message *message = chosen->state;
    chosen->state = NULL;
    return message;
}

static void tell_starving(struct websocket *websocket) {
    const struct net_handlers *handlers = &websocket->server->options.handlers;
    for (struct membership *member = websocket->memberships; member != NULL; member = member->websocket_next) {
        if (membership_is_hungry(member)) {
            member->told = 1;
            handlers->starved(handlers->user, websocket->id, member->channel->number);
        }
    }
}

// ---- writing -----------------------------------------------------------------------------------------------------

static struct message *next_message(struct websocket *websocket, bool *is_state) {
    struct message *message = outbox_pop(&websocket->outbox);
    *is_state = message == NULL;
    if (websocket->outbox.bytes <= OUTBOX_HOLD_BYTES / 2) {
        connection_resume(websocket->connection, HOLD_OUTBOX);
    }
    return message != NULL ? message : take_state(websocket);
}

static bool has_more(const struct websocket *websocket) {
    if (websocket->outbox.count > 0 || websocket->leaving || websocket->pong_due || websocket->ping_due) {
        return true;
    }
    const struct membership *member = websocket->memberships;
    while (member != NULL && member->state == NULL && !membership_is_hungry(member)) {
        member = member->websocket_next;
    }
    return member != NULL;
}

static enum output_result send_close(struct websocket *websocket) {
    uint8_t payload[FRAME_CONTROL_MAX];
    websocket->close_sent = true;
    if (websocket->closed_by_client) {
        return output_control(websocket->connection, FRAME_OPCODE_CLOSE, websocket->reader.control,
                              websocket->reader.control_length);
    }
    const char *reason = websocket->close_reason != NULL ? websocket->close_reason : "";
    const size_t length = strnlen(reason, CLOSE_REASON_MAX);
    payload[0] = (uint8_t)(websocket->close_code >> 8);
    payload[1] = (uint8_t)websocket->close_code;
    memcpy(payload + 2, reason, length);
    return output_control(websocket->connection, FRAME_OPCODE_CLOSE, payload, 2 + length);
}

static enum output_result send_message(struct websocket *websocket, struct message *take, bool is_state) {
    struct net_server *server = websocket->server;
    const size_t length = message_length(take);
    output_begin(websocket->connection, take, true);
    const enum output_result result = output_flush(websocket->connection);
    if (result == OUTPUT_FAILED) {
        return result;
    }
    if (result == OUTPUT_DONE && websocket->caution > 0) {
        websocket->caution--;
    }
    count_up(server, COUNTER_BYTES_SENT, length);
    if (server->options.handlers.sent != NULL) {
        server->options.handlers.sent(server->options.handlers.user, websocket->id, length);
    }
    if (is_state) {
        count_up(server, COUNTER_FRAMES_SENT, 1);
    }
    return result;
}

// Sends one frame: the answer to a ping ahead of the messages that wait, the close frame after them.
static enum output_result send_next(struct websocket *websocket) {
    struct connection *connection = websocket->connection;
    bool is_state = false;
    if (websocket->pong_due) {
        websocket->pong_due = false;
        return output_control(connection, FRAME_OPCODE_PONG, websocket->reader.pong, websocket->reader.pong_length);
    }
    if (websocket->closed_by_client) {
        return send_close(websocket);
    }
    if (websocket->ping_due) {
        websocket->ping_due = false;
        return output_control(connection, FRAME_OPCODE_PING, NULL, 0);
    }
    if (!websocket->leaving) {
        tell_starving(websocket);
    }
    struct message *message = next_message(websocket, &is_state);
    if (message != NULL) {
        return send_message(websocket, message, is_state);
    }
    return websocket->leaving ? send_close(websocket) : OUTPUT_DONE;
}

void websocket_write(struct websocket *websocket) {
    struct connection *connection = websocket->connection;
    if (connection->phase == CONNECTION_CLOSING) {
        return;
    }
    enum output_result result = output_flush(connection);
    if (result == OUTPUT_DONE && !websocket->close_sent) {
        result = send_next(websocket);
    }
    if (result == OUTPUT_FAILED) {
        connection_kill(connection);
    } else if (result == OUTPUT_BLOCKED) {
        websocket->caution = CAUTIOUS_WRITES;
        connection_ask_to_write(connection);
    } else if (websocket->close_sent) {
        connection_close(connection);
    } else if (has_more(websocket)) {
        connection_ask_to_write(connection);
    }
}

// ---- freeing -----------------------------------------------------------------------------------------------------

void websocket_drop_assembly(struct websocket *websocket) {
    free(websocket->assembly);
    websocket->server->unfinished_bytes -= websocket->assembly_capacity;
    websocket->assembly = NULL;
    websocket->assembly_capacity = 0;
    websocket->assembly_length = 0;
}

void websocket_end(struct connection *connection) {
    struct websocket *websocket = connection->websocket;
    if (websocket == NULL) {
        return;
    }
    websocket_leave(websocket);
    outbox_free(&websocket->outbox);
    while (websocket->bundles != NULL) {
        struct bundle *bundle = websocket->bundles;
        websocket->bundles = bundle->next;
        bundle_free(bundle);
    }
    websocket_drop_assembly(websocket);
    free(websocket->close_reason);
    connection->websocket = NULL;
    connection->counted = true; // in `sockets`, until the connection has ended (event.c)
    free(websocket);
}
