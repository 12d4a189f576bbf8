// SPDX-License-Identifier: MIT
// The capacities and quotas of worlds, as the configuration says.
#ifndef WEFT_HOST_LIMITS_H
#define WEFT_HOST_LIMITS_H

#include "host/config.h"
#include "sim/sim.h"

struct sim_capacity world_capacity(const struct config *config);
struct sim_capacity world_quota(const struct config *config); // of one client

#endif
