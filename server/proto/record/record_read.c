// SPDX-License-Identifier: MIT
// Reads records: finds the members of each command by their names; required members must be there, and none twice.
//
// Records that are older than a parameter of the schema need no special treatment. The struct is first filled
// with the defaults of the present schema, and each member of the record is found by its name; so a member that the
// record lacks keeps its present default, with `has_…` false, as if the request had not given it. Hence a parameter
// that is added must not be required. One that is no longer required has `x-requiredWithout` in the schema, the name of
// a member that came with that change. (With the default the command may work otherwise than it did before it had the
// parameter. In that case the physics version differs as well: see SIM_PHYSICS_VERSION.)
#include "proto/record/record_read.h"

#include <assert.h>
#include <string.h>

#include "proto/json/json_check.h"
#include "proto/message/method.h"
#include "proto/record/record_value.h"

// ---- members ------------------------------------------------------------------------------------------------------

static enum result read_members(struct record_reader *reader, const struct proto_record *record, bool given, char *out);
static enum result read_commands(struct record_reader *reader, const struct proto_field *field,
                                 struct proto_commands *out);
static enum result read_records(struct record_reader *reader, const struct proto_field *field, bool given,
                                struct proto_list *out);

// `given` is false when the request did not give the struct that the member belongs to.
static enum result read_member(struct record_reader *reader, const struct proto_field *field, bool given, char *out) {
    uint32_t type = 0;
    enum result result = record_take_u8(reader, UINT8_MAX, &type);
    if (result != RESULT_OK) {
        return result;
    }
    const bool own = (type & RECORD_GIVEN) != 0;
    if ((type & ~RECORD_GIVEN) != record_types[field->type].number || (own && (field->required || !given))) {
        return record_refuse(reader, "is of another type");
    }
    if (!field->required) {
        *(bool *)(void *)(out + field->has_offset) = own;
    }
    const bool counts = given && (own || field->required);
    if (field->type == PROTO_TYPE_COMMANDS) {
        return read_commands(reader, field, (void *)(out + field->offset));
    }
    if (field->type == PROTO_TYPE_RECORDS) {
        return read_records(reader, field, counts, (void *)(out + field->offset));
    }
    if (field->type != PROTO_TYPE_RECORD) {
        return record_read_value(reader, field, counts, out + field->offset);
    }
    if (counts && field->record->initial != NULL) {
        memcpy(out + field->offset, field->record->initial, field->record->size);
    }
    return read_members(reader, field->record, counts, out + field->offset);
}

static enum result find_member(struct record_reader *reader, const struct proto_record *record, uint64_t *seen,
                               const struct proto_field **field) {
    char name[256];
    enum result result = record_take_name(reader, name);
    for (uint32_t i = 0; i < record->count && result == RESULT_OK; i++) {
        if (strcmp(record->fields[i].name, name) == 0) {
            *field = &record->fields[i];
            reader->member = record->fields[i].name;
            const bool twice = (*seen >> i & 1) != 0;
            *seen |= (uint64_t)1 << i;
            return twice ? record_refuse(reader, "is there twice") : RESULT_OK;
        }
    }
    return result == RESULT_OK ? record_refuse(reader, "has a member that this version does not know") : result;
}

static bool has_seen(const struct proto_record *record, uint64_t seen, const char *name) {
    for (uint32_t i = 0; i < record->count; i++) {
        if (strcmp(record->fields[i].name, name) == 0) {
            return (seen >> i & 1) != 0;
        }
    }
    return false;
}

// Members that were required when the record was written are given, though it does not say so.
static void give_required(const struct proto_record *record, uint64_t seen, char *out) {
    for (uint32_t i = 0; i < record->count; i++) {
        const struct proto_field *field = &record->fields[i];
        if (field->required_without != NULL && (seen >> i & 1) != 0 &&
            !has_seen(record, seen, field->required_without)) {
            *(bool *)(void *)(out + field->has_offset) = true;
        }
    }
}

// Reads the members of a struct into `out`, which holds the defaults.
static enum result read_members(struct record_reader *reader, const struct proto_record *record, bool given,
                                char *out) {
    assert(record->count <= 64);
    const char *outer = reader->member;
    uint32_t count = 0;
    uint64_t seen = 0;
    enum result result = record_take_u8(reader, UINT8_MAX, &count);
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        const struct proto_field *field = NULL;
        reader->member = outer;
        result = find_member(reader, record, &seen, &field);
        if (result == RESULT_OK && field != NULL) {
            result = read_member(reader, field, given, out);
        }
    }
    for (uint32_t i = 0; i < record->count && result == RESULT_OK; i++) {
        if (record->fields[i].required && (seen >> i & 1) == 0) {
            reader->member = record->fields[i].name;
            result = record_refuse(reader, "is missing");
        }
    }
    if (result == RESULT_OK && given) {
        give_required(record, seen, out);
    }
    reader->member = result == RESULT_OK ? outer : reader->member;
    return result;
}

// A list that the request did not give is empty.
static enum result read_records(struct record_reader *reader, const struct proto_field *field, bool given,
                                struct proto_list *out) {
    const size_t size = field->record->size;
    uint32_t count = 0;
    enum result result = record_take_count(reader, 1, &count);
    if (result == RESULT_OK && (given ? count < field->least || count > field->most : count > 0)) {
        result = record_refuse(reader, "has a number of items that is not allowed");
    }
    char *items = result == RESULT_OK ? arena_take(reader->arena, count * size + 1) : NULL;
    if (items == NULL) {
        return result == RESULT_OK ? record_out_of_memory(reader) : result;
    }
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        memset(items + i * size, 0, size);
        if (field->record->initial != NULL) {
            memcpy(items + i * size, field->record->initial, size);
        }
        result = read_members(reader, field->record, true, items + i * size);
    }
    *out = (struct proto_list){items, count};
    return result;
}

// ---- commands -----------------------------------------------------------------------------------------------------

static enum result take_text(struct record_reader *reader, struct proto_slice *text) {
    uint32_t kind = 0, offset = 0, length = 0;
    enum result result = record_take_u8(reader, RECORD_TEXT_PART, &kind);
    if (result == RESULT_OK && kind == RECORD_TEXT_PART) {
        result = record_take_u32(reader, &offset);
    }
    if (result == RESULT_OK) {
        result = record_take_u32(reader, &length);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (kind == RECORD_TEXT_PART) {
        if (reader->batch.text == NULL || offset > reader->batch.length || length > reader->batch.length - offset) {
            return record_refuse(reader, "has a text outside of its batch's");
        }
        *text = (struct proto_slice){reader->batch.text + offset, length};
        return RESULT_OK;
    }
    char *copy = (size_t)(reader->end - reader->at) < length ? NULL : arena_take(reader->arena, (size_t)length + 1);
    if (copy == NULL) {
        return (size_t)(reader->end - reader->at) < length ? record_refuse(reader, "ends too early")
                                                           : record_out_of_memory(reader);
    }
    memcpy(copy, reader->at, length);
    copy[length] = '\0';
    reader->at += length;
    *text = (struct proto_slice){copy, length};
    return RESULT_OK;
}

// Reads the params as the request had them: one compact JSON object.
static enum result read_text(struct record_reader *reader, struct proto_slice *text) {
    struct proto_slice scanned = {0};
    struct arena scratch;
    enum result result = take_text(reader, text);
    if (result != RESULT_OK) {
        return result;
    }
    arena_init(&scratch);
    result = json_check_compact(text->text, text->length, &scratch, &scanned.text, &scanned.length, NULL);
    const bool same = result == RESULT_OK && scanned.text != NULL && scanned.length == text->length &&
                      text->text != NULL && text->text[0] == '{' && memcmp(scanned.text, text->text, text->length) == 0;
    arena_free(&scratch);
    if (result == RESULT_MEMORY) {
        return record_out_of_memory(reader);
    }
    return same ? RESULT_OK : record_refuse(reader, "has params that are no compact JSON object");
}

static enum result read_command(struct record_reader *reader, struct proto_command *command) {
    char name[256];
    struct proto_slice text = {0};
    enum proto_method method = PROTO_METHOD_COUNT;
    reader->method = reader->member = NULL;
    enum result result = record_take_name(reader, name);
    if (result == RESULT_OK &&
        (!proto_method_find(name, &method) || (reader->in_batch && !proto_methods[method].batch))) {
        result = record_refuse(reader, "names no method that could stand there");
    }
    if (result == RESULT_OK) {
        reader->method = proto_methods[method].name;
        result = read_text(reader, &text);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct proto_record *record = proto_records[method];
    char *params = arena_take(reader->arena, record->size);
    if (params == NULL) {
        return record_out_of_memory(reader);
    }
    if (record->initial != NULL) {
        memcpy(params, record->initial, record->size);
    } else if (record->size > 0) {
        memset(params, 0, record->size);
    }
    reader->batch = reader->in_batch ? reader->batch : text;
    *command = (struct proto_command){.method = method,
                                      .params = record->size > 0 ? params : NULL,
                                      .params_text = text.text,
                                      .params_length = text.length};
    return read_members(reader, record, true, params);
}

static enum result read_commands(struct record_reader *reader, const struct proto_field *field,
                                 struct proto_commands *out) {
    uint32_t count = 0;
    const char *method = reader->method, *member = reader->member;
    enum result result = record_take_count(reader, 8, &count); // a command has at least 8 bytes
    if (result == RESULT_OK && count > field->most) {
        result = record_refuse(reader, "are too many");
    }
    struct proto_command *items = result == RESULT_OK ? arena_take(reader->arena, (size_t)count * sizeof *items) : NULL;
    if (items == NULL) {
        return result == RESULT_OK ? record_out_of_memory(reader) : result;
    }
    reader->in_batch = true;
    reader->earlier = items;
    for (uint32_t i = 0; i < count && result == RESULT_OK; i++) {
        reader->earlier_count = i;
        result = read_command(reader, &items[i]);
    }
    if (result == RESULT_OK) {
        reader->in_batch = false;
        reader->earlier_count = 0;
        reader->method = method;
        reader->member = member;
        *out = (struct proto_commands){items, count};
    }
    return result;
}

static enum result read_record(struct record_reader *reader, struct proto_command *command) {
    uint32_t version = 0;
    enum result result = record_take_u8(reader, UINT8_MAX, &version);
    if (result == RESULT_OK && version != PROTO_RECORD_VERSION) {
        return fault_set(reader->fault, RESULT_INVALID, "", "the record has version %u, this version reads %u", version,
                         PROTO_RECORD_VERSION);
    }
    if (result == RESULT_OK) {
        result = read_command(reader, command);
    }
    return result == RESULT_OK && reader->at != reader->end ? record_refuse(reader, "is followed by bytes") : result;
}

enum result proto_record_read(const void *bytes, size_t size, struct proto_request **request, struct fault *fault) {
    struct arena arena;
    arena_init(&arena);
    struct proto_request *made = proto_request_begin(&arena);
    struct record_reader reader = {
        .at = bytes, .end = (const unsigned char *)bytes + size, .arena = &arena, .fault = fault};
    enum result result = made == NULL ? record_out_of_memory(&reader) : read_record(&reader, &made->command);
    if (made == NULL || result != RESULT_OK) {
        arena_free(&arena);
        return result;
    }
    proto_request_own(made, &arena);
    *request = made;
    return RESULT_OK;
}
