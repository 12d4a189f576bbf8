// SPDX-License-Identifier: MIT
#include "host/world/silent_host.h"

#include "host/run/scheduler.h"

static uint64_t now_ns(void *context) {
    (void)context;
    return scheduler_now_ns();
}

const struct engine_host silent_engine_host = {.now_ns = now_ns};
