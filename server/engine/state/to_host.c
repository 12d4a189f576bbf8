// SPDX-License-Identifier: MIT
#include "engine/state/to_host.h"

uint64_t engine_now_ns(const struct engine_world *world) {
    return world->host.now_ns != NULL ? world->host.now_ns(world->host.context) : 0;
}

void engine_log(const struct engine_world *world, const char *sentence) {
    if (world->host.log != NULL) {
        world->host.log(world->host.context, sentence);
    }
}

void engine_close(const struct engine_world *world, uint64_t client, uint16_t code, const char *reason) {
    world->host.close(world->host.context, client, code, reason);
}

void engine_join(const struct engine_world *world, uint64_t client, uint32_t channel, uint32_t every_ticks,
                 uint32_t tags) {
    world->host.join(world->host.context, client, channel, every_ticks, tags);
}

void engine_leave(const struct engine_world *world, uint64_t client, uint32_t channel) {
    world->host.leave(world->host.context, client, channel);
}

void engine_send(const struct engine_world *world, uint64_t client, struct message *take) {
    world->host.send_at_once(world->host.context, client, take);
}

void engine_send_snapshot(const struct engine_world *world, const uint64_t *clients, uint32_t count,
                          struct message *take) {
    if (world->host.snapshot != NULL) {
        world->host.snapshot(world->host.context, clients, count, take);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        engine_send(world, clients[i], message_retain(take));
    }
    message_release(take);
}

void engine_record(const struct engine_world *world, struct message *take) {
    if (world->host.record != NULL) {
        world->host.record(world->host.context, take);
    } else {
        message_release(take);
    }
}

void engine_publish_ordered(const struct engine_world *world, uint32_t channel, uint32_t tag, bool clear_state,
                            struct message *take) {
    world->host.publish_ordered(world->host.context, channel, tag, clear_state, take);
}

void engine_publish_state(const struct engine_world *world, uint32_t channel, uint64_t tick, struct message *take) {
    world->host.publish_state(world->host.context, channel, tick, take);
}

void engine_publish_forms(const struct engine_world *world, uint32_t channel, const struct message_forms *take) {
    world->host.publish_forms(world->host.context, channel, take);
}

void engine_state(const struct engine_world *world, uint64_t client, uint32_t channel, struct message *take) {
    world->host.state(world->host.context, client, channel, take);
}

void engine_send_form(const struct engine_world *world, uint64_t client, uint32_t channel, uint64_t number,
                      struct message *take) {
    world->host.form(world->host.context, client, channel, number, take);
}

void engine_describe(const struct engine_world *world, enum engine_place place, const struct client *client,
                     struct json_writer *out) {
    if (world->host.describe != NULL) {
        world->host.describe(world->host.context, place, client, out);
    }
}
