// SPDX-License-Identifier: MIT
#include "engine/describe/topology_text.h"

#include <stdlib.h>
#include <string.h>

#include "engine/describe/describe.h"
#include "engine/describe/motion.h"
#include "sim/probe.h"

// ---- the array of words ------------------------------------------------------------------------------------------

void word_list_clear(struct word_list *list) {
    list->count = 0;
    list->failed = false;
}

uint32_t *word_list_append(struct word_list *list, size_t count) {
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * (list->count + count);
        uint32_t *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            list->failed = true;
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    uint32_t *words = list->items + list->count;
    list->count += count;
    return words;
}

// Appends words, or reals as their bits, and writes the entry that points at them; `size` words make one of `count`.
static void write_entry(struct word_list *list, const char *key, const void *values, size_t count, size_t size,
                        struct json_writer *out) {
    json_writer_key(out, key);
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "offset", list->count);
    json_writer_member_unsigned(out, "count", count);
    json_writer_close_object(out);
    uint32_t *words = word_list_append(list, count * size);
    if (words != NULL && count > 0) {
        memcpy(words, values, count * size * sizeof *words);
    }
}

// ---- objects -----------------------------------------------------------------------------------------------------

// Whether its triangles do not follow from its kind. Every tear that changes triangles also adds a particle.
static bool has_own_triangles(const struct sim_object_view *view) {
    switch (view->kind) {
    case SIM_KIND_CLOTH:
        return view->particles != view->columns * view->rows;
    case SIM_KIND_MESH:
    case SIM_KIND_PLANT:
    case SIM_KIND_RAGDOLL:
    case SIM_KIND_SOFT:
        return true;
    default:
        return false;
    }
}

// The parts of a round or a compound body, one after another in the lists of vertices and triangles, and the edges of
// its particles, from which the weights of a direction follow.
static void write_parts(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    json_writer_key(out, "parts");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < view->hull_parts; i++) {
        const struct sim_part_view part = sim_object_part(world->sim, view->id, i);
        json_writer_open_object(out);
        json_writer_member_unsigned(out, "vertices", part.vertices);
        json_writer_member_unsigned(out, "triangles", part.triangles);
        json_writer_member_float(out, "radius", part.radius);
        if (part.ring) {
            json_writer_member_boolean(out, "ring", true);
        }
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
    write_entry(&world->words, "edges", view->rest_edges, 3, 3, out);
}

static void write_hull(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    json_writer_key(out, "hull");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "vertices", view->hull_vertices);
    write_entry(&world->words, "weights", view->hull_weights, view->hull_vertices, 4, out);
    write_entry(&world->words, "triangles", view->hull_triangles, view->hull_triangle_count, 3, out);
    if (view->hull_parts > 0) {
        write_parts(world, view, out);
    }
    json_writer_close_object(out);
}

static void write_pins(struct engine_world *world, const struct sim_object_view *view, struct json_writer *out) {
    json_writer_key(out, "pins");
    json_writer_open_array(out);
    for (uint32_t i = 0; view->pins > 0 && i < view->particles; i++) {
        if (sim_particle_is_pinned(world->sim, view->first + i)) {
            json_writer_unsigned(out, i);
        }
    }
    json_writer_close_array(out);
}

// Of a rope that was cut the sticks that are left.
static void write_links(struct engine_world *world, const struct sim_object_view *view, uint32_t index,
                        struct json_writer *out) {
    const struct sim_sticks_view sticks = sim_object_sticks(world->sim, index);
    json_writer_key(out, "sticks");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "offset", world->words.count);
    json_writer_member_unsigned(out, "count", view->sticks);
    json_writer_close_object(out);
    uint32_t *words = word_list_append(&world->words, 2 * (size_t)view->sticks);
    for (uint32_t i = 0; words != NULL && i < view->sticks; i++) {
        words[2 * i] = sticks.a[i];
        words[2 * i + 1] = sticks.b[i];
    }
}

static void write_object(struct engine_world *world, const struct sim_object_view *view, uint32_t index,
                         struct json_writer *out) {
    json_writer_open_object(out);
    describe_identity(world, view, "id", out);
    json_writer_member_float(out, "radius", view->radius);
    describe_lattice(view, out);
    describe_shape(view, out);
    if (view->asleep) {
        json_writer_member_boolean(out, "asleep", true);
    }
    if (has_own_triangles(view)) {
        write_entry(&world->words, "triangles", view->triangles, view->triangle_count, 3, out);
    }
    if (view->kind == SIM_KIND_ROPE && view->sticks + 1 < view->particles) {
        write_links(world, view, index, out);
    }
    if (view->tetrahedron_count > 0) {
        write_entry(&world->words, "tetrahedra", view->tetrahedra, view->tetrahedron_count, 4, out);
        write_entry(&world->words, "rests", view->tetrahedron_rests, view->tetrahedron_count, 10, out);
    }
    if (view->hull_weights != NULL) {
        write_hull(world, view, out);
    }
    write_pins(world, view, out);
    json_writer_close_object(out);
}

// ---- what differs ------------------------------------------------------------------------------------------------

bool describe_can_tear(const struct sim_object_view *view) {
    return view->kind == SIM_KIND_CLOTH || view->kind == SIM_KIND_MESH;
}

static bool differs(const struct published_object *known, const struct sim_object_view *view) {
    return known->particles != view->particles || known->triangles != view->triangle_count ||
           (view->kind == SIM_KIND_ROPE && known->sticks != view->sticks);
}

// Tearing adds particles and gives them to some of the triangles, which stay as many as they were.
static bool has_torn(const struct published_object *known, const struct sim_object_view *view) {
    return describe_can_tear(view) && known->triangles == view->triangle_count && known->particles < view->particles;
}

// Walks what was published and what there is side by side, both in the order of ids: what is gone is `removed`, what is
// new or has changed its counts is told whole, unless it tore.
static void write_objects(struct engine_world *world, bool delta, struct json_writer *out) {
    const uint32_t count = sim_world_object_count(world->sim);
    const uint32_t known_count = delta ? world->published_count : 0;
    json_writer_key(out, "removed");
    json_writer_open_array(out);
    for (uint32_t i = 0, at = 0; i < known_count; i++) {
        while (at < count && sim_world_object_at(world->sim, at).id < world->published[i].id) {
            at++;
        }
        if (at == count || sim_world_object_at(world->sim, at).id != world->published[i].id) {
            json_writer_unsigned(out, world->published[i].id);
        }
    }
    json_writer_close_array(out);
    json_writer_key(out, "objects");
    json_writer_open_array(out);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        while (at < known_count && world->published[at].id < view.id) {
            at++;
        }
        const struct published_object *known =
            at < known_count && world->published[at].id == view.id ? &world->published[at] : NULL;
        if (known == NULL || (differs(known, &view) && !has_torn(known, &view))) {
            write_object(world, &view, i, out);
        }
    }
    json_writer_close_array(out);
}

// Of what tore: the triangles of which a corner is another particle now, each with its place, and the pins.
static void write_torn(struct engine_world *world, const struct published_object *known,
                       const struct sim_object_view *view, struct json_writer *out) {
    const uint32_t *before = world->published_corners.items + known->corners;
    const size_t offset = world->words.count;
    uint32_t changed = 0;
    for (uint32_t t = 0; t < view->triangle_count; t++) {
        const uint32_t *corners = view->triangles + 3 * (size_t)t;
        if (memcmp(before + 3 * (size_t)t, corners, 3 * sizeof *corners) == 0) {
            continue;
        }
        uint32_t *words = word_list_append(&world->words, 4);
        if (words == NULL) {
            return;
        }
        words[0] = t;
        memcpy(words + 1, corners, 3 * sizeof *corners);
        changed++;
    }
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "id", view->id);
    json_writer_member_unsigned(out, "particles", view->particles);
    if (view->asleep) {
        json_writer_member_boolean(out, "asleep", true);
    }
    json_writer_key(out, "triangles");
    json_writer_open_object(out);
    json_writer_member_unsigned(out, "offset", offset);
    json_writer_member_unsigned(out, "count", changed);
    json_writer_close_object(out);
    write_pins(world, view, out);
    json_writer_close_object(out);
}

static void write_all_torn(struct engine_world *world, struct json_writer *out) {
    const uint32_t count = sim_world_object_count(world->sim);
    json_writer_key(out, "torn");
    json_writer_open_array(out);
    for (uint32_t i = 0, at = 0; i < count; i++) {
        const struct sim_object_view view = sim_world_object_at(world->sim, i);
        while (at < world->published_count && world->published[at].id < view.id) {
            at++;
        }
        if (at < world->published_count && world->published[at].id == view.id &&
            has_torn(&world->published[at], &view)) {
            write_torn(world, &world->published[at], &view, out);
        }
    }
    json_writer_close_array(out);
}

// ---- obstacles and the rest --------------------------------------------------------------------------------------

// The arrays of obstacles never change and their ids rise: one that is not newer than the newest published was
// published. One that moves is written where its motion began, with the motion.
static void write_obstacle(struct engine_world *world, uint32_t index, bool delta, struct json_writer *out) {
    uint64_t start = 0;
    const struct sim_obstacle *obstacle = sim_world_obstacle_start(world->sim, index, &start);
    const bool known = delta && obstacle->id <= world->published_obstacle;
    json_writer_open_object(out);
    describe_obstacle_identity(world, obstacle, true, out);
    describe_obstacle_shape(obstacle, out);
    describe_motion(obstacle, start, out);
    if (!known && obstacle->shape == SIM_OBSTACLE_HEIGHTFIELD) {
        write_entry(&world->words, "heights", obstacle->heights, (size_t)obstacle->columns * obstacle->rows, 1, out);
    } else if (!known && obstacle->shape == SIM_OBSTACLE_MESH) {
        write_entry(&world->words, "positions", obstacle->positions, obstacle->vertices, 3, out);
        write_entry(&world->words, "triangles", obstacle->triangles, obstacle->triangle_count, 3, out);
    }
    json_writer_close_object(out);
}

static void write_grabs(struct engine_world *world, struct json_writer *out) {
    json_writer_key(out, "grabs");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < sim_world_grab_count(world->sim); i++) {
        const struct sim_grab_view grab = sim_world_grab_at(world->sim, i);
        json_writer_open_object(out);
        describe_grab_members(world, &grab, out);
        json_writer_close_object(out);
    }
    json_writer_close_array(out);
}

void describe_topology(struct engine_world *world, bool delta, struct json_writer *out) {
    const struct sim_world *sim = world->sim;
    word_list_clear(&world->words);
    json_writer_open_object(out);
    json_writer_key(out, "base");
    if (delta) {
        json_writer_unsigned(out, world->published_epoch);
    } else {
        json_writer_null(out);
    }
    write_objects(world, delta, out);
    if (delta) {
        write_all_torn(world, out);
    }
    json_writer_key(out, "obstacles");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < sim_world_obstacle_count(sim); i++) {
        write_obstacle(world, i, delta, out);
    }
    json_writer_close_array(out);
    json_writer_key(out, "sticks");
    json_writer_open_array(out);
    for (uint32_t i = 0; i < sim_world_stick_count(sim); i++) {
        const struct sim_stick_view stick = sim_world_stick_at(sim, i);
        describe_stick(&stick, out);
    }
    json_writer_close_array(out);
    write_grabs(world, out);
    describe_bounds(sim_world_parameters(sim), out);
    json_writer_close_object(out);
}
