// SPDX-License-Identifier: MIT
#include "engine/record/tick_event.h"

#include "engine/state/event.h"

static const enum proto_event_name event_of[] = {
    [SIM_EVENT_TORN] = PROTO_EVENT_NAME_STICK_BROKEN,   [SIM_EVENT_QUARANTINED] = PROTO_EVENT_NAME_BODY_QUARANTINED,
    [SIM_EVENT_SLEPT] = PROTO_EVENT_NAME_OBJECT_SLEPT,  [SIM_EVENT_WOKE] = PROTO_EVENT_NAME_OBJECT_WOKE,
    [SIM_EVENT_BROKEN] = PROTO_EVENT_NAME_STICK_BROKEN,
};

static void tell(struct engine_world *world, const struct sim_event *event) {
    struct json_writer *text = &world->text;
    json_writer_clear(text);
    json_writer_open_object(text);
    json_writer_member_unsigned(text, "object", event->object);
    if (event->kind == SIM_EVENT_TORN) {
        json_writer_key(text, "particles");
        json_writer_open_array(text);
        json_writer_unsigned(text, event->a);
        json_writer_unsigned(text, event->b);
        json_writer_close_array(text);
    } else if (event->kind == SIM_EVENT_BROKEN) {
        json_writer_member_unsigned(text, "stick", event->a);
    }
    json_writer_member_unsigned(text, "tick", sim_world_tick(world->sim));
    json_writer_close_object(text);
    engine_queue_event(world, event_of[event->kind], text);
}

void engine_tell_tick_events(struct engine_world *world) {
    const uint32_t count = sim_world_event_count(world->sim);
    if (count == 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_event event = sim_world_event_at(world->sim, i);
        if (engine_wants_event(world, event_of[event.kind])) {
            tell(world, &event);
        }
    }
    engine_flush_events(world);
}
