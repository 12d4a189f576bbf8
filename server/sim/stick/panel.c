// SPDX-License-Identifier: MIT
// Panels of fabric: shapes, neighbours, weights of curvature and order (PHYSICS.md 7.5).
//
// The curvature of a panel is that of the least bent quadratic surface through its corners and the corners across its
// edges. With the shape at rest of a neighbour unfolded beside it, in coordinates u along the warp and v along the
// weft, the corner across edge i lies at P_i, where the panel's own plane, continued, has the point Σ N_k(P_i)·x_k.
// Beyond it by
//
//   d_i = x(P_i) − Σ N_k(P_i)·x_k = M_i·K        K = (x_uu, x_vv, x_uv)
//   M_i = ½·(u² − Σ N_k·u_k²,  v² − Σ N_k·v_k²,  2·(u·v − Σ N_k·u_k·v_k))       at P_i
//
// lies the corner of a quadratic surface. Of all K with these d_i the one of least energy Kᵀ·D·K, with D of the bending
// stiffnesses, is
//
//   K = D⁻¹·Mᵀ·(M·D⁻¹·Mᵀ)⁻¹·d
//
// With three neighbours this is exact for every quadratic surface, whatever the mesh; with fewer, at a rim, no moment
// acts across the free edge. K is linear in the positions, and its weights are constants of the mesh.
//
// Panels are put in the order of colours, no two of a colour sharing a particle, which spreads corrections over the
// whole sheet from the first on; panels beyond 64 colours come last.
#include "sim/stick/panel.h"

#include "sim/world/particle.h"

#define COLOURS 64u
#define NONE UINT32_MAX
#define THIN 1e-4f // least height of a triangle of fabric, as a share of its longest side
// A share of the matrix's trace that is added to its diagonal: meshes of which six points lie on a conic have no
// inverse.
#define RIDGE 1e-6
#define WEIGHT_MAX 1e12 // 1/m²

// ---- shapes ------------------------------------------------------------------------------------------------------

// Edges in warp and weft: the inverse of a shape.
struct rest {
    double u[3], v[3]; // m, of the corners; those of the first are 0
};

static struct rest rest_of(const float shape[4]) {
    const double det = (double)shape[0] * (double)shape[3] - (double)shape[1] * (double)shape[2];
    return (struct rest){.u = {0.0, (double)shape[3] / det, -(double)shape[2] / det},
                         .v = {0.0, -(double)shape[1] / det, (double)shape[0] / det}};
}

float panel_area(const float shape[4]) {
    return 0.5f / scalar_abs(shape[0] * shape[3] - shape[1] * shape[2]);
}

bool panel_shape_is_sound(const float shape[4]) {
    bool sound = true;
    for (unsigned i = 0; i < 4; i++) {
        sound = sound && shape[i] >= -1e9f && shape[i] <= 1e9f;
    }
    const float det = scalar_abs(shape[0] * shape[3] - shape[1] * shape[2]);
    return sound && det >= 1e-11f && det <= 1e13f;
}

bool panel_curve_is_sound(const float curve[3]) {
    bool sound = true;
    for (unsigned i = 0; i < 3; i++) {
        sound = sound && curve[i] >= -1e6f && curve[i] <= 1e6f;
    }
    return sound;
}

static struct vec3 corner_at(const struct sim_world *world, const struct object *object, uint32_t triangle,
                             unsigned k) {
    const uint32_t *corner = world->triangle + 3 * ((size_t)object->first_triangle + triangle);
    return particle_position(world, object->first + corner[k]);
}

struct edges {
    struct vec3 first, second; // m, from corner 0 to corners 1 and 2
};

static struct edges edges_of(const struct sim_world *world, const struct object *object, uint32_t triangle) {
    const struct vec3 at = corner_at(world, object, triangle, 0);
    return (struct edges){vec3_sub(corner_at(world, object, triangle, 1), at),
                          vec3_sub(corner_at(world, object, triangle, 2), at)};
}

// The axis that the warp follows: y, or z of a mesh that faces along y on the whole.
static struct vec3 warp_axis(const struct sim_world *world, const struct object *object) {
    double along = 0.0, total = 0.0;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const struct edges edges = edges_of(world, object, i);
        const struct vec3 across = vec3_cross(edges.first, edges.second);
        along += (double)scalar_abs(across.y);
        total += (double)vec3_length(across);
    }
    return along > 0.9 * total ? vec3_of(0.0f, 0.0f, 1.0f) : vec3_of(0.0f, 1.0f, 0.0f);
}

static struct vec3 unit(struct vec3 v) {
    return vec3_scale(v, 1.0f / vec3_length(v));
}

// The axis, laid onto a plane; where it stands upright on that, x instead.
static struct vec3 laid_onto(struct vec3 axis, struct vec3 normal) {
    const struct vec3 flat = vec3_sub(axis, vec3_scale(normal, vec3_dot(axis, normal)));
    if (vec3_dot(flat, flat) > 1e-4f) {
        return unit(flat);
    }
    return unit(vec3_sub(vec3_of(1.0f, 0.0f, 0.0f), vec3_scale(normal, normal.x)));
}

static bool set_shape(const struct edges *edges, struct vec3 axis, float shape[4]) {
    const struct vec3 across = vec3_cross(edges->first, edges->second);
    const struct vec3 third = vec3_sub(edges->second, edges->first);
    const float longest = scalar_max(vec3_dot(third, third), scalar_max(vec3_dot(edges->first, edges->first),
                                                                        vec3_dot(edges->second, edges->second)));
    const float twice_area = vec3_length(across);
    if (!(twice_area > THIN * longest)) {
        return false;
    }
    const struct vec3 normal = vec3_scale(across, 1.0f / twice_area);
    const struct vec3 warp = laid_onto(axis, normal);
    const struct vec3 weft = vec3_cross(normal, warp);
    const double u[2] = {(double)vec3_dot(edges->first, warp), (double)vec3_dot(edges->second, warp)};
    const double v[2] = {(double)vec3_dot(edges->first, weft), (double)vec3_dot(edges->second, weft)};
    const double det = u[0] * v[1] - u[1] * v[0];
    const double inverse[4] = {v[1] / det, -v[0] / det, -u[1] / det, u[0] / det};
    for (unsigned i = 0; i < 4; i++) {
        shape[i] = (float)inverse[i];
    }
    return panel_shape_is_sound(shape);
}

// ---- neighbours --------------------------------------------------------------------------------------------------

// A side of a triangle is 3·triangle + the corner that it faces; its ends are the other two corners.
static void side_ends(const uint32_t *corners, uint32_t side, uint32_t ends[2]) {
    const uint32_t *corner = corners + 3 * (size_t)(side / 3);
    const uint32_t a = corner[(side + 1) % 3], b = corner[(side + 2) % 3];
    ends[0] = a < b ? a : b;
    ends[1] = a < b ? b : a;
}

// Lists the sides at the lower of their ends.
static void list_sides(const struct sim_world *world, const struct object *object, const uint32_t *corners) {
    uint32_t *head = world->panel_head + object->first;
    uint32_t *next = world->panel_next + 3 * (size_t)object->first_panel;
    for (uint32_t i = 0; i < object->particles; i++) {
        head[i] = NONE;
    }
    for (uint32_t side = 3 * object->panels; side > 0; side--) {
        uint32_t ends[2];
        side_ends(corners, side - 1, ends);
        next[side - 1] = head[ends[0]];
        head[ends[0]] = side - 1;
    }
}

// The first side of another triangle between the same ends, or NONE.
static uint32_t facing_side(const struct sim_world *world, const struct object *object, const uint32_t *corners,
                            uint32_t side) {
    const uint32_t *next = world->panel_next + 3 * (size_t)object->first_panel;
    uint32_t ends[2], others[2];
    side_ends(corners, side, ends);
    uint32_t other = world->panel_head[object->first + ends[0]];
    for (; other != NONE; other = next[other]) {
        side_ends(corners, other, others);
        if (others[1] == ends[1] && other / 3 != side / 3) {
            break;
        }
    }
    return other;
}

// ---- weights of curvature ----------------------------------------------------------------------------------------

struct facing {
    double m[3];    // M_i
    double n[3];    // N_k(P_i)
    unsigned place; // of the corner across
};

// Unfolds the neighbour's rest shape beside the panel's.
static struct facing unfold(const struct rest *own, const uint32_t *corner, unsigned edge, const struct rest *other,
                            const uint32_t *other_corner, unsigned other_edge) {
    const unsigned a = (edge + 1) % 3, b = (edge + 2) % 3;
    const unsigned other_a =
        other_corner[(other_edge + 1) % 3] == corner[a] ? (other_edge + 1) % 3 : (other_edge + 2) % 3;
    const unsigned other_b = 3 - other_edge - other_a;
    const double ou = other->u[other_b] - other->u[other_a], ov = other->v[other_b] - other->v[other_a];
    const double pu = other->u[other_edge] - other->u[other_a], pv = other->v[other_edge] - other->v[other_a];
    const double squared = ou * ou + ov * ov;
    const double cross = ou * pv - ov * pu;
    const double share = (ou * pu + ov * pv) / squared, height = (cross < 0.0 ? -cross : cross) / sqrt(squared);
    const double u = own->u[b] - own->u[a], v = own->v[b] - own->v[a];
    const double length = sqrt(u * u + v * v);
    const double inside =
        u * (own->v[edge] - own->v[a]) - v * (own->u[edge] - own->u[a]); // on which side the panel lies
    const double out = inside > 0.0 ? height : -height;
    const double at_u = own->u[a] + share * u + out * v / length;
    const double at_v = own->v[a] + share * v - out * u / length;
    struct facing facing = {.place = 3 + edge};
    const double det = own->u[1] * own->v[2] - own->u[2] * own->v[1];
    facing.n[1] = (at_u * own->v[2] - at_v * own->u[2]) / det;
    facing.n[2] = (at_v * own->u[1] - at_u * own->v[1]) / det;
    facing.n[0] = 1.0 - facing.n[1] - facing.n[2];
    double squares[3] = {at_u * at_u, at_v * at_v, at_u * at_v};
    for (unsigned k = 1; k < 3; k++) {
        squares[0] -= facing.n[k] * own->u[k] * own->u[k];
        squares[1] -= facing.n[k] * own->v[k] * own->v[k];
        squares[2] -= facing.n[k] * own->u[k] * own->v[k];
    }
    facing.m[0] = 0.5 * squares[0];
    facing.m[1] = 0.5 * squares[1];
    facing.m[2] = squares[2];
    return facing;
}

// Solves S·X = M for up to three rows, S symmetric and positive, by elimination; X takes the place of M.
static void solve(double s[3][3], double x[3][3], unsigned rows) {
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned k = i + 1; k < rows; k++) {
            const double share = s[k][i] / s[i][i];
            for (unsigned c = 0; c < 3; c++) {
                s[k][c] -= c < rows ? share * s[i][c] : 0.0;
                x[k][c] -= share * x[i][c];
            }
        }
    }
    for (unsigned i = rows; i > 0; i--) {
        for (unsigned c = 0; c < 3; c++) {
            for (unsigned k = i; k < rows; k++) {
                x[i - 1][c] -= s[i - 1][k] * x[k][c];
            }
            x[i - 1][c] /= s[i - 1][i - 1];
        }
    }
}

// Sets the weights of K = D⁻¹·Mᵀ·(M·D⁻¹·Mᵀ)⁻¹·d in the positions. `stiffness` is the diagonal of D.
static void set_weights(struct panel *panel, const struct facing *facing, unsigned count, const double stiffness[3]) {
    double s[3][3] = {{0.0}}, x[3][3] = {{0.0}};
    double trace = 0.0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < count; k++) {
            for (unsigned c = 0; c < 3; c++) {
                s[i][k] += facing[i].m[c] * facing[k].m[c] / stiffness[c];
            }
        }
        trace += s[i][i];
        for (unsigned c = 0; c < 3; c++) {
            x[i][c] = facing[i].m[c] / stiffness[c];
        }
    }
    for (unsigned i = 0; i < count; i++) {
        s[i][i] += RIDGE * trace;
    }
    solve(s, x, count);
    bool sound = true;
    for (unsigned c = 0; c < 3; c++) {
        double weight[PANEL_CORNERS] = {0.0};
        for (unsigned i = 0; i < count; i++) {
            weight[facing[i].place] = x[i][c];
            for (unsigned k = 0; k < 3; k++) {
                weight[k] -= x[i][c] * facing[i].n[k];
            }
        }
        for (unsigned k = 0; k < PANEL_CORNERS; k++) {
            sound = sound && weight[k] > -WEIGHT_MAX && weight[k] < WEIGHT_MAX;
            panel->weight[c][k] = (float)weight[k];
        }
    }
    panel->bends = sound;
}

// The diagonal of D. The twist between warp and weft has the geometric mean of both (M. T. Huber, 1923), twice, since
// it counts in x_uv and in x_vu.
static bool stiffness_of(const struct sim_fabric *fabric, double stiffness[3]) {
    const double warp = (double)fabric->bend_warp, weft = (double)fabric->bend_weft;
    const double most = warp > weft ? warp : weft;
    stiffness[0] = warp > 1e-4 * most ? warp : 1e-4 * most;
    stiffness[1] = weft > 1e-4 * most ? weft : 1e-4 * most;
    stiffness[2] = 2.0 * sqrt(stiffness[0] * stiffness[1]);
    return most > 0.0;
}

static void find_weights(const struct sim_world *world, const struct object *object, struct panel *panel) {
    const uint32_t *corners = world->triangle + 3 * (size_t)object->first_triangle;
    const float *shapes = world->panel_shape + 4 * (size_t)object->first_panel;
    const struct rest own = rest_of(panel->shape);
    struct facing facing[3];
    unsigned count = 0;
    for (unsigned edge = 0; edge < 3; edge++) {
        const uint32_t side = facing_side(world, object, corners, 3 * panel->triangle + edge);
        panel->corner[3 + edge] = panel->corner[0];
        if (side != NONE) {
            const struct rest other = rest_of(shapes + 4 * (size_t)(side / 3));
            facing[count] = unfold(&own, panel->corner, edge, &other, corners + 3 * (size_t)(side / 3), side % 3);
            panel->corner[3 + edge] = corners[side];
            count++;
        }
    }
    double stiffness[3];
    if (count > 0 && stiffness_of(&object->fabric, stiffness)) {
        set_weights(panel, facing, count, stiffness);
    }
}

// ---- order -------------------------------------------------------------------------------------------------------

static struct panel panel_of(const struct sim_world *world, const struct object *object, uint32_t triangle) {
    struct panel panel = {.triangle = triangle};
    memcpy(panel.corner, world->triangle + 3 * ((size_t)object->first_triangle + triangle), 3 * sizeof *panel.corner);
    memcpy(panel.shape, world->panel_shape + 4 * ((size_t)object->first_panel + triangle), sizeof panel.shape);
    memcpy(panel.curve, world->panel_curve + 3 * ((size_t)object->first_panel + triangle), sizeof panel.curve);
    panel.area = panel_area(panel.shape);
    find_weights(world, object, &panel);
    return panel;
}

// Gives each panel the lowest colour that is free at all of its corners.
static void colour_panels(const struct sim_world *world, const struct object *object, uint32_t sizes[COLOURS + 1]) {
    uint64_t *taken = world->colours_taken + object->first;
    memset(sizes, 0, (COLOURS + 1) * sizeof *sizes);
    for (uint32_t i = 0; i < object->panels; i++) {
        const struct panel panel = panel_of(world, object, i);
        uint64_t used = 0;
        for (unsigned k = 0; k < PANEL_CORNERS; k++) {
            used |= taken[panel.corner[k]];
        }
        const uint64_t lowest = ~used & (used + 1);
        const uint32_t colour = lowest != 0 ? (uint32_t)__builtin_ctzll(lowest) : COLOURS;
        for (unsigned k = 0; k < PANEL_CORNERS; k++) {
            taken[panel.corner[k]] |= lowest;
        }
        world->panel_colour[object->first_panel + i] = colour;
        sizes[colour]++;
    }
    memset(taken, 0, object->particles * sizeof *taken);
}

static void find_panels(struct sim_world *world, const struct object *object) {
    uint32_t places[COLOURS + 1];
    list_sides(world, object, world->triangle + 3 * (size_t)object->first_triangle);
    colour_panels(world, object, places);
    uint32_t sum = object->first_panel;
    for (unsigned colour = 0; colour <= COLOURS; colour++) {
        const uint32_t size = places[colour];
        places[colour] = sum;
        sum += size;
    }
    for (uint32_t i = 0; i < object->panels; i++) {
        uint32_t *place = &places[world->panel_colour[object->first_panel + i]];
        world->panel[*place] = panel_of(world, object, i);
        (*place)++;
    }
}

void panel_resolve(struct sim_world *world) {
    if (!world->panels_stale) {
        return;
    }
    world->panels_stale = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->object[i].panels > 0) {
            find_panels(world, &world->object[i]);
        }
    }
}

// ---- new objects -------------------------------------------------------------------------------------------------

// The curvature that a mesh is given is that at rest.
static void set_curves(struct sim_world *world, const struct object *object) {
    find_panels(world, object);
    for (uint32_t i = object->first_panel; i < object->first_panel + object->panels; i++) {
        const struct panel *panel = &world->panel[i];
        const struct edges edges = edges_of(world, object, panel->triangle);
        const struct vec3 normal = unit(vec3_cross(edges.first, edges.second));
        for (unsigned c = 0; c < 3; c++) {
            float curve = 0.0f;
            for (unsigned k = 1; k < PANEL_CORNERS; k++) {
                const struct vec3 arm = vec3_sub(particle_position(world, object->first + panel->corner[k]),
                                                 particle_position(world, object->first + panel->corner[0]));
                curve += panel->weight[c][k] * vec3_dot(arm, normal);
            }
            world->panel_curve[3 * ((size_t)object->first_panel + panel->triangle) + c] = curve;
        }
    }
}

enum result panel_set(struct sim_world *world, struct object *object, struct fault *fault) {
    const struct vec3 axis = warp_axis(world, object);
    for (uint32_t i = 0; i < object->panels; i++) {
        const struct edges edges = edges_of(world, object, i);
        if (!set_shape(&edges, axis, world->panel_shape + 4 * ((size_t)object->first_panel + i))) {
            return fault_set(fault, RESULT_INVALID, object->kind == SIM_KIND_MESH ? "/triangles" : "/spacing",
                             "triangle %u is too thin for a fabric: it must be higher than %g of its longest side", i,
                             (double)THIN);
        }
    }
    memset(world->panel_curve + 3 * (size_t)object->first_panel, 0, 3 * (size_t)object->panels * sizeof(float));
    if (object->kind == SIM_KIND_MESH) {
        set_curves(world, object);
    }
    return RESULT_OK;
}
