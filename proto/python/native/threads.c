// SPDX-License-Identifier: MIT
// The server's helpers of a tick.
#include "host/run/parallel_for.c"
