// SPDX-License-Identifier: MIT
// From the bytes of a text message to a typed command, or to the reason why not.
//
// One message is parsed once, into one block of memory: the text is scanned (size, depth, UTF-8, control characters,
// duplicate members, numbers in range, nothing trailing), read by cJSON, and decoded by the tables that are generated
// from proto/weft.openrpc.json into the generated struct of its method (server/proto/gen/methods.h), defaults filled
// in.
#ifndef WEFT_PROTO_MESSAGE_REQUEST_H
#define WEFT_PROTO_MESSAGE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "proto/gen/methods.h"
#include "proto/json/slice.h"

#define PROTO_TITLE_MAX 257        // bytes of a scene's title, 64 characters and the end
#define PROTO_DESCRIPTION_MAX 1025 // bytes of its description, 256 characters and the end
#define PROTO_ID_MAX 256           // bytes of a request's id as JSON text; a longer one is refused

#define PROTO_ARRAY_MAX 100u // requests in one array

// A request's id, exactly as JSON text that a reply repeats; `present` is false for a notification. The function that
// sends the reply reads `bundle`: the place among the replies to an array of requests, or 0 for a single request.
struct proto_id {
    bool present;
    char text[PROTO_ID_MAX];
    uint64_t bundle;
};

struct proto_place;

struct proto_request {
    struct proto_id id;
    struct proto_command command;
    const struct proto_place *places; // of a scene: where each of its commands stands in the file; else NULL
};

// Whether a message is an array, of requests then.
bool proto_is_array(const char *text, size_t length);
// Checks an array of requests and finds its elements, each of which is to be parsed by itself; whether an element is a
// request is not looked at. Faults: RESULT_PARSE, RESULT_REQUEST (it is empty), RESULT_LIMIT, RESULT_MEMORY.
enum result proto_array_split(const char *text, size_t length, struct proto_slice elements[PROTO_ARRAY_MAX],
                              uint32_t *count, struct fault *fault) WEFT_MUST_USE;

// Parses one message. On a fault `id` still holds the id where one could be read (JSON null where JSON-RPC wants it).
// Faults: RESULT_PARSE, RESULT_REQUEST, RESULT_METHOD, RESULT_INVALID, RESULT_MEMORY.
enum result proto_request_parse(const char *text, size_t length, struct proto_request **request, struct proto_id *id,
                                struct fault *fault) WEFT_MUST_USE;
void proto_request_destroy(struct proto_request *request);

// A scene file {"title", "description", "commands": [...]}, as a batch.run request without id.
enum result proto_scene_parse(const char *text, size_t length, struct proto_request **request,
                              char title[PROTO_TITLE_MAX], char description[PROTO_DESCRIPTION_MAX],
                              struct fault *fault) WEFT_MUST_USE;

// A request, cleared, in an empty arena (NULL: memory has run out), and the last step: the request then owns the arena
// that it lies in. For the readers of messages and of records.
struct arena;
struct proto_request *proto_request_begin(struct arena *arena);
void proto_request_own(struct proto_request *request, const struct arena *arena);

#endif
