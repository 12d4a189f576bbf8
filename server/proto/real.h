// SPDX-License-Identifier: MIT
// Numbers as the shortest text that reads back as the same number.
#ifndef WEFT_PROTO_REAL_H
#define WEFT_PROTO_REAL_H

#include <stddef.h>

#define PROTO_REAL_MAX 32 // bytes that either can need, the end included

// Finite values only. The text is a JSON number; returns its length. `proto_real32_write` gives text that reads back as
// the same float32 also by way of a double, as JavaScript's Math.fround does.
size_t proto_real32_write(float value, char out[PROTO_REAL_MAX]);
size_t proto_real64_write(double value, char out[PROTO_REAL_MAX]);

#endif
