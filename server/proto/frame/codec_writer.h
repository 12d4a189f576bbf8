// SPDX-License-Identifier: MIT
// The state of encoding one frame of coding 2, object by object, and the division of a residual into a row of the
// tables, a symbol and raw bits. Raw bits are written at once; symbols are kept and coded at the end.
#ifndef WEFT_PROTO_FRAME_CODEC_WRITER_H
#define WEFT_PROTO_FRAME_CODEC_WRITER_H

#include "proto/frame/codec_encoder.h"

struct codec_writer {
    struct proto_codec *codec;
    const struct codec_object *object;
    struct codec_view view;
    int32_t *e[3], *residual[3];
    uint16_t *magnitude[3];
    struct codec_weights weights, last_own; // of this object; the last weights written
    bool has_own;
    uint32_t last[3];  // magnitude of the previous residual
    int32_t before[3]; // previous position
    uint32_t coded;    // particles
    uint32_t *raw;     // where the next word of raw bits goes
    uint64_t pending;
    uint32_t filled;
};

// ---- raw bits ------------------------------------------------------------------------------------------------------

static inline void codec_write_bits(struct codec_writer *out, uint32_t value, uint32_t bits) { // at most 32
    out->pending |= (uint64_t)value << out->filled;
    out->filled += bits;
    if (out->filled >= 32) {
        *out->raw++ = (uint32_t)out->pending;
        out->pending >>= 32;
        out->filled -= 32;
    }
}

static inline void codec_write_golomb(struct codec_writer *out, uint32_t value, uint32_t k) {
    const uint64_t shifted = (uint64_t)value + ((uint64_t)1 << k);
    uint32_t zeros = 0;
    while (shifted >> (k + zeros + 1) != 0) {
        zeros++;
    }
    const uint32_t length = k + zeros; // ⌊log2 shifted⌋
    codec_write_bits(out, 0, zeros);
    codec_write_bits(out, 1, 1);
    codec_write_bits(out, (uint32_t)(shifted - ((uint64_t)1 << length)), length);
}

// The position of the next bit, so that a bit whose value is not known yet can be set later.
static inline size_t codec_bits_written(const struct codec_writer *out) {
    return 32 * (size_t)(out->raw - out->codec->raw) + out->filled;
}

static inline void codec_set_bit(struct codec_writer *out, size_t at) {
    uint32_t *const word = out->codec->raw + at / 32;
    if (word < out->raw) {
        *word |= 1u << at % 32;
    } else {
        out->pending |= 1u << at % 32;
    }
}

// ---- residuals -----------------------------------------------------------------------------------------------------

// Finds the symbol of a residual, and writes its raw bits.
static inline uint32_t codec_split_residual(struct codec_writer *out, int32_t residual, uint32_t activity,
                                            int32_t fraction) {
    int32_t value = fraction < 0 ? codec_sub(0, residual) : residual;
    uint32_t low = 0, bits = 0;
    if (activity >= CODEC_FINE_CONTEXTS) {
        bits = codec_low_bits(activity);
        value = codec_add(value, 1 << (bits - 1));
        low = (uint32_t)value & ((1u << bits) - 1);
        value = value >> (int32_t)bits;
    }
    uint32_t symbol = (uint32_t)value + CODEC_REACH;
    if (symbol >= CODEC_ESCAPE) {
        symbol = CODEC_ESCAPE;
        const uint32_t size = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
        codec_write_bits(out, value < 0, 1);
        codec_write_golomb(out, size - CODEC_REACH - 1, 2);
    }
    if (bits > 0) {
        codec_write_bits(out, low, bits);
    }
    return symbol;
}

// Keeps the row and the symbol of a residual. `full` is the prediction in 1/256 steps over the base, plus a half.
static inline void codec_keep_residual(struct codec_writer *out, uint32_t axis, uint32_t i, uint32_t activity,
                                       int32_t full, int32_t residual) {
    struct proto_codec *codec = out->codec;
    const int32_t fraction = (full & 255) - 128;
    const size_t at = (size_t)axis * codec->particles + out->coded;
    codec->row[at] = (uint8_t)codec_row(activity, fraction);
    codec->symbol[at] = (uint8_t)codec_split_residual(out, residual, activity, fraction);
    out->last[axis] = out->magnitude[axis][i];
}

#endif
