// SPDX-License-Identifier: MIT
#include "host/world/copying.h"

void copying_write(const struct copying *copying, struct bytes *out) {
    if (copying->allowed > 0 || copying->original[0] != '\0') {
        bytes_add_u32(out, copying->allowed);
        bytes_add_u32(out, copying->paused ? 1 : 0);
        bytes_add_text(out, copying->original);
        bytes_add_text(out, copying->key);
    }
}

void copying_read(struct copying *copying, struct bytes_reader *in) {
    copying->allowed = bytes_take_u32(in);
    copying->paused = bytes_take_u32(in) != 0;
    bytes_take_text(in, copying->original, sizeof copying->original);
    bytes_take_text(in, copying->key, sizeof copying->key);
}

void describe_copying(const struct copying *copying, struct json_writer *out) {
    if (copying->allowed > 0) {
        json_writer_member_unsigned(out, "copies", copying->allowed);
    }
    if (copying->original[0] != '\0') {
        json_writer_member_string(out, "copyOf", copying->original);
    }
}
