// SPDX-License-Identifier: MIT
// The capacities and quotas of worlds, as the configuration says.
#ifndef WEFT_HOST_CONFIG_LIMITS_H
#define WEFT_HOST_CONFIG_LIMITS_H

#include "host/config/config.h"
#include "sim/sim.h"

#define CLIENT_MESSAGE_MAX (16u * 1024u * 1024u) // bytes of a client's message

struct sim_capacity world_capacity(const struct config *config);
struct sim_capacity world_quota(const struct config *config); // of one client

#endif
