// SPDX-License-Identifier: MIT
#include "host/connection/moved.h"

#include "base/message.h"
#include "proto/json/json_writer.h"
#include "proto/message/response.h"

#define CLOSE_RESTART 1012 // IANA's registry of close codes: Service Restart

static struct message *write_moved(const char *url) {
    struct json_writer params, text;
    json_writer_init(&params);
    json_writer_init(&text);
    json_writer_open_object(&params);
    json_writer_member_string(&params, "url", url);
    json_writer_close_object(&params);
    proto_write_event(&text, "world.moved", &params);
    const bool failed = json_writer_failed(&params) || json_writer_failed(&text);
    struct message *message = failed ? NULL : message_from_text(text.data, text.length);
    json_writer_free(&params);
    json_writer_free(&text);
    return message;
}

void moved_tell(struct net_server *net, uint64_t connection_id, const char *url) {
    struct message *message = url[0] != '\0' ? write_moved(url) : NULL;
    if (message != NULL) {
        net_post_send(net, connection_id, message);
    }
    net_post_close(net, connection_id, CLOSE_RESTART,
                   message != NULL ? "the world is on another node" : "the world is coming to another node");
}
