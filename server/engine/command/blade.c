// SPDX-License-Identifier: MIT
#include "engine/command/blade.h"

#include "engine/gen/descriptions.h"

// Sets where the far end of the blade is at each place of its path.
static enum result read_far(const struct proto_blade_cut *params, float far[3 * SIM_BLADE_PLACES_MAX],
                            struct fault *fault) {
    if (params->has_far_path == params->has_blade) {
        return fault_set(fault, RESULT_INVALID, params->has_blade ? "/blade" : "/farPath",
                         "the far end of the blade needs exactly one of farPath and blade");
    }
    if (params->has_far_path && params->far_path.count != params->path.count) {
        return fault_set(fault, RESULT_INVALID, "/farPath", "farPath must have as many points as path, %u, got %u",
                         params->path.count / 3, params->far_path.count / 3);
    }
    const float arm[3] = {params->blade.x, params->blade.y, params->blade.z};
    for (uint32_t i = 0; i < params->path.count; i++) {
        far[i] = params->has_far_path ? params->far_path.items[i] : params->path.items[i] + arm[i % 3];
    }
    return RESULT_OK;
}

enum result command_blade_cut(struct command_call *call) {
    const struct proto_blade_cut *params = call->command->params;
    float far[3 * SIM_BLADE_PLACES_MAX];
    uint32_t object = 0;
    enum result result = RESULT_OK;
    if (params->has_object) {
        result = command_resolve(call, params->object, "/object", &object);
    }
    if (result == RESULT_OK) {
        result = read_far(params, far, call->fault);
    }
    const struct sim_blade blade = {params->path.items, far, params->path.count / 3};
    struct sim_blade_result cut = {0};
    if (result == RESULT_OK) {
        result = sim_blade_cut(call->world->sim, object, &blade, &cut, call->fault);
    }
    if (result == RESULT_OK) {
        json_writer_member_unsigned(call->result, "objects", cut.objects);
        json_writer_member_unsigned(call->result, "made", cut.made);
        json_writer_member_unsigned(call->result, "sticks", cut.sticks);
    }
    return result;
}
