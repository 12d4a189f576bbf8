// SPDX-License-Identifier: MIT
// A ball of triangles for tests: an icosahedron whose faces are divided, with its vertices on the sphere.
#ifndef WEFT_TESTS_ICOSPHERE_H
#define WEFT_TESTS_ICOSPHERE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ICOSPHERE_PARTICLES_MAX 2562u
#define ICOSPHERE_TRIANGLES_MAX 5120u

struct icosphere {
    float position[3 * ICOSPHERE_PARTICLES_MAX];
    uint32_t triangle[3 * ICOSPHERE_TRIANGLES_MAX]; // outward
    uint32_t particles, triangles;
};

static inline uint32_t icosphere_add(struct icosphere *ball, double x, double y, double z, double radius) {
    const double scale = radius / sqrt(x * x + y * y + z * z);
    const float p[3] = {(float)(x * scale), (float)(y * scale), (float)(z * scale)};
    for (uint32_t i = 0; i < ball->particles; i++) {
        const float *at = ball->position + 3 * i;
        if (fabsf(at[0] - p[0]) + fabsf(at[1] - p[1]) + fabsf(at[2] - p[2]) < 1e-5f * (float)radius) {
            return i;
        }
    }
    memcpy(ball->position + 3 * ball->particles, p, sizeof p);
    return ball->particles++;
}

static inline uint32_t icosphere_middle(struct icosphere *ball, uint32_t a, uint32_t b, double radius) {
    const float *p = ball->position + 3 * a, *q = ball->position + 3 * b;
    return icosphere_add(ball, (double)p[0] + (double)q[0], (double)p[1] + (double)q[1], (double)p[2] + (double)q[2],
                         radius);
}

// Each of `divisions` (up to 4) makes four triangles of one: 20·4ⁿ triangles, 10·4ⁿ + 2 particles.
static inline void icosphere_make(struct icosphere *ball, double radius, unsigned divisions) {
    static const uint32_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                          {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                          {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                          {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double g = (1.0 + sqrt(5.0)) / 2.0;
    const double corners[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    memset(ball, 0, sizeof *ball);
    for (unsigned i = 0; i < 12; i++) {
        (void)icosphere_add(ball, corners[i][0], corners[i][1], corners[i][2], radius);
    }
    memcpy(ball->triangle, faces, sizeof faces);
    ball->triangles = 20;
    for (unsigned round = 0; round < divisions; round++) {
        for (uint32_t i = 0, before = ball->triangles; i < before; i++) {
            uint32_t *t = ball->triangle + 3 * i;
            const uint32_t a = t[0], b = t[1], c = t[2];
            const uint32_t ab = icosphere_middle(ball, a, b, radius), bc = icosphere_middle(ball, b, c, radius);
            const uint32_t ca = icosphere_middle(ball, c, a, radius);
            const uint32_t made[12] = {ab, bc, ca, a, ab, ca, b, bc, ab, c, ca, bc};
            memcpy(t, made, 3 * sizeof *t);
            memcpy(ball->triangle + 3 * ball->triangles, made + 3, 9 * sizeof *t);
            ball->triangles += 3;
        }
    }
}

#endif
