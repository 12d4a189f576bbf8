// SPDX-License-Identifier: MIT
// Who is connected to the server as a whole: one visitor for each connection, with what is known of it, what it may use
// and what it has used.
//
// A visitor is made by the net thread when a client comes and is listed until it goes; whoever needs it longer (a
// message of it that is being parsed, its session in a world) retains it. Its facts change once at most, when it shows
// its token: on the thread of its world, under the roster's lock, which all others need to read those of them that a
// token sets (name, token, role). Its counters may be read by any thread.
#ifndef WEFT_HOST_ROSTER_H
#define WEFT_HOST_ROSTER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/log.h"
#include "base/result.h"
#include "engine/client/person.h"
#include "host/access.h"
#include "host/budget.h"

#define VISITOR_ADDRESS_MAX 64

struct roster;

// What a visitor is, as it is known when it comes.
struct visitor_facts {
    uint64_t peer;
    uint32_t world; // its index
    char world_name[CONFIG_WORLD_NAME_MAX + 1];
    char address[VISITOR_ADDRESS_MAX];
    char name[LOG_NAME_MAX];  // of its token, "" without one
    char token[TOKEN_ID_MAX]; // the id of that
    enum proto_role role;
    bool posted; // it comes by POST, and goes when it has its reply (posted.h)
    double rate; // of its budget in units a second, 0: no limit
};

struct visitor {
    struct visitor_facts facts;
    struct person person; // as others in its world know it: changed on the thread of that, under the roster's lock
    uint64_t owner;       // the same for all connections of one token, or of one address without tokens; never 0
    uint64_t since_ns;    // of the monotonic clock
    struct budget budget;
    struct purse *purse;      // which it pays from instead, with others; or NULL
    struct admin *admin;      // not owned
    struct access *access;    // not owned
    uint32_t wrong_tokens;    // its world's
    _Atomic uint32_t session; // the number it goes by in its world; 0: it has not been greeted yet
    atomic_bool known;        // its role is not none, so its messages may be longer than 4 KB
    _Atomic uint64_t messages, bytes_received, bytes_sent, refusals;
    atomic_uint references;
    struct roster *roster;
    struct visitor *next, *previous; // in the roster
};

// NULL when memory is out.
struct roster *roster_create(void);
// After every visitor has gone from it.
void roster_destroy(struct roster *roster);

// Lists a new visitor, with one reference for the caller. NULL when memory is out.
struct visitor *roster_add(struct roster *roster, const struct visitor_facts *facts);
struct visitor *visitor_retain(struct visitor *visitor);
void visitor_release(struct visitor *visitor); // NULL is allowed
struct budget *visitor_budget(struct visitor *visitor);
// It has gone. Takes the caller's reference.
void roster_remove(struct visitor *take);
// How many visitors there are. A visitor that has gone still counts until its world has applied that. Any thread.
size_t roster_count_kept(const struct roster *roster);

// It has shown a token. On the thread of its world.
void visitor_grant(struct visitor *visitor, const struct grant *grant);
// It has said who it is. On the thread of its world.
void visitor_introduce(struct visitor *visitor, const struct person *person);
// Calls `act` with each, under the lock.
void roster_for_each(struct roster *roster, void (*act)(void *context, const struct visitor *visitor), void *context);

// Copies what is known of all visitors, the one that came first first, into an array to free. Errors: RESULT_MEMORY.
struct visitor_row {
    struct visitor_facts facts;
    struct person person;
    uint64_t since_ns, messages, bytes_received, bytes_sent, refusals;
    uint32_t session;
};
bool roster_has(struct roster *roster, uint64_t peer);
enum result roster_list(struct roster *roster, struct visitor_row **rows, uint32_t *count) WEFT_MUST_USE;

#endif
