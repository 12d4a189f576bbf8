// SPDX-License-Identifier: MIT
// The features of cloth that collides: its triangles, and each vertex and each edge once. A segment of a rope has one
// edge and two vertices, a loose particle is one vertex.
//
// Faces share vertices and edges. Each vertex and edge is owned by the first face that has it, so that iterating over
// pairs of faces gives every pair of features once. (S. Curtis, R. Tamstorf, D. Manocha, "Fast Collision Detection for
// Deformable Models using Representative-Triangles", 2008.)
#include "sim/cloth_contact/cloth_contact_mesh.h"

#include "sim/world/particle.h"

bool cloth_contact_takes_part(const struct object *object) {
    const bool sheet = object->kind == SIM_KIND_CLOTH || object->kind == SIM_KIND_MESH || object->kind == SIM_KIND_SOFT;
    const bool thread = (object->kind == SIM_KIND_ROPE && object->sticks > 0) || object->kind == SIM_KIND_PARTICLES;
    return object->radius > 0.0f && ((sheet && object->triangles > 0) || (thread && object->self_collision));
}

float cloth_contact_height(const struct sim_world *world, const struct object *object) {
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
    struct cloth_contacts *cloth = world->cloth_contacts;
    bool collides = false;
    cloth->members = 0;
    cloth->thickness_max = 0.0f;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (cloth_contact_takes_part(object)) {
            cloth->member[cloth->members] = i;
            cloth->members++;
            cloth->thickness_max = scalar_max(cloth->thickness_max, cloth_contact_thickness(object));
            collides = collides || object->self_collision;
        }
    }
    if (!collides && cloth->members < 2) {
        cloth->members = 0;
    }
}

// The corners of the i-th face of an object, as local indices. The segments of a rope are its sticks.
static void corners_of(const struct sim_world *world, const struct object *object, uint32_t i, uint32_t corner[3]) {
    const unsigned differ = cloth_contact_corners(object);
    const uint32_t *triangle = world->triangle + 3 * (size_t)object->first_triangle;
    for (unsigned k = 0; k < 3; k++) {
        corner[k] = differ == 3   ? triangle[3 * (size_t)i + k]
                    : differ == 1 ? i
                    : k == 0      ? world->stick_a[object->first_stick + i]
                                  : world->stick_b[object->first_stick + i];
    }
}

static uint32_t face_count_of(const struct object *object) {
    const unsigned differ = cloth_contact_corners(object);
    return differ == 3 ? object->triangles : differ == 2 ? object->sticks : object->particles;
}

static void list_faces(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    cloth->faces = 0;
    cloth->threads = 0;
    for (uint32_t m = 0; m < cloth->members; m++) {
        const struct object *object = &world->object[cloth->member[m]];
        const uint32_t count = face_count_of(object);
        for (uint32_t i = 0; i < count && cloth->faces < CLOTH_CONTACT_FACES_MAX; i++) {
            struct cloth_contact_face *face = &cloth->face[cloth->faces];
            uint32_t corner[3];
            corners_of(world, object, i, corner);
            for (unsigned k = 0; k < 3; k++) {
                face->corner[k] = object->first + corner[k];
            }
            face->object = cloth->member[m];
            cloth->faces++;
            cloth->threads += cloth_contact_corners(object) < 3 ? 1 : 0;
        }
    }
}

// Lists for each slot the faces around it, in order.
static void list_fans(struct sim_world *world) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const uint32_t slots = world->state.particles;
    memset(cloth->fan_first, 0, ((size_t)slots + 1) * sizeof *cloth->fan_first);
    for (uint32_t i = 0; i < cloth->faces; i++) {
        for (unsigned k = 0; k < 3; k++) {
            cloth->fan_first[cloth->face[i].corner[k]]++;
        }
    }
    uint32_t sum = 0;
    for (uint32_t slot = 0; slot <= slots; slot++) {
        sum += cloth->fan_first[slot];
        cloth->fan_first[slot] = sum; // the end of the slot's faces; filling them backwards turns it into their start
    }
    for (uint32_t i = cloth->faces; i > 0; i--) {
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t slot = cloth->face[i - 1].corner[k];
            cloth->fan_first[slot]--;
            cloth->fan[cloth->fan_first[slot]] = i - 1;
        }
    }
}

static bool has_corner(const struct cloth_contact_face *face, uint32_t slot) {
    return face->corner[0] == slot || face->corner[1] == slot || face->corner[2] == slot;
}

static uint32_t owner_of_corner(const struct cloth_contacts *cloth, uint32_t slot) {
    return cloth->fan[cloth->fan_first[slot]];
}

static uint32_t owner_of_edge(const struct cloth_contacts *cloth, uint32_t a, uint32_t b) {
    uint32_t at = cloth->fan_first[a];
    while (!has_corner(&cloth->face[cloth->fan[at]], b)) {
        at++;
    }
    return cloth->fan[at];
}

static void share_out(struct cloth_contacts *cloth) {
    for (uint32_t i = 0; i < cloth->faces; i++) {
        unsigned owned = 0;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t a = cloth->face[i].corner[k];
            const uint32_t b = cloth->face[i].corner[(k + 1) % 3];
            const bool is_first = k == 0 || (a != cloth->face[i].corner[k - 1] && a != cloth->face[i].corner[0]);
            owned |= is_first && owner_of_corner(cloth, a) == i ? 1u << k : 0u;
            owned |= is_first && a != b && owner_of_edge(cloth, a, b) == i ? 8u << k : 0u;
        }
        cloth->owned[i] = (uint8_t)owned;
    }
}

// Lists the particles from `first` to before `end` that carry a nearest point. Returns their number.
static unsigned list_carriers(const struct cloth_contact_pair *pair, unsigned carriers, unsigned first, unsigned end,
                              uint32_t carrier[3]) {
    unsigned count = 0;
    for (unsigned k = first; k < end; k++) {
        if ((carriers & 1u << k) != 0) {
            carrier[count] = pair->slot[k];
            count++;
        }
    }
    return count;
}

bool cloth_contact_is_repeated(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                               const struct cloth_contact_pair *pair, unsigned carriers) {
    const bool edges = pair->kind == PROXIMITY_EDGE_EDGE;
    uint32_t a[3] = {0};
    uint32_t b[3] = {0};
    const unsigned count_a = list_carriers(pair, carriers, 0, edges ? 2 : 1, a);
    const unsigned count_b = list_carriers(pair, carriers, edges ? 2 : 1, 4, b);
    if (count_a + count_b >= 4) {
        return false;
    }
    const bool turned = count_a > count_b; // an edge against an end of the other edge
    const uint32_t vertex = turned ? b[0] : a[0];
    const uint32_t *carrier = turned ? a : b;
    const uint32_t owner =
        count_a + count_b == 3 ? owner_of_edge(cloth, carrier[0], carrier[1]) : owner_of_corner(cloth, carrier[0]);
    return (edges || owner != candidate->b / 8) && !has_corner(&cloth->face[owner], vertex);
}

void cloth_contact_resolve(struct sim_world *world) {
    if (!world->cloth_contact_stale) {
        return;
    }
    world->cloth_contact_stale = false;
    list_members(world);
    list_faces(world);
    if (world->cloth_contacts->faces > 0) {
        list_fans(world);
        share_out(world->cloth_contacts);
    }
}
