// SPDX-License-Identifier: MIT
// What a world tells of itself, for world.get, /metrics, /healthz and server.get: written by its worker (refusals by
// any thread), read by anyone.
#ifndef WEFT_HOST_WORLD_WORLD_METRICS_H
#define WEFT_HOST_WORLD_WORLD_METRICS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "sim/sim.h"

// The stages of a tick: those of the simulation, then the world's own.
enum world_stage {
    WORLD_STAGE_COMMANDS = SIM_STAGE_COUNT, // batches that were to be seen by this tick
    WORLD_STAGE_ENCODE,                     // frames and topologies packed
    WORLD_STAGE_SEND,                       // handed to the network, events told
    WORLD_STAGE_COUNT
};
extern const char *const world_stage_names[WORLD_STAGE_COUNT];

// How many of something took up to so long, in µs; the last counts what took longer.
#define HISTOGRAM_BOUNDS                                                                                               \
    { 100, 250, 500, 1000, 2000, 5000, 10000, 16667, 25000, 50000, 100000, 250000, 1000000 }
#define HISTOGRAM_BOUND_COUNT 13
struct histogram {
    _Atomic uint64_t counts[HISTOGRAM_BOUND_COUNT + 1];
    _Atomic uint64_t sum_us;
};
extern const uint32_t histogram_bounds_us[HISTOGRAM_BOUND_COUNT];
void histogram_note(struct histogram *histogram, uint32_t us);

struct world_metrics {
    _Atomic uint64_t tick, ticks, commands, refusals[RESULT_COUNT], frames, frame_bytes, late_ticks, lost_us;
    _Atomic uint64_t lockstep_renewals;
    _Atomic uint64_t broadcast_bytes, broadcast_requests, broadcast_sent; // kept; requests and bytes since the start
    _Atomic bool broadcast;
    _Atomic uint32_t clients, viewers, lockstep, particles, sticks, objects;
    _Atomic uint32_t tick_us, tick_max_us, step_us, pack_us, lateness_us, real_time_permille;
    _Atomic uint64_t stage_ns[WORLD_STAGE_COUNT]; // of all ticks
    struct histogram tick_times, latenesses;
    _Atomic uint64_t turn_began_ns, turn_ended_ns; // of its worker; began 0: it is not at work
    _Atomic bool running;
    _Atomic bool waiting; // something it has taken up waits to be applied
};

// Copies the tick and the counts of the engine's world. Called by the world's worker, and by the thread that made the
// world before others can find it.
struct engine_world;
void world_metrics_note_engine(struct world_metrics *metrics, const struct engine_world *engine);

// Whether it has not had, or not ended, a turn for so long that nobody can call it well.
#define WORLD_METRICS_STUCK_NS 5000000000u
bool world_metrics_are_stuck(const struct world_metrics *metrics, uint64_t now_ns);

#endif
