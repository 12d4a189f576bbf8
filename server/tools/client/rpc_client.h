// SPDX-License-Identifier: MIT
// A connection to a world: sends requests; receives answers, events and frames. One thread owns it.
//
// The owner queues requests and calls client_service again and again. Each call is one round of libwebsockets, and the
// handlers are called from inside it. Only client_wake may be called from another thread.
//
// When the world moves to another node, client_service connects there, for up to ten seconds. Requests that were not
// answered are sent again, and run once; subscriptions have ended.
#ifndef WEFT_TOOLS_CLIENT_RPC_CLIENT_H
#define WEFT_TOOLS_CLIENT_RPC_CLIENT_H

#include <stdint.h>

#include "base/result.h"
#include "tools/client/settings.h"
#include "tools/text/json_slice.h"

struct client;

// Called for each message of the server. The slices are valid during the call only.
struct client_handlers {
    void *user;
    // `id` is that of the request; 0 when the server could not read the id (JSON null). `answer` is the result, or the
    // error object if `failed`.
    void (*reply)(void *user, uint64_t id, bool failed, struct json_slice answer);
    void (*event)(void *user, struct json_slice method, struct json_slice params); // this and the next two may be NULL
    void (*binary)(void *user, const uint8_t *bytes, size_t length);
    void (*beat)(void *user);        // at the interval of client_set_beat
    void (*reconnected)(void *user); // to another node; may be NULL
};

// Connects, and waits for the server's hello. The handlers are copied. Errors: RESULT_IO (the server cannot be reached,
// or is not a Weft server), RESULT_DENIED (the token is refused), RESULT_NOT_FOUND (no such world), RESULT_BUSY (the
// server is full, or no server has the world ready), RESULT_MEMORY.
enum result client_create(const struct settings *settings, const struct client_handlers *handlers,
                          struct client **client, struct fault *fault) WEFT_MUST_USE;
// Closes the connection with code 1000, waits at most a second for the server's answer, frees all. NULL is allowed.
void client_destroy(struct client *client);

// The params of the server's hello; valid until the next client_service.
struct json_slice client_hello(const struct client *client);

// Queues a request and returns its id, 1, 2, 3 …; returns 0 when memory runs out. `method` is a JSON string; `params`
// is a JSON object, or empty.
uint64_t client_request(struct client *client, struct json_slice method, struct json_slice params) WEFT_MUST_USE;

// Waits until something can be read, can be written or is due, and handles it. Errors: RESULT_IO (the connection has
// ended, or no answer came in time, see client_expect).
enum result client_service(struct client *client, struct fault *fault) WEFT_MUST_USE;
// From now on an answer must come within the timeout of the settings; or none need come.
void client_expect(struct client *client);
void client_expect_nothing(struct client *client);
void client_set_beat(struct client *client, uint32_t interval_ms);
// Makes client_service return, now or at its next call. Thread-safe.
void client_wake(struct client *client);

#endif
