// SPDX-License-Identifier: MIT
// The arithmetic of token buckets: a level that is brought up to date whenever somebody looks.
#include "host/connection/rate_limit.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "proto/gen/methods.h"

#define BYTES_PER_UNIT 1024.0
#define ITEMS_PER_UNIT 100.0 // particles made, ticks run
#define RETRY_MOST_MS 3600000.0

void rate_limit_init(struct rate_limit *budget, double rate, uint64_t now_ns) {
    pthread_mutex_init(&budget->mutex, NULL);
    budget->rate = rate;
    budget->burst = rate * RATE_LIMIT_BURST_SECONDS;
    budget->level = budget->burst;
    budget->level_ns = now_ns;
    budget->refusals = 0.0;
    budget->refusals_ns = now_ns;
    budget->held_since_ns = budget->held_until_ns = 0;
}

void rate_limit_free(struct rate_limit *budget) {
    pthread_mutex_destroy(&budget->mutex);
}

// ---- costs -------------------------------------------------------------------------------------------------------

double rate_limit_message_cost(size_t bytes) {
    return (double)bytes / BYTES_PER_UNIT;
}

// What is asked for in few bytes.
static double count_items(const struct proto_command *command) {
    switch (command->method) {
    case PROTO_METHOD_CLOTH_SPAWN: {
        const struct proto_cloth_spawn *params = command->params;
        return (double)params->columns * (double)params->rows;
    }
    case PROTO_METHOD_ROPE_SPAWN:
        return (double)((const struct proto_rope_spawn *)command->params)->particles;
    case PROTO_METHOD_WORLD_STEP:
        return (double)((const struct proto_world_step *)command->params)->ticks;
    default:
        return 0.0;
    }
}

double rate_limit_command_cost(const struct proto_command *command) {
    double cost = (double)proto_methods[command->method].cost + count_items(command) / ITEMS_PER_UNIT;
    if (command->method == PROTO_METHOD_BATCH_RUN) {
        const struct proto_commands *list = &((const struct proto_batch_run *)command->params)->commands;
        for (uint32_t i = 0; i < list->count; i++) {
            cost += rate_limit_command_cost(&list->items[i]); // batches do not nest
        }
    }
    return cost;
}

// ---- the bucket (the mutex is held) ------------------------------------------------------------------------------

static double seconds(uint64_t from_ns, uint64_t to_ns) {
    return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0.0;
}

static void fill(struct rate_limit *budget, uint64_t now_ns) {
    budget->level += seconds(budget->level_ns, now_ns) * budget->rate;
    budget->level = budget->level < budget->burst ? budget->level : budget->burst;
    budget->level_ns = now_ns > budget->level_ns ? now_ns : budget->level_ns;
}

static uint32_t whole_ms(double ms) {
    return 1 + (uint32_t)(ms < RETRY_MOST_MS ? ms : RETRY_MOST_MS);
}

static bool look(struct rate_limit *budget, double cost, bool take, uint64_t now_ns, uint32_t *retry_ms) {
    if (budget->rate <= 0.0) {
        return true;
    }
    pthread_mutex_lock(&budget->mutex);
    fill(budget, now_ns);
    const double wanted = cost < budget->burst ? cost : budget->burst;
    const bool enough = budget->level >= wanted;
    if (!enough) {
        *retry_ms = whole_ms(1000.0 * (wanted - budget->level) / budget->rate);
    } else if (take) {
        budget->level -= cost;
    }
    pthread_mutex_unlock(&budget->mutex);
    return enough;
}

bool rate_limit_has(struct rate_limit *budget, double cost, uint64_t now_ns, uint32_t *retry_ms) {
    return look(budget, cost, false, now_ns, retry_ms);
}

bool rate_limit_take(struct rate_limit *budget, double cost, uint64_t now_ns, uint32_t *retry_ms) {
    return look(budget, cost, true, now_ns, retry_ms);
}

// ---- who does not stop -------------------------------------------------------------------------------------------

static double refusals_most(const struct rate_limit *budget) {
    return budget->rate > RATE_LIMIT_REFUSALS_LEAST ? budget->rate : RATE_LIMIT_REFUSALS_LEAST;
}

static enum rate_limit_sanction hold(struct rate_limit *budget, uint64_t now_ns, uint32_t *hold_ms) {
    if (budget->held_since_ns == 0 || now_ns > budget->held_until_ns + RATE_LIMIT_CALM_NS) {
        budget->held_since_ns = now_ns;
    }
    if (now_ns - budget->held_since_ns >= RATE_LIMIT_PATIENCE_NS) {
        return RATE_LIMIT_CLOSE;
    }
    *hold_ms = whole_ms(1000.0 * 0.5 * budget->refusals / refusals_most(budget));
    budget->held_until_ns = now_ns + *hold_ms * (uint64_t)1000000;
    return RATE_LIMIT_HOLD;
}

enum rate_limit_sanction rate_limit_note_refusal(struct rate_limit *budget, uint64_t now_ns, uint32_t *hold_ms) {
    pthread_mutex_lock(&budget->mutex);
    const double forgotten = seconds(budget->refusals_ns, now_ns) * refusals_most(budget);
    budget->refusals = budget->refusals > forgotten ? budget->refusals - forgotten : 0.0;
    budget->refusals_ns = now_ns;
    budget->refusals += 1.0;
    const enum rate_limit_sanction sanction = budget->rate > 0.0 && budget->refusals >= refusals_most(budget)
                                                  ? hold(budget, now_ns, hold_ms)
                                                  : RATE_LIMIT_NOTHING;
    pthread_mutex_unlock(&budget->mutex);
    return sanction;
}

// ---- shared ------------------------------------------------------------------------------------------------------

struct shared_limit {
    struct rate_limit rate_limit;
    atomic_uint references;
};

struct shared_limit *shared_limit_create(double rate, uint64_t now_ns) {
    struct shared_limit *shared_limit = calloc(1, sizeof *shared_limit);
    if (shared_limit != NULL) {
        rate_limit_init(&shared_limit->rate_limit, rate, now_ns);
        atomic_init(&shared_limit->references, 1);
    }
    return shared_limit;
}

struct rate_limit *shared_limit_rate_limit(struct shared_limit *shared_limit) {
    return &shared_limit->rate_limit;
}

struct shared_limit *shared_limit_retain(struct shared_limit *shared_limit) {
    atomic_fetch_add_explicit(&shared_limit->references, 1, memory_order_relaxed);
    return shared_limit;
}

void shared_limit_release(struct shared_limit *shared_limit) {
    if (shared_limit != NULL && atomic_fetch_sub_explicit(&shared_limit->references, 1, memory_order_acq_rel) == 1) {
        rate_limit_free(&shared_limit->rate_limit);
        free(shared_limit);
    }
}
