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
    const char *method, *member; // that are being read, for error messages; or NULL
    struct proto_slice
        batch; // the text of the batch, which contains those of its commands; length 0 outside of a batch
    const struct proto_command *earlier; // commands of the batch
    uint32_t earlier_count;
    bool in_batch;
};

// Refuses the record with "METHOD.MEMBER why"; returns RESULT_INVALID.
enum result record_refuse(const struct record_reader *reader, const char *why);
enum result record_out_of_memory(const struct record_reader *reader);

enum result record_take_u8(struct record_reader *reader, uint32_t most, uint32_t *value) WEFT_MUST_USE;
enum result record_take_u32(struct record_reader *reader, uint32_t *value) WEFT_MUST_USE;
// Reads a count of items, and refuses it when fewer than `size` bytes per item are left.
enum result record_take_count(struct record_reader *reader, size_t size, uint32_t *count) WEFT_MUST_USE;
// Reads a name as a terminated text.
enum result record_take_name(struct record_reader *reader, char name[256]) WEFT_MUST_USE;

// Reads a value of any type but RECORD and COMMANDS over the default in `out`. A value that the request did not give
// may be a zero out of range, because the parameter has no default then.
enum result record_read_value(struct record_reader *reader, const struct proto_field *field, bool given,
                              void *out) WEFT_MUST_USE;

#endif
