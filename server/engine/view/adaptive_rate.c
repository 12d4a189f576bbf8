// SPDX-License-Identifier: MIT
// A viewer that keeps missing frames stutters: after each gap it needs a frame that builds on nothing, the largest
// there is. So a viewer that asked to adapt is moved to every 2nd, 4th, 8th frame when it has two gaps within two
// seconds, and back by one such tier when it had no gap for some time. That time doubles whenever the faster tier turns
// out to be too much, so that a viewer settles.
#include "engine/view/adaptive_rate.h"

#include "engine/client/client.h"
#include "engine/state/reply.h"
#include "engine/state/to_host.h"
#include "engine/view/variant.h"
#include "proto/message/response.h"

#define TIERS_MOST 3u
#define GAPS_APART_NS 2000000000u // two gaps closer than that are too many
#define PATIENCE_LEAST_NS 4000000000u
#define PATIENCE_MOST_NS 64000000000u

void adaptive_rate_begin(struct adaptive_rate *rate, bool adapts, uint32_t every_ticks) {
    *rate = (struct adaptive_rate){.adapts = adapts, .asked_ticks = every_ticks, .patience_ns = PATIENCE_LEAST_NS};
}

static void tell(struct engine_world *world, const struct client *client) {
    if ((client->events & (1u << PROTO_EVENT_NAME_FRAMES_PACED)) == 0) {
        return;
    }
    json_writer_clear(&world->text);
    json_writer_open_object(&world->text);
    json_writer_member_unsigned(&world->text, "everyTicks", client->every_ticks);
    json_writer_member_unsigned(&world->text, "tick", sim_world_tick(world->sim));
    json_writer_close_object(&world->text);
    json_writer_clear(&world->reply);
    proto_write_event(&world->reply, proto_event_names[PROTO_EVENT_NAME_FRAMES_PACED], &world->text);
    engine_send_text(world, client->id, &world->reply);
}

static void change_tier(struct engine_world *world, struct client *client, uint32_t tier, uint64_t now_ns) {
    if (engine_change_rate(world, client, client->rate.asked_ticks << tier)) {
        client->rate.rose = tier < client->rate.tier;
        client->rate.tier = tier;
        tell(world, client);
    }
    client->rate.changed_ns = now_ns; // also when there was no room: not again at once
}

static void note_gap(struct engine_world *world, struct client *client, uint64_t now_ns) {
    struct adaptive_rate *rate = &client->rate;
    const uint64_t before_ns = rate->gap_ns;
    rate->gap_ns = now_ns;
    if (!rate->adapts || rate->tier == TIERS_MOST || before_ns == 0 || now_ns - before_ns > GAPS_APART_NS) {
        return;
    }
    const bool rose_lately = rate->rose && now_ns - rate->changed_ns < rate->patience_ns;
    if (rose_lately && rate->patience_ns < PATIENCE_MOST_NS) {
        rate->patience_ns *= 2;
    }
    change_tier(world, client, rate->tier + 1, now_ns);
    rate->gap_ns = 0; // the new tier is judged by its own
}

void engine_note_starved(struct engine_world *world, uint64_t id) {
    struct client *client = engine_find_client(world, id);
    if (client != NULL && engine_feed_starved(world, client)) {
        note_gap(world, client, engine_now_ns(world));
    }
}

void adaptive_rate_reconsider(struct engine_world *world, uint64_t now_ns) {
    for (uint32_t i = 0; i < world->client_count; i++) {
        struct client *client = &world->clients[i];
        const struct adaptive_rate *rate = &client->rate;
        const uint64_t last_ns = rate->gap_ns > rate->changed_ns ? rate->gap_ns : rate->changed_ns;
        if (client->variant != ENGINE_NO_VARIANT && rate->tier > 0 && now_ns > last_ns &&
            now_ns - last_ns >= rate->patience_ns) {
            change_tier(world, client, rate->tier - 1, now_ns);
        }
    }
}
