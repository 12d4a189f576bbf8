// SPDX-License-Identifier: MIT
// The table of links: which neighbours the particles of a stream are predicted from.
#ifndef WEFT_PROTO_FRAME_CODEC_LINKS_H
#define WEFT_PROTO_FRAME_CODEC_LINKS_H

#include "proto/frame/codec_encoder.h"

// Counts and fills the table of links. Errors: RESULT_MEMORY, RESULT_INVALID.
enum result codec_links_build(struct proto_codec *codec, const struct proto_codec_object *objects) WEFT_MUST_USE;

#endif
