// SPDX-License-Identifier: MIT
// Looking methods up by name. There are some forty: comparing them all costs less than a hash would.
#include <string.h>

#include "proto/gen/methods.h"

bool proto_method_find(const char *name, enum proto_method *method) {
    for (uint32_t i = 0; i < PROTO_METHOD_COUNT; i++) {
        if (strcmp(proto_methods[i].name, name) == 0) {
            *method = (enum proto_method)i;
            return true;
        }
    }
    return false;
}
