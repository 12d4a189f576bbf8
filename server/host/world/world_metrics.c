// SPDX-License-Identifier: MIT
#include "host/world/world_metrics.h"

#include "engine/world/engine_world.h"

const char *const world_stage_names[WORLD_STAGE_COUNT] = {
    [SIM_STAGE_FORCES] = "forces", [SIM_STAGE_INTEGRATE] = "integrate", [SIM_STAGE_DETECT] = "detect",
    [SIM_STAGE_STICKS] = "sticks", [SIM_STAGE_CONTACTS] = "contacts",   [SIM_STAGE_FINISH] = "finish",
    [SIM_STAGE_UPKEEP] = "upkeep", [WORLD_STAGE_COMMANDS] = "commands", [WORLD_STAGE_ENCODE] = "encode",
    [WORLD_STAGE_SEND] = "send",
};

const uint32_t histogram_bounds_us[HISTOGRAM_BOUND_COUNT] = HISTOGRAM_BOUNDS;

void histogram_note(struct histogram *histogram, uint32_t us) {
    uint32_t at = 0;
    while (at < HISTOGRAM_BOUND_COUNT && us > histogram_bounds_us[at]) {
        at++;
    }
    atomic_fetch_add_explicit(&histogram->counts[at], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&histogram->sum_us, us, memory_order_relaxed);
}

void world_metrics_note_engine(struct world_metrics *metrics, const struct engine_world *engine) {
    const struct sim_counts counts = sim_world_counts(engine->sim);
    atomic_store(&metrics->viewers, engine->viewers + engine->lockstep.members);
    atomic_store(&metrics->lockstep, engine->lockstep.members);
    atomic_store(&metrics->lockstep_renewals, engine->lockstep.renewals);
    atomic_store(&metrics->frames, engine->statistics.frames);
    atomic_store(&metrics->frame_bytes, engine->statistics.frame_bytes);
    atomic_store(&metrics->tick, sim_world_tick(engine->sim));
    atomic_store(&metrics->particles, counts.particles);
    atomic_store(&metrics->sticks, counts.sticks);
    atomic_store(&metrics->objects, counts.objects);
}

bool world_metrics_are_stuck(const struct world_metrics *metrics, uint64_t now_ns) {
    const uint64_t began_ns = atomic_load(&metrics->turn_began_ns), ended_ns = atomic_load(&metrics->turn_ended_ns);
    const bool at_work = began_ns != 0 && now_ns > began_ns && now_ns - began_ns > WORLD_METRICS_STUCK_NS;
    const bool waiting = began_ns == 0 && atomic_load(&metrics->running) && ended_ns != 0 && now_ns > ended_ns &&
                         now_ns - ended_ns > WORLD_METRICS_STUCK_NS;
    return at_work || waiting;
}
