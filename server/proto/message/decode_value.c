// SPDX-License-Identifier: MIT
// Decodes single values: one small function per type of field.h, found by a table.
//
// A real must be in range as written and, where its bound is not allowed itself, also as the float32 it becomes: 1e-50
// is above 0 but its float32 is not. Rotations and directions come out with unit length.
#include "proto/message/decode_value.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "proto/message/suggest.h"

typedef enum result (*decode_function)(struct proto_decoder *decoder, const struct proto_field *field,
                                       const cJSON *value, const struct proto_path *path, void *out);

static enum result refuse(struct proto_decoder *decoder, const struct proto_field *field, const struct proto_path *path,
                          const cJSON *got) {
    char allowed[PROTO_ALLOWED_MAX];
    proto_describe_allowed(field, allowed, sizeof allowed);
    return proto_refuse_value(decoder->fault, &decoder->subject, path, allowed, got);
}

static enum result out_of_memory(struct proto_decoder *decoder) {
    return fault_set(decoder->fault, RESULT_MEMORY, "", "out of memory while reading the message");
}

// ---- numbers ------------------------------------------------------------------------------------------------------

static bool in_range(const struct proto_field *field, double value) {
    return value >= field->minimum && value <= field->maximum && !(field->above && value == field->minimum) &&
           !(field->below && value == field->maximum);
}

static bool read_real(const struct proto_field *field, const cJSON *value, float *out) {
    if (!cJSON_IsNumber(value) || !in_range(field, value->valuedouble)) {
        return false;
    }
    float real = (float)value->valuedouble;
    if ((field->above && (double)real <= field->minimum) || (field->below && (double)real >= field->maximum)) {
        return false;
    }
    *out = real;
    return true;
}

static bool read_integer(const struct proto_field *field, const cJSON *value, double *out) {
    if (!cJSON_IsNumber(value) || !in_range(field, value->valuedouble) ||
        value->valuedouble != floor(value->valuedouble)) {
        return false;
    }
    *out = value->valuedouble;
    return true;
}

static enum result decode_real(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    return read_real(field, value, out) ? RESULT_OK : refuse(decoder, field, path, value);
}

static enum result decode_integer(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                  const struct proto_path *path, void *out) {
    double whole = 0;
    if (!read_integer(field, value, &whole)) {
        return refuse(decoder, field, path, value);
    }
    *(uint32_t *)out = (uint32_t)whole;
    return RESULT_OK;
}

static enum result decode_integer64(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                    const struct proto_path *path, void *out) {
    double whole = 0;
    if (!read_integer(field, value, &whole)) {
        return refuse(decoder, field, path, value);
    }
    *(uint64_t *)out = (uint64_t)whole;
    return RESULT_OK;
}

static enum result decode_boolean(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                  const struct proto_path *path, void *out) {
    if (!cJSON_IsBool(value)) {
        return refuse(decoder, field, path, value);
    }
    *(bool *)out = cJSON_IsTrue(value);
    return RESULT_OK;
}

// ---- strings ------------------------------------------------------------------------------------------------------

static bool is_name(const struct proto_field *field, const char *text) {
    size_t available = strlen(text), characters = 0;
    for (size_t at = 0; at < available; characters++) {
        uint32_t code = 0;
        at += utf8_read(text + at, available - at, &code);
        if (utf8_is_hidden(code)) {
            return false;
        }
    }
    return characters >= field->least && characters <= field->most;
}

static bool is_scene_name(const struct proto_field *field, const char *text) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return text[0] != '-' && text[length] == '\0' && length >= field->least && length <= field->most;
}

static bool is_base64(const struct proto_field *field, const char *text) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/");
    length += strspn(text + length, "=");
    return text[length] == '\0' && length >= field->least && length <= field->most;
}

static bool is_world_name(const struct proto_field *field, const char *text) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return text[length] == '\0' && length >= field->least && length <= field->most;
}

bool proto_string_allowed(const struct proto_field *field, const char *text) {
    static bool (*const checks[PROTO_FORMAT_COUNT])(const struct proto_field *,
                                                    const char *) = {[PROTO_FORMAT_NAME] = is_name,
                                                                     [PROTO_FORMAT_SCENE] = is_scene_name,
                                                                     [PROTO_FORMAT_WORLD] = is_world_name,
                                                                     [PROTO_FORMAT_BASE64] = is_base64};
    return checks[field->format](field, text);
}

static enum result decode_string(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                 const struct proto_path *path, void *out) {
    if (!cJSON_IsString(value) || !proto_string_allowed(field, value->valuestring)) {
        return refuse(decoder, field, path, value);
    }
    size_t size = strlen(value->valuestring) + 1;
    char *copy = arena_take(decoder->arena, size);
    if (copy == NULL) {
        return out_of_memory(decoder);
    }
    memcpy(copy, value->valuestring, size);
    *(const char **)out = copy;
    return RESULT_OK;
}

static enum result decode_color(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                const struct proto_path *path, void *out) {
    const char *text = cJSON_IsString(value) ? value->valuestring : "";
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6) {
        return refuse(decoder, field, path, value);
    }
    uint32_t color = 0;
    for (const char *digit = text + 1; *digit != '\0'; digit++) {
        color = color << 4 | (uint32_t)(*digit <= '9' ? *digit - '0' : (*digit & 0xDF) - 'A' + 10);
    }
    *(uint32_t *)out = color;
    return RESULT_OK;
}

// Finds the number of a name, or refuses the name and suggests the nearest one.
static enum result read_name(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                             const char *allowed, const struct proto_path *path, uint32_t *number) {
    struct proto_suggestion best = {0};
    for (uint32_t i = 0; cJSON_IsString(value) && i < field->name_count; i++) {
        if (strcmp(value->valuestring, field->names[i]) == 0) {
            *number = i;
            return RESULT_OK;
        }
        proto_suggest(&best, value->valuestring, field->names[i]);
    }
    enum result result = proto_refuse_value(decoder->fault, &decoder->subject, path, allowed, value);
    if (best.name != NULL && decoder->fault != NULL) {
        strncpy(decoder->fault->suggestion, best.name, FAULT_SUGGESTION_MAX - 1);
    }
    return result;
}

static enum result decode_enum(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    char allowed[PROTO_ALLOWED_MAX];
    proto_describe_allowed(field, allowed, sizeof allowed);
    uint32_t number = 0;
    enum result result = read_name(decoder, field, value, allowed, path, &number);
    if (result == RESULT_OK) {
        memcpy(out, &number, sizeof number); // an enum without negative values has the size of an unsigned int
    }
    return result;
}
_Static_assert(sizeof(enum proto_method) == sizeof(uint32_t), "enums are 32 bits wide");

// ---- arrays -------------------------------------------------------------------------------------------------------

// The number of items of an array that is within the field's lengths; other values are refused.
static bool count_items(const struct proto_field *field, const cJSON *value, uint32_t *count) {
    uint32_t items = 0;
    if (!cJSON_IsArray(value)) {
        return false;
    }
    for (const cJSON *item = value->child; item != NULL; item = item->next) {
        items++;
    }
    *count = items;
    return items >= field->least && items <= field->most;
}

static enum result decode_mask(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    uint32_t count = 0, bits = 0;
    if (!count_items(field, value, &count)) {
        return refuse(decoder, field, path, value);
    }
    struct proto_path item_path = {.parent = path};
    for (const cJSON *item = value->child; item != NULL; item = item->next, item_path.index++) {
        uint32_t number = 0;
        enum result result = read_name(decoder, field, item, "the name of an event", &item_path, &number);
        if (result != RESULT_OK) {
            return result;
        }
        bits |= 1u << number;
    }
    *(uint32_t *)out = bits;
    return RESULT_OK;
}

static enum result refuse_item(struct proto_decoder *decoder, const struct proto_field *field, const char *noun,
                               const struct proto_path *path, const cJSON *got) {
    char allowed[PROTO_ALLOWED_MAX];
    proto_describe_number(field, noun, allowed, sizeof allowed);
    return proto_refuse_value(decoder->fault, &decoder->subject, path, allowed, got);
}

// Decodes exactly `count` numbers into `out`.
static enum result read_vector(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               uint32_t count, const struct proto_path *path, float *out) {
    if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != (int)count) {
        return refuse(decoder, field, path, value);
    }
    struct proto_path item_path = {.parent = path};
    double square = 0;
    for (const cJSON *item = value->child; item != NULL; item = item->next, item_path.index++) {
        if (!read_real(field, item, &out[item_path.index])) {
            return refuse_item(decoder, field, "a number", &item_path, item);
        }
        square += (double)out[item_path.index] * (double)out[item_path.index];
    }
    if (!field->non_zero) {
        return RESULT_OK;
    }
    if (square == 0) {
        return refuse(decoder, field, path, value);
    }
    double length = sqrt(square);
    for (uint32_t i = 0; i < count; i++) {
        out[i] = (float)((double)out[i] / length);
    }
    return RESULT_OK;
}

static enum result decode_vec3(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    float xyz[3] = {0};
    enum result result = read_vector(decoder, field, value, 3, path, xyz);
    if (result == RESULT_OK) {
        *(struct vec3 *)out = (struct vec3){xyz[0], xyz[1], xyz[2]};
    }
    return result;
}

static enum result decode_quat(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    float xyzw[4] = {0};
    enum result result = read_vector(decoder, field, value, 4, path, xyzw);
    if (result == RESULT_OK) {
        *(struct quat *)out = (struct quat){xyzw[0], xyzw[1], xyzw[2], xyzw[3]};
    }
    return result;
}

// The array of numbers or indices that is being written.
struct numbers {
    bool real;
    float *reals;
    uint32_t *indices;
    uint32_t count;
};

static enum result take_numbers(struct proto_decoder *decoder, uint32_t count, bool real, struct numbers *numbers) {
    void *items = arena_take(decoder->arena, (size_t)count * sizeof(uint32_t));
    *numbers = (struct numbers){.real = real, .reals = items, .indices = items};
    return items == NULL ? out_of_memory(decoder) : RESULT_OK;
}

static enum result add_number(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *item,
                              const struct proto_path *path, struct numbers *numbers) {
    if (numbers->real) {
        if (!read_real(field, item, &numbers->reals[numbers->count])) {
            return refuse_item(decoder, field, "a number", path, item);
        }
    } else {
        double whole = 0;
        if (!read_integer(field, item, &whole)) {
            return refuse_item(decoder, field, "an integer", path, item);
        }
        numbers->indices[numbers->count] = (uint32_t)whole;
    }
    numbers->count++;
    return RESULT_OK;
}

static enum result read_flat(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                             const struct proto_path *path, struct numbers *numbers) {
    struct proto_path item_path = {.parent = path};
    enum result result = RESULT_OK;
    for (const cJSON *item = value->child; item != NULL && result == RESULT_OK; item = item->next, item_path.index++) {
        result = add_number(decoder, field, item, &item_path, numbers);
    }
    return result;
}

static enum result read_triples(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                const struct proto_path *path, struct numbers *numbers) {
    struct proto_path triple_path = {.parent = path};
    for (const cJSON *triple = value->child; triple != NULL; triple = triple->next, triple_path.index++) {
        if (!cJSON_IsArray(triple) || cJSON_GetArraySize(triple) != 3) {
            return proto_refuse_value(decoder->fault, &decoder->subject, &triple_path,
                                      numbers->real ? "[x, y, z]" : "three indices", triple);
        }
        enum result result = read_flat(decoder, field, triple, &triple_path, numbers);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

static enum result decode_numbers(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                  const struct proto_path *path, struct numbers *numbers) {
    bool real = field->type == PROTO_TYPE_REALS || field->type == PROTO_TYPE_REAL_TRIPLES;
    bool threes = field->type == PROTO_TYPE_REAL_TRIPLES || field->type == PROTO_TYPE_INDEX_TRIPLES;
    if (!cJSON_IsArray(value)) {
        return refuse(decoder, field, path, value);
    }
    bool nested = threes && cJSON_IsArray(value->child);
    struct proto_field lengths = *field;
    lengths.least = nested ? field->least / 3 : field->least;
    lengths.most = nested ? field->most / 3 : field->most;
    uint32_t count = 0;
    if (!count_items(&lengths, value, &count)) {
        return refuse(decoder, field, path, value);
    }
    if (threes && !nested && count % 3 != 0) {
        char name[PROTO_GOT_MAX];
        proto_path_name(path, name, sizeof name);
        return proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                            "%s must hold a multiple of 3 numbers, got %u", name, count);
    }
    enum result result = take_numbers(decoder, nested ? count * 3 : count, real, numbers);
    if (result != RESULT_OK) {
        return result;
    }
    return nested ? read_triples(decoder, field, value, path, numbers)
                  : read_flat(decoder, field, value, path, numbers);
}

static enum result decode_reals(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                const struct proto_path *path, void *out) {
    struct numbers numbers = {0};
    enum result result = decode_numbers(decoder, field, value, path, &numbers);
    if (result == RESULT_OK) {
        *(struct proto_floats *)out = (struct proto_floats){numbers.reals, numbers.count};
    }
    return result;
}

static enum result decode_indices(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                  const struct proto_path *path, void *out) {
    struct numbers numbers = {0};
    enum result result = decode_numbers(decoder, field, value, path, &numbers);
    if (result == RESULT_OK) {
        *(struct proto_indices *)out = (struct proto_indices){numbers.indices, numbers.count};
    }
    return result;
}

// ---- references and pins ------------------------------------------------------------------------------------------

// Finds the command that "$k" names: it must stand before this command and make an object.
static enum result check_command(struct proto_decoder *decoder, const struct proto_path *path, uint32_t command) {
    char name[PROTO_GOT_MAX];
    proto_path_name(path, name, sizeof name);
    if (decoder->subject.command < 0) {
        return proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                            "%s must be an object's id: \"$%u\" has a meaning only inside batch.run", name, command);
    }
    if (command >= decoder->command_count) {
        return proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                            "%s must name a command before this one, got \"$%u\"", name, command);
    }
    const struct proto_method_info *info = &proto_methods[decoder->commands[command].method];
    if (info->makes != PROTO_MAKES_OBJECT) {
        return proto_refuse(decoder->fault, &decoder->subject, path, RESULT_INVALID,
                            "%s must name a command that makes an object, got \"$%u\", which is %s", name, command,
                            info->name);
    }
    return RESULT_OK;
}

static enum result decode_command_ref(struct proto_decoder *decoder, const struct proto_field *field,
                                      const cJSON *value, const struct proto_path *path, uint32_t *number) {
    const char *digits = value->valuestring + 1;
    if (value->valuestring[0] != '$' || digits[0] == '\0') {
        return refuse(decoder, field, path, value);
    }
    size_t length = strlen(digits);
    if (length > 6 || strspn(digits, "0123456789") != length) {
        return refuse(decoder, field, path, value);
    }
    uint32_t command = 0;
    for (; *digits != '\0'; digits++) {
        command = command * 10 + (uint32_t)(*digits - '0');
    }
    *number = command;
    return check_command(decoder, path, command);
}

static enum result decode_ref(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                              const struct proto_path *path, void *out) {
    struct proto_ref ref = {.is_command = cJSON_IsString(value)};
    double whole = 0;
    if (ref.is_command) {
        enum result result = decode_command_ref(decoder, field, value, path, &ref.value);
        if (result != RESULT_OK) {
            return result;
        }
    } else if (read_integer(field, value, &whole)) {
        ref.value = (uint32_t)whole;
    } else {
        return refuse(decoder, field, path, value);
    }
    *(struct proto_ref *)out = ref;
    return RESULT_OK;
}

static enum result decode_size(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    struct proto_size size = {.has_extents = cJSON_IsArray(value)};
    enum result result = size.has_extents ? decode_vec3(decoder, field, value, path, &size.extents)
                                          : decode_real(decoder, field, value, path, &size.length);
    if (result == RESULT_OK) {
        *(struct proto_size *)out = size;
    }
    return result;
}

static enum result decode_sheet_pins(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                                     const struct proto_path *path, void *out) {
    struct proto_sheet_pins pins = {.choice = PROTO_SHEET_PINS_LIST};
    enum result result = RESULT_OK;
    if (cJSON_IsArray(value)) {
        result = decode_indices(decoder, field, value, path, &pins.indices);
    } else {
        uint32_t choice = 0;
        char allowed[PROTO_ALLOWED_MAX];
        proto_describe_allowed(field, allowed, sizeof allowed);
        result = read_name(decoder, field, value, allowed, path, &choice);
        pins.choice = (enum proto_sheet_pins_choice)choice;
    }
    if (result == RESULT_OK) {
        *(struct proto_sheet_pins *)out = pins;
    }
    return result;
}

enum result proto_decode_value(struct proto_decoder *decoder, const struct proto_field *field, const cJSON *value,
                               const struct proto_path *path, void *out) {
    static const decode_function functions[PROTO_TYPE_COUNT] = {
        [PROTO_TYPE_REAL] = decode_real,
        [PROTO_TYPE_INTEGER] = decode_integer,
        [PROTO_TYPE_INTEGER64] = decode_integer64,
        [PROTO_TYPE_BOOLEAN] = decode_boolean,
        [PROTO_TYPE_STRING] = decode_string,
        [PROTO_TYPE_COLOR] = decode_color,
        [PROTO_TYPE_ENUM] = decode_enum,
        [PROTO_TYPE_MASK] = decode_mask,
        [PROTO_TYPE_VEC3] = decode_vec3,
        [PROTO_TYPE_QUAT] = decode_quat,
        [PROTO_TYPE_REALS] = decode_reals,
        [PROTO_TYPE_REAL_TRIPLES] = decode_reals,
        [PROTO_TYPE_INDICES] = decode_indices,
        [PROTO_TYPE_INDEX_TRIPLES] = decode_indices,
        [PROTO_TYPE_REF] = decode_ref,
        [PROTO_TYPE_SIZE] = decode_size,
        [PROTO_TYPE_SHEET_PINS] = decode_sheet_pins,
        [PROTO_TYPE_RECORD] = NULL, // decode.c decodes these three
        [PROTO_TYPE_COMMANDS] = NULL,
        [PROTO_TYPE_RECORDS] = NULL,
    };
    return functions[field->type](decoder, field, value, path, out);
}
