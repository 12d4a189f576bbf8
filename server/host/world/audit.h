// SPDX-License-Identifier: MIT
// Tells the log of calls, as --audit says.
#ifndef WEFT_HOST_WORLD_AUDIT_H
#define WEFT_HOST_WORLD_AUDIT_H

#include "host/world/world_state.h"

// `session` NULL: nobody's call.
void audit_note_call(const struct world *world, const struct session *session, enum proto_method method,
                     enum result result);

#endif
