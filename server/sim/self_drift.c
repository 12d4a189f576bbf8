// SPDX-License-Identifier: MIT
// How far particles of cloth have come, and for how long what was gathered holds.
//
// When candidates are gathered, every particle is expected to go on as it does until the tick ends. They are all pairs
// that can come nearer than their thickness while no particle is further than its skin from where it is expected, so
// that what moves alike stays as it was gathered, be it fast or slow. What all particles are off in common does not
// count.
#include "sim/self.h"

// How far a particle goes in a substep at most, in thicknesses, compared to what all do.
#define WAY_MOST 16.0f
#define WAY_MOST_HELD 2.0f
// A skin is so many thicknesses, and so much of the way that is expected.
#define SKIN_THICKNESSES 0.25f
#define SKIN_WAYS 0.25f
// Nothing is planned to go further than so many thicknesses: what goes fast is gathered more often.
#define PLAN_THICKNESSES 2.0f

struct drift {
    double x, y, z; // m
};

static struct vec3 start_of(const struct self *self, uint32_t i) {
    return vec3_of(self->start_x[i], self->start_y[i], self->start_z[i]);
}

static struct vec3 end_of(const struct sim_world *world, uint32_t i) {
    return vec3_of(world->px[i], world->py[i], world->pz[i]);
}

// ---- the way of this substep -------------------------------------------------------------------------------------

static struct vec3 way_of(const struct sim_world *world, uint32_t i) {
    return vec3_sub(end_of(world, i), start_of(world->self, i));
}

typedef struct vec3 (*of_particle)(const struct sim_world *world, uint32_t i);

static struct vec3 mean_of(const struct sim_world *world, of_particle of) {
    struct drift sum = {0.0, 0.0, 0.0};
    double count = 0.0;
    for (uint32_t m = 0; m < world->self->members; m++) {
        const struct object *object = &world->object[world->self->member[m]];
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

// Nothing goes further than WAY_MOST thicknesses: a hand that is torn across the world through cloth would have
// everything meet everything. What sleeps, is frozen or pinned stays where it is, however far the others go.
static void curb_particle(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 mean) {
    const struct vec3 way = vec3_sub(way_of(world, i), mean);
    const float far = vec3_length(way);
    const float most = (world->w[i] > 0.0f ? WAY_MOST : WAY_MOST_HELD) * world->self->thickness_max;
    const bool moves = object_is_active(object) && (world->w[i] > 0.0f || (world->flags[i] & PARTICLE_HELD) != 0);
    world->self->way[i] = far;
    if (!(far > most) || !moves) {
        return;
    }
    const struct vec3 curbed = vec3_scale(way, most / far);
    world->px[i] -= way.x - curbed.x;
    world->py[i] -= way.y - curbed.y;
    world->pz[i] -= way.z - curbed.z;
    world->self->way[i] = vec3_length(curbed);
}

static void curb(struct sim_world *world) {
    const struct vec3 mean = mean_of(world, way_of);
    for (uint32_t m = 0; m < world->self->members; m++) {
        const struct object *object = &world->object[world->self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            curb_particle(world, object, i, mean);
        }
    }
}

// ---- what was expected -------------------------------------------------------------------------------------------

static struct vec3 off_at(const struct self *self, uint32_t i, struct vec3 at, uint32_t substeps) {
    const float n = (float)substeps;
    return vec3_of(at.x - self->from_x[i] - n * self->plan_x[i], at.y - self->from_y[i] - n * self->plan_y[i],
                   at.z - self->from_z[i] - n * self->plan_z[i]);
}

static struct vec3 off_at_start(const struct sim_world *world, uint32_t i) {
    const struct self *self = world->self;
    return off_at(self, i, start_of(self, i), self->plan_substeps - self->substeps_left);
}

static struct vec3 off_at_end(const struct sim_world *world, uint32_t i) {
    const struct self *self = world->self;
    return off_at(self, i, end_of(world, i), self->plan_substeps - self->substeps_left + 1);
}

// Whether every particle is within its skin.
static bool measure(struct sim_world *world) {
    struct self *self = world->self;
    const struct vec3 start = mean_of(world, off_at_start);
    const struct vec3 end = mean_of(world, off_at_end);
    bool within = true;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 before = vec3_sub(off_at_start(world, i), start);
            const struct vec3 after = vec3_sub(off_at_end(world, i), end);
            self->moved[i] = sqrtf(scalar_max(vec3_dot(before, before), vec3_dot(after, after)));
            within &= self->moved[i] <= self->skin[i];
        }
    }
    return within;
}

static void expect(struct sim_world *world, const struct object *object, struct vec3 mean) {
    struct self *self = world->self;
    for (uint32_t i = object->first; i < object->first + object->particles; i++) {
        const struct vec3 from = start_of(self, i);
        const struct vec3 plan = vec3_sub(way_of(world, i), mean);
        self->from_x[i] = from.x;
        self->from_y[i] = from.y;
        self->from_z[i] = from.z;
        self->plan_x[i] = plan.x;
        self->plan_y[i] = plan.y;
        self->plan_z[i] = plan.z;
        self->skin[i] = SKIN_THICKNESSES * object->radius + SKIN_WAYS * (float)self->substeps_left * vec3_length(plan);
    }
}

// For how many substeps to plan.
static uint32_t length_of_plan(const struct sim_world *world) {
    const struct self *self = world->self;
    float fastest = 0.0f;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            fastest = scalar_max(fastest, self->way[i]);
        }
    }
    const float most = PLAN_THICKNESSES * self->thickness_max;
    if (most >= (float)self->substeps_left * fastest) {
        return self->substeps_left;
    }
    return most > fastest ? (uint32_t)(most / fastest) : 1;
}

static bool is_planned(const struct self *self) {
    return self->gathered && self->plan_substeps - self->substeps_left < self->plan_length;
}

bool self_refresh(struct sim_world *world) {
    struct self *self = world->self;
    curb(world);
    if (is_planned(self) && measure(world)) {
        return false;
    }
    self->plan_substeps = self->substeps_left;
    self->plan_length = length_of_plan(world);
    const struct vec3 mean = mean_of(world, way_of);
    for (uint32_t m = 0; m < self->members; m++) {
        expect(world, &world->object[self->member[m]], mean);
    }
    (void)measure(world);
    self_gather(world);
    self->gathered = true;
    return true;
}
