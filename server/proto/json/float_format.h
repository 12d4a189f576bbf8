// SPDX-License-Identifier: MIT
// Formats numbers as the shortest text that reads back as the same number.
#ifndef WEFT_PROTO_JSON_FLOAT_FORMAT_H
#define WEFT_PROTO_JSON_FLOAT_FORMAT_H

#include <stddef.h>

#define FLOAT_FORMAT_MAX 32 // bytes that either function may write, with the terminating zero

// Writes a finite value as a JSON number and returns the length. The text of `float_format_single` also gives the same
// float32 when it is read as a double and then rounded, as JavaScript's Math.fround does.
size_t float_format_single(float value, char out[FLOAT_FORMAT_MAX]);
size_t float_format_double(double value, char out[FLOAT_FORMAT_MAX]);

#endif
