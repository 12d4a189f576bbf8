// SPDX-License-Identifier: MIT
// The distribution of the lateness of frames. Server and viewer share no clock. But a frame names its tick, and ticks
// are 1/tickHz apart: within a second, the earliest frame, compared with its tick, defines when every other frame was
// due. The interval is that short so that a world which fell behind and then kept its pace counts as late only once.
#ifndef WEFT_TOOLS_CLIENT_LATENCY_H
#define WEFT_TOOLS_CLIENT_LATENCY_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define LATENCY_BUCKETS 4096u

struct latency_spread {
    uint64_t count;
    double most_ms;
    uint64_t bucket[LATENCY_BUCKETS]; // bounds grow by 1 % from bucket to bucket
};

struct latency {
    double tick_s;
    double *due; // of each frame of this interval: arrival − tick/tickHz, in s
    size_t count, capacity;
    double interval_end; // s
    struct latency_spread since_shown, total;
};

// `frames` is the capacity of an interval; one that is full ends early. Errors: RESULT_MEMORY.
enum result latency_init(struct latency *latency, double tick_hz, size_t frames) WEFT_MUST_USE;
void latency_free(struct latency *latency);
void latency_add(struct latency *latency, uint64_t tick, double arrival_s);
void latency_end_interval(struct latency *latency); // ends the interval and counts its frames in both spreads
double latency_ms(const struct latency_spread *spread, double share); // a quantile: share 0.99 is p99; 0 without frames

#endif
