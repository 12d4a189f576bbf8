// SPDX-License-Identifier: MIT
// The volume that a closed mesh encloses, and what gas may be in it (gas.c).
#include "sim/world/enclosure.h"

#include <stdlib.h>

#include "sim/geometry/point.h"
#include "sim/geometry/sort.h"
#include "sim/world/particle.h"

#define PRESSURE_MIN (-100000.0f) // Pa
#define PRESSURE_MAX 1e6f

// With all digits of a position, relative to the object's first particle.
static struct point corner_at(const struct sim_world *world, const struct object *object, uint32_t corner) {
    const uint32_t slot = object->first + corner;
    const struct vec3 x = vec3_sub(particle_position(world, slot), particle_position(world, object->first));
    const struct vec3 low = vec3_sub(particle_low(world, slot), particle_low(world, object->first));
    return point_add(point_of(x), point_of(low));
}

double enclosure_volume(const struct sim_world *world, const struct object *object) {
    double six = 0.0;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = world->triangle + 3 * ((size_t)object->first_triangle + i);
        const struct point across =
            point_cross(corner_at(world, object, corner[0]), corner_at(world, object, corner[1]));
        six += point_dot(across, corner_at(world, object, corner[2]));
    }
    return six / 6.0;
}

void enclosure_open(struct object *object) {
    object->gas_volume = 0.0f;
    object->gas_pressure = 0.0f;
    object->gas_supplied = false;
}

// ---- checks ------------------------------------------------------------------------------------------------------

enum result enclosure_check_pressure(float pressure, struct fault *fault) {
    if (pressure >= PRESSURE_MIN && pressure <= PRESSURE_MAX) {
        return RESULT_OK;
    }
    return fault_set(fault, RESULT_INVALID, "/pressure", "pressure must be %g to %g Pa, got %g", (double)PRESSURE_MIN,
                     (double)PRESSURE_MAX, (double)pressure);
}

static int compare_edges(const void *a, const void *b) {
    const uint64_t first = *(const uint64_t *)a;
    const uint64_t second = *(const uint64_t *)b;
    return first < second ? -1 : first > second ? 1 : 0;
}

static uint64_t edge_key(uint32_t from, uint32_t to) {
    return (uint64_t)from << 32 | to;
}

static enum result refuse_edge(struct fault *fault, uint64_t edge, const char *why) {
    return fault_set(fault, RESULT_INVALID, "/pressure",
                     "pressure needs a closed mesh: the edge between particles %u and %u %s", (uint32_t)(edge >> 32),
                     (uint32_t)edge, why);
}

static bool has_edge(const uint64_t *edge, size_t count, uint64_t wanted) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (edge[middle] < wanted) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && edge[low] == wanted;
}

static enum result check_edges(const uint64_t *edge, size_t count, struct fault *fault) {
    for (size_t i = 0; i < count; i++) {
        if (i + 1 < count && edge[i] == edge[i + 1]) {
            return refuse_edge(fault, edge[i],
                               "is met twice in the same direction; it needs two triangles that wind the same way");
        }
        const uint64_t back = edge_key((uint32_t)edge[i], (uint32_t)(edge[i] >> 32));
        if (!has_edge(edge, count, back)) {
            return refuse_edge(fault, edge[i], "has a triangle on one side only");
        }
    }
    return RESULT_OK;
}

enum result enclosure_measure(const struct sim_world *world, const struct object *object, float *volume,
                              struct fault *fault) {
    const size_t count = 3 * (size_t)object->triangles;
    const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
    uint64_t *edge = malloc((count + 1) * sizeof *edge);
    if (edge == NULL) {
        return fault_set(fault, RESULT_MEMORY, "/pressure", "out of memory for the edges of %u triangles",
                         object->triangles);
    }
    for (size_t i = 0; i < count; i++) {
        edge[i] = edge_key(corner[i], corner[i % 3 < 2 ? i + 1 : i - 2]);
    }
    sort_elements(edge, count, sizeof *edge, compare_edges);
    const enum result result = check_edges(edge, count, fault);
    free(edge);
    if (result != RESULT_OK) {
        return result;
    }
    const float enclosed = (float)enclosure_volume(world, object);
    if (!(enclosed > 0.0f)) {
        return fault_set(
            fault, RESULT_INVALID, "/pressure",
            "pressure needs triangles that wind outward, counter-clockwise as seen from outside: this mesh "
            "encloses %g m³",
            (double)enclosed);
    }
    *volume = enclosed;
    return RESULT_OK;
}
