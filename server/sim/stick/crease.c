// SPDX-License-Identifier: MIT
// Creases of fabric (PHYSICS.md 7.6): bending that is elastic up to a curvature and perfectly plastic beyond it (after
// R. Narain, T. Pfaff, J. O'Brien, "Folding and Crumpling Adaptive Sheets", 2013).
//
// With κ the curvature of a panel along its normal, (κ_uu, κ_vv, κ_uv), and κ_r that at rest,
//
//   e = κ − κ_r,  |e|² = e_uu² + e_vv² + 2·e_uv²,  κ_r += (1 − crease/|e|)·e   where |e| > crease
//
// so that |e| = crease afterwards: unloaded, the panel springs back by that and keeps the rest. This depends on neither
// ticks nor substeps, as long as the panel is bent slowly.
#include "sim/stick/crease.h"

#include "sim/stick/panel.h"
#include "sim/world/particle.h"

#define CURVE_MAX 1e6f // 1/m, as panel_curve_is_sound has it

static struct vec3 arm_of(const struct sim_world *world, const struct object *object, const struct panel *panel,
                          unsigned k) {
    return vec3_sub(particle_position(world, object->first + panel->corner[k]),
                    particle_position(world, object->first + panel->corner[0]));
}

// The curvature now, along the normal. False where the panel has no normal.
static bool measure_curve(const struct sim_world *world, const struct object *object, const struct panel *panel,
                          float curve[3]) {
    struct vec3 arm[PANEL_CORNERS] = {{0.0f, 0.0f, 0.0f}};
    for (unsigned k = 1; k < PANEL_CORNERS; k++) {
        arm[k] = arm_of(world, object, panel, k);
    }
    const struct vec3 across = vec3_cross(arm[1], arm[2]);
    const float size = vec3_length(across);
    for (unsigned c = 0; c < 3 && size > 0.0f; c++) {
        curve[c] = 0.0f;
        for (unsigned k = 1; k < PANEL_CORNERS; k++) {
            curve[c] += panel->weight[c][k] * vec3_dot(arm[k], across);
        }
        curve[c] /= size;
    }
    return size > 0.0f;
}

static void crease_panel(struct sim_world *world, const struct object *object, struct panel *panel) {
    float curve[3];
    if (!panel->bends || !measure_curve(world, object, panel, curve)) {
        return;
    }
    float *rest = world->panel_curve + 3 * ((size_t)object->first_panel + panel->triangle);
    const float e[3] = {curve[0] - rest[0], curve[1] - rest[1], curve[2] - rest[2]};
    const float size = sqrtf(e[0] * e[0] + e[1] * e[1] + 2.0f * e[2] * e[2]);
    if (!(size > object->fabric.crease) || !scalar_is_finite(size)) {
        return;
    }
    for (unsigned c = 0; c < 3; c++) {
        const float bent = rest[c] + (1.0f - object->fabric.crease / size) * e[c];
        rest[c] = scalar_max(-CURVE_MAX, scalar_min(bent, CURVE_MAX));
        panel->curve[c] = rest[c];
    }
}

void crease_update(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->fabric.crease > 0.0f && object_is_active(object) && !world->panels_stale) {
            for (uint32_t k = 0; k < object->panels; k++) {
                crease_panel(world, object, &world->panel[object->first_panel + k]);
            }
        }
    }
}
