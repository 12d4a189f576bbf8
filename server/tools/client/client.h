// SPDX-License-Identifier: MIT
// A client's side of one connection: requests out, answers, events and frames in. One thread owns it.
//
// Whoever uses it queues requests and then turns the crank with client_service, one round of libwebsockets at a time;
// the handlers are called from inside it. Only client_wake may be called from another thread.
#ifndef WEFT_TOOLS_CLIENT_CLIENT_H
#define WEFT_TOOLS_CLIENT_CLIENT_H

#include <stdint.h>

#include "base/result.h"
#include "tools/client/settings.h"
#include "tools/text/json_slice.h"

struct client;

// What comes in. The slices live during the call only.
struct client_handlers {
    void *user;
    // `id` is the request's; 0 when the server could not read whose it is (JSON null). `answer` is the result, or with
    // `failed` the error object.
    void (*reply)(void *user, uint64_t id, bool failed, struct json_slice answer);
    void (*event)(void *user, struct json_slice method, struct json_slice params); // may be NULL, as the next two
    void (*binary)(void *user, const uint8_t *bytes, size_t length);
    void (*beat)(void *user); // every client_set_beat ms
};

// Connects, and returns when the server has said hello. The handlers are copied.
// Errors: RESULT_IO (cannot reach it, or it speaks otherwise), RESULT_NOT_FOUND (no such world), RESULT_MEMORY.
enum result client_create(const struct settings *settings, const struct client_handlers *handlers,
                          struct client **client, struct fault *fault) WEFT_MUST_USE;
// Says goodbye (close code 1000), waits for it to be heard for at most a second, frees all. NULL is allowed.
void client_destroy(struct client *client);

// The params of the server's hello; live as long as the client.
struct json_slice client_hello(const struct client *client);

// Queues a request and returns its id, 1, 2, 3 …; 0 when memory is out. `method` is a JSON string, `params` one JSON
// object or empty.
uint64_t client_request(struct client *client, struct json_slice method, struct json_slice params) WEFT_MUST_USE;

// One round: waits until something comes, goes or is due, and handles it. RESULT_IO when the connection has ended or
// the time set by client_expect is over.
enum result client_service(struct client *client, struct fault *fault) WEFT_MUST_USE;
// An answer must come within the settings' timeout from now; and the opposite.
void client_expect(struct client *client);
void client_expect_nothing(struct client *client);
void client_set_beat(struct client *client, uint32_t interval_ms);
// Ends the current round, or the next. Thread-safe.
void client_wake(struct client *client);

#endif
