// SPDX-License-Identifier: MIT
// One iteration over the tetrahedra of soft bodies: the six strains of each, its volume, and a limit that keeps it from
// turning inside out (PHYSICS.md 17).
//
//   F = Σ p_i·b_iᵀ, with columns f_i; J = det F; Q = Σ w_i·b_i·b_iᵀ
//   strain       C = ½·(f_i·f_i − 1), and (f_i·f_j)/√2; energy μ·V·ΣC²
//   volume       C = J − 1; energy ½·λ·V·C²
//   each         Δλ = (−C − α̃·λ − (τ/h)·(C − C°))/((1 + τ/h)·s + α̃), s = ∇C·D·Q, p_i += w_i·Δλ·D·b_i
//   limit        where J < 1/10, C = J − 1/10 without compliance
//
// D is ∇C by F at the substep's start, which keeps angular momentum, or at present. All seven work on F alone; what
// they add up to moves the particles at the end. While a tetrahedron is inside out its strains, which cannot tell, only
// pull. No step moves a particle farther than the tetrahedron is high. In double and relative to its first particle, as
// bodies are (body_relax.c).
#include "sim/volume/tetrahedron_relax.h"

#include "sim/volume/tetrahedron.h"
#include "sim/world/particle.h"
#include "sim/world/work.h"

#define LEAST_VOLUME 0.1 // of the volume at rest
#define ROOT_HALF 0.70710678118654752
#define FURTHEST_MAX 1e30  // m²
#define UPRIGHT_SHARE 0.1  // of the identity, added to an F that has no cofactors
#define COFACTOR_MIN 1e-12 // below this share they have no direction

// One tetrahedron while it is relaxed.
struct work_piece {
    struct tetrahedron t;
    struct point direction[3]; // columns of F from which the directions D are made
    struct point move[3];      // columns of Σ Δλ·D
    double alpha, viscous;     // α̃ of the strains; τ/h
    bool inverted;
};

// ---- loading and storing -----------------------------------------------------------------------------------------

static struct point edge_ahead(const struct sim_world *world, uint32_t from, uint32_t to) {
    const struct vec3 x = vec3_sub(particle_ahead(world, to), particle_ahead(world, from));
    const struct vec3 off = vec3_sub(particle_off(world, to), particle_off(world, from));
    return point_add(point_of(x), point_of(off));
}

// Whether the shape at the start still says which way to go: no column of F has turned or stretched too far.
static bool is_near_start(const struct tetrahedron *t) {
    const double now = tetrahedron_determinant(t->f);
    const double before = tetrahedron_determinant(t->start);
    bool near = 2.0 * now > before && 2.0 * before > now && before > LEAST_VOLUME;
    for (unsigned i = 0; i < 3; i++) {
        const double along = 2.0 * point_dot(t->f[i], t->start[i]);
        near = near && along > point_dot(t->f[i], t->f[i]) && along > point_dot(t->start[i], t->start[i]);
    }
    return near;
}

static void load(const struct sim_world *world, const struct object *object, uint32_t index,
                 const struct tetrahedron_law *law, struct work_piece *piece) {
    struct tetrahedron *t = &piece->t;
    *t = tetrahedron_at_rest(world, object, index);
    for (unsigned i = 1; i < 4; i++) {
        const struct point edge = edge_ahead(world, t->slot[0], t->slot[i]);
        t->f[0] = point_add(t->f[0], point_scale(edge, t->b[i].x));
        t->f[1] = point_add(t->f[1], point_scale(edge, t->b[i].y));
        t->f[2] = point_add(t->f[2], point_scale(edge, t->b[i].z));
    }
    for (unsigned i = 0; i < 4; i++) {
        const double b[3] = {t->b[i].x, t->b[i].y, t->b[i].z};
        for (unsigned j = 0; j < 3; j++) {
            for (unsigned k = 0; k < 3; k++) {
                t->q[j][k] += t->w[i] * b[j] * b[k];
            }
        }
    }
    const struct point *along = law->start && is_near_start(t) ? t->start : t->f;
    for (unsigned i = 0; i < 3; i++) {
        piece->direction[i] = along[i];
        piece->move[i] = (struct point){0};
    }
    piece->alpha = law->strain / t->volume;
    piece->viscous = law->viscous;
    piece->inverted = !(tetrahedron_determinant(t->f) > 0.0);
}

static struct point way_of(const struct work_piece *piece, unsigned i) {
    const struct point b = piece->t.b[i];
    const struct point way = point_add(point_scale(piece->move[0], b.x),
                                       point_add(point_scale(piece->move[1], b.y), point_scale(piece->move[2], b.z)));
    return point_scale(way, piece->t.w[i]);
}

static void store(struct sim_world *world, const struct work_piece *piece) {
    struct point way[4];
    double furthest = 0.0;
    double reach = 0.0;
    for (unsigned i = 0; i < 4; i++) {
        way[i] = way_of(piece, i);
        const double squared = point_dot(way[i], way[i]);
        const double height = 1.0 / point_dot(piece->t.b[i], piece->t.b[i]);
        furthest = squared > furthest ? squared : furthest;
        reach = height > reach ? height : reach;
    }
    if (!(furthest < FURTHEST_MAX)) {
        return;
    }
    const double share = furthest > reach ? sqrt(reach / furthest) : 1.0;
    for (unsigned i = 0; i < 4; i++) {
        if (piece->t.w[i] > 0.0) {
            particle_shift(world, piece->t.slot[i], point_rounded(point_scale(way[i], share)));
        }
    }
}

// ---- constraints -------------------------------------------------------------------------------------------------

// F += Δλ·D·Q, and remembers Δλ·D.
static void advance(struct work_piece *piece, const struct point d[3], double delta) {
    struct tetrahedron *t = &piece->t;
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < 3; i++) {
            t->f[k] = point_add(t->f[k], point_scale(d[i], delta * t->q[i][k]));
        }
        piece->move[k] = point_add(piece->move[k], point_scale(d[k], delta));
    }
}

// Σ over the columns of ∇C and D·Q.
static double response(const struct tetrahedron *t, const struct point gradient[3], const struct point d[3]) {
    double s = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        for (unsigned i = 0; i < 3; i++) {
            s += point_dot(gradient[k], d[i]) * t->q[i][k];
        }
    }
    return s;
}

static double step_of(double c, double before, double s, double alpha, double viscous, double lambda) {
    const double denominator = (1.0 + viscous) * s + alpha;
    return denominator > 0.0 ? (-c - alpha * lambda - viscous * (c - before)) / denominator : 0.0;
}

// The strain along f_i.
static void relax_normal(struct work_piece *piece, unsigned i, float *lambda) {
    struct tetrahedron *t = &piece->t;
    const struct point g = piece->direction[i];
    const double c = 0.5 * (point_dot(t->f[i], t->f[i]) - 1.0);
    const double before = 0.5 * (point_dot(t->start[i], t->start[i]) - 1.0);
    const double s = point_dot(t->f[i], g) * t->q[i][i];
    const double delta = step_of(c, before, s, piece->alpha, piece->viscous, (double)*lambda);
    if (piece->inverted && delta > 0.0) {
        return;
    }
    for (unsigned k = 0; k < 3; k++) {
        t->f[k] = point_add(t->f[k], point_scale(g, delta * t->q[i][k]));
    }
    piece->move[i] = point_add(piece->move[i], point_scale(g, delta));
    *lambda = (float)((double)*lambda + delta);
}

// The shear between f_i and f_j.
static void relax_shear(struct work_piece *piece, unsigned i, unsigned j, float *lambda) {
    struct tetrahedron *t = &piece->t;
    const struct point gi = point_scale(piece->direction[j], ROOT_HALF);
    const struct point gj = point_scale(piece->direction[i], ROOT_HALF);
    const double c = ROOT_HALF * point_dot(t->f[i], t->f[j]);
    const double before = ROOT_HALF * point_dot(t->start[i], t->start[j]);
    const double s = ROOT_HALF * (point_dot(t->f[j], gi) * t->q[i][i] + point_dot(t->f[i], gj) * t->q[j][j] +
                                  (point_dot(t->f[j], gj) + point_dot(t->f[i], gi)) * t->q[i][j]);
    const double delta = step_of(c, before, s, piece->alpha, piece->viscous, (double)*lambda);
    for (unsigned k = 0; k < 3; k++) {
        t->f[k] = point_add(t->f[k], point_scale(gi, delta * t->q[i][k]));
        t->f[k] = point_add(t->f[k], point_scale(gj, delta * t->q[j][k]));
    }
    piece->move[i] = point_add(piece->move[i], point_scale(gi, delta));
    piece->move[j] = point_add(piece->move[j], point_scale(gj, delta));
    *lambda = (float)((double)*lambda + delta);
}

static void cofactors_of(const struct point f[3], struct point d[3]) {
    for (unsigned i = 0; i < 3; i++) {
        d[i] = point_cross(f[(i + 1) % 3], f[(i + 2) % 3]);
    }
}

static void relax_volume(struct work_piece *piece, double alpha, float *lambda) {
    struct tetrahedron *t = &piece->t;
    struct point d[3];
    struct point now[3];
    cofactors_of(piece->direction, d);
    cofactors_of(t->f, now);
    const double c = point_dot(t->f[0], now[0]) - 1.0;
    const double before = tetrahedron_determinant(t->start) - 1.0;
    const double delta = step_of(c, before, response(t, now, d), alpha, piece->viscous, (double)*lambda);
    advance(piece, d, delta);
    *lambda = (float)((double)*lambda + delta);
}

// Opens a tetrahedron that is flat or inside out.
static void relax_limit(struct work_piece *piece) {
    struct tetrahedron *t = &piece->t;
    struct point d[3];
    const double volume = tetrahedron_determinant(t->f);
    if (volume >= LEAST_VOLUME) {
        return;
    }
    cofactors_of(t->f, d);
    if (!(point_dot(d[0], d[0]) + point_dot(d[1], d[1]) + point_dot(d[2], d[2]) > COFACTOR_MIN)) {
        struct point upright[3] = {t->f[0], t->f[1], t->f[2]};
        upright[0].x += UPRIGHT_SHARE;
        upright[1].y += UPRIGHT_SHARE;
        upright[2].z += UPRIGHT_SHARE;
        cofactors_of(upright, d);
    }
    const double s = response(t, d, d);
    if (s > 0.0) {
        advance(piece, d, (LEAST_VOLUME - volume) / s);
    }
}

static void relax_one(struct sim_world *world, const struct object *object, uint32_t index,
                      const struct tetrahedron_law *law) {
    struct work_piece piece;
    load(world, object, index, law, &piece);
    float *lambda = world->tetrahedron_lambda + TETRAHEDRON_STRAINS * ((size_t)object->first_tetrahedron + index);
    for (unsigned i = 0; i < 3; i++) {
        relax_normal(&piece, i, lambda + i);
    }
    for (unsigned i = 0; i < 3 && !piece.inverted; i++) {
        relax_shear(&piece, i, (i + 1) % 3, lambda + 3 + i);
    }
    if (law->dilatation >= 0.0) {
        relax_volume(&piece, law->dilatation / piece.t.volume, lambda + 6);
    }
    relax_limit(&piece);
    store(world, &piece);
}

// ---- all objects -------------------------------------------------------------------------------------------------

struct relax_job {
    struct sim_world *world;
    const struct object *object; // one that is divided, else NULL
    struct tetrahedron_law law;
    uint32_t first, end; // of the batch
    unsigned shares;
};

#define SHARE_WORTH 16u // a tetrahedron takes the time of this many sticks

static uint64_t cost_of(uint32_t tetrahedra) {
    return SHARE_WORTH * (uint64_t)tetrahedra;
}

static void relax_part(void *argument, unsigned share) {
    const struct relax_job *job = argument;
    const uint32_t end = work_begin(job->first, job->end, share + 1, job->shares);
    for (uint32_t i = work_begin(job->first, job->end, share, job->shares); i < end; i++) {
        relax_one(job->world, job->object, i, &job->law);
    }
}

static void relax_object(struct sim_world *world, const struct object *object) {
    struct relax_job job = {world, object, tetrahedron_law_of(object, (double)world_substep_seconds(world)), 0, 0, 1};
    for (uint32_t batch = 0; batch < object->batches; batch++) {
        job.first = job.end;
        job.end = world->tetrahedron_batch_end[object->first_batch + batch];
        job.shares = work_shares(world, cost_of(job.end - job.first));
        work_run(world, job.shares, relax_part, &job);
    }
}

static bool is_divided(const struct sim_world *world, const struct object *object) {
    return object->batches > 0 && work_shares(world, cost_of(object->tetrahedra / object->batches)) > 1;
}

static void relax_share(void *argument, unsigned share) {
    const struct relax_job *job = argument;
    struct sim_world *world = job->world;
    uint64_t before = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->tetrahedra == 0 || !object_is_active(object) || is_divided(world, object)) {
            continue;
        }
        if (work_dealt_to(before, job->shares) == share) {
            const struct tetrahedron_law law = tetrahedron_law_of(object, (double)world_substep_seconds(world));
            for (uint32_t k = 0; k < object->tetrahedra; k++) {
                relax_one(world, object, k, &law);
            }
        }
        before += cost_of(object->tetrahedra);
    }
}

void tetrahedron_relax(struct sim_world *world) {
    struct relax_job job = {.world = world};
    uint64_t cost = 0;
    if (world->state.tetrahedra == 0) {
        return;
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->tetrahedra == 0 || !object_is_active(object)) {
            continue;
        }
        if (is_divided(world, object)) {
            relax_object(world, object);
        } else {
            cost += cost_of(object->tetrahedra);
        }
    }
    job.shares = work_shares(world, cost);
    work_run(world, job.shares, relax_share, &job);
}

void tetrahedron_begin(struct sim_world *world) {
    memset(world->tetrahedron_lambda, 0,
           TETRAHEDRON_STRAINS * (size_t)world->state.tetrahedra * sizeof *world->tetrahedron_lambda);
}
