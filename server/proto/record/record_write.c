// SPDX-License-Identifier: MIT
// Writes each member by its row of the generated tables.
#include "proto/record/record_write.h"

#include <string.h>

#include "proto/record/record_wire.h"

// The state of writing one record.
struct writer {
    struct bytes *out;
    const struct proto_command *batch; // the batch whose commands are being written, or NULL
};

// ---- numbers ------------------------------------------------------------------------------------------------------

static void put_bytes(struct writer *writer, const void *bytes, size_t size) {
    bytes_add(writer->out, bytes, size);
}

static void put_u8(struct writer *writer, uint32_t value) {
    bytes_add_u8(writer->out, (uint8_t)value);
}

static void put_u32(struct writer *writer, uint32_t value) {
    bytes_add_u32(writer->out, value);
}

static void put_float(struct writer *writer, float value) {
    put_bytes(writer, &value, sizeof value);
}

// Writes a name of the schema, which has fewer than 256 bytes.
static void put_name(struct writer *writer, const char *name) {
    const size_t length = strlen(name);
    put_u8(writer, (uint32_t)length);
    put_bytes(writer, name, length);
}

static void put_indices(struct writer *writer, const struct proto_indices *indices) {
    put_u32(writer, indices->count);
    put_bytes(writer, indices->items, indices->count * sizeof *indices->items);
}

static void put_floats(struct writer *writer, const float *items, uint32_t count) {
    put_bytes(writer, items, count * sizeof *items);
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
    bytes_add_u64(writer->out, *(const uint64_t *)value);
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

static void write_records(struct writer *writer, const struct proto_field *field, const void *value) {
    const struct proto_list *list = value;
    put_u32(writer, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        put_members(writer, field->record, (const char *)list->items + i * field->record->size);
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
        [PROTO_TYPE_RECORDS] = write_records,
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

enum result proto_record_write(const struct proto_command *command, struct bytes *out) {
    const size_t length = out->length;
    struct writer writer = {.out = out};
    put_u8(&writer, PROTO_RECORD_VERSION);
    put_command(&writer, command);
    if (out->failed) {
        out->length = length;
        return RESULT_MEMORY;
    }
    return RESULT_OK;
}
