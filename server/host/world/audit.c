// SPDX-License-Identifier: MIT
// The audit: who did what, as calls in the log. The log never blocks, so this may be said on a tick's path.
#include "host/world/audit.h"

#include "base/log.h"
#include "host/connection/connection_list.h"
#include "proto/message/response.h"

static bool is_told(enum config_audit audit, const struct proto_method_info *method, enum result result) {
    switch (audit) {
    case CONFIG_AUDIT_ADMIN:
        return method->role == PROTO_ROLE_ADMIN || result == RESULT_DENIED;
    case CONFIG_AUDIT_CHANGE:
        return method->role == PROTO_ROLE_ADMIN || result == RESULT_DENIED || method->kind == PROTO_KIND_CHANGE;
    case CONFIG_AUDIT_ALL:
        return true;
    case CONFIG_AUDIT_OFF:
    case CONFIG_AUDIT_COUNT:
        break;
    }
    return false;
}

void audit_note_call(const struct world *world, const struct session *session, enum proto_method method,
                     enum result result) {
    const struct proto_method_info *info = &proto_methods[method];
    if (session == NULL || !is_told(world->config->audit, info, result)) {
        return;
    }
    log_audit(&(struct log_audit){.session = session->client,
                                  .name = session->connection->facts.name,
                                  .role = proto_role_names[session->connection->facts.role],
                                  .method = info->name,
                                  .world = world->name,
                                  .tick = sim_world_tick(world->engine->sim) + 1,
                                  .code = result == RESULT_OK ? 0 : proto_error_code(result)});
}
