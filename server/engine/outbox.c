// SPDX-License-Identifier: MIT
#include "engine/outbox.h"

#include <stdlib.h>
#include <string.h>

void outbox_free(struct outbox *outbox) {
    for (uint32_t i = 0; i < outbox->count; i++) {
        message_release(outbox->items[outbox->first + i].message);
    }
    free(outbox->items);
    free(outbox->members);
    *outbox = (struct outbox){0};
}

// ---- the queue ---------------------------------------------------------------------------------------------------

static bool reserve(struct outbox *outbox) {
    if (outbox->first > 0 && outbox->first + outbox->count == outbox->capacity) {
        memmove(outbox->items, outbox->items + outbox->first, outbox->count * sizeof *outbox->items);
        outbox->first = 0;
    }
    if (outbox->first + outbox->count < outbox->capacity) {
        return true;
    }
    const uint32_t capacity = outbox->capacity == 0 ? 64 : outbox->capacity * 2;
    struct output *items = realloc(outbox->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    outbox->items = items;
    outbox->capacity = capacity;
    return true;
}

bool outbox_add(struct outbox *outbox, enum output_kind kind, uint64_t client, struct message *take) {
    if (!reserve(outbox)) {
        message_release(take);
        return false;
    }
    outbox->items[outbox->first + outbox->count++] = (struct output){kind, client, take};
    return true;
}

bool outbox_take(struct outbox *outbox, struct output *output) {
    if (outbox->count == 0) {
        return false;
    }
    *output = outbox->items[outbox->first++];
    outbox->count--;
    if (outbox->count == 0) {
        outbox->first = 0;
    }
    return true;
}

// ---- channels ----------------------------------------------------------------------------------------------------

static struct membership *find(struct outbox *outbox, uint64_t client, uint32_t channel) {
    for (uint32_t i = 0; i < outbox->member_count; i++) {
        if (outbox->members[i].client == client && outbox->members[i].channel == channel) {
            return &outbox->members[i];
        }
    }
    return NULL;
}

void outbox_forget_client(struct outbox *outbox, uint64_t client) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < outbox->member_count; i++) {
        if (outbox->members[i].client != client) {
            outbox->members[kept++] = outbox->members[i];
        }
    }
    outbox->member_count = kept;
}

// ---- the engine's host -------------------------------------------------------------------------------------------

static void close_client(void *context, uint64_t client, uint16_t code, const char *reason) {
    (void)code;
    (void)outbox_add(context, OUTPUT_CLOSE, client, message_from_text(reason, strlen(reason)));
}

static void send(void *context, uint64_t client, struct message *take) {
    if (take == NULL || !outbox_add(context, OUTPUT_MESSAGE, client, take)) {
        close_client(context, client, 0, "out of memory");
    }
}

static void join(void *context, uint64_t client, uint32_t channel, uint32_t every_ticks, uint32_t tags) {
    struct outbox *outbox = context;
    struct membership *member = find(outbox, client, channel);
    if (member != NULL) {
        member->every_ticks = every_ticks;
        member->tags = tags;
        return;
    }
    if (outbox->member_count == outbox->member_capacity) {
        const uint32_t capacity = outbox->member_capacity == 0 ? 16 : outbox->member_capacity * 2;
        struct membership *members = realloc(outbox->members, capacity * sizeof *members);
        if (members == NULL) {
            close_client(context, client, 0, "out of memory");
            return;
        }
        outbox->members = members;
        outbox->member_capacity = capacity;
    }
    outbox->members[outbox->member_count++] = (struct membership){client, channel, every_ticks, tags, 0, 0};
}

static void leave(void *context, uint64_t client, uint32_t channel) {
    struct outbox *outbox = context;
    struct membership *member = find(outbox, client, channel);
    if (member != NULL) {
        *member = outbox->members[--outbox->member_count];
    }
}

static void publish_ordered(void *context, uint32_t channel, uint32_t tag, bool clear_state, struct message *take) {
    struct outbox *outbox = context;
    (void)clear_state; // every frame is delivered, so none follows a newer topology
    for (uint32_t i = 0; i < outbox->member_count; i++) {
        if (outbox->members[i].channel == channel && (outbox->members[i].tags & tag) != 0) {
            send(context, outbox->members[i].client, message_retain(take));
        }
    }
    message_release(take);
}

static void publish_state(void *context, uint32_t channel, uint64_t tick, struct message *take) {
    struct outbox *outbox = context;
    for (uint32_t i = 0; i < outbox->member_count; i++) {
        if (outbox->members[i].channel == channel && tick % outbox->members[i].every_ticks == 0) {
            send(context, outbox->members[i].client, message_retain(take));
        }
    }
    message_release(take);
}

// Hands a member the highest form that it can use. None is missed, so that a form can only be lacking for want of
// memory.
static void hand(struct outbox *outbox, struct membership *member, const struct message_forms *frame) {
    uint32_t before = 0;
    if (frame->number == member->number) {
        before = member->before; // the frame takes the place of the one before
    } else if (member->number != 0 && frame->number == member->number + 1) {
        before = member->before + 1 < MESSAGE_FORMS ? member->before + 1 : MESSAGE_FORMS - 1;
    }
    uint32_t form = before;
    while (form > 0 && frame->forms[form] == NULL) {
        form--;
    }
    if (frame->forms[form] == NULL) {
        member->number = 0;
        return;
    }
    member->number = frame->number;
    member->before = before;
    send(outbox, member->client, message_retain(frame->forms[form]));
}

static void publish_forms(void *context, uint32_t channel, const struct message_forms *take) {
    struct outbox *outbox = context;
    for (uint32_t i = 0; i < outbox->member_count; i++) {
        if (outbox->members[i].channel == channel) {
            hand(outbox, &outbox->members[i], take);
        }
    }
    for (uint32_t form = 0; form < MESSAGE_FORMS; form++) {
        message_release(take->forms[form]);
    }
}

static void send_state(void *context, uint64_t client, uint32_t channel, struct message *take) {
    (void)channel;
    send(context, client, take);
}

static void send_form(void *context, uint64_t client, uint32_t channel, uint64_t number, struct message *take) {
    struct membership *member = find(context, client, channel);
    if (member != NULL) {
        member->number = number;
        member->before = 0;
    }
    send(context, client, take);
}

const struct engine_host outbox_host = {.send = send,
                                        .send_at_once = send,
                                        .close = close_client,
                                        .join = join,
                                        .leave = leave,
                                        .publish_ordered = publish_ordered,
                                        .publish_state = publish_state,
                                        .publish_forms = publish_forms,
                                        .state = send_state,
                                        .form = send_form};
