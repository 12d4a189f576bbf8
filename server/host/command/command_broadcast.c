// SPDX-License-Identifier: MIT
// Beginning, ending and showing the broadcast of a world over HTTP (host/worlds/broadcast.h).
#include "host/command/command_broadcast.h"

#include "base/log.h"
#include "host/worlds/broadcast.h"

static void describe(const struct world *world, struct json_writer *out) {
    struct broadcast_files *files = broadcast_files_of(world);
    struct broadcast_figures figures = {0};
    if (files != NULL) {
        figures = broadcast_files_figures(files);
    }
    json_writer_member_boolean(out, "on", figures.on);
    if (!figures.on) {
        return;
    }
    json_writer_member_string(out, "path", figures.path);
    json_writer_member_boolean(out, "embed", figures.embed);
    if (figures.has_files) {
        json_writer_member_unsigned(out, "from", figures.from);
        json_writer_member_unsigned(out, "to", figures.to);
    }
    json_writer_member_unsigned(out, "bytes", figures.bytes);
    json_writer_member_unsigned(out, "requests", figures.requests);
}

enum result command_broadcast_start(struct host_call *call) {
    const struct proto_broadcast_start *params = call->command->params;
    const enum result result = broadcast_begin(call->world, params->embed, call->fault);
    if (result == RESULT_OK) {
        log_info("world", "%s: is broadcast%s", call->world->name,
                 params->embed ? "; pages of any origin may play it" : "");
        describe(call->world, call->result);
    }
    return result;
}

enum result command_broadcast_stop(struct host_call *call) {
    broadcast_end(call->world);
    json_writer_member_boolean(call->result, "on", false);
    return RESULT_OK;
}

enum result command_broadcast_get(struct host_call *call) {
    describe(call->world, call->result);
    return RESULT_OK;
}
