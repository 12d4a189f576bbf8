// SPDX-License-Identifier: MIT
// Neighbours along ropes and added sticks (PHYSICS.md 8.5). The ends of a rope's half turn are as far apart as its
// diameter, so that parts of a rope that are less than half a turn apart may come as near as they like.
#include "sim/cloth_contact/cloth_contact_chain.h"

#include "sim/stick/point_stick.h"

#define HALF_TURN 1.5707964f // in diameters

// ---- added sticks ------------------------------------------------------------------------------------------------

static void add_tie(struct cloth_contacts *cloth, uint32_t from, uint32_t to, float length) {
    cloth->tie[cloth->ties] = (struct cloth_contact_tie){to, cloth->tie_first[from], length};
    cloth->ties++;
    cloth->tie_first[from] = cloth->ties;
}

static void tie_ends(struct cloth_contacts *cloth, uint32_t a, uint32_t b, float length) {
    add_tie(cloth, a, b, length);
    add_tie(cloth, b, a, length);
}

static void tie_stick(struct sim_world *world, uint32_t index) {
    const struct point_stick *points = &world->point_stick[index];
    const float length = world->free_stick[index].rest_length;
    if (points->count == 0) {
        tie_ends(world->cloth_contacts, world->free_slot_a[index], world->free_slot_b[index], length);
        return;
    }
    for (uint32_t i = 0; i < points->of_first; i++) {
        for (uint32_t k = points->of_first; k < points->count; k++) {
            tie_ends(world->cloth_contacts, points->slot[i], points->slot[k], length);
        }
    }
}

void cloth_contact_tie(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    cloth->ties = 0;
    if (cloth->threads == 0 || world->state.free_sticks == 0) {
        return;
    }
    memset(cloth->tie_first, 0, world->state.particles * sizeof *cloth->tie_first);
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        tie_stick(world, i);
    }
}

// ---- ways --------------------------------------------------------------------------------------------------------

// Length of a link of a rope, in m.
static float link_of(const struct sim_world *world, const struct object *rope) {
    return world->stick_rest[rope->first_stick];
}

static struct slot_span span_of(struct cloth_contact_feature feature) {
    struct slot_span span = {feature.slot[0], feature.slot[0]};
    for (unsigned k = 1; k < feature.count; k++) {
        span.first = feature.slot[k] < span.first ? feature.slot[k] : span.first;
        span.end = feature.slot[k] > span.end ? feature.slot[k] : span.end;
    }
    return span; // both included
}

static uint32_t links_between(struct slot_span a, struct slot_span b) {
    const uint32_t after = b.first > a.end ? b.first - a.end : 0;
    const uint32_t before = a.first > b.end ? a.first - b.end : 0;
    return after > before ? after : before;
}

// The way along its object from a feature to a particle, in m; HUGE_VALF: there is none.
static float way_to(const struct sim_world *world, struct cloth_contact_feature feature, uint32_t slot) {
    const struct object *object = &world->object[feature.object];
    if (slot < object->first || slot >= object->first + object->particles) {
        return HUGE_VALF;
    }
    if (cloth_contact_corners(object) == 2) {
        return (float)links_between(span_of(feature), (struct slot_span){slot, slot}) * link_of(world, object);
    }
    bool within = false;
    for (unsigned k = 0; k < feature.count; k++) {
        within = within || feature.slot[k] == slot;
    }
    return within ? 0.0f : HUGE_VALF;
}

static bool ties_to(const struct sim_world *world, uint32_t from, float way, struct cloth_contact_feature b,
                    float gap) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t at = cloth->tie_first[from]; at != 0; at = cloth->tie[at - 1].next) {
        const struct cloth_contact_tie *tie = &cloth->tie[at - 1];
        const float links = way + way_to(world, b, tie->slot);
        if (links + tie->length < (links > 0.0f ? HALF_TURN * gap : gap)) {
            return true;
        }
    }
    return false;
}

// Over the particles from which the rest of the way can begin.
static bool is_tied(const struct sim_world *world, struct cloth_contact_feature a, struct cloth_contact_feature b,
                    float gap) {
    const struct object *object = &world->object[a.object];
    if (cloth_contact_corners(object) != 2) {
        bool tied = false;
        for (unsigned k = 0; k < a.count && !tied; k++) {
            tied = ties_to(world, a.slot[k], 0.0f, b, gap);
        }
        return tied;
    }
    const struct slot_span span = span_of(a);
    const float links = HALF_TURN * gap / link_of(world, object);
    const uint32_t reach = links < (float)object->particles ? (uint32_t)links : object->particles;
    const uint32_t before = span.first - object->first;
    const uint32_t last = object->first + object->particles - 1;
    const uint32_t first = span.first - (before < reach ? before : reach);
    const uint32_t end = last - span.end < reach ? last : span.end + reach;
    bool tied = false;
    for (uint32_t slot = first; slot <= end && !tied; slot++) {
        tied = ties_to(world, slot, way_to(world, a, slot), b, gap);
    }
    return tied;
}

bool cloth_contact_is_chained(const struct sim_world *world, struct cloth_contact_feature a,
                              struct cloth_contact_feature b) {
    const struct object *first = &world->object[a.object];
    const struct object *second = &world->object[b.object];
    const float gap = 0.5f * (cloth_contact_thickness(first) + cloth_contact_thickness(second));
    if (a.object == b.object && cloth_contact_corners(first) == 2) {
        const float way = (float)links_between(span_of(a), span_of(b)) * link_of(world, first);
        if (way < HALF_TURN * gap) {
            return true;
        }
    }
    return world->cloth_contacts->ties > 0 && is_tied(world, a, b, gap);
}
