// SPDX-License-Identifier: MIT
// A world as bytes that any machine reads, whichever made them, with their hash: to be kept and sent. What
// sim_world_save is within one process, this is beyond it.
#ifndef WEFT_SIM_ARCHIVE_H
#define WEFT_SIM_ARCHIVE_H

#include "sim/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// `bytes` has room for the length.
size_t sim_world_archive_length(const struct sim_world *world);
void sim_world_archive(const struct sim_world *world, void *bytes);
// Makes the world, of whatever capacity, what was archived, bit for bit, epoch and sequence number included. The bytes
// may come from anybody, and may be of an older physics version: then what follows is computed with the present one.
// Errors: RESULT_INVALID (not those that were written, a newer version or physics version, another tick rate, no
// possible world), RESULT_LIMIT (more than it has room for, or than its sheets may tear into), RESULT_MEMORY; then the
// world is what it was, or empty.
enum result sim_world_unarchive(struct sim_world *world, const void *bytes, size_t length,
                                struct fault *fault) WEFT_MUST_USE;
// What an archive says of itself.
struct sim_archive_info {
    float tick_hz;
    uint32_t physics; // SIM_PHYSICS_VERSION of the arithmetic that made it
};
// Errors: RESULT_INVALID.
enum result sim_archive_look(const void *bytes, size_t length, struct sim_archive_info *info,
                             struct fault *fault) WEFT_MUST_USE;
// A world that was brought back begins an epoch that no one has seen: after `above`, and after its own.
void sim_world_renew_epoch(struct sim_world *world, uint32_t above);
// The next command takes a number above `sequence`: for a history that is replayed without one of its commands, so that
// the ids of what follows stay the same.
void sim_world_skip_sequence(struct sim_world *world, uint32_t sequence);

#ifdef __cplusplus
}
#endif

#endif
