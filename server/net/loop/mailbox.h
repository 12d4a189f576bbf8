// SPDX-License-Identifier: MIT
// Posts: how every other thread speaks to the net thread. `connection` is the id of a WebSocket, and for net_post_send,
// net_post_expect and net_post_close also that of a POST that is answered later. A post to one that has ended is
// dropped.
#ifndef WEFT_NET_LOOP_MAILBOX_H
#define WEFT_NET_LOOP_MAILBOX_H

#include "net/options.h"

void net_post_send(struct net_server *server, uint64_t connection, struct message *take);
// That many messages of that bundle will be sent to a WebSocket, which gets them as one array, in the order of their
// places. To a POST, that many messages will be sent in all, as an array or a single one as it is.
void net_post_expect(struct net_server *server, uint64_t connection, uint64_t number, uint32_t messages, bool array);
void net_post_close(struct net_server *server, uint64_t connection, uint16_t code, const char *reason);
// Reads again from a client that `net_hold_reading` held.
void net_post_resume_reading(struct net_server *server, uint64_t connection);
// Reads nothing from this client for so long, beside what `net_hold_reading` says.
void net_post_hold_reading(struct net_server *server, uint64_t connection, uint32_t hold_ms);
// Answers a request that `fetch` took. `file` is the name under which the browser stores it, or NULL for a text that is
// shown.
void net_post_document(struct net_server *server, uint64_t request, int status, const char *file, struct message *take);

// Channels carry broadcasts. A channel is a number that the application chooses; it exists while it has members. A
// WebSocket may join several; joining again replaces `every_ticks` and `tags`.
void net_post_join(struct net_server *server, uint64_t connection, uint32_t channel, uint32_t every_ticks,
                   uint32_t tags);
void net_post_leave(struct net_server *server, uint64_t connection, uint32_t channel);
// Ordered broadcast to members with (tags & tag) != 0: appended to each one's queue. With `clear_state` their unsent
// states of this channel are dropped first: frames of an older epoch must not follow a newer topology.
void net_post_publish_ordered(struct net_server *server, uint32_t channel, uint32_t tag, bool clear_state,
                              struct message *take);
// Broadcast of a state to members with tick % every_ticks == 0: it replaces an unsent one.
void net_post_publish_state(struct net_server *server, uint32_t channel, uint64_t tick, struct message *take);
// A state for one member: the first frame of one that joins, or a frame of a paused world.
void net_post_state(struct net_server *server, uint64_t connection, uint32_t channel, struct message *take);
// Broadcast of a frame of a stream (base/message.h): each member gets the highest form that it can use, in place of an
// unsent one; a member that missed a frame begins with form 0 again. `every_ticks` does not matter.
void net_post_publish_frame(struct net_server *server, uint32_t channel, const struct message_forms *take);
// Form 0 of that frame for one member. `number` 0: it belongs to no stream, and no frame builds on it.
void net_post_frame(struct net_server *server, uint64_t connection, uint32_t channel, uint64_t number,
                    struct message *take);

// ---- for the net thread ------------------------------------------------------------------------------------------

#define MAILBOX_POSTS_MAX 65536u // posts of any kind that wait
// States of one channel that are sent one after the other when the net thread is late: half a second of them.
#define MAILBOX_CATCH_UP_PASSES_MAX 30u

struct mailbox;

enum result mailbox_init(struct mailbox *mailbox) WEFT_MUST_USE;
void mailbox_free(struct mailbox *mailbox);
// Takes what waits. What was taken before has all been applied. Returns whether an ordered post was lost meanwhile.
bool mailbox_take(struct mailbox *mailbox);

#endif
