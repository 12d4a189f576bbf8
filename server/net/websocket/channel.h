// SPDX-License-Identifier: MIT
// Broadcasts to the members of a channel.
#ifndef WEFT_NET_WEBSOCKET_CHANNEL_H
#define WEFT_NET_WEBSOCKET_CHANNEL_H

#include "net/connection/state.h"

void channel_join(struct websocket *websocket, uint32_t number, uint32_t every_ticks, uint32_t tags);
void channel_leave(struct websocket *websocket, uint32_t number);
// For one member: a state, or form 0 of a frame.
void channel_state(struct websocket *websocket, uint32_t number, struct message *take);
void channel_frame(struct websocket *websocket, uint32_t number, uint64_t frame, struct message *take);

void channel_publish_ordered(struct net_server *server, uint32_t number, uint32_t tag, bool clear_state,
                             struct message *message);
void channel_publish_frame(struct net_server *server, uint32_t number, const struct message_forms *frame);
void channel_publish_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                           struct message *message);
// Instead of publishing, for a state that a newer one follows in this pass: keeps it for members that get it later.
// Members with `every_ticks` over 1 get it all the same.
void channel_pass_over_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                             struct message *message);
// The same for a state that is late: it is sent when the next one would be due, unless that one comes first.
void channel_hold_state(struct net_server *server, uint32_t number, uint64_t tick, lws_usec_t posted_us,
                        struct message *message);

// Whether a state was published in this pass.
bool channel_is_published(struct net_server *server, uint32_t number);
// Whether sending a state to all members took long when that was last done at once.
bool channel_is_slow(struct net_server *server, uint32_t number);
// Whether sending the state that was posted then would delay later ones too, which could otherwise be in time.
bool channel_is_late(struct net_server *server, uint32_t number, lws_usec_t posted_us);

#endif
