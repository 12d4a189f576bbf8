// SPDX-License-Identifier: MIT
// Three asymmetric numeral systems (Duda 2013), one per axis, share one sequence of 16-bit words. Symbols are coded
// from the last to the first, because a decoder reads them in the opposite order. Divisions are done by multiplication,
// after F. Giesen's rans_byte.h (public domain, 2014).
#include "proto/frame/codec_coder.h"

#include "proto/frame/codec_tables.h"

static inline void put_symbol(uint32_t *state, uint16_t **at, const struct codec_symbol *symbol) {
    uint32_t x = *state;
    const bool full = x >= symbol->most;
    (*at)[-1] = (uint16_t)x; // kept only if the state is full, which costs less than a branch
    *at -= full;
    x = full ? x >> 16 : x;
    const uint32_t quotient = (uint32_t)((uint64_t)x * symbol->reciprocal >> 32) >> symbol->shift;
    *state = x + symbol->bias + quotient * symbol->complement;
}

// Codes all symbols from the last to the first. Returns the first word written.
uint16_t *codec_code(const struct codec_writer *in, uint16_t *end, uint32_t state[CODEC_STATES]) {
    const struct proto_codec *codec = in->codec;
    uint32_t x = CODEC_STATE_LEAST, y = CODEC_STATE_LEAST, z = CODEC_STATE_LEAST;
    uint16_t *at = end;
    const size_t plane = codec->particles;
    for (size_t i = in->coded; i > 0; i--) {
        const uint8_t *row = codec->row + i - 1, *symbol = codec->symbol + i - 1;
        put_symbol(&z, &at, &codec->symbols[row[2 * plane]][symbol[2 * plane]]);
        put_symbol(&y, &at, &codec->symbols[row[plane]][symbol[plane]]);
        put_symbol(&x, &at, &codec->symbols[row[0]][symbol[0]]);
    }
    state[0] = x;
    state[1] = y;
    state[2] = z;
    return at;
}

// log2 in 1/256, rounded down, by squaring.
static int32_t log_of(uint32_t frequency) {
    uint32_t log = codec_log2(frequency);
    uint64_t part = (uint64_t)frequency << (31 - log); // in [2^31, 2^32)
    for (uint32_t bit = 0; bit < 8; bit++) {
        part = part * part >> 31;
        log = 2 * log + (uint32_t)(part >> 32);
        part >>= part >> 32;
    }
    return (int32_t)log;
}

static uint32_t frequency_of(uint32_t row, uint32_t k) {
    const uint32_t end = k + 1 < CODEC_SYMBOLS ? codec_starts[row][k + 1] : 1u << CODEC_SCALE_BITS;
    return end - codec_starts[row][k];
}

static void prepare_gains(struct proto_codec *codec) {
    for (uint32_t row = 0; row < CODEC_ROWS; row++) {
        for (uint32_t k = 0; k < CODEC_SYMBOLS; k++) {
            codec->gain[row][k] = (int16_t)(log_of(frequency_of(CODEC_ROWS + row, k)) - log_of(frequency_of(row, k)));
        }
    }
}

// Whether the quiet table codes the symbols kept from particle `first` on with fewer bits, judged by a sample of them.
bool codec_is_quiet(const struct codec_writer *in, uint32_t first) {
    const struct proto_codec *codec = in->codec;
    const uint32_t stride = 1 + (in->coded - first) / CODEC_CHOICE_MOST;
    int32_t gain = 0;
    for (uint32_t i = first; i < in->coded; i += stride) {
        for (size_t at = i; at < 3 * (size_t)codec->particles; at += codec->particles) {
            gain += codec->gain[codec->row[at]][codec->symbol[at]];
        }
    }
    return gain > 0;
}

// Sets up the divisions as in F. Giesen's rans_byte.h, which are exact for x < 2^31.
void codec_prepare_symbols(struct proto_codec *codec) {
    prepare_gains(codec);
    for (uint32_t row = 0; row < CODEC_TABLES * CODEC_ROWS; row++) {
        for (uint32_t k = 0; k < CODEC_SYMBOLS; k++) {
            const uint32_t start = codec_starts[row][k], frequency = frequency_of(row, k);
            struct codec_symbol *symbol = &codec->symbols[row][k];
            symbol->most = frequency << 19;
            symbol->complement = (uint16_t)((1u << CODEC_SCALE_BITS) - frequency);
            if (frequency < 2) { // x / 1, through x·(2^32 − 1) >> 32 = x − 1
                symbol->reciprocal = UINT32_MAX;
                symbol->shift = 0;
                symbol->bias = (uint16_t)(start + (1u << CODEC_SCALE_BITS) - 1);
            } else {
                uint32_t shift = 0;
                while (frequency > 1u << shift) {
                    shift++;
                }
                symbol->reciprocal = (uint32_t)((((uint64_t)1 << (shift + 31)) + frequency - 1) / frequency);
                symbol->shift = (uint16_t)(shift - 1);
                symbol->bias = (uint16_t)start;
            }
        }
    }
}
