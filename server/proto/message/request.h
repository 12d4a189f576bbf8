// SPDX-License-Identifier: MIT
// Parses a text message into a typed command, or into the reason why it is refused.
//
// A message is parsed once, into one arena: the text is checked (size, depth, UTF-8, control characters, duplicate
// members, range of numbers, trailing bytes), parsed by cJSON, and decoded into the struct of its method
// (server/proto/gen/methods.h) by tables; struct and tables are generated from proto/weft.openrpc.json. Members that
// were not given have their defaults.
#ifndef WEFT_PROTO_MESSAGE_REQUEST_H
#define WEFT_PROTO_MESSAGE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "proto/gen/methods.h"
#include "proto/json/slice.h"

#define PROTO_TITLE_MAX 257        // bytes of a scene's title or chapter, 64 characters and the end
#define PROTO_DESCRIPTION_MAX 1025 // bytes of its description, 256 characters and the end
#define PROTO_ID_MAX 256           // bytes of a request's id as JSON text; a longer one is refused

#define PROTO_ARRAY_MAX 100u // requests in one array
#define PROTO_SCENE_ORDER_MAX 9999u

// A request's id, exactly as JSON text that a reply repeats; `present` is false for a notification. The function that
// sends the reply reads `bundle`: the place among the replies to an array of requests, or 0 for a single request.
struct proto_id {
    bool present;
    char text[PROTO_ID_MAX];
    uint64_t bundle;
};

struct proto_place;

// What the file of a scene says of it beside its commands; "" and 0 stand for what it does not say.
struct proto_scene_about {
    char title[PROTO_TITLE_MAX];
    char description[PROTO_DESCRIPTION_MAX];
    char chapter[PROTO_TITLE_MAX]; // the group in which scenes are listed
    uint32_t order;                // the place in the list, 1 to PROTO_SCENE_ORDER_MAX
};

struct proto_request {
    struct proto_id id;
    struct proto_command command;
    const struct proto_place *places; // of a scene: the place of each command in the file; else NULL
};

// Whether a message is an array, and hence one of requests.
bool proto_is_array(const char *text, size_t length);
// Checks an array of requests and finds its elements, which the caller parses one by one; an element need not be a
// request. Errors: RESULT_PARSE, RESULT_REQUEST (the array is empty), RESULT_LIMIT, RESULT_MEMORY.
enum result proto_array_split(const char *text, size_t length, struct proto_slice elements[PROTO_ARRAY_MAX],
                              uint32_t *count, struct fault *fault) WEFT_MUST_USE;

// Parses one message. On an error `id` holds the id if one could be read, or JSON null where JSON-RPC demands it.
// Errors: RESULT_PARSE, RESULT_REQUEST, RESULT_METHOD, RESULT_INVALID, RESULT_MEMORY.
enum result proto_request_parse(const char *text, size_t length, struct proto_request **request, struct proto_id *id,
                                struct fault *fault) WEFT_MUST_USE;
void proto_request_destroy(struct proto_request *request);

// Parses a scene file {"title", "description", "chapter", "order", "commands": [...]} into a batch.run request without
// id.
enum result proto_scene_parse(const char *text, size_t length, struct proto_request **request,
                              struct proto_scene_about *about, struct fault *fault) WEFT_MUST_USE;

// For readers of messages and records: creates a cleared request in an empty arena (NULL when memory runs out), and, as
// the last step, makes the request the owner of that arena.
struct arena;
struct proto_request *proto_request_begin(struct arena *arena);
void proto_request_own(struct proto_request *request, const struct arena *arena);

#endif
