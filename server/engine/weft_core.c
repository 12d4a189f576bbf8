// SPDX-License-Identifier: MIT
#include "engine/weft_core.h"

#include "engine/client/client.h"
#include "engine/command/world.h"
#include "engine/record/tick_event.h"
#include "engine/state/event.h"
#include "engine/state/reply.h"
#include "engine/view/variant.h"
#include "engine/world/lockstep.h"

static void end_step(struct weft_world *world) {
    struct engine_world *engine = world->engine;
    engine->stepping = false;
    engine_tell_changed(engine, "step");
    engine_flush_events(engine);
    json_writer_clear(&engine->result);
    json_writer_open_object(&engine->result);
    json_writer_member_unsigned(&engine->result, "tick", sim_world_tick(engine->sim));
    json_writer_close_object(&engine->result);
    if (engine_find_client(engine, world->step_client) != NULL) {
        engine_send_result(engine, world->step_client, &world->step_id, &engine->result);
    }
}

void weft_core_show(struct weft_world *world) {
    struct engine_world *engine = world->engine;
    if (engine->frame_stale || engine->published_epoch != sim_world_epoch(engine->sim)) {
        engine_publish(engine, true);
        lockstep_publish(engine, true);
    }
    engine_feed_all_starved(engine);
}

void weft_core_step(struct weft_world *world) {
    struct engine_world *engine = world->engine;
    sim_world_step(engine->sim);
    engine->revision++;
    engine_publish(engine, false);
    lockstep_publish(engine, false);
    engine_tell_tick_events(engine);
    if (engine->stepping && sim_world_tick(engine->sim) >= world->step_until) {
        end_step(world);
    }
}
