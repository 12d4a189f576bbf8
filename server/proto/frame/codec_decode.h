// SPDX-License-Identifier: MIT
// Decoding the payload of coding 2. The caller has read the header and the ranges, holds the baselines and knows the
// links.
#ifndef WEFT_PROTO_FRAME_CODEC_DECODE_H
#define WEFT_PROTO_FRAME_CODEC_DECODE_H

#include "proto/frame/codec_model.h"

// All arrays are the caller's; those of positions are three planes of `particles`. In WebAssembly this lies in memory
// as 32-bit words in this order.
struct codec_job {
    const struct codec_object *objects; // of the stream
    const uint32_t *which;              // the objects in this frame, rising
    uint32_t which_count;
    const int32_t *table; // links
    uint32_t particles;   // of the stream
    uint32_t baselines;   // 0 to 3
    const int32_t *x1, *x2, *x3;
    int32_t *x0;         // out; particles of other objects are not touched
    int32_t *e;          // scratch, 3 × particles
    uint16_t *magnitude; // scratch, 3 × particles
    int32_t *ahead;      // scratch, 20 × the widest lattice, at an address that 16 divides
    float *cloth;        // scratch, codec_cloth_words() of the largest lattice
    const uint32_t *payload;
    uint32_t words;
};

enum codec_fault { CODEC_SOUND, CODEC_CUT_OFF, CODEC_LEFT_OVER, CODEC_BAD_VALUE };

// Never reads or writes outside of what the job names, whatever the payload; on a fault x0 holds anything.
enum codec_fault codec_decode(const struct codec_job *job);

#endif
