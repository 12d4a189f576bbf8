// SPDX-License-Identifier: MIT
// Writes each member by its row of the generated tables.
#include "proto/record/record_write.h"

#include <stdlib.h>
#include <string.h>

#include "proto/record/record_wire.h"

// The state of writing one record. After a failed allocation nothing more is written.
struct writer {
    struct proto_bytes *out;
    bool failed;
    const struct proto_command *batch; // the batch whose commands are being written, or NULL
};

void proto_bytes_free(struct proto_bytes *bytes) {
    free(bytes->data);
    *bytes = (struct proto_bytes){0};
}

// ---- numbers ------------------------------------------------------------------------------------------------------

static unsigned char *reserve(struct writer *writer, size_t size) {
    struct proto_bytes *out = writer->out;
    if (!writer->failed && size > out->capacity - out->length) {
        size_t capacity = out->capacity < 256 ? 256 : out->capacity;
        while (capacity - out->length < size) {
            capacity *= 2;
        }
        unsigned char *data = realloc(out->data, capacity);
        writer->failed = data == NULL;
        out->data = data != NULL ? data : out->data;
        out->capacity = data != NULL ? capacity : out->capacity;
    }
    if (writer->failed) {
        return NULL;
    }
    out->length += size;
    return out->data + out->length - size;
}

static void put_bytes(struct writer *writer, const void *bytes, size_t size) {
    unsigned char *to = size > 0 ? reserve(writer, size) : NULL;
    if (to != NULL) {
        memcpy(to, bytes, size);
    }
}

static void put_number(struct writer *writer, uint64_t value, size_t size) {
    unsigned char *to = reserve(writer, size);
    for (size_t i = 0; to != NULL && i < size; i++) {
        to[i] = (unsigned char)(value >> 8 * i);
    }
}

static void put_u8(struct writer *writer, uint32_t value) {
    put_number(writer, value, 1);
}

static void put_u32(struct writer *writer, uint32_t value) {
    put_number(writer, value, 4);
}

static void put_float(struct writer *writer, float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put_u32(writer, bits);
}

// Writes a name of the schema, which has fewer than 256 bytes.
static void put_name(struct writer *writer, const char *name) {
    const size_t length = strlen(name);
    put_u8(writer, (uint32_t)length);
    put_bytes(writer, name, length);
}

static void put_indices(struct writer *writer, const struct proto_indices *indices) {
    put_u32(writer, indices->count);
    for (uint32_t i = 0; i < indices->count; i++) {
        put_u32(writer, indices->items[i]);
    }
}

static void put_floats(struct writer *writer, const float *items, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        put_float(writer, items[i]);
    }
}

// ---- values -------------------------------------------------------------------------------------------------------

static void put_command(struct writer *writer, const struct proto_command *command);
static void put_members(struct writer *writer, const struct proto_record *record, const char *from);

static void write_real(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    put_float(writer, *(const float *)value);
}

static void write_integer(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    put_u32(writer, *(const uint32_t *)value);
}

static void write_integer64(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    put_number(writer, *(const uint64_t *)value, 8);
}

static void write_boolean(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    put_u8(writer, *(const bool *)value ? 1 : 0);
}

static void write_string(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const char *text = *(const char *const *)value;
    const size_t length = text == NULL ? 0 : strlen(text);
    put_u32(writer, text == NULL ? RECORD_NO_STRING : (uint32_t)length);
    put_bytes(writer, text, length);
}

static void write_enum(struct writer *writer, const struct proto_field *field, const void *value) {
    uint32_t number = 0;
    memcpy(&number, value, sizeof number);
    put_name(writer, field->names[number]);
}

static void write_mask(struct writer *writer, const struct proto_field *field, const void *value) {
    const uint32_t bits = *(const uint32_t *)value;
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->name_count; i++) {
        count += bits >> i & 1;
    }
    put_u8(writer, count);
    for (uint32_t i = 0; i < field->name_count; i++) {
        if ((bits >> i & 1) != 0) {
            put_name(writer, field->names[i]);
        }
    }
}

static void write_vec3(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const struct vec3 *vector = value;
    const float items[] = {vector->x, vector->y, vector->z};
    put_floats(writer, items, 3);
}

static void write_quat(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const struct quat *rotation = value;
    const float items[] = {rotation->x, rotation->y, rotation->z, rotation->w};
    put_floats(writer, items, 4);
}

static void write_reals(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const struct proto_floats *floats = value;
    put_u32(writer, floats->count);
    put_floats(writer, floats->items, floats->count);
}

static void write_indices(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    put_indices(writer, value);
}

static void write_ref(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const struct proto_ref *ref = value;
    put_u8(writer, ref->is_command ? 1 : 0);
    put_u32(writer, ref->value);
}

static void write_size(struct writer *writer, const struct proto_field *field, const void *value) {
    const struct proto_size *size = value;
    put_u8(writer, size->has_extents ? 1 : 0);
    put_float(writer, size->length);
    write_vec3(writer, field, &size->extents);
}

static void write_sheet_pins(struct writer *writer, const struct proto_field *field, const void *value) {
    const struct proto_sheet_pins *pins = value;
    put_name(writer, pins->choice == PROTO_SHEET_PINS_LIST ? "" : field->names[pins->choice]);
    put_indices(writer, &pins->indices);
}

static void write_record(struct writer *writer, const struct proto_field *field, const void *value) {
    put_members(writer, field->record, value);
}

static void write_commands(struct writer *writer, const struct proto_field *field, const void *value) {
    (void)field;
    const struct proto_commands *commands = value;
    put_u32(writer, commands->count);
    for (uint32_t i = 0; i < commands->count; i++) {
        put_command(writer, &commands->items[i]);
    }
}

// ---- members and commands -----------------------------------------------------------------------------------------

static void put_member(struct writer *writer, const struct proto_field *field, const char *from) {
    static void (*const functions[PROTO_TYPE_COUNT])(struct writer *, const struct proto_field *, const void *) = {
        [PROTO_TYPE_REAL] = write_real,
        [PROTO_TYPE_INTEGER] = write_integer,
        [PROTO_TYPE_INTEGER64] = write_integer64,
        [PROTO_TYPE_BOOLEAN] = write_boolean,
        [PROTO_TYPE_STRING] = write_string,
        [PROTO_TYPE_COLOR] = write_integer,
        [PROTO_TYPE_ENUM] = write_enum,
        [PROTO_TYPE_MASK] = write_mask,
        [PROTO_TYPE_VEC3] = write_vec3,
        [PROTO_TYPE_QUAT] = write_quat,
        [PROTO_TYPE_REALS] = write_reals,
        [PROTO_TYPE_REAL_TRIPLES] = write_reals,
        [PROTO_TYPE_INDICES] = write_indices,
        [PROTO_TYPE_INDEX_TRIPLES] = write_indices,
        [PROTO_TYPE_REF] = write_ref,
        [PROTO_TYPE_SIZE] = write_size,
        [PROTO_TYPE_SHEET_PINS] = write_sheet_pins,
        [PROTO_TYPE_RECORD] = write_record,
        [PROTO_TYPE_COMMANDS] = write_commands,
    };
    const bool given = !field->required && *(const bool *)(const void *)(from + field->has_offset);
    put_name(writer, field->name);
    put_u8(writer, record_types[field->type].number | (given ? RECORD_GIVEN : 0));
    functions[field->type](writer, field, from + field->offset);
}

static void put_members(struct writer *writer, const struct proto_record *record, const char *from) {
    put_u8(writer, record->count);
    for (uint32_t i = 0; i < record->count; i++) {
        put_member(writer, &record->fields[i], from);
    }
}

// The text of a batch is written once; those of its commands are parts of it.
static void put_text(struct writer *writer, const struct proto_command *command) {
    const struct proto_command *batch = writer->batch;
    const uintptr_t at = (uintptr_t)command->params_text, from = batch == NULL ? 0 : (uintptr_t)batch->params_text;
    if (batch != NULL && at >= from && at + command->params_length <= from + batch->params_length) {
        put_u8(writer, RECORD_TEXT_PART);
        put_u32(writer, (uint32_t)(at - from));
        put_u32(writer, (uint32_t)command->params_length);
        return;
    }
    put_u8(writer, RECORD_TEXT_OWN);
    put_u32(writer, (uint32_t)command->params_length);
    put_bytes(writer, command->params_text, command->params_length);
}

static void put_command(struct writer *writer, const struct proto_command *command) {
    const struct proto_command *outer = writer->batch;
    put_name(writer, proto_methods[command->method].name);
    put_text(writer, command);
    writer->batch = outer == NULL ? command : outer;
    put_members(writer, proto_records[command->method], command->params);
    writer->batch = outer;
}

enum result proto_record_write(const struct proto_command *command, struct proto_bytes *out) {
    const size_t length = out->length;
    struct writer writer = {.out = out};
    put_u8(&writer, PROTO_RECORD_VERSION);
    put_command(&writer, command);
    if (writer.failed) {
        out->length = length;
        return RESULT_MEMORY;
    }
    return RESULT_OK;
}
