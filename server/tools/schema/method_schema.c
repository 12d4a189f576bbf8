// SPDX-License-Identifier: MIT
// Descriptions are short and for people.
#include "tools/schema/method_schema.h"

#include <string.h>

#include "proto/gen/methods.h"
#include "proto/gen/schema.h"
#include "tools/text/json_slice.h"

#define SCHEMA_REFERENCE "\"#/components/schemas/"

static struct json_slice document(void) {
    return (struct json_slice){proto_schema, proto_schema_length};
}

bool schema_next_method(size_t *at, struct json_slice *method) {
    struct json_slice methods, name;
    return json_member(document(), "methods", &methods) && json_next(methods, at, &name, method);
}

static bool resolve(struct json_slice reference, struct json_slice *schema) {
    size_t prefix = sizeof SCHEMA_REFERENCE - 1;
    char name[64];
    struct json_slice components, schemas;
    if (reference.length <= prefix + 1 || reference.length - prefix - 1 >= sizeof name ||
        memcmp(reference.text, SCHEMA_REFERENCE, prefix) != 0) {
        return false;
    }
    memcpy(name, reference.text + prefix, reference.length - prefix - 1);
    name[reference.length - prefix - 1] = '\0';
    return json_member(document(), "components", &components) && json_member(components, "schemas", &schemas) &&
           json_member(schemas, name, schema);
}

bool schema_member(struct json_slice schema, const char *name, struct json_slice *value) {
    struct json_slice reference, target;
    if (json_member(schema, name, value)) {
        return true;
    }
    return json_member(schema, "$ref", &reference) && resolve(reference, &target) && json_member(target, name, value);
}

char *schema_text(struct json_slice schema, const char *name) {
    struct json_slice value;
    return schema_member(schema, name, &value) ? json_string(value) : NULL;
}

bool schema_requires(struct json_slice schema, struct json_slice name) {
    struct json_slice required, none, element;
    size_t at = 0;
    if (!schema_member(schema, "required", &required)) {
        return false;
    }
    while (json_next(required, &at, &none, &element)) {
        if (element.length == name.length && memcmp(element.text, name.text, name.length) == 0) {
            return true;
        }
    }
    return false;
}

static void write_slice(FILE *out, const char *before, struct json_slice slice) {
    (void)fprintf(out, "%s%.*s", before, (int)slice.length, slice.text);
}

// ", 2 to 4096", ", above 0", ", at most 10" …
static void describe_range(FILE *out, struct json_slice schema) {
    struct json_slice least, most;
    bool has_least = schema_member(schema, "minimum", &least), has_most = schema_member(schema, "maximum", &most);
    bool above = schema_member(schema, "exclusiveMinimum", &least);
    bool below = schema_member(schema, "exclusiveMaximum", &most);
    if (has_least && has_most && !above && !below) {
        write_slice(out, ", ", least);
        write_slice(out, " to ", most);
        return;
    }
    if (has_least || above) {
        write_slice(out, above ? ", above " : ", at least ", least);
    }
    if (has_most || below) {
        write_slice(out, below ? ", below " : ", at most ", most);
    }
}

static void describe_choices(FILE *out, struct json_slice choices) {
    struct json_slice none, choice;
    size_t at = 0;
    for (bool first = true; json_next(choices, &at, &none, &choice); first = false) {
        write_slice(out, first ? "" : " | ", choice);
    }
}

static void describe_value(FILE *out, struct json_slice schema);

// NOLINTNEXTLINE(misc-no-recursion): as deep as the schema
static void describe_array(FILE *out, struct json_slice schema) {
    struct json_slice items, least = {"", 0}, most = {"", 0}, type = {"", 0};
    (void)schema_member(schema, "minItems", &least);
    (void)schema_member(schema, "maxItems", &most);
    if (!schema_member(schema, "items", &items)) {
        (void)fputs("array", out);
        return;
    }
    if (least.length > 0 && least.length == most.length && memcmp(least.text, most.text, least.length) == 0) {
        (void)schema_member(items, "type", &type);
        write_slice(out, "", least);
        (void)fprintf(out, " %.*ss", type.length < 2 ? 0 : (int)type.length - 2, type.text + (type.length > 0));
        describe_range(out, items);
        return;
    }
    (void)fputs("array of (", out);
    describe_value(out, items);
    (void)fputc(')', out);
    if (most.length > 0) {
        write_slice(out, ", at most ", most);
    }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as the schema
static void describe_value(FILE *out, struct json_slice schema) {
    struct json_slice value, none, each;
    size_t at = 0;
    if (schema_member(schema, "oneOf", &value)) {
        for (bool first = true; json_next(value, &at, &none, &each); first = false) {
            (void)fputs(first ? "" : ", or ", out);
            describe_value(out, each);
        }
    } else if (schema_member(schema, "enum", &value)) {
        describe_choices(out, value);
    } else if (!schema_member(schema, "type", &value)) {
        (void)fputs("any JSON", out);
    } else if (json_is(value, "\"array\"")) {
        describe_array(out, schema);
    } else {
        (void)fprintf(out, "%.*s", (int)value.length - 2, value.text + 1);
        describe_range(out, schema);
    }
}

void schema_describe(FILE *out, struct json_slice schema) {
    struct json_slice unit;
    describe_value(out, schema);
    if (schema_member(schema, "x-unit", &unit) && !json_is(unit, "\"1\"")) {
        (void)fprintf(out, "; in %.*s", (int)unit.length - 2, unit.text + 1);
    }
}
