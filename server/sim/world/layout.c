// SPDX-License-Identifier: MIT
// The place of objects in the arrays: reserving room at the end, finding an object by id, removing one.
#include "sim/world/layout.h"

#include <assert.h>
#include <stdio.h>

#include "sim/world/part.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"

void layout_stale(struct sim_world *world) {
    world->stick_plans_stale = true;
    world->tetrahedron_plan_stale = true;
    world->panels_stale = true;
    world->free_sticks_stale = true;
    world->cloth_contact_stale = true;
    world->spans_stale = true;
    world->grabs_stale = true;
}

void layout_changed(struct sim_world *world) {
    world->state.epoch++;
    layout_stale(world);
}

static enum result check_room(const char *what, uint64_t wanted, uint64_t used, uint32_t capacity,
                              struct fault *fault) {
    if (used + wanted <= capacity) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_LIMIT, "", "%llu more %s would exceed this world's limit of %u, %llu are in use",
                     (unsigned long long)wanted, what, capacity, (unsigned long long)used);
}

enum result layout_check_quota(const char *what, uint64_t wanted, uint32_t used, uint32_t most, struct fault *fault) {
    if (most == UINT32_MAX || used + wanted <= most) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_LIMIT, "", "%llu more %s would exceed your limit of %u in this world, %u are yours",
                     (unsigned long long)wanted, what, most, used);
}

// A tetrahedron counts as SIM_TETRAHEDRON_STICKS sticks.
static uint64_t sticks_of(const struct object_size *size) {
    return size->sticks + SIM_TETRAHEDRON_STICKS * size->tetrahedra;
}

static enum result check_quota(const struct sim_world *world, const struct object_size *size, struct fault *fault) {
    const struct sim_capacity *used = &world->quota.used, *most = &world->quota.most;
    enum result result = layout_check_quota("objects", 1, used->objects, most->objects, fault);
    if (result == RESULT_OK) {
        result = layout_check_quota("particles", size->particles, used->particles, most->particles, fault);
    }
    if (result == RESULT_OK) {
        result = layout_check_quota("sticks", sticks_of(size), used->sticks, most->sticks, fault);
    }
    return result;
}

enum result layout_reserve(const struct sim_world *world, struct object_size size, struct object *object,
                           struct fault *fault) {
    const struct sim_state *state = &world->state;
    const struct sim_capacity *most = &world->capacity;
    enum result result = sequence_check(world, fault);
    if (result == RESULT_OK) {
        result = check_room("objects", 1, state->objects, most->objects, fault);
    }
    if (result == RESULT_OK) {
        result = check_room("particles", size.particles, state->particles, most->particles, fault);
    }
    if (result == RESULT_OK) {
        result = check_room("sticks", sticks_of(&size), world_sticks_used(state), most->sticks, fault);
    }
    if (result == RESULT_OK) {
        result = check_room("triangles", size.triangles, state->triangles, most->triangles, fault);
    }
    if (result == RESULT_OK) {
        result = check_room("triangles of fabric", size.panels, state->panels, world_panel_room(most), fault);
    }
    if (result == RESULT_OK) {
        result = check_quota(world, &size, fault);
    }
    if (result == RESULT_OK) {
        *object = (struct object){
            .first = state->particles,
            .particles = (uint32_t)size.particles,
            .first_stick = state->sticks,
            .sticks = (uint32_t)size.sticks,
            .first_colour = state->colours,
            .first_triangle = state->triangles,
            .triangles = (uint32_t)size.triangles,
            .first_tetrahedron = state->tetrahedra,
            .tetrahedra = (uint32_t)size.tetrahedra,
            .first_panel = state->panels,
            .panels = (uint32_t)size.panels,
        };
    }
    return result;
}

uint32_t layout_commit(struct sim_world *world, struct object *object) {
    struct sim_state *state = &world->state;
    object->id = sequence_next(world);
    world->object[state->objects] = *object;
    state->objects++;
    state->particles += object->particles;
    state->sticks += object->sticks;
    state->colours += object->colours;
    state->triangles += object->triangles;
    state->tetrahedra += object->tetrahedra;
    state->panels += object->panels;
    layout_changed(world);
    sequence_note_capped(world, particle_limit(world, object->first, object->particles));
    return object->id;
}

enum result layout_find(const struct sim_world *world, uint32_t id, struct object **object, struct fault *fault) {
    uint32_t low = 0;
    uint32_t high = world->state.objects;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (world->object[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == world->state.objects || world->object[low].id != id) {
        (void)fault_set(fault, RESULT_NOT_FOUND, "/object", "there is no object %u in this world", id);
        return RESULT_NOT_FOUND;
    }
    *object = &world->object[low];
    return RESULT_OK;
}

enum result layout_check_indices(const struct object *object, const uint32_t *indices, uint32_t count,
                                 const char *member, struct fault *fault) {
    for (uint32_t i = 0; i < count; i++) {
        if (indices[i] >= object->particles) {
            char pointer[FAULT_POINTER_MAX];
            char owner[24] = "the new object"; // it has no id yet
            snprintf(pointer, sizeof pointer, "%s/%u", member, i);
            if (object->id != 0) {
                snprintf(owner, sizeof owner, "object %u", object->id);
            }
            return fault_set(fault, RESULT_NOT_FOUND, pointer, "there is no particle %u in %s, which has %u",
                             indices[i], owner, object->particles);
        }
    }
    return RESULT_OK;
}

// ---- removing an object ------------------------------------------------------------------------------------------

// Of the `count` elements of an array, `gap` from `first` on go.
struct gap {
    uint32_t first, gap, count;
};

static void close_gap(void *array, size_t size, const struct gap *gap) {
    char *at = (char *)array + (size_t)gap->first * size;
    memmove(at, at + (size_t)gap->gap * size, (size_t)(gap->count - gap->first - gap->gap) * size);
}

static void close_arrays(struct sim_world *world, const struct object *gone) {
    const struct sim_state *state = &world->state;
    const struct gap particles = {gone->first, gone->particles, state->particles};
    const struct gap sticks = {gone->first_stick, gone->sticks, state->sticks};
    const struct gap colours = {gone->first_colour, gone->colours, state->colours};
    const struct gap triangles = {gone->first_triangle, gone->triangles, state->triangles};
    const struct gap tetrahedra = {gone->first_tetrahedron, gone->tetrahedra, state->tetrahedra};
    const struct gap panels = {gone->first_panel, gone->panels, state->panels};
    const struct gap force_indices = {0}, shape_reals = {0}, shape_indices = {0};
#define STATE_ARRAY(type, name, each, per, since, hash) close_gap(world->name, (each) * sizeof *world->name, &(per));
#define CARRIED_ARRAY(type, name, per, element) close_gap(world->name, sizeof *world->name, &(per));
#include "sim/world/arrays.h"
}

void layout_close(struct sim_world *world, uint32_t index) {
    struct sim_state *state = &world->state;
    const struct object gone = world->object[index];
    close_arrays(world, &gone);
    close_gap(world->object, sizeof *world->object, &(struct gap){index, 1, state->objects});
    state->objects--;
    state->particles -= gone.particles;
    state->sticks -= gone.sticks;
    state->colours -= gone.colours;
    state->triangles -= gone.triangles;
    state->tetrahedra -= gone.tetrahedra;
    state->panels -= gone.panels;
    for (uint32_t i = index; i < state->objects; i++) {
        world->object[i].first -= gone.particles;
        world->object[i].first_stick -= gone.sticks;
        world->object[i].first_colour -= gone.colours;
        world->object[i].first_triangle -= gone.triangles;
        world->object[i].first_tetrahedron -= gone.tetrahedra;
        world->object[i].first_panel -= gone.panels;
    }
}

// ---- growing and shrinking ---------------------------------------------------------------------------------------

// Where the elements behind an object's part of an array begin now and where they are to begin, of `count` elements.
struct end {
    uint32_t was, end, count;
};

static void move_end(void *array, size_t size, const struct end *end) {
    memmove((char *)array + (size_t)end->end * size, (char *)array + (size_t)end->was * size,
            (size_t)(end->count - end->was) * size);
}

static void move_arrays(struct sim_world *world, const struct end *particles, const struct end *sticks,
                        const struct end *colours) {
    static const struct end none = {0};
    const struct end *triangles = &none, *tetrahedra = &none, *force_indices = &none, *shape_reals = &none,
                     *shape_indices = &none, *panels = &none;
#define STATE_ARRAY(type, name, each, per, since, hash) move_end(world->name, (each) * sizeof *world->name, (per));
#define CARRIED_ARRAY(type, name, per, element) move_end(world->name, sizeof *world->name, (per));
#include "sim/world/arrays.h"
}

void layout_resize(struct sim_world *world, struct object *object, uint32_t particles, uint32_t sticks,
                   uint32_t colours) {
    struct sim_state *state = &world->state;
    const struct end particle_end = {object->first + object->particles, object->first + particles, state->particles};
    const struct end stick_end = {object->first_stick + object->sticks, object->first_stick + sticks, state->sticks};
    const struct end colour_end = {object->first_colour + object->colours, object->first_colour + colours,
                                   state->colours};
    move_arrays(world, &particle_end, &stick_end, &colour_end);
    for (struct object *behind = object + 1; behind < world->object + state->objects; behind++) {
        behind->first = behind->first - object->particles + particles;
        behind->first_stick = behind->first_stick - object->sticks + sticks;
        behind->first_colour = behind->first_colour - object->colours + colours;
    }
    state->particles = state->particles - object->particles + particles;
    state->sticks = state->sticks - object->sticks + sticks;
    state->colours = state->colours - object->colours + colours;
    object->particles = particles;
    object->sticks = sticks;
    object->colours = colours;
}

// ---- views -------------------------------------------------------------------------------------------------------

bool layout_stretches(const struct object *object) {
    return (object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH || object->kind == SIM_KIND_ROPE) &&
           object->panels == 0;
}

bool layout_bends(const struct sim_world *world, const struct object *object) {
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        if ((world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0) {
            return true;
        }
    }
    return false;
}

static struct sim_object_view view_of(const struct sim_world *world, const struct object *object) {
    return (struct sim_object_view){
        .id = object->id,
        .kind = object->kind,
        .first = object->first,
        .particles = object->particles,
        .sticks = object->sticks,
        .pins = object->pins,
        .columns = object->columns,
        .rows = object->rows,
        .lattice = object->lattice,
        .spacing = object->spacing,
        .radius = object->radius,
        .friction = object->friction,
        .restitution = object->restitution,
        .tear = object->tear,
        .tear_force = object->tear_force,
        .fabric = object->panels > 0 ? &object->fabric : NULL,
        .stretch_compliance = layout_stretches(object) ? &object->stretch_compliance : NULL,
        .bend_compliance = layout_bends(world, object) ? &object->bend_compliance : NULL,
        .projection = object->projection,
        .triangles = world->triangle + 3 * (size_t)object->first_triangle,
        .triangle_count = object->triangles,
        .shape = object->shape,
        .hull_weights = object->hull_vertices > 0 ? world->shape_real + object->hull.first_real : NULL,
        .tetrahedra = world->tetrahedron + 4 * (size_t)object->first_tetrahedron,
        .tetrahedron_rests = world->tetrahedron_rest + 10 * (size_t)object->first_tetrahedron,
        .tetrahedron_count = object->tetrahedra,
        .young = object->young,
        .poisson = object->poisson,
        .viscosity = object->viscosity,
        .gas = {object->gas_volume > 0.0f, object->gas_pressure, object->gas_supplied},
        .asleep = object->asleep,
        .quarantined = object->quarantined,
        .hull_vertices = object->hull_vertices,
        .hull_triangles = world->shape_index + object->hull.first_index,
        .hull_triangle_count = object->hull_triangles,
        .rest_edges = object->kind == SIM_KIND_BODY ? object->rest_edge : NULL,
        .hull_parts = object->hull_parts,
    };
}

struct sim_part_view sim_object_part(const struct sim_world *world, uint32_t id, uint32_t index) {
    struct object *object = NULL;
    const enum result result = layout_find(world, id, &object, NULL);
    assert(result == RESULT_OK && index < object->hull_parts);
    if (result != RESULT_OK) {
        return (struct sim_part_view){0};
    }
    const struct hull_part part = part_at(world, object, index);
    return (struct sim_part_view){part.first_vertex, part.vertices, part.first_triangle,
                                  part.triangles,    part.radius,   part.ring};
}

uint32_t sim_world_object_count(const struct sim_world *world) {
    return world->state.objects;
}

struct sim_object_view sim_world_object_at(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.objects);
    return view_of(world, &world->object[index]);
}

enum result sim_object_find(const struct sim_world *world, uint32_t object, struct sim_object_view *view,
                            struct fault *fault) {
    struct object *found = NULL;
    const enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        *view = view_of(world, found);
    }
    return result;
}
