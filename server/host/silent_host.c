// SPDX-License-Identifier: MIT
#include "host/silent_host.h"

#include "host/pool.h"

static uint64_t now_ns(void *context) {
    (void)context;
    return pool_now_ns();
}

const struct engine_host silent_engine_host = {.now_ns = now_ns};
