// SPDX-License-Identifier: MIT
// Reading the built-in OpenRPC document: methods, and JSON schemas with their references resolved. All slices are of
// that document and live for ever.
#ifndef WEFT_TOOLS_SCHEMA_METHOD_SCHEMA_H
#define WEFT_TOOLS_SCHEMA_METHOD_SCHEMA_H

#include "tools/text/json_slice.h"

// Walks the methods; start with `*at` 0.
bool schema_next_method(size_t *at, struct json_slice *method);
// A member of a schema: its own, else that of the schema it refers to.
bool schema_member(struct json_slice schema, const char *name, struct json_slice *value);
// The same for a string, to be freed; NULL when there is none.
char *schema_text(struct json_slice schema, const char *name);
// Does an object's schema require the member of this name (with its quotes)?
bool schema_requires(struct json_slice schema, struct json_slice name);
// What values it takes, in a few words: "integer, 2 to 4096", "3 numbers in m".
void schema_describe(FILE *out, struct json_slice schema);

#endif
