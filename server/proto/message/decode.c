// SPDX-License-Identifier: MIT
// Decodes structs and commands: each JSON member is matched with its row of the generated table; unknown and missing
// members are refused by name.
#include "proto/message/decode.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <string.h>

#include "proto/message/method.h"
#include "proto/message/suggest.h"

static enum result out_of_memory(const struct proto_decoder *decoder) {
    return fault_set(decoder->fault, RESULT_MEMORY, "", "out of memory while reading the message");
}

static void set_suggestion(struct fault *fault, const char *name) {
    if (fault != NULL && name != NULL) {
        strncpy(fault->suggestion, name, FAULT_SUGGESTION_MAX - 1);
    }
}

// ---- records ------------------------------------------------------------------------------------------------------

static enum result refuse_unknown(const struct proto_decoder *decoder, const struct proto_record *record,
                                  const struct proto_path *path) {
    struct proto_suggestion best = {0};
    for (uint32_t i = 0; i < record->count; i++) {
        proto_suggest(&best, path->name, record->fields[i].name);
    }
    if (path->parent == NULL && decoder->waiting != NULL) {
        proto_suggest(&best, path->name, decoder->waiting->name);
    }
    char name[PROTO_GOT_MAX];
    proto_shorten(path->name, name, sizeof name);
    const struct proto_path *parent = path->parent;
    bool nested = parent != NULL && parent->name != NULL && strcmp(parent->name, "params") != 0;
    const char *owner = nested ? parent->name : decoder->subject.method;
    enum result result = proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID, "%s has no %s%s%s%s",
                                      owner, name, best.name != NULL ? "; did you mean " : "",
                                      best.name != NULL ? best.name : "", best.name != NULL ? "?" : "");
    set_suggestion(decoder->fault, best.name);
    return result;
}

static enum result refuse_missing(const struct proto_decoder *decoder, const struct proto_field *field,
                                  const struct proto_path *parent) {
    char allowed[PROTO_ALLOWED_MAX], name[PROTO_GOT_MAX];
    struct proto_path path = {.parent = parent, .name = field->name};
    proto_describe_allowed(field, allowed, sizeof allowed);
    proto_path_name(&path, name, sizeof name);
    return proto_refuse(decoder->fault, &decoder->subject, &path, RESULT_INVALID, "%s is missing: %s needs it, %s",
                        name, decoder->subject.method, allowed);
}

static enum result decode_record(struct proto_decoder *decoder, const struct proto_record *record, const cJSON *object,
                                 const struct proto_path *path, char *out);

static enum result decode_records(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *list,
                                  const struct proto_path *path, struct proto_list *out) {
    const uint32_t count = cJSON_IsArray(list) ? (uint32_t)cJSON_GetArraySize(list) : 0;
    if (!cJSON_IsArray(list) || count < field->least || count > field->most) {
        char allowed[PROTO_ALLOWED_MAX];
        proto_describe_allowed(field, allowed, sizeof allowed);
        return proto_refuse_value(decoder->fault, &decoder->subject, path, allowed, list);
    }
    char *items = arena_take(decoder->arena, count * field->record->size);
    if (items == NULL) {
        return out_of_memory(decoder);
    }
    struct proto_path item_path = {.parent = path};
    for (const cJSON *item = list->child; item != NULL; item = item->next, item_path.index++) {
        if (!cJSON_IsObject(item)) {
            return proto_refuse_value(decoder->fault, &decoder->subject, &item_path, "an object", item);
        }
        const enum result result =
            decode_record(decoder, field->record, item, &item_path, items + item_path.index * field->record->size);
        if (result != RESULT_OK) {
            return result;
        }
    }
    *out = (struct proto_list){items, count};
    return RESULT_OK;
}

static enum result decode_field(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *member,
                                struct proto_slice text, const struct proto_path *path, char *out) {
    if (!field->required) {
        *(bool *)(void *)(out + field->has_offset) = true;
    }
    if (field->type == PROTO_TYPE_COMMANDS) {
        return proto_decode_commands(decoder, member, text, field, path, (void *)(out + field->offset));
    }
    if (field->type == PROTO_TYPE_RECORDS) {
        return decode_records(decoder, field, member, path, (void *)(out + field->offset));
    }
    if (field->type != PROTO_TYPE_RECORD) {
        return proto_decode_value(decoder, field, member, path, out + field->offset);
    }
    if (!cJSON_IsObject(member)) {
        return proto_refuse_value(decoder->fault, &decoder->subject, path, "an object", member);
    }
    return decode_record(decoder, field->record, member, path, out + field->offset);
}

static const struct proto_field *find_field(const struct proto_record *record, const char *name) {
    for (uint32_t i = 0; i < record->count; i++) {
        if (strcmp(record->fields[i].name, name) == 0) {
            return &record->fields[i];
        }
    }
    return NULL;
}

// Fills the struct at `out` from the members of an object, or with the defaults when `object` is NULL. The recursion is
// as deep as the schema is nested.
static enum result decode_record(struct proto_decoder *decoder, const struct proto_record *record, const cJSON *object,
                                 const struct proto_path *path, char *out) {
    assert(record->count <= 64);
    if (record->initial != NULL) {
        memcpy(out, record->initial, record->size);
    } else if (record->size > 0) {
        memset(out, 0, record->size);
    }
    uint64_t seen = 0;
    // Positions in the text are needed at the root only, where `commands` stands.
    bool at_root = object != NULL && path == NULL && decoder->text.length > 0;
    struct proto_slice_walk walk = {0};
    if (at_root) {
        walk = proto_slice_begin(decoder->text.text);
    }
    for (const cJSON *member = object != NULL ? object->child : NULL; member != NULL; member = member->next) {
        if (at_root) {
            proto_slice_next(&walk);
        }
        if (member == decoder->at_tick) {
            continue;
        }
        const struct proto_path member_path = {.parent = path, .name = member->string};
        const struct proto_field *field = find_field(record, member->string);
        if (field == NULL) {
            return refuse_unknown(decoder, record, &member_path);
        }
        seen |= (uint64_t)1 << (field - record->fields);
        enum result result = decode_field(decoder, field, member, walk.value, &member_path, out);
        if (result != RESULT_OK) {
            return result;
        }
    }
    for (uint32_t i = 0; i < record->count; i++) {
        if (record->fields[i].required && (seen >> i & 1) == 0) {
            return refuse_missing(decoder, &record->fields[i], path);
        }
    }
    return RESULT_OK;
}

// ---- commands -----------------------------------------------------------------------------------------------------

enum result proto_decode_method(const struct proto_decoder *decoder, const char *name, const struct proto_path *path,
                                enum proto_method *method) {
    if (proto_method_find(name, method)) {
        return RESULT_OK;
    }
    struct proto_suggestion best = {0};
    for (size_t i = 0; i < PROTO_METHOD_COUNT; i++) {
        proto_suggest(&best, name, proto_methods[i].name);
    }
    char got[PROTO_GOT_MAX];
    proto_shorten(name, got, sizeof got);
    const struct proto_subject subject = {got, decoder->subject.command};
    enum result result = best.name != NULL ? proto_refuse(decoder->fault, &subject, path, RESULT_METHOD,
                                                          "no method %s; did you mean %s?", got, best.name)
                                           : proto_refuse(decoder->fault, &subject, path, RESULT_METHOD,
                                                          "no method %s; rpc.discover lists them all", got);
    set_suggestion(decoder->fault, best.name);
    return result;
}

// Takes atTick out of the params: its value goes into the command, and its text out of the text of the params, which
// then are what they would be had the command been sent at its tick.
static enum result take_at_tick(struct proto_decoder *decoder, const cJSON *params, struct proto_command *command) {
    const struct proto_path path = {.name = decoder->waiting->name};
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(params, decoder->waiting->name);
    if (member == NULL) {
        return RESULT_OK;
    }
    const char *const text = decoder->text.text, *const end = text + decoder->text.length;
    const char *from = text + 1; // where the member begins, with the comma before it
    struct proto_slice_walk walk = proto_slice_begin(text);
    proto_slice_next(&walk);
    for (const cJSON *before = params->child; before != member; before = before->next) {
        from = walk.next;
        proto_slice_next(&walk);
    }
    const char *to =
        walk.next + (from == text + 1 && *walk.next == ','); // the first member goes with the comma behind it
    char *rest = arena_take(decoder->arena, decoder->text.length);
    if (rest == NULL) {
        return out_of_memory(decoder);
    }
    memcpy(rest, text, (size_t)(from - text));
    memcpy(rest + (from - text), to, (size_t)(end - to));
    command->params_text = rest;
    command->params_length = decoder->text.length - (size_t)(to - from);
    decoder->at_tick = member;
    return decode_field(decoder, decoder->waiting, member, walk.value, &path, (char *)command);
}

enum result proto_decode_command(struct proto_decoder *decoder, enum proto_method method, const cJSON *params,
                                 const struct proto_path *path, struct proto_command *command) {
    decoder->subject.method = proto_methods[method].name;
    if (cJSON_IsNull(params)) { // some clients send null when there are no params
        params = NULL;
    }
    if (params != NULL && !cJSON_IsObject(params)) {
        return cJSON_IsArray(params)
                   ? proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                                  "params go by name: give %s an object, not an array", proto_methods[method].name)
                   : proto_refuse_value(decoder->fault, &decoder->subject, path, "an object", params);
    }
    const struct proto_record *record = proto_records[method];
    char *decoded = arena_take(decoder->arena, record->size);
    if (decoded == NULL) {
        return out_of_memory(decoder);
    }
    bool given = params != NULL;
    struct proto_command read = {.method = method,
                                 .params = record->size > 0 ? decoded : NULL,
                                 .params_text = given ? decoder->text.text : "{}",
                                 .params_length = given ? decoder->text.length : 2};
    decoder->waiting = path == NULL && proto_methods[method].at_tick ? &proto_at_tick : NULL;
    decoder->at_tick = NULL;
    enum result result = RESULT_OK;
    if (given && decoder->waiting != NULL) {
        result = take_at_tick(decoder, params, &read);
    }
    if (result == RESULT_OK) {
        result = decode_record(decoder, record, params, path, decoded);
    }
    if (result == RESULT_OK) {
        if (method == PROTO_METHOD_BATCH_RUN) { // its struct has the member
            const struct proto_batch_run *batch = (const void *)decoded;
            read.has_at_tick = batch->has_at_tick;
            read.at_tick = batch->at_tick;
        }
        *command = read;
    }
    return result;
}

// Reads the members of one command of a list: a method that is allowed in a batch, and params or none.
static enum result read_command_members(struct proto_decoder *decoder, const cJSON *object, struct proto_slice text,
                                        const struct proto_path *path, enum proto_method *method,
                                        const cJSON **params) {
    const cJSON *method_member = NULL;
    struct proto_slice_walk walk = proto_slice_begin(text.text);
    for (const cJSON *member = object->child; member != NULL; member = member->next) {
        proto_slice_next(&walk);
        const struct proto_path member_path = {.parent = path, .name = member->string};
        if (strcmp(member->string, "method") == 0) {
            method_member = member;
        } else if (strcmp(member->string, "params") == 0) {
            *params = member;
            decoder->text = walk.value;
        } else {
            char name[PROTO_GOT_MAX];
            proto_shorten(member->string, name, sizeof name);
            return proto_refuse(decoder->fault, &decoder->subject, &member_path, RESULT_INVALID,
                                "a command has method and params, no %s", name);
        }
    }
    const struct proto_path method_path = {.parent = path, .name = "method"};
    if (method_member == NULL || !cJSON_IsString(method_member)) {
        return proto_refuse(decoder->fault, &decoder->subject, &method_path, RESULT_INVALID,
                            "method must be the name of a method%s", method_member == NULL ? "; it is missing" : "");
    }
    enum result result = proto_decode_method(decoder, method_member->valuestring, &method_path, method);
    if (result == RESULT_OK && !proto_methods[*method].batch) {
        decoder->subject.method = proto_methods[*method].name;
        result = proto_refuse(decoder->fault, &decoder->subject, &method_path, RESULT_INVALID,
                              "%s may not stand in a batch", proto_methods[*method].name);
    }
    return result;
}

static enum result decode_listed(struct proto_decoder *decoder, const cJSON *object, struct proto_slice text,
                                 const struct proto_path *path, struct proto_command *command) {
    decoder->subject.method = NULL;
    if (!cJSON_IsObject(object)) {
        return proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                            "a command must be an object with method and params");
    }
    enum proto_method method = PROTO_METHOD_COUNT;
    const cJSON *params = NULL;
    decoder->text = (struct proto_slice){0};
    enum result result = read_command_members(decoder, object, text, path, &method, &params);
    if (result != RESULT_OK) {
        return result;
    }
    const struct proto_path params_path = {.parent = path, .name = "params"};
    return proto_decode_command(decoder, method, params, &params_path, command);
}

enum result proto_decode_commands(struct proto_decoder *decoder, const cJSON *list, struct proto_slice text,
                                  const struct proto_field *field, const struct proto_path *path,
                                  struct proto_commands *commands) {
    uint32_t count = cJSON_IsArray(list) ? (uint32_t)cJSON_GetArraySize(list) : 0;
    if (!cJSON_IsArray(list) || count < field->least || count > field->most) {
        char allowed[PROTO_ALLOWED_MAX];
        proto_describe_allowed(field, allowed, sizeof allowed);
        return proto_refuse_value(decoder->fault, &decoder->subject, path, allowed, list);
    }
    struct proto_command *items = arena_take(decoder->arena, count * sizeof *items);
    if (items == NULL) {
        return out_of_memory(decoder);
    }
    struct proto_decoder inner = {.arena = decoder->arena, .fault = decoder->fault, .commands = items};
    struct proto_slice_walk walk = proto_slice_begin(text.text);
    struct proto_path item_path = {.parent = path};
    for (const cJSON *item = list->child; item != NULL; item = item->next, item_path.index++) {
        proto_slice_next(&walk);
        inner.subject.command = item_path.index;
        inner.command_count = item_path.index;
        enum result result = decode_listed(&inner, item, walk.value, &item_path, &items[item_path.index]);
        if (result != RESULT_OK) {
            return result;
        }
    }
    *commands = (struct proto_commands){items, count};
    return RESULT_OK;
}
