// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_ADMIN_H
#define WEFT_HOST_COMMAND_COMMAND_ADMIN_H

#include "host/world/host_call.h"

enum result command_server_get(struct host_call *call);
enum result command_client_list(struct host_call *call);
enum result command_client_close(struct host_call *call);

#endif
