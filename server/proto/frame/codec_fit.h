// SPDX-License-Identifier: MIT
// The weights of a prediction, fitted to an object's recent frames.
#ifndef WEFT_PROTO_FRAME_CODEC_FIT_H
#define WEFT_PROTO_FRAME_CODEC_FIT_H

#include "proto/frame/codec_encoder.h"

// Fits weights for an object to a sample of its particles; reads view->e.
void codec_fit(struct codec_fit *fit, uint32_t variant, const struct codec_object *object, const int32_t *table,
               const struct codec_view *view, struct codec_weights *weights);
// Estimates the bits that a sample of the object's particles takes with these weights.
double codec_fit_cost(const struct codec_object *object, const int32_t *table, const struct codec_view *view,
                      const struct codec_weights *weights);

#endif
