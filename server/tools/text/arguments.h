// SPDX-License-Identifier: MIT
// Params of a call, from the words of a command line.
//
//     spacing=0.1                     a JSON value as it stands, digit for digit
//     name=flag                       what is no JSON is a string; "name=\"12\"" forces one
//     position=0,2,0                  numbers with commas are a vector: [0,2,0]
//     wind.velocity=2,0,0 wind.gust=1 dots make nested objects: {"wind":{"velocity":[2,0,0],"gust":1}}
#ifndef WEFT_TOOLS_TEXT_ARGUMENTS_H
#define WEFT_TOOLS_TEXT_ARGUMENTS_H

#include "base/result.h"

// The JSON object that the pairs make, to be freed; NULL with a fault when one is no pair or two contradict one
// another.
char *arguments_to_json(int count, char **pairs, struct fault *fault) WEFT_MUST_USE;

#endif
