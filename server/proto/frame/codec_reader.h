// SPDX-License-Identifier: MIT
// Reads a payload of coding 2: raw bits, and the symbols of the entropy coder (proto/FRAMES.md, "Residuals").
// Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_READER_H
#define WEFT_PROTO_FRAME_CODEC_READER_H

#include "proto/frame/codec_lanes.h"
#include "proto/frame/codec_model.h"
#include "proto/frame/codec_tables.h"

struct codec_coder {
    const uint16_t *word, *end;
    uint32_t state[CODEC_STATES];
    uint32_t last[3];                        // magnitude of the previous residual, by axis
    const uint16_t (*starts)[CODEC_SYMBOLS]; // of the object's table
    bool failed;
};

struct codec_reader {
    struct codec_coder coder;
    const uint32_t *raw, *raw_end;
    uint64_t pending; // raw bits
    uint32_t filled;
    bool failed;
    int32_t before[3];        // previous position, by axis
    struct codec_weights own; // the last weights read
    bool has_own;
};

// ---- bits ----------------------------------------------------------------------------------------------------------

static inline uint32_t codec_read_bits(struct codec_reader *in, uint32_t bits) { // at most 32
    if (in->filled < bits) {
        if (in->raw < in->raw_end) {
            in->pending |= (uint64_t)*in->raw << in->filled;
            in->raw++;
        } else {
            in->failed = true;
        }
        in->filled += 32;
    }
    const uint32_t value = (uint32_t)(in->pending & (((uint64_t)1 << bits) - 1));
    in->pending >>= bits;
    in->filled -= bits;
    return value;
}

// Exp-Golomb of order k: n zeros, a one, n + k bits.
static uint32_t codec_read_golomb(struct codec_reader *in, uint32_t k) {
    uint32_t zeros = 0;
    while (codec_read_bits(in, 1) == 0) {
        zeros++;
        if (zeros + k > 31) {
            in->failed = true;
            return 0;
        }
    }
    const uint32_t low = codec_read_bits(in, zeros + k);
    return low + (((1u << zeros) - 1) << k);
}

static int32_t codec_read_signed(struct codec_reader *in, uint32_t k) {
    const uint32_t zigzag = codec_read_golomb(in, k);
    return (int32_t)((zigzag >> 1) ^ (0u - (zigzag & 1)));
}

// ---- residuals -----------------------------------------------------------------------------------------------------

static inline uint32_t codec_slot(const struct codec_coder *coder, uint32_t axis) {
    return coder->state[axis] & ((1u << CODEC_SCALE_BITS) - 1);
}

static inline uint32_t codec_find_symbol(const uint16_t *start, uint32_t slot) {
    uint32_t symbol = 0;
    for (uint32_t k = 1; k < CODEC_SYMBOLS; k++) {
        symbol += slot >= start[k];
    }
    return symbol;
}

static __attribute__((noinline)) int32_t codec_read_escape(struct codec_reader *in) {
    const bool negative = codec_read_bits(in, 1) != 0;
    const uint32_t beyond = codec_read_golomb(in, 2);
    const uint32_t size = beyond + CODEC_REACH + 1;
    return (int32_t)(negative ? 0u - size : size);
}

static inline int32_t codec_read_low_bits(struct codec_reader *in, int32_t high, uint32_t bits) {
    return codec_sub(codec_add(codec_scale(high, bits), (int32_t)codec_read_bits(in, bits)), 1 << (bits - 1));
}

// Takes a symbol out of the state of its axis; the caller then refills the state.
static inline void codec_take_symbol(struct codec_coder *coder, uint32_t axis, const uint16_t *start, uint32_t symbol) {
    const uint32_t from = start[symbol], end = start[symbol + 1]; // a row's last entry is followed by the next row's 0
    const uint32_t frequency = (end - from) & ((1u << CODEC_SCALE_BITS) - 1);
    const uint32_t slot = codec_slot(coder, axis);
    coder->state[axis] = frequency * (coder->state[axis] >> CODEC_SCALE_BITS) + slot - from;
}

static inline void codec_fill_up_checked(struct codec_coder *coder, uint32_t axis) {
    if (coder->state[axis] < CODEC_STATE_LEAST) {
        if (coder->word < coder->end) {
            coder->state[axis] = coder->state[axis] << 16 | *coder->word;
            coder->word++;
        } else {
            coder->failed = true;
            coder->state[axis] = CODEC_STATE_LEAST;
        }
    }
}

static inline int32_t codec_read_residual(struct codec_reader *in, uint32_t axis, uint32_t activity, int32_t fraction) {
    const uint16_t *start = in->coder.starts[codec_row(activity, fraction)];
    const uint32_t symbol = codec_find_symbol(start, codec_slot(&in->coder, axis));
    codec_take_symbol(&in->coder, axis, start, symbol);
    codec_fill_up_checked(&in->coder, axis);
    int32_t value = symbol == CODEC_ESCAPE ? codec_read_escape(in) : (int32_t)symbol - CODEC_REACH;
    if (activity >= CODEC_FINE_CONTEXTS) {
        value = codec_read_low_bits(in, value, codec_low_bits(activity));
    }
    return codec_turn(value, fraction);
}

#endif
