// SPDX-License-Identifier: MIT
// Two counters and whether the client is held. Whoever turns `held` back to false lets the client be read again, so it
// happens once: on a worker after the last of many, or at once on the net thread if the worker was quicker.
#include "host/flow.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "host/roster.h"

struct flow {
    struct net_server *net;
    uint64_t peer;
    struct visitor *visitor;
    atomic_uint references;
    atomic_uint reading;
    atomic_uint messages;
    atomic_size_t bytes;
    atomic_bool held;
    atomic_bool abandoned;
};

struct flow *flow_create(struct net_server *net, uint64_t peer, struct visitor *visitor) {
    struct flow *flow = calloc(1, sizeof *flow);
    if (flow != NULL) {
        flow->net = net;
        flow->peer = peer;
        flow->visitor = visitor_retain(visitor);
        atomic_init(&flow->references, 1);
    }
    return flow;
}

void flow_release(struct flow *flow) {
    if (flow != NULL && atomic_fetch_sub(&flow->references, 1) == 1) {
        visitor_release(flow->visitor);
        free(flow);
    }
}

struct visitor *flow_visitor(const struct flow *flow) {
    return flow->visitor;
}

void flow_begin_reading(struct flow *flow) {
    atomic_fetch_add(&flow->references, 1);
    atomic_fetch_add(&flow->reading, 1);
}

void flow_end_reading(struct flow *flow) {
    atomic_fetch_sub(&flow->reading, 1);
    flow_release(flow);
}

bool flow_is_reading(const struct flow *flow) {
    return atomic_load(&flow->reading) > 0;
}

void flow_abandon(struct flow *flow) {
    atomic_store(&flow->abandoned, true);
}

bool flow_is_abandoned(const struct flow *flow) {
    return atomic_load(&flow->abandoned);
}

static bool is_full(const struct flow *flow) {
    return atomic_load(&flow->messages) >= FLOW_MESSAGES_MAX || atomic_load(&flow->bytes) >= FLOW_BYTES_MAX;
}

static bool has_room(const struct flow *flow) {
    return atomic_load(&flow->messages) <= FLOW_MESSAGES_MAX / 2 && atomic_load(&flow->bytes) <= FLOW_BYTES_MAX / 2;
}

void flow_add(struct flow *flow) {
    atomic_fetch_add(&flow->references, 1);
    atomic_fetch_add(&flow->messages, 1);
}

void flow_enter(struct flow *flow, size_t bytes) {
    flow_add(flow);
    atomic_fetch_add(&flow->bytes, bytes);
    if (!is_full(flow) || atomic_exchange(&flow->held, true)) {
        return;
    }
    // The world may have read it all before `held` was set; then nobody else would let the client go on.
    if (!has_room(flow) || !atomic_exchange(&flow->held, false)) {
        net_hold_reading(flow->net, flow->peer);
    }
}

void flow_leave(struct flow *flow, size_t bytes) {
    atomic_fetch_sub(&flow->messages, 1);
    atomic_fetch_sub(&flow->bytes, bytes);
    if (has_room(flow) && atomic_exchange(&flow->held, false)) {
        net_post_resume_reading(flow->net, flow->peer);
    }
    flow_release(flow);
}
