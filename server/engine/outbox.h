// SPDX-License-Identifier: MIT
// The outputs of a world that nothing else carries away: messages, closings and records wait here until they are taken.
// Broadcasts are handed to the members of their channels, as a server's network does it.
#ifndef WEFT_ENGINE_OUTBOX_H
#define WEFT_ENGINE_OUTBOX_H

#include "base/message.h"
#include "engine/state/host.h"

enum output_kind { OUTPUT_MESSAGE, OUTPUT_CLOSE, OUTPUT_RECORD };

struct output {
    enum output_kind kind;
    uint64_t client;
    struct message *message; // owned; the reason of a CLOSE
};

// A client in a channel.
struct membership {
    uint64_t client;
    uint32_t channel, every_ticks, tags;
    uint64_t number; // of the newest frame of a stream that it was handed; 0: none
    uint32_t before; // frames in a row before that, up to MESSAGE_FORMS - 1
};

struct outbox { // zero is empty
    struct output *items;
    uint32_t first, count, capacity;
    struct membership *members;
    uint32_t member_count, member_capacity;
};

// The functions by which an engine sends; their context is the outbox.
extern const struct engine_host outbox_host;

void outbox_free(struct outbox *outbox);
// Takes the message. When memory runs out the message is lost: false.
bool outbox_add(struct outbox *outbox, enum output_kind kind, uint64_t client, struct message *take);
// The next output; its message is the caller's to release. False when there is none.
bool outbox_take(struct outbox *outbox, struct output *output);
void outbox_forget_client(struct outbox *outbox, uint64_t client); // its memberships end

#endif
