// SPDX-License-Identifier: MIT
#include "engine/view/ticks.h"

#include "engine/state/to_host.h"

static enum result check(const struct proto_frames_subscribe *params, struct fault *fault) {
    const struct {
        bool given;
        const char *pointer;
    } refused[] = {{params->has_objects, "/objects"},
                   {params->has_every_ticks, "/everyTicks"},
                   {params->has_step, "/step"},
                   {params->has_adapt, "/adapt"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        if (refused[i].given) {
            return fault_set(fault, RESULT_INVALID, refused[i].pointer,
                             "%s is not allowed with the encoding \"ticks\": no positions are sent, and every tick is",
                             refused[i].pointer + 1);
        }
    }
    return RESULT_OK;
}

enum result ticks_subscribe(struct engine_world *world, struct client *client,
                            const struct proto_frames_subscribe *params, struct fault *fault) {
    const enum result result = check(params, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (!client->follows_ticks) {
        client->follows_ticks = true;
        world->lockstep.members++;
    } else {
        world->lockstep.renewals++;
        engine_leave(world, client->id, ENGINE_CHANNEL_TICKS); // until its snapshot: no ticks that the snapshot holds
    }
    client->wants_snapshot = true;
    world->frame_stale = true; // a world that stands shows itself, too
    return RESULT_OK;
}

void ticks_unsubscribe(struct engine_world *world, struct client *client) {
    if (!client->follows_ticks) {
        return;
    }
    client->follows_ticks = client->wants_snapshot = false;
    world->lockstep.members--;
    engine_leave(world, client->id, ENGINE_CHANNEL_TICKS);
}
