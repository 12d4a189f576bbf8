// SPDX-License-Identifier: MIT
#include "engine/world/world_snapshot.h"

#include "engine/record/record.h"
#include "engine/world/names.h"
#include "engine/world/snapshot_message.h"
#include "sim/archive.h"

void engine_write_snapshot(struct engine_world *world, uint64_t sequence, struct bytes *out) {
    struct bytes names = {0};
    const struct snapshot_message message = {
        .physics = SIM_PHYSICS_VERSION, .sequence = sequence, .state_size = sim_world_archive_length(world->sim)};
    engine_sweep_records(world);
    engine_save_names(world, &names);
    unsigned char *state = snapshot_message_begin(out, &message);
    if (state != NULL) {
        sim_world_archive(world->sim, state);
    }
    snapshot_message_end(out, names.data, names.length);
    out->failed = out->failed || names.failed;
    bytes_free(&names);
}

enum result engine_read_snapshot(struct engine_world *world, const void *bytes, size_t length, uint64_t *sequence,
                                 struct fault *fault) {
    struct snapshot_message message;
    enum result result = snapshot_message_read(bytes, length, &message, fault);
    if (result == RESULT_OK && message.physics != SIM_PHYSICS_VERSION) {
        result = fault_set(fault, RESULT_INVALID, "",
                           "the snapshot is of physics version %u, this engine computes version %u", message.physics,
                           SIM_PHYSICS_VERSION);
    }
    if (result == RESULT_OK) {
        result = sim_world_unarchive(world->sim, message.state, message.state_size, fault);
    }
    if (result == RESULT_OK) {
        result = engine_load_names(world, message.names, message.names_size, fault);
    }
    if (result == RESULT_OK) {
        *sequence = message.sequence;
    }
    return result;
}
