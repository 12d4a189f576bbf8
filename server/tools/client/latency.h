// SPDX-License-Identifier: MIT
// How late frames come, as a distribution. Server and viewer share no clock, so lateness is reckoned against the
// server's own rhythm: a frame names its tick, ticks are 1/tickHz apart, and the earliest frame of a stretch of time
// says where they lie. Stretches are short, so a world that fell behind its schedule and went on is late only once.
#ifndef WEFT_TOOLS_CLIENT_LATENCY_H
#define WEFT_TOOLS_CLIENT_LATENCY_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define LATENCY_BUCKETS 4096u

struct latency_spread {
    uint64_t count;
    double most_ms;
    uint64_t bucket[LATENCY_BUCKETS]; // each 1 % wider than the one before
};

struct latency {
    double tick_s;
    double *due; // arrival less the tick's share of the rhythm, of the frames of this stretch, s
    size_t count, capacity;
    double stretch_end; // s
    struct latency_spread since_shown, total;
};

// `frames`: how many a stretch may have; one that has more is ended early. Errors: RESULT_MEMORY.
enum result latency_init(struct latency *latency, double tick_hz, size_t frames) WEFT_MUST_USE;
void latency_free(struct latency *latency);
void latency_add(struct latency *latency, uint64_t tick, double arrival_s);
void latency_settle(struct latency *latency);                         // ends the stretch, so that both spreads have all
double latency_ms(const struct latency_spread *spread, double share); // share 0.99: p99; 0 without frames

#endif
