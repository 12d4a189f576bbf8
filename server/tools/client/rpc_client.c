// SPDX-License-Identifier: MIT
// Uses libwebsockets, 4.1 and later. Messages are assembled from their pieces, up to CLIENT_MESSAGE_MAX. Requests wait
// in a list and are written one per WRITEABLE callback.
//
// Where several servers share the worlds, a connection has a session key. When the world moves to another node, the
// client connects there, resumes the session, and sends unanswered requests again; the server runs each request once.
#include "tools/client/rpc_client.h"

#include <errno.h>
#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "tools/client/monotonic.h"
#include "tools/client/probe.h"
#include "tools/client/requests.h"

#define CLIENT_MESSAGE_MAX                                                                                             \
    (1024u * 1024u * 1024u) // the answer to particle.read of a million particles has about 100 MB
#define CLIENT_CONNECT_MAX_S 10.0
#define CLIENT_GOODBYE_MAX_S 1.0
#define CLIENT_RECEIVE_BYTES 65536u
#define CLIENT_PROTOCOL "weft.v1"
#define CLIENT_FOLLOWED_MAX 4u // nodes in a row that say that the world is on another one
#define CLIENT_CODE_MOVES 1012u
#define CLIENT_KEY_BYTES 16u
#define CLIENT_PAUSE_NS 250000000L // between attempts, while no node has the world ready

enum client_stage { CLIENT_CONNECTING, CLIENT_GREETED, CLIENT_CLOSED };

struct client {
    struct settings settings; // of the server that has the world
    struct client_handlers handlers;
    char bearer[SETTINGS_TOKEN_MAX + 8]; // Authorization header of the handshake; empty: none
    struct lws_context *context;
    struct lws *wsi; // NULL before the connection and after it
    enum client_stage stage;
    bool upgraded; // the WebSocket handshake succeeded
    bool leaving;
    bool departed;      // the world is on another node, or comes to one
    bool expecting;     // an answer
    struct fault fault; // why the connection is closed
    char address[SETTINGS_HOST_MAX + SETTINGS_PREFIX_MAX + SETTINGS_WORLD_MAX + 64];
    double timeout_s;
    struct requests requests;
    char key[2 * CLIENT_KEY_BYTES + 1]; // of the session; empty: there is one server only
    char *incoming;                     // the message being assembled
    size_t incoming_length, incoming_capacity;
    char *hello;                  // the whole first message
    char moved[SETTINGS_URL_MAX]; // the world's address by another server; empty: none gave one
    struct json_slice hello_params;
    lws_sorted_usec_list_t deadline, beat;
    uint32_t beat_ms;
};

static void close_with(struct client *client, enum result cause, const char *format, ...) WEFT_PRINTF(3, 4);

// Marks the connection as closed. The first reason counts.
static void close_with(struct client *client, enum result cause, const char *format, ...) {
    if (client->stage == CLIENT_CLOSED) {
        return;
    }
    char reason[FAULT_MESSAGE_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    client->stage = CLIENT_CLOSED;
    (void)fault_set(&client->fault, cause, "", "%s", reason);
}

// ---- reasons --------------------------------------------------------------------------------------------------------

static void explain_unreachable(struct client *client, const struct settings *settings) {
    int cause = probe_server(settings);
    if (cause == -1) {
        fault_set(&client->fault, RESULT_IO, "", "no machine is called \"%s\"; check --host or --url", settings->host);
    } else if (cause == ECONNREFUSED) {
        fault_set(&client->fault, RESULT_IO, "",
                  "nothing listens at %s (connection refused); start a server with weftd, or name another with --url",
                  client->address);
    } else if (cause != 0) {
        fault_set(&client->fault, RESULT_IO, "", "cannot reach %s: %s; check --host and --port", client->address,
                  strerror(cause));
    }
}

// Explains a failed handshake by its HTTP status, which is 0 when there was no answer.
static void explain_handshake(struct client *client, struct lws *wsi, const char *detail) {
    unsigned status = wsi == NULL ? 0 : lws_http_client_http_response(wsi);
    if (status == 401) {
        close_with(client, RESULT_DENIED, "%s takes no such token (401); check WEFT_TOKEN or --token-file",
                   client->address);
    } else if (status == 404) {
        close_with(client, RESULT_NOT_FOUND,
                   "there is no such world at %s (404); choose one that the server has with --world", client->address);
    } else if (status == 503) {
        close_with(client, RESULT_BUSY,
                   "%s cannot take this connection now (503): it is full, or no server has the "
                   "world ready; try again later",
                   client->address);
    } else if (status != 0 && status != 101) {
        close_with(client, RESULT_IO,
                   "%s refused the connection with HTTP status %u; is it a Weft server that speaks %s?",
                   client->address, status, CLIENT_PROTOCOL);
    } else {
        // libwebsockets does not tell a server without TLS from one with TLS that it does not trust.
        const char *hint = strncmp(client->address, "wss://", 6) == 0
                               ? "if it has no TLS, say ws:// in place of wss://; if its certificate is your own, name "
                                 "the file of its authority in SSL_CERT_FILE"
                               : "if it has TLS, say wss:// in place of ws://";
        close_with(client, RESULT_IO, "%s does not answer as a Weft server (%s); check --host and --port; %s",
                   client->address, detail == NULL || *detail == '\0' ? "no WebSocket handshake" : detail, hint);
    }
}

// Explains a close frame: two bytes of code, then a reason.
static void explain_close(struct client *client, const unsigned char *payload, size_t length) {
    if (length < 2) {
        return;
    }
    unsigned code = (unsigned)payload[0] << 8 | payload[1];
    client->departed = client->departed || code == CLIENT_CODE_MOVES;
    const char *meaning = code == 1001   ? "the server is going down"
                          : code == 1008 ? "it broke a rule of the server"
                          : code == 1009 ? "a message was larger than the server takes"
                                         : "closed by the server";
    close_with(client, RESULT_IO, "%s ended the connection: %s (code %u%s%.*s)", client->address, meaning, code,
               length > 2 ? ", " : "", (int)(length - 2), (const char *)payload + 2);
}

// ---- messages -------------------------------------------------------------------------------------------------------

static void take_moved(struct client *client, struct json_slice params) {
    struct json_slice url;
    char *text = json_member(params, "url", &url) ? json_string(url) : NULL;
    if (text != NULL) {
        snprintf(client->moved, sizeof client->moved, "%s", text);
    }
    free(text);
    client->departed = true;
    close_with(client, RESULT_IO, "the world is on another node, %s", client->moved);
}

// Makes the session's key with the first hello that lists several servers, and asks for the session with each hello.
static void resume(struct client *client) {
    struct json_slice nodes, role;
    unsigned char bytes[CLIENT_KEY_BYTES];
    char text[160];
    if (client->key[0] == '\0') {
        if (!json_member(client->hello_params, "nodes", &nodes) ||
            (json_member(client->hello_params, "role", &role) && json_is(role, "\"none\"")) ||
            getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
            return;
        }
        for (size_t at = 0; at < sizeof bytes; at++) {
            snprintf(client->key + 2 * at, 3, "%02x", bytes[at]);
        }
    }
    requests_send_again(&client->requests);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":\"session\",\"method\":\"session.resume\",\"params\":{\"session\":\"%s\"}}",
             client->key);
    if (!requests_add_first(&client->requests, text)) {
        close_with(client, RESULT_MEMORY, "out of memory");
    }
}

static void take_hello(struct client *client, const char *text, size_t length) {
    struct json_slice message, method;
    client->hello = malloc(length + 1);
    if (client->hello == NULL) {
        close_with(client, RESULT_MEMORY, "out of memory");
        return;
    }
    memcpy(client->hello, text, length);
    client->hello[length] = '\0';
    struct json_slice params;
    if (json_check(client->hello, length, &message, NULL) == JSON_VALID && json_member(message, "method", &method) &&
        json_is(method, "\"world.moved\"") && json_member(message, "params", &params)) {
        take_moved(client, params);
        return;
    }
    if (json_check(client->hello, length, &message, NULL) != JSON_VALID || !json_member(message, "method", &method) ||
        !json_is(method, "\"hello\"") || !json_member(message, "params", &client->hello_params)) {
        close_with(client, RESULT_IO, "%s did not say hello as a Weft server does", client->address);
        return;
    }
    client->stage = CLIENT_GREETED;
    resume(client);
    if (client->requests.unsent.first != NULL) {
        lws_callback_on_writable(client->wsi);
    }
}

static void take_text(struct client *client, const char *text, size_t length) {
    struct json_slice message, id, value, params = {"", 0};
    if (client->stage == CLIENT_CONNECTING) {
        take_hello(client, text, length);
        return;
    }
    if (json_check(text, length, &message, NULL) != JSON_VALID || *message.text != '{') {
        close_with(client, RESULT_IO, "%s sent a message that is not JSON-RPC", client->address);
        return;
    }
    if (json_member(message, "method", &value)) {
        (void)json_member(message, "params", &params);
        if (json_is(value, "\"world.moved\"")) {
            take_moved(client, params);
            return;
        }
        if (client->handlers.event != NULL) {
            client->handlers.event(client->handlers.user, value, params);
        }
        return;
    }
    bool failed = json_member(message, "error", &value);
    if ((failed || json_member(message, "result", &value)) && json_member(message, "id", &id) &&
        !json_is(id, "\"session\"")) {
        const uint64_t number = strtoull(id.text, NULL, 10);
        requests_answered(&client->requests, number);
        client->handlers.reply(client->handlers.user, number, failed, value);
    }
}

static bool append_incoming(struct client *client, const char *bytes, size_t length) {
    size_t needed = client->incoming_length + length;
    if (needed > CLIENT_MESSAGE_MAX) {
        close_with(client, RESULT_LIMIT, "a message is larger than %u bytes", CLIENT_MESSAGE_MAX);
        return false;
    }
    if (needed > client->incoming_capacity) {
        size_t capacity = needed + needed / 2;
        char *grown = realloc(client->incoming, capacity);
        if (grown == NULL) {
            close_with(client, RESULT_MEMORY, "out of memory for a message of more than %zu bytes", needed);
            return false;
        }
        client->incoming = grown;
        client->incoming_capacity = capacity;
    }
    if (length > 0) {
        memcpy(client->incoming + client->incoming_length, bytes, length);
    }
    client->incoming_length = needed;
    return true;
}

// Takes a piece of a message; libwebsockets passes pieces on as they come.
static bool on_receive(struct client *client, struct lws *wsi, const char *bytes, size_t length) {
    if (!append_incoming(client, bytes, length)) {
        return false;
    }
    if (lws_is_final_fragment(wsi) == 0 || lws_remaining_packet_payload(wsi) > 0) {
        return true;
    }
    size_t whole = client->incoming_length;
    client->incoming_length = 0;
    if (lws_frame_is_binary(wsi) == 0) {
        take_text(client, client->incoming, whole);
    } else if (client->handlers.binary != NULL) {
        client->handlers.binary(client->handlers.user, (const uint8_t *)client->incoming, whole);
    }
    return client->stage != CLIENT_CLOSED;
}

static bool on_writeable(struct client *client, struct lws *wsi) {
    if (client->requests.unsent.first == NULL) {
        if (client->leaving) {
            lws_close_reason(wsi, LWS_CLOSE_STATUS_NORMAL, NULL, 0);
        }
        return !client->leaving;
    }
    struct request *request = requests_take(&client->requests, client->key[0] != '\0');
    if (request == NULL) {
        close_with(client, RESULT_MEMORY, "out of memory");
        return false;
    }
    int written = lws_write(wsi, request->room + request_room, request->length, LWS_WRITE_TEXT);
    free(request);
    if (written < 0) {
        close_with(client, RESULT_IO, "the connection to %s broke while sending", client->address);
        return false;
    }
    if (client->requests.unsent.first != NULL || client->leaving) {
        lws_callback_on_writable(wsi);
    }
    return true;
}

static bool append_token(struct client *client, struct lws *wsi, void *place, size_t room) {
    unsigned char **at = place;
    return client->bearer[0] == '\0' ||
           lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, (const unsigned char *)client->bearer,
                                        (int)strlen(client->bearer), at, *at + room) == 0;
}

// The callback of libwebsockets. Returning −1 ends the connection.
static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *session, void *in, size_t length) {
    (void)session;
    struct client *client = lws_context_user(lws_get_context(wsi));
    switch (reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        explain_handshake(client, wsi, in);
        client->wsi = NULL;
        return 0;
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return append_token(client, wsi, in, length) ? 0 : -1;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        client->upgraded = true;
        return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return on_receive(client, wsi, in, length) ? 0 : -1;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return on_writeable(client, wsi) ? 0 : -1;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        explain_close(client, in, length);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        close_with(client, RESULT_IO, "%s broke off the connection without a word", client->address);
        client->wsi = NULL;
        return 0;
    default:
        return lws_callback_http_dummy(wsi, reason, session, in, length);
    }
}

// ---- time -----------------------------------------------------------------------------------------------------------

// libwebsockets runs its timers and then waits, in the same round of service. A timer that changes something must cut
// that wait short.

static void on_deadline(lws_sorted_usec_list_t *timer) {
    struct client *client = lws_container_of(timer, struct client, deadline);
    if (client->stage == CLIENT_CONNECTING) {
        close_with(client, RESULT_IO, "%s %s within %g s; check --host and --port, or allow more with --timeout",
                   client->address, client->upgraded ? "did not say hello" : "did not answer", client->timeout_s);
    } else {
        close_with(client, RESULT_IO,
                   "no answer from %s within %g s; what was asked may still be done; allow more with --timeout",
                   client->address, client->timeout_s);
    }
    lws_cancel_service(client->context);
}

static void on_beat(lws_sorted_usec_list_t *timer) {
    struct client *client = lws_container_of(timer, struct client, beat);
    lws_sul_schedule(client->context, 0, timer, on_beat, (lws_usec_t)client->beat_ms * LWS_US_PER_MS);
    client->handlers.beat(client->handlers.user);
    lws_cancel_service(client->context);
}

static void arm_deadline(struct client *client, double seconds) {
    lws_sul_schedule(client->context, 0, &client->deadline, on_deadline, (lws_usec_t)(seconds * LWS_US_PER_SEC));
}

void client_expect(struct client *client) {
    client->expecting = true;
    if (client->timeout_s > 0) {
        arm_deadline(client, client->timeout_s);
    }
}

void client_expect_nothing(struct client *client) {
    client->expecting = false;
    lws_sul_cancel(&client->deadline);
}

void client_set_beat(struct client *client, uint32_t interval_ms) {
    client->beat_ms = interval_ms;
    lws_sul_schedule(client->context, 0, &client->beat, on_beat, (lws_usec_t)interval_ms * LWS_US_PER_MS);
}

// ---- life -----------------------------------------------------------------------------------------------------------

static const struct lws_protocols protocols[] = {
    {CLIENT_PROTOCOL, on_event, 0, CLIENT_RECEIVE_BYTES, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};

// Missing pongs show that a server is gone.
static const lws_retry_bo_t liveness = {.secs_since_valid_ping = 15, .secs_since_valid_hangup = 45};

static void start_connection(struct client *client, const struct settings *settings) {
    char path[SETTINGS_PREFIX_MAX + SETTINGS_WORLD_MAX + 16], host[SETTINGS_HOST_MAX + 16];
    bool is_ipv6 = strchr(settings->host, ':') != NULL;
    snprintf(path, sizeof path, "%s/worlds/%s", settings->prefix, settings->world);
    snprintf(host, sizeof host, "%s%s%s:%u", is_ipv6 ? "[" : "", settings->host, is_ipv6 ? "]" : "", settings->port);
    snprintf(client->address, sizeof client->address, "%s://%s%s", settings->tls ? "wss" : "ws", host, path);
    if (settings->token[0] != '\0') {
        snprintf(client->bearer, sizeof client->bearer, "Bearer %s", settings->token);
    }
    struct lws_client_connect_info info = {
        .context = client->context,
        .address = settings->host,
        .port = settings->port,
        .path = path,
        .host = host,
        .protocol = CLIENT_PROTOCOL,
        .local_protocol_name = CLIENT_PROTOCOL,
        .ietf_version_or_minus_one = -1,
        .retry_and_idle_policy = &liveness,
        .ssl_connection = settings->tls ? LCCSCF_USE_SSL : 0,
        .pwsi = &client->wsi,
    };
    if (lws_client_connect_via_info(&info) == NULL) {
        close_with(client, RESULT_IO, "cannot connect to %s", client->address);
    }
}

static enum result wait_for_hello(struct client *client, double patience_s) {
    client->timeout_s = patience_s;
    arm_deadline(client, patience_s);
    start_connection(client, &client->settings);
    while (client->stage == CLIENT_CONNECTING && lws_service(client->context, 0) >= 0) {
    }
    lws_sul_cancel(&client->deadline);
    client->timeout_s = client->settings.timeout_s;
    if (client->stage == CLIENT_GREETED) {
        return RESULT_OK;
    }
    close_with(client, RESULT_IO, "libwebsockets stopped with an error"); // unless there is a reason
    if (!client->upgraded && client->fault.cause == RESULT_IO) {
        explain_unreachable(client, &client->settings);
    }
    return client->fault.cause;
}

static void disconnect(struct client *client) {
    if (client->context != NULL) {
        client->stage = CLIENT_CLOSED;
        lws_sul_cancel(&client->deadline);
        lws_sul_cancel(&client->beat);
        lws_context_destroy(client->context);
    }
    free(client->hello);
    client->hello = NULL;
    client->context = NULL;
    client->wsi = NULL;
    client->upgraded = client->departed = false;
    client->moved[0] = '\0';
    client->incoming_length = 0;
    client->stage = CLIENT_CONNECTING;
    client->fault = (struct fault){.cause = RESULT_OK};
}

static enum result connect_once(struct client *client, double patience_s) {
    disconnect(client);
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .user = client,
        .pt_serv_buf_size = CLIENT_RECEIVE_BYTES,
        .options = client->settings.tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0,
    };
    client->context = lws_create_context(&info);
    if (client->context == NULL) {
        close_with(client, RESULT_IO, "libwebsockets could not start: %s", strerror(errno));
        return RESULT_IO;
    }
    return wait_for_hello(client, patience_s);
}

// Connects to the server of the settings, or to another one that it names. With `waits`, also tries again for as long
// as no server has the world ready. Errors: those of client_create, in client->fault.
static enum result connect_to_world(struct client *client, bool waits) {
    const double timeout_s = client->settings.timeout_s;
    const double patience_s = timeout_s > 0 && timeout_s < CLIENT_CONNECT_MAX_S ? timeout_s : CLIENT_CONNECT_MAX_S;
    const double end_s = monotonic_s() + patience_s;
    const struct timespec pause = {0, CLIENT_PAUSE_NS};
    for (unsigned followed = 0;;) {
        struct fault fault;
        const enum result result = connect_once(client, patience_s);
        if (client->moved[0] != '\0' && followed < CLIENT_FOLLOWED_MAX) {
            if (settings_set_url(&client->settings, client->moved, &fault) != RESULT_OK) {
                client->fault = fault;
                return fault.cause;
            }
            waits = true;
            followed++;
        } else if (waits && result != RESULT_OK && (result == RESULT_BUSY || client->departed) &&
                   monotonic_s() < end_s) {
            (void)nanosleep(&pause, NULL);
            followed = 0;
        } else {
            return result;
        }
    }
}

// Follows the world, which is on another node, or comes to one.
static void follow(struct client *client) {
    struct fault fault;
    if (client->moved[0] != '\0' && settings_set_url(&client->settings, client->moved, &fault) != RESULT_OK) {
        client->fault = fault;
        client->departed = false;
        return;
    }
    const bool expecting = client->expecting;
    if (connect_to_world(client, true) != RESULT_OK) {
        client->departed = false;
        return;
    }
    if (client->beat_ms > 0) {
        client_set_beat(client, client->beat_ms);
    }
    if (expecting) {
        client_expect(client);
    }
    if (client->handlers.reconnected != NULL) {
        client->handlers.reconnected(client->handlers.user);
    }
}

enum result client_create(const struct settings *settings, const struct client_handlers *handlers,
                          struct client **client, struct fault *fault) {
    lws_set_log_level(0, NULL);
    struct client *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    made->settings = *settings;
    made->handlers = *handlers;
    const enum result result = connect_to_world(made, false);
    if (result == RESULT_OK) {
        *client = made;
        return RESULT_OK;
    }
    *fault = made->fault;
    client_destroy(made);
    return result;
}

void client_destroy(struct client *client) {
    if (client == NULL) {
        return;
    }
    if (client->stage == CLIENT_GREETED && client->wsi != NULL) {
        client->leaving = true;
        lws_sul_cancel(&client->beat);
        lws_callback_on_writable(client->wsi);
        arm_deadline(client, CLIENT_GOODBYE_MAX_S);
        while (client->stage != CLIENT_CLOSED && lws_service(client->context, 0) >= 0) {
        }
    }
    disconnect(client);
    requests_free(&client->requests);
    free(client->incoming);
    free(client);
}

struct json_slice client_hello(const struct client *client) {
    return client->hello_params;
}

uint64_t client_request(struct client *client, struct json_slice method, struct json_slice params) {
    const uint64_t id = requests_add(&client->requests, method, params);
    if (id != 0 && client->wsi != NULL) {
        lws_callback_on_writable(client->wsi);
    }
    return id;
}

enum result client_service(struct client *client, struct fault *fault) {
    if (client->stage == CLIENT_GREETED && lws_service(client->context, 0) < 0) {
        close_with(client, RESULT_IO, "libwebsockets stopped with an error");
    }
    if (client->stage == CLIENT_CLOSED && client->departed) {
        follow(client);
    }
    if (client->stage == CLIENT_GREETED) {
        return RESULT_OK;
    }
    *fault = client->fault;
    return fault->cause;
}

void client_wake(struct client *client) {
    lws_cancel_service(client->context);
}
