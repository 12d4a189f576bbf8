// SPDX-License-Identifier: MIT
// Weights are fitted by least squares over a sample of an object's particles: first the linear terms of each axis, then
// the four links whose lengths correct that prediction. The sums of earlier frames fade, so that a small sample of each
// frame is enough. The computation is in doubles in a fixed order, hence the same on every machine.
#include "proto/frame/codec_fit.h"

#include <stdlib.h>
#include <string.h>

#define FADE 0.85        // factor of the sums from frame to frame
#define WEIGHT_MOST 2047 // 8 in all

struct sample {
    uint32_t stride, at, count;
};

// A sample of at most `most` particles, and of at most a sixth of them unless they are few.
static struct sample sample_of(uint32_t particles, uint32_t turn, uint32_t most) {
    const uint32_t sixth = particles / 6 > 24 ? particles / 6 : 24;
    const uint32_t stride = particles / (sixth < most ? sixth : most) + 1;
    const uint32_t at = turn % stride;
    return (struct sample){stride, at, (particles - at + stride - 1) / stride};
}

// Solves n equations by Gaussian elimination. The matrix is symmetric, and positive definite because of the amount
// added to its diagonal.
static void solve(uint32_t n, double m[CODEC_TERMS][CODEC_UNKNOWNS], double out[CODEC_TERMS]) {
    for (uint32_t a = 0; a < n; a++) {
        m[a][a] += 1.0 + 1e-6 * m[a][a];
    }
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a + 1; b < n; b++) {
            const double share = m[b][a] / m[a][a];
            for (uint32_t k = a; k <= n; k++) {
                m[b][k] -= share * m[a][k];
            }
        }
    }
    for (uint32_t a = n; a-- > 0;) {
        double sum = m[a][n];
        for (uint32_t b = a + 1; b < n; b++) {
            sum -= m[a][b] * out[b];
        }
        out[a] = sum / m[a][a];
    }
}

static int32_t round_to(double v, double most) {
    v = v > most ? most : v;
    v = v < -most ? -most : v;
    return (int32_t)(v < 0 ? v - 0.5 : v + 0.5);
}

// Computes the terms of one particle and axis, and returns the target.
static int32_t terms_of(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                        const int32_t links[CODEC_LINKS], uint32_t axis, uint32_t i, int32_t terms[CODEC_TERMS]) {
    if (view->baselines > 0) {
        codec_terms(view, links, axis, i, terms);
        return view->e[axis][i];
    }
    const int32_t *x = view->x0[axis];
    const int32_t from = codec_terms_alone(object, table, x, links, terms);
    return from == CODEC_NONE ? 0 : codec_sub(x[i], x[from]);
}

static void add_linear(double sums[CODEC_TERMS][CODEC_UNKNOWNS], const int32_t terms[CODEC_TERMS], int32_t target) {
    double t[CODEC_TERMS];
    for (uint32_t k = 0; k < CODEC_TERMS; k++) {
        t[k] = (double)terms[k];
    }
    for (uint32_t a = 0; a < CODEC_TERMS; a++) {
        for (uint32_t b = a; b < CODEC_TERMS; b++) {
            sums[a][b] += t[a] * t[b];
        }
        sums[a][CODEC_TERMS] += t[a] * (double)target;
    }
}

static int32_t dot(const int32_t weight[CODEC_TERMS], const int32_t terms[CODEC_TERMS]) {
    int32_t sum = 0;
    for (uint32_t k = 0; k < CODEC_TERMS; k++) {
        sum = codec_add(sum, codec_mul(weight[k], terms[k]));
    }
    return sum;
}

// The vector from the particle at link j to the linear prediction of particle i, in quarter steps.
static void look_ahead(const struct codec_view *view, uint32_t i, int32_t j, const int32_t linear[3], int32_t out[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        const int32_t base = codec_sub(view->x0[axis][i], view->e[axis][i]);
        out[axis] = codec_add(codec_scale(codec_sub(base, view->x0[axis][j]), 2), codec_add(linear[axis], 32) >> 6);
    }
}

static void add_lengths(const struct codec_view *view, const int32_t links[CODEC_LINKS], uint32_t i,
                        const int32_t linear[3], int32_t shift, double sums[4][5]) {
    double by[4][3] = {{0}};
    for (uint32_t k = 0; k < 4; k++) {
        if (links[k] == CODEC_NONE) {
            continue;
        }
        int32_t ahead[3], w[3] = {0};
        look_ahead(view, i, links[k], linear, ahead);
        // The correction by a weight of 256, in steps.
        codec_correct(ahead, codec_squared_length(view, i, (uint32_t)links[k]), 256, shift, w);
        for (uint32_t axis = 0; axis < 3; axis++) {
            by[k][axis] = (double)w[axis] / 256.0;
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double target = (double)view->e[axis][i] - (double)linear[axis] / 256.0;
        for (uint32_t a = 0; a < 4; a++) {
            for (uint32_t b = 0; b < 4; b++) {
                sums[a][b] += by[a][axis] * by[b][axis];
            }
            sums[a][4] += by[a][axis] * target;
        }
    }
}

static void linear_of(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                      const struct codec_weights *weights, const int32_t links[CODEC_LINKS], uint32_t i,
                      int32_t out[3]) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t terms[CODEC_TERMS];
        (void)terms_of(object, table, view, links, axis, i, terms);
        out[axis] = dot(weights->linear[axis], terms);
    }
}

// The shift by which a mean squared length, in quarter steps, becomes 2^12 to 2^13.
static int32_t shift_for(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                         struct sample sample) {
    double sum = 0.0;
    uint32_t count = 0;
    for (uint32_t n = 0; n < sample.count; n += 8) {
        const uint32_t i = sample.at + n * sample.stride;
        int32_t links[CODEC_LINKS];
        codec_links(object, table, i, links);
        for (uint32_t k = 0; k < 2; k++) {
            if (links[k] != CODEC_NONE) {
                sum += (double)(uint32_t)codec_squared_length(view, i, (uint32_t)links[k]);
                count++;
            }
        }
    }
    double mean = count > 0 ? sum / (double)count : 0.0;
    int32_t shift = 0;
    while (mean >= 8192.0 && shift < (int32_t)CODEC_LENGTH_SHIFT_MOST) {
        mean /= 2.0;
        shift++;
    }
    return shift;
}

static void fade(struct codec_sums *sums) {
    double *all = &sums->linear[0][0][0];
    for (size_t k = 0; k < sizeof sums->linear / sizeof *all; k++) {
        all[k] *= FADE;
    }
    for (uint32_t a = 0; a < 4; a++) {
        for (uint32_t b = 0; b < 5; b++) {
            sums->length[a][b] *= FADE;
        }
    }
}

static void fit_linear(struct codec_sums *sums, struct codec_weights *weights) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        double m[CODEC_TERMS][CODEC_UNKNOWNS], out[CODEC_TERMS] = {0};
        for (uint32_t a = 0; a < CODEC_TERMS; a++) { // copies the upper triangle to the lower one
            for (uint32_t b = 0; b < CODEC_UNKNOWNS; b++) {
                m[a][b] = b < a ? sums->linear[axis][b][a] : sums->linear[axis][a][b];
            }
        }
        solve(CODEC_TERMS, m, out);
        for (uint32_t k = 0; k < CODEC_TERMS; k++) {
            weights->linear[axis][k] = round_to(256.0 * out[k], WEIGHT_MOST);
        }
    }
}

static void fit_lengths(struct codec_sums *sums, struct codec_weights *weights) {
    double m[CODEC_TERMS][CODEC_UNKNOWNS] = {{0}}, out[CODEC_TERMS] = {0};
    for (uint32_t a = 0; a < 4; a++) {
        for (uint32_t b = 0; b < 5; b++) {
            m[a][b] = sums->length[a][b];
        }
    }
    solve(4, m, out);
    for (uint32_t k = 0; k < 4; k++) {
        weights->length[k] = round_to(256.0 * out[k], 32767);
    }
}

void codec_fit(struct codec_fit *fit, uint32_t variant, const struct codec_object *object, const int32_t *table,
               const struct codec_view *view, struct codec_weights *weights) {
    struct codec_sums *sums = &fit->sums[variant];
    const struct sample sample = sample_of(object->count, fit->turn, CODEC_SAMPLE_MOST);
    fit->turn += 7;
    fade(sums);
    for (uint32_t n = 0; n < sample.count; n++) {
        const uint32_t i = sample.at + n * sample.stride;
        int32_t links[CODEC_LINKS], terms[CODEC_TERMS];
        codec_links(object, table, i, links);
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int32_t target = terms_of(object, table, view, links, axis, i, terms);
            add_linear(sums->linear[axis], terms, target);
        }
    }
    *weights = (struct codec_weights){0};
    fit_linear(sums, weights);
    if (view->baselines == 0) {
        return;
    }
    weights->shift = shift_for(object, table, view, sample);
    for (uint32_t n = 0; n < sample.count; n++) {
        const uint32_t i = sample.at + n * sample.stride;
        int32_t links[CODEC_LINKS], linear[3];
        codec_links(object, table, i, links);
        linear_of(object, table, view, weights, links, i, linear);
        add_lengths(view, links, i, linear, weights->shift, sums->length);
    }
    fit_lengths(sums, weights);
}

double codec_fit_cost(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                      const struct codec_weights *weights) {
    const struct sample sample = sample_of(object->count, 3, CODEC_TRIAL_MOST);
    double cost = 0.0;
    for (uint32_t n = 0; n < sample.count; n++) {
        const uint32_t i = sample.at + n * sample.stride;
        int32_t links[CODEC_LINKS], linear[3], w[3], terms[CODEC_TERMS];
        codec_links(object, table, i, links);
        linear_of(object, table, view, weights, links, i, linear);
        memcpy(w, linear, sizeof w);
        for (uint32_t k = 0; k < 4 && view->baselines > 0; k++) {
            if (links[k] != CODEC_NONE && weights->length[k] != 0) {
                int32_t ahead[3];
                look_ahead(view, i, links[k], linear, ahead);
                codec_correct(ahead, codec_squared_length(view, i, (uint32_t)links[k]), weights->length[k],
                              weights->shift, w);
            }
        }
        for (uint32_t axis = 0; axis < 3; axis++) {
            const int32_t off = codec_sub(terms_of(object, table, view, links, axis, i, terms), w[axis] >> 8);
            cost += (double)codec_log2(1 + 2 * codec_magnitude(off)) + 0.01 * (double)codec_magnitude(off);
        }
    }
    return cost * (double)sample.stride;
}
