// SPDX-License-Identifier: MIT
// The figures of fabrics (PHYSICS.md 7.5), and of six that have names.
//
// The named ones are samples that were measured and published: H. Wang, J. F. O'Brien, R. Ramamoorthi, "Data-Driven
// Elastic Models for Cloth: Modeling and Measurement", ACM Transactions on Graphics 30(4), 2011, and the files of
// material that belong to it. There a sample has a tensor of stretch c11, c12, c22, c33 in N/m, direction 1 along the
// weft; taken are those at the greatest strain measured, as stiffness of a strip that may contract, c22 − c12²/c11 of
// warp and c11 − c12²/c22 of weft, and c33 as shear; of bending, in N·m, the value at the middle curvature along each
// direction.
#include "sim/world/fabric.h"

#include <assert.h>

#include "sim/world/check.h"

#define STIFFNESS_MIN 0.1f // N/m
#define CREASE_MIN 1e-3f   // 1/m
#define BENDING_MIN 1e-9f  // N·m

static const struct sim_fabric named[SIM_FABRIC_NAME_COUNT] = {
    // gray-interlock: T-shirt, 60 % cotton, 40 % polyester
    [SIM_FABRIC_COTTON] = {348.0f, 109.3f, 32.2f, 14.5e-6f, 34.4e-6f, 0.187f, 0.0f},
    // 11oz-black-denim: jeans, 99 % cotton, 1 % spandex
    [SIM_FABRIC_DENIM] = {1044.1f, 224.2f, 71.8f, 113.1e-6f, 60.9e-6f, 0.324f, 0.0f},
    // white-dots-on-blk: tablecloth, 100 % polyester
    [SIM_FABRIC_POLYESTER] = {2148.7f, 2105.6f, 37.7f, 26.4e-6f, 66.4e-6f, 0.128f, 0.0f},
    // white-swim-solid: swimsuit, 87 % nylon, 13 % spandex
    [SIM_FABRIC_NYLON] = {101.0f, 55.7f, 36.2f, 50.6e-6f, 69.7e-6f, 0.204f, 0.0f},
    // royal-target: trousers, 65 % cotton, 35 % polyester
    [SIM_FABRIC_TWILL] = {2150.8f, 2107.7f, 39.9f, 215.4e-6f, 215.4e-6f, 0.220f, 0.0f},
    // pink-ribbon-brown: blanket, 100 % polyester
    [SIM_FABRIC_BLANKET] = {329.0f, 88.5f, 30.3f, 64.2e-6f, 298.6e-6f, 0.228f, 0.0f},
};

struct sim_fabric sim_fabric_named(enum sim_fabric_name name) {
    assert((unsigned)name < SIM_FABRIC_NAME_COUNT);
    return named[name];
}

// Members of the warp come first; a weft alone says nothing.
bool fabric_is_given(const struct sim_fabric *fabric) {
    return fabric->stretch_warp != 0.0f;
}

static enum result check_bending(float bending, const char *member, struct fault *fault) {
    return bending == 0.0f ? RESULT_OK
                           : check_range(bending, BENDING_MIN, SIM_FABRIC_BENDING_MAX, "N·m", member, fault);
}

enum result fabric_check(const struct sim_fabric *given, struct sim_fabric *fabric, struct fault *fault) {
    struct sim_fabric full = *given;
    full.stretch_weft = full.stretch_weft < 0.0f ? full.stretch_warp : full.stretch_weft;
    const float lesser = scalar_min(full.stretch_warp, full.stretch_weft);
    full.shear = full.shear < 0.0f ? 0.1f * lesser : full.shear;
    full.bend_warp = full.bend_warp < 0.0f ? scalar_max(full.bend_weft, 0.0f) : full.bend_warp;
    full.bend_weft = full.bend_weft < 0.0f ? full.bend_warp : full.bend_weft;
    enum result result =
        check_range(full.stretch_warp, STIFFNESS_MIN, SIM_FABRIC_STIFFNESS_MAX, "N/m", "/stretchWarp", fault);
    if (result == RESULT_OK) {
        result = check_range(full.stretch_weft, STIFFNESS_MIN, SIM_FABRIC_STIFFNESS_MAX, "N/m", "/stretchWeft", fault);
    }
    if (result == RESULT_OK) {
        result =
            check_range(full.shear, 0.1f * STIFFNESS_MIN, SIM_FABRIC_STIFFNESS_MAX, "N/m", "/shearStiffness", fault);
    }
    if (result == RESULT_OK) {
        result = check_bending(full.bend_warp, "/bendWarp", fault);
    }
    if (result == RESULT_OK) {
        result = check_bending(full.bend_weft, "/bendWeft", fault);
    }
    if (result == RESULT_OK && full.crease != 0.0f) {
        result = check_range(full.crease, CREASE_MIN, SIM_FABRIC_CREASE_MAX, "1/m", "/creaseCurvature", fault);
    }
    if (result == RESULT_OK) {
        full.areal_density = 0.0f;
        *fabric = full;
    }
    return result;
}
