// SPDX-License-Identifier: MIT
// Ropes and loose particles for tests: laying a rope along a way, and the least distance between segments.
#ifndef WEFT_TESTS_THREADS_H
#define WEFT_TESTS_THREADS_H

#include "sim_fixture.h"

static inline double way_length(const struct vec3 *way, uint32_t points) {
    double length = 0.0;
    for (uint32_t i = 1; i < points; i++) {
        length += distance_of(way[i - 1], way[i]);
    }
    return length;
}

// The point at a distance along the way from its start.
static inline struct vec3 way_at(const struct vec3 *way, uint32_t points, double at) {
    uint32_t i = 1;
    while (i + 1 < points && at > distance_of(way[i - 1], way[i])) {
        at -= distance_of(way[i - 1], way[i]);
        i++;
    }
    const float share = (float)(at / distance_of(way[i - 1], way[i]));
    const struct vec3 a = way[i - 1];
    const struct vec3 b = way[i];
    return (struct vec3){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y), a.z + share * (b.z - a.z)};
}

// Spawns a rope as long as the way and lays it along the way.
static inline uint32_t lay_rope(struct sim_world *world, struct sim_rope_desc *desc, const struct vec3 *way,
                                uint32_t points) {
    struct fault fault;
    uint32_t id = 0;
    const double length = way_length(way, points);
    desc->from = way[0];
    desc->to = (struct vec3){way[0].x, way[0].y - (float)length, way[0].z};
    MUST(sim_rope_spawn(world, desc, &id, &fault));
    for (uint32_t i = 1; i < desc->particles; i++) {
        const struct vec3 p = way_at(way, points, length * i / (desc->particles - 1));
        MUST(sim_particle_move(world, id, i, p, SIM_MOVE_TELEPORT, &fault));
    }
    return id;
}

struct thread_point {
    double x, y, z;
};

static inline double thread_dot(struct thread_point a, struct thread_point b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct thread_point thread_sub(struct thread_point a, struct thread_point b) {
    return (struct thread_point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double thread_clamp(double value) {
    return value < 0.0 ? 0.0 : value > 1.0 ? 1.0 : value;
}

// C. Ericson, "Real-Time Collision Detection", 5.1.9: independent of the simulation's own distances.
static inline double segment_distance(const struct thread_point at[4]) {
    const struct thread_point u = thread_sub(at[1], at[0]);
    const struct thread_point v = thread_sub(at[3], at[2]);
    const struct thread_point r = thread_sub(at[0], at[2]);
    const double a = thread_dot(u, u);
    const double e = thread_dot(v, v);
    const double f = thread_dot(v, r);
    const double b = thread_dot(u, v);
    const double c = thread_dot(u, r);
    const double denominator = a * e - b * b;
    double s = denominator > 0.0 ? thread_clamp((b * f - c * e) / denominator) : 0.0;
    double t = e > 0.0 ? (b * s + f) / e : 0.0;
    if (t < 0.0 || t > 1.0) {
        t = thread_clamp(t);
        s = a > 0.0 ? thread_clamp((b * t - c) / a) : 0.0;
    }
    const struct thread_point apart = {r.x + s * u.x - t * v.x, r.y + s * u.y - t * v.y, r.z + s * u.z - t * v.z};
    return sqrt(thread_dot(apart, apart));
}

static inline struct thread_point thread_point_of(const struct sim_particles_view *p, uint32_t slot) {
    return (struct thread_point){(double)p->x[slot], (double)p->y[slot], (double)p->z[slot]};
}

// The segments (ropes) and points (particles) of an object.
static inline uint32_t thread_parts(const struct sim_object_view *view) {
    return view->kind == SIM_KIND_ROPE ? view->particles - 1 : view->kind == SIM_KIND_PARTICLES ? view->particles : 0;
}

static inline double part_distance(const struct sim_particles_view *p, const struct sim_object_view *a, uint32_t i,
                                   const struct sim_object_view *b, uint32_t k) {
    const uint32_t first = a->first + i;
    const uint32_t second = b->first + k;
    const struct thread_point at[4] = {
        thread_point_of(p, first), thread_point_of(p, first + (a->kind == SIM_KIND_ROPE ? 1 : 0)),
        thread_point_of(p, second), thread_point_of(p, second + (b->kind == SIM_KIND_ROPE ? 1 : 0))};
    return segment_distance(at);
}

// The least distance between parts of ropes and particles, of one rope only of those that are `apart` m or more along
// it.
static inline double threads_nearest(const struct sim_world *world, double apart) {
    const struct sim_particles_view p = sim_world_particles(world);
    double nearest = HUGE_VAL;
    for (uint32_t n = 0; n < sim_world_object_count(world); n++) {
        const struct sim_object_view a = sim_world_object_at(world, n);
        for (uint32_t m = n; m < sim_world_object_count(world); m++) {
            const struct sim_object_view b = sim_world_object_at(world, m);
            const double link = distance_of((struct vec3){p.x[a.first], p.y[a.first], p.z[a.first]},
                                            (struct vec3){p.x[a.first + 1], p.y[a.first + 1], p.z[a.first + 1]});
            const uint32_t skip = n != m ? 0 : a.kind == SIM_KIND_ROPE ? 1 + (uint32_t)ceil(apart / link) : 1;
            for (uint32_t i = 0; i < thread_parts(&a); i++) {
                for (uint32_t k = n == m ? i + skip : 0; k < thread_parts(&b); k++) {
                    nearest = fmin(nearest, part_distance(&p, &a, i, &b, k));
                }
            }
        }
    }
    return nearest;
}

#endif
