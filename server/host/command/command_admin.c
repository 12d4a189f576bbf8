// SPDX-License-Identifier: MIT
// For administrators: the server as a whole, who is connected, and sending somebody away.
#include "host/command/command_admin.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/job_thread.h"
#include "base/result.h"
#include "engine/state/reply.h"
#include "host/connection/connection_list.h"
#include "host/run/scheduler.h"
#include "host/status/admin.h"
#include "host/world/host_call.h"
#include "proto/message/response.h"

#define CLOSE_POLICY 1008

enum result command_server_get(struct host_call *call) {
    enum result result =
        admin_ask(call->session->connection->admin, call->session->connection_id, call->id, call->fault);
    call->deferred = result == RESULT_OK;
    return result;
}

// ---- who is connected --------------------------------------------------------------------------------------------

struct list_job {
    struct thread_job job;
    struct net_server *net;
    struct connection_list *connections;
    uint64_t connection_id;
    struct proto_id id;
};

static void describe_visitor(const struct connection_row *row, bool own, struct json_writer *out) {
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "client", row->facts.connection_id);
    json_writer_member_string(out, "world", row->facts.world_name);
    json_writer_member_unsigned(out, "session", row->session);
    json_writer_member_string(out, "address", row->facts.address);
    json_writer_member_string(out, "name", row->facts.name);
    json_writer_member_string(out, "role", proto_role_names[row->facts.role]);
    json_writer_member_boolean(out, "own", own);
    json_writer_member_double(out, "seconds", scheduler_seconds_since(row->since_ns));
    json_writer_member_double(out, "rate", row->facts.rate);
    json_writer_member_unsigned(out, "messages", row->messages);
    json_writer_member_unsigned(out, "bytesReceived", row->bytes_received);
    json_writer_member_unsigned(out, "bytesSent", row->bytes_sent);
    json_writer_member_unsigned(out, "refusals", row->refusals);
    json_writer_close_object(out);
}

// On the job thread: there may be thousands.
static void run_list(struct thread_job *base) {
    struct list_job *job = (struct list_job *)base;
    struct connection_row *rows = NULL;
    uint32_t count = 0;
    struct json_writer result, text;
    json_writer_init(&result);
    json_writer_init(&text);
    const enum result listed = connection_list_list(job->connections, &rows, &count);
    json_writer_open_object(&result);
    json_writer_key(&result, "clients");
    json_writer_open_array(&result);
    for (uint32_t i = 0; i < count; i++) {
        describe_visitor(&rows[i], rows[i].facts.connection_id == job->connection_id, &result);
    }
    json_writer_close_array(&result);
    json_writer_close_object(&result);
    proto_write_reply(&text, &job->id, &result);
    const bool failed = listed != RESULT_OK || json_writer_failed(&result) || json_writer_failed(&text);
    struct message *message = failed ? NULL : reply_message(&job->id, &text);
    if (message != NULL) {
        net_post_send(job->net, job->connection_id, message);
    } else {
        net_post_close(job->net, job->connection_id, 1013, "out of memory");
    }
    json_writer_free(&result);
    json_writer_free(&text);
    free(rows);
    free(job);
}

enum result command_client_list(struct host_call *call) {
    call->deferred = true;
    if (!call->id->present) {
        return RESULT_OK;
    }
    struct list_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return fault_set(call->fault, RESULT_MEMORY, "", "out of memory");
    }
    *job = (struct list_job){.job = {.run = run_list},
                             .net = call->world->net,
                             .connections = call->session->connection->connections,
                             .connection_id = call->session->connection_id,
                             .id = *call->id};
    if (job_thread_post(call->world->job_thread, &job->job) != RESULT_OK) {
        free(job);
        return fault_set(call->fault, RESULT_BUSY, "", "too much is being read and written: try again");
    }
    return RESULT_OK;
}

enum result command_client_close(struct host_call *call) {
    const struct proto_client_close *params = call->command->params;
    if (!connection_list_has(call->session->connection->connections, params->client)) {
        return fault_set(call->fault, RESULT_NOT_FOUND, "/client", "there is no client %llu: client.list tells who is",
                         (unsigned long long)params->client);
    }
    net_post_close(call->world->net, params->client, CLOSE_POLICY,
                   params->has_reason ? params->reason : "an owner of the server closed this connection");
    return RESULT_OK;
}
