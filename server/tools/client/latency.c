// SPDX-License-Identifier: MIT
#include "tools/client/latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTERVAL_S 1.0
#define BUCKET_LEAST_MS 0.001
#define BUCKET_GROWTH 1.01 // 4,095 steps of 1 % from 1 µs reach beyond any duration of a run

enum result latency_init(struct latency *latency, double tick_hz, size_t frames) {
    memset(latency, 0, sizeof *latency);
    latency->tick_s = 1.0 / tick_hz;
    latency->capacity = frames;
    latency->due = malloc(frames * sizeof *latency->due);
    return latency->due == NULL ? RESULT_MEMORY : RESULT_OK;
}

void latency_free(struct latency *latency) {
    free(latency->due);
}

static void spread_add(struct latency_spread *spread, double ms) {
    const double at = ms <= BUCKET_LEAST_MS ? 0.0 : ceil(log(ms / BUCKET_LEAST_MS) / log(BUCKET_GROWTH));
    spread->bucket[at < LATENCY_BUCKETS ? (size_t)at : LATENCY_BUCKETS - 1]++;
    spread->count++;
    spread->most_ms = ms > spread->most_ms ? ms : spread->most_ms;
}

void latency_end_interval(struct latency *latency) {
    double earliest = latency->count == 0 ? 0.0 : latency->due[0];
    for (size_t i = 1; i < latency->count; i++) {
        earliest = latency->due[i] < earliest ? latency->due[i] : earliest;
    }
    for (size_t i = 0; i < latency->count; i++) {
        const double ms = (latency->due[i] - earliest) * 1e3;
        spread_add(&latency->since_shown, ms);
        spread_add(&latency->total, ms);
    }
    latency->count = 0;
}

void latency_add(struct latency *latency, uint64_t tick, double arrival_s) {
    if (arrival_s >= latency->interval_end || latency->count == latency->capacity) {
        latency_end_interval(latency);
        latency->interval_end = arrival_s + INTERVAL_S;
    }
    latency->due[latency->count++] = arrival_s - (double)tick * latency->tick_s;
}

double latency_ms(const struct latency_spread *spread, double share) {
    const double wanted = share * (double)spread->count;
    uint64_t seen = 0;
    for (size_t i = 0; i < LATENCY_BUCKETS && spread->count > 0; i++) {
        seen += spread->bucket[i];
        if ((double)seen >= wanted) {
            const double ms = BUCKET_LEAST_MS * pow(BUCKET_GROWTH, (double)i);
            return ms < spread->most_ms ? ms : spread->most_ms;
        }
    }
    return 0.0;
}
