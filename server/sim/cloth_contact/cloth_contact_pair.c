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
    const float thickness = cloth_contact_thickness(object);
    return cloth_contact_corners(object) < 3 ? thickness : scalar_min(thickness, HEIGHT_SHARE * object->height);
}

float cloth_contact_gap(const struct sim_world *world, const struct cloth_contact_pair *pair) {
    const struct object *a = &world->object[pair->object_a];
    const struct object *b = &world->object[pair->object_b];
    if (a != b) {
        return 0.5f * (cloth_contact_thickness(a) + cloth_contact_thickness(b));
    }
    const float between_neighbours = HEIGHT_SHARE_NEIGHBOURS * a->height;
    if (cloth_contact_corners(a) == 3 && a->radius > between_neighbours &&
        are_neighbours(world->cloth_contacts, pair)) {
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
    const bool thread = cloth_contact_has_thread(world, pair);
    if (!(nearest->distance > 0.0) && !thread) {
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        contact->slot[k] = pair->slot[k];
        contact->weight[k] = (float)nearest->weight[k];
    }
    contact->normal = vec3_of(1.0f, 0.0f, 0.0f); // of points that coincide (3.8)
    if (nearest->distance > 0.0) {
        contact->normal =
            vec3_of((float)(nearest->apart.x / nearest->distance), (float)(nearest->apart.y / nearest->distance),
                    (float)(nearest->apart.z / nearest->distance));
    }
    contact->object_a = pair->object_a;
    contact->object_b = pair->object_b;
    contact->friction =
        contact_friction(world->object[pair->object_a].friction, world->object[pair->object_b].friction);
    contact->pushed = false;
    contact->thread = thread;
    return share_depth(world, pair, contact);
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

static struct vec3 tangential_slide(const struct sim_world *world, const struct cloth_contact *contact) {
    const struct vec3 u = slid(world, contact);
    return vec3_sub(u, vec3_scale(contact->normal, vec3_dot(u, contact->normal)));
}

// Takes back as much of the slide as the licence allows. Returns how much.
static float resist(struct sim_world *world, const struct cloth_contact *contact, float licence) {
    const struct vec3 tangential = tangential_slide(world, contact);
    const float slide = vec3_length(tangential);
    move(world, contact, vec3_scale(tangential, slide <= licence ? -1.0f : -licence / slide));
    return scalar_min(slide, licence);
}

bool cloth_contact_relax_one(struct sim_world *world, struct cloth_contact *contact) {
    if (contact->unused > 0.0f) {
        contact->unused -= resist(world, contact, contact->unused);
    }
    const float depth = depth_of(world, contact);
    if (!(depth > 0.0f)) {
        return false;
    }
    contact->pushed = true;
    move(world, contact, vec3_scale(contact->normal, depth));
    const float licence = contact->friction * depth;
    const float taken = resist(world, contact, licence);
    contact->unused += contact->thread ? licence - taken : 0.0f;
    return true;
}
