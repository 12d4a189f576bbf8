// SPDX-License-Identifier: MIT
#include "host/world/timing.h"

#include "host/run/scheduler.h"
#include "host/world/world_metrics.h"

#define SMOOTHING (1.0 / 16.0) // weight of the newest tick: a change shows to 63 % after 16 ticks

static uint64_t read_clock(void *context) {
    (void)context;
    return scheduler_now_ns();
}

void timing_attach(struct world *world) {
    sim_world_set_stopwatch(world->engine->sim, &(struct sim_stopwatch){.now_ns = read_clock});
}

static void smooth(struct world *world, uint32_t stage, uint64_t ns) {
    double *mean = &world->stage_ms[stage];
    atomic_fetch_add_explicit(&world->metrics.stage_ns[stage], ns, memory_order_relaxed);
    *mean += ((double)ns / 1e6 - *mean) * (world->stages_known ? SMOOTHING : 1.0);
}

void timing_note_stages(struct world *world, uint64_t commands_ns, uint64_t publish_ns) {
    const uint64_t encode_ns =
        world->engine->statistics.encode_ns < publish_ns ? world->engine->statistics.encode_ns : publish_ns;
    for (uint32_t stage = 0; stage < SIM_STAGE_COUNT; stage++) {
        smooth(world, stage, sim_world_stage_ns(world->engine->sim, (enum sim_stage)stage));
    }
    smooth(world, WORLD_STAGE_COMMANDS, commands_ns);
    smooth(world, WORLD_STAGE_ENCODE, encode_ns);
    smooth(world, WORLD_STAGE_SEND, publish_ns - encode_ns);
    world->stages_known = true;
    world->engine->statistics.encode_ns = 0;
}

static double milliseconds(uint32_t microseconds) {
    return (double)microseconds / 1000.0;
}

static void describe_stages(const struct world *world, struct json_writer *out) {
    json_writer_key(out, "stagesMs");
    json_writer_open_object(out);
    for (uint32_t stage = 0; stage < WORLD_STAGE_COUNT; stage++) {
        const uint64_t us = (uint64_t)(1000.0 * world->stage_ms[stage] + 0.5); // more digits would be noise
        json_writer_member_double(out, world_stage_names[stage], (double)us / 1000.0);
    }
    json_writer_close_object(out);
}

void describe_timing(const struct world *world, struct json_writer *out) {
    const struct world_metrics *metrics = &world->metrics;
    json_writer_key(out, "timing");
    json_writer_open_object(out);
    json_writer_member_double(out, "tickMs", milliseconds(atomic_load(&metrics->tick_us)));
    json_writer_member_double(out, "tickMaxMs", milliseconds(atomic_load(&metrics->tick_max_us)));
    json_writer_member_double(out, "stepMs", milliseconds(atomic_load(&metrics->step_us)));
    json_writer_member_double(out, "packMs", milliseconds(atomic_load(&metrics->pack_us)));
    describe_stages(world, out);
    json_writer_member_double(out, "latenessMs", milliseconds(atomic_load(&metrics->lateness_us)));
    json_writer_member_unsigned(out, "lateTicks", atomic_load(&metrics->late_ticks));
    json_writer_member_double(out, "lostMs", (double)atomic_load(&metrics->lost_us) / 1000.0);
    json_writer_member_double(out, "realTimeFactor", (double)atomic_load(&metrics->real_time_permille) / 1000.0);
    json_writer_member_unsigned(out, "clients", atomic_load(&metrics->clients));
    json_writer_member_unsigned(out, "viewers", atomic_load(&metrics->viewers));
    json_writer_member_unsigned(out, "frameBytes", atomic_load(&metrics->frame_bytes));
    json_writer_close_object(out);
}
