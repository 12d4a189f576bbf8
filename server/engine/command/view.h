// SPDX-License-Identifier: MIT
// Handlers of the commands about what a client sees: frames, events, pointers, cameras, the schema.
#ifndef WEFT_ENGINE_COMMAND_VIEW_H
#define WEFT_ENGINE_COMMAND_VIEW_H

#include "engine/command/command.h"

enum result command_frames_subscribe(struct command_call *call);
enum result command_frames_unsubscribe(struct command_call *call);
enum result command_events_subscribe(struct command_call *call);
enum result command_events_unsubscribe(struct command_call *call);
enum result command_pointer_move(struct command_call *call);
enum result command_view_show(struct command_call *call);
enum result command_rpc_discover(struct command_call *call);

#endif
