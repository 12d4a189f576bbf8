// SPDX-License-Identifier: MIT
// Relaxes the panels of an object of fabric in one iteration: bending first, then stretch and shear (PHYSICS.md 7.5),
// as compliant constraints (3.4). With the shape [a] of a panel, w_u = Σ a_i·p_i is the present length of a unit of
// warp, w_v that of weft:
//
//   C = |w_u| − 1,  |w_v| − 1,  w_u·w_v          energy  ½·A·(stretch_warp·C_u² + stretch_weft·C_v² + shear·C_s²)
//   C = K_uu, K_vv, K_uv, each less its rest, along the normal       ½·A·(bend_warp·|C_uu|² + bend_weft·|C_vv|² +
//                                                                    2·√(bend_warp·bend_weft)·|C_uv|²)
//
// (stretch and shear after D. Baraff, A. Witkin, 1998.) With `projection` start the gradients of stretch and shear are
// those at the substep's start, which keeps rotation (3.3).
#include "sim/stick/panel_relax.h"

#include "sim/simd/kernel.h"
#include "sim/stick/panel.h"
#include "sim/world/axes.h"

#define SHORT_SQUARED 1e-12f // of a unit of warp or weft: it has no direction

void panel_begin(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects && world->state.panels > 0; i++) {
        const struct object *object = &world->object[i];
        if (object->panels > 0 && object_is_active(object)) {
            memset(world->panel_lambda + PANEL_LAMBDAS * (size_t)object->first_panel, 0,
                   PANEL_LAMBDAS * (size_t)object->panels * sizeof *world->panel_lambda);
        }
    }
}

// α̃·area of each constraint; 0: there is none.
struct compliances {
    float warp, weft, shear, bend[3];
};

static float compliance_of(double stiffness, double h2) {
    return stiffness > 0.0 ? (float)(1.0 / (stiffness * h2)) : 0.0f;
}

static struct compliances compliances_of(const struct sim_world *world, const struct sim_fabric *fabric) {
    const double h = (double)world_substep_seconds(world), h2 = h * h;
    const double warp = (double)fabric->bend_warp, weft = (double)fabric->bend_weft;
    return (struct compliances){
        .warp = compliance_of((double)fabric->stretch_warp, h2),
        .weft = compliance_of((double)fabric->stretch_weft, h2),
        .shear = compliance_of((double)fabric->shear, h2),
        .bend = {compliance_of(warp, h2), compliance_of(weft, h2), compliance_of(2.0 * sqrt(warp * weft), h2)},
    };
}

static void shift(const struct kernel_particles *at, uint32_t i, struct vec3 way) {
    at->ox[i] += way.x;
    at->oy[i] += way.y;
    at->oz[i] += way.z;
}

// ---- bending -----------------------------------------------------------------------------------------------------

// Of the panel, where it is curved at rest.
static struct vec3 normal_of(const struct panel *panel, const struct vec3 arm[PANEL_CORNERS]) {
    if (panel->curve[0] == 0.0f && panel->curve[1] == 0.0f && panel->curve[2] == 0.0f) {
        return vec3_of(0.0f, 0.0f, 0.0f);
    }
    const struct vec3 across = vec3_cross(arm[1], arm[2]);
    const float size = vec3_length(across);
    return size > 0.0f ? vec3_scale(across, 1.0f / size) : across;
}

static void bend(const struct kernel_particles *at, const struct panel *panel, const struct compliances *compliances,
                 float *lambda) {
    struct vec3 arm[PANEL_CORNERS];
    float w[PANEL_CORNERS];
    for (unsigned k = 0; k < PANEL_CORNERS; k++) {
        arm[k] = kernel_delta(at, panel->corner[0], panel->corner[k]);
        w[k] = at->w[panel->corner[k]];
    }
    const struct vec3 normal = normal_of(panel, arm);
    struct vec3 moved[PANEL_CORNERS] = {{0.0f, 0.0f, 0.0f}};
    for (unsigned c = 0; c < 3; c++) {
        const float *weight = panel->weight[c];
        const float alpha = compliances->bend[c] / panel->area;
        if (!(alpha > 0.0f)) {
            continue;
        }
        struct vec3 off = vec3_scale(normal, -panel->curve[c]);
        float sum = 0.0f;
        for (unsigned k = 0; k < PANEL_CORNERS; k++) {
            off = vec3_add(off, vec3_scale(vec3_add(arm[k], moved[k]), weight[k]));
            sum += w[k] * weight[k] * weight[k];
        }
        struct vec3 pulled = vec3_of(lambda[3 * c], lambda[3 * c + 1], lambda[3 * c + 2]);
        const struct vec3 more = vec3_scale(vec3_add(off, vec3_scale(pulled, alpha)), -1.0f / (sum + alpha));
        for (unsigned k = 0; k < PANEL_CORNERS; k++) {
            moved[k] = vec3_add(moved[k], vec3_scale(more, w[k] * weight[k]));
        }
        pulled = vec3_add(pulled, more);
        lambda[3 * c] = pulled.x;
        lambda[3 * c + 1] = pulled.y;
        lambda[3 * c + 2] = pulled.z;
    }
    for (unsigned k = 0; k < PANEL_CORNERS; k++) {
        shift(at, panel->corner[k], moved[k]);
    }
}

// ---- stretch and shear -------------------------------------------------------------------------------------------

// The weights a_i of the three corners in warp or weft.
struct along {
    float a[3];
};

static struct along along_of(const float *shape) {
    return (struct along){{-(shape[0] + shape[1]), shape[0], shape[1]}};
}

static struct vec3 unit_of(const struct along *along, const struct vec3 edge[2]) {
    return vec3_add(vec3_scale(edge[0], along->a[1]), vec3_scale(edge[1], along->a[2]));
}

// A panel while it is stretched.
struct stretched {
    const struct kernel_particles *at;
    const struct panel *panel;
    struct vec3 edge[2];  // m, from corner 0 to corners 1 and 2
    struct vec3 start[2]; // the same, at the substep's start or as edge: where directions are taken
    bool from_start;
    float w[3];
};

static void apply(struct stretched *s, const struct vec3 gradient[3], float more) {
    struct vec3 way[3];
    for (unsigned k = 0; k < 3; k++) {
        way[k] = vec3_scale(gradient[k], s->w[k] * more);
        shift(s->at, s->panel->corner[k], way[k]);
    }
    s->edge[0] = vec3_add(s->edge[0], vec3_sub(way[1], way[0]));
    s->edge[1] = vec3_add(s->edge[1], vec3_sub(way[2], way[0]));
}

// |w| − 1 along one of the two directions.
static void stretch(struct stretched *s, const struct along *along, struct vec3 fallback, float alpha, float *lambda) {
    const struct vec3 unit = unit_of(along, s->edge);
    const float squared = vec3_dot(unit, unit);
    const float length = sqrtf(squared);
    struct vec3 way = squared < SHORT_SQUARED ? fallback : vec3_scale(unit, 1.0f / length);
    const struct vec3 now = way;
    if (s->from_start) {
        const struct vec3 before = unit_of(along, s->start);
        const float size = vec3_length(before);
        const bool turned = !(2.0f * vec3_dot(before, now) > size) || size * size < SHORT_SQUARED;
        way = turned ? now : vec3_scale(before, 1.0f / size);
    }
    float sum = 0.0f;
    for (unsigned k = 0; k < 3; k++) {
        sum += s->w[k] * along->a[k] * along->a[k];
    }
    if (!(sum + alpha > 0.0f)) { // all three corners are pinned
        return;
    }
    const float more = (1.0f - length - alpha * *lambda) / (sum * vec3_dot(way, now) + alpha);
    const struct vec3 gradient[3] = {vec3_scale(way, along->a[0]), vec3_scale(way, along->a[1]),
                                     vec3_scale(way, along->a[2])};
    apply(s, gradient, more);
    *lambda += more;
}

static void gradients_of_shear(const struct along *warp, const struct along *weft, const struct vec3 edge[2],
                               struct vec3 gradient[3]) {
    const struct vec3 u = unit_of(warp, edge), v = unit_of(weft, edge);
    for (unsigned k = 0; k < 3; k++) {
        gradient[k] = vec3_add(vec3_scale(v, warp->a[k]), vec3_scale(u, weft->a[k]));
    }
}

static float product_of(const struct stretched *s, const struct vec3 a[3], const struct vec3 b[3]) {
    float sum = 0.0f;
    for (unsigned k = 0; k < 3; k++) {
        sum += s->w[k] * vec3_dot(a[k], b[k]);
    }
    return sum;
}

static void shear(struct stretched *s, const struct along *warp, const struct along *weft, float alpha, float *lambda) {
    struct vec3 now[3], way[3];
    const float angle = vec3_dot(unit_of(warp, s->edge), unit_of(weft, s->edge));
    gradients_of_shear(warp, weft, s->edge, now);
    gradients_of_shear(warp, weft, s->start, way);
    const float own = product_of(s, now, now);
    float sum = s->from_start ? product_of(s, now, way) : own;
    const bool turned = !(2.0f * sum > own);
    sum = turned ? own : sum;
    if (!(sum + alpha > 0.0f)) { // both edges have the length 0
        return;
    }
    const float more = (-angle - alpha * *lambda) / (sum + alpha);
    apply(s, s->from_start && !turned ? way : now, more);
    *lambda += more;
}

static void hold(const struct kernel_particles *at, const struct panel *panel, const struct compliances *compliances,
                 bool from_start, float *lambda) {
    const uint32_t *corner = panel->corner;
    struct stretched s = {
        .at = at,
        .panel = panel,
        .edge = {kernel_delta(at, corner[0], corner[1]), kernel_delta(at, corner[0], corner[2])},
        .from_start = from_start,
        .w = {at->w[corner[0]], at->w[corner[1]], at->w[corner[2]]},
    };
    if (from_start) {
        s.start[0] = kernel_start_delta(at, corner[0], corner[1]);
        s.start[1] = kernel_start_delta(at, corner[0], corner[2]);
    }
    const struct along warp = along_of(panel->shape), weft = along_of(panel->shape + 2);
    const float share = 1.0f / panel->area;
    shear(&s, &warp, &weft, compliances->shear * share, &lambda[2]);
    stretch(&s, &weft, vec3_of(1.0f, 0.0f, 0.0f), compliances->weft * share, &lambda[1]);
    stretch(&s, &warp, vec3_of(0.0f, 1.0f, 0.0f), compliances->warp * share, &lambda[0]);
}

// ---- an iteration ------------------------------------------------------------------------------------------------

void panel_relax(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct compliances compliances = compliances_of(world, &object->fabric);
    const struct panel *panel = world->panel + object->first_panel;
    float *lambda = world->panel_lambda + PANEL_LAMBDAS * (size_t)object->first_panel;
    for (uint32_t i = 0; i < object->panels; i++) {
        if (panel[i].bends) {
            bend(&at, &panel[i], &compliances, lambda + PANEL_LAMBDAS * (size_t)i + 3);
        }
    }
    for (uint32_t i = 0; i < object->panels; i++) {
        hold(&at, &panel[i], &compliances, object->projection == SIM_PROJECTION_START,
             lambda + PANEL_LAMBDAS * (size_t)i);
    }
}
