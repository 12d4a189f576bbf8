// SPDX-License-Identifier: MIT
// The clients of a world. What is known of a client is no state of the world: it is not recorded, not saved, and goes
// with the client.
#ifndef WEFT_ENGINE_CLIENT_CLIENT_H
#define WEFT_ENGINE_CLIENT_CLIENT_H

#include "engine/state/world_state.h"

// NULL when there is none with this id. Valid until the next client joins or leaves.
struct client *engine_find_client(struct engine_world *world, uint64_t id);
// By the number that others know it by; NULL when there is none. A passing client is none.
struct client *engine_find_number(struct engine_world *world, uint32_t number);
// Of those that stay.
uint32_t engine_count_clients(const struct engine_world *world);
// The sender of a recorded command.
struct client engine_logged_client(uint32_t number);
void engine_free_clients(struct engine_world *world);

void client_describe(const struct client *client, struct json_writer *out); // members of an open object
// Queues and sends an event about the client; `counted` adds how many clients there are. A passing client is not told
// of.
void client_tell(struct engine_world *world, enum proto_event_name name, const struct client *client, bool counted);
void client_tell_changed(struct engine_world *world, const struct client *client);
void client_forget_selection(struct client *client);

#endif
