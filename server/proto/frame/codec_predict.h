// SPDX-License-Identifier: MIT
// The predictions of an encoder, particle by particle or a row at a time.
#ifndef WEFT_PROTO_FRAME_CODEC_PREDICT_H
#define WEFT_PROTO_FRAME_CODEC_PREDICT_H

#include "proto/frame/codec_writer.h"

// Predicts and keeps every particle of the writer's object.
void codec_predict(struct codec_writer *out);

#endif
