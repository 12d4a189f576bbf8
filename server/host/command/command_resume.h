// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_RESUME_H
#define WEFT_HOST_COMMAND_COMMAND_RESUME_H

#include "host/world/host_call.h"

enum result command_session_resume(struct host_call *call);

void world_resume_waiting(struct world *world, const char *key); // a session with this key has left
// The session's resume gets no reply. The requests that the session sent behind it are not applied.
void world_give_up_resume(struct world *world, struct session *session);
// For a change by a session whose resume was refused: it gets no reply, and the connection ends.
void world_end_unresumed(struct world *world, struct session *session);
void world_take_replies(struct world *world, struct item *item);

#endif
