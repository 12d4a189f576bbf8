// SPDX-License-Identifier: MIT
// The table of commands, and what their handlers share.
#include "app/command.h"

#include "app/roster.h"

#define ROW(ID, name) [PROTO_METHOD_##ID] = command_##name,
const command_handler command_handlers[PROTO_METHOD_COUNT] = {PROTO_ENGINE_METHODS(ROW) PROTO_HOST_METHODS(ROW)};
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
    const struct visitor *visitor = call->session != NULL ? call->session->visitor : NULL;
    return visitor != NULL ? visitor->owner : 0; // a client of long ago is not known any more
}

uint64_t command_next_tick(const struct world *world) {
    return sim_world_tick(world->sim) + 1;
}
