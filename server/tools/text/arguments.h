// SPDX-License-Identifier: MIT
// Makes the params of a call from name=value pairs of a command line.
//
//     spacing=0.1                     a JSON value, passed on digit for digit
//     name=flag                       anything else is a string; "name=\"12\"" forces a string
//     position=0,2,0                  numbers with commas are a vector: [0,2,0]
//     wind.velocity=2,0,0 wind.gust=1 dots make nested objects: {"wind":{"velocity":[2,0,0],"gust":1}}
#ifndef WEFT_TOOLS_TEXT_ARGUMENTS_H
#define WEFT_TOOLS_TEXT_ARGUMENTS_H

#include "base/result.h"

// Returns the JSON object as text, which the caller frees; NULL with a fault when an argument is not a pair or two of
// them contradict one another.
char *arguments_to_json(int count, char **pairs, struct fault *fault) WEFT_MUST_USE;

#endif
