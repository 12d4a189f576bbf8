// SPDX-License-Identifier: MIT
// Methods about the nodes that share their worlds.
#ifndef WEFT_HOST_COMMAND_COMMAND_NODE_H
#define WEFT_HOST_COMMAND_COMMAND_NODE_H

#include "host/world/host_call.h"

enum result command_node_list(struct host_call *call);
enum result command_node_drain(struct host_call *call);

#endif
