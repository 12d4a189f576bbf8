// SPDX-License-Identifier: MIT
// For administrators: the server as a whole, who is connected, and sending somebody away.
#include <stdio.h>
#include <stdlib.h>

#include "app/admin.h"
#include "app/clerk.h"
#include "app/command.h"
#include "app/roster.h"

#define CLOSE_POLICY 1008

enum result command_server_get(struct command_call *call) {
    enum result result = admin_ask(call->session->visitor->admin, call->session->peer, call->id, call->fault);
    call->deferred = result == RESULT_OK;
    return result;
}

// ---- who is connected --------------------------------------------------------------------------------------------

struct list_job {
    struct clerk_job job;
    struct net_server *net;
    struct roster *roster;
    uint64_t peer;
    struct proto_id id;
};

static void describe_visitor(const struct visitor_row *row, bool own, struct proto_text *out) {
    proto_text_open_object(out);
    proto_text_member_unsigned(out, "client", row->facts.peer);
    proto_text_member_string(out, "world", row->facts.world_name);
    proto_text_member_unsigned(out, "session", row->session);
    proto_text_member_string(out, "address", row->facts.address);
    proto_text_member_string(out, "name", row->facts.name);
    proto_text_member_string(out, "role", proto_role_names[row->facts.role]);
    proto_text_member_boolean(out, "own", own);
    proto_text_member_real(out, "seconds", pool_seconds_since(row->since_ns));
    proto_text_member_real(out, "rate", row->facts.rate);
    proto_text_member_unsigned(out, "messages", row->messages);
    proto_text_member_unsigned(out, "bytesReceived", row->bytes_received);
    proto_text_member_unsigned(out, "bytesSent", row->bytes_sent);
    proto_text_member_unsigned(out, "refusals", row->refusals);
    proto_text_close_object(out);
}

// On the clerk's thread: there may be thousands.
static void run_list(struct clerk_job *base) {
    struct list_job *job = (struct list_job *)base;
    struct visitor_row *rows = NULL;
    uint32_t count = 0;
    struct proto_text result, text;
    proto_text_init(&result);
    proto_text_init(&text);
    const enum result listed = roster_list(job->roster, &rows, &count);
    proto_text_open_object(&result);
    proto_text_key(&result, "clients");
    proto_text_open_array(&result);
    for (uint32_t i = 0; i < count; i++) {
        describe_visitor(&rows[i], rows[i].facts.peer == job->peer, &result);
    }
    proto_text_close_array(&result);
    proto_text_close_object(&result);
    proto_write_reply(&text, &job->id, result.data, result.length);
    const bool failed = listed != RESULT_OK || proto_text_failed(&result) || proto_text_failed(&text);
    struct message *message = failed ? NULL : reply_message(&job->id, &text);
    if (message != NULL) {
        net_post_send(job->net, job->peer, message);
    } else {
        net_post_close(job->net, job->peer, 1013, "out of memory");
    }
    proto_text_free(&result);
    proto_text_free(&text);
    free(rows);
    free(job);
}

enum result command_client_list(struct command_call *call) {
    call->deferred = true;
    if (!call->id->present) {
        return RESULT_OK;
    }
    struct list_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    *job = (struct list_job){.job = {run_list},
                             .net = call->world->net,
                             .roster = call->session->visitor->roster,
                             .peer = call->session->peer,
                             .id = *call->id};
    if (clerk_post(call->world->clerk, &job->job) != RESULT_OK) {
        free(job);
        return fault_set(call->fault, RESULT_BUSY, "", "too much is being read and written: try again");
    }
    return RESULT_OK;
}

enum result command_client_close(struct command_call *call) {
    const struct proto_client_close *params = call->command->params;
    if (!roster_has(call->session->visitor->roster, params->client)) {
        return fault_set(call->fault, RESULT_NOT_FOUND, "/client", "there is no client %llu: client.list tells who is",
                         (unsigned long long)params->client);
    }
    net_post_close(call->world->net, params->client, CLOSE_POLICY,
                   params->has_reason ? params->reason : "an administrator closed this connection");
    return RESULT_OK;
}
