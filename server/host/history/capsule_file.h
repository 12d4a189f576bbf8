// SPDX-License-Identifier: MIT
// The file of a capsule: a part of a world's history that any machine replays bit for bit, a browser included. It holds
// a snapshot (or begins with an empty world), the records of the ticks since, and hashes of the state. It names no
// session, request, address or time of a command. Capsules are packed and unpacked in memory; thread-safe.
//
// A file of format 3 is gzip, so that its checksum is known to every decompressor; its content (proto/FRAMES.md,
// "Capsules") consists of the engine's own messages. Files of formats 1 and 2 are SQLite databases (store/capsule/),
// which are only read.
#ifndef WEFT_HOST_HISTORY_CAPSULE_FILE_H
#define WEFT_HOST_HISTORY_CAPSULE_FILE_H

#include "store/capsule/capsule_unpack.h"

// Free the bytes with free(). Errors: RESULT_LIMIT (more than STORE_CAPSULE_MAX bytes before compression),
// RESULT_MEMORY.
enum result capsule_pack(const struct store_capsule *capsule, unsigned char **bytes, size_t *size,
                         struct fault *fault) WEFT_MUST_USE;
// Of any format. The file may come from anybody; the records and the state in it are not looked at. Errors:
// RESULT_INVALID (no capsule, or of a newer format), RESULT_DAMAGED, RESULT_LIMIT, RESULT_MEMORY. Free with
// store_capsule_free.
enum result capsule_unpack(const void *bytes, size_t size, struct store_capsule **capsule,
                           struct fault *fault) WEFT_MUST_USE;

#endif
