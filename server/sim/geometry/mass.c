// SPDX-License-Identifier: MIT
// Mass properties by integration over the tetrahedra between one vertex and every triangle, in double (PHYSICS.md 6.4).
//
// Over the tetrahedron (0, a, b, c) with D = det[a, b, c] and s = a + b + c: ∫dV = D/6, ∫x dV = D·s/24, ∫x·xᵀ dV =
// D·(a·aᵀ + b·bᵀ + c·cᵀ + s·sᵀ)/120. The second moments about the centre, diagonalised, are M·(a², b², c²) directly,
// since a² = (I₂ + I₃ − I₁)/2M.
#include "sim/geometry/mass.h"

#include <math.h>
#include <string.h>

#define JACOBI_SWEEPS 16 // converges quadratically; five are enough in practice

void moments_add(struct moments *sum, double corner[3][3]) {
    const double *a = corner[0];
    const double *b = corner[1];
    const double *c = corner[2];
    const double determinant =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    sum->volume += determinant / 6.0;
    for (unsigned i = 0; i < 3; i++) {
        const double s = a[i] + b[i] + c[i];
        sum->first[i] += determinant * s / 24.0;
        for (unsigned j = 0; j < 3; j++) {
            const double t = a[j] + b[j] + c[j];
            sum->second[i][j] += determinant * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s * t) / 120.0;
        }
    }
}

struct solid moments_solid(const struct moments *sum, const float origin[3]) {
    struct solid made = {.volume = sum->volume};
    double centre[3];
    for (unsigned i = 0; i < 3; i++) {
        centre[i] = sum->first[i] / sum->volume;
        made.centre[i] = centre[i] + (double)origin[i];
    }
    for (unsigned i = 0; i < 9; i++) {
        made.second[i / 3][i % 3] = sum->second[i / 3][i % 3] / sum->volume - centre[i / 3] * centre[i % 3];
    }
    return made;
}

// One Jacobi rotation in the plane (p, q): makes m[p][q] zero.
static void rotate(double m[3][3], double vector[3][3], unsigned p, unsigned q) {
    if (m[p][q] == 0.0) {
        return;
    }
    const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    const double root = sqrt(theta * theta + 1.0);
    const double t = theta < 0.0 ? -1.0 / (root - theta) : 1.0 / (root + theta);
    const double c = 1.0 / sqrt(t * t + 1.0);
    const double s = t * c;
    for (unsigned k = 0; k < 3; k++) {
        const double kp = m[k][p];
        const double kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
    }
    for (unsigned k = 0; k < 3; k++) {
        const double pk = m[p][k];
        const double qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
        const double vp = vector[p][k];
        const double vq = vector[q][k];
        vector[p][k] = c * vp - s * vq;
        vector[q][k] = s * vp + c * vq;
    }
}

static void order_axes(double value[3], double vector[3][3]) {
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < 2; i++) {
            if (value[i + 1] > value[i]) {
                double row[3];
                const double other = value[i];
                value[i] = value[i + 1];
                value[i + 1] = other;
                memcpy(row, vector[i], sizeof row);
                memcpy(vector[i], vector[i + 1], sizeof row);
                memcpy(vector[i + 1], row, sizeof row);
            }
        }
    }
    for (unsigned i = 0; i < 3; i++) { // third = first × second
        const unsigned j = (i + 1) % 3;
        const unsigned k = (i + 2) % 3;
        vector[2][i] = vector[0][j] * vector[1][k] - vector[0][k] * vector[1][j];
    }
}

void mass_principal_axes(double matrix[3][3], double value[3], double vector[3][3]) {
    double m[3][3];
    memcpy(m, matrix, sizeof m);
    for (unsigned i = 0; i < 9; i++) {
        vector[i / 3][i % 3] = i % 4 == 0 ? 1.0 : 0.0;
    }
    for (unsigned sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
        rotate(m, vector, 0, 1);
        rotate(m, vector, 0, 2);
        rotate(m, vector, 1, 2);
    }
    for (unsigned i = 0; i < 3; i++) {
        value[i] = m[i][i];
    }
    order_axes(value, vector);
}

struct solid solid_of_hull(const float *points, const struct hull *hull) {
    struct moments sum = {0};
    const float *origin = points + 3 * (size_t)hull->vertex[0];
    for (uint32_t i = 0; i < hull->triangles; i++) {
        double corner[3][3];
        for (unsigned k = 0; k < 9; k++) {
            const float *point = points + 3 * (size_t)hull->vertex[hull->triangle[i][k / 3]];
            corner[k / 3][k % 3] = (double)point[k % 3] - (double)origin[k % 3];
        }
        moments_add(&sum, corner);
    }
    return moments_solid(&sum, origin);
}

struct mass_properties mass_of_solid(const struct solid *solid) {
    struct mass_properties made = {.volume = solid->volume};
    double squared[3];
    double second[3][3];
    memcpy(made.centre, solid->centre, sizeof made.centre);
    memcpy(second, solid->second, sizeof second);
    mass_principal_axes(second, squared, made.axis);
    for (unsigned i = 0; i < 3; i++) {
        made.spread[i] = squared[i] > 0.0 ? sqrt(squared[i]) : 0.0;
    }
    return made;
}

struct mass_properties mass_of_hull(const float *points, const struct hull *hull) {
    const struct solid solid = solid_of_hull(points, hull);
    return mass_of_solid(&solid);
}
