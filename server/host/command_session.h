// SPDX-License-Identifier: MIT
// Handlers of methods (host/command.h).
#ifndef WEFT_HOST_COMMAND_SESSION_H
#define WEFT_HOST_COMMAND_SESSION_H

#include "host/command.h"

enum result command_session_authenticate(struct host_call *call);

#endif
