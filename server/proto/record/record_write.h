// SPDX-License-Identifier: MIT
// Writes a typed command as a compact binary record, for the log and for capsules. On every machine and in later
// versions, reading a record gives the command that was written, bit for bit.
//
// Every member of the generated struct is in the record, with its name, its type and whether the request gave it;
// defaults too, so that a later version with other defaults still reads the same command. Members that a later version
// adds get its defaults; members that it no longer knows are refused. Floats are kept as their bits.
//
// Layout, little-endian; `name` is a byte with its length, then so many bytes:
//   record   u8 version (1), command
//   command  name of the method; text; u8 number of members; members
//   text     the params as compact JSON: u8 0, u32 length, bytes; or, of a command in a batch, u8 1, u32 offset,
//            u32 length: a part of the batch's text
//   member   name; u8 type (record_wire.h), bit 7: the request gave it; value
//
// Records come from files that anybody may have made, so a reader makes the same checks as a decoder of requests.
#ifndef WEFT_PROTO_RECORD_RECORD_WRITE_H
#define WEFT_PROTO_RECORD_RECORD_WRITE_H

#include "base/bytes.h"
#include "proto/message/request.h"

// Appends the record of a command. Errors: RESULT_MEMORY, which leaves the length of `out` as it was; `out` has failed.
enum result proto_record_write(const struct proto_command *command, struct bytes *out) WEFT_MUST_USE;

#endif
