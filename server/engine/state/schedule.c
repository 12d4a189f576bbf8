// SPDX-License-Identifier: MIT
#include "engine/state/schedule.h"

#include "engine/state/tick.h"

enum schedule engine_schedule(const struct engine_world *world, const struct proto_command *command, uint32_t own,
                              uint32_t all, struct fault *fault) {
    const uint64_t tick = command->at_tick, next = engine_next_tick(world);
    const uint64_t last = next - 1 + (uint64_t)(SCHEDULE_SECONDS * sim_world_tick_hz(world->sim));
    const bool late = tick < next;
    if (!command->has_at_tick || tick == next || (late && command->method == PROTO_METHOD_GRAB_MOVE)) {
        return SCHEDULE_NOW;
    }
    if (late) {
        fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at least %llu, the next tick, got %llu",
                  (unsigned long long)next, (unsigned long long)tick);
    } else if (tick > last) {
        fault_set(fault, RESULT_INVALID, "/atTick", "atTick must be at most %llu, %.0f s ahead, got %llu",
                  (unsigned long long)last, (double)SCHEDULE_SECONDS, (unsigned long long)tick);
    } else if (own >= SCHEDULE_OWN_MAX) {
        fault_set(fault, RESULT_BUSY, "/atTick",
                  "%u requests of yours wait for their tick already: try again when some are done", own);
    } else if (all >= SCHEDULE_MAX) {
        fault_set(fault, RESULT_BUSY, "/atTick",
                  "%u requests wait for their tick already: try again when some are done", all);
    } else {
        return SCHEDULE_LATER;
    }
    return SCHEDULE_REFUSED;
}
