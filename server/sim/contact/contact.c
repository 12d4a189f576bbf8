// SPDX-License-Identifier: MIT
// The list of contacts and its solver: projection and friction (PHYSICS.md 4.1 to 4.4; contact.h).
//
// A depth that was there when the substep began (by a command, or because the last substep's iterations did not remove
// all of it) is removed from the start positions x° as well, so that the object gains no speed. A great depth is eased
// out (contact.h), of a rigid body as a whole.
#include "sim/contact/contact.h"

#include "sim/contact/grip.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define NEIGHBOURS_MAX 256u  // contacts before and after one that are examined as obstructions
#define CONTACTS_RESERVE 16u // at least what the guard adds at once
#define EASED_MOST 64.0f     // times contact_easing: the farthest that one contact moves a particle

uint32_t contact_capacity(uint32_t particles) {
    const uint64_t most = CONTACTS_PER_PARTICLE * (uint64_t)particles + CONTACTS_MIN + CONTACTS_GUARD;
    return most < CONTACTS_MAX ? (uint32_t)most : CONTACTS_MAX;
}

// Σ weight·value over the carriers: a relative position or displacement of p against q.
static struct vec3 weighted_sum(const struct contact *contact, const float *x, const float *y, const float *z) {
    struct vec3 sum = {0};
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        sum.x += contact->weight[k] * x[i];
        sum.y += contact->weight[k] * y[i];
        sum.z += contact->weight[k] * z[i];
    }
    return sum;
}

float contact_speed(const struct sim_world *world, const struct contact *contact) {
    const float speed = vec3_dot(contact->normal, weighted_sum(contact, world->dx, world->dy, world->dz));
    return contact->moving != 0 ? speed - vec3_dot(contact->normal, contact->surface) : speed;
}

static float start_depth(const struct sim_world *world, const struct contact *contact) {
    const float depth =
        contact->offset - vec3_dot(contact->normal, weighted_sum(contact, world->x, world->y, world->z));
    return contact->moving != 0 ? depth - vec3_dot(contact->normal, contact->surface) : depth;
}

bool contact_add(struct sim_world *world, const struct contact *contact) {
    float inverse = 0.0f;
    float fastest = 0.0f;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const float moved = world->w[contact->slot[k]] * scalar_abs(contact->weight[k]);
        inverse += moved * scalar_abs(contact->weight[k]);
        fastest = scalar_max(fastest, moved);
    }
    if (!(inverse > 0.0f) || fastest > CONTACT_LEVER_MAX * inverse ||
        world->contacts + world->contacts_reserved >= contact_capacity(world->state.particles)) {
        return false;
    }
    struct contact *made = &world->contact[world->contacts];
    world->contacts++;
    *made = *contact;
    made->lambda = 1.0f / inverse;
    made->approach = -contact_speed(world, contact);
    const float start = start_depth(world, contact);
    made->initial_depth = scalar_max(start, 0.0f);
    made->contact_time = made->approach > 0.0f ? scalar_clamp(-start / made->approach, 0.0f, 1.0f) : 0.0f;
    made->struck = false;
    made->stacked = false;
    made->pushed = 0.0f;
    made->friction_shift = vec3_of(0.0f, 0.0f, 0.0f);
    return true;
}

// Displacement of p against q in this substep so far, of the surfaces where they are round.
static struct vec3 displacement_of(const struct sim_world *world, const uint32_t *slot, const float *weight,
                                   uint32_t carriers) {
    struct vec3 sum = {0};
    for (uint32_t k = 0; k < carriers; k++) {
        const struct vec3 u = contact_displacement(world, slot[k]);
        sum = vec3_add(sum, vec3_scale(u, weight[k]));
    }
    return sum;
}

static void displace_carriers(struct sim_world *world, const uint32_t *slot, const float *weight, uint32_t carriers,
                              float lambda, struct vec3 delta) {
    for (uint32_t k = 0; k < carriers; k++) {
        const uint32_t i = slot[k];
        const float share = lambda * world->w[i] * weight[k];
        if (share != 0.0f) {
            contact_displace(world, i, vec3_add(contact_displacement(world, i), vec3_scale(delta, share)));
        }
    }
}

// Changes that displacement by Δ: u_i += λ·w_i·weight_i·Δ.
static void displace(struct sim_world *world, const struct contact *contact, struct vec3 delta) {
    displace_carriers(world, contact->slot, contact->weight, contact->carriers, contact->lambda, delta);
}

// Moves a particle together with its start x°; its displacement keeps all its digits.
static void shift(struct sim_world *world, uint32_t i, struct vec3 way) {
    const struct vec3 u = contact_displacement(world, i);
    particle_carry(world, i, way);
    contact_displace(world, i, u);
}

// Moves p by Δ: the carriers together with their starts.
static void carry(struct sim_world *world, const struct contact *contact, struct vec3 delta) {
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        const float share = contact->lambda * world->w[i] * contact->weight[k];
        if (share != 0.0f) {
            shift(world, i, vec3_scale(delta, share));
        }
    }
}

// The displacement less that of the obstacle's material.
static struct vec3 relative(const struct contact *contact, struct vec3 u) {
    return contact->moving != 0 ? vec3_sub(u, contact->surface) : u;
}

// The total friction so far plus −u_t, at most μ times the depths removed.
static struct vec3 wanted_friction(const struct contact *contact, struct vec3 u, float licence) {
    const struct vec3 slide = vec3_sub(u, vec3_scale(contact->normal, vec3_dot(u, contact->normal)));
    const struct vec3 wanted = vec3_sub(contact->friction_shift, slide);
    const float length = vec3_length(wanted);
    return length > licence ? vec3_scale(wanted, licence / length) : wanted;
}

static void apply_friction(struct sim_world *world, struct contact *contact) {
    const float licence = contact->friction * contact->pushed;
    struct vec3 wanted;
    if (contact->grip == 0) {
        const struct vec3 u = displacement_of(world, contact->slot, contact->weight, contact->carriers);
        wanted = wanted_friction(contact, relative(contact, u), licence);
        displace(world, contact, vec3_sub(wanted, contact->friction_shift));
    } else {
        const struct grip *grip = &world->grip[contact->grip - 1];
        const struct vec3 u = displacement_of(world, grip->slot, grip->weight, grip->carriers);
        wanted = wanted_friction(contact, relative(contact, vec3_add(u, grip->roll)), licence * grip->share);
        displace_carriers(world, grip->slot, grip->weight, grip->carriers, grip->lambda,
                          vec3_sub(wanted, contact->friction_shift));
    }
    contact->friction_shift = wanted;
}

float contact_depth(const struct sim_world *world, const struct contact *contact) {
    struct vec3 sum = {0};
    for (uint32_t k = 0; k < contact->carriers; k++) {
        sum = vec3_add(sum, vec3_scale(particle_relaxed(world, contact->slot[k]), contact->weight[k]));
    }
    return contact->offset - vec3_dot(contact->normal, sum);
}

bool contact_push(struct sim_world *world, struct contact *contact) {
    const float depth = contact_depth(world, contact);
    if (!(depth > 0.0f)) {
        return false;
    }
    const float back = scalar_min(depth, contact->initial_depth);
    if (back > 0.0f) {
        carry(world, contact, vec3_scale(contact->normal, back));
        contact->initial_depth -= back;
    }
    displace(world, contact, vec3_scale(contact->normal, depth - back));
    contact->pushed += depth - back;
    return true;
}

static bool relax(struct sim_world *world, struct contact *contact) {
    const bool pushed = contact_push(world, contact);
    if ((pushed || contact->stacked) && contact->friction > 0.0f) {
        apply_friction(world, contact);
    }
    return pushed;
}

void contact_relax(struct sim_world *world, uint32_t iteration) {
    const uint32_t count = world->contacts;
    for (uint32_t i = 0; i < count; i++) {
        (void)relax(world, &world->contact[iteration % 2 == 0 ? i : count - 1 - i]);
    }
}

// ---- initial depth -----------------------------------------------------------------------------------------------

static bool moves_as_a_whole(const struct sim_world *world, const struct contact *contact, uint32_t place) {
    if (place == CONTACT_NO_OBJECT || contact->object_a == contact->object_b) {
        return false;
    }
    const struct object *object = &world->object[place];
    bool whole = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
    for (uint32_t i = object->first; i < object->first + object->particles && whole; i++) {
        whole = world->w[i] > 0.0f;
    }
    return whole;
}

// One side of a contact: all particles of an object that moves as a whole, or the particles that carry the point.
struct contact_side {
    const struct object *object; // NULL for an obstacle or the bounds
    bool whole;
    float inverse_mass; // 1/kg
    float fastest;      // 1/kg, of the particle that moves farthest
};

static bool is_carried_by(const struct object *object, uint32_t slot) {
    return slot >= object->first && slot < object->first + object->particles;
}

static struct contact_side side_of(const struct sim_world *world, const struct contact *contact, uint32_t place) {
    struct contact_side side = {0};
    float mass = 0.0f;
    if (place == CONTACT_NO_OBJECT) {
        return side;
    }
    side.object = &world->object[place];
    side.whole = moves_as_a_whole(world, contact, place);
    for (uint32_t k = 0; side.whole && k < side.object->particles; k++) {
        mass += 1.0f / world->w[side.object->first + k];
    }
    for (uint32_t k = 0; !side.whole && k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        const float moved = is_carried_by(side.object, i) ? world->w[i] * scalar_abs(contact->weight[k]) : 0.0f;
        side.inverse_mass += moved * scalar_abs(contact->weight[k]);
        side.fastest = scalar_max(side.fastest, moved);
    }
    side.inverse_mass = side.whole ? 1.0f / mass : side.inverse_mass;
    side.fastest = side.whole ? side.inverse_mass : side.fastest;
    return side;
}

static void shift_side(struct sim_world *world, const struct contact *contact, const struct contact_side *side,
                       struct vec3 way) {
    for (uint32_t k = 0; side->whole && k < side->object->particles; k++) {
        shift(world, side->object->first + k, vec3_scale(way, side->inverse_mass));
    }
    for (uint32_t k = 0; side->object != NULL && !side->whole && k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        const float share = is_carried_by(side->object, i) ? world->w[i] * contact->weight[k] : 0.0f;
        if (share != 0.0f) {
            shift(world, i, vec3_scale(way, share));
        }
    }
}

// Moves the sides apart by `way`, but no particle by more than `most`, which a light particle with little weight in the
// point soon reaches.
static void ease_out(struct sim_world *world, const struct contact *contact, float way, float most) {
    const struct contact_side a = side_of(world, contact, contact->object_a);
    struct contact_side b = side_of(world, contact, contact->object_b);
    if (contact->object_a == contact->object_b) { // all carriers belong to side A
        b = (struct contact_side){0};
    }
    const float share_most = most / scalar_max(a.fastest, b.fastest);
    const struct vec3 share =
        vec3_scale(contact->normal, scalar_min(way / (a.inverse_mass + b.inverse_mass), share_most));
    shift_side(world, contact, &a, share);
    shift_side(world, contact, &b, vec3_scale(share, b.whole ? -1.0f : 1.0f)); // the weights have the sign already
}

// Limits the speed at which an object that is eased out as a whole sinks to half the easing speed: falling faster, it
// would never come out.
static void limit_sinking(struct sim_world *world, const struct contact *contact) {
    const struct contact_side side = side_of(world, contact, contact->object_a);
    struct vec3 sum = {0};
    if (!side.whole || contact->object_b != CONTACT_NO_OBJECT) {
        return;
    }
    const uint32_t first = side.object->first, end = first + side.object->particles;
    for (uint32_t i = first; i < end; i++) {
        sum = vec3_add(sum, vec3_scale(contact_displacement(world, i), 1.0f / world->w[i]));
    }
    const float rises = contact->moving != 0 ? vec3_dot(contact->surface, contact->normal) : 0.0f;
    const float sinks = rises - vec3_dot(sum, contact->normal) * side.inverse_mass - 0.5f * contact_easing(world);
    for (uint32_t i = first; i < end && sinks > 0.0f; i++) {
        contact_displace(world, i, vec3_add(contact_displacement(world, i), vec3_scale(contact->normal, sinks)));
    }
}

// The share of a push along `contact` by which `other` becomes deeper: 1 when the normals are opposite.
static float opposition(const struct contact *contact, const struct contact *other) {
    float along = 0.0f;
    if (contact->object_a != CONTACT_NO_OBJECT) {
        along += other->object_a == contact->object_a ? 1.0f : other->object_b == contact->object_a ? -1.0f : 0.0f;
    }
    if (contact->object_b != CONTACT_NO_OBJECT) {
        along -= other->object_a == contact->object_b ? 1.0f : other->object_b == contact->object_b ? -1.0f : 0.0f;
    }
    return -along * vec3_dot(contact->normal, other->normal);
}

static bool is_with_obstacle(const struct contact *contact) {
    return contact->object_a == CONTACT_NO_OBJECT || contact->object_b == CONTACT_NO_OBJECT;
}

static bool is_in_the_way(const struct sim_world *world, const struct contact *contact, uint32_t i, float way) {
    const struct contact *other = &world->contact[i];
    const float share = is_with_obstacle(other) ? opposition(contact, other) : 0.0f;
    return share > 0.0f && start_depth(world, other) + share * way > other->initial_depth;
}

// True if an immovable obstacle blocks the way out of another one. Contacts with obstacles are found object by object,
// so that the contacts of an object stand side by side; only neighbours in the list are examined.
static bool is_jammed(const struct sim_world *world, const struct contact *contact, float way) {
    const uint32_t at = (uint32_t)(contact - world->contact);
    bool jammed = false;
    if (!is_with_obstacle(contact)) {
        return false;
    }
    const uint32_t first = at > NEIGHBOURS_MAX ? at - NEIGHBOURS_MAX : 0;
    const uint32_t end = world->contacts - at > NEIGHBOURS_MAX ? at + NEIGHBOURS_MAX : world->contacts;
    for (uint32_t i = first; i < end && !jammed; i++) {
        jammed = is_in_the_way(world, contact, i, way);
    }
    return jammed;
}

// The contact keeps the object as deep as it was and eases it out by `most`, less what other contacts have moved it out
// by. A jammed object is left alone: pressed from two sides it would lose its shape.
static void ease(struct sim_world *world, struct contact *contact, float most) {
    const float left = most - (contact->initial_depth - start_depth(world, contact));
    const float way = scalar_min(left, contact_depth(world, contact));
    const bool jammed = is_jammed(world, contact, scalar_max(way, 0.0f));
    contact->offset -= jammed ? SIM_POSITION_MAX : contact->initial_depth;
    contact->initial_depth = 0.0f;
    if (way > 0.0f && !jammed) {
        ease_out(world, contact, way, EASED_MOST * most);
        limit_sinking(world, contact);
    }
}

static void ease_all(struct sim_world *world) {
    const float deep = contact_deep(world);
    const float most = contact_easing(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        if (world->contact[i].initial_depth > deep) {
            ease(world, &world->contact[i], most);
        }
    }
}

static void copy_start(const struct sim_world *world, struct slot_span span) {
    const size_t bytes = (span.end - span.first) * sizeof *world->x;
    memcpy(world->begun_x + span.first, world->x + span.first, bytes);
    memcpy(world->begun_y + span.first, world->y + span.first, bytes);
    memcpy(world->begun_z + span.first, world->z + span.first, bytes);
}

// Objects that lie side by side are copied at once.
static void note_start(void *argument, unsigned share) {
    const struct sim_world *world = argument;
    const unsigned shares = work_visit_shares(world, world->state.particles);
    struct slot_span span = {0, 0};
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct slot_span piece = work_piece(&world->object[i], share, shares);
        if (world->object[i].start_late || piece.first == piece.end) {
            continue;
        }
        if (piece.first != span.end) {
            copy_start(world, span);
            span.first = piece.first;
        }
        span.end = piece.end;
    }
    copy_start(world, span);
}

void contact_note_start(struct sim_world *world, struct object *object) {
    if (object->start_late) {
        copy_start(world, (struct slot_span){object->first, object->first + object->particles});
        object->start_late = false;
    }
}

void contact_begin(struct sim_world *world) {
    world->contacts_found = world->contacts;
    world->contacts_reserved = 0;
    if (world->state.obstacles > 0 || world->body_parts > 0) { // else nothing reads the starts
        work_run(world, work_visit_shares(world, world->state.particles), note_start, world);
    }
    ease_all(world);
}

// When the list is almost full, the guard's contacts are removed from it.
bool contact_relax_from(struct sim_world *world, uint32_t first) {
    bool pushed = false;
    uint32_t kept = first;
    for (uint32_t i = first; i < world->contacts; i++) {
        pushed |= relax(world, &world->contact[i]);
        if (world->contact[i].pushed > 0.0f) {
            world->contact[kept] = world->contact[i];
            kept++;
        }
    }
    const uint32_t most = contact_capacity(world->state.particles) - CONTACTS_RESERVE;
    world->contacts = kept < most ? kept : world->contacts_found;
    return pushed;
}
