// SPDX-License-Identifier: MIT
// The names of a world: all that a snapshot holds beside the simulation's archive (sim/archive.h): how objects were
// made and are called, who holds what, the scene, whether the world runs. A snapshot may come from a stranger, so it is
// checked against the simulation when it is read.
//
//   version u32, running u32, next client u32, scene text, its commands (a record; empty: none)
//   objects u32, each: id u32, name text, has colour, colour u32, method text, params text, particles u32, pins (u32
//                each, as a block), pins moved u32, bits u32: 1 masses changed, 2 color, name or material set
//   obstacles u32, each: id u32, name text, has colour, colour u32
//   grabs u32, each: id, client u32
#ifndef WEFT_ENGINE_WORLD_NAMES_H
#define WEFT_ENGINE_WORLD_NAMES_H

#include "base/bytes.h"
#include "engine/state/world_state.h"

#define ENGINE_NAMES_VERSION 1u

void engine_save_names(const struct engine_world *world, struct bytes *out);
// After the simulation was restored. Errors: RESULT_INVALID (these are no names, or those of another simulation),
// RESULT_MEMORY; then there are no records.
enum result engine_load_names(struct engine_world *world, const void *bytes, size_t length,
                              struct fault *fault) WEFT_MUST_USE;

#endif
