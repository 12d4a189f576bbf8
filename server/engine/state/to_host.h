// SPDX-License-Identifier: MIT
// The way out of a world: calls of its host's functions (engine/state/host.h).
#ifndef WEFT_ENGINE_STATE_TO_HOST_H
#define WEFT_ENGINE_STATE_TO_HOST_H

#include "engine/state/world_state.h"

uint64_t engine_now_ns(const struct engine_world *world); // 0 without a clock
void engine_log(const struct engine_world *world, const char *sentence);
void engine_close(const struct engine_world *world, uint64_t client, uint16_t code, const char *reason);
void engine_join(const struct engine_world *world, uint64_t client, uint32_t channel, uint32_t every_ticks,
                 uint32_t tags);
void engine_leave(const struct engine_world *world, uint64_t client, uint32_t channel);
void engine_send(const struct engine_world *world, uint64_t client, struct message *take); // at once
void engine_send_snapshot(const struct engine_world *world, const uint64_t *clients, uint32_t count,
                          struct message *take);
void engine_record(const struct engine_world *world, struct message *take);
void engine_publish_ordered(const struct engine_world *world, uint32_t channel, uint32_t tag, bool clear_state,
                            struct message *take);
void engine_publish_state(const struct engine_world *world, uint32_t channel, uint64_t tick, struct message *take);
void engine_publish_forms(const struct engine_world *world, uint32_t channel, const struct message_forms *take);
void engine_state(const struct engine_world *world, uint64_t client, uint32_t channel, struct message *take);
void engine_send_form(const struct engine_world *world, uint64_t client, uint32_t channel, uint64_t number,
                      struct message *take);
void engine_describe(const struct engine_world *world, enum engine_place place, const struct client *client,
                     struct json_writer *out);

#endif
