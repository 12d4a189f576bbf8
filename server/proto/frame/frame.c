// SPDX-License-Identifier: MIT
// Numbers are written byte by byte with shifts, which compilers turn into plain stores on little-endian machines.
//
// The grid coding works on blocks of 128 particles that fit into the first-level cache: it quantises each axis, finds
// its range and packs the differences. The first two steps are plain loops that compilers vectorise.
#include "proto/frame/frame.h"

#include <math.h>
#include <string.h>

#define BLOCK_HEADER_BYTES 16u

static void store16(uint8_t *out, uint32_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static void store32(uint8_t *out, uint32_t value) {
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
}

static void store64(uint8_t *out, uint64_t value) {
    store32(out, (uint32_t)value);
    store32(out + 4, (uint32_t)(value >> 32));
}

static void store_real(uint8_t *out, float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    store32(out, bits);
}

struct header {
    enum proto_binary type;
    uint8_t coding;
    uint32_t flags, epoch;
    uint64_t tick;
    uint32_t first, count;
    float step;
};

static uint8_t *store_header(uint8_t *out, const struct header *header) {
    out[0] = (uint8_t)header->type;
    out[1] = header->coding;
    store16(out + 2, header->flags);
    store32(out + 4, header->epoch);
    store64(out + 8, header->tick);
    store32(out + 16, header->first);
    store32(out + 20, header->count);
    store_real(out + 24, header->step);
    store32(out + 28, 0); // no baselines
    return out + PROTO_HEADER_BYTES;
}

// ---- the grid -----------------------------------------------------------------------------------------------------

struct axis {
    int32_t q[PROTO_BLOCK_PARTICLES]; // positions in steps
    int32_t least;
    uint32_t bits; // per value
};

// ⌊v⌋ for |v| < 2^31, without the call to floor() that compilers make when they may not assume SSE4.1.
static inline int32_t floor_to_integer(double v) {
    int32_t toward_zero = (int32_t)v;
    return toward_zero - (v < (double)toward_zero);
}

// q = ⌊x / step + ½⌋. A step that is a power of two has an exact inverse, and multiplying by it gives the same
// quotient.
static void quantise(const float *x, uint32_t count, double step, bool exact_inverse, int32_t *q) {
    if (exact_inverse) {
        double inverse = 1.0 / step;
        for (uint32_t i = 0; i < count; i++) {
            q[i] = floor_to_integer((double)x[i] * inverse + 0.5);
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        q[i] = floor_to_integer((double)x[i] / step + 0.5);
    }
}

static void measure(struct axis *axis, uint32_t count) {
    int32_t least = axis->q[0], most = axis->q[0];
    for (uint32_t i = 1; i < count; i++) {
        least = axis->q[i] < least ? axis->q[i] : least;
        most = axis->q[i] > most ? axis->q[i] : most;
    }
    axis->least = least;
    axis->bits = 0;
    for (uint32_t range = (uint32_t)most - (uint32_t)least; range != 0; range >>= 1) {
        axis->bits++;
    }
}

// Writes `count` values q − least of `bits` bits each, from the low bit of the first word upwards.
static uint8_t *pack_plane(const struct axis *axis, uint32_t count, uint8_t *out) {
    if (axis->bits == 0) {
        return out;
    }
    uint64_t pending = 0; // fewer than 32 bits between values
    uint32_t filled = 0;
    for (uint32_t i = 0; i < count; i++) {
        pending |= (uint64_t)((uint32_t)axis->q[i] - (uint32_t)axis->least) << filled;
        filled += axis->bits;
        store32(out, (uint32_t)pending); // stored at every value until the word is full, which costs less than a branch
        uint32_t full = filled >> 5;
        out += 4 * full;
        pending >>= 32 * full;
        filled &= 31;
    }
    if (filled > 0) {
        store32(out, (uint32_t)pending);
        out += 4;
    }
    return out;
}

static uint8_t *pack_block(const float *const positions[3], uint32_t first, uint32_t count, double step,
                           bool exact_inverse, uint8_t *out) {
    struct axis axes[3];
    for (int k = 0; k < 3; k++) {
        quantise(positions[k] + first, count, step, exact_inverse, axes[k].q);
        measure(&axes[k], count);
        store32(out + 4 * k, (uint32_t)axes[k].least);
        out[12 + k] = (uint8_t)axes[k].bits;
    }
    out[15] = (uint8_t)(count - 1);
    out += BLOCK_HEADER_BYTES;
    for (int k = 0; k < 3; k++) {
        out = pack_plane(&axes[k], count, out);
    }
    return out;
}

static uint8_t *pack_grid(const struct proto_frame_source *source, struct proto_range range, float step, uint8_t *out) {
    const float *const positions[3] = {source->x, source->y, source->z};
    int exponent = 0;
    bool exact_inverse = frexpf(step, &exponent) == 0.5f;
    for (uint32_t done = 0; done < range.count; done += PROTO_BLOCK_PARTICLES) {
        uint32_t left = range.count - done;
        uint32_t count = left < PROTO_BLOCK_PARTICLES ? left : PROTO_BLOCK_PARTICLES;
        out = pack_block(positions, range.first + done, count, (double)step, exact_inverse, out);
    }
    return out;
}

// ---- frames -------------------------------------------------------------------------------------------------------

static uint8_t *pack_raw(const struct proto_frame_source *source, struct proto_range range, uint8_t *out) {
    for (uint32_t i = range.first; i < range.first + range.count; i++) {
        store_real(out, source->x[i]);
        store_real(out + 4, source->y[i]);
        store_real(out + 8, source->z[i]);
        out += 12;
    }
    return out;
}

static bool names_ranges(const struct proto_frame_source *source) {
    return source->chosen || source->partial || source->rest;
}

static uint16_t frame_flags(const struct proto_frame_source *source) {
    uint32_t flags = PROTO_FRAME_KEYFRAME; // codings 0 and 1 build on no earlier frame
    flags |= names_ranges(source) ? PROTO_FRAME_RANGES : 0;
    flags |= source->refresh ? PROTO_FRAME_REFRESH : 0;
    flags |= source->partial ? PROTO_FRAME_PARTIAL : 0;
    flags |= source->rest ? PROTO_FRAME_REST : 0;
    return (uint16_t)flags;
}

size_t proto_frame_bound(const struct proto_frame_source *source, enum proto_coding coding) {
    size_t bytes = PROTO_HEADER_BYTES + (names_ranges(source) ? 4 + (size_t)source->range_count * 8 : 0);
    for (uint32_t i = 0; i < source->range_count; i++) {
        size_t count = source->ranges[i].count;
        size_t blocks = (count + PROTO_BLOCK_PARTICLES - 1) / PROTO_BLOCK_PARTICLES;
        bytes += count * 12 + (coding == PROTO_CODING_GRID ? blocks * BLOCK_HEADER_BYTES : 0);
    }
    return bytes;
}

size_t proto_frame_pack(const struct proto_frame_source *source, enum proto_coding coding, float step, uint8_t *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < source->range_count; i++) {
        count += source->ranges[i].count;
    }
    const struct header header = {
        .type = PROTO_BINARY_FRAME,
        .coding = (uint8_t)coding,
        .flags = frame_flags(source),
        .epoch = source->epoch,
        .tick = source->tick,
        .first = source->range_count > 0 ? source->ranges[0].first : 0,
        .count = count,
        .step = coding == PROTO_CODING_GRID ? step : 0.0f,
    };
    uint8_t *at = store_header(out, &header);
    if (names_ranges(source)) {
        store32(at, source->range_count);
        at += 4;
        for (uint32_t i = 0; i < source->range_count; i++) {
            store32(at, source->ranges[i].first);
            store32(at + 4, source->ranges[i].count);
            at += 8;
        }
    }
    for (uint32_t i = 0; i < source->range_count; i++) {
        at = coding == PROTO_CODING_GRID ? pack_grid(source, source->ranges[i], step, at)
                                         : pack_raw(source, source->ranges[i], at);
    }
    return (size_t)(at - out);
}

// ---- topologies ---------------------------------------------------------------------------------------------------

static size_t padded(size_t length) {
    return (length + 3) / 4 * 4;
}

size_t proto_topology_bound(size_t json_length, size_t words) {
    return PROTO_HEADER_BYTES + 4 + padded(json_length) + words * 4;
}

size_t proto_topology_pack(uint32_t epoch, uint64_t tick, uint32_t particles, bool delta, const char *json,
                           size_t json_length, const uint32_t *triangle_words, size_t words, uint8_t *out) {
    const struct header header = {
        .type = PROTO_BINARY_TOPOLOGY,
        .flags = delta ? PROTO_TOPOLOGY_DELTA : 0,
        .epoch = epoch,
        .tick = tick,
        .count = particles,
    };
    uint8_t *at = store_header(out, &header);
    store32(at, (uint32_t)padded(json_length));
    at += 4;
    memcpy(at, json, json_length);
    memset(at + json_length, ' ', padded(json_length) - json_length);
    at += padded(json_length);
    for (size_t i = 0; i < words; i++) {
        store32(at + 4 * i, triangle_words[i]);
    }
    return (size_t)(at + 4 * words - out);
}
