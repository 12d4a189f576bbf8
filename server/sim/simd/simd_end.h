// SPDX-License-Identifier: MIT
// The table of the kernels of one vector width; then the names are undefined for the next width. Included by simd.c,
// last.

static const struct simd_kernels SIMD_NAME(kernels) = {
    .lanes = SIMD_LANES,
    .relax_runs = SIMD_NAME(relax_runs),
    .relax_colour = SIMD_NAME(relax_colour),
    .fill_block = SIMD_NAME(fill_block),
    .refill_block = SIMD_NAME(refill_block),
    .drain_block = SIMD_NAME(drain_block),
    .relax_shared = SIMD_NAME(relax_shared),
    .fill_shared = SIMD_NAME(fill_shared),
    .drain_shared = SIMD_NAME(drain_shared),
    .hold = SIMD_NAME(hold),
    .integrate = SIMD_NAME(integrate),
    .advance = SIMD_NAME(advance),
    .settle = SIMD_NAME(settle),
    .exceeds = SIMD_NAME(exceeds),
    .steps = SIMD_NAME(steps),
    .collide = SIMD_NAME(collide),
    .box = SIMD_NAME(box),
    .extent = SIMD_NAME(extent),
    .outcodes = SIMD_NAME(outcodes),
    .wind_row = SIMD_NAME(wind_row),
    .wind_triangles = SIMD_NAME(wind_triangles),
    .wind_sums = SIMD_NAME(wind_sums),
    .wind_ease = SIMD_NAME(wind_ease),
    .outside = SIMD_NAME(outside),
    .pair_distances = SIMD_NAME(pair_distances),
    .pair_reaches = SIMD_NAME(pair_reaches),
    .pairs_far = SIMD_NAME(pairs_far),
    .pairs_separate = SIMD_NAME(pairs_separate),
};

#undef SIMD_LANES
#undef SIMD_TARGET
#undef SIMD_NAME
#undef SIMD_FUNCTION
#undef SIMD_UNPACK_LOW
#undef SIMD_UNPACK_HIGH
#undef SIMD_HALVES_LOW
#undef SIMD_HALVES_HIGH
#undef SIMD_EVEN
#undef SIMD_ODD
#undef SIMD_HALF
