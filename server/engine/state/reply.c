// SPDX-License-Identifier: MIT
#include "engine/state/reply.h"

#include "engine/state/to_host.h"
#include "proto/message/response.h"

struct message *reply_message(const struct proto_id *id, const struct json_writer *text) {
    struct message *message = json_writer_failed(text) ? NULL : message_from_text(text->data, text->length);
    if (message != NULL) {
        message_set_bundle(message, id->bundle);
    }
    return message;
}

static void send(const struct engine_world *world, uint64_t client, struct message *take) {
    if (take == NULL) {
        engine_log(world, "out of memory for a reply");
    }
    world->host.send(world->host.context, client, take);
}

void engine_send_reply(struct engine_world *world, uint64_t client, const struct proto_id *id) {
    send(world, client, reply_message(id, &world->reply));
}

void engine_send_text(struct engine_world *world, uint64_t client, const struct json_writer *text) {
    send(world, client, json_writer_failed(text) ? NULL : message_from_text(text->data, text->length));
}

void engine_send_result(struct engine_world *world, uint64_t client, const struct proto_id *id,
                        const struct json_writer *result) {
    if (id->present && client != ENGINE_NO_CLIENT) {
        json_writer_clear(&world->reply);
        proto_write_reply(&world->reply, id, result);
        engine_send_reply(world, client, id);
    }
}

void engine_send_fault(struct engine_world *world, uint64_t client, const struct proto_id *id,
                       const struct fault *fault) {
    if (id->present && client != ENGINE_NO_CLIENT) {
        json_writer_clear(&world->reply);
        proto_write_error(&world->reply, id, fault);
        engine_send_reply(world, client, id);
    }
}
