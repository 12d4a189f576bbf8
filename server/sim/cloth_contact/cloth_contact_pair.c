// SPDX-License-Identifier: MIT
// Pairs of features of cloth: their points, the distance that they keep, and the contact that keeps it.
#include "sim/cloth_contact/cloth_contact_pair.h"

#include "sim/contact/contact.h"
#include "sim/simd/kernel.h"
#include "sim/world/axes.h"
#include "sim/world/particle.h"

// The thickness within one cloth is limited by its rest shape: features joined by an edge are no farther apart than the
// smallest height of its triangles, other features no nearer than twice that.
#define HEIGHT_SHARE_NEIGHBOURS 0.8f

#define HEIGHT_SHARE 1.6f

struct cloth_contact_pair cloth_contact_pair_of(const struct sim_world *world,
                                                const struct cloth_contact_candidate *candidate) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const struct cloth_contact_face *a = &cloth->face[candidate->a / 8];
    const struct cloth_contact_face *b = &cloth->face[candidate->b / 8];
    const unsigned i = candidate->a % 4;
    const unsigned k = candidate->b % 4;
    if (candidate->a % 8 < 4) {
        return (struct cloth_contact_pair){
            PROXIMITY_VERTEX_TRIANGLE, {a->corner[i], b->corner[0], b->corner[1], b->corner[2]}, a->object, b->object};
    }
    return (struct cloth_contact_pair){
        PROXIMITY_EDGE_EDGE,
        {a->corner[i], a->corner[(i + 1) % 3], b->corner[k], b->corner[(k + 1) % 3]},
        a->object,
        b->object,
    };
}

void cloth_contact_points_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair,
                                   struct point at[4]) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = pair->slot[k];
        at[k] =
            (struct point){(double)cloth->start_x[slot], (double)cloth->start_y[slot], (double)cloth->start_z[slot]};
    }
}

void cloth_contact_points_now(const struct sim_world *world, const struct cloth_contact_pair *pair,
                              struct point at[4]) {
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = pair->slot[k];
        at[k] = point_of(particle_relaxed(world, slot));
    }
}

static bool are_joined(const struct cloth_contacts *cloth, uint32_t a, uint32_t b) {
    for (uint32_t i = cloth->fan_first[a]; i < cloth->fan_first[a + 1]; i++) {
        const uint32_t *corner = cloth->face[cloth->fan[i]].corner;
        if (corner[0] == b || corner[1] == b || corner[2] == b) {
            return true;
        }
    }
    return false;
}

static bool are_neighbours(const struct cloth_contacts *cloth, const struct cloth_contact_pair *pair) {
    const unsigned first = pair->kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2;
    for (unsigned i = 0; i < first; i++) {
        for (unsigned k = first; k < 4; k++) {
            if (are_joined(cloth, pair->slot[i], pair->slot[k])) {
                return true;
            }
        }
    }
    return false;
}

float cloth_contact_gap_within(const struct object *object) {
    return scalar_min(object->radius, HEIGHT_SHARE * object->height);
}

float cloth_contact_gap(const struct sim_world *world, const struct cloth_contact_pair *pair) {
    const struct object *a = &world->object[pair->object_a];
    const struct object *b = &world->object[pair->object_b];
    if (a != b) {
        return 0.5f * (a->radius + b->radius);
    }
    const float between_neighbours = HEIGHT_SHARE_NEIGHBOURS * a->height;
    if (a->radius > between_neighbours && are_neighbours(world->cloth_contacts, pair)) {
        return between_neighbours;
    }
    return cloth_contact_gap_within(a);
}

// Sets how a depth of 1 moves each particle: λ·w·weight. Returns false if no particle can move, or only particles with
// next to no weight.
static bool share_depth(const struct sim_world *world, const struct cloth_contact_pair *pair,
                        struct cloth_contact *contact) {
    const unsigned first = pair->kind == PROXIMITY_VERTEX_TRIANGLE ? 1 : 2;
    float sum = 0.0f;
    float most = 0.0f;
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t object = k < first ? pair->object_a : pair->object_b;
        const float w = object_is_active(&world->object[object]) ? world->w[pair->slot[k]] : 0.0f;
        contact->share[k] = w * contact->weight[k];
        sum += contact->share[k] * contact->weight[k];
        most = scalar_max(most, scalar_abs(contact->share[k]));
    }
    if (!(sum > 0.0f) || most > CONTACT_LEVER_MAX * sum) {
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        contact->share[k] /= sum;
    }
    return true;
}

bool cloth_contact_of(const struct sim_world *world, const struct cloth_contact_pair *pair,
                      const struct proximity *nearest, struct cloth_contact *contact) {
    if (!(nearest->distance > 0.0)) {
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        contact->slot[k] = pair->slot[k];
        contact->weight[k] = (float)nearest->weight[k];
    }
    contact->normal =
        vec3_of((float)(nearest->apart.x / nearest->distance), (float)(nearest->apart.y / nearest->distance),
                (float)(nearest->apart.z / nearest->distance));
    contact->object_a = pair->object_a;
    contact->object_b = pair->object_b;
    contact->friction =
        contact_friction(world->object[pair->object_a].friction, world->object[pair->object_b].friction);
    contact->pushed = false;
    return share_depth(world, pair, contact);
}

float cloth_contact_closing(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                            const float *far) {
    const uint32_t *a = cloth->face[candidate->a / 8].corner;
    const uint32_t *b = cloth->face[candidate->b / 8].corner;
    const unsigned i = candidate->a % 4;
    const unsigned k = candidate->b % 4;
    if (candidate->a % 8 < 4) {
        return far[a[i]] + scalar_max(far[b[0]], scalar_max(far[b[1]], far[b[2]]));
    }
    return scalar_max(far[a[i]], far[a[(i + 1) % 3]]) + scalar_max(far[b[k]], far[b[(k + 1) % 3]]);
}

static void move(struct sim_world *world, const struct cloth_contact *contact, struct vec3 by) {
    for (unsigned k = 0; k < 4; k++) {
        particle_shift(world, contact->slot[k], vec3_scale(by, contact->share[k]));
    }
}

// Σ weight·(p − x°): the displacement of p against q in this substep.
static struct vec3 slid(const struct sim_world *world, const struct cloth_contact *contact) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    struct vec3 u = {0.0f, 0.0f, 0.0f};
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t slot = contact->slot[k];
        const struct vec3 start = vec3_of(cloth->start_x[slot], cloth->start_y[slot], cloth->start_z[slot]);
        const struct vec3 ahead = particle_ahead(world, slot);
        const struct vec3 own = vec3_add(vec3_sub(ahead, start), particle_off(world, slot));
        u = vec3_add(u, vec3_scale(own, contact->weight[k]));
    }
    return u;
}

// D = h − n·(p − q). Particles are taken relative to one of them, since common coordinates would cost digits.
static float depth_of(const struct sim_world *world, const struct cloth_contact *contact) {
    const struct kernel_particles at = kernel_particles_at(world, 0);
    const uint32_t base = contact->slot[3];
    struct vec3 apart = {0.0f, 0.0f, 0.0f};
    for (unsigned k = 0; k < 3; k++) {
        const uint32_t slot = contact->slot[k];
        const struct vec3 own = kernel_delta(&at, base, slot);
        apart = vec3_add(apart, vec3_scale(own, contact->weight[k]));
    }
    return contact->gap - vec3_dot(contact->normal, apart);
}

bool cloth_contact_relax_one(struct sim_world *world, struct cloth_contact *contact) {
    const float depth = depth_of(world, contact);
    if (!(depth > 0.0f)) {
        return false;
    }
    contact->pushed = true;
    move(world, contact, vec3_scale(contact->normal, depth));
    const struct vec3 u = slid(world, contact);
    const struct vec3 tangential = vec3_sub(u, vec3_scale(contact->normal, vec3_dot(u, contact->normal)));
    const float slide = vec3_length(tangential);
    const float licence = contact->friction * depth;
    move(world, contact, vec3_scale(tangential, slide <= licence ? -1.0f : -licence / slide));
    return true;
}
