// SPDX-License-Identifier: MIT
// Many viewers of one world, cheaply: bare sockets behind one epoll, which look at the header of each frame and let the
// kernel throw the rest away. Enough of WebSocket (RFC 6455) for a viewer, and no more. One thread owns it.
#ifndef WEFT_TOOLS_CROWD_H
#define WEFT_TOOLS_CROWD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "tools/settings.h"

struct crowd;

// A whole frame that has come to a viewer.
struct crowd_frame {
    uint32_t viewer; // 0 … clients − 1
    uint32_t epoch;
    uint64_t tick;
    size_t bytes;
    double arrival_s; // of its last byte, monotonic clock
};

struct crowd_plan {
    const struct settings *settings; // the server, how long to wait for it, what to ask for
    uint32_t clients;                // viewers in all
    uint32_t stalled;                // of these the last ones: they subscribe and never read again
    void *user;
    void (*frame)(void *user, const struct crowd_frame *frame);
};

// Connects and subscribes all of them, and returns when every one is subscribed. The plan is copied.
// Errors: RESULT_IO (cannot reach it, it refuses, or it takes longer than the settings' timeout), RESULT_LIMIT (more
// sockets than this process may have), RESULT_MEMORY.
enum result crowd_create(const struct crowd_plan *plan, struct crowd **crowd, struct fault *fault) WEFT_MUST_USE;
void crowd_destroy(struct crowd *crowd); // NULL is allowed

// Takes what has come, for at most `wait_ms`.
void crowd_service(struct crowd *crowd, int wait_ms);

double crowd_tick_hz(const struct crowd *crowd);   // as the server's hello says
uint32_t crowd_lost(const struct crowd *crowd);    // viewers that read and were disconnected
uint32_t crowd_dropped(const struct crowd *crowd); // stalled ones that the server gave up
double crowd_now_s(void);                          // the clock of `arrival_s`

#endif
