// SPDX-License-Identifier: MIT
// Makes an example command line for a method from its schema.
#ifndef WEFT_TOOLS_SCHEMA_METHOD_EXAMPLE_H
#define WEFT_TOOLS_SCHEMA_METHOD_EXAMPLE_H

#include "tools/text/json_slice.h"

// Writes "weftctl call cloth.spawn columns=20 rows=20": every required param with a value that its schema allows.
void example_write(FILE *out, struct json_slice method);

#endif
