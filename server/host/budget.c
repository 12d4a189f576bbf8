// SPDX-License-Identifier: MIT
// The arithmetic of token buckets: a level that is brought up to date whenever somebody looks.
#include "host/budget.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "proto/gen/methods.h"

#define BYTES_PER_UNIT 1024.0
#define ITEMS_PER_UNIT 100.0 // particles made, ticks run
#define RETRY_MOST_MS 3600000.0

void budget_init(struct budget *budget, double rate, uint64_t now_ns) {
    pthread_mutex_init(&budget->mutex, NULL);
    budget->rate = rate;
    budget->burst = rate * BUDGET_BURST_SECONDS;
    budget->level = budget->burst;
    budget->level_ns = now_ns;
    budget->refusals = 0.0;
    budget->refusals_ns = now_ns;
    budget->held_since_ns = budget->held_until_ns = 0;
}

void budget_free(struct budget *budget) {
    pthread_mutex_destroy(&budget->mutex);
}

// ---- costs -------------------------------------------------------------------------------------------------------

double budget_message_cost(size_t bytes) {
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

double budget_command_cost(const struct proto_command *command) {
    double cost = (double)proto_methods[command->method].cost + count_items(command) / ITEMS_PER_UNIT;
    if (command->method == PROTO_METHOD_BATCH_RUN) {
        const struct proto_commands *list = &((const struct proto_batch_run *)command->params)->commands;
        for (uint32_t i = 0; i < list->count; i++) {
            cost += budget_command_cost(&list->items[i]); // batches do not nest
        }
    }
    return cost;
}

// ---- the bucket (the mutex is held) ------------------------------------------------------------------------------

static double seconds(uint64_t from_ns, uint64_t to_ns) {
    return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0.0;
}

static void fill(struct budget *budget, uint64_t now_ns) {
    budget->level += seconds(budget->level_ns, now_ns) * budget->rate;
    budget->level = budget->level < budget->burst ? budget->level : budget->burst;
    budget->level_ns = now_ns > budget->level_ns ? now_ns : budget->level_ns;
}

static uint32_t whole_ms(double ms) {
    return 1 + (uint32_t)(ms < RETRY_MOST_MS ? ms : RETRY_MOST_MS);
}

static bool look(struct budget *budget, double cost, bool take, uint64_t now_ns, uint32_t *retry_ms) {
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

bool budget_has(struct budget *budget, double cost, uint64_t now_ns, uint32_t *retry_ms) {
    return look(budget, cost, false, now_ns, retry_ms);
}

bool budget_take(struct budget *budget, double cost, uint64_t now_ns, uint32_t *retry_ms) {
    return look(budget, cost, true, now_ns, retry_ms);
}

// ---- who does not stop -------------------------------------------------------------------------------------------

static double refusals_most(const struct budget *budget) {
    return budget->rate > BUDGET_REFUSALS_LEAST ? budget->rate : BUDGET_REFUSALS_LEAST;
}

static enum budget_sanction hold(struct budget *budget, uint64_t now_ns, uint32_t *hold_ms) {
    if (budget->held_since_ns == 0 || now_ns > budget->held_until_ns + BUDGET_CALM_NS) {
        budget->held_since_ns = now_ns;
    }
    if (now_ns - budget->held_since_ns >= BUDGET_PATIENCE_NS) {
        return BUDGET_CLOSE;
    }
    *hold_ms = whole_ms(1000.0 * 0.5 * budget->refusals / refusals_most(budget));
    budget->held_until_ns = now_ns + *hold_ms * (uint64_t)1000000;
    return BUDGET_HOLD;
}

enum budget_sanction budget_note_refusal(struct budget *budget, uint64_t now_ns, uint32_t *hold_ms) {
    pthread_mutex_lock(&budget->mutex);
    const double forgotten = seconds(budget->refusals_ns, now_ns) * refusals_most(budget);
    budget->refusals = budget->refusals > forgotten ? budget->refusals - forgotten : 0.0;
    budget->refusals_ns = now_ns;
    budget->refusals += 1.0;
    const enum budget_sanction sanction = budget->rate > 0.0 && budget->refusals >= refusals_most(budget)
                                              ? hold(budget, now_ns, hold_ms)
                                              : BUDGET_NOTHING;
    pthread_mutex_unlock(&budget->mutex);
    return sanction;
}

// ---- shared ------------------------------------------------------------------------------------------------------

struct purse {
    struct budget budget;
    atomic_uint references;
};

struct purse *purse_create(double rate, uint64_t now_ns) {
    struct purse *purse = calloc(1, sizeof *purse);
    if (purse != NULL) {
        budget_init(&purse->budget, rate, now_ns);
        atomic_init(&purse->references, 1);
    }
    return purse;
}

struct budget *purse_budget(struct purse *purse) {
    return &purse->budget;
}

struct purse *purse_retain(struct purse *purse) {
    atomic_fetch_add_explicit(&purse->references, 1, memory_order_relaxed);
    return purse;
}

void purse_release(struct purse *purse) {
    if (purse != NULL && atomic_fetch_sub_explicit(&purse->references, 1, memory_order_acq_rel) == 1) {
        budget_free(&purse->budget);
        free(purse);
    }
}
