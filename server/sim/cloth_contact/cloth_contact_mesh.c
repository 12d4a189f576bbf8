// SPDX-License-Identifier: MIT
// The features of the cloth that collides: its triangles, each vertex and each edge once.
//
// Faces share vertices and edges. Each is owned by the first face that has it, so that going over pairs of faces gives
// every pair of features once. (S. Curtis, R. Tamstorf, D. Manocha, "Fast Collision Detection for Deformable Models
// using Representative-Triangles", 2008.)
#include "sim/cloth_contact/cloth_contact.h"

bool self_takes_part(const struct object *object) {
    return object->radius > 0.0f && object->triangles > 0 &&
           (object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH);
}

float self_height_of(const struct sim_world *world, const struct object *object) {
    const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
    float least = HUGE_VALF;
    for (uint32_t i = 0; i < object->triangles; i++) {
        const struct vec3 a = particle_position(world, object->first + corner[3 * (size_t)i]);
        const struct vec3 b = particle_position(world, object->first + corner[3 * (size_t)i + 1]);
        const struct vec3 c = particle_position(world, object->first + corner[3 * (size_t)i + 2]);
        const struct vec3 ab = vec3_sub(b, a);
        const struct vec3 ac = vec3_sub(c, a);
        const float longest = scalar_max(vec3_length(ab), scalar_max(vec3_length(ac), vec3_length(vec3_sub(c, b))));
        if (longest > 0.0f) {
            least = scalar_min(least, vec3_length(vec3_cross(ab, ac)) / longest);
        }
    }
    return least;
}

static void list_members(struct sim_world *world) {
    struct self *self = world->self;
    bool collides = false;
    self->members = 0;
    self->thickness_max = 0.0f;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (self_takes_part(object)) {
            self->member[self->members] = i;
            self->members++;
            self->thickness_max = scalar_max(self->thickness_max, object->radius);
            collides = collides || object->self_collision;
        }
    }
    if (!collides && self->members < 2) {
        self->members = 0;
    }
}

static void list_faces(struct sim_world *world) {
    struct self *self = world->self;
    self->faces = 0;
    for (uint32_t m = 0; m < self->members; m++) {
        const struct object *object = &world->object[self->member[m]];
        const uint32_t *corner = world->triangle + 3 * (size_t)object->first_triangle;
        for (uint32_t i = 0; i < object->triangles && self->faces < SELF_FACES_MAX; i++) {
            struct self_face *face = &self->face[self->faces];
            for (unsigned k = 0; k < 3; k++) {
                face->corner[k] = object->first + corner[3 * (size_t)i + k];
            }
            face->object = self->member[m];
            self->faces++;
        }
    }
}

// For each slot the faces around it, in order.
static void list_fans(struct sim_world *world) {
    struct self *self = world->self;
    const uint32_t slots = world->state.particles;
    memset(self->fan_first, 0, ((size_t)slots + 1) * sizeof *self->fan_first);
    for (uint32_t i = 0; i < self->faces; i++) {
        for (unsigned k = 0; k < 3; k++) {
            self->fan_first[self->face[i].corner[k]]++;
        }
    }
    uint32_t sum = 0;
    for (uint32_t slot = 0; slot <= slots; slot++) {
        sum += self->fan_first[slot];
        self->fan_first[slot] = sum; // the end of the slot's faces, and filling them backwards makes it their first
    }
    for (uint32_t i = self->faces; i > 0; i--) {
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t slot = self->face[i - 1].corner[k];
            self->fan_first[slot]--;
            self->fan[self->fan_first[slot]] = i - 1;
        }
    }
}

static bool has_corner(const struct self_face *face, uint32_t slot) {
    return face->corner[0] == slot || face->corner[1] == slot || face->corner[2] == slot;
}

static uint32_t owner_of_corner(const struct self *self, uint32_t slot) {
    return self->fan[self->fan_first[slot]];
}

static uint32_t owner_of_edge(const struct self *self, uint32_t a, uint32_t b) {
    uint32_t at = self->fan_first[a];
    while (!has_corner(&self->face[self->fan[at]], b)) {
        at++;
    }
    return self->fan[at];
}

static void share_out(struct self *self) {
    for (uint32_t i = 0; i < self->faces; i++) {
        unsigned owned = 0;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t a = self->face[i].corner[k];
            const uint32_t b = self->face[i].corner[(k + 1) % 3];
            owned |= owner_of_corner(self, a) == i ? 1u << k : 0u;
            owned |= owner_of_edge(self, a, b) == i ? 8u << k : 0u;
        }
        self->owned[i] = (uint8_t)owned;
    }
}

// The particles from `first` to before `end` that carry a nearest point; how many.
static unsigned list_carriers(const struct self_pair *pair, const double *weight, unsigned first, unsigned end,
                              uint32_t carrier[3]) {
    unsigned count = 0;
    for (unsigned k = first; k < end; k++) {
        if (weight[k] != 0.0) {
            carrier[count] = pair->slot[k];
            count++;
        }
    }
    return count;
}

bool self_is_repeated(const struct self *self, const struct self_candidate *candidate, const struct self_pair *pair,
                      const double weight[4]) {
    const bool edges = pair->kind == PROXIMITY_EDGE_EDGE;
    uint32_t a[3] = {0};
    uint32_t b[3] = {0};
    const unsigned count_a = list_carriers(pair, weight, 0, edges ? 2 : 1, a);
    const unsigned count_b = list_carriers(pair, weight, edges ? 2 : 1, 4, b);
    if (count_a + count_b >= 4) {
        return false;
    }
    const bool turned = count_a > count_b; // an edge against an end of the other
    const uint32_t vertex = turned ? b[0] : a[0];
    const uint32_t *carrier = turned ? a : b;
    const uint32_t owner =
        count_a + count_b == 3 ? owner_of_edge(self, carrier[0], carrier[1]) : owner_of_corner(self, carrier[0]);
    return (edges || owner != candidate->b / 8) && !has_corner(&self->face[owner], vertex);
}

void self_resolve(struct sim_world *world) {
    if (!world->self->stale) {
        return;
    }
    world->self->stale = false;
    list_members(world);
    list_faces(world);
    if (world->self->faces > 0) {
        list_fans(world);
        share_out(world->self);
    }
}
