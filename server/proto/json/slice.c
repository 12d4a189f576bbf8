// SPDX-License-Identifier: MIT
// Finds where values end in a text that is known to be valid and compact.
#include "proto/json/slice.h"

// The end of the string that begins at `at`.
static const char *skip_string(const char *at) {
    for (at++; *at != '"'; at++) {
        at += *at == '\\';
    }
    return at + 1;
}

// The end of the value that begins at `at`.
static const char *skip_value(const char *at) {
    size_t depth = 0;
    do {
        switch (*at) {
        case '"':
            at = skip_string(at);
            break;
        case '{':
        case '[':
            depth++;
            at++;
            break;
        case '}':
        case ']':
            depth--;
            at++;
            break;
        default:
            at++;
        }
    } while (depth > 0 || (*at != ',' && *at != '}' && *at != ']' && *at != '\0'));
    return at;
}

struct proto_slice_walk proto_slice_begin(const char *container) {
    return (struct proto_slice_walk){.next = container + 1, .in_object = *container == '{'};
}

void proto_slice_next(struct proto_slice_walk *walk) {
    const char *value = walk->next + (*walk->next == ',');
    if (walk->in_object) {
        value = skip_string(value) + 1;
    }
    walk->next = skip_value(value);
    walk->value = (struct proto_slice){value, (size_t)(walk->next - value)};
}
