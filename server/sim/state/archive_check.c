// SPDX-License-Identifier: MIT
// Checks that the bytes of an archive can be a world: counts that fit, indices in range, ids that rise and refer to
// existing objects, spans that fill the storage of shapes, numbers that are finite. Not whether commands could have
// produced it.
#include "sim/state/archive_check.h"

#include "sim/geometry/hull.h"
#include "sim/geometry/round.h"
#include "sim/spawn/ragdoll.h"
#include "sim/state/fields.h"
#include "sim/stick/panel.h"
#include "sim/world/enclosure.h"
#include "sim/world/layout.h"
#include "sim/world/parameters.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"

static enum result refuse(struct fault *fault, const char *what, uint64_t which) {
    return fault_set(fault, RESULT_INVALID, "", "the snapshot cannot be used: %s %llu is impossible", what,
                     (unsigned long long)which);
}

// ---- counts ------------------------------------------------------------------------------------------------------

enum result archive_check_counts(const struct sim_world *world, const struct sim_state *state, struct fault *fault) {
    const struct sim_capacity *most = &world->capacity;
    const struct {
        const char *what;
        uint64_t count, most;
    } counts[] = {
        {"particles", state->particles, most->particles},
        {"sticks", world_sticks_used(state), most->sticks},
        {"colours of sticks", state->colours, state->sticks},
        {"triangles", state->triangles, most->triangles},
#define ELEMENT_ARRAY(type, name, per, room, one, many) {many, state->per, (room)},
#include "sim/world/arrays.h"
        {"triangles of fabric", state->panels, world_panel_room(most)},
        {"particles of forces", state->force_indices, most->particles},
        {"numbers of shapes", (uint64_t)state->shape_reals + state->shape_indices, most->shape_words},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].count > counts[i].most) {
            return fault_set(fault, RESULT_LIMIT, "", "the snapshot holds %llu %s, this world has room for %llu",
                             (unsigned long long)counts[i].count, counts[i].what, (unsigned long long)counts[i].most);
        }
    }
    return parameters_check(&state->parameters, fault);
}

// ---- objects -----------------------------------------------------------------------------------------------------

// Kinds whose code relies on a number of particles have it.
static bool object_kind_is_sound(const struct object *object) {
    if (object->kind == SIM_KIND_CLOTH) {
        const uint64_t cells = (uint64_t)object->columns * object->rows;
        return object->columns >= 2 && object->rows >= 2 && cells <= object->particles && object->spacing > 0.0f;
    }
    if (object->kind == SIM_KIND_RAGDOLL) {
        return ragdoll_has_its_parts(object);
    }
    return object->kind != SIM_KIND_BODY || (object->particles == 4 && object->sticks % 3 == 0);
}

// The four corners of a tetrahedron differ, since threads move them at once; its shape at rest has a volume.
static bool tetrahedra_are_sound(const struct sim_world *world, const struct object *object) {
    bool sound = (object->kind == SIM_KIND_SOFT) == (object->tetrahedra > 0) &&
                 (object->kind != SIM_KIND_SOFT || object->young > 0.0f);
    const float *rest = world->tetrahedron_rest + 10 * (size_t)object->first_tetrahedron;
    const uint32_t *corner = world->tetrahedron + 4 * (size_t)object->first_tetrahedron;
    for (uint32_t i = 0; i < object->tetrahedra && sound; i++, rest += 10, corner += 4) {
        for (unsigned k = 0; k < 9; k++) {
            sound = sound && scalar_is_finite(rest[k]);
        }
        sound = sound && rest[9] > 0.0f && scalar_is_finite(rest[9]);
        for (unsigned k = 0; k < 4; k++) {
            sound = sound && corner[k] < object->particles && corner[k] != corner[(k + 1) % 4] &&
                    corner[k] != corner[(k + 2) % 4];
        }
    }
    return sound;
}

static bool gas_is_sound(const struct object *object) {
    const bool none = object->gas_volume == 0.0f && object->gas_pressure == 0.0f && !object->gas_supplied;
    return none || (object->kind == SIM_KIND_MESH && enclosure_check_pressure(object->gas_pressure, NULL) == RESULT_OK);
}

static enum result check_object(const struct sim_world *world, uint32_t place, struct fault *fault) {
    const struct object *object = &world->object[place];
    const uint32_t before = place > 0 ? world->object[place - 1].id : 0;
    if (object->id <= before || object->id > world->state.sequence ||
        !fields_are_sound(&element_kinds[ELEMENT_object].fields, object) ||
        (object->self_collision && object->radius == 0.0f) || !object_kind_is_sound(object)) {
        return refuse(fault, "object", object->id);
    }
    if (object->asleep && object->island > world->state.sequence) {
        return refuse(fault, "the rest of object", object->id);
    }
    const uint32_t *a = world->stick_a + object->first_stick;
    const uint32_t *b = world->stick_b + object->first_stick;
    const float *rest = world->stick_rest + object->first_stick;
    for (uint32_t i = 0; i < object->sticks; i++) {
        if (a[i] >= object->particles || b[i] >= object->particles || a[i] == b[i] ||
            !(rest[i] > 0.0f && scalar_is_finite(rest[i]))) {
            return refuse(fault, "a stick of object", object->id);
        }
    }
    if (!tetrahedra_are_sound(world, object) || !gas_is_sound(object)) {
        return refuse(fault, "the volume of object", object->id);
    }
    const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
    for (size_t i = 0; i < 3 * (size_t)object->triangles; i++) {
        if (corner[i] >= object->particles) {
            return refuse(fault, "a triangle of object", object->id);
        }
    }
    return RESULT_OK;
}

// Colours follow one another up to the last stick, and no two sticks of a colour share a particle, since they are
// relaxed at the same time.
static enum result check_colours(const struct sim_world *world, const struct object *object, struct fault *fault) {
    uint32_t stick = 0;
    for (uint32_t i = 0; i < object->colours; i++) {
        const uint32_t colour = object->first_colour + i;
        const uint32_t end = world->colour_end[colour];
        const uint32_t kind = world->colour_class[colour] & COLOUR_KIND_MASK;
        if (end < stick || end > object->sticks || kind >= SIM_STICK_KIND_COUNT ||
            (world->colour_class[colour] & ~(COLOUR_KIND_MASK | COLOUR_BEND)) != 0) {
            return refuse(fault, "a colour of object", object->id);
        }
        bool apart = true;
        for (uint32_t s = object->first_stick + stick; s < object->first_stick + end; s++) {
            uint64_t *const at[2] = {&world->colours_taken[object->first + world->stick_a[s]],
                                     &world->colours_taken[object->first + world->stick_b[s]]};
            apart = apart && *at[0] == 0 && *at[1] == 0;
            *at[0] = 1;
            *at[1] = 1;
        }
        for (uint32_t s = object->first_stick + stick; s < object->first_stick + end; s++) {
            world->colours_taken[object->first + world->stick_a[s]] = 0;
            world->colours_taken[object->first + world->stick_b[s]] = 0;
        }
        if (!apart) {
            return refuse(fault, "a colour of object", object->id);
        }
        stick = end;
    }
    return stick == object->sticks ? RESULT_OK : refuse(fault, "the colours of object", object->id);
}

// Every triangle of a fabric is a panel, whose shape at rest has an area.
static enum result check_panels(const struct sim_world *world, const struct object *object, struct fault *fault) {
    const struct sim_fabric *fabric = &object->fabric;
    const bool sheet = object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH;
    if (object->panels > 0 && (!sheet || object->panels != object->triangles || !(fabric->stretch_warp > 0.0f) ||
                               !(fabric->stretch_weft > 0.0f) || !(fabric->shear > 0.0f))) {
        return refuse(fault, "the fabric of object", object->id);
    }
    for (uint32_t i = object->first_panel; i < object->first_panel + object->panels; i++) {
        if (!panel_shape_is_sound(world->panel_shape + 4 * (size_t)i) ||
            !panel_curve_is_sound(world->panel_curve + 3 * (size_t)i)) {
            return refuse(fault, "a panel of object", object->id);
        }
    }
    return RESULT_OK;
}

// The low part of a coordinate is no larger than rounding leaves.
static bool is_rest_of(float low, float x) {
    return scalar_is_finite(low) && x + low == x;
}

static enum result check_particles(const struct sim_world *world, struct fault *fault) {
    for (uint32_t i = 0; i < world->state.particles; i++) {
        const struct vec3 at = particle_position(world, i);
        const uint8_t flags = PARTICLE_PINNED | PARTICLE_HELD | PARTICLE_FROZEN;
        if (!vec3_is_finite(at) || vec3_reach(at) > 2.0f * SIM_POSITION_MAX || (world->flags[i] & ~flags) != 0 ||
            !(world->own_w[i] >= 0.0f && scalar_is_finite(world->own_w[i])) ||
            !(world->w[i] == 0.0f || world->w[i] == world->own_w[i]) || !is_rest_of(world->low_x[i], at.x) ||
            !is_rest_of(world->low_y[i], at.y) || !is_rest_of(world->low_z[i], at.z)) {
            return refuse(fault, "particle", i);
        }
    }
    return RESULT_OK;
}

static bool part_is_sound(const struct hull_part *part) {
    const bool is_line = part->triangles == 0;
    bool sound = part->radius >= 0.0f && part->radius <= SIM_POSITION_MAX && part->rim >= 0.0f &&
                 part->rim <= SIM_POSITION_MAX && part->thickness > 0.0f && part->thickness <= SIM_POSITION_MAX;
    sound = sound && (is_line ? part->vertices <= 2 && part->radius > 0.0f : part->vertices >= 4);
    sound = sound && (!part->ring || (part->vertices == 2 * RING_SIDES && part->rim > 0.0f && !is_line));
    for (uint32_t i = 0; i < 4 * part->vertices && sound; i++) {
        sound = scalar_is_finite(part->weight[i]);
    }
    for (uint32_t i = 0; i < 3 * part->triangles && sound; i++) {
        sound = part->triangle[i] < part->vertices;
    }
    return sound;
}

// The data of a body with a table of parts: weights and rows, triangles and rows (part.h).
static bool parts_are_sound(const struct sim_world *world, const struct object *object) {
    const uint64_t rows = object->hull_parts;
    const struct shape_span *span = &object->hull;
    const uint32_t *row = world->shape_index + span->first_index + 3 * (uint64_t)object->hull_triangles;
    uint32_t vertices = 0;
    uint32_t triangles = 0;
    bool sound = object->kind == SIM_KIND_BODY && rows <= SIM_BODY_PARTS_MAX && object->hull_faces == 0 &&
                 object->hull_vertices <= SIM_BODY_VERTICES_MAX && object->hull_triangles <= SIM_BODY_TRIANGLES_MAX &&
                 span->reals == 4 * (uint64_t)object->hull_vertices + PART_REALS * rows &&
                 span->indices == 3 * (uint64_t)object->hull_triangles + PART_INDICES * rows;
    for (uint32_t i = 0; i < rows && sound; i++, row += PART_INDICES) {
        sound = row[0] > vertices && row[0] - vertices <= HULL_POINTS_MAX && row[0] <= object->hull_vertices &&
                row[1] >= triangles && row[1] <= object->hull_triangles && row[2] <= 1;
        vertices = row[0];
        triangles = row[1];
        if (sound) {
            const struct hull_part part = part_at(world, object, i);
            sound = part_is_sound(&part);
        }
    }
    return sound && vertices == object->hull_vertices && triangles == object->hull_triangles;
}

// The data of an embedded body: weights, triangles, the ends of its faces and their corners.
static enum result check_hull(const struct sim_world *world, const struct object *object, struct fault *fault) {
    if (object->hull_parts > 0) {
        return parts_are_sound(world, object) ? RESULT_OK : refuse(fault, "a part of object", object->id);
    }
    const uint64_t vertices = object->hull_vertices;
    const uint64_t triangles = object->hull_triangles;
    const uint64_t faces = object->hull_faces;
    const struct shape_span *span = &object->hull;
    if (span->reals != 4 * vertices || vertices > HULL_POINTS_MAX || span->indices < 3 * triangles + faces ||
        (vertices > 0) != (triangles > 0) || (vertices > 0 && object->kind != SIM_KIND_BODY)) {
        return refuse(fault, "the hull of object", object->id);
    }
    for (uint32_t i = 0; i < span->reals; i++) {
        if (!scalar_is_finite(world->shape_real[span->first_real + i])) {
            return refuse(fault, "the hull of object", object->id);
        }
    }
    const uint32_t *index = world->shape_index + span->first_index;
    const uint64_t corners = span->indices - 3 * triangles - faces;
    uint32_t begun = 0;
    for (uint64_t i = 0; i < span->indices; i++) {
        const bool is_end = i >= 3 * triangles && i < 3 * triangles + faces;
        if (is_end ? index[i] < begun || index[i] > corners : index[i] >= vertices) {
            return refuse(fault, "the hull of object", object->id);
        }
        begun = is_end ? index[i] : begun;
    }
    return RESULT_OK;
}

// The storage of shapes is filled span after span, in the order in which their owners were created.
static enum result check_spans(const struct sim_world *world, const struct sim_state *state, struct fault *fault) {
    uint64_t reals = 0;
    uint64_t indices = 0;
    uint32_t object = 0;
    uint32_t obstacle = 0;
    while (object < state->objects || obstacle < state->obstacles) {
        const bool is_object =
            obstacle == state->obstacles ||
            (object < state->objects && world->object[object].id < world->obstacle[obstacle].base.id);
        const struct shape_span *span = is_object ? &world->object[object].hull : &world->obstacle[obstacle].data;
        const uint32_t id = is_object ? world->object[object].id : world->obstacle[obstacle].base.id;
        const bool none = span->reals == 0 && span->indices == 0;
        if (none ? span->first_real > state->shape_reals || span->first_index > state->shape_indices
                 : span->first_real != reals || span->first_index != indices) {
            return refuse(fault, "the shape of", id);
        }
        reals += span->reals;
        indices += span->indices;
        if (reals > state->shape_reals || indices > state->shape_indices) {
            return refuse(fault, "the shape of", id);
        }
        object += is_object ? 1 : 0;
        obstacle += is_object ? 0 : 1;
    }
    return reals == state->shape_reals && indices == state->shape_indices ? RESULT_OK
                                                                          : refuse(fault, "the shape after", reals);
}

enum result archive_check_objects(const struct sim_world *world, const struct sim_state *state, struct fault *fault) {
    uint32_t before = 0;
    uint64_t points = 0;
    for (uint32_t i = 0; i < state->obstacles; i++) {
        const uint32_t id = world->obstacle[i].base.id;
        if (id <= before || id > state->sequence) {
            return refuse(fault, "obstacle", id);
        }
        before = id;
        points += world->obstacle[i].base.motion.points;
    }
    if (points != state->path_points) {
        return refuse(fault, "the paths of obstacles, whose points are", state->path_points);
    }
    enum result result = check_spans(world, state, fault);
    for (uint32_t i = 0; i < state->objects && result == RESULT_OK; i++) {
        result = check_object(world, i, fault);
        if (result == RESULT_OK) {
            result = check_colours(world, &world->object[i], fault);
        }
        if (result == RESULT_OK) {
            result = check_hull(world, &world->object[i], fault);
        }
        if (result == RESULT_OK) {
            result = check_panels(world, &world->object[i], fault);
        }
    }
    return result == RESULT_OK ? check_particles(world, fault) : result;
}

// ---- links -------------------------------------------------------------------------------------------------------

static bool has_particle(const struct sim_world *world, uint32_t object, uint32_t particle) {
    struct object *found = NULL;
    return layout_find(world, object, &found, NULL) == RESULT_OK && particle < found->particles;
}

// Whether the objects and particles that an element names are there.
static bool links_are_sound(const struct sim_world *world, const struct fields *fields, const void *element) {
    struct object *object = NULL;
    bool sound = true;
    for (uint32_t i = 0; i < fields->count && sound; i++) {
        const struct field *field = &fields->field[i];
        uint32_t number = 0;
        if (field->type == OBJECT) {
            memcpy(&number, (const char *)element + field->offset, sizeof number);
            sound = layout_find(world, number, &object, NULL) == RESULT_OK;
        } else if (field->type == PARTICLE) {
            memcpy(&number, (const char *)element + field->offset, sizeof number);
            sound = object != NULL && number < object->particles;
        }
    }
    return sound;
}

static bool grab_is_sound(const struct sim_world *world, const struct grab *grab) {
    bool sound = grab->holds == 0 || grab->carriers == 1;
    for (uint32_t k = 0; k < grab->carriers && sound; k++) {
        sound = has_particle(world, grab->object, grab->particle[k]) && scalar_is_finite(grab->weight[k]);
    }
    return sound;
}

static bool point_is_sound(const struct sim_world *world, struct sim_stick_end end,
                           const struct sim_stick_point *point) {
    bool sound = point->carriers != 1 && (point->carriers == 0 || point->particle[0] == end.particle);
    for (uint32_t k = 0; k < point->carriers && sound; k++) {
        sound = has_particle(world, end.object, point->particle[k]) && point->weight[k] >= -SIM_STICK_WEIGHT_MAX &&
                point->weight[k] <= SIM_STICK_WEIGHT_MAX;
        for (uint32_t j = 0; j < k; j++) {
            sound = sound && point->particle[j] != point->particle[k];
        }
    }
    return sound;
}

// A length of 0 is that of a ball joint; a length that swings stays above 0.
static bool stick_is_sound(const struct sim_world *world, const struct free_stick *stick) {
    const bool moves = stick->rate > 0.0f;
    const float shortest = moves ? scalar_min(stick->rest_length, stick->target_length) : stick->rest_length;
    return point_is_sound(world, stick->a, &stick->a_point) && point_is_sound(world, stick->b, &stick->b_point) &&
           (shortest > 0.0f || stick->kind == SIM_STICK_EQUAL) && (moves || stick->target_length == 0.0f) &&
           (stick->swing.amplitude == 0.0f ||
            (stick->swing.amplitude < shortest && stick->swing.period >= SIM_STICK_PERIOD_MIN));
}

static bool force_is_sound(const struct sim_world *world, const struct force *force) {
    const uint64_t end = (uint64_t)force->first_index + force->indices;
    bool sound = end <= world->state.force_indices;
    for (uint32_t i = force->first_index; sound && i < end; i++) {
        sound = has_particle(world, force->object, world->force_index[i]);
    }
    return sound;
}

static bool element_is_sound(const struct sim_world *world, unsigned kind, const void *element) {
    const struct fields *fields = &element_kinds[kind].fields;
    return fields_are_sound(fields, element) && links_are_sound(world, fields, element) &&
           (kind != ELEMENT_free_stick || stick_is_sound(world, element)) &&
           (kind != ELEMENT_grab || grab_is_sound(world, element)) &&
           (kind != ELEMENT_force || force_is_sound(world, element));
}

enum result archive_check_links(const struct sim_world *world, struct fault *fault) {
    const struct sim_state *state = &world->state;
    for (uint32_t i = 0; i < state->objects; i++) {
        struct object *island = NULL;
        const struct object *object = &world->object[i];
        if (object->asleep && layout_find(world, object->island, &island, NULL) != RESULT_OK) {
            return refuse(fault, "the rest of object", object->id);
        }
    }
    for (unsigned k = ELEMENT_object + 1; k < ELEMENT_KIND_COUNT; k++) {
        const struct element_kind *kind = &element_kinds[k];
        const bool named = kind->fields.field[0].type == U32; // by its id, which comes first; else by its place
        for (uint32_t i = 0; i < elements_count(state, kind); i++) {
            const void *element = elements_at(world, kind, i);
            if (!element_is_sound(world, k, element)) {
                return refuse(fault, kind->one, named ? *(const uint32_t *)element : i);
            }
        }
    }
    return RESULT_OK;
}
