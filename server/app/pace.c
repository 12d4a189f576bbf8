// SPDX-License-Identifier: MIT
// Viewers that cannot keep up. One that keeps missing frames sees a stutter: after each gap it needs a frame that
// builds on nothing, the largest there is. So one that asked to adapt is moved to every 2nd, 4th, 8th frame when it has
// two gaps within two seconds, and back by one such tier when it had none for a while. That while doubles whenever the
// faster tier turns out to be too much, so that a viewer settles.
#include "app/world.h"
#include "proto/message/response.h"

#define TIERS_MOST 3u
#define GAPS_APART_NS 2000000000u // two gaps closer than that are too many
#define PATIENCE_LEAST_NS 4000000000u
#define PATIENCE_MOST_NS 64000000000u

void pace_begin(struct pace *pace, bool adapts, uint32_t every_ticks) {
    *pace = (struct pace){.adapts = adapts, .asked_ticks = every_ticks, .patience_ns = PATIENCE_LEAST_NS};
}

static void tell(struct world *world, const struct session *session) {
    if ((session->events & (1u << PROTO_EVENT_NAME_FRAMES_PACED)) == 0) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "everyTicks", session->every_ticks);
    json_writer_member_unsigned(&world->text, "tick", sim_world_tick(world->sim));
    json_writer_close_object(&world->text);
    json_writer_clear(&world->reply);
    proto_write_event(&world->reply, proto_event_names[PROTO_EVENT_NAME_FRAMES_PACED], world->text.data,
                      world->text.length);
    world_send_text(world, session->peer, &world->reply);
}

static void change_tier(struct world *world, struct session *session, uint32_t tier, uint64_t now_ns) {
    if (world_change_rate(world, session, session->pace.asked_ticks << tier)) {
        session->pace.rose = tier < session->pace.tier;
        session->pace.tier = tier;
        tell(world, session);
    }
    session->pace.changed_ns = now_ns; // also when there was no room: not again at once
}

void pace_note_gap(struct world *world, struct session *session, uint64_t now_ns) {
    struct pace *pace = &session->pace;
    const uint64_t before_ns = pace->gap_ns;
    pace->gap_ns = now_ns;
    if (!pace->adapts || pace->tier == TIERS_MOST || before_ns == 0 || now_ns - before_ns > GAPS_APART_NS) {
        return;
    }
    const bool rose_lately = pace->rose && now_ns - pace->changed_ns < pace->patience_ns;
    if (rose_lately && pace->patience_ns < PATIENCE_MOST_NS) {
        pace->patience_ns *= 2;
    }
    change_tier(world, session, pace->tier + 1, now_ns);
    pace->gap_ns = 0; // the new tier is judged by its own
}

void pace_reconsider(struct world *world, uint64_t now_ns) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        struct session *session = &world->sessions[i];
        const struct pace *pace = &session->pace;
        const uint64_t last_ns = pace->gap_ns > pace->changed_ns ? pace->gap_ns : pace->changed_ns;
        if (session->variant != WORLD_NO_VARIANT && pace->tier > 0 && now_ns > last_ns &&
            now_ns - last_ns >= pace->patience_ns) {
            change_tier(world, session, pace->tier - 1, now_ns);
        }
    }
}
