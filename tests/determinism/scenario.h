// SPDX-License-Identifier: MIT
// One world that does everything the core can, driven by a fixed list of commands: the same hash on every machine.
#ifndef WEFT_TESTS_DETERMINISM_SCENARIO_H
#define WEFT_TESTS_DETERMINISM_SCENARIO_H

#include <stdint.h>

// Runs the scenario for `ticks` ticks and returns the hash of the state; 0 when a command was refused.
uint64_t scenario_hash(unsigned ticks);

#endif
