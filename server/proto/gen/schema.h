// SPDX-License-Identifier: MIT
// Generated from proto/weft.openrpc.json by proto/generate.mjs: do not edit, run `make generate`.
#ifndef WEFT_PROTO_GEN_SCHEMA_H
#define WEFT_PROTO_GEN_SCHEMA_H

#include <stddef.h>

// The OpenRPC document as compact JSON.
extern const char proto_schema[];
extern const size_t proto_schema_length;

#endif
