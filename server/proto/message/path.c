// SPDX-License-Identifier: MIT
// Writes refusals: JSON pointers (RFC 6901), and names and values in words.
#include "proto/message/path.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

#define PATH_DEPTH_MAX 16
#define SHORT_CHARACTERS 32

// A text in a buffer of fixed size, always terminated; what does not fit is cut.
struct piece {
    char *out;
    size_t size, length;
};

static void add(struct piece *piece, const char *format, ...) WEFT_PRINTF(2, 3);
static void add(struct piece *piece, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(piece->out + piece->length, piece->size - piece->length, format, arguments);
    va_end(arguments);
    size_t room = piece->size - piece->length - 1;
    piece->length += written < 0 ? 0 : (size_t)written < room ? (size_t)written : room;
}

// Formats a number as a person would write it: whole numbers in full where a double holds them exactly, others with 15
// digits.
static void add_number(struct piece *piece, double value) {
    bool whole = fabs(value) <= 9007199254740992.0 && floor(value) == value;
    add(piece, whole ? "%.0f" : "%.15g", value);
}

static struct piece begin(char *out, size_t size) {
    out[0] = '\0';
    return (struct piece){out, size, 0};
}

// Lists the links of a path from the root on and returns their number.
static size_t unroll(const struct proto_path *path, const struct proto_path *links[PATH_DEPTH_MAX]) {
    size_t count = 0;
    for (const struct proto_path *link = path; link != NULL && count < PATH_DEPTH_MAX; link = link->parent) {
        count++;
    }
    size_t at = count;
    for (const struct proto_path *link = path; link != NULL && at > 0; link = link->parent) {
        links[--at] = link;
    }
    return count;
}

// Appends a name with the escapes of JSON pointers.
static void add_pointer_name(struct piece *piece, const char *name) {
    for (; *name != '\0'; name++) {
        if (*name == '~' || *name == '/') {
            add(piece, *name == '~' ? "~0" : "~1");
        } else {
            add(piece, "%c", *name);
        }
    }
}

static void write_pointer(const struct proto_path *path, char *out, size_t size) {
    const struct proto_path *links[PATH_DEPTH_MAX];
    size_t count = unroll(path, links);
    struct piece piece = begin(out, size);
    for (size_t i = 0; i < count; i++) {
        add(&piece, "/");
        if (links[i]->name == NULL) {
            add(&piece, "%" PRIu32, links[i]->index);
        } else {
            add_pointer_name(&piece, links[i]->name);
        }
    }
}

void proto_path_name(const struct proto_path *path, char *out, size_t size) {
    const struct proto_path *links[PATH_DEPTH_MAX];
    size_t count = unroll(path, links);
    struct piece piece = begin(out, size);
    // The message of a batch begins with the command, so that /commands/3/params/spacing is named spacing here, and
    // /commands/3/method is named method.
    size_t first = count >= 2 && links[0]->name != NULL && strcmp(links[0]->name, "commands") == 0 ? 2 : 0;
    first += first == 2 && count > 3 && links[2]->name != NULL && strcmp(links[2]->name, "params") == 0;
    first = first == 2 && count == 2 ? 0 : first;
    for (size_t i = first; i < count; i++) {
        if (links[i]->name == NULL) {
            add(&piece, "[%" PRIu32 "]", links[i]->index);
        } else {
            char name[PROTO_GOT_MAX];
            proto_shorten(links[i]->name, name, sizeof name);
            add(&piece, "%s%s", i > first ? "." : "", name);
        }
    }
    if (count == 0) {
        add(&piece, "params");
    }
}

enum result proto_refuse(struct fault *fault, const struct proto_subject *subject, const struct proto_path *path,
                         enum result cause, const char *format, ...) {
    char message[FAULT_MESSAGE_MAX], pointer[FAULT_POINTER_MAX];
    struct piece piece = begin(message, sizeof message);
    if (subject->command >= 0) {
        bool known = subject->method != NULL;
        add(&piece, "command %" PRId64 "%s%s%s: ", subject->command, known ? " (" : "", known ? subject->method : "",
            known ? ")" : "");
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + piece.length, sizeof message - piece.length, format, arguments);
    va_end(arguments);
    write_pointer(path, pointer, sizeof pointer);
    return fault_set(fault, cause, pointer, "%s", message);
}

enum result proto_refuse_value(struct fault *fault, const struct proto_subject *subject, const struct proto_path *path,
                               const char *allowed, const cJSON *got) {
    char name[PROTO_GOT_MAX], value[PROTO_GOT_MAX];
    proto_path_name(path, name, sizeof name);
    proto_describe_got(got, value, sizeof value);
    return proto_refuse(fault, subject, path, RESULT_INVALID, "%s must be %s, got %s", name, allowed, value);
}

// ---- what is allowed ----------------------------------------------------------------------------------------------

void proto_describe_number(const struct proto_field *field, const char *noun, char *out, size_t size) {
    struct piece piece = begin(out, size);
    add(&piece, "%s", noun);
    if (field->above || field->below) {
        add(&piece, " %s ", field->above ? "above" : "of at least");
        add_number(&piece, field->minimum);
        add(&piece, " and %s ", field->below ? "below" : "at most");
        add_number(&piece, field->maximum);
    } else {
        add(&piece, " from ");
        add_number(&piece, field->minimum);
        add(&piece, " to ");
        add_number(&piece, field->maximum);
    }
    if (field->unit != NULL) {
        add(&piece, " %s", field->unit);
    }
}

void proto_describe_names(const char *const *names, uint32_t count, char *out, size_t size) {
    struct piece piece = begin(out, size);
    for (uint32_t i = 0; i < count; i++) {
        add(&piece, "%s\"%s\"", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
    }
}

static void describe_items(const struct proto_field *field, char *out, size_t size) {
    bool triples = field->type == PROTO_TYPE_REAL_TRIPLES || field->type == PROTO_TYPE_INDEX_TRIPLES;
    bool real = field->type == PROTO_TYPE_REALS || field->type == PROTO_TYPE_REAL_TRIPLES;
    struct piece piece = begin(out, size);
    add(&piece, "an array of %" PRIu32 " to %" PRIu32 " %s%s", field->least, field->most, real ? "numbers" : "integers",
        triples ? ", flat or in threes" : "");
}

static const char *const string_formats[PROTO_FORMAT_COUNT] = {
    [PROTO_FORMAT_SCENE] = "a name of 1 to 64 small letters, digits and hyphens that begins with no hyphen",
    [PROTO_FORMAT_WORLD] = "a name of 1 to 64 letters, digits, hyphens and underscores",
    [PROTO_FORMAT_BASE64] = "base64 of 4 to 16000000 letters",
};

void proto_describe_allowed(const struct proto_field *field, char *out, size_t size) {
    struct piece piece = begin(out, size);
    switch (field->type) {
    case PROTO_TYPE_REAL:
        proto_describe_number(field, "a number", out, size);
        break;
    case PROTO_TYPE_INTEGER:
    case PROTO_TYPE_INTEGER64:
        proto_describe_number(field, "an integer", out, size);
        break;
    case PROTO_TYPE_BOOLEAN:
        add(&piece, "true or false");
        break;
    case PROTO_TYPE_STRING:
        if (field->format == PROTO_FORMAT_NAME) {
            add(&piece,
                "a string of %" PRIu32 " to %" PRIu32
                " characters without control, invisible or direction-changing ones",
                field->least, field->most);
        } else {
            add(&piece, "%s", string_formats[field->format]);
        }
        break;
    case PROTO_TYPE_COLOR:
        add(&piece, "a color like \"#ff8800\"");
        break;
    case PROTO_TYPE_ENUM:
        proto_describe_names(field->names, field->name_count, out, size);
        break;
    case PROTO_TYPE_MASK:
        add(&piece, "an array of %" PRIu32 " to %" PRIu32 " names", field->least, field->most);
        break;
    case PROTO_TYPE_VEC3:
        add(&piece, "[x, y, z]%s", field->non_zero ? " other than zero" : "");
        break;
    case PROTO_TYPE_QUAT:
        add(&piece, "[x, y, z, w]%s", field->non_zero ? " other than zero" : "");
        break;
    case PROTO_TYPE_REF:
        add(&piece, "an object's id, an integer from 1 to 4294967295, or in a batch \"$k\"");
        break;
    case PROTO_TYPE_SIZE:
        add(&piece, "a length from %g to %g m, or three as [x, y, z]", field->minimum, field->maximum);
        break;
    case PROTO_TYPE_SHEET_PINS:
        proto_describe_names(field->names, field->name_count, out, size);
        piece.length = strlen(out);
        add(&piece, " or an array of indices");
        break;
    case PROTO_TYPE_RECORD:
        add(&piece, "an object");
        break;
    case PROTO_TYPE_RECORDS:
        add(&piece, "an array of %" PRIu32 " to %" PRIu32 " objects", field->least, field->most);
        break;
    case PROTO_TYPE_COMMANDS:
        add(&piece, "an array of %" PRIu32 " to %" PRIu32 " commands", field->least, field->most);
        break;
    default:
        describe_items(field, out, size);
    }
}

// ---- what came ----------------------------------------------------------------------------------------------------

void proto_shorten(const char *text, char *out, size_t size) {
    size_t available = strlen(text), at = 0, length = 0;
    for (size_t characters = 0; at < available; characters++) {
        uint32_t code = 0;
        size_t bytes = utf8_read(text + at, available - at, &code);
        bytes += bytes == 0; // an invalid byte counts alone; names of the schema and checked strings have none
        if (characters == SHORT_CHARACTERS || length + bytes + sizeof "…" > size) {
            memcpy(out + length, "…", sizeof "…");
            return;
        }
        memcpy(out + length, text + at, bytes);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0)) {
            memset(out + length, '?', bytes);
        }
        at += bytes;
        length += bytes;
    }
    out[length] = '\0';
}

void proto_describe_got(const cJSON *value, char *out, size_t size) {
    struct piece piece = begin(out, size);
    if (cJSON_IsNumber(value)) {
        add_number(&piece, value->valuedouble);
    } else if (cJSON_IsString(value)) {
        char text[PROTO_GOT_MAX - 4];
        proto_shorten(value->valuestring, text, sizeof text);
        add(&piece, "\"%s\"", text);
    } else if (cJSON_IsArray(value)) {
        add(&piece, "an array of %d", cJSON_GetArraySize(value));
    } else if (cJSON_IsObject(value)) {
        add(&piece, "an object");
    } else {
        add(&piece, "%s", cJSON_IsTrue(value) ? "true" : cJSON_IsFalse(value) ? "false" : "null");
    }
}
