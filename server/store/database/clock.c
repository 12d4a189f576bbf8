// SPDX-License-Identifier: MIT
#include "store/database/clock.h"

#include <time.h>

#include "store/store_state.h"

uint64_t store_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t store_monotonic_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

uint64_t store_monotonic_ms(void) {
    return store_monotonic_us() / 1000;
}

uint64_t store_uptime_ms(const struct store *store) {
    return store->uptime_before_ms + (store_monotonic_us() - store->opened_us) / 1000;
}

uint64_t store_steady_ms(const struct store *store) {
    return store->opened_ms + (store_monotonic_us() - store->opened_us) / 1000;
}

void store_clock_start(struct store *store, uint64_t uptime_before_ms) {
    store->uptime_before_ms = uptime_before_ms;
    store->opened_us = store_monotonic_us();
    store->opened_ms = store_clock_ms();
}
