// SPDX-License-Identifier: MIT
// Budgets: how much of the server's time one client may ask for. A token bucket (RFC 2697 without its colours): it
// holds up to `burst` units, fills at `rate` units a second, and every request takes its cost out of it. A unit is some
// 20 µs of one core: a cheap command costs 1, the schema says what each costs (x-cost), each KiB of a message one more,
// and so does each hundred particles or ticks that are asked for in few bytes.
//
// A request that costs more than the bucket can hold is taken when the bucket is full, which then owes the rest. What
// finds too little is refused with −32005 and the time after which it would be taken. A client that goes on all the
// same, with more refusals than its rate would allow as requests, is not read for a while (so its flood waits in its
// own socket and costs the server nothing), and after BUDGET_PATIENCE_NS of that it is closed.
//
// Thread-safe: a message is looked at on the net thread and paid for where it is parsed.
#ifndef WEFT_HOST_CONNECTION_RATE_LIMIT_H
#define WEFT_HOST_CONNECTION_RATE_LIMIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/gen/methods.h"

#define RATE_LIMIT_BURST_SECONDS 4.0        // of its rate that a client may save up
#define RATE_LIMIT_REFUSALS_LEAST 64.0      // that a client may run into at once before it is held
#define RATE_LIMIT_PATIENCE_NS 10000000000u // of being held, until it is closed
#define RATE_LIMIT_CALM_NS 2000000000u      // without being held, until that is forgotten

struct rate_limit {
    pthread_mutex_t mutex; // guards all but the first two
    double rate, burst;    // units a second, units; rate 0: no limit
    double level;          // units there are, at that time; below 0: owed
    uint64_t level_ns;
    double refusals; // not yet forgotten, at that time
    uint64_t refusals_ns;
    uint64_t held_since_ns, held_until_ns; // the first and the end of the newest of a row of holds; 0: none
};

// A full one.
void rate_limit_init(struct rate_limit *budget, double rate, uint64_t now_ns);
void rate_limit_free(struct rate_limit *budget);

// What a message costs before anything is known of it.
double rate_limit_message_cost(size_t bytes);
// What a parsed request costs beside that.
double rate_limit_command_cost(const struct proto_command *command);

// Whether there is that much; takes nothing. Otherwise `retry_ms` is when there will be, at least 1.
bool rate_limit_has(struct rate_limit *budget, double cost, uint64_t now_ns, uint32_t *retry_ms);
// The same, and takes it.
bool rate_limit_take(struct rate_limit *budget, double cost, uint64_t now_ns, uint32_t *retry_ms);

// A budget that several clients share, alive while one of them is. Thread-safe.
struct shared_limit;
struct shared_limit *shared_limit_create(double rate, uint64_t now_ns); // with one reference; NULL when memory is out
struct rate_limit *shared_limit_rate_limit(struct shared_limit *shared_limit);
struct shared_limit *shared_limit_retain(struct shared_limit *shared_limit);
void shared_limit_release(struct shared_limit *shared_limit); // NULL is allowed

enum rate_limit_sanction { RATE_LIMIT_NOTHING, RATE_LIMIT_HOLD, RATE_LIMIT_CLOSE };
// Notes that a request was refused. With HOLD nothing is to be read from the client for `hold_ms`.
enum rate_limit_sanction rate_limit_note_refusal(struct rate_limit *budget, uint64_t now_ns, uint32_t *hold_ms);

#endif
