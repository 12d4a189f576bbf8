// SPDX-License-Identifier: MIT
// Reading the values of a record; record_read.c reads the members and commands around them. A record may come from
// anybody, so every function checks what it reads, and moves on past it or refuses.
#ifndef WEFT_PROTO_RECORD_RECORD_VALUE_H
#define WEFT_PROTO_RECORD_RECORD_VALUE_H

#include "proto/message/decode_value.h"
#include "proto/record/record_wire.h"

struct record_reader {
    const unsigned char *at, *end;
    struct arena *arena;
    struct fault *fault;
    const char *method, *member;         // being read, for faults; or NULL
    struct proto_slice batch;            // its text, of which its commands' are parts; none: length 0
    const struct proto_command *earlier; // commands of the batch
    uint32_t earlier_count;
    bool in_batch;
};

// RESULT_INVALID: "METHOD.MEMBER why".
enum result record_refuse(const struct record_reader *reader, const char *why);
enum result record_out_of_memory(const struct record_reader *reader);

enum result record_take_u8(struct record_reader *reader, uint32_t most, uint32_t *value) WEFT_MUST_USE;
enum result record_take_u32(struct record_reader *reader, uint32_t *value) WEFT_MUST_USE;
// A count of items of at least `size` bytes each, for which there is room.
enum result record_take_count(struct record_reader *reader, size_t size, uint32_t *count) WEFT_MUST_USE;
// A name as text with its end.
enum result record_take_name(struct record_reader *reader, char name[256]) WEFT_MUST_USE;

// A value of any type but RECORD and COMMANDS, over the default that stands in `out`. One that was not given may be out
// of range where that is zero: there is no default then.
enum result record_read_value(struct record_reader *reader, const struct proto_field *field, bool given,
                              void *out) WEFT_MUST_USE;

#endif
