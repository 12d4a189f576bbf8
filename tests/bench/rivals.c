// SPDX-License-Identifier: MIT
// All work on q = ⌊x/step + ½⌋. Quantising is not counted; taking differences, which decoders have to undo, is.
#include "rivals.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "clock.h"

#define ZSTD_LEVEL 3
#define ZLIB_LEVEL 6

static struct {
    int32_t *now, *before; // 3 per particle
    uint16_t *fixed;       // 3 per particle, over the frame's own box
    int32_t *difference, *back;
    uint8_t *packed;
    size_t room;
} work;

bool rival_init(uint32_t particles) {
    const size_t values = 4 * (size_t)particles;
    work.room = 32 * (size_t)particles + 65536;
    work.now = calloc(values, sizeof *work.now);
    work.before = calloc(values, sizeof *work.before);
    work.fixed = calloc(values, sizeof *work.fixed);
    work.difference = calloc(values, sizeof *work.difference);
    work.back = calloc(values, sizeof *work.back);
    work.packed = malloc(work.room);
    return work.now != NULL && work.before != NULL && work.fixed != NULL && work.difference != NULL &&
           work.back != NULL && work.packed != NULL;
}

void rival_free(void) {
    free(work.now);
    free(work.before);
    free(work.fixed);
    free(work.difference);
    free(work.back);
    free(work.packed);
}

static int32_t quantised(float value, float step) {
    return (int32_t)floor((double)value / (double)step + 0.5);
}

void rival_take(const float *x, const float *y, const float *z, uint32_t particles, float step, bool first) {
    int32_t *swap = work.before;
    work.before = work.now;
    work.now = swap;
    for (uint32_t i = 0; i < particles; i++) {
        work.now[3 * i] = quantised(x[i], step);
        work.now[3 * i + 1] = quantised(y[i], step);
        work.now[3 * i + 2] = quantised(z[i], step);
    }
    if (first) {
        memcpy(work.before, work.now, 3 * (size_t)particles * sizeof *work.now);
    }
    for (uint32_t i = 0; i < 3 * particles; i++) { // 16 bits hold 64 m at 1/1024: enough for these scenes
        work.fixed[i] = (uint16_t)(work.now[i] & 0xffff);
    }
}

static void take_difference(uint32_t particles) {
    for (uint32_t i = 0; i < 3 * particles; i++) {
        work.difference[i] = work.now[i] - work.before[i];
    }
}

static bool undo_difference(uint32_t particles) {
    for (uint32_t i = 0; i < 3 * particles; i++) {
        work.back[i] += work.before[i];
    }
    return memcmp(work.back, work.now, 3 * (size_t)particles * sizeof *work.now) == 0;
}

static bool run_fixed(uint32_t particles, struct rival_cost *cost) {
    cost->bytes += 6 * (size_t)particles;
    return true;
}

static bool run_fixed_zlib(uint32_t particles, struct rival_cost *cost) {
    const uLong raw = 6 * (uLong)particles;
    uLongf length = (uLongf)work.room, back = raw;
    const double started = cpu_s();
    bool same = compress2(work.packed, &length, (const Bytef *)work.fixed, raw, ZLIB_LEVEL) == Z_OK;
    const double packed = cpu_s();
    same = same && uncompress((Bytef *)work.back, &back, work.packed, length) == Z_OK && back == raw;
    cost->decode_s += cpu_s() - packed;
    cost->encode_s += packed - started;
    cost->bytes += length;
    return same && memcmp(work.back, work.fixed, raw) == 0;
}

static bool run_delta_zstd(uint32_t particles, struct rival_cost *cost) {
    const size_t raw = 12 * (size_t)particles;
    const double started = cpu_s();
    take_difference(particles);
    const size_t length = ZSTD_compress(work.packed, work.room, work.difference, raw, ZSTD_LEVEL);
    const double packed = cpu_s();
    const bool whole = ZSTD_isError(length) == 0 && ZSTD_decompress(work.back, raw, work.packed, length) == raw;
    const bool same = whole && undo_difference(particles);
    cost->decode_s += cpu_s() - packed;
    cost->encode_s += packed - started;
    cost->bytes += length;
    return same;
}

static bool run_delta_meshoptimizer(uint32_t particles, struct rival_cost *cost) {
    const double started = cpu_s();
    take_difference(particles);
    const size_t length = meshopt_encodeVertexBuffer(work.packed, work.room, work.difference, particles, 12);
    const double packed = cpu_s();
    const bool whole = meshopt_decodeVertexBuffer(work.back, particles, 12, work.packed, length) == 0;
    const bool same = whole && undo_difference(particles);
    cost->decode_s += cpu_s() - packed;
    cost->encode_s += packed - started;
    cost->bytes += length;
    return same;
}

const struct rival rivals[] = {
    {"16 bit", run_fixed},
    {"16 bit, zlib 6", run_fixed_zlib},
    {"delta, zstd 3", run_delta_zstd},
    {"delta, meshoptimizer", run_delta_meshoptimizer},
};
const size_t rival_count = sizeof rivals / sizeof rivals[0];
