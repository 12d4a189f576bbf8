// SPDX-License-Identifier: MIT
// Decodes the payload of coding 2 (proto/FRAMES.md). The caller has read the header and the ranges, and has the
// baselines and the links.
#ifndef WEFT_PROTO_FRAME_CODEC_DECODE_H
#define WEFT_PROTO_FRAME_CODEC_DECODE_H

#include "proto/frame/codec_model.h"

// All arrays belong to the caller; arrays of positions are three planes of `particles` each. In WebAssembly this struct
// is a sequence of 32-bit words in this order.
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

// Whatever the payload holds, the decoder reads and writes only the arrays of the job. After a fault the contents of x0
// are undefined.
enum codec_fault codec_decode(const struct codec_job *job);

#endif
