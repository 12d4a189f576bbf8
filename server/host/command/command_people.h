// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_PEOPLE_H
#define WEFT_HOST_COMMAND_COMMAND_PEOPLE_H

#include "host/world/host_call.h"

enum result command_people_grant(struct host_call *call);
enum result command_people_remove(struct host_call *call);

#endif
