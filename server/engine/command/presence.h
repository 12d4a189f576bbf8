// SPDX-License-Identifier: MIT
// Handlers of the commands by which people in a world meet: hands that are raised, and cameras that others follow.
#ifndef WEFT_ENGINE_COMMAND_PRESENCE_H
#define WEFT_ENGINE_COMMAND_PRESENCE_H

#include "engine/command/command.h"

enum result command_hand_raise(struct command_call *call);
enum result command_hand_lower(struct command_call *call);
enum result command_view_move(struct command_call *call);
enum result command_view_follow(struct command_call *call);
enum result command_view_present(struct command_call *call);

#endif
