// SPDX-License-Identifier: MIT
// Writes JSON for people: the same tokens in the same order; only the space between them changes. The values are slices
// of text that json_check found valid.
#ifndef WEFT_TOOLS_TEXT_JSON_LAYOUT_H
#define WEFT_TOOLS_TEXT_JSON_LAYOUT_H

#include "tools/text/json_slice.h"

// Writes without any space outside strings.
void json_write_compact(FILE *out, struct json_slice value);
// Writes indented by two spaces; a short container of plain values, such as a vector, stays on one line.
void json_write_indented(FILE *out, struct json_slice value);

#endif
