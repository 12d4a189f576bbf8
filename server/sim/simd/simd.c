// SPDX-License-Identifier: MIT
// The kernels of simd_kernel.h, simd_motion.h, simd_touch.h, simd_wind.h and simd_pairs.h, compiled for each vector
// width that this architecture may have, and the choice among them at run time.
#include "sim/simd/simd.h"

#include <float.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

static const uint32_t simd_in_turn[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static const float simd_steps[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#define SIMD_LANES 4
#define SIMD_NAME(name) name##_4
#define SIMD_TARGET
#include "sim/simd/simd_lanes.h"

#include "sim/simd/simd_kernel.h"

#include "sim/simd/simd_motion.h"

#include "sim/simd/simd_touch.h"

#include "sim/simd/simd_wind.h"

#include "sim/simd/simd_pairs.h"

#include "sim/simd/simd_end.h"

#if defined(__x86_64__)
#define SIMD_LANES 8
#define SIMD_NAME(name) name##_8
#define SIMD_TARGET __attribute__((target("avx2")))
#include "sim/simd/simd_lanes.h"

#include "sim/simd/simd_kernel.h"

#include "sim/simd/simd_motion.h"

#include "sim/simd/simd_touch.h"

#include "sim/simd/simd_wind.h"

#include "sim/simd/simd_pairs.h"

#include "sim/simd/simd_end.h"

#define SIMD_LANES 16
#define SIMD_NAME(name) name##_16
#define SIMD_TARGET __attribute__((target("avx512f")))
#include "sim/simd/simd_lanes.h"

#include "sim/simd/simd_kernel.h"

#include "sim/simd/simd_motion.h"

#include "sim/simd/simd_touch.h"

#include "sim/simd/simd_wind.h"

#include "sim/simd/simd_pairs.h"

#include "sim/simd/simd_end.h"
#endif

const struct simd_kernels *simd_kernels_of(unsigned lanes) {
#if defined(__x86_64__)
    if ((lanes == 0 || lanes == 16) && __builtin_cpu_supports("avx512f")) {
        return &kernels_16;
    }
    if ((lanes == 0 || lanes == 8) && __builtin_cpu_supports("avx2")) {
        return &kernels_8;
    }
#endif
    return lanes == 0 || lanes == 4 ? &kernels_4 : NULL;
}
