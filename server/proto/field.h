// SPDX-License-Identifier: MIT
// The decoder's description of a parameter: a row of a table that is generated from the schema. A record is the table
// of one struct.
//
// The decoder copies `initial` (the defaults) over the struct, finds the row of each JSON member, checks the value and
// writes it at `offset`. Only server/proto includes this header.
#ifndef WEFT_PROTO_FIELD_H
#define WEFT_PROTO_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum proto_type {
    PROTO_TYPE_REAL,
    PROTO_TYPE_INTEGER,
    PROTO_TYPE_INTEGER64,
    PROTO_TYPE_BOOLEAN,
    PROTO_TYPE_STRING,
    PROTO_TYPE_COLOR,
    PROTO_TYPE_ENUM,
    PROTO_TYPE_MASK, // an array of enum names, decoded as bits
    PROTO_TYPE_VEC3,
    PROTO_TYPE_QUAT,
    PROTO_TYPE_REALS,
    PROTO_TYPE_REAL_TRIPLES, // flat, or as arrays of three
    PROTO_TYPE_INDICES,
    PROTO_TYPE_INDEX_TRIPLES,
    PROTO_TYPE_REF,
    PROTO_TYPE_SIZE, // one length, or three
    PROTO_TYPE_SHEET_PINS,
    PROTO_TYPE_RECORD,
    PROTO_TYPE_COMMANDS,
    PROTO_TYPE_RECORDS, // an array of objects
    PROTO_TYPE_COUNT
};

// How a string is checked beyond its length.
enum proto_format {
    PROTO_FORMAT_NAME,
    PROTO_FORMAT_SCENE,
    PROTO_FORMAT_WORLD,
    PROTO_FORMAT_BASE64,
    PROTO_FORMAT_COUNT
};

struct proto_record;

struct proto_field {
    const char *name; // as in JSON
    enum proto_type type;
    bool required;
    bool above, below;       // the minimum or the maximum itself is not allowed
    bool non_zero;           // a vector whose length must not be 0
    size_t offset;           // of the member in its struct
    size_t has_offset;       // of its has_ flag, unless required
    double minimum, maximum; // of the number, or of every number of an array
    uint32_t least, most;    // characters of a string, items of an array (triples: numbers)
    const char *unit;        // or NULL
    // A member that is newer than this one, or NULL. Records without that member are older; in them this one was
    // required, and is always given (record_read.c).
    const char *required_without;
    enum proto_format format;
    const char *const *names; // of an enum, a mask or the choices of sheet pins
    uint32_t name_count;
    const struct proto_record *record;
};

struct proto_record {
    const struct proto_field *fields;
    uint32_t count;
    size_t size;         // of the struct; 0 without fields
    const void *initial; // a struct with the defaults, or NULL when there are none
};

#endif
