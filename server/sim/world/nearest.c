// SPDX-License-Identifier: MIT
// Nearest points on triangles, segments and particles. The triangle's regions are those of C. Ericson, "Real-Time
// Collision Detection" (2005), 5.1.5.
#include "sim/world/nearest.h"

#include "sim/geometry/point.h"
#include "sim/world/part.h"
#include "sim/world/particle.h"

struct weights {
    float c[3];
};

static struct weights nearest_on_segment(struct vec3 a, struct vec3 b, struct vec3 point) {
    const struct vec3 ab = vec3_sub(b, a);
    const float squared = vec3_dot(ab, ab);
    const float t = squared > 0.0f ? scalar_clamp(vec3_dot(vec3_sub(point, a), ab) / squared, 0.0f, 1.0f) : 0.0f;
    return (struct weights){{1.0f - t, t, 0.0f}};
}

// The position along an edge, from its two projections; 0 where the edge has no length.
static float along(float start, float end) {
    const float sum = start + end;
    return sum > 0.0f ? start / sum : 0.0f;
}

static struct weights nearest_on_triangle(struct vec3 a, struct vec3 b, struct vec3 c, struct vec3 point) {
    const struct vec3 ab = vec3_sub(b, a);
    const struct vec3 ac = vec3_sub(c, a);
    const struct vec3 ap = vec3_sub(point, a);
    const struct vec3 bp = vec3_sub(point, b);
    const struct vec3 cp = vec3_sub(point, c);
    const float d1 = vec3_dot(ab, ap);
    const float d2 = vec3_dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f) {
        return (struct weights){{1.0f, 0.0f, 0.0f}};
    }
    const float d3 = vec3_dot(ab, bp);
    const float d4 = vec3_dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3) {
        return (struct weights){{0.0f, 1.0f, 0.0f}};
    }
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
        const float t = along(d1, -d3);
        return (struct weights){{1.0f - t, t, 0.0f}};
    }
    const float d5 = vec3_dot(ab, cp);
    const float d6 = vec3_dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6) {
        return (struct weights){{0.0f, 0.0f, 1.0f}};
    }
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
        const float t = along(d2, -d6);
        return (struct weights){{1.0f - t, 0.0f, t}};
    }
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 >= d3 && d5 >= d6) {
        const float t = along(d4 - d3, d5 - d6);
        return (struct weights){{0.0f, 1.0f - t, t}};
    }
    const float sum = va + vb + vc;
    const float v = vb / sum;
    const float w = vc / sum;
    return (struct weights){{1.0f - v - w, v, w}};
}

// ---- over an object ----------------------------------------------------------------------------------------------

struct search {
    const struct sim_world *world;
    const struct object *object;
    struct vec3 point;
    float squared; // m², of the nearest point so far
    struct surface_point nearest;
};

static void take_nearer(struct search *search, const struct surface_point *candidate) {
    const struct vec3 away = vec3_sub(candidate->position, search->point);
    const float squared = vec3_dot(away, away);
    if (search->nearest.carriers == 0 || squared < search->squared) {
        search->squared = squared;
        search->nearest = *candidate;
    }
}

// Takes the candidate if it is nearer, without carriers of weight 0.
static void consider(struct search *search, const uint32_t particle[3], uint32_t count, struct weights weights) {
    struct surface_point candidate = {0};
    for (uint32_t k = 0; k < count; k++) {
        if (weights.c[k] > 0.0f) {
            const struct vec3 p = particle_position(search->world, search->object->first + particle[k]);
            candidate.position = vec3_add(candidate.position, vec3_scale(p, weights.c[k]));
            candidate.particle[candidate.carriers] = particle[k];
            candidate.weight[candidate.carriers] = weights.c[k];
            candidate.carriers++;
        }
    }
    take_nearer(search, &candidate);
}

static struct vec3 position_of(const struct search *search, uint32_t index) {
    return particle_position(search->world, search->object->first + index);
}

// The position of a vertex of an embedded shape.
static struct vec3 vertex_position(const struct search *search, const float weight[4]) {
    struct vec3 p = {0};
    for (uint32_t k = 0; k < 4; k++) {
        p = vec3_add(p, vec3_scale(position_of(search, k), weight[k]));
    }
    return p;
}

// A point of a face is carried by all four particles: the weights of the corners in it times the weights of the
// particles in the corners.
static void consider_face(struct search *search, const float *weights, const uint32_t corner[3]) {
    const float *of[3];
    struct vec3 p[3];
    for (unsigned i = 0; i < 3; i++) {
        of[i] = weights + 4 * (size_t)corner[i];
        p[i] = vertex_position(search, of[i]);
    }
    const struct weights share = nearest_on_triangle(p[0], p[1], p[2], search->point);
    struct surface_point candidate = {.carriers = 4};
    for (unsigned i = 0; i < 3; i++) {
        candidate.position = vec3_add(candidate.position, vec3_scale(p[i], share.c[i]));
    }
    for (uint32_t k = 0; k < 4; k++) {
        candidate.particle[k] = k;
        candidate.weight[k] = share.c[0] * of[0][k] + share.c[1] * of[1][k] + share.c[2] * of[2][k];
    }
    take_nearer(search, &candidate);
}

static struct vec3 middle_of(const struct search *search, const struct hull_part *part) {
    struct vec3 sum = {0};
    for (uint32_t v = 0; v < part->vertices; v++) {
        sum = vec3_add(sum, vertex_position(search, part->weight + 4 * (size_t)v));
    }
    return vec3_scale(sum, 1.0f / (float)part->vertices);
}

// Moves the nearest point outward by the radius of its part.
static void reach_surface(struct search *search, const struct hull_part *part) {
    struct surface_point *nearest = &search->nearest;
    const struct vec3 way = vec3_sub(search->point, nearest->position);
    const float length = vec3_length(way);
    const bool inside = vec3_dot(way, vec3_sub(nearest->position, middle_of(search, part))) < 0.0f;
    const float share = (inside ? -part->radius : part->radius) / length;
    const struct vec3 out = length > 1e-6f ? vec3_scale(way, share) : vec3_of(0.0f, part->radius, 0.0f);
    struct point corner[4];
    double weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        corner[k] = point_of(position_of(search, k));
    }
    if (!part_weights(corner, point_of(out), weight)) {
        return;
    }
    for (uint32_t k = 0; k < 4; k++) {
        nearest->weight[k] += (float)weight[k];
    }
    nearest->position = vec3_add(nearest->position, out);
    const struct vec3 away = vec3_sub(nearest->position, search->point);
    search->squared = vec3_dot(away, away);
}

// A point or a segment is a triangle without an area.
static void consider_part(struct search *search, const struct hull_part *part) {
    const uint32_t line[3] = {0, part->vertices - 1, part->vertices - 1};
    struct surface_point before = search->nearest;
    const float squared = search->squared;
    search->nearest.carriers = 0;
    for (uint32_t i = 0; i < part->triangles; i++) {
        consider_face(search, part->weight, part->triangle + 3 * (size_t)i);
    }
    if (part->triangles == 0) {
        consider_face(search, part->weight, line);
    }
    if (part->radius > 0.0f) {
        reach_surface(search, part);
    }
    if (before.carriers > 0 && squared <= search->squared) {
        search->nearest = before;
        search->squared = squared;
    }
}

struct surface_point nearest_on_object(const struct sim_world *world, const struct object *object, struct vec3 point) {
    struct search search = {.world = world, .object = object, .point = point};
    for (uint32_t i = 0; i < part_count(object); i++) {
        const struct hull_part part = part_at(world, object, i);
        consider_part(&search, &part);
    }
    if (part_count(object) > 0) {
        return search.nearest;
    }
    for (uint32_t i = 0; i < object->triangles; i++) {
        const uint32_t *corner = world->triangle + 3 * ((size_t)object->first_triangle + i);
        consider(&search, corner, 3,
                 nearest_on_triangle(position_of(&search, corner[0]), position_of(&search, corner[1]),
                                     position_of(&search, corner[2]), point));
    }
    for (uint32_t i = 0; object->triangles == 0 && i < object->sticks; i++) {
        const uint32_t end[3] = {world->stick_a[object->first_stick + i], world->stick_b[object->first_stick + i], 0};
        consider(&search, end, 2,
                 nearest_on_segment(position_of(&search, end[0]), position_of(&search, end[1]), point));
    }
    for (uint32_t i = 0; object->triangles + object->sticks == 0 && i < object->particles; i++) {
        const uint32_t alone[3] = {i, 0, 0};
        consider(&search, alone, 1, (struct weights){{1.0f, 0.0f, 0.0f}});
    }
    return search.nearest;
}

// ---- points that a body carries ----------------------------------------------------------------------------------

#define FLAT 1e-6 // least volume of a body's particles, as a share of the product of their edges

static struct point place_of(const struct sim_world *world, uint32_t slot) {
    return point_add(point_of(particle_position(world, slot)), point_of(particle_low(world, slot)));
}

bool nearest_carry(const struct sim_world *world, const struct object *object, struct vec3 point,
                   struct surface_point *carried) {
    const struct point origin = place_of(world, object->first);
    struct point edge[3];
    for (uint32_t k = 0; k < 3; k++) {
        edge[k] = point_sub(place_of(world, object->first + 1 + k), origin);
    }
    const struct point arm = point_sub(point_of(point), origin);
    const struct point across[3] = {point_cross(edge[1], edge[2]), point_cross(edge[2], edge[0]),
                                    point_cross(edge[0], edge[1])};
    const double volume = point_dot(edge[0], across[0]);
    const double size = point_length(edge[0]) * point_length(edge[1]) * point_length(edge[2]);
    if (!(volume > FLAT * size || volume < -FLAT * size)) {
        return false;
    }
    double rest = 1.0;
    *carried = (struct surface_point){.position = point, .carriers = 4, .particle = {0, 1, 2, 3}};
    for (uint32_t k = 0; k < 3; k++) {
        const double weight = point_dot(arm, across[k]) / volume;
        carried->weight[k + 1] = (float)weight;
        rest -= weight;
    }
    carried->weight[0] = (float)rest;
    return true;
}
