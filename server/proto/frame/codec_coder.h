// SPDX-License-Identifier: MIT
// The entropy coder of coding 2.
#ifndef WEFT_PROTO_FRAME_CODEC_CODER_H
#define WEFT_PROTO_FRAME_CODEC_CODER_H

#include "proto/frame/codec_writer.h"

// Codes all symbols kept, from the last to the first, so that the words end at `end`; returns where the words begin,
// and the last states in `state`.
uint16_t *codec_code(const struct codec_writer *in, uint16_t *end, uint32_t state[CODEC_STATES]);
void codec_prepare_symbols(struct proto_codec *codec);
bool codec_is_quiet(const struct codec_writer *in, uint32_t first);

#endif
