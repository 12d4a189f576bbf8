// SPDX-License-Identifier: MIT
// The common part of cloth and mesh: masses by area, material, pins, and the transformation from local coordinates into
// the world.
//
// A particle's mass is a third of the mass of each adjacent triangle, by area, so the total is that of the sheet,
// however uneven its mesh. A particle of no triangle has no mass and is refused unless masses are given.
#include "sim/spawn/sheet.h"

#include "sim/world/fabric.h"

#include "sim/cloth_contact/cloth_contact_mesh.h"
#include "sim/stick/panel.h"
#include "sim/stick/tether.h"
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define AREAL_DENSITY_MAX 1e4f // kg/m²
#define MASS_MAX 1e6f          // kg, limit of a given mass of an object or of one of its particles
#define MASS_MIN 1e-6f
#define THICKNESS_MAX 1.0f // m
// Greatest thickness, in mean sides of the triangles: the number of features within the thickness of a feature, all of
// which have to be kept away, grows with its square.
#define THICKNESS_SIDES 2.0f
#define TEAR_MAX 1000.0f

// Sums the area of each particle into own_w. Returns the total in m².
static float sum_areas(struct sim_world *world, const struct object *object) {
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    float *area = world->own_w + object->first;
    float total = 0.0f;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = triangle + 3 * (size_t)i;
        const struct vec3 a = particle_position(world, object->first + corner[0]);
        const struct vec3 b = particle_position(world, object->first + corner[1]);
        const struct vec3 c = particle_position(world, object->first + corner[2]);
        const float size = 0.5f * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
        total += size;
        for (unsigned k = 0; k < 3; k++) {
            area[corner[k]] += size / 3.0f;
        }
    }
    return total;
}

static enum result weigh_by_area(struct sim_world *world, const struct object *object,
                                 const struct sim_sheet_desc *sheet, struct fault *fault) {
    enum result result = RESULT_OK;
    if (sheet->mass != 0.0f) {
        result = check_range(sheet->mass, MASS_MIN, MASS_MAX, "kg", "/mass", fault);
    } else if (!(sheet->areal_density > 0.0f && sheet->areal_density <= AREAL_DENSITY_MAX)) {
        result = fault_set(fault, RESULT_INVALID, "/arealDensity",
                           "arealDensity must be above 0 and at most %g kg/m², got %g", (double)AREAL_DENSITY_MAX,
                           (double)sheet->areal_density);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const float total = sum_areas(world, object);
    const float density = sheet->mass > 0.0f ? sheet->mass / total : sheet->areal_density;
    for (uint32_t i = 0; i < object->particles; i++) {
        const float mass = density * world->own_w[object->first + i];
        if (!(mass >= SIM_MASS_MIN && mass <= SIM_MASS_MAX)) {
            return fault_set(fault, RESULT_INVALID, sheet->mass > 0.0f ? "/mass" : "/arealDensity",
                             "particle %u would weigh %g kg by the area of its triangles, which must be %g to %g; "
                             "give masses",
                             i, (double)mass, (double)SIM_MASS_MIN, (double)SIM_MASS_MAX);
        }
        world->own_w[object->first + i] = 1.0f / mass;
    }
    return RESULT_OK;
}

static enum result weigh(struct sim_world *world, const struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) {
    if (sheet->masses == NULL) {
        return weigh_by_area(world, object, sheet, fault);
    }
    const enum result result =
        check_array(sheet->masses, object->particles, SIM_MASS_MIN, SIM_MASS_MAX, "kg", "/masses", fault);
    for (uint32_t i = 0; result == RESULT_OK && i < object->particles; i++) {
        world->own_w[object->first + i] = 1.0f / sheet->masses[i];
    }
    return result;
}

static enum result check_pins(const struct object *object, const struct sim_pins *pins, struct fault *fault) {
    const bool cloth = object->kind == SIM_KIND_CLOTH;
    switch (pins->preset) {
    case SIM_PIN_NONE:
        return RESULT_OK;
    case SIM_PIN_LIST:
        return layout_check_indices(object, pins->indices, pins->count, "/pin", fault);
    case SIM_PIN_TOP_CORNERS:
    case SIM_PIN_CORNERS:
    case SIM_PIN_TOP_EDGE:
        if (cloth) {
            return RESULT_OK;
        }
        break;
    case SIM_PIN_START:
    case SIM_PIN_END:
    case SIM_PIN_BOTH:
    default:
        break;
    }
    return fault_set(fault, RESULT_INVALID, "/pin", "pin of a %s must be %s", cloth ? "cloth" : "mesh",
                     cloth ? "topCorners, corners, topEdge, none or a list of indices" : "none or a list of indices");
}

static void pin_row_ends(struct sim_world *world, struct object *object, uint32_t row) {
    particle_set_pinned(world, object, row * object->columns, true);
    particle_set_pinned(world, object, row * object->columns + object->columns - 1, true);
}

static void pin_preset(struct sim_world *world, struct object *object, const struct sim_pins *pins) {
    const bool list = pins->preset == SIM_PIN_LIST;
    const uint32_t edge = pins->preset == SIM_PIN_TOP_EDGE ? object->columns : 0;
    for (uint32_t i = 0; i < (list ? pins->count : edge); i++) {
        particle_set_pinned(world, object, list ? pins->indices[i] : i, true);
    }
    if (pins->preset == SIM_PIN_TOP_CORNERS || pins->preset == SIM_PIN_CORNERS) {
        pin_row_ends(world, object, 0);
    }
    if (pins->preset == SIM_PIN_CORNERS) {
        pin_row_ends(world, object, object->rows - 1);
    }
}

static void place(struct sim_world *world, const struct object *object, const struct mat3 *rotation,
                  struct vec3 position) {
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 turned = mat3_apply(rotation, particle_position(world, i));
        particle_place_apart(world, i, position, turned);
    }
}

// The mean side of the triangles at present, in m.
static float mean_side(const struct sim_world *world, const struct object *object) {
    const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
    const uint32_t sides = 3 * object->triangles;
    double sum = 0.0;
    for (uint32_t i = 0; i < sides; i++) {
        const uint32_t next = i % 3 < 2 ? i + 1 : i - 2;
        const struct vec3 a = particle_position(world, object->first + corner[i]);
        const struct vec3 b = particle_position(world, object->first + corner[next]);
        sum += (double)vec3_length(vec3_sub(b, a));
    }
    return sides > 0 ? (float)(sum / (double)sides) : 0.0f;
}

static enum result check_thickness(const struct sim_world *world, const struct object *object,
                                   const struct sim_sheet_desc *sheet, struct fault *fault) {
    const enum result result = check_range(sheet->thickness, 0.0f, THICKNESS_MAX, "m", "/thickness", fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (sheet->self_collision && !(sheet->thickness > 0.0f)) {
        return fault_set(fault, RESULT_INVALID, "/thickness", "selfCollision needs a thickness above 0 m");
    }
    const float most = THICKNESS_SIDES * mean_side(world, object);
    if (!(sheet->thickness <= most)) {
        return fault_set(fault, RESULT_INVALID, "/thickness",
                         "thickness must be at most %g times the mean side of the triangles, here %g m, got %g",
                         (double)THICKNESS_SIDES, (double)most, (double)sheet->thickness);
    }
    return RESULT_OK;
}

static enum result check_material(const struct sim_sheet_desc *sheet, struct fault *fault) {
    enum result result = check_friction(sheet->friction, fault);
    if (result == RESULT_OK) {
        result = check_range(sheet->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    if (result == RESULT_OK) {
        result = check_compliance(sheet->stretch_compliance, "/stretchCompliance", fault);
    }
    if (result == RESULT_OK) {
        result = check_compliance(sheet->bend_compliance, "/bendCompliance", fault);
    }
    if (result == RESULT_OK && sheet->tear != 0.0f && !(sheet->tear > 1.0f && sheet->tear <= TEAR_MAX)) {
        result = fault_set(fault, RESULT_INVALID, "/tear", "tear must be above 1 and at most %g, got %g",
                           (double)TEAR_MAX, (double)sheet->tear);
    }
    if (result == RESULT_OK && fabric_is_given(&sheet->fabric) && sheet->tear_force != 0.0f) {
        result = fault_set(fault, RESULT_INVALID, "/tearForce",
                           "a fabric excludes tearForce: it is not its sticks that bear its tension");
    }
    if (result == RESULT_OK) {
        result = check_tear_force(sheet->tear_force, fault);
    }
    if (result == RESULT_OK) {
        result = check_projection(sheet->projection, fault);
    }
    return result;
}

static void set_material(struct object *object, const struct sim_sheet_desc *sheet) {
    object->friction = sheet->friction;
    object->restitution = sheet->restitution;
    object->projection = sheet->projection;
    object->stretch_compliance = object->panels > 0 ? 0.0f : sheet->stretch_compliance;
    object->bend_compliance = object->panels > 0 ? 0.0f : sheet->bend_compliance;
    object->radius = sheet->thickness;
    object->tear = sheet->tear;
    object->tear_force = sheet->tear_force;
    object->tethers = sheet->tethers;
    object->self_collision = sheet->self_collision;
}

enum result sheet_finish(struct sim_world *world, struct object *object, const struct sim_sheet_desc *sheet,
                         struct fault *fault) {
    struct mat3 rotation;
    enum result result = check_rotation(sheet->rotation, &rotation, fault);
    if (result == RESULT_OK && object->panels > 0) {
        result = fabric_check(&sheet->fabric, &object->fabric, fault);
    }
    if (result == RESULT_OK) {
        result = check_vector(sheet->position, SIM_POSITION_MAX, "m", "/position", fault);
    }
    if (result == RESULT_OK) {
        result = check_material(sheet, fault);
    }
    if (result == RESULT_OK) {
        result = check_thickness(world, object, sheet, fault);
    }
    if (result == RESULT_OK) {
        result = check_pins(object, &sheet->pins, fault);
    }
    if (result == RESULT_OK) {
        result = weigh(world, object, sheet, fault);
    }
    if (result == RESULT_OK) {
        result = object->panels > 0 ? panel_set(world, object, fault) : RESULT_OK;
    }
    if (result == RESULT_OK) {
        object->height = cloth_contact_height(world, object); // before rounding to world coordinates
        place(world, object, &rotation, sheet->position);
        result = check_positions(world, object, "/position", fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        particle_refresh(world, i);
    }
    set_material(object, sheet);
    pin_preset(world, object, &sheet->pins);
    tether_refresh(world, object);
    return RESULT_OK;
}

bool sheet_bends(const struct sim_sheet_desc *sheet) {
    return sheet->bend && !fabric_is_given(&sheet->fabric);
}
