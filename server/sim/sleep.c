// SPDX-License-Identifier: MIT
// Sleep: an object at rest costs no time until something touches it.
//
// An object is still for as long as no particle gets farther than SIM_SLEEP_DRIFT from where it was when the stillness
// began. Places tell it, for what swings is slow for a while where it turns round, but not in one place. Rigid things
// and loose particles that nothing holds cannot swing, but in piles they creep for long: they are still as well in a
// tick at whose end no particle is faster than SIM_SLEEP_SPEED and what gravity adds in a substep, which a contact
// takes back only in the next. When all objects of an island (island.c) have been still for SIM_SLEEP_SECONDS, and no
// hand, force or wind acts on them, they fall asleep: d = 0, and no substep looks at them.
//
// They wake together: by a command on one of them, a change of the parameters, an obstacle or object that appears or
// goes near one, or a contact with something awake. A contact wakes within the substep that finds it, before it is
// relaxed, so that a sleeper is hit with its full mass.
//
// Stillness, its places, sleep and island are state: saved, hashed, part of what a tick computes from.
#include "sim/contact.h"
#include "sim/wide.h"
#include "sim/world.h"

// Nearer than this to something that appears or goes is near.
#define NEAR 0.05f                   // m
#define STILL_STEP (1.0f / 16384.0f) // m
#define STILL_WAY_MAX 1.0f           // m in a tick: what is faster is not still, whatever its place

static uint32_t ticks_until_sleep(const struct sim_world *world) {
    const float ticks = SIM_SLEEP_SECONDS * world->tick_hz;
    return ticks > 2.0f ? (uint32_t)ticks : 2;
}

// ---- waking ------------------------------------------------------------------------------------------------------

// Islands are marked at the place of the object they are named after.
static void mark_island(struct sim_world *world, const struct object *sleeper) {
    struct object *first = NULL;
    if (layout_find(world, sleeper->island, &first, NULL) == RESULT_OK) {
        world->island_marked[first - world->object] = true;
    }
}

static bool is_marked(const struct sim_world *world, const struct object *sleeper) {
    struct object *first = NULL;
    return layout_find(world, sleeper->island, &first, NULL) == RESULT_OK &&
           world->island_marked[first - world->object];
}

static void resolve_later(struct sim_world *world) {
    world->spans_stale = true;
    world->free_sticks_stale = true;
}

static void wake_marked(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->asleep && is_marked(world, object)) {
            object->asleep = false;
            object->still_ticks = 0;
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
    resolve_later(world);
}

void sleep_wake_place(struct sim_world *world, uint32_t place) {
    struct object *object = &world->object[place];
    object->still_ticks = 0;
    resolve_later(world);
    if (object->asleep) {
        mark_island(world, object);
        wake_marked(world);
    }
}

void sleep_wake(struct sim_world *world, uint32_t object) {
    struct object *found = NULL;
    if (layout_find(world, object, &found, NULL) == RESULT_OK) {
        sleep_wake_place(world, (uint32_t)(found - world->object));
    }
}

void sleep_wake_all(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].asleep = false;
        world->object[i].still_ticks = 0;
    }
    resolve_later(world);
}

struct box {
    struct vec3 min, max; // m
};

static void include(struct box *box, struct vec3 p) {
    box->min = vec3_of(scalar_min(box->min.x, p.x), scalar_min(box->min.y, p.y), scalar_min(box->min.z, p.z));
    box->max = vec3_of(scalar_max(box->max.x, p.x), scalar_max(box->max.y, p.y), scalar_max(box->max.z, p.z));
}

// Around its particles and the shape embedded in them, and what is near.
static struct box box_around(const struct sim_world *world, const struct object *object) {
    struct box box = {particle_position(world, object->first), particle_position(world, object->first)};
    for (uint32_t i = 1; i < object->particles; i++) {
        include(&box, particle_position(world, object->first + i));
    }
    for (uint32_t i = 0; i < object->hull_vertices; i++) {
        const float *weight = world->shape_real + object->hull.first_real + 4 * (size_t)i;
        struct vec3 p = {0};
        for (unsigned k = 0; k < 4; k++) {
            p = vec3_add(p, vec3_scale(particle_position(world, object->first + k), weight[k]));
        }
        include(&box, p);
    }
    const float reach = object->radius + NEAR;
    const struct vec3 margin = vec3_of(reach, reach, reach);
    return (struct box){vec3_sub(box.min, margin), vec3_add(box.max, margin)};
}

void sleep_wake_box(struct sim_world *world, struct vec3 min, struct vec3 max) {
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (!object->asleep) {
            continue;
        }
        const struct box own = box_around(world, object);
        if (own.min.x <= max.x && own.max.x >= min.x && own.min.y <= max.y && own.max.y >= min.y &&
            own.min.z <= max.z && own.max.z >= min.z) {
            mark_island(world, object);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
    }
}

void sleep_wake_near(struct sim_world *world, const struct object *object) {
    const struct box box = box_around(world, object);
    sleep_wake_box(world, box.min, box.max);
}

bool sleep_wake_touched(struct sim_world *world) {
    bool any = false;
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        if (contact->object_b == CONTACT_NO_OBJECT) {
            continue;
        }
        const struct object *a = &world->object[contact->object_a];
        const struct object *b = &world->object[contact->object_b];
        if (a->asleep != b->asleep) {
            mark_island(world, a->asleep ? a : b);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
        sleep_resolve(world);
        free_stick_resolve(world);
    }
    return any;
}

// ---- in the tick -------------------------------------------------------------------------------------------------

static void copy_position(struct sim_world *world, uint32_t first, uint32_t end) {
    const size_t bytes = (size_t)(end - first) * sizeof *world->px;
    memcpy(world->px + first, world->x + first, bytes);
    memcpy(world->py + first, world->y + first, bytes);
    memcpy(world->pz + first, world->z + first, bytes);
}

void sleep_resolve(struct sim_world *world) {
    if (!world->spans_stale) {
        return;
    }
    world->spans = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const uint32_t end = object->first + object->particles;
        if (!object_is_active(object)) {
            copy_position(world, object->first, end);
        } else if (world->spans > 0 && world->span[world->spans - 1].end == object->first) {
            world->span[world->spans - 1].end = end;
        } else {
            world->span[world->spans] = (struct slot_span){object->first, end};
            world->spans++;
        }
    }
    world->spans_stale = false;
}

static bool is_in_wind(const struct sim_world *world, const struct object *object) {
    const bool catches = object->triangles > 0 && object->kind != SIM_KIND_BODY && object->kind != SIM_KIND_RAGDOLL;
    const struct sim_parameters *parameters = &world->state.parameters;
    return catches && parameters->air_density > 0.0f && vec3_reach(parameters->wind_velocity) > 0.0f;
}

static bool may_swing(const struct object *object) {
    const bool is_rigid = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL || object->sticks == 0;
    return !is_rigid || object->pins > 0 || object->on_stick;
}

static bool is_slow(const struct sim_world *world, const struct object *object) {
    const float h = world_substep_seconds(world);
    const float most = (SIM_SLEEP_SPEED + vec3_length(world->state.parameters.gravity) * h) * h;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 d = vec3_of(world->dx[i], world->dy[i], world->dz[i]);
        if (!(vec3_dot(d, d) <= most * most)) {
            return false;
        }
    }
    return true;
}

// Places are kept in steps of STILL_STEP, modulo 2¹⁶ of them: two that are 4 m apart look the same. What goes that far
// in a tick is told by its speed, what goes there in more ticks has been seen to be under way, and what a command puts
// there is woken by it.
static int32_t steps_of(float position) {
    return (int32_t)scalar_clamp(position * (1.0f / STILL_STEP), -2e9f, 2e9f);
}

// The way between two places, each modulo 2¹⁶, in steps.
static float steps_between(int32_t now, int16_t then) {
    return (float)(int16_t)(uint16_t)((uint32_t)now - (uint32_t)(int32_t)then);
}

void sleep_remember_place(struct sim_world *world, uint32_t slot) {
    world->still_x[slot] = (int16_t)(uint16_t)steps_of(world->x[slot]);
    world->still_y[slot] = (int16_t)(uint16_t)steps_of(world->y[slot]);
    world->still_z[slot] = (int16_t)(uint16_t)steps_of(world->z[slot]);
}

// A pendulum 1 m long that swings by 7 mm to each side gets that far in the half second in which it turns round.
static bool has_drifted(const struct sim_world *world, const struct object *object, float drift) {
    const float most = drift / STILL_STEP;
    const float fast = STILL_WAY_MAX / (float)world->state.parameters.substeps;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 way = vec3_of(steps_between(steps_of(world->x[i]), world->still_x[i]),
                                        steps_between(steps_of(world->y[i]), world->still_y[i]),
                                        steps_between(steps_of(world->z[i]), world->still_z[i]));
        const struct vec3 d = vec3_of(world->dx[i], world->dy[i], world->dz[i]);
        if (!(vec3_dot(way, way) <= most * most && vec3_dot(d, d) <= fast * fast)) {
            return true;
        }
    }
    return false;
}

static void remember_places(struct sim_world *world, const struct object *object) {
    const uint32_t first = object->first, count = object->particles;
    void (*const steps)(const float *, float, int16_t *, uint32_t) = world->wide->steps;
    steps(world->x + first, 1.0f / STILL_STEP, world->still_x + first, count);
    steps(world->y + first, 1.0f / STILL_STEP, world->still_y + first, count);
    steps(world->z + first, 1.0f / STILL_STEP, world->still_z + first, count);
}

static void count_tick(struct sim_world *world, struct object *object, uint32_t enough) {
    if (is_in_wind(world, object)) {
        object->still_ticks = 0;
        return;
    }
    if (object->still_ticks == 0 || has_drifted(world, object, SIM_SLEEP_DRIFT)) {
        const float eased = SIM_SLEEP_DRIFT + 0.25f * CONTACT_EASING_SPEED / world->tick_hz; // without speed: contact.h
        const bool creeps = !may_swing(object) && is_slow(world, object) && !has_drifted(world, object, eased);
        remember_places(world, object);
        object->still_ticks = creeps ? object->still_ticks : 0;
    }
    object->still_ticks += object->still_ticks < enough ? 1 : 0;
}

// What a hand holds or a force acts on may stand still, but only until they let go.
static void disturb(struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    if (layout_find(world, id, &object, NULL) == RESULT_OK) {
        object->still_ticks = 0;
    }
}

// Counts for how long each object has been still; whether one has been for long enough.
static bool count_still(struct sim_world *world) {
    const uint32_t enough = ticks_until_sleep(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (object_is_active(&world->object[i])) {
            count_tick(world, &world->object[i], enough);
        }
    }
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        disturb(world, world->grab[i].object);
    }
    for (uint32_t i = 0; i < world->state.forces; i++) {
        disturb(world, world->force[i].object);
    }
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        any = any || (object_is_active(&world->object[i]) && world->object[i].still_ticks == enough);
    }
    return any;
}

static void fall_asleep(struct sim_world *world, struct object *object, uint32_t island) {
    object->asleep = true;
    object->island = island;
    for (uint32_t i = 0; i < object->particles; i++) {
        particle_set_displacement(world, object->first + i, vec3_of(0.0f, 0.0f, 0.0f));
    }
    resolve_later(world);
}

static void put_to_sleep(struct sim_world *world) {
    const uint32_t enough = ticks_until_sleep(world);
    island_find(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->object[i].still_ticks < enough) {
            world->island_marked[island_root(world, i)] = true; // restless
        }
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const uint32_t root = island_root(world, i);
        if (object_is_active(&world->object[i]) && !world->island_marked[root]) {
            fall_asleep(world, &world->object[i], world->object[root].id);
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
}

static void tell(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->asleep != object->told_asleep) {
            happening_add(world, object->asleep ? SIM_HAPPENING_SLEPT : SIM_HAPPENING_WOKE, object->id, 0, 0);
            object->told_asleep = object->asleep;
        }
    }
}

void sleep_update(struct sim_world *world) {
    if (count_still(world)) {
        put_to_sleep(world);
    }
    tell(world);
}
