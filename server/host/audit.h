// SPDX-License-Identifier: MIT
// Tells the log of calls, as --audit says.
#ifndef WEFT_HOST_AUDIT_H
#define WEFT_HOST_AUDIT_H

#include "host/world_state.h"

// `session` NULL: nobody's call.
void world_note_deed(const struct world *world, const struct session *session, enum proto_method method,
                     enum result result);

#endif
