// SPDX-License-Identifier: MIT
// The weights of a prediction, fitted to an object's recent frames.
#ifndef WEFT_PROTO_FRAME_CODEC_FIT_H
#define WEFT_PROTO_FRAME_CODEC_FIT_H

#include "proto/frame/codec_encoder.h"

// Weights for an object from a sample of its particles; uses view->e.
void codec_fit(struct codec_fit *fit, uint32_t variant, const struct codec_object *object, const int32_t *table,
               const struct codec_view *view, struct codec_weights *weights);
// A rough count of bits for a sample of the object's particles with these weights.
double codec_fit_cost(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                      const struct codec_weights *weights);

#endif
