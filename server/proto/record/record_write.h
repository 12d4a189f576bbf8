// SPDX-License-Identifier: MIT
// A typed command as a compact binary record, for the log and for capsules: what is read is what was written, to the
// bit, on every machine and in later versions.
//
// Everything is explicit: every member of the generated struct is in the record with its name, its type and whether the
// request gave it, defaults too, so that a later version with other defaults still reads the same command. Members that
// a later version adds get its defaults; members that it no longer knows are refused. Floats are kept as their bits.
//
// Layout, little-endian; `name` is a byte with its length, then so many bytes:
//   record   u8 version (1), command
//   command  name of the method; text; u8 number of members; members
//   text     the params as compact JSON: u8 0, u32 length, bytes; or u8 1, u32 offset, u32 length: a part of the text
//   of
//            the batch that the command stands in
//   member   name; u8 type (record_wire.h), bit 7: the request gave it; value
//
// Records come from files that anybody may have made, so reading checks all that decoding a request checks.
#ifndef WEFT_PROTO_RECORD_RECORD_WRITE_H
#define WEFT_PROTO_RECORD_RECORD_WRITE_H

#include "proto/message/request.h"

// Bytes being written; zero at first. Keeps its memory, so that in the long run nothing is allocated.
struct proto_bytes {
    unsigned char *data;
    size_t length, capacity;
};
void proto_bytes_free(struct proto_bytes *bytes);

// Appends the record of a command. Errors: RESULT_MEMORY; then `out` is as long as it was.
enum result proto_record_write(const struct proto_command *command, struct proto_bytes *out) WEFT_MUST_USE;

#endif
