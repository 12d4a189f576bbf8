// SPDX-License-Identifier: MIT
// Handlers of the commands that look into the simulation: object.sticks, world.measure, world.contacts.
#ifndef WEFT_ENGINE_COMMAND_PROBE_H
#define WEFT_ENGINE_COMMAND_PROBE_H

#include "engine/command/command.h"

enum result command_object_sticks(struct command_call *call);
enum result command_world_measure(struct command_call *call);
enum result command_world_contacts(struct command_call *call);

#endif
