// SPDX-License-Identifier: MIT
#include "sim/contact/grip.h"

#include "sim/world/part.h"
#include "sim/world/particle.h"

#define TURN_MOST 0.8 // sine of the largest turn in a substep whose roll is known
// What is round creeps below this speed; only then does it meet a resistance against rolling, the share of its weight
// that would push it at its centre. Without, a ball that was nudged would never come to rest.
#define CREEP_SPEED 0.1 // m/s
#define CREEP_RESISTANCE 0.005
#define PIVOT_ARM 0.02 // share of the radius at which friction acts against a turn about the normal

bool grip_weights(const struct sim_world *world, uint32_t first, struct point way, double weight[4]) {
    struct point corner[4];
    for (uint32_t k = 0; k < 4; k++) {
        corner[k] = point_of(particle_relaxed(world, first + k));
    }
    return part_weights(corner, way, weight);
}

// The turn of a body in the substep, a rotation vector in rad, from the displacements of its edges, which are chords of
// its rotation: half the sum of dual × Δd is sin(angle)·axis, and the arc sine is its series. The places that
// `integrate` predicts turn by less: relaxation turns the body on.
static struct point turn_of(const struct sim_world *world, uint32_t first, const struct part_edges *edges) {
    struct point sum = {0};
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t i = first + 1 + k;
        const struct point moved = {(double)world->dx[i] - (double)world->dx[first],
                                    (double)world->dy[i] - (double)world->dy[first],
                                    (double)world->dz[i] - (double)world->dz[first]};
        sum = point_add(sum, point_cross(edges->dual[k], moved));
    }
    const struct point half = point_scale(sum, 0.5);
    const double q = point_dot(half, half);
    const double most = q > TURN_MOST * TURN_MOST ? TURN_MOST / sqrt(q) : 1.0;
    const double p = q * most * most;
    return point_scale(half, most * (1.0 + p * (1.0 / 6.0 + p * (3.0 / 40.0 + p * (5.0 / 112.0 + p * 35.0 / 1152.0)))));
}

// R(turn)·v − v, by the series of sine and cosine.
static struct point turned_by(struct point turn, struct point v) {
    const double q = point_dot(turn, turn);
    const double sine = 1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0));
    const double versine = 0.5 - q / 24.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0));
    const struct point across = point_cross(turn, v);
    return point_add(point_scale(across, sine), point_scale(point_cross(turn, across), versine));
}

static void add_weight(struct grip *grip, uint32_t slot, double weight) {
    uint32_t k = 0;
    while (k < grip->carriers && grip->slot[k] != slot) {
        k++;
    }
    if (k < grip->carriers) {
        grip->weight[k] = (float)((double)grip->weight[k] + weight);
    } else if (grip->carriers < CONTACT_CARRIERS_MAX) {
        grip->slot[k] = slot;
        grip->weight[k] = (float)weight;
        grip->carriers++;
    }
}

// Moves one side's point to the surface: to the point of the body that will be there when the substep ends. Weights of
// both sides come out with their sign: A's point lies at −arm·n from the contact's, B's at arm·n, and B's weights are
// negated.
static bool reach_surface(const struct sim_world *world, const struct contact *contact, uint32_t place, float arm,
                          struct grip *grip) {
    const uint32_t first = world->object[place].first;
    const struct point way = point_scale(point_of(contact->normal), -(double)arm);
    struct point corner[4];
    double weight[4];
    for (uint32_t k = 0; k < 4; k++) {
        corner[k] = point_of(particle_position(world, first + k));
    }
    const struct part_edges edges = part_edges_of(corner);
    const struct point turn = turn_of(world, first, &edges);
    for (unsigned k = 1; k < 4; k++) {
        corner[k] = point_add(corner[k], turned_by(turn, edges.edge[k - 1]));
    }
    if (edges.flat || !part_weights(corner, way, weight)) {
        return false;
    }
    for (uint32_t k = 0; k < 4; k++) {
        add_weight(grip, first + k, weight[k]);
    }
    const struct point chord = point_scale(turned_by(point_scale(turn, -1.0), way), -1.0);
    grip->roll = vec3_add(grip->roll, point_rounded(point_sub(point_cross(turn, way), chord)));
    return true;
}

static bool make(const struct sim_world *world, const struct contact *contact, const float arm[2], struct grip *grip) {
    *grip = (struct grip){.carriers = contact->carriers, .arm = {arm[0], arm[1]}};
    memcpy(grip->slot, contact->slot, sizeof grip->slot);
    memcpy(grip->weight, contact->weight, sizeof grip->weight);
    if ((arm[0] > 0.0f && !reach_surface(world, contact, contact->object_a, arm[0], grip)) ||
        (arm[1] > 0.0f && !reach_surface(world, contact, contact->object_b, arm[1], grip))) {
        return false;
    }
    float inverse = 0.0f;
    for (uint32_t k = 0; k < grip->carriers; k++) {
        inverse += world->w[grip->slot[k]] * grip->weight[k] * grip->weight[k];
    }
    grip->lambda = inverse > 0.0f ? 1.0f / inverse : 0.0f;
    return inverse > 0.0f && scalar_is_finite(grip->lambda);
}

// A list that is full leaves the contact without a grip: its friction then acts at the vertex.
bool grip_add_contact(struct sim_world *world, struct contact *contact, const float arm[2]) {
    contact->grip = 0;
    if (!contact_add(world, contact)) {
        return false;
    }
    struct contact *made = &world->contact[world->contacts - 1];
    if ((arm[0] > 0.0f || arm[1] > 0.0f) && world->grips < contact_capacity(world->state.particles)) {
        struct grip *grip = &world->grip[world->grips];
        if (make(world, made, arm, grip)) {
            grip->share = made->lambda / grip->lambda;
            world->grips++;
            made->grip = world->grips;
        }
    }
    return true;
}

// ---- resistance --------------------------------------------------------------------------------------------------

// A body about its centre of mass, where relaxation has put it.
struct turning {
    double mass[4];
    struct point arm[4]; // m
    struct point turn;   // rad in this substep
};

static bool turning_of(const struct sim_world *world, uint32_t first, struct turning *body) {
    struct point corner[4];
    struct point sum = {0};
    double all = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
        if (!(world->w[first + k] > 0.0f)) {
            return false;
        }
        body->mass[k] = 1.0 / (double)world->w[first + k];
        corner[k] = point_of(particle_relaxed(world, first + k));
        sum = point_add(sum, point_scale(corner[k], body->mass[k]));
        all += body->mass[k];
    }
    for (unsigned k = 0; k < 4; k++) {
        body->arm[k] = point_sub(corner[k], point_scale(sum, 1.0 / all));
    }
    const struct part_edges edges = part_edges_of(corner);
    body->turn = turn_of(world, first, &edges);
    return !edges.flat;
}

static double inertia_about(const struct turning *body, struct point axis) {
    double inertia = 0.0;
    for (unsigned k = 0; k < 4; k++) {
        const struct point across = point_cross(axis, body->arm[k]);
        inertia += body->mass[k] * point_dot(across, across);
    }
    return inertia;
}

// Reduces the turn along an axis by the moment, in kg·m² per substep, to zero at most.
static void take_turn(struct sim_world *world, uint32_t first, const struct turning *body, struct point turn,
                      double moment) {
    const double angle = point_length(turn);
    if (!(angle > 0.0)) {
        return;
    }
    const double inertia = inertia_about(body, point_scale(turn, 1.0 / angle));
    const double share = moment < inertia * angle ? moment / (inertia * angle) : 1.0;
    for (uint32_t k = 0; k < 4; k++) {
        const struct point back = point_scale(point_cross(turn, body->arm[k]), -share);
        const uint32_t i = first + k;
        contact_displace(world, i, vec3_add(contact_displacement(world, i), point_rounded(back)));
    }
}

// The obstacle's turn in the substep: the sine of its angle along its axis, which is the angle but for a small part.
static struct point turn_of_obstacle(const struct obstacle_step *step) {
    return point_scale((struct point){step->turn[1].z - step->turn[2].y, step->turn[2].x - step->turn[0].z,
                                      step->turn[0].y - step->turn[1].x},
                       0.5);
}

static void resist(struct sim_world *world, const struct contact *contact, uint32_t place, double arm) {
    const uint32_t first = world->object[place].first;
    const struct point normal = point_of(contact->normal);
    struct turning body;
    if (!turning_of(world, first, &body)) {
        return;
    }
    if (contact->moving != 0) {
        body.turn = point_sub(body.turn, turn_of_obstacle(&world->obstacle[contact->moving - 1].step));
    }
    const double pressed = (double)(contact->lambda * contact->pushed);
    const struct point pivot = point_scale(normal, point_dot(normal, body.turn));
    const struct point roll = point_sub(body.turn, pivot);
    const double creep = CREEP_SPEED * (double)world_substep_seconds(world);
    take_turn(world, first, &body, pivot, (double)contact->friction * PIVOT_ARM * arm * pressed);
    if (point_length(roll) * arm < creep) {
        take_turn(world, first, &body, roll, CREEP_RESISTANCE * arm * pressed);
    }
}

void grip_resist(struct sim_world *world) {
    for (uint32_t i = 0; i < world->contacts && world->grips > 0; i++) {
        const struct contact *contact = &world->contact[i];
        if (contact->grip == 0 || !(contact->pushed > 0.0f) || !(contact->friction > 0.0f)) {
            continue;
        }
        const float *arm = world->grip[contact->grip - 1].arm;
        if (arm[0] > 0.0f) {
            resist(world, contact, contact->object_a, (double)arm[0]);
        }
        if (arm[1] > 0.0f) {
            resist(world, contact, contact->object_b, (double)arm[1]);
        }
    }
}
