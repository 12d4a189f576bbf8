// SPDX-License-Identifier: MIT
// Reads the store's options as they are written on a command line: "full", "1h,1GB".
#ifndef WEFT_STORE_OPTION_PARSE_H
#define WEFT_STORE_OPTION_PARSE_H

#include "store/types.h"

// "full", "normal", "off". Errors: RESULT_INVALID.
enum result store_durability_parse(const char *text, enum store_durability *durability,
                                   struct fault *fault) WEFT_MUST_USE;
// "1h", "90m", "30s", "7d", "1GB", "500MB", "1h,1GB" or "unlimited". Errors: RESULT_INVALID.
enum result store_budget_parse(const char *text, struct store_budget *budget, struct fault *fault) WEFT_MUST_USE;

#endif
