// SPDX-License-Identifier: MIT
// The state of an encoder of coding 2.
#ifndef WEFT_PROTO_FRAME_CODEC_ENCODER_H
#define WEFT_PROTO_FRAME_CODEC_ENCODER_H

#include "proto/frame/codec.h"
#include "proto/frame/codec_model.h"

#define CODEC_RING 4u          // the newest frame and the three it may build on
#define CODEC_FIT_LEAST 48u    // particles of the smallest object with weights of its own
#define CODEC_CHOICE_MOST 512u // particles of the sample by which a table is chosen
#define CODEC_SAMPLE_MOST 192u // particles of the sample of a fit, per frame
#define CODEC_TRIAL_MOST 48u   // particles of the sample by which weights are compared
#define CODEC_FIT_EVERY 4u     // frames between two fits of a small object, after the first few fits
#define CODEC_FIT_SMALL 8000u  // particles from which an object is not small
#define CODEC_UNKNOWNS (CODEC_TERMS + 1u)
#define CODEC_VARIANTS (CODEC_BASELINES_MOST + 2u) // the numbers of baselines, and a cloth's own motion

// Normal equations of the least squares, Σ tᵢtⱼ and Σ tᵢe, in which older frames count less and less.
struct codec_sums {
    double linear[3][CODEC_TERMS][CODEC_UNKNOWNS];
    double length[4][5];
};

// The state of an object that has weights of its own.
struct codec_fit {
    struct codec_sums sums[CODEC_VARIANTS];
    struct codec_weights weights[CODEC_VARIANTS]; // of the last fit
    uint32_t fits[CODEC_VARIANTS];                // how often weights were asked for
    enum codec_mode mode[CODEC_VARIANTS];         // the cheapest mode at that time
    uint32_t turn;                                // which particles the next sample takes
    uint32_t looks;                               // how often bases were asked for
    bool played;                                  // the cloth's own motion was nearer at the last look
};

// A cloth's sticks: `spacing` is the length of those along rows and columns in 1/256 steps; 0: its motion is not
// played.
struct codec_weave {
    uint32_t spacing;
    bool hexagonal;
};

// Division by a frequency, done by multiplication: ⌊x / f⌋ = x·reciprocal >> 32 >> shift, for x < 2^31.
struct codec_symbol {
    uint32_t reciprocal, most; // the state is renormalised from `most` on
    uint16_t shift, bias, complement;
};

struct proto_codec {
    struct codec_object *objects;
    uint32_t *slots; // first slot of each object
    uint32_t object_count, particles;
    int32_t *table; // links
    float step;
    int32_t *ring[CODEC_RING]; // newest first; three planes each
    uint64_t tick[CODEC_RING];
    uint32_t frames; // in the ring
    int32_t *aside;  // three planes, of messages that stand alone
    struct codec_fit *fits;
    uint32_t *fit_of;           // by object; UINT32_MAX: none
    struct codec_weave *weaves; // by object
    // Scratch of one pack.
    int32_t *e, *residual; // three planes each
    uint16_t *magnitude;   // three planes
    uint8_t *row, *symbol; // three planes, in coding order
    int32_t *rows;         // of the widest lattice, 7 each
    float *cloth;          // of the largest lattice that can be played
    uint16_t *coded;       // the entropy coder's words, written from the end backwards
    uint32_t *raw;         // its raw bits
    bool wide;             // the machine has AVX2
    struct codec_symbol symbols[CODEC_TABLES * CODEC_ROWS][CODEC_SYMBOLS];
    int16_t gain[CODEC_ROWS][CODEC_SYMBOLS]; // bits that the quiet table saves over the other, in 1/256
};

#endif
