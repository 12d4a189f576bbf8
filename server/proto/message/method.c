// SPDX-License-Identifier: MIT
// With some seventy methods, comparing the name with all of them costs less than a hash would.
#include "proto/message/method.h"

#include <string.h>

bool proto_method_find(const char *name, enum proto_method *method) {
    for (uint32_t i = 0; i < PROTO_METHOD_COUNT; i++) {
        if (strcmp(proto_methods[i].name, name) == 0) {
            *method = (enum proto_method)i;
            return true;
        }
    }
    return false;
}
