// SPDX-License-Identifier: MIT
#include "host/history/snapshot_copy.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "engine/record/record.h"
#include "engine/world/names.h"
#include "sim/archive.h"

void snapshot_free(struct snapshot_job *job) {
    if (job != NULL) {
        bytes_free(&job->state);
        bytes_free(&job->extra);
        free(job);
    }
}

// `history` NULL: of a world that keeps none, or for a branch.
struct snapshot_job *snapshot_take_hashed(struct engine_world *engine, struct history *history, uint64_t hash) {
    struct snapshot_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return NULL;
    }
    unsigned char *state = bytes_reserve(&job->state, sim_world_archive_length(engine->sim));
    engine_sweep_records(engine);
    engine_save_names(engine, &job->extra);
    if (state == NULL || job->extra.failed) {
        snapshot_free(job);
        return NULL;
    }
    sim_world_archive(engine->sim, state);
    job->history = history;
    job->snapshot = (struct store_snapshot){.timeline = history != NULL ? history->timeline : 0,
                                            .tick = sim_world_tick(engine->sim),
                                            .sequence = history != NULL ? history->sequence : 0,
                                            .hash = hash,
                                            .version = ENGINE_NAMES_VERSION,
                                            .state = {job->state.data, job->state.length},
                                            .extra = {job->extra.data, job->extra.length}};
    return job;
}

struct snapshot_job *snapshot_take(struct engine_world *engine, struct history *history) {
    return snapshot_take_hashed(engine, history, sim_world_hash(engine->sim));
}

enum result snapshot_restore(struct engine_world *engine, const struct snapshot_job *kept, struct fault *fault) {
    const enum result result = sim_world_unarchive(engine->sim, kept->state.data, kept->state.length, fault);
    return result == RESULT_OK ? engine_load_names(engine, kept->extra.data, kept->extra.length, fault) : result;
}

const struct store_snapshot *snapshot_view(const struct snapshot_job *kept) {
    return &kept->snapshot;
}
