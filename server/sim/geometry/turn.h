// SPDX-License-Identifier: MIT
// Sine and cosine with the same bits on every machine.
#ifndef WEFT_SIM_GEOMETRY_TURN_H
#define WEFT_SIM_GEOMETRY_TURN_H

#include <stdint.h>

// The fraction of `turns`, between −1 and 1; 0 when `turns` is too large to have one.
static inline double turn_part(double turns) {
    return turns < 1e15 && turns > -1e15 ? turns - (double)(int64_t)turns : 0.0;
}

// The sine of `turns` full turns, by its series up to the 17th power on a quarter turn: within 1e-13.
static inline double turn_sine(double turns) {
    double t = turn_part(turns);
    t = t > 0.5 ? t - 1.0 : t;
    t = t < -0.5 ? t + 1.0 : t;
    t = t > 0.25 ? 0.5 - t : t;
    t = t < -0.25 ? -0.5 - t : t;
    const double x = 6.283185307179586 * t;
    const double q = x * x;
    double sum = 1.0;
    for (unsigned n = 16; n >= 2; n -= 2) {
        sum = 1.0 - q / ((double)n * (double)(n + 1)) * sum;
    }
    return x * sum;
}

static inline double turn_cosine(double turns) {
    return turn_sine(turn_part(turns) + 0.25);
}

#endif
