// SPDX-License-Identifier: MIT
// Measures how far particles of cloth have moved, and so how long the gathered candidates hold.
//
// When candidates are gathered, every particle is expected to keep its motion until the tick ends. The candidates are
// all pairs that can come nearer than their thickness while no particle is farther than its skin from its expected
// place, so that cloth that moves together needs no new candidates, be it fast or slow. The mean deviation of all
// particles does not count.
#include "sim/cloth_contact/cloth_contact_drift.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_tree.h"
#include "sim/world/particle.h"

// Longest path of a particle in a substep relative to the mean path, in thicknesses.
#define WAY_MOST 16.0f
#define WAY_MOST_HELD 2.0f
// A skin is this many thicknesses, plus this share of the expected path, plus the deviation of the present substep from
// it.
#define SKIN_THICKNESSES 0.1f
#define SKIN_WAYS 0.25f
// No expected path is longer than this many thicknesses: candidates of fast particles are gathered more often.
#define PLAN_THICKNESSES 2.0f
// When more than this share of the particles has left its skin, all candidates are gathered anew; when more than this
// share is fast, they are gathered for one substep at a time.
#define MANY 0.25f

struct drift {
    double x, y, z; // m
};

static struct vec3 start_of(const struct cloth_contacts *cloth, uint32_t i) {
    return vec3_of(cloth->start_x[i], cloth->start_y[i], cloth->start_z[i]);
}

static struct vec3 end_of(const struct sim_world *world, uint32_t i) {
    return particle_relaxed(world, i);
}

// ---- path in this substep ----------------------------------------------------------------------------------------

static struct vec3 path_of(const struct sim_world *world, uint32_t i) {
    return vec3_sub(end_of(world, i), start_of(world->cloth_contacts, i));
}

typedef struct vec3 (*of_particle)(const struct sim_world *world, uint32_t i);

static struct vec3 mean_of(const struct sim_world *world, of_particle of) {
    struct drift sum = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        const struct object *object = &world->object[world->cloth_contacts->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 own = of(world, i);
            sum.x += (double)own.x;
            sum.y += (double)own.y;
            sum.z += (double)own.z;
        }
        count += object->particles;
    }
    return vec3_of((float)(sum.x / count), (float)(sum.y / count), (float)(sum.z / count));
}

// No particle moves farther than WAY_MOST thicknesses: with a grab that is pulled across the world through cloth, every
// pair would be a candidate. Particles that sleep, are frozen or pinned stay, however far the others move.
static void limit_path_of_particle(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 mean) {
    const struct vec3 path = vec3_sub(path_of(world, i), mean);
    const float far = vec3_length(path);
    const float most = (world->w[i] > 0.0f ? WAY_MOST : WAY_MOST_HELD) * world->cloth_contacts->thickness_max;
    const bool moves = object_is_active(object) && (world->w[i] > 0.0f || (world->flags[i] & PARTICLE_HELD) != 0);
    world->cloth_contacts->path[i] = far;
    if (!(far > most) || !moves) {
        return;
    }
    const struct vec3 limited = vec3_scale(path, most / far);
    particle_shift(world, i, vec3_sub(limited, path));
    world->cloth_contacts->path[i] = vec3_length(limited);
}

static void limit_paths(struct sim_world *world) {
    const struct vec3 mean = mean_of(world, path_of);
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        const struct object *object = &world->object[world->cloth_contacts->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            limit_path_of_particle(world, object, i, mean);
        }
    }
}

// ---- expected motion ---------------------------------------------------------------------------------------------

static struct vec3 off_at(const struct cloth_contacts *cloth, uint32_t i, struct vec3 at, uint32_t substeps) {
    const float n = (float)substeps;
    return vec3_of(at.x - cloth->from_x[i] - n * cloth->plan_x[i], at.y - cloth->from_y[i] - n * cloth->plan_y[i],
                   at.z - cloth->from_z[i] - n * cloth->plan_z[i]);
}

static struct vec3 off_at_start(const struct sim_world *world, uint32_t i) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    return off_at(cloth, i, start_of(cloth, i), cloth->plan_substeps - cloth->substeps_left);
}

static struct vec3 off_at_end(const struct sim_world *world, uint32_t i) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    return off_at(cloth, i, end_of(world, i), cloth->plan_substeps - cloth->substeps_left + 1);
}

// Expects particle i to keep the motion of this substep, relative to the mean deviation of all particles: `start`
// before it and `end` after.
static void plan(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 start, struct vec3 end) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const struct vec3 path = vec3_sub(path_of(world, i), vec3_sub(end, start));
    const float far = vec3_length(path);
    const float left = (float)(cloth->plan_end - (cloth->plan_substeps - cloth->substeps_left));
    const float most = PLAN_THICKNESSES * object->radius;
    const float share = left > 1.0f && far * left > most ? most / (far * left) : 1.0f;
    const float since = (float)(cloth->plan_substeps - cloth->substeps_left);
    const struct vec3 planned = vec3_scale(path, share);
    const struct vec3 from = vec3_sub(vec3_sub(start_of(cloth, i), start), vec3_scale(planned, since));
    cloth->from_x[i] = from.x;
    cloth->from_y[i] = from.y;
    cloth->from_z[i] = from.z;
    cloth->plan_x[i] = planned.x;
    cloth->plan_y[i] = planned.y;
    cloth->plan_z[i] = planned.z;
    cloth->moved[i] = (1.0f - share) * far;
    cloth->skin[i] = SKIN_THICKNESSES * object->radius + SKIN_WAYS * left * share * far + cloth->moved[i];
    cloth->loose[i] = 1;
}

struct span_of_drift {
    struct vec3 start, end;
};

// Marks the particles that have left their skins. Returns their number.
static uint32_t measure(struct sim_world *world, struct span_of_drift mean) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t loose = 0;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 before = vec3_sub(off_at_start(world, i), mean.start);
            const struct vec3 after = vec3_sub(off_at_end(world, i), mean.end);
            cloth->moved[i] = sqrtf(scalar_max(vec3_dot(before, before), vec3_dot(after, after)));
            cloth->loose[i] = cloth->moved[i] <= cloth->skin[i] ? 0 : 1;
            loose += cloth->loose[i];
        }
    }
    return loose;
}

static void plan_loose(struct sim_world *world, struct span_of_drift mean) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            if (cloth->loose[i] != 0) {
                plan(world, object, i, mean.start, mean.end);
            }
        }
    }
}

static bool is_many(const struct sim_world *world, uint32_t particles) {
    uint32_t sum = 0;
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        sum += world->object[world->cloth_contacts->member[m]].particles;
    }
    return (float)particles > MANY * (float)sum;
}

// The number of particles that are too fast to be planned until the tick ends.
static uint32_t count_fast(const struct sim_world *world) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t fast = 0;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        const float most = PLAN_THICKNESSES * object->radius;
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            fast += cloth->path[i] * (float)cloth->substeps_left > most ? 1 : 0;
        }
    }
    return fast;
}

static void plan_all(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const struct span_of_drift mean = {{0.0f, 0.0f, 0.0f}, mean_of(world, path_of)};
    cloth->plan_substeps = cloth->substeps_left;
    cloth->plan_end = is_many(world, count_fast(world)) ? 1 : cloth->substeps_left;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        memset(cloth->loose + object->first, 1, object->particles * sizeof *cloth->loose);
    }
    plan_loose(world, mean);
}

static bool is_planned(const struct cloth_contacts *cloth) {
    return cloth->gathered && cloth->plan_substeps - cloth->substeps_left < cloth->plan_end;
}

bool cloth_contact_refresh(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    limit_paths(world);
    if (!is_planned(cloth)) {
        plan_all(world);
        cloth_contact_gather(world);
        cloth->gathered = true;
        return true;
    }
    const struct span_of_drift mean = {mean_of(world, off_at_start), mean_of(world, off_at_end)};
    const uint32_t loose = measure(world, mean);
    if (loose == 0) {
        return false;
    }
    if (is_many(world, loose)) {
        plan_all(world);
        cloth_contact_gather(world);
    } else {
        plan_loose(world, mean);
        cloth_contact_gather_loose(world);
    }
    return true;
}
