// SPDX-License-Identifier: MIT
// Lengths are checked against the bytes that are left, and values against the generated tables as in decode_value.c,
// except that bounds are rounded to float32 before they are compared.
#include "proto/record/record_value.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

#define UNIT_TOLERANCE 1e-3 // of the square of a direction's length

enum result record_refuse(const struct record_reader *reader, const char *why) {
    return fault_set(reader->fault, RESULT_INVALID, "", "this is no record of a command: %s%s%s %s",
                     reader->method != NULL ? reader->method : "its head", reader->member != NULL ? "." : "",
                     reader->member != NULL ? reader->member : "", why);
}

enum result record_out_of_memory(const struct record_reader *reader) {
    return fault_set(reader->fault, RESULT_MEMORY, "", "out of memory while reading a record");
}

// ---- numbers and names --------------------------------------------------------------------------------------------

static enum result take_number(struct record_reader *reader, size_t size, uint64_t *value) {
    if ((size_t)(reader->end - reader->at) < size) {
        return record_refuse(reader, "ends too early");
    }
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++) {
        number |= (uint64_t)reader->at[i] << 8 * i;
    }
    reader->at += size;
    *value = number;
    return RESULT_OK;
}

enum result record_take_u32(struct record_reader *reader, uint32_t *value) {
    uint64_t number = 0;
    enum result result = take_number(reader, 4, &number);
    *value = (uint32_t)number;
    return result;
}

enum result record_take_u8(struct record_reader *reader, uint32_t most, uint32_t *value) {
    uint64_t number = 0;
    enum result result = take_number(reader, 1, &number);
    *value = (uint32_t)number;
    return result == RESULT_OK && number > most ? record_refuse(reader, "has an unknown flag") : result;
}

enum result record_take_count(struct record_reader *reader, size_t size, uint32_t *count) {
    enum result result = record_take_u32(reader, count);
    return result == RESULT_OK && *count > (size_t)(reader->end - reader->at) / size
               ? record_refuse(reader, "ends too early")
               : result;
}

enum result record_take_name(struct record_reader *reader, char name[256]) {
    uint64_t length = 0;
    enum result result = take_number(reader, 1, &length);
    if (result == RESULT_OK && (size_t)(reader->end - reader->at) < length) {
        result = record_refuse(reader, "ends too early");
    }
    if (result == RESULT_OK) {
        memcpy(name, reader->at, (size_t)length);
        name[length] = '\0';
        reader->at += length;
        result = strlen(name) == length ? RESULT_OK : record_refuse(reader, "has a name with a zero in it");
    }
    return result;
}

static enum result take_choice(struct record_reader *reader, const struct proto_field *field, uint32_t *number) {
    char name[256];
    enum result result = record_take_name(reader, name);
    if (result != RESULT_OK) {
        return result;
    }
    for (uint32_t i = 0; i < field->name_count; i++) {
        if (strcmp(field->names[i], name) == 0) {
            *number = i;
            return RESULT_OK;
        }
    }
    return record_refuse(reader, "has a value that this version does not know");
}

// ---- values: read, then checked -----------------------------------------------------------------------------------

static bool real_allowed(const struct proto_field *field, float value) {
    return isfinite(value) && value >= (float)field->minimum && value <= (float)field->maximum &&
           !(field->above && (double)value <= field->minimum) && !(field->below && (double)value >= field->maximum);
}

static bool integer_allowed(const struct proto_field *field, double value) {
    return value >= field->minimum && value <= field->maximum;
}

static enum result take_floats(struct record_reader *reader, float *values, uint32_t count) {
    enum result result = RESULT_OK;
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        uint32_t bits = 0;
        result = record_take_u32(reader, &bits);
        memcpy(&values[i], &bits, sizeof bits);
    }
    return result;
}

// `allowed` becomes false when the value is out of range; the caller may still accept a zero.
typedef enum result (*read_function)(struct record_reader *reader, const struct proto_field *field, void *out,
                                     bool *allowed);

static enum result read_real(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    enum result result = take_floats(reader, out, 1);
    *allowed = real_allowed(field, *(const float *)out);
    return result;
}

static enum result read_integer(struct record_reader *reader, const struct proto_field *field, void *out,
                                bool *allowed) {
    enum result result = record_take_u32(reader, out);
    *allowed = integer_allowed(field, (double)*(const uint32_t *)out);
    return result;
}

static enum result read_color(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    (void)field;
    enum result result = record_take_u32(reader, out);
    *allowed = *(const uint32_t *)out <= 0xFFFFFF;
    return result;
}

static enum result read_integer64(struct record_reader *reader, const struct proto_field *field, void *out,
                                  bool *allowed) {
    enum result result = take_number(reader, 8, out);
    *allowed = integer_allowed(field, (double)*(const uint64_t *)out);
    return result;
}

static enum result read_boolean(struct record_reader *reader, const struct proto_field *field, void *out,
                                bool *allowed) {
    (void)field;
    uint32_t value = 0;
    enum result result = record_take_u8(reader, 1, &value);
    *(bool *)out = value != 0;
    *allowed = true;
    return result;
}

static bool is_utf8(const char *text, size_t length) {
    for (size_t at = 0, step = 0; at < length; at += step) {
        step = utf8_read(text + at, length - at, NULL);
        if (step == 0 || text[at] == '\0') {
            return false;
        }
    }
    return true;
}

static enum result read_string(struct record_reader *reader, const struct proto_field *field, void *out,
                               bool *allowed) {
    uint32_t length = 0;
    enum result result = record_take_u32(reader, &length);
    if (result != RESULT_OK || length == RECORD_NO_STRING) {
        *(const char **)out = NULL;
        *allowed = false;
        return result;
    }
    if ((size_t)(reader->end - reader->at) < length) {
        return record_refuse(reader, "ends too early");
    }
    char *copy = arena_take(reader->arena, (size_t)length + 1);
    if (copy == NULL) {
        return record_out_of_memory(reader);
    }
    memcpy(copy, reader->at, length);
    copy[length] = '\0';
    reader->at += length;
    *(const char **)out = copy;
    *allowed = is_utf8(copy, length) && proto_string_allowed(field, copy);
    return RESULT_OK;
}

static enum result read_enum(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    uint32_t number = 0;
    enum result result = take_choice(reader, field, &number);
    memcpy(out, &number, sizeof number);
    *allowed = true;
    return result;
}

static enum result read_mask(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    uint32_t count = 0, bits = 0;
    enum result result = record_take_u8(reader, field->name_count, &count);
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        uint32_t number = 0;
        result = take_choice(reader, field, &number);
        if (result == RESULT_OK && (bits >> number & 1) != 0) {
            result = record_refuse(reader, "has a name twice");
        }
        bits |= 1u << number;
    }
    *(uint32_t *)out = bits;
    *allowed = bits != 0;
    return result;
}

static bool vector_allowed(const struct proto_field *field, const float *items, uint32_t count) {
    double square = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!real_allowed(field, items[i])) {
            return false;
        }
        square += (double)items[i] * (double)items[i];
    }
    return !field->non_zero || fabs(square - 1) < UNIT_TOLERANCE; // decoding gave it unit length
}

static enum result read_vec3(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    float items[3] = {0};
    enum result result = take_floats(reader, items, 3);
    *(struct vec3 *)out = (struct vec3){items[0], items[1], items[2]};
    *allowed = vector_allowed(field, items, 3);
    return result;
}

static enum result read_quat(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    float items[4] = {0};
    enum result result = take_floats(reader, items, 4);
    *(struct quat *)out = (struct quat){items[0], items[1], items[2], items[3]};
    *allowed = vector_allowed(field, items, 4);
    return result;
}

static bool count_allowed(const struct proto_field *field, uint32_t count) {
    const bool threes = field->type == PROTO_TYPE_REAL_TRIPLES || field->type == PROTO_TYPE_INDEX_TRIPLES;
    return count >= field->least && count <= field->most && (!threes || count % 3 == 0);
}

static enum result read_reals(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    uint32_t count = 0;
    enum result result = record_take_count(reader, sizeof(float), &count);
    float *items = result == RESULT_OK ? arena_take(reader->arena, (size_t)count * sizeof *items) : NULL;
    if (items == NULL) {
        return result == RESULT_OK ? record_out_of_memory(reader) : result;
    }
    result = take_floats(reader, items, count);
    *allowed = count_allowed(field, count);
    for (uint32_t i = 0; i < count && *allowed; i++) {
        *allowed = real_allowed(field, items[i]);
    }
    *(struct proto_floats *)out = (struct proto_floats){count > 0 ? items : NULL, count};
    return result;
}

static enum result read_indices(struct record_reader *reader, const struct proto_field *field, void *out,
                                bool *allowed) {
    uint32_t count = 0;
    enum result result = record_take_count(reader, sizeof(uint32_t), &count);
    uint32_t *items = result == RESULT_OK ? arena_take(reader->arena, (size_t)count * sizeof *items) : NULL;
    if (items == NULL) {
        return result == RESULT_OK ? record_out_of_memory(reader) : result;
    }
    *allowed = count_allowed(field, count);
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        result = record_take_u32(reader, &items[i]);
        *allowed = *allowed && integer_allowed(field, (double)items[i]);
    }
    *(struct proto_indices *)out = (struct proto_indices){count > 0 ? items : NULL, count};
    return result;
}

static enum result read_ref(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    uint32_t is_command = 0, value = 0;
    enum result result = record_take_u8(reader, 1, &is_command);
    if (result == RESULT_OK) {
        result = record_take_u32(reader, &value);
    }
    if (result == RESULT_OK && is_command != 0 &&
        (value >= reader->earlier_count || proto_methods[reader->earlier[value].method].makes != PROTO_MAKES_OBJECT)) {
        return record_refuse(reader, "names a command that makes no object before it");
    }
    *(struct proto_ref *)out = (struct proto_ref){is_command != 0, value};
    *allowed = is_command != 0 || integer_allowed(field, (double)value);
    return result;
}

static enum result read_size(struct record_reader *reader, const struct proto_field *field, void *out, bool *allowed) {
    uint32_t has_extents = 0;
    float items[4] = {0};
    enum result result = record_take_u8(reader, 1, &has_extents);
    if (result == RESULT_OK) {
        result = take_floats(reader, items, 4);
    }
    *(struct proto_size *)out = (struct proto_size){has_extents != 0, items[0], {items[1], items[2], items[3]}};
    *allowed = has_extents != 0 ? items[0] == 0 && vector_allowed(field, items + 1, 3)
                                : real_allowed(field, items[0]) && items[1] == 0 && items[2] == 0 && items[3] == 0;
    return result;
}

static enum result read_sheet_pins(struct record_reader *reader, const struct proto_field *field, void *out,
                                   bool *allowed) {
    struct proto_sheet_pins pins = {.choice = PROTO_SHEET_PINS_LIST};
    const bool listed = reader->at < reader->end && *reader->at == 0;
    uint32_t choice = PROTO_SHEET_PINS_LIST;
    char name[256];
    enum result result = listed ? record_take_name(reader, name) : take_choice(reader, field, &choice);
    if (result == RESULT_OK) {
        result = read_indices(reader, field, &pins.indices, allowed);
    }
    if (!listed) {
        *allowed = pins.indices.count == 0;
    }
    pins.choice = (enum proto_sheet_pins_choice)choice;
    *(struct proto_sheet_pins *)out = pins;
    return result;
}

static bool is_zero(const void *value, size_t size) {
    const unsigned char *bytes = value;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

// Whether the value is the zero that a struct without defaults holds. Types with padding are compared by their members.
static bool is_unset(enum proto_type type, const void *value) {
    const struct proto_ref *ref = value;
    const struct proto_size *length = value;
    const struct proto_sheet_pins *pins = value;
    switch (type) {
    case PROTO_TYPE_REALS:
    case PROTO_TYPE_REAL_TRIPLES:
        return ((const struct proto_floats *)value)->count == 0;
    case PROTO_TYPE_INDICES:
    case PROTO_TYPE_INDEX_TRIPLES:
        return ((const struct proto_indices *)value)->count == 0;
    case PROTO_TYPE_REF:
        return !ref->is_command && ref->value == 0;
    case PROTO_TYPE_SIZE:
        return !length->has_extents && length->length == 0 && is_zero(&length->extents, sizeof length->extents);
    case PROTO_TYPE_SHEET_PINS:
        return pins->choice == 0 && pins->indices.count == 0;
    default:
        return is_zero(value, record_types[type].size);
    }
}

enum result record_read_value(struct record_reader *reader, const struct proto_field *field, bool given, void *out) {
    static const read_function functions[PROTO_TYPE_COUNT] = {
        [PROTO_TYPE_REAL] = read_real,
        [PROTO_TYPE_INTEGER] = read_integer,
        [PROTO_TYPE_INTEGER64] = read_integer64,
        [PROTO_TYPE_BOOLEAN] = read_boolean,
        [PROTO_TYPE_STRING] = read_string,
        [PROTO_TYPE_COLOR] = read_color,
        [PROTO_TYPE_ENUM] = read_enum,
        [PROTO_TYPE_MASK] = read_mask,
        [PROTO_TYPE_VEC3] = read_vec3,
        [PROTO_TYPE_QUAT] = read_quat,
        [PROTO_TYPE_REALS] = read_reals,
        [PROTO_TYPE_REAL_TRIPLES] = read_reals,
        [PROTO_TYPE_INDICES] = read_indices,
        [PROTO_TYPE_INDEX_TRIPLES] = read_indices,
        [PROTO_TYPE_REF] = read_ref,
        [PROTO_TYPE_SIZE] = read_size,
        [PROTO_TYPE_SHEET_PINS] = read_sheet_pins, // RECORD, COMMANDS: record_read.c
    };
    const bool has_default = !is_unset(field->type, out); // as it stands in the struct
    bool allowed = true;
    enum result result = functions[field->type](reader, field, out, &allowed);
    if (result == RESULT_OK && !allowed && (given || has_default || !is_unset(field->type, out))) {
        return record_refuse(reader, "has a value that is not allowed");
    }
    return result;
}
