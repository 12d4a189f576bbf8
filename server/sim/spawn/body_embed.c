// SPDX-License-Identifier: MIT
// Embeds a shape in four particles.
//
// A shape of mass M with the principal spreads (a, b, c) gets four masses M/4 at centre + (±a, ±b, ±c) on alternating
// corners: the same mass, centre and inertia tensor exactly (PHYSICS.md 6.5). A vertex at (u, v, w) along the principal
// axes is Σ c_i·p_i with c_i = (1 ± u/a ± v/b ± w/c)/4, in the signs of corner i: these add up to 1, and because they
// are affine, points within a face follow from its corners.
#include "sim/spawn/body_embed.h"

#include "sim/geometry/scalar.h"

#define SPREAD_SHARE 0.002 // share of the largest spread: with a smaller one the four particles are too near a plane

// Every second corner of a cube.
const float body_corner_signs[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

static struct vec3 local_point(const struct mass_properties *mass, double u, double v, double w) {
    double at[3];
    for (unsigned i = 0; i < 3; i++) {
        at[i] = mass->centre[i] + mass->axis[0][i] * u + mass->axis[1][i] * v + mass->axis[2][i] * w;
    }
    return vec3_of((float)at[0], (float)at[1], (float)at[2]);
}

void body_embed_vertex(const struct mass_properties *mass, const float *point, float weight[4]) {
    double along[3] = {0.0, 0.0, 0.0}; // u/a, v/b, w/c
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            along[i] += mass->axis[i][axis] * ((double)point[axis] - mass->centre[axis]);
        }
        along[i] /= mass->spread[i];
    }
    for (unsigned i = 1; i < 4; i++) {
        const float *sign = body_corner_signs[i];
        weight[i] = (float)(0.25 * (1.0 + (double)sign[0] * along[0] + (double)sign[1] * along[1] +
                                    (double)sign[2] * along[2]));
    }
    weight[0] = 1.0f - (weight[1] + weight[2] + weight[3]);
}

enum result body_embed(const struct mass_properties *mass, float total, struct body_form *form, const char *member,
                       struct fault *fault) {
    const double *spread = mass->spread;
    if (!(spread[2] > SPREAD_SHARE * spread[0]) || !(spread[2] > 1e-5)) {
        return fault_set(
            fault, RESULT_INVALID, member,
            "too flat or too thin for a rigid body: its least spread of mass is %g m, its largest %g m; at "
            "least %g of it is needed",
            spread[2], spread[0], SPREAD_SHARE);
    }
    for (unsigned i = 0; i < 4; i++) {
        const float *sign = body_corner_signs[i];
        form->corner[i] =
            local_point(mass, (double)sign[0] * spread[0], (double)sign[1] * spread[1], (double)sign[2] * spread[2]);
        form->mass[i] = total / 4.0f;
    }
    form->embedded = true;
    form->origin = vec3_of(0.0f, 0.0f, 0.0f);
    form->centre = local_point(mass, 0.0, 0.0, 0.0);
    return RESULT_OK;
}
