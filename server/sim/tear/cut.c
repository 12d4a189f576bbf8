// SPDX-License-Identifier: MIT
// Tearing by command (PHYSICS.md 9): a sheet is cut along the edges between chosen particles, or of one particle along
// all its edges. The chosen particles are split one after the other in the order given, by the same code as where a
// stick breaks (split.c), so that mass, sticks, pins and grabs are treated alike.
//
// A cut inside the sheet has two tips, which stay whole; a cut along a single edge would therefore open nothing. Such a
// cut continues past one of its ends along the edge that is most nearly straight. Particles that the cut can affect lie
// no farther than two edges from the chosen ones; they are listed first, in scratch of the tethers. Room is checked
// before anything changes: each corner of a triangle that the cut touches may need a particle and a stick of its own.
//
// A blade (blade.c) cuts by the same steps, but chooses edges: those that `cut_sides` marks.
#include "sim/tear/cut.h"

#include "sim/stick/tether.h"
#include "sim/tear/split.h"
#include "sim/tear/tearing.h"
#include "sim/world/enclosure.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/sequence.h"
#include "sim/world/wake.h"

#define NEXT 8u                              // in `colours_taken`: no farther than an edge from the cut
#define ROUND_ADDED_MAX (TEAR_ADDED_MAX / 2) // sticks added after which a new round begins

struct cut {
    struct tearing tearing;
    const uint32_t *chosen; // local; NULL: `cut_sides` says where
    uint32_t count;
    uint32_t before; // particles of the object before the cut
    uint32_t room;   // number of particles that may be added
};

static const uint32_t *corners_of(const struct tearing *tearing, uint32_t triangle) {
    return tearing->world->triangle + 3 * ((size_t)tearing->object->first_triangle + triangle);
}

static bool is_marked(const struct tearing *tearing, uint32_t particle) {
    return (tearing->world->colours_taken[particle] & SPLIT_CUT) != 0;
}

static void set_mark(const struct tearing *tearing, uint32_t particle) {
    tearing->world->colours_taken[particle] |= SPLIT_CUT;
}

// ---- edges of the cut --------------------------------------------------------------------------------------------

// With one particle chosen: marks the ends of all its edges.
static void mark_neighbours(const struct tearing *tearing, uint32_t v) {
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        const uint32_t *corner = corners_of(tearing, i);
        if (corner[0] == v || corner[1] == v || corner[2] == v) {
            set_mark(tearing, corner[0]);
            set_mark(tearing, corner[1]);
            set_mark(tearing, corner[2]);
        }
    }
    tearing->world->colours_taken[v] = 0;
}

static void mark_chosen(const struct cut *cut) {
    if (cut->count == 1) {
        mark_neighbours(&cut->tearing, cut->chosen[0]);
        return;
    }
    for (uint32_t i = 0; i < cut->count; i++) {
        set_mark(&cut->tearing, cut->chosen[i]);
    }
}

static void clear_marks(const struct tearing *tearing) {
    memset(tearing->world->colours_taken, 0, tearing->object->particles * sizeof *tearing->world->colours_taken);
}

struct marked {
    uint32_t triangles; // triangles with a marked corner
    bool edge;          // true if two marked particles are ends of an edge
};

static struct marked examine_marked(const struct tearing *tearing) {
    struct marked marked = {0};
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        const uint32_t *corner = corners_of(tearing, i);
        uint32_t corners = 0;
        for (unsigned k = 0; k < 3; k++) {
            corners += is_marked(tearing, corner[k]) ? 1 : 0;
        }
        marked.edge = marked.edge || corners > 1;
        marked.triangles += corners > 0 ? 1 : 0;
    }
    return marked;
}

static bool has_corners(const uint32_t *corner, uint32_t a, uint32_t b) {
    return (corner[0] == a || corner[1] == a || corner[2] == a) && (corner[0] == b || corner[1] == b || corner[2] == b);
}

static bool lies_inside(const struct tearing *tearing, uint32_t a, uint32_t b) {
    uint32_t sides = 0;
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        sides += has_corners(corners_of(tearing, i), a, b) ? 1 : 0;
    }
    return sides > 1;
}

// The first edge between marked particles that has a triangle on either side.
static bool find_inner_edge(const struct tearing *tearing, uint32_t ends[2]) {
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        const uint32_t *corner = corners_of(tearing, i);
        for (unsigned k = 0; k < 3; k++) {
            ends[0] = corner[k];
            ends[1] = corner[(k + 1) % 3];
            if (is_marked(tearing, ends[0]) && is_marked(tearing, ends[1]) && lies_inside(tearing, ends[0], ends[1])) {
                return true;
            }
        }
    }
    return false;
}

// ---- affected triangles and sticks ------------------------------------------------------------------------------

static bool has_mark(const struct tearing *tearing, const uint32_t *corner, uint64_t mark) {
    const uint64_t *marks = tearing->world->colours_taken;
    return ((marks[corner[0]] | marks[corner[1]] | marks[corner[2]]) & mark) != 0;
}

// Gives the corners of all triangles with a corner that has one mark another mark.
static void spread_mark(const struct tearing *tearing, uint64_t from, uint64_t to) {
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        const uint32_t *corner = corners_of(tearing, i);
        for (unsigned k = 0; k < 3 && has_mark(tearing, corner, from); k++) {
            tearing->world->colours_taken[corner[k]] |= to;
        }
    }
}

static void list_triangles(struct tearing *tearing) {
    const uint32_t most = tearing->world->capacity.sticks;
    uint32_t *list = tearing->world->tether_link + most;
    uint32_t count = 0;
    for (uint32_t i = 0; i < tearing->object->triangles && count <= most; i++) {
        if (has_mark(tearing, corners_of(tearing, i), SPLIT_NEAR)) {
            if (count < most) {
                list[count] = i;
            }
            count++;
        }
    }
    tearing->near.triangle = count <= most ? list : NULL;
    tearing->near.triangles = count;
}

// Listed anew after every round, in which sticks change places.
static void list_sticks(struct tearing *tearing) {
    const struct sim_world *world = tearing->world;
    const struct object *object = tearing->object;
    uint32_t *list = world->tether_link;
    uint32_t count = 0;
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0 ? 1 : 0;
        for (; stick < world->colour_end[object->first_colour + colour]; stick++) {
            const uint64_t marks = world->colours_taken[world->stick_a[object->first_stick + stick]] |
                                   world->colours_taken[world->stick_b[object->first_stick + stick]];
            if ((marks & SPLIT_NEAR) != 0) {
                list[count] = 2 * stick + bends;
                count++;
            }
        }
    }
    tearing->near.stick = list;
    tearing->near.sticks = count;
}

static void list_near(struct tearing *tearing) {
    spread_mark(tearing, SPLIT_CUT, NEXT);
    spread_mark(tearing, NEXT, SPLIT_NEAR);
    list_triangles(tearing);
    list_sticks(tearing);
}

// ---- cutting -----------------------------------------------------------------------------------------------------

// An object can gain only this many sticks at once: near the limit, the sticks are put in order first.
static void cut_at(struct cut *cut, uint32_t v) {
    struct tearing *tearing = &cut->tearing;
    if (tearing->added_count > ROUND_ADDED_MAX) {
        tear_finish(tearing);
        tear_begin(tearing, cut->room);
        list_sticks(tearing);
    }
    (void)split_along(tearing, v);
}

// The neighbour of v that lies most nearly straight on from u, or TETHER_NONE.
static uint32_t straight_on(const struct tearing *tearing, uint32_t u, uint32_t v) {
    const struct sim_world *world = tearing->world;
    const struct vec3 from = particle_position(world, tearing->object->first + v);
    const struct vec3 way = vec3_sub(from, particle_position(world, tearing->object->first + u));
    uint32_t best = TETHER_NONE;
    float most = 0.0f;
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        const uint32_t *corner = corners_of(tearing, i);
        if (corner[0] != v && corner[1] != v && corner[2] != v) {
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            const struct vec3 on = vec3_sub(particle_position(world, tearing->object->first + corner[k]), from);
            const float length = vec3_length(on);
            const float along = length > 0.0f ? vec3_dot(way, on) / length : 0.0f;
            if (corner[k] != v && corner[k] != u && (best == TETHER_NONE || along > most)) {
                best = corner[k];
                most = along;
            }
        }
    }
    return best;
}

// Continues a cut that has opened nowhere past one of the ends of its first edge.
static void extend_cut(struct cut *cut) {
    uint32_t ends[2];
    if (!find_inner_edge(&cut->tearing, ends)) {
        return;
    }
    for (unsigned k = 0; k < 2 && cut->tearing.particles == cut->before; k++) {
        const uint32_t on = straight_on(&cut->tearing, ends[1 - k], ends[k]);
        if (on != TETHER_NONE) {
            set_mark(&cut->tearing, on);
            cut_at(cut, ends[k]);
            cut->tearing.world->colours_taken[on] &= ~(uint64_t)SPLIT_CUT;
        }
    }
}

// Where a particle at the end of one cut was split before its own turn, its copy has triangles to part as well.
static void finish_copies(struct cut *cut) {
    for (uint32_t copy = cut->before; copy < cut->tearing.particles; copy++) {
        if (is_marked(&cut->tearing, copy)) {
            cut_at(cut, copy);
        }
    }
}

static void make_cut(struct cut *cut) {
    tear_begin(&cut->tearing, cut->room);
    list_near(&cut->tearing);
    for (uint32_t v = 0; cut->chosen == NULL && v < cut->tearing.particles; v++) { // copies too
        if (is_marked(&cut->tearing, v)) {
            cut_at(cut, v);
        }
    }
    for (uint32_t i = 0; cut->chosen != NULL && i < cut->count; i++) {
        cut_at(cut, cut->chosen[i]);
    }
    if (cut->count > 1) {
        finish_copies(cut);
    }
    if (cut->count > 1 && cut->tearing.particles == cut->before) {
        extend_cut(cut);
    }
    clear_marks(&cut->tearing);
    tear_finish(&cut->tearing);
}

// What else follows from new particles.
static void finish_object(struct sim_world *world, struct object *object, uint32_t before) {
    tether_cut(world, object, before);
    enclosure_open(object);
}

// ---- along sides -------------------------------------------------------------------------------------------------

static bool has_cut_side(const struct tearing *tearing, uint32_t triangle, unsigned corner) {
    const uint8_t sides = tearing->world->cut_sides[tearing->object->first_triangle + triangle];
    return (sides & ~(1u << corner)) != 0;
}

static void mark_sides(const struct tearing *tearing) {
    for (uint32_t i = 0; i < tearing->object->triangles; i++) {
        for (unsigned k = 0; k < 3; k++) {
            if (has_cut_side(tearing, i, k)) {
                set_mark(tearing, corners_of(tearing, i)[k]);
            }
        }
    }
}

uint64_t cut_sides_room(struct sim_world *world, struct object *object) {
    const struct tearing tearing = {.world = world, .object = object, .by_sides = true};
    mark_sides(&tearing);
    const struct marked marked = examine_marked(&tearing);
    clear_marks(&tearing);
    return marked.triangles > 0 ? 3 * (uint64_t)marked.triangles + 2 * TEAR_FAN_MAX : 0;
}

uint32_t cut_along_sides(struct sim_world *world, struct object *object, uint32_t room) {
    struct cut cut = {
        .tearing = {.world = world, .object = object, .by_sides = true}, .before = object->particles, .room = room};
    mark_sides(&cut.tearing);
    make_cut(&cut);
    if (object->particles > cut.before) {
        finish_object(world, object, cut.before);
    }
    return object->particles - cut.before;
}

// ---- the command -------------------------------------------------------------------------------------------------

static enum result check_object(const struct object *object, struct fault *fault) {
    if (object->kind != SIM_KIND_CLOTH && object->kind != SIM_KIND_MESH) {
        return fault_set(fault, RESULT_INVALID, "/object",
                         "object %u is neither a cloth nor a mesh: nothing else can be torn", object->id);
    }
    if (object->quarantined) {
        return fault_set(fault, RESULT_STATE, "/object", "object %u is frozen and cannot be torn", object->id);
    }
    return RESULT_OK;
}

static enum result check_chosen(const struct object *object, const uint32_t *indices, uint32_t count,
                                struct fault *fault) {
    if (count == 0 || count > SIM_TEAR_PARTICLES_MAX) {
        return fault_set(fault, RESULT_INVALID, "/particles", "particles must name 1 to %u, got %u",
                         SIM_TEAR_PARTICLES_MAX, count);
    }
    return layout_check_indices(object, indices, count, "/particles", fault);
}

// Finds the room that the cut may need. Fails if there is not that much.
static enum result find_room(struct cut *cut, uint32_t triangles, struct fault *fault) {
    const struct sim_world *world = cut->tearing.world;
    const uint64_t wanted = 3 * (uint64_t)triangles + 2 * TEAR_FAN_MAX;
    const uint64_t sticks = world_sticks_used(&world->state) + wanted;
    if (world->state.particles + wanted > world->capacity.particles || sticks > world->capacity.sticks) {
        const bool particles = world->state.particles + wanted > world->capacity.particles;
        return fault_set(fault, RESULT_LIMIT, "/particles", "the cut may need %u more %s: the world's limit is %u",
                         (unsigned)wanted, particles ? "particles" : "sticks",
                         particles ? world->capacity.particles : world->capacity.sticks);
    }
    cut->room = (uint32_t)wanted;
    return RESULT_OK;
}

static enum result check_marked(struct cut *cut, struct fault *fault) {
    const struct marked marked = examine_marked(&cut->tearing);
    if (cut->count > 1 && !marked.edge) {
        return fault_set(fault, RESULT_INVALID, "/particles",
                         "no edge of object %u joins two of these particles: name neighbours, or one alone",
                         cut->tearing.object->id);
    }
    return find_room(cut, marked.triangles, fault);
}

static enum result cut_object(struct cut *cut, struct fault *fault) {
    const struct object *object = cut->tearing.object;
    mark_chosen(cut);
    const enum result result = check_marked(cut, fault);
    if (result != RESULT_OK) {
        clear_marks(&cut->tearing);
        return result;
    }
    make_cut(cut);
    if (object->particles == cut->before) {
        return fault_set(fault, RESULT_INVALID, "/particles",
                         "object %u cannot part there: its triangles hang together all the same, or only one is left",
                         object->id);
    }
    return RESULT_OK;
}

enum result sim_particle_tear(struct sim_world *world, uint32_t object, const uint32_t *indices, uint32_t count,
                              uint32_t *made, struct fault *fault) {
    struct object *found = NULL;
    enum result result = layout_find(world, object, &found, fault);
    if (result == RESULT_OK) {
        result = check_object(found, fault);
    }
    if (result == RESULT_OK) {
        result = check_chosen(found, indices, count, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct cut cut = {
        .tearing = {.world = world, .object = found}, .chosen = indices, .count = count, .before = found->particles};
    result = cut_object(&cut, fault);
    if (result != RESULT_OK) {
        return result;
    }
    *made = found->particles - cut.before;
    finish_object(world, found, cut.before);
    layout_changed(world);
    wake_object(world, object);
    (void)sequence_next(world);
    return RESULT_OK;
}
