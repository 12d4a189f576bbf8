// SPDX-License-Identifier: MIT
// Who is connected to the server as a whole: one connection for each connection, with what is known of it, what it may
// use and what it has used.
//
// A connection is made by the net thread when a client comes and is listed until it goes; whoever needs it longer (a
// message of it that is being parsed, its session in a world) retains it. Its facts change once at most, when it shows
// its token: on the thread of its world, under the list of connections's lock, which all others need to read those of
// them that a token sets (name, token, role). An administrator may change its role in the same way. Its counters may be
// read by any thread.
#ifndef WEFT_HOST_CONNECTION_CONNECTION_LIST_H
#define WEFT_HOST_CONNECTION_CONNECTION_LIST_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/log.h"
#include "base/result.h"
#include "engine/state/person.h"
#include "host/connection/access.h"
#include "host/connection/rate_limit.h"

#define CONNECTION_ADDRESS_MAX 64

struct connection_list;

// What a connection is, as it is known when it comes.
struct connection_facts {
    uint64_t connection_id;
    uint32_t world; // its index
    char world_name[CONFIG_WORLD_NAME_MAX + 1];
    char address[CONNECTION_ADDRESS_MAX];
    char name[LOG_NAME_MAX];  // of its token, "" without one
    char token[TOKEN_ID_MAX]; // the id of that
    enum proto_role role;
    enum proto_role granted; // by its token, or where it comes from; an administrator may have changed `role` since
    bool posted;             // it comes by POST, and goes when it has its reply (one_request.h)
    double rate;             // of its budget in units a second, 0: no limit
};

struct connection {
    struct connection_facts facts;
    struct person
        person; // as others in its world know it: changed on the thread of that, under the list of connections's lock
    uint64_t owner;    // the same for all connections of one token, or of one address without tokens; never 0
    uint64_t since_ns; // of the monotonic clock
    struct rate_limit rate_limit;
    struct shared_limit *shared_limit; // which it pays from instead, with others; or NULL
    struct admin *admin;               // not owned
    struct access *access;             // not owned
    uint32_t wrong_tokens;             // its world's
    _Atomic uint32_t session;          // the number it goes by in its world; 0: it has not been greeted yet
    atomic_bool known;                 // its role is not none, so its messages may be longer than 4 KB
    _Atomic uint64_t messages, bytes_received, bytes_sent, refusals;
    atomic_uint references;
    struct connection_list *connections;
    struct connection *next, *previous; // in the list of connections
};

// NULL when memory is out.
struct connection_list *connection_list_create(void);
// After every connection has gone from it.
void connection_list_destroy(struct connection_list *connections);

// Lists a new connection, with one reference for the caller. NULL when memory is out.
struct connection *connection_list_add(struct connection_list *connections, const struct connection_facts *facts);
struct connection *connection_retain(struct connection *connection);
void connection_release(struct connection *connection); // NULL is allowed
struct rate_limit *connection_budget(struct connection *connection);
// It has gone. Takes the caller's reference.
void connection_list_remove(struct connection *take);
// How many connections there are. A connection that has gone still counts until its world has applied that. Any thread.
size_t connection_list_count_kept(const struct connection_list *connections);

// It has shown a token. On the thread of its world.
void connection_grant(struct connection *connection, const struct grant *grant);
// An administrator of its world has changed its role. On the thread of its world.
void connection_set_role(struct connection *connection, enum proto_role role);
// Sets the name and colour of its person. On the thread of its world.
void connection_introduce(struct connection *connection, const struct person *person);
// Calls `act` with each, under the lock.
void connection_list_for_each(struct connection_list *connections,
                              void (*act)(void *context, const struct connection *connection), void *context);

// Copies what is known of all connections, the one that came first first, into an array to free. Errors: RESULT_MEMORY.
struct connection_row {
    struct connection_facts facts;
    struct person person;
    uint64_t since_ns, messages, bytes_received, bytes_sent, refusals;
    uint32_t session;
};
bool connection_list_has(struct connection_list *connections, uint64_t connection_id);
enum result connection_list_list(struct connection_list *connections, struct connection_row **rows,
                                 uint32_t *count) WEFT_MUST_USE;

#endif
