// SPDX-License-Identifier: MIT
// Looking methods up by name.
#ifndef WEFT_PROTO_MESSAGE_METHOD_H
#define WEFT_PROTO_MESSAGE_METHOD_H

#include <stdbool.h>

#include "proto/gen/methods.h"

// Whether there is a method of this name; `method` is untouched when there is none.
bool proto_method_find(const char *name, enum proto_method *method);

#endif
