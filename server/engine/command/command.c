// SPDX-License-Identifier: MIT
#include "engine/command/command.h"

#include "engine/command/blade.h"
#include "engine/command/grab.h"
#include "engine/command/object.h"
#include "engine/command/particle.h"
#include "engine/command/people.h"
#include "engine/command/presence.h"
#include "engine/command/probe.h"
#include "engine/command/set.h"
#include "engine/command/spawn.h"
#include "engine/command/stick.h"
#include "engine/command/view.h"
#include "engine/command/world.h"

#define ROW(ID, name) [PROTO_METHOD_##ID] = command_##name,
const command_handler command_handlers[PROTO_METHOD_COUNT] = {PROTO_ENGINE_METHODS(ROW)};
#undef ROW

enum result command_resolve(const struct command_call *call, struct proto_ref ref, const char *pointer,
                            uint32_t *object) {
    if (!ref.is_command) {
        *object = ref.value;
        return RESULT_OK;
    }
    uint32_t made = call->made != NULL ? call->made[ref.value] : 0;
    if (made == 0) {
        return fault_set(call->fault, RESULT_INVALID, pointer, "\"$%u\" names command %u, which made no object",
                         ref.value, ref.value);
    }
    *object = made;
    return RESULT_OK;
}

uint64_t command_owner(const struct command_call *call) {
    return call->client != NULL ? call->client->owner : 0;
}
