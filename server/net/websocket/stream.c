// SPDX-License-Identifier: MIT
// Of each member is remembered the newest frame that it was handed, and the number of frames before that one which it
// was handed without a gap. A frame that was still in its slot when the next one came makes a gap. A member that can
// use none of the forms that come starves: its slot is emptied, and once its socket has room the application is told,
// whose next frame then has form 0. So the application packs nothing for a client that does not read.
#include "net/websocket/stream.h"

#include "net/connection/connection.h"
#include "net/websocket/membership.h"
#include "net/websocket/websocket.h"

#define TELL_AGAIN_FRAMES 60u // of starving: the application may have been too busy to answer the first time

static void end_starving(struct membership *member) {
    member->starving = false;
    member->told = 0;
}

void stream_begin(struct membership *member, uint64_t number, struct message *take) {
    member->number = number;
    member->before = 0;
    end_starving(member);
    websocket_set_state(member, take);
}

// The number of frames directly before this one that the member has.
static uint8_t count_before(const struct membership *member, uint64_t number) {
    if (number == member->number) {
        return member->before; // this frame replaces the one that the member was handed last, sent or not
    }
    const bool follows = member->number != 0 && number == member->number + 1 && member->state == NULL;
    if (!follows) {
        return 0;
    }
    return member->before + 1u < MESSAGE_FORMS ? (uint8_t)(member->before + 1u) : (uint8_t)(MESSAGE_FORMS - 1);
}

static void starve(struct membership *member) {
    count_up(member->websocket->server, COUNTER_FRAMES_SKIPPED, 1);
    message_release(member->state);
    member->state = NULL;
    member->number = 0;
    if (membership_is_hungry(member)) {
        return; // it waits already for its socket to have room
    }
    member->starving = true;
    member->told = member->told == 0 || member->told == TELL_AGAIN_FRAMES ? 0 : (uint8_t)(member->told + 1u);
    if (member->told == 0) {
        connection_ask_to_write(member->websocket->connection);
    }
}

void stream_hand(struct membership *member, const struct message_forms *frame) {
    const uint8_t before = member->starving ? 0 : count_before(member, frame->number);
    uint32_t form = before;
    while (form > 0 && frame->forms[form] == NULL) {
        form--;
    }
    if (frame->forms[form] == NULL) {
        starve(member);
        return;
    }
    member->number = frame->number;
    member->before = before;
    end_starving(member);
    websocket_set_state(member, message_retain(frame->forms[form]));
}
