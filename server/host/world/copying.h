// SPDX-License-Identifier: MIT
// What a world has to do with assignments: it is the original, of which each student gets a copy, or one of the copies.
// A copy is found again by the key that it was made for, also after a restart, because the store keeps it with the
// world.
#ifndef WEFT_HOST_WORLD_COPYING_H
#define WEFT_HOST_WORLD_COPYING_H

#include "base/bytes.h"
#include "host/world/world_state.h"

// As the store keeps it; nothing for a world that is neither original nor copy.
void copying_write(const struct copying *copying, struct bytes *out);
void copying_read(struct copying *copying, struct bytes_reader *in);
void describe_copying(const struct copying *copying, struct json_writer *out); // members of an open object

#endif
