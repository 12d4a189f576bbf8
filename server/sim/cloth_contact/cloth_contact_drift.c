// SPDX-License-Identifier: MIT
// Measures how far particles of cloth have moved, and so how long the gathered candidates hold.
//
// When candidates are gathered, every particle is expected to keep its motion until the tick ends. The candidates are
// all pairs that can come nearer than their thickness while no particle is farther than its skin from its expected
// place, so that cloth that moves together needs no new candidates, be it fast or slow. The mean deviation of all
// particles does not count.
//
// The order of contacts has a plan of its own, with narrower skins: it does not change with those of the candidates.
#include "sim/cloth_contact/cloth_contact_drift.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/cloth_contact/cloth_contact_order.h"
#include "sim/cloth_contact/cloth_contact_tree.h"
#include "sim/world/particle.h"

// Longest path of a particle in a substep relative to the mean path, in thicknesses.
#define WAY_MOST 16.0f
#define WAY_MOST_HELD 2.0f
// How a plan is made.
struct planning {
    // A skin is so many thicknesses, plus this share of the expected path, plus the deviation of the present substep
    // from it.
    float thicknesses, ways;
    float far;   // no expected path is longer than this many thicknesses
    float again; // share of the deviation that is added to the skin of a particle that has left it
};

// Wide, so that candidates are gathered seldom; where so many do not fit, skins are as narrow as those of the order.
static const struct planning of_candidates = {.thicknesses = 0.4f, .ways = 0.5f, .far = 4.0f, .again = 1.0f};
static const struct planning of_order = {.thicknesses = 0.1f, .ways = 0.25f, .far = 2.0f};

// When more than this share of the particles has left its skin, all faces are ranked anew; when more than this share is
// fast, they are ranked in every substep.
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

static struct vec3 path_of(const struct sim_world *world, const struct cloth_contact_plan *plan, uint32_t i) {
    (void)plan;
    return vec3_sub(end_of(world, i), start_of(world->cloth_contacts, i));
}

typedef struct vec3 (*of_particle)(const struct sim_world *world, const struct cloth_contact_plan *plan, uint32_t i);

static struct vec3 mean_of(const struct sim_world *world, const struct cloth_contact_plan *plan, of_particle of) {
    struct drift sum = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        const struct object *object = &world->object[world->cloth_contacts->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 own = of(world, plan, i);
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
    const struct vec3 path = vec3_sub(path_of(world, NULL, i), mean);
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
    const struct vec3 mean = mean_of(world, NULL, path_of);
    for (uint32_t m = 0; m < world->cloth_contacts->members; m++) {
        const struct object *object = &world->object[world->cloth_contacts->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            limit_path_of_particle(world, object, i, mean);
        }
    }
}

// ---- expected motion ---------------------------------------------------------------------------------------------

// The number of substeps since the plan was made.
static uint32_t since_of(const struct sim_world *world, const struct cloth_contact_plan *plan) {
    return plan->substeps - world->cloth_contacts->substeps_left;
}

static struct vec3 off_at(const struct cloth_contact_plan *plan, uint32_t i, struct vec3 at, uint32_t substeps) {
    const float n = (float)substeps;
    return vec3_of(at.x - plan->from_x[i] - n * plan->way_x[i], at.y - plan->from_y[i] - n * plan->way_y[i],
                   at.z - plan->from_z[i] - n * plan->way_z[i]);
}

static struct vec3 off_at_start(const struct sim_world *world, const struct cloth_contact_plan *plan, uint32_t i) {
    return off_at(plan, i, start_of(world->cloth_contacts, i), since_of(world, plan));
}

static struct vec3 off_at_end(const struct sim_world *world, const struct cloth_contact_plan *plan, uint32_t i) {
    return off_at(plan, i, end_of(world, i), since_of(world, plan) + 1);
}

struct span_of_drift {
    struct vec3 start, end;
};

// Expects particle i to keep the motion of this substep, relative to the mean deviation of all particles before it and
// after it.
static void plan_one(struct sim_world *world, struct cloth_contact_plan *plan, const struct planning *planning,
                     uint32_t i, float radius, struct span_of_drift mean) {
    const struct vec3 path = vec3_sub(path_of(world, plan, i), vec3_sub(mean.end, mean.start));
    const float far = vec3_length(path);
    const float left = (float)(plan->end - since_of(world, plan));
    const float most = planning->far * radius;
    const float share = left > 1.0f && far * left > most ? most / (far * left) : 1.0f;
    const float since = (float)since_of(world, plan);
    const struct vec3 way = vec3_scale(path, share);
    const struct vec3 start = start_of(world->cloth_contacts, i);
    const struct vec3 from = vec3_sub(vec3_sub(start, mean.start), vec3_scale(way, since));
    plan->from_x[i] = from.x;
    plan->from_y[i] = from.y;
    plan->from_z[i] = from.z;
    plan->way_x[i] = way.x;
    plan->way_y[i] = way.y;
    plan->way_z[i] = way.z;
    const float again = planning->again * plan->moved[i];
    plan->moved[i] = (1.0f - share) * far;
    plan->skin[i] = planning->thicknesses * radius + planning->ways * left * share * far + plan->moved[i] + again;
    plan->loose[i] = 1;
}

static struct span_of_drift mean_drift(const struct sim_world *world, const struct cloth_contact_plan *plan) {
    return (struct span_of_drift){mean_of(world, plan, off_at_start), mean_of(world, plan, off_at_end)};
}

// Marks the particles that have left their skins. Returns their number.
static uint32_t measure(struct sim_world *world, struct cloth_contact_plan *plan, struct span_of_drift mean) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t loose = 0;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 before = vec3_sub(off_at_start(world, plan, i), mean.start);
            const struct vec3 after = vec3_sub(off_at_end(world, plan, i), mean.end);
            plan->moved[i] = sqrtf(scalar_max(vec3_dot(before, before), vec3_dot(after, after)));
            plan->loose[i] = plan->moved[i] <= plan->skin[i] ? 0 : 1;
            loose += plan->loose[i];
        }
    }
    return loose;
}

static void plan_loose(struct sim_world *world, struct cloth_contact_plan *plan, const struct planning *planning,
                       struct span_of_drift mean) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            if (plan->loose[i] != 0) {
                plan_one(world, plan, planning, i, cloth_contact_thickness(object), mean);
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
static uint32_t count_fast(const struct sim_world *world, const struct planning *planning) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    uint32_t fast = 0;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        const float most = planning->far * cloth_contact_thickness(object);
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            fast += cloth->path[i] * (float)cloth->substeps_left > most ? 1 : 0;
        }
    }
    return fast;
}

static void plan_all(struct sim_world *world, struct cloth_contact_plan *plan, const struct planning *planning) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const struct span_of_drift mean = {{0.0f, 0.0f, 0.0f}, mean_of(world, plan, path_of)};
    plan->made = true;
    plan->substeps = cloth->substeps_left;
    plan->end = is_many(world, count_fast(world, planning)) ? 1 : cloth->substeps_left;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        memset(plan->loose + object->first, 1, object->particles * sizeof *plan->loose);
        memset(plan->moved + object->first, 0, object->particles * sizeof *plan->moved);
    }
    plan_loose(world, plan, planning, mean);
}

static bool is_planned(const struct sim_world *world, const struct cloth_contact_plan *plan) {
    return plan->made && since_of(world, plan) < plan->end;
}

// Returns true if the order has changed.
static bool refresh_order(struct sim_world *world) {
    struct cloth_contact_plan *plan = &world->cloth_contacts->order_plan;
    if (!is_planned(world, plan)) {
        plan_all(world, plan, &of_order);
        cloth_contact_order_all(world);
        return true;
    }
    const struct span_of_drift mean = mean_drift(world, plan);
    const uint32_t loose = measure(world, plan, mean);
    if (is_many(world, loose)) {
        plan_all(world, plan, &of_order);
        cloth_contact_order_all(world);
    } else if (loose > 0) {
        plan_loose(world, plan, &of_order, mean);
        cloth_contact_order_loose(world);
    }
    return loose > 0;
}

static void gather_all(struct sim_world *world) {
    struct cloth_contact_plan *plan = &world->cloth_contacts->plan;
    plan_all(world, plan, &of_candidates);
    if (!cloth_contact_gather(world)) {
        plan_all(world, plan, &of_order);
        (void)cloth_contact_gather(world);
    }
}

static void refresh_candidates(struct sim_world *world) {
    struct cloth_contact_plan *plan = &world->cloth_contacts->plan;
    if (!is_planned(world, plan)) {
        gather_all(world);
        return;
    }
    const struct span_of_drift mean = mean_drift(world, plan);
    const uint32_t loose = measure(world, plan, mean);
    if (loose == 0) {
        return;
    }
    plan_loose(world, plan, &of_candidates, mean);
    if (is_many(world, loose) || !cloth_contact_gather_loose(world)) {
        gather_all(world);
    }
}

static void measure_faces(struct cloth_contacts *cloth) {
    const float *moved = cloth->plan.moved;
    for (uint32_t i = 0; i < cloth->faces; i++) {
        const uint32_t *corner = cloth->face[i].corner;
        cloth->face_moved[i] = scalar_max(moved[corner[0]], scalar_max(moved[corner[1]], moved[corner[2]]));
    }
}

bool cloth_contact_refresh(struct sim_world *world) {
    limit_paths(world);
    const bool changed = refresh_order(world);
    refresh_candidates(world);
    measure_faces(world->cloth_contacts);
    return changed;
}
