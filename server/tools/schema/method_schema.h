// SPDX-License-Identifier: MIT
// Reads the built-in OpenRPC document: its methods and JSON schemas, with references resolved. All slices point into
// that document, which is constant.
#ifndef WEFT_TOOLS_SCHEMA_METHOD_SCHEMA_H
#define WEFT_TOOLS_SCHEMA_METHOD_SCHEMA_H

#include "tools/text/json_slice.h"

// Walks over the methods; begin with `*at` 0. Returns false at the end.
bool schema_next_method(size_t *at, struct json_slice *method);
// Finds a member of a schema, or of the schema that it refers to.
bool schema_member(struct json_slice schema, const char *name, struct json_slice *value);
// The same for a string member. Returns NULL when there is none; the caller frees the string.
char *schema_text(struct json_slice schema, const char *name);
// Whether the schema of an object requires the member of this name (with its quotes).
bool schema_requires(struct json_slice schema, struct json_slice name);
// Describes the values in a few words: "integer, 2 to 4096", "3 numbers in m".
void schema_describe(FILE *out, struct json_slice schema);

#endif
