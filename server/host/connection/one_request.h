// SPDX-License-Identifier: MIT
// POST /worlds/NAME/rpc: one request, or an array of them, by plain HTTP, for curl, R, MATLAB and other programs
// without WebSockets. The request is checked as those of a WebSocket are. For its world a post is a client that comes,
// sends its message and leaves when it has its reply. Its grabs end when it leaves, and other clients get no event that
// it came.
//
// All of one token, or of one address where there are no tokens, share a budget. Net thread only, but for posted_check.
#ifndef WEFT_HOST_CONNECTION_ONE_REQUEST_H
#define WEFT_HOST_CONNECTION_ONE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "host/config/config.h"
#include "host/connection/access.h"
#include "host/connection/rate_limit.h"
#include "net/net.h"

struct posted;

struct posted *posted_create(void); // NULL when memory is out
void posted_destroy(struct posted *posted);

// Reads the name of the world from the path of a post. False: the path is none for posts.
bool posted_read_path(const char *path, char name[CONFIG_WORLD_NAME_MAX + 1]);
// Whether this client may post: 0, or the HTTP status that refuses it. 401: the server has tokens, and the client shows
// no valid one.
int posted_greet(struct access *access, const struct net_request *request, struct grant *grant);
// Answers a post that is not passed on to its world.
void posted_refuse(struct net_answer *answer, int status, const char *sentence);
// Whether the body is said to be JSON. Pages of other sites can send other types without being asked for.
bool posted_is_json(const char *content_type);
// Whether a client that ends with its reply has any use for a method; from any thread. Errors: RESULT_STATE.
enum result posted_check(enum proto_method method, struct fault *fault) WEFT_MUST_USE;
// The budget of this owner (list of connections.h), retained; NULL when memory is out.
struct shared_limit *posted_find_shared_limit(struct posted *posted, uint64_t owner, double rate, uint64_t now_ns);

#endif
