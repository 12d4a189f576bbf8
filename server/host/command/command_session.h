// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_SESSION_H
#define WEFT_HOST_COMMAND_COMMAND_SESSION_H

#include "host/world/host_call.h"

enum result command_session_authenticate(struct host_call *call);

#endif
