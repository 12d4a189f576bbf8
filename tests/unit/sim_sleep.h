// SPDX-License-Identifier: MIT
// What the tests of sleeping and waking share.
#ifndef WEFT_TESTS_SIM_SLEEP_H
#define WEFT_TESTS_SIM_SLEEP_H

#include "sim_fixture.h"

#include "sim/world/world.h" // to count work, and for nothing else

static inline bool is_asleep(const struct sim_world *world, uint32_t object) {
    return view_of(world, object).asleep;
}

// How often the last tick told this of the object.
static inline unsigned told(const struct sim_world *world, enum sim_event_kind kind, uint32_t object) {
    unsigned count = 0;
    for (uint32_t i = 0; i < sim_world_event_count(world); i++) {
        const struct sim_event event = sim_world_event_at(world, i);
        count += event.kind == kind && event.object == object ? 1 : 0;
    }
    return count;
}

static inline uint32_t add_floor(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_obstacle floor = {
        .shape = SIM_OBSTACLE_BOX, .size = {20.0f, 1.0f, 20.0f}, .rotation = {0, 0, 0, 1}, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &floor, &id, &fault));
    return id;
}

static inline uint32_t spawn_tetrahedron(struct sim_world *world, struct vec3 position) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.position = position;
    MUST(sim_body_spawn(world, &body, &id, &fault));
    return id;
}

// A rope that lies along x.
static inline uint32_t lay_rope(struct sim_world *world, float x, float z) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){x, 0.55f, z};
    rope.to = (struct vec3){x + 1.0f, 0.55f, z};
    rope.particles = 8;
    rope.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

#endif
