// SPDX-License-Identifier: MIT
// Worlds that between them do everything the core can, driven by fixed lists of commands: the same hashes on every
// machine.
#ifndef WEFT_TESTS_DETERMINISM_SCENARIO_H
#define WEFT_TESTS_DETERMINISM_SCENARIO_H

#include <stdint.h>

#define SCENARIO_TICKS 1000u // by when all of it has happened

// Each runs its scenario for `ticks` ticks and returns the hash of the state; 0 when a command was refused.
uint64_t scenario_hash(unsigned ticks); // scenario.c: what commands do
uint64_t method_hash(unsigned ticks);   // method.c: what touches, tears and sleeps

#endif
