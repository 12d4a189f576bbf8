// SPDX-License-Identifier: MIT
// Cutting with a blade (PHYSICS.md 9).
//
// A sheet is cut along edges of its triangles. The blade crosses an edge if it crosses the way from the middle of the
// triangle on one side of the edge, over the middle of the edge, to the middle of the triangle on the other side. A
// blade that passes through the whole sheet therefore parts it: every way from one part to the other, from triangle to
// triangle, crosses the blade. The cut runs through those particles whose surroundings the blade passes through, which
// are the ones nearest to it. Particles are split by the same steps as where a command tears (cut.c).
//
// Of a rope the blade takes away the sticks that it crosses.
#include <stdio.h>

#include "sim/geometry/point.h"
#include "sim/tear/blade.h"
#include "sim/tear/cut.h"
#include "sim/tear/tearing.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

static bool is_sheet(const struct object *object) {
    return object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH;
}

static struct point place_of(const struct sim_world *world, const struct object *object, uint32_t particle) {
    return point_of(particle_position(world, object->first + particle));
}

static struct point between(struct point a, struct point b) {
    return point_scale(point_add(a, b), 0.5);
}

// ---- what the blade crosses --------------------------------------------------------------------------------------

// Bit k of a triangle: the blade crosses the way from its middle to that of side k.
static void mark_triangle(struct sim_world *world, const struct object *object, uint32_t triangle,
                          const struct blade_sweep *sweep) {
    const uint32_t *corner = world->triangle + 3 * ((size_t)object->first_triangle + triangle);
    struct point at[3];
    for (unsigned k = 0; k < 3; k++) {
        at[k] = place_of(world, object, corner[k]);
    }
    const struct point middle = point_scale(point_add(at[0], point_add(at[1], at[2])), 1.0 / 3.0);
    for (unsigned k = 0; k < 3; k++) {
        if (blade_crosses(sweep, middle, between(at[(k + 1) % 3], at[(k + 2) % 3]))) {
            world->cut_sides[object->first_triangle + triangle] |= (uint8_t)(1u << k);
        }
    }
}

static bool crosses_stick(const struct sim_world *world, const struct object *object, uint32_t stick,
                          const struct blade_sweep *sweep) {
    return blade_crosses(sweep, place_of(world, object, world->stick_a[object->first_stick + stick]),
                         place_of(world, object, world->stick_b[object->first_stick + stick]));
}

static void clear_sides(struct sim_world *world) {
    memset(world->cut_sides, 0, world->state.triangles * sizeof *world->cut_sides);
}

// ---- cutting -----------------------------------------------------------------------------------------------------

static uint32_t cut_rope(struct sim_world *world, struct object *rope, const struct blade_sweep *sweep) {
    struct tearing tearing = {.world = world, .object = rope};
    uint32_t gone = 0;
    for (uint32_t stick = 0; stick < rope->sticks; stick++) {
        gone += crosses_stick(world, rope, stick, sweep) ? 1 : 0;
    }
    if (gone == 0) {
        return 0;
    }
    for (uint32_t stick = 0; stick < rope->sticks; stick++) {
        if (crosses_stick(world, rope, stick, sweep)) {
            world->stick_a[rope->first_stick + stick] = TEAR_GONE;
        }
    }
    tear_begin(&tearing, 0);
    tear_finish(&tearing);
    return gone;
}

// The objects that a command is about.
static bool is_meant(const struct object *object, uint32_t id) {
    return (id == 0 || object->id == id) && !object->quarantined && (is_sheet(object) || object->kind == SIM_KIND_ROPE);
}

// Marks what the blade crosses of all sheets. Fails if there may be no room for the new particles and sticks.
static enum result mark_sheets(struct sim_world *world, uint32_t id, const struct blade_sweep *sweep,
                               struct fault *fault) {
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (!is_meant(object, id) || !is_sheet(object)) {
            continue;
        }
        for (uint32_t triangle = 0; triangle < object->triangles; triangle++) {
            mark_triangle(world, object, triangle, sweep);
        }
        wanted += cut_sides_room(world, object);
    }
    const bool particles = world->state.particles + wanted > world->capacity.particles;
    if (particles || world_sticks_used(&world->state) + wanted > world->capacity.sticks) {
        return fault_set(fault, RESULT_LIMIT, "/path", "the cut may need %llu more %s: the world's limit is %u",
                         (unsigned long long)wanted, particles ? "particles" : "sticks",
                         particles ? world->capacity.particles : world->capacity.sticks);
    }
    return RESULT_OK;
}

static void cut_objects(struct sim_world *world, uint32_t id, const struct blade_sweep *sweep,
                        struct sim_blade_result *cut) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (!is_meant(object, id)) {
            continue;
        }
        const uint64_t room = is_sheet(object) ? cut_sides_room(world, object) : 0;
        const uint32_t made = room > 0 ? cut_along_sides(world, object, (uint32_t)room) : 0;
        const uint32_t sticks = is_sheet(object) ? 0 : cut_rope(world, object, sweep);
        if (made + sticks > 0) {
            cut->objects++;
            cut->made += made;
            cut->sticks += sticks;
            wake_object(world, object->id);
        }
    }
}

// ---- the command -------------------------------------------------------------------------------------------------

static enum result check_object(const struct sim_world *world, uint32_t id, struct fault *fault) {
    struct object *object = NULL;
    const enum result result = layout_find(world, id, &object, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (!is_sheet(object) && object->kind != SIM_KIND_ROPE) {
        return fault_set(fault, RESULT_INVALID, "/object",
                         "object %u is neither a cloth, a mesh nor a rope: a blade cuts nothing else", id);
    }
    if (object->quarantined) {
        return fault_set(fault, RESULT_STATE, "/object", "object %u is frozen and cannot be cut", id);
    }
    return RESULT_OK;
}

static enum result check_path(const float *path, uint32_t places, const char *member, struct fault *fault) {
    for (uint32_t i = 0; i < places; i++) {
        char pointer[FAULT_POINTER_MAX];
        snprintf(pointer, sizeof pointer, "%s/%u", member, i);
        const struct vec3 at = vec3_of(path[3 * i], path[3 * i + 1], path[3 * i + 2]);
        const enum result result = check_vector(at, SIM_POSITION_MAX, "m", pointer, fault);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

static enum result check_blade(const struct sim_blade *blade, struct fault *fault) {
    if (blade->places < 2 || blade->places > SIM_BLADE_PLACES_MAX) {
        return fault_set(fault, RESULT_INVALID, "/path", "path must have 2 to %u points, got %u", SIM_BLADE_PLACES_MAX,
                         blade->places);
    }
    const enum result result = check_path(blade->path, blade->places, "/path", fault);
    return result == RESULT_OK ? check_path(blade->far_path, blade->places, "/farPath", fault) : result;
}

enum result sim_blade_cut(struct sim_world *world, uint32_t object, const struct sim_blade *blade,
                          struct sim_blade_result *cut, struct fault *fault) {
    enum result result = check_blade(blade, fault);
    if (result == RESULT_OK && object != 0) {
        result = check_object(world, object, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct blade_sweep sweep = blade_sweep_of(blade);
    *cut = (struct sim_blade_result){0};
    result = mark_sheets(world, object, &sweep, fault);
    if (result == RESULT_OK) {
        cut_objects(world, object, &sweep, cut);
    }
    clear_sides(world);
    if (result == RESULT_OK && cut->objects == 0) {
        result =
            fault_set(fault, RESULT_INVALID, "/path",
                      "the blade parts nothing: on its way there is no stick of a rope, and no cloth that it opens");
    }
    if (result == RESULT_OK) {
        layout_changed(world);
        (void)sequence_next(world);
    }
    return result;
}
