// SPDX-License-Identifier: MIT
// Roles: which methods a client may call.
#ifndef WEFT_ENGINE_CLIENT_ROLE_H
#define WEFT_ENGINE_CLIENT_ROLE_H

#include "base/result.h"
#include "proto/message/request.h"

// Whether a role may run a command, and all those in a batch. Errors: RESULT_DENIED; the fault names the role that the
// method takes and the one that the client has.
enum result role_check(enum proto_role role, const struct proto_command *command, struct fault *fault) WEFT_MUST_USE;

#endif
