// SPDX-License-Identifier: MIT
// Where that which was read of the past ends.
#ifndef WEFT_HOST_HISTORY_HISTORY_QUERY_END_H
#define WEFT_HOST_HISTORY_HISTORY_QUERY_END_H

#include "host/history/history_query.h"

// Leaves out entries that were logged after the request: a undo is given those as they come (undo.h).
void history_query_cut_end(struct history_query *past);

#endif
