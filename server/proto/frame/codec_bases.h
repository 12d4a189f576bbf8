// SPDX-License-Identifier: MIT
// The bases that an object's particles are predicted from.
#ifndef WEFT_PROTO_FRAME_CODEC_BASES_H
#define WEFT_PROTO_FRAME_CODEC_BASES_H

#include "proto/frame/codec_writer.h"

void codec_weave_init(struct codec_weave *weave, const struct proto_codec_object *object, float step);

// Sets e of the writer's object; returns whether its bases are those of the cloth's own motion.
bool codec_find_bases(struct codec_writer *out, uint32_t index);

#endif
