// SPDX-License-Identifier: MIT
// Advances the three states of the entropy coder of coding 2 together, for the inside of a lattice (codec_inner.h): as
// lanes in WebAssembly, elsewhere one after another. The symbols are those of codec_read_residual. Freestanding.
#ifndef WEFT_PROTO_FRAME_CODEC_STATES_H
#define WEFT_PROTO_FRAME_CODEC_STATES_H

#include <stddef.h>

#include "proto/frame/codec_lanes.h"
#include "proto/frame/codec_reader.h"

#define CODEC_ROOM 4u // words that are read at once, of which up to three are taken

struct codec_states {
    lanes state; // by axis
    const uint16_t *word;
};

static inline struct codec_states codec_states_of(const struct codec_coder *coder) {
    return (struct codec_states){{coder->state[0], coder->state[1], coder->state[2], 0}, coder->word};
}

static inline void codec_states_keep(const struct codec_states *states, struct codec_coder *coder) {
    coder->state[0] = states->state[0];
    coder->state[1] = states->state[1];
    coder->state[2] = states->state[2];
    coder->word = states->word;
}

#if defined(__wasm_simd128__)

// For each set of states that need a word: the positions of the words to be dealt out, as byte indices of each lane.
#define CODEC_NO_WORD 128, 128, 128, 128
#define CODEC_WORD(n) 2 * (n), 2 * (n) + 1, 128, 128
static const uint8_t codec_dealt[8][16] = {
    {CODEC_NO_WORD, CODEC_NO_WORD, CODEC_NO_WORD, CODEC_NO_WORD},
    {CODEC_WORD(0), CODEC_NO_WORD, CODEC_NO_WORD, CODEC_NO_WORD},
    {CODEC_NO_WORD, CODEC_WORD(0), CODEC_NO_WORD, CODEC_NO_WORD},
    {CODEC_WORD(0), CODEC_WORD(1), CODEC_NO_WORD, CODEC_NO_WORD},
    {CODEC_NO_WORD, CODEC_NO_WORD, CODEC_WORD(0), CODEC_NO_WORD},
    {CODEC_WORD(0), CODEC_NO_WORD, CODEC_WORD(1), CODEC_NO_WORD},
    {CODEC_NO_WORD, CODEC_WORD(0), CODEC_WORD(1), CODEC_NO_WORD},
    {CODEC_WORD(0), CODEC_WORD(1), CODEC_WORD(2), CODEC_NO_WORD},
};

// The number of symbols that begin after the slot, as four negative parts to be added to CODEC_SYMBOLS − 1.
LANES_INLINE lanes codec_count_behind(const uint16_t *start, v128_t slot) {
    const v128_t low = wasm_i16x8_gt(wasm_v128_load(start), slot),
                 high = wasm_i16x8_gt(wasm_v128_load(start + 8), slot);
    return (lanes)wasm_i32x4_dot_i16x8(wasm_i16x8_add(low, high), wasm_i16x8_splat(1));
}

#define CODEC_SLOT(slot, axis)                                                                                         \
    wasm_i16x8_shuffle(slot, slot, 2 * (axis), 2 * (axis), 2 * (axis), 2 * (axis), 2 * (axis), 2 * (axis), 2 * (axis), \
                       2 * (axis))

// Takes the next symbols of the three axes out of their states, by the given rows of the table, and refills the states;
// lane 3 is CODEC_REACH.
LANES_INLINE lanes codec_take_symbols(struct codec_states *states, const uint16_t (*starts)[CODEC_SYMBOLS], lanes row) {
    const lanes last = {CODEC_SYMBOLS - 1, CODEC_SYMBOLS - 1, CODEC_SYMBOLS - 1, CODEC_REACH};
    const lanes slot = states->state & ((1u << CODEC_SCALE_BITS) - 1);
    const lanes start = (row << 5) + (uint32_t)starts;
    const v128_t at = (v128_t)slot;
    const lanes symbol =
        last + lanes_sums(codec_count_behind((const uint16_t *)start[0], CODEC_SLOT(at, 0)),
                          codec_count_behind((const uint16_t *)start[1], CODEC_SLOT(at, 1)),
                          codec_count_behind((const uint16_t *)start[2], CODEC_SLOT(at, 2)), lanes_splat(0));
    const lanes place = start + (symbol << 1);
    v128_t pair = wasm_v128_load32_zero(
        (const void *)place[0]); // where the symbol and the next one begin; after a row's last comes the next row's 0
    pair = wasm_v128_load32_lane((const void *)place[1], pair, 1);
    pair = wasm_v128_load32_lane((const void *)place[2], pair, 2);
    const lanes from = (lanes)pair & 0xffff, end = (lanes)pair >> 16;
    const lanes frequency = (end - from) & ((1u << CODEC_SCALE_BITS) - 1);
    const lanes state = frequency * (states->state >> CODEC_SCALE_BITS) + slot - from;
    const v128_t empty =
        wasm_i32x4_lt((v128_t)state, wasm_i32x4_const(CODEC_STATE_LEAST, CODEC_STATE_LEAST, CODEC_STATE_LEAST, -1));
    const uint32_t which = wasm_i32x4_bitmask(empty) & 7;
    const v128_t words = wasm_i8x16_swizzle(wasm_v128_load64_zero(states->word), wasm_v128_load(codec_dealt[which]));
    states->state = (lanes)wasm_v128_or(wasm_v128_bitselect((v128_t)(state << 16), (v128_t)state, empty), words);
    states->word += __builtin_popcount(which);
    return symbol;
}

#else

static inline uint32_t codec_take_one(uint32_t *state, const uint16_t **word, const uint16_t *start) {
    const uint32_t slot = *state & ((1u << CODEC_SCALE_BITS) - 1), symbol = codec_find_symbol(start, slot);
    const uint32_t from = start[symbol], frequency = (start[symbol + 1] - from) & ((1u << CODEC_SCALE_BITS) - 1);
    *state = frequency * (*state >> CODEC_SCALE_BITS) + slot - from;
    if (*state < CODEC_STATE_LEAST) {
        *state = *state << 16 | **word;
        (*word)++;
    }
    return symbol;
}

static inline lanes codec_take_symbols(struct codec_states *states, const uint16_t (*starts)[CODEC_SYMBOLS],
                                       lanes row) {
    uint32_t state[CODEC_STATES] = {states->state[0], states->state[1], states->state[2]};
    const uint32_t x = codec_take_one(&state[0], &states->word, starts[row[0]]);
    const uint32_t y = codec_take_one(&state[1], &states->word, starts[row[1]]);
    const uint32_t z = codec_take_one(&state[2], &states->word, starts[row[2]]);
    states->state = (lanes){state[0], state[1], state[2], 0};
    return (lanes){x, y, z, CODEC_REACH};
}

#endif

#endif
