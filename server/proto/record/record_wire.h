// SPDX-License-Identifier: MIT
// The types of values in records: the number of each type, which never changes, and the size of its value in a struct.
// Values are little-endian; `name` is as in record_write.h:
//   1 real       f32                            11 reals            u32 count, f32 each
//   2 integer    u32                            12 real triples     u32 count of numbers, f32 each
//   3 integer64  u64                            13 indices          u32 count, u32 each
//   4 boolean    u8 0 or 1                      14 index triples    u32 count of indices, u32 each
//   5 string     u32 bytes or 2³²−1: none       15 reference        u8 1: a command of the batch, u32
//   6 color      u32                            16 size             u8 1: extents; f32 length; 3 × f32 extents
//   7 enum       name                           17 sheet pins       name, empty: a list; u32 count, u32 each
//   8 mask       u8 count, names                18 record           u8 number of members, members
//   9 vec3       3 × f32                        19 commands         u32 count, commands
//  10 quat       4 × f32                        20 records          u32 count, each as a record
#ifndef WEFT_PROTO_RECORD_RECORD_WIRE_H
#define WEFT_PROTO_RECORD_RECORD_WIRE_H

#include "proto/field.h"
#include "proto/gen/methods.h"

#define PROTO_RECORD_VERSION 1u

#define RECORD_GIVEN 0x80u
#define RECORD_NO_STRING UINT32_MAX

enum record_text { RECORD_TEXT_OWN = 0, RECORD_TEXT_PART = 1 };

struct record_type {
    uint8_t number;
    size_t size; // of the value in its struct; 0: the size of the field's record
};

static const struct record_type record_types[PROTO_TYPE_COUNT] = {
    [PROTO_TYPE_REAL] = {1, sizeof(float)},
    [PROTO_TYPE_INTEGER] = {2, sizeof(uint32_t)},
    [PROTO_TYPE_INTEGER64] = {3, sizeof(uint64_t)},
    [PROTO_TYPE_BOOLEAN] = {4, sizeof(bool)},
    [PROTO_TYPE_STRING] = {5, sizeof(const char *)},
    [PROTO_TYPE_COLOR] = {6, sizeof(uint32_t)},
    [PROTO_TYPE_ENUM] = {7, sizeof(uint32_t)},
    [PROTO_TYPE_MASK] = {8, sizeof(uint32_t)},
    [PROTO_TYPE_VEC3] = {9, sizeof(struct vec3)},
    [PROTO_TYPE_QUAT] = {10, sizeof(struct quat)},
    [PROTO_TYPE_REALS] = {11, sizeof(struct proto_floats)},
    [PROTO_TYPE_REAL_TRIPLES] = {12, sizeof(struct proto_floats)},
    [PROTO_TYPE_INDICES] = {13, sizeof(struct proto_indices)},
    [PROTO_TYPE_INDEX_TRIPLES] = {14, sizeof(struct proto_indices)},
    [PROTO_TYPE_REF] = {15, sizeof(struct proto_ref)},
    [PROTO_TYPE_SIZE] = {16, sizeof(struct proto_size)},
    [PROTO_TYPE_SHEET_PINS] = {17, sizeof(struct proto_sheet_pins)},
    [PROTO_TYPE_RECORD] = {18, 0},
    [PROTO_TYPE_COMMANDS] = {19, sizeof(struct proto_commands)},
    [PROTO_TYPE_RECORDS] = {20, sizeof(struct proto_list)},
};
_Static_assert(PROTO_TYPE_COUNT == 20, "a type was added: give it a number and say how it is written and read");

#endif
