// SPDX-License-Identifier: MIT
// A world as bytes that any machine can read, with their hash, to be stored and sent. sim_world_save is for use within
// one process; this is for use beyond it.
#ifndef WEFT_SIM_ARCHIVE_H
#define WEFT_SIM_ARCHIVE_H

#include "sim/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// `bytes` has room for sim_archive_length bytes.
size_t sim_world_archive_length(const struct sim_world *world);
void sim_world_archive(const struct sim_world *world, void *bytes);
// Makes the world, of any capacity, equal to the archived world, bit for bit, epoch and sequence number included. The
// bytes may come from anybody and may be of an older physics version; then later ticks are computed with the present
// one. Errors: RESULT_INVALID (damaged, a newer version or physics version, another tick rate, an impossible world),
// RESULT_LIMIT (more than the world has room for, or than its sheets may tear into), RESULT_MEMORY; after an error the
// world is unchanged or empty.
enum result sim_world_unarchive(struct sim_world *world, const void *bytes, size_t length,
                                struct fault *fault) WEFT_MUST_USE;
// The head of an archive.
struct sim_archive_info {
    float tick_hz;
    uint32_t physics; // SIM_PHYSICS_VERSION of the arithmetic that has produced it
};
// Errors: RESULT_INVALID.
enum result sim_archive_look(const void *bytes, size_t length, struct sim_archive_info *info,
                             struct fault *fault) WEFT_MUST_USE;
// Starts an epoch that no client has seen: after `above`, and after the world's own. Called after a world was restored.
void sim_world_renew_epoch(struct sim_world *world, uint32_t above);
// Makes the next command take a number above `sequence`: for a history that is replayed without one of its commands, so
// that the ids of later objects stay the same.
void sim_world_skip_sequence(struct sim_world *world, uint32_t sequence);

#ifdef __cplusplus
}
#endif

#endif
