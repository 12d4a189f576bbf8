// SPDX-License-Identifier: MIT
// Who lets nobody else change a world (command_present.c). On its world's thread.
#ifndef WEFT_HOST_WORLD_FREEZE_H
#define WEFT_HOST_WORLD_FREEZE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/result.h"
#include "engine/state/person.h"
#include "proto/json/json_writer.h"

#define FREEZE_TOKEN_MAX 9     // bytes of a token's id and the end
#define FREEZE_MESSAGE_MAX 481 // 120 characters of UTF-8 and the end

struct session;
struct world;

struct freeze {
    bool on;
    uint64_t connection_id; // whose connection
    uint32_t client;        // and its number
    char token[FREEZE_TOKEN_MAX], name[PERSON_NAME_MAX];
    char message[FREEZE_MESSAGE_MAX]; // "" without one
    uint64_t since_ns;                // of the monotonic clock
};

// Whether the session may end and change the freeze as its own.
bool freeze_is_presenter(const struct freeze *freeze, const struct session *session);
// Whether somebody else lets nobody change the world; `session` NULL: of somebody who has left. Errors: RESULT_FROZEN.
enum result world_check_freeze(const struct world *world, const struct session *session,
                               struct fault *fault) WEFT_MUST_USE;
// The member `frozen`, into an open object; `session` NULL: for all.
void describe_freeze(const struct world *world, const struct session *session, struct json_writer *out);

#endif
