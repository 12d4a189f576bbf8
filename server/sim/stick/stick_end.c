// SPDX-License-Identifier: MIT
#include "sim/stick/stick_end.h"

#include <stdio.h>

#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/nearest.h"

#define WEIGHTS_OFF 1e-4 // greatest difference of the sum of weights from 1

struct pointer {
    char text[32];
};

static struct pointer pointer_to(bool first, const char *member) {
    struct pointer pointer;
    snprintf(pointer.text, sizeof pointer.text, "/%c%s", first ? 'a' : 'b', member);
    return pointer;
}

static bool touches(const struct free_stick *stick, struct sim_stick_end end) {
    return (stick->a.object == end.object && stick->a.particle == end.particle) ||
           (stick->b.object == end.object && stick->b.particle == end.particle);
}

static enum result check_particle(const struct object *object, uint32_t particle, const char *member,
                                  struct fault *fault) {
    if (particle >= object->particles) {
        return fault_set(fault, RESULT_NOT_FOUND, member, "there is no particle %u in object %u, which has %u",
                         particle, object->id, object->particles);
    }
    return RESULT_OK;
}

static enum result check_weights(const struct object *object, const struct sim_stick_point *point, bool first,
                                 struct fault *fault) {
    double sum = 0.0;
    if (point->carriers == 0 || point->carriers > SIM_STICK_CARRIERS) {
        return fault_set(fault, RESULT_INVALID, pointer_to(first, "/particles").text,
                         "a point is carried by 1 to %u particles, got %u", SIM_STICK_CARRIERS, point->carriers);
    }
    for (uint32_t k = 0; k < point->carriers; k++) {
        const enum result result =
            check_particle(object, point->particle[k], pointer_to(first, "/particles").text, fault);
        if (result != RESULT_OK) {
            return result;
        }
        for (uint32_t j = 0; j < k; j++) {
            if (point->particle[j] == point->particle[k]) {
                return fault_set(fault, RESULT_INVALID, pointer_to(first, "/particles").text,
                                 "each particle carries a point once, got particle %u twice", point->particle[k]);
            }
        }
        if (!(point->weight[k] >= -SIM_STICK_WEIGHT_MAX && point->weight[k] <= SIM_STICK_WEIGHT_MAX)) {
            return fault_set(fault, RESULT_INVALID, pointer_to(first, "/weights").text,
                             "each weight must be within ±%g, got %g", (double)SIM_STICK_WEIGHT_MAX,
                             (double)point->weight[k]);
        }
        sum += (double)point->weight[k];
    }
    if (!(sum >= 1.0 - WEIGHTS_OFF && sum <= 1.0 + WEIGHTS_OFF)) {
        return fault_set(fault, RESULT_INVALID, pointer_to(first, "/weights").text, "the weights must sum to 1, got %g",
                         sum);
    }
    return RESULT_OK;
}

static bool is_carried(const struct surface_point *at) {
    bool carried = true;
    for (uint32_t k = 0; k < at->carriers; k++) {
        carried = carried && scalar_abs(at->weight[k]) <= SIM_STICK_WEIGHT_MAX;
    }
    return carried;
}

static struct sim_stick_point point_of_surface(const struct surface_point *at) {
    struct sim_stick_point point = {.carriers = at->carriers};
    for (uint32_t k = 0; k < at->carriers; k++) {
        point.particle[k] = at->particle[k];
        point.weight[k] = at->weight[k];
    }
    return point;
}

static enum result place_point(const struct sim_world *world, const struct object *object,
                               const struct sim_stick_place *place, bool first, struct sim_stick_point *point,
                               struct fault *fault) {
    const bool anchor = place->at == SIM_STICK_AT_ANCHOR;
    const struct pointer pointer = pointer_to(first, anchor ? "/anchor" : "/point");
    struct surface_point at = {0};
    const enum result result = check_vector(place->point, SIM_POSITION_MAX, "m", pointer.text, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if (anchor && object->kind != SIM_KIND_BODY) {
        return fault_set(fault, RESULT_INVALID, pointer.text,
                         "only a body carries an anchor: give a point of the surface of object %u, or a particle",
                         object->id);
    }
    bool found = true;
    if (anchor) {
        found = nearest_carry(world, object, place->point, &at);
    } else {
        at = nearest_on_object(world, object, place->point);
    }
    if (!found || !is_carried(&at)) {
        return fault_set(fault, RESULT_INVALID, pointer.text,
                         "the %s is too far from the particles of object %u, which carry it, or they lie in one plane: "
                         "it must lie within some "
                         "hundred times their distances",
                         anchor ? "anchor" : "point", object->id);
    }
    *point = point_of_surface(&at);
    return RESULT_OK;
}

static enum result check_valence(const struct sim_world *world, struct sim_stick_end end, bool first,
                                 struct fault *fault) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        met += touches(&world->free_stick[i], end) ? 1 : 0;
    }
    if (met >= SIM_VALENCE_MAX) {
        return fault_set(fault, RESULT_LIMIT, first ? "/a" : "/b", "at most %u added sticks may meet in one particle",
                         SIM_VALENCE_MAX);
    }
    return RESULT_OK;
}

// A point that one particle carries is that particle.
static void simplify(struct stick_end *found) {
    if (found->point.carriers > 0) {
        found->end.particle = found->point.particle[0];
    }
    if (found->point.carriers == 1) {
        found->point = (struct sim_stick_point){0};
    }
    for (uint32_t k = found->point.carriers; k < SIM_STICK_CARRIERS; k++) {
        found->point.particle[k] = 0;
        found->point.weight[k] = 0.0f;
    }
}

enum result stick_end_find(const struct sim_world *world, struct sim_stick_end end, const struct sim_stick_place *place,
                           bool first, struct stick_end *found, struct fault *fault) {
    struct object *object = NULL;
    enum result result = RESULT_OK;
    *found = (struct stick_end){.end = end};
    if (layout_find(world, end.object, &object, NULL) != RESULT_OK) {
        return fault_set(fault, RESULT_NOT_FOUND, pointer_to(first, "/object").text,
                         "there is no object %u in this world", end.object);
    }
    if (place->at == SIM_STICK_AT_PARTICLE) {
        result = check_particle(object, end.particle, pointer_to(first, "/particle").text, fault);
    } else if (place->at == SIM_STICK_AT_WEIGHTS) {
        found->point = place->weights;
        result = check_weights(object, &found->point, first, fault);
    } else {
        result = place_point(world, object, place, first, &found->point, fault);
    }
    if (result == RESULT_OK) {
        simplify(found);
        result = check_valence(world, found->end, first, fault);
    }
    found->slot = object->first + found->end.particle;
    return result;
}
