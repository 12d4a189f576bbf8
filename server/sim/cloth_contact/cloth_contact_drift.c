// SPDX-License-Identifier: MIT
// How far particles of cloth have come, and for how long what was gathered holds.
//
// When candidates are gathered, every particle is expected to go on as it does until the tick ends. They are all pairs
// that can come nearer than their thickness while no particle is further than its skin from where it is expected, so
// that what moves alike stays as it was gathered, be it fast or slow. What all particles are off in common does not
// count.
#include "sim/cloth_contact/cloth_contact.h"

// How far a particle goes in a substep at most, in thicknesses, compared to what all do.
#define WAY_MOST 16.0f
#define WAY_MOST_HELD 2.0f
// A skin is so many thicknesses, so much of the way that is expected, and what the present substep differs from it.
#define SKIN_THICKNESSES 0.1f
#define SKIN_WAYS 0.25f
// Nothing is expected to go further than so many thicknesses: what goes fast is looked at anew more often.
#define PLAN_THICKNESSES 2.0f
// When more than this share of the particles has left its skin, all are gathered anew; when as many are fast, it is for
// one substep at a time.
#define MANY 0.25f

struct drift {
    double x, y, z; // m
};

static struct vec3 start_of(const struct self *self, uint32_t i) {
    return vec3_of(self->start_x[i], self->start_y[i], self->start_z[i]);
}

static struct vec3 end_of(const struct sim_world *world, uint32_t i) {
    return particle_relaxed(world, i);
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
    particle_shift(world, i, vec3_sub(curbed, way));
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

// From now on particle i is expected to go on as in this substep, seen from what all particles are off: `start` before
// it and `end` after.
static void plan(struct sim_world *world, const struct object *object, uint32_t i, struct vec3 start, struct vec3 end) {
    struct self *self = world->self;
    const struct vec3 way = vec3_sub(way_of(world, i), vec3_sub(end, start));
    const float far = vec3_length(way);
    const float left = (float)(self->plan_end - (self->plan_substeps - self->substeps_left));
    const float most = PLAN_THICKNESSES * object->radius;
    const float share = left > 1.0f && far * left > most ? most / (far * left) : 1.0f;
    const float since = (float)(self->plan_substeps - self->substeps_left);
    const struct vec3 planned = vec3_scale(way, share);
    const struct vec3 from = vec3_sub(vec3_sub(start_of(self, i), start), vec3_scale(planned, since));
    self->from_x[i] = from.x;
    self->from_y[i] = from.y;
    self->from_z[i] = from.z;
    self->plan_x[i] = planned.x;
    self->plan_y[i] = planned.y;
    self->plan_z[i] = planned.z;
    self->moved[i] = (1.0f - share) * far;
    self->skin[i] = SKIN_THICKNESSES * object->radius + SKIN_WAYS * left * share * far + self->moved[i];
    self->loose[i] = 1;
}

struct span_of_drift {
    struct vec3 start, end;
};

// Sees which particles have left their skins; how many have.
static uint32_t measure(struct sim_world *world, struct span_of_drift mean) {
    struct self *self = world->self;
    uint32_t loose = 0;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            const struct vec3 before = vec3_sub(off_at_start(world, i), mean.start);
            const struct vec3 after = vec3_sub(off_at_end(world, i), mean.end);
            self->moved[i] = sqrtf(scalar_max(vec3_dot(before, before), vec3_dot(after, after)));
            self->loose[i] = self->moved[i] <= self->skin[i] ? 0 : 1;
            loose += self->loose[i];
        }
    }
    return loose;
}

static void plan_loose(struct sim_world *world, struct span_of_drift mean) {
    struct self *self = world->self;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            if (self->loose[i] != 0) {
                plan(world, object, i, mean.start, mean.end);
            }
        }
    }
}

static bool is_many(const struct sim_world *world, uint32_t particles) {
    uint32_t sum = 0;
    for (uint32_t m = 0; m < world->self->members; m++) {
        sum += world->object[world->self->member[m]].particles;
    }
    return (float)particles > MANY * (float)sum;
}

// How many particles are too fast to be planned until the tick ends.
static uint32_t count_fast(const struct sim_world *world) {
    const struct self *self = world->self;
    uint32_t fast = 0;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        const float most = PLAN_THICKNESSES * object->radius;
        for (uint32_t i = object->first; i < object->first + object->particles; i++) {
            fast += self->way[i] * (float)self->substeps_left > most ? 1 : 0;
        }
    }
    return fast;
}

static void plan_all(struct sim_world *world) {
    struct self *self = world->self;
    const struct span_of_drift mean = {{0.0f, 0.0f, 0.0f}, mean_of(world, way_of)};
    self->plan_substeps = self->substeps_left;
    self->plan_end = is_many(world, count_fast(world)) ? 1 : self->substeps_left;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        memset(self->loose + object->first, 1, object->particles * sizeof *self->loose);
    }
    plan_loose(world, mean);
}

static bool is_planned(const struct self *self) {
    return self->gathered && self->plan_substeps - self->substeps_left < self->plan_end;
}

bool self_refresh(struct sim_world *world) {
    struct self *self = world->self;
    curb(world);
    if (!is_planned(self)) {
        plan_all(world);
        self_gather(world);
        self->gathered = true;
        return true;
    }
    const struct span_of_drift mean = {mean_of(world, off_at_start), mean_of(world, off_at_end)};
    const uint32_t loose = measure(world, mean);
    if (loose == 0) {
        return false;
    }
    if (is_many(world, loose)) {
        plan_all(world);
        self_gather(world);
    } else {
        plan_loose(world, mean);
        self_gather_loose(world);
    }
    return true;
}
