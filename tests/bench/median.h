// SPDX-License-Identifier: MIT
#ifndef WEFT_BENCH_MEDIAN_H
#define WEFT_BENCH_MEDIAN_H

#include <stddef.h>
#include <stdlib.h>

static inline int median_compare(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

// Sorts the values.
static inline double quantile_of(double *values, size_t count, double share) {
    if (count == 0) {
        return 0.0;
    }
    qsort(values, count, sizeof *values, median_compare);
    const size_t at = (size_t)(share * (double)count);
    return values[at < count ? at : count - 1];
}

static inline double median_of(double *values, size_t count) {
    return quantile_of(values, count, 0.5);
}

#endif
