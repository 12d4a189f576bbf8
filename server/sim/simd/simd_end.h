// SPDX-License-Identifier: MIT
// The table of one vector width's kernels; then its names are free for the next width. Read by simd.c, last.

static const struct wide_kernels WIDE_NAME(kernels) = {
    .lanes = WIDE_LANES,
    .relax_runs = WIDE_NAME(relax_runs),
    .relax_colour = WIDE_NAME(relax_colour),
    .fill_block = WIDE_NAME(fill_block),
    .drain_block = WIDE_NAME(drain_block),
    .relax_shared = WIDE_NAME(relax_shared),
    .fill_shared = WIDE_NAME(fill_shared),
    .drain_shared = WIDE_NAME(drain_shared),
    .hold = WIDE_NAME(hold),
    .integrate = WIDE_NAME(integrate),
    .advance = WIDE_NAME(advance),
    .settle = WIDE_NAME(settle),
    .exceeds = WIDE_NAME(exceeds),
    .steps = WIDE_NAME(steps),
    .collide = WIDE_NAME(collide),
    .box = WIDE_NAME(box),
    .extent = WIDE_NAME(extent),
    .outcodes = WIDE_NAME(outcodes),
    .wind_row = WIDE_NAME(wind_row),
    .wind_ease = WIDE_NAME(wind_ease),
    .outside = WIDE_NAME(outside),
};

#undef WIDE_LANES
#undef WIDE_TARGET
#undef WIDE_NAME
#undef WIDE_FUNCTION
#undef WIDE_UNPACK_LOW
#undef WIDE_UNPACK_HIGH
#undef WIDE_HALVES_LOW
#undef WIDE_HALVES_HIGH
#undef WIDE_EVEN
#undef WIDE_ODD
