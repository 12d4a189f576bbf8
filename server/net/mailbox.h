// SPDX-License-Identifier: MIT
// Posts: how every other thread speaks to the net thread. A post to a connection that has ended is dropped.
#ifndef WEFT_NET_MAILBOX_H
#define WEFT_NET_MAILBOX_H

#include "net/options.h"

// Channels carry broadcasts. A channel needs no creation: it is a number the application chooses, and lives while it
// has members. A peer may join several; joining again replaces `every_ticks` and `tags`.
// Ordered publishes go to members with (tags & tag) != 0; state publishes to members with tick % every_ticks == 0.

void net_post_send(struct net_server *server, uint64_t connection, struct message *take);
// So many messages of that bundle will be sent to this peer: it gets them as one array, in the order of their places.
// Of a peer that is a POST (net_answer): so many messages will be sent to it in all, as an array or one as it is.
void net_post_expect(struct net_server *server, uint64_t connection, uint64_t number, uint32_t messages, bool array);
// One state message for one peer, into its slot of `channel` (the first frame of who joins, or a frame of a paused
// world).
void net_post_state(struct net_server *server, uint64_t connection, uint32_t channel, struct message *take);
void net_post_join(struct net_server *server, uint64_t connection, uint32_t channel, uint32_t every_ticks,
                   uint32_t tags);
void net_post_leave(struct net_server *server, uint64_t connection, uint32_t channel);
// Ordered broadcast: appended to each member's queue. With `clear_state` set, members' unsent state slots of `channel`
// are emptied first: frames of an older epoch must not follow a newer topology.
void net_post_publish_ordered(struct net_server *server, uint32_t channel, uint32_t tag, bool clear_state,
                              struct message *take);
// Newest-wins broadcast.
void net_post_publish_state(struct net_server *server, uint32_t channel, uint64_t tick, struct message *take);

// A frame of a stream (base/message.h): each member gets the highest form that it can use, in its slot; the newest
// wins, and a member that missed a frame begins with form 0 again. Members' `every_ticks` do not matter.
void net_post_publish_frame(struct net_server *server, uint32_t channel, const struct message_forms *take);
// Form 0 of that frame for one member; `number` 0: a picture of its own, on which no frame builds.
void net_post_frame(struct net_server *server, uint64_t connection, uint32_t channel, uint64_t number,
                    struct message *take);

// Reads again from a peer that `net_hold_reading` held.
void net_post_resume_reading(struct net_server *server, uint64_t connection);
// Nothing is read from this peer for so long, beside what `net_hold_reading` says.
void net_post_hold_reading(struct net_server *server, uint64_t connection, uint32_t hold_ms);
// Answers a request that `fetch` took. `file` is the name under which it is kept, or NULL for a text that is shown.
void net_post_document(struct net_server *server, uint64_t request, int status, const char *file, struct message *take);
void net_post_close(struct net_server *server, uint64_t connection, uint16_t code, const char *reason);

// ---- for the net thread -------------------------------------------------------------------------------------------

#define MAILBOX_POSTS_MAX 65536u // posts of any kind that wait
// States of one channel that are sent one after the other when the net thread is late: half a second of them.
#define MAILBOX_CATCH_UP_PASSES_MAX 30u

struct mailbox;

enum result mailbox_init(struct mailbox *mailbox) WEFT_MUST_USE;
void mailbox_free(struct mailbox *mailbox);
// Replaces what was taken before, all of which has been applied. Returns whether an ordered post was lost meanwhile.
bool mailbox_take(struct mailbox *mailbox);

#endif
