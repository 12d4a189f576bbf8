// SPDX-License-Identifier: MIT
// Splitting a particle of a sheet (PHYSICS.md 9).
//
// The triangles around v are divided by the plane through v across the line to u; triangles on the same side that share
// an edge at v form a fan. The first fan, in the order of triangles, keeps v with its pin, grabs and added sticks; each
// other fan gets a copy of v, and their masses add up to that of v. Where a command cuts (cut.c), the edges to marked
// particles divide the triangles instead, and where a blade cuts (blade.c), marked edges.
//
// The sticks around follow one rule: a stick along the edge of a triangle goes with the triangle, twice where two fans
// have the edge. Any other stick stays where its ends still have the triangles that it stands on (two triangles with an
// edge in common; for the bending sticks of a lattice a neighbour in common), and is removed elsewhere.
#include "sim/tear/split.h"

#include "sim/world/parameters.h"
#include "sim/world/particle.h"

struct fan_triangle {
    uint32_t index;
    uint32_t other[2]; // the corners other than v
    uint32_t fan;
    bool beyond; // true if on the side of u
};

struct split {
    struct tearing *tearing;
    uint32_t v;
    bool along;                                 // true to cut along marked edges, false to cut across a line
    struct fan_triangle triangle[TEAR_FAN_MAX]; // triangles around v
    uint32_t triangles;
    uint32_t fans;
    uint32_t particle[TEAR_FAN_MAX]; // of each fan
    float area[TEAR_FAN_MAX];        // of each fan, in any unit
    uint32_t patch[TEAR_PATCH_MAX];  // triangles that touch v or a neighbour of v
    uint32_t patch_count;
    struct tear_stick missing[2 * TEAR_FAN_MAX]; // sticks along edges that two fans have now
    uint32_t missing_count;
};

static uint32_t *corners_of(const struct tearing *tearing, uint32_t triangle) {
    return tearing->world->triangle + 3 * ((size_t)tearing->object->first_triangle + triangle);
}

static bool has_corner(const uint32_t *corner, uint32_t particle) {
    return corner[0] == particle || corner[1] == particle || corner[2] == particle;
}

uint32_t split_valence(const struct tearing *tearing, uint32_t particle) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < tearing->object->triangles && count <= TEAR_FAN_MAX; i++) {
        count += has_corner(corners_of(tearing, i), particle) ? 1 : 0;
    }
    return count;
}

// ---- fans --------------------------------------------------------------------------------------------------------

static uint32_t triangles_to_see(const struct tearing *tearing) {
    return tearing->near.triangle != NULL ? tearing->near.triangles : tearing->object->triangles;
}

static uint32_t triangle_at(const struct tearing *tearing, uint32_t place) {
    return tearing->near.triangle != NULL ? tearing->near.triangle[place] : place;
}

static bool collect_triangles(struct split *split) {
    const struct tearing *tearing = split->tearing;
    const uint32_t count = triangles_to_see(tearing);
    for (uint32_t place = 0; place < count; place++) {
        const uint32_t i = triangle_at(tearing, place);
        const uint32_t *corner = corners_of(tearing, i);
        if (!has_corner(corner, split->v)) {
            continue;
        }
        if (split->triangles == TEAR_FAN_MAX) {
            return false;
        }
        const unsigned k = corner[0] == split->v ? 0 : corner[1] == split->v ? 1 : 2;
        split->triangle[split->triangles] =
            (struct fan_triangle){.index = i, .other = {corner[(k + 1) % 3], corner[(k + 2) % 3]}};
        split->triangles++;
    }
    return split->triangles > 1;
}

static struct vec3 place_of(const struct tearing *tearing, uint32_t particle) {
    return particle_position(tearing->world, tearing->object->first + particle);
}

// The triangles beside the stick belong to the side of u, whatever their shape.
static void choose_sides(struct split *split, uint32_t u) {
    const struct vec3 v = place_of(split->tearing, split->v);
    const struct vec3 across = vec3_sub(place_of(split->tearing, u), v);
    for (uint32_t i = 0; i < split->triangles; i++) {
        struct fan_triangle *triangle = &split->triangle[i];
        const struct vec3 first = vec3_sub(place_of(split->tearing, triangle->other[0]), v);
        const struct vec3 second = vec3_sub(place_of(split->tearing, triangle->other[1]), v);
        triangle->beyond =
            triangle->other[0] == u || triangle->other[1] == u || vec3_dot(across, vec3_add(first, second)) > 0.0f;
    }
}

// Whether the triangle's side from v to the neighbour is one that a blade has crossed. Side k faces corner k.
static bool side_is_cut(const struct split *split, const struct fan_triangle *triangle, uint32_t neighbour) {
    const struct tearing *tearing = split->tearing;
    const uint32_t *corner = corners_of(tearing, triangle->index);
    const uint8_t sides = tearing->world->cut_sides[tearing->object->first_triangle + triangle->index];
    unsigned third = 0;
    while (third < 2 && (corner[third] == split->v || corner[third] == neighbour)) {
        third++;
    }
    return ((unsigned)sides >> third & 1u) != 0;
}

static bool is_cut(const struct split *split, const struct fan_triangle *a, const struct fan_triangle *b,
                   uint32_t neighbour) {
    if (!split->along) {
        return false;
    }
    if (split->tearing->by_sides) {
        return side_is_cut(split, a, neighbour) || side_is_cut(split, b, neighbour);
    }
    return (split->tearing->world->colours_taken[neighbour] & SPLIT_CUT) != 0;
}

static bool are_joined(const struct split *split, const struct fan_triangle *a, const struct fan_triangle *b) {
    bool joined = false;
    for (unsigned k = 0; k < 2 && a->beyond == b->beyond; k++) {
        const uint32_t neighbour = b->other[k];
        const bool common = a->other[0] == neighbour || a->other[1] == neighbour;
        joined = joined || (common && !is_cut(split, a, b, neighbour));
    }
    return joined;
}

// Numbers the fans in the order of their first triangles: each triangle in turn takes the lower fan of the triangles
// that it joins, until nothing changes.
static void number_fans(struct split *split) {
    for (uint32_t i = 0; i < split->triangles; i++) {
        split->triangle[i].fan = i;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < split->triangles; i++) {
            for (uint32_t k = 0; k < split->triangles; k++) {
                if (split->triangle[k].fan < split->triangle[i].fan &&
                    are_joined(split, &split->triangle[i], &split->triangle[k])) {
                    split->triangle[i].fan = split->triangle[k].fan;
                    changed = true;
                }
            }
        }
    }
    for (uint32_t i = 0; i < split->triangles; i++) {
        const uint32_t leader = split->triangle[i].fan;
        split->triangle[i].fan = leader == i ? split->fans : split->triangle[leader].fan;
        split->fans += leader == i ? 1 : 0;
    }
}

// ---- particles ---------------------------------------------------------------------------------------------------

// The triangles of a lattice are equal at rest, however they are stretched now.
static float area_of(const struct split *split, const struct fan_triangle *triangle) {
    if (split->tearing->object->kind == SIM_KIND_CLOTH) {
        return 1.0f;
    }
    const struct vec3 v = place_of(split->tearing, split->v);
    const struct vec3 first = vec3_sub(place_of(split->tearing, triangle->other[0]), v);
    const struct vec3 second = vec3_sub(place_of(split->tearing, triangle->other[1]), v);
    return vec3_length(vec3_cross(first, second));
}

static float measure_fans(struct split *split) {
    float total = 0.0f;
    for (uint32_t i = 0; i < split->triangles; i++) {
        const float area = area_of(split, &split->triangle[i]);
        split->area[split->triangle[i].fan] += area;
        total += area;
    }
    return total;
}

// True if every fan gets a mass that a particle may have.
static bool can_share_mass(struct split *split) {
    const struct tearing *tearing = split->tearing;
    const float own_w = tearing->world->own_w[tearing->object->first + split->v];
    const float total = measure_fans(split);
    for (uint32_t fan = 0; fan < split->fans; fan++) {
        split->area[fan] /= total;
        if (!(split->area[fan] >= SIM_MASS_MIN * own_w) || !(own_w > 0.0f)) {
            return false;
        }
    }
    return true;
}

static void make_particles(struct split *split) {
    struct sim_world *world = split->tearing->world;
    const uint32_t first = split->tearing->object->first;
    const uint32_t from = first + split->v;
    const float own_w = world->own_w[from];
    for (uint32_t fan = 0; fan < split->fans; fan++) {
        const uint32_t slot = first + split->particle[fan];
        if (fan > 0) { // a pinned particle may be outside the bounds, its copy may not
            const struct vec3 place = particle_position(world, from), within = world_within_bounds(world, place);
            const bool is_within = within.x == place.x && within.y == place.y && within.z == place.z;
            const struct vec3 low = is_within ? particle_low(world, from) : vec3_of(0.0f, 0.0f, 0.0f);
            particle_init_apart(world, slot, within, low, 0.0f);
            particle_set_displacement(world, slot, particle_displacement(world, from));
            world->colours_taken[split->particle[fan]] = world->colours_taken[split->v] & (SPLIT_CUT | SPLIT_NEAR);
        }
        world->own_w[slot] = own_w / split->area[fan];
        particle_refresh(world, slot);
    }
}

static void assign_corners(struct split *split) {
    for (uint32_t i = 0; i < split->triangles; i++) {
        uint32_t *corner = corners_of(split->tearing, split->triangle[i].index);
        for (unsigned k = 0; k < 3; k++) {
            corner[k] = corner[k] == split->v ? split->particle[split->triangle[i].fan] : corner[k];
        }
    }
}

// ---- sticks ------------------------------------------------------------------------------------------------------

static void mark(uint64_t *marks, bool set) {
    *marks = set ? *marks | SPLIT_AROUND : *marks & ~(uint64_t)SPLIT_AROUND;
}

static void mark_around(struct split *split, bool set) {
    uint64_t *marks = split->tearing->world->colours_taken;
    mark(&marks[split->v], set);
    for (uint32_t i = 0; i < split->triangles; i++) {
        mark(&marks[split->triangle[i].other[0]], set);
        mark(&marks[split->triangle[i].other[1]], set);
    }
}

// Collects all triangles that touch v or one of its neighbours, which are marked.
static bool collect_patch(struct split *split) {
    const uint64_t *marks = split->tearing->world->colours_taken;
    const uint32_t count = triangles_to_see(split->tearing);
    for (uint32_t place = 0; place < count; place++) {
        const uint32_t i = triangle_at(split->tearing, place);
        const uint32_t *corner = corners_of(split->tearing, i);
        if (((marks[corner[0]] | marks[corner[1]] | marks[corner[2]]) & SPLIT_AROUND) != 0) {
            if (split->patch_count == TEAR_PATCH_MAX) {
                return false;
            }
            split->patch[split->patch_count] = i;
            split->patch_count++;
        }
    }
    return true;
}

static uint32_t corners_in_common(const uint32_t *a, const uint32_t *b) {
    return (has_corner(b, a[0]) ? 1U : 0U) + (has_corner(b, a[1]) ? 1U : 0U) + (has_corner(b, a[2]) ? 1U : 0U);
}

// The greatest number of corners that a triangle of p and a triangle of q have in common: 3 where p and q are ends of
// an edge.
static uint32_t corners_shared(const struct split *split, uint32_t p, uint32_t q) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < split->patch_count; i++) {
        const uint32_t *a = corners_of(split->tearing, split->patch[i]);
        if (!has_corner(a, p)) {
            continue;
        }
        for (uint32_t k = 0; k < split->patch_count; k++) {
            const uint32_t *b = corners_of(split->tearing, split->patch[k]);
            const uint32_t common = has_corner(b, q) ? corners_in_common(a, b) : 0;
            most = common > most ? common : most;
        }
    }
    return most;
}

static bool fan_has(const struct split *split, uint32_t fan, uint32_t neighbour) {
    for (uint32_t i = 0; i < split->triangles; i++) {
        const struct fan_triangle *triangle = &split->triangle[i];
        if (triangle->fan == fan && (triangle->other[0] == neighbour || triangle->other[1] == neighbour)) {
            return true;
        }
    }
    return false;
}

static uint32_t fans_with(const struct split *split, uint32_t neighbour) {
    uint32_t count = 0;
    for (uint32_t fan = 0; fan < split->fans; fan++) {
        count += fan_has(split, fan, neighbour) ? 1 : 0;
    }
    return count;
}

// Assigns a stick from v along an edge: to the first fan that has the edge, and once more for each other fan that has
// it.
static void part_edge(struct split *split, uint32_t *end, uint32_t neighbour, float rest) {
    bool placed = false;
    for (uint32_t fan = 0; fan < split->fans; fan++) {
        if (!fan_has(split, fan, neighbour)) {
            continue;
        }
        if (!placed) {
            *end = split->particle[fan];
            placed = true;
        } else {
            split->missing[split->missing_count] = (struct tear_stick){split->particle[fan], neighbour, rest, 0};
            split->missing_count++;
        }
    }
}

// Assigns a stick from v that is along no edge: to the first fan on which it still stands.
static bool follow_fan(const struct split *split, uint32_t *end, uint32_t far, uint32_t kin) {
    for (uint32_t fan = 0; fan < split->fans; fan++) {
        if (corners_shared(split, split->particle[fan], far) >= kin) {
            *end = split->particle[fan];
            return true;
        }
    }
    return false;
}

static void reassign_stick(struct split *split, uint32_t stick, bool bends) {
    const struct tearing *tearing = split->tearing;
    const uint64_t *marks = tearing->world->colours_taken;
    uint32_t *a = &tearing->world->stick_a[tearing->object->first_stick + stick];
    uint32_t *b = &tearing->world->stick_b[tearing->object->first_stick + stick];
    const bool at_v = *a == split->v || *b == split->v;
    if (tear_is_gone(tearing, stick) || (!at_v && (marks[*a] & marks[*b] & SPLIT_AROUND) == 0)) {
        return;
    }
    uint32_t *end = *b == split->v ? b : a;
    const uint32_t far = *b == split->v ? *a : *b;
    const uint32_t kin = bends && tearing->object->kind == SIM_KIND_CLOTH ? 1 : 2;
    bool stands = true;
    if (at_v && fans_with(split, far) > 0) {
        part_edge(split, end, far, tearing->world->stick_rest[tearing->object->first_stick + stick]);
    } else {
        stands = at_v ? follow_fan(split, end, far, kin) : corners_shared(split, *a, *b) >= kin;
    }
    if (!stands) {
        *a = TEAR_GONE;
        *b = TEAR_GONE;
    }
}

static void reassign_sticks(struct split *split) {
    const struct sim_world *world = split->tearing->world;
    const struct object *object = split->tearing->object;
    const struct tear_near *near = &split->tearing->near;
    for (uint32_t place = 0; near->triangle != NULL && place < near->sticks; place++) {
        reassign_stick(split, near->stick[place] / 2, near->stick[place] % 2 != 0);
    }
    if (near->triangle != NULL) {
        return;
    }
    uint32_t stick = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
        for (; stick < world->colour_end[object->first_colour + colour]; stick++) {
            reassign_stick(split, stick, bends);
        }
    }
}

// Sticks that were added earlier in the tick lie along edges.
static void reassign_added(struct split *split) {
    struct tearing *tearing = split->tearing;
    for (uint32_t i = 0; i < tearing->added_count; i++) {
        struct tear_stick *stick = &tearing->added[i];
        if (stick->a == split->v || stick->b == split->v) {
            part_edge(split, stick->b == split->v ? &stick->b : &stick->a, stick->b == split->v ? stick->a : stick->b,
                      stick->rest);
        }
    }
}

// The free colours are known only when all other sticks have their ends.
static void add_missing(struct split *split) {
    for (uint32_t i = 0; i < split->missing_count; i++) {
        const struct tear_stick *stick = &split->missing[i];
        tear_add_stick(split->tearing, stick->rest, stick->a, stick->b);
    }
}

// ---- points of the surface ---------------------------------------------------------------------------------------

static bool carries(const struct split *split, const uint32_t particle[SIM_GRAB_CARRIERS], uint32_t carriers) {
    for (uint32_t i = 0; i < split->patch_count; i++) {
        const uint32_t *corner = corners_of(split->tearing, split->patch[i]);
        bool all = true;
        for (uint32_t k = 0; k < carriers; k++) {
            all = all && has_corner(corner, particle[k]);
        }
        if (all) {
            return true;
        }
    }
    return false;
}

_Static_assert(SIM_STICK_CARRIERS == SIM_GRAB_CARRIERS, "both are moved alike");

// A grab, or the end of an added stick, at a point of the surface goes with the triangle or edge that it holds.
static void move_carriers(const struct split *split, uint32_t particle[SIM_GRAB_CARRIERS], uint32_t carriers) {
    for (uint32_t k = 0; k < carriers; k++) {
        for (uint32_t fan = 0; particle[k] == split->v && fan < split->fans; fan++) {
            uint32_t moved[SIM_GRAB_CARRIERS];
            memcpy(moved, particle, sizeof moved);
            moved[k] = split->particle[fan];
            if (carries(split, moved, carriers)) {
                particle[k] = split->particle[fan];
                break;
            }
        }
    }
}

static void move_end(const struct split *split, struct sim_stick_end *end, struct sim_stick_point *point) {
    if (end->object == split->tearing->object->id && point->carriers > 0) {
        move_carriers(split, point->particle, point->carriers);
        end->particle = point->particle[0];
    }
}

static void move_points(const struct split *split) {
    struct sim_world *world = split->tearing->world;
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct grab *grab = &world->grab[i];
        if (grab->holds == 0 && grab->object == split->tearing->object->id) {
            move_carriers(split, grab->particle, grab->carriers);
        }
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        move_end(split, &world->free_stick[i].a, &world->free_stick[i].a_point);
        move_end(split, &world->free_stick[i].b, &world->free_stick[i].b_point);
    }
}

// ---- splitting ---------------------------------------------------------------------------------------------------

// True if there is room for a particle of each fan but the first, `more_particles`, and `most` added sticks.
static bool has_room(const struct split *split, uint32_t more_particles, uint32_t most) {
    const struct tearing *tearing = split->tearing;
    const uint64_t sticks = world_sticks_used(&tearing->world->state) + tearing->added_count;
    const uint64_t colours = (uint64_t)tearing->world->state.colours + (tearing->colours - tearing->object->colours);
    return tearing->particles + split->fans - 1 + more_particles <= tearing->object->particles &&
           tearing->added_count + most <= TEAR_ADDED_MAX && sticks + most <= tearing->world->state.room_sticks &&
           colours + most <= tearing->world->state.room_sticks;
}

static void make_fans(struct split *split) {
    struct tearing *tearing = split->tearing;
    split->particle[0] = split->v;
    for (uint32_t fan = 1; fan < split->fans; fan++) {
        split->particle[fan] = tearing->particles;
        tearing->particles++;
    }
    make_particles(split);
    assign_corners(split);
    reassign_sticks(split);
    reassign_added(split);
    add_missing(split);
    move_points(split);
}

// Collects the triangles around v and its neighbours. Returns false if they are too many.
static bool prepare(struct split *split) {
    mark_around(split, true);
    const bool known = collect_patch(split);
    mark_around(split, false);
    return known;
}

static void part(struct split *split) {
    mark_around(split, true);
    make_fans(split);
    mark_around(split, false);
}

// Where a cut reaches the rim or another cut, the triangles at its end are joined only in the corner; this parts them.
// Their fans have no edge in common, so that no stick is added.
static void split_end(struct tearing *tearing, uint32_t end) {
    struct split split = {.tearing = tearing, .v = end};
    if (!collect_triangles(&split)) {
        return;
    }
    number_fans(&split);
    if (split.fans > 1 && can_share_mass(&split) && prepare(&split)) {
        part(&split);
    }
}

// Lists the neighbours to which the cut from v leads, each once. `common` sums the fans of each beyond the first.
static uint32_t ends_of_cut(const struct split *split, uint32_t end[2 * TEAR_FAN_MAX], uint32_t *common) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * split->triangles; i++) {
        const uint32_t neighbour = split->triangle[i / 2].other[i % 2];
        const uint32_t fans = fans_with(split, neighbour);
        bool known = fans < 2;
        for (uint32_t k = 0; k < count; k++) {
            known = known || end[k] == neighbour;
        }
        if (!known) {
            end[count] = neighbour;
            *common += fans - 1;
            count++;
        }
    }
    return count;
}

// True if the triangles at an end of a cut can be parted, however they are joined afterwards. `more` counts the
// particles for triangles that are joined only in the corner already, which are parted as well.
static bool can_split_end(struct tearing *tearing, uint32_t end, uint32_t *more) {
    struct split split = {.tearing = tearing, .v = end};
    if (!collect_triangles(&split)) {
        return split.triangles < 2;
    }
    number_fans(&split);
    *more += split.fans - 1;
    for (uint32_t i = 0; i < split.triangles; i++) {
        split.triangle[i].fan = i;
    }
    split.fans = split.triangles;
    return can_share_mass(&split) && prepare(&split);
}

// A cut is made together with the splits at its ends, or not at all.
static bool cut(struct split *split) {
    struct tearing *tearing = split->tearing;
    number_fans(split);
    uint32_t end[2 * TEAR_FAN_MAX];
    uint32_t common = 0;
    const uint32_t ends = ends_of_cut(split, end, &common);
    uint32_t more_particles = common;
    bool possible = split->fans > 1 && can_share_mass(split) && prepare(split);
    for (uint32_t i = 0; i < ends && possible; i++) {
        possible = can_split_end(tearing, end[i], &more_particles);
    }
    if (!possible || !has_room(split, more_particles, common)) {
        return false;
    }
    part(split);
    for (uint32_t i = 0; i < ends; i++) {
        split_end(tearing, end[i]);
    }
    return true;
}

bool split_particle(struct tearing *tearing, uint32_t v, uint32_t u) {
    struct split split = {.tearing = tearing, .v = v};
    if (!collect_triangles(&split)) {
        return false;
    }
    choose_sides(&split, u);
    return cut(&split);
}

bool split_along(struct tearing *tearing, uint32_t v) {
    struct split split = {.tearing = tearing, .v = v, .along = true};
    return collect_triangles(&split) && cut(&split);
}
