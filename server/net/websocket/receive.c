// SPDX-License-Identifier: MIT
// A message that came in one piece is delivered without a copy. Others are put together in a buffer, the "assembly".
#include "net/websocket/receive.h"

#include <stdlib.h>
#include <string.h>

#include "net/connection/connection.h"
#include "net/websocket/websocket.h"

#define OVERSIZE_FACTOR 16        // times the limit: a client that sends more is cut off instead of answered
#define ASSEMBLY_LEAST_BYTES 4096 // of a buffer, which is freed with its message
#define UNFINISHED_PATIENCE_US ((lws_usec_t)1000000) // without a piece; then the message may be dropped for others
#ifndef LWS_CLOSE_STATUS_TRY_AGAIN_LATER
#define LWS_CLOSE_STATUS_TRY_AGAIN_LATER 1013
#endif

// The WebSocket that has waited longest to go on with an unfinished message; NULL: there is none.
static struct websocket *find_idle_assembly(struct net_server *server) {
    struct websocket *idle = NULL;
    for (size_t i = 0; i < WEBSOCKET_BUCKETS; i++) {
        for (struct websocket *each = server->websockets[i]; each != NULL; each = each->bucket_next) {
            if (each->assembly != NULL && (idle == NULL || each->assembled_us < idle->assembled_us)) {
                idle = each;
            }
        }
    }
    return idle;
}

// Whether an assembly may grow. The unfinished messages of all clients share one limit. When it is reached, clients
// that have begun a message and do not go on with it are closed.
static bool may_grow(struct websocket *websocket, size_t growth) {
    struct net_server *server = websocket->server;
    while (server->unfinished_bytes + growth > server->options.unfinished_max) {
        struct websocket *idle = find_idle_assembly(server);
        if (idle == NULL || idle == websocket || lws_now_usecs() - idle->assembled_us < UNFINISHED_PATIENCE_US) {
            return false;
        }
        websocket_drop_assembly(idle);
        websocket_close(idle, LWS_CLOSE_STATUS_TRY_AGAIN_LATER, "the rest of a long message did not come in time");
    }
    return true;
}

enum appended { APPENDED, APPEND_NO_MEMORY, APPEND_NO_ROOM };

static enum appended append(struct websocket *websocket, const char *bytes, size_t length) {
    const size_t needed = websocket->assembly_length + length;
    if (needed > websocket->assembly_capacity || websocket->assembly == NULL) {
        const size_t capacity = needed < ASSEMBLY_LEAST_BYTES ? ASSEMBLY_LEAST_BYTES : needed + needed / 2;
        if (!may_grow(websocket, capacity - websocket->assembly_capacity)) {
            return APPEND_NO_ROOM;
        }
        uint8_t *assembly = realloc(websocket->assembly, capacity);
        if (assembly == NULL) {
            return APPEND_NO_MEMORY;
        }
        websocket->server->unfinished_bytes += capacity - websocket->assembly_capacity;
        websocket->assembly = assembly;
        websocket->assembly_capacity = capacity;
    }
    memcpy(websocket->assembly + websocket->assembly_length, bytes, length);
    websocket->assembled_us = lws_now_usecs();
    return APPENDED;
}

// Returns the buffer, which is the caller's to free, and forgets it.
static uint8_t *release_assembly(struct websocket *websocket) {
    uint8_t *assembly = websocket->assembly;
    websocket->server->unfinished_bytes -= websocket->assembly_capacity;
    websocket->assembly = NULL;
    websocket->assembly_capacity = 0;
    return assembly;
}

static void deliver_text(struct websocket *websocket, const char *text, size_t length) {
    const struct net_handlers *handlers = &websocket->server->options.handlers;
    handlers->message(handlers->user, websocket->id, text, length);
}

// Delivers the assembly together with its memory.
static void hand_over_text(struct websocket *websocket) {
    const struct net_handlers *handlers = &websocket->server->options.handlers;
    char *text = (char *)release_assembly(websocket);
    handlers->long_message(handlers->user, websocket->id, text, websocket->assembly_length);
}

// Ends a message that came in several pieces, is binary or too long.
static void end_message(struct websocket *websocket, bool binary) {
    const struct net_handlers *handlers = &websocket->server->options.handlers;
    if (binary) {
        handlers->binary(handlers->user, websocket->id, websocket->assembly_length);
    } else if (websocket->assembly_length > websocket->message_max) {
        handlers->oversized(handlers->user, websocket->id, websocket->message_max);
    } else if (handlers->long_message != NULL && websocket->assembly != NULL) {
        hand_over_text(websocket);
    } else {
        deliver_text(websocket, (const char *)websocket->assembly, websocket->assembly_length);
    }
    websocket_drop_assembly(websocket);
}

static size_t message_limit(const struct websocket *websocket) {
    const struct net_options *options = &websocket->server->options;
    if (options->handlers.message_limit == NULL) {
        return options->message_max;
    }
    const size_t limit = options->handlers.message_limit(options->handlers.user, websocket->id);
    return limit < options->message_max ? limit : options->message_max;
}

// Takes one piece of a message. Of binary messages, and of those that are too long, only the length is kept.
static void receive_piece(struct websocket *websocket, const struct frame_piece *piece) {
    const size_t length = piece->length;
    if (websocket->assembly_length == 0) {
        websocket->message_max = message_limit(websocket);
    }
    const size_t message_max = websocket->message_max;
    size_t patience = message_max * OVERSIZE_FACTOR - websocket->assembly_length;
    if (length > patience || piece->announced > patience - length) {
        websocket_close(websocket, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "the message is far longer than the limit");
        return;
    }
    bool fits = length <= message_max && websocket->assembly_length <= message_max - length;
    if (!piece->binary && fits && piece->last && websocket->assembly_length == 0) { // the usual case: no copy
        deliver_text(websocket, piece->bytes, length);
        return;
    }
    const enum appended appended = !piece->binary && fits ? append(websocket, piece->bytes, length) : APPENDED;
    if (appended == APPEND_NO_MEMORY) {
        websocket_close(websocket, LWS_CLOSE_STATUS_UNEXPECTED_CONDITION, "the server is out of memory");
    }
    if (appended == APPEND_NO_ROOM) {
        websocket_close(websocket, LWS_CLOSE_STATUS_TRY_AGAIN_LATER,
                        "too many long messages are coming in: try again later");
    }
    if (appended != APPENDED) {
        return;
    }
    websocket->assembly_length += length;
    if (piece->last) {
        end_message(websocket, piece->binary);
    }
}

static void receive_data(struct websocket *websocket, const struct frame_piece *piece) {
    if (piece->first) {
        websocket_drop_assembly(websocket);
    }
    count_up(websocket->server, COUNTER_BYTES_RECEIVED, piece->length);
    if (piece->last) {
        count_up(websocket->server, COUNTER_MESSAGES_RECEIVED, 1);
    }
    receive_piece(websocket, piece);
}

size_t websocket_receive(struct websocket *websocket, uint8_t *bytes, size_t length) {
    size_t at = 0;
    while (at < length && !websocket->leaving && websocket->connection->holds == 0) {
        size_t used = 0;
        struct frame_piece piece;
        const enum frame_event event = frame_read(&websocket->reader, bytes + at, length - at, &used, &piece);
        at += used;
        switch (event) {
        case FRAME_DATA:
            receive_data(websocket, &piece);
            break;
        case FRAME_PING:
            websocket->pong_due = true;
            connection_ask_to_write(websocket->connection);
            break;
        case FRAME_CLOSE:
            websocket_answer_close(websocket);
            break;
        case FRAME_WRONG:
            count_up(websocket->server, COUNTER_REFUSED, 1);
            websocket_close(websocket, websocket->reader.wrong, websocket->reader.why);
            break;
        case FRAME_PONG:
        case FRAME_MORE:
            break;
        }
    }
    return websocket->leaving ? length : at;
}
