// SPDX-License-Identifier: MIT
// Handlers of particle.* commands and force.apply.
#ifndef WEFT_ENGINE_COMMAND_PARTICLE_H
#define WEFT_ENGINE_COMMAND_PARTICLE_H

#include "engine/command/command.h"

enum result command_particle_pin(struct command_call *call);
enum result command_particle_unpin(struct command_call *call);
enum result command_particle_tear(struct command_call *call);
enum result command_particle_set(struct command_call *call);
enum result command_particle_move(struct command_call *call);
enum result command_force_apply(struct command_call *call);
enum result command_particle_read(struct command_call *call);

#endif
