// SPDX-License-Identifier: MIT
#include "tools/command/command_methods.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "proto/gen/methods.h"
#include "proto/message/suggest.h"
#include "tools/command/command_io.h"
#include "tools/schema/method_example.h"
#include "tools/schema/method_schema.h"
#include "tools/text/json_layout.h"
#include "tools/text/json_slice.h"

#define METHODS_COLUMN 23
#define METHODS_LINE_MAX 96u

// Writes text wrapped between words, with every line after the first indented.
static void write_wrapped(const char *text, int indent) {
    size_t column = (size_t)indent;
    while (*text != '\0') {
        size_t word = strcspn(text, " \n"), letters = 0;
        for (size_t at = 0; at < word; at++) {
            letters += ((unsigned char)text[at] & 0xC0) != 0x80;
        }
        if (column > (size_t)indent && column + 1 + letters > METHODS_LINE_MAX) {
            (void)printf("\n%*s", indent, "");
            column = (size_t)indent;
        } else if (column > (size_t)indent) {
            (void)fputc(' ', stdout);
            column++;
        }
        (void)printf("%.*s", (int)word, text);
        column += letters;
        text += word + (text[word] != '\0');
    }
    (void)fputc('\n', stdout);
}

static void write_text_member(struct json_slice schema, const char *member, int indent) {
    char *text = schema_text(schema, member);
    if (text != NULL) {
        (void)printf("%*s", indent, "");
        write_wrapped(text, indent);
    }
    free(text);
}

// Writes a row of the list: name, type and description. The members of an object follow with dotted names, as they are
// typed. NOLINTNEXTLINE(misc-no-recursion): as deep as the schema
static void write_row(const char *name, struct json_slice schema, bool is_param, bool required) {
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL) {
        return;
    }
    schema_describe(stream, schema);
    struct json_slice default_value;
    if (is_param && required) {
        (void)fputs("; required", stream);
    } else if (is_param && schema_member(schema, "default", &default_value)) {
        (void)fputs("; default ", stream);
        json_write_compact(stream, default_value);
    }
    if (fclose(stream) == 0) {
        (void)printf("  %-*s", METHODS_COLUMN - 2, name);
        (void)fputs(strlen(name) >= METHODS_COLUMN - 2 ? " " : "", stdout);
        write_wrapped(text, METHODS_COLUMN);
    }
    free(text);
    write_text_member(schema, "description", METHODS_COLUMN);
    struct json_slice properties, key, value;
    size_t at = 0;
    if (!schema_member(schema, "properties", &properties)) {
        return;
    }
    while (json_next(properties, &at, &key, &value)) {
        char dotted[128];
        snprintf(dotted, sizeof dotted, "%s.%.*s", name, (int)key.length - 2, key.text + 1);
        write_row(dotted, value, is_param, is_param && schema_requires(schema, key));
    }
}

static void write_params(struct json_slice method) {
    struct json_slice params, name, param, schema, required;
    size_t at = 0;
    bool any = false;
    if (!json_member(method, "params", &params)) {
        return;
    }
    for (; json_next(params, &at, &name, &param); any = true) {
        char *text = schema_text(param, "name");
        (void)fputs(any ? "" : "\nParams:\n", stdout);
        if (text != NULL && json_member(param, "schema", &schema)) {
            write_row(text, schema, true, json_member(param, "required", &required) && json_is(required, "true"));
        }
        free(text);
    }
    (void)fputs(any ? "" : "\nNo params.\n", stdout);
}

static void write_result(struct json_slice method) {
    struct json_slice result, schema, properties, key, value;
    size_t at = 0;
    if (!json_member(method, "result", &result) || !json_member(result, "schema", &schema) ||
        !schema_member(schema, "properties", &properties)) {
        return;
    }
    for (bool first = true; json_next(properties, &at, &key, &value); first = false) {
        char name[64];
        (void)fputs(first ? "\nResult:\n" : "", stdout);
        snprintf(name, sizeof name, "%.*s", (int)key.length - 2, key.text + 1);
        write_row(name, value, false, false);
    }
}

static enum exit_status write_method(struct json_slice method) {
    struct json_slice batch;
    char *name = schema_text(method, "name"), *summary = schema_text(method, "summary");
    if (name != NULL && summary != NULL) {
        (void)printf("%s: %s\n", name, summary);
    }
    write_text_member(method, "description", 0);
    if (json_member(method, "x-batch", &batch) && json_is(batch, "true")) {
        (void)fputs("Allowed in batch.run.\n", stdout);
    }
    write_params(method);
    write_result(method);
    (void)fputs("\nExample:\n  ", stdout);
    example_write(stdout, method);
    (void)fputc('\n', stdout);
    free(name);
    free(summary);
    return command_flush();
}

// Lists all methods, or those of one noun; the schema groups them by noun. Returns false when there is none.
static bool write_list(const char *noun) {
    struct json_slice method, name;
    size_t at = 0;
    bool any = false;
    while (schema_next_method(&at, &method)) {
        if (!json_member(method, "name", &name)) {
            continue;
        }
        size_t length = strcspn(name.text + 1, ".\"");
        if (noun != NULL && (strlen(noun) != length || memcmp(noun, name.text + 1, length) != 0)) {
            continue;
        }
        any = true;
        char *summary = schema_text(method, "summary");
        (void)printf("  %-21.*s", (int)name.length - 2, name.text + 1);
        write_wrapped(summary == NULL ? "" : summary, METHODS_COLUMN);
        free(summary);
    }
    if (any) {
        (void)fputs("\nweftctl methods NAME describes a method.\n", stdout);
    }
    return any;
}

static enum exit_status refuse_method(const char *wanted) {
    struct proto_suggestion nearest = {NULL, 0};
    for (int method = 0; method < PROTO_METHOD_COUNT; method++) {
        proto_suggest(&nearest, wanted, proto_methods[method].name);
    }
    if (nearest.name == NULL) {
        return command_fail(EXIT_USAGE, "there is no method \"%s\"; weftctl methods lists them", wanted);
    }
    return command_fail(EXIT_USAGE, "there is no method \"%s\"; did you mean %s?", wanted, nearest.name);
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    (void)settings;
    struct json_slice method;
    size_t at = 0;
    if (count > 1) {
        return command_fail(EXIT_USAGE, "methods takes one name at most, got %d", count);
    }
    if (count == 0) {
        (void)write_list(NULL);
        return command_flush();
    }
    while (schema_next_method(&at, &method)) {
        char *name = schema_text(method, "name");
        bool found = name != NULL && strcmp(name, arguments[0]) == 0;
        free(name);
        if (found) {
            return write_method(method);
        }
    }
    return write_list(arguments[0]) ? command_flush() : refuse_method(arguments[0]);
}

const struct command command_methods = {
    .name = "methods",
    .usage = "methods [NAME]",
    .summary = "list the methods, or describe one",
    .help = "Describes the methods from the schema that is built into weftctl; needs no server. NAME is a method,\n"
            "or the part of its name before the dot.\n"
            "\n"
            "  weftctl methods\n"
            "  weftctl methods cloth.spawn\n"
            "\n"
            "Exit status: 0 done, 2 there is no such method.\n",
    .takers = 0,
    .run = run,
};
