// SPDX-License-Identifier: MIT
// Many viewers of one world for a load test, with as little work for each as possible. One thread owns them.
//
// weftctl's other commands connect with libwebsockets (rpc_client.h). A load test cannot: libwebsockets' client parses
// byte by byte, at about 6.5 ns a byte, so that a thousand viewers of 48 KB frames at 60 Hz would need 19 cores on the
// machine of the server that they measure. Here sockets stand behind one epoll, the header of each frame is read and
// the kernel discards the rest (about 0.2 ns a byte). This is as much of WebSocket (RFC 6455) as such a viewer needs,
// and without TLS.
#ifndef WEFT_TOOLS_LOAD_H
#define WEFT_TOOLS_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/result.h"
#include "tools/client/settings.h"

struct load_clients;

// A whole frame that has come to a viewer; or, with the encoding "ticks", a message of ticks, which makes a frame of
// each.
struct load_frame {
    uint32_t viewer; // its index, 0 … clients − 1
    uint32_t epoch;  // or generation
    uint64_t tick;   // the last one
    uint64_t before; // the tick that it has to follow on; of a frame, the one that the viewer's rate lets come before
    uint32_t count;  // of frames
    size_t bytes;
    double arrival_s; // of its last byte, by monotonic_s
};

struct load_plan {
    const struct settings *settings; // server, timeout, encoding
    uint32_t clients;                // number of viewers
    uint32_t stalled;                // so many of the last viewers subscribe and never read again
    void *user;
    void (*frame)(void *user, const struct load_frame *frame);
};

// Connects all viewers, and returns when all are subscribed. They follow the world to the node that has it, and wait
// while none has it ready (world.moved, 307, 503); later, viewers that read still do. The plan is copied. Errors:
// RESULT_IO (the server cannot be reached, refuses, or takes longer than the timeout of the settings), RESULT_LIMIT
// (this process may not have so many sockets), RESULT_MEMORY.
enum result load_clients_create(const struct load_plan *plan, struct load_clients **clients,
                                struct fault *fault) WEFT_MUST_USE;
void load_clients_destroy(struct load_clients *clients); // NULL is allowed

// Waits at most `wait_ms` for data, and handles it.
void load_clients_service(struct load_clients *clients, int wait_ms);

double load_clients_tick_hz(const struct load_clients *clients);   // from the server's hello
uint32_t load_clients_lost(const struct load_clients *clients);    // disconnected viewers that read
uint32_t load_clients_dropped(const struct load_clients *clients); // disconnected viewers that were stalled
uint32_t load_clients_moved(const struct load_clients *clients);   // how often viewers were sent to another node

#endif
