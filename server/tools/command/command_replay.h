// SPDX-License-Identifier: MIT
// weftctl replay: describes a capsule, or replays it and compares the hashes.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_REPLAY_H
#define WEFT_TOOLS_COMMAND_COMMAND_REPLAY_H

#include "tools/command/command_entry.h"

extern const struct command command_replay;

#endif
