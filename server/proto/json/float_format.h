// SPDX-License-Identifier: MIT
// Numbers as the shortest text that reads back as the same number.
#ifndef WEFT_PROTO_JSON_FLOAT_FORMAT_H
#define WEFT_PROTO_JSON_FLOAT_FORMAT_H

#include <stddef.h>

#define FLOAT_FORMAT_MAX 32 // bytes that either can need, the end included

// Finite values only. The text is a JSON number; returns its length. `float_format_single` gives text that reads back
// as the same float32 also by way of a double, as JavaScript's Math.fround does.
size_t float_format_single(float value, char out[FLOAT_FORMAT_MAX]);
size_t float_format_double(double value, char out[FLOAT_FORMAT_MAX]);

#endif
