// SPDX-License-Identifier: MIT
// Where that which was read of the past ends.
#ifndef WEFT_HOST_PAST_END_H
#define WEFT_HOST_PAST_END_H

#include "host/past.h"

// Leaves out entries that were logged after the request: a rework is given those as they come (rework.h).
void past_cut_end(struct past *past);

#endif
