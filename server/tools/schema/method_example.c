// SPDX-License-Identifier: MIT
// The value of a param is a sample for the title of its schema, the first choice of an enumeration, or a number within
// the range.
#include "tools/schema/method_example.h"

#include <stdlib.h>
#include <string.h>

#include "tools/schema/method_schema.h"
#include "tools/text/json_slice.h"

#define EXAMPLE_NUMBER 20.0

struct sample {
    const char *title; // of the schema, with its quotes
    const char *words; // after the "="; the second param with this title gets `other`
    const char *other;
};

static const struct sample samples[] = {
    {"\"Position\"", "0,2,0", "1,2,0"},
    {"\"Force\"", "0,5,0", "5,0,0"},
    {"\"Positions\"", "'[[0,2,0],[1,2,0],[0,3,0]]'", "'[[0,2,0],[1,2,0],[0,3,0]]'"},
    {"\"BladePath\"", "'[[0,4,-0.2],[0,1,-0.2]]'", "'[[0,4,0.2],[0,1,0.2]]'"},
    {"\"Triangles\"", "'[[0,1,2]]'", "'[[0,1,2]]'"},
    {"\"ObjectRef\"", "1", "1"},
    {"\"ParticleIndex\"", "0", "1"},
    {"\"ParticleIndices\"", "'[0]'", "'[1]'"},
    {"\"SceneName\"", "my-scene", "my-scene"},
    {"\"WorldName\"", "lab", "lab"},
    {"\"SessionKey\"", "a-random-key", "a-random-key"},
    {"\"Capsule\"", "U1FMaXRlIGZvcm1hdCAzAA==", "U1FMaXRlIGZvcm1hdCAzAA=="},
    {"\"Name\"", "a-name", "a-name"},
    {"\"PersonName\"", "Ada", "Ada"},
    {"\"Color\"", "#2a6df4", "#2a6df4"},
};

// Params that the schema does not require, but without which an example would fail or be pointless.
static const struct {
    const char *method, *words;
} additions[] = {
    {"\"obstacle.add\"", " radius=0.5 position=0,1,0"},
    {"\"obstacle.set\"", " friction=0.1"},
    {"\"object.set\"", " color=#2a6df4"},
    {"\"grab.start\"", " particle=0"},
    {"\"stick.add\"", " a.particle=0 b.particle=1"},
    {"\"stick.set\"", " restLength=0.5"},
    {"\"blade.cut\"", " blade=0,0,0.4"},
    {"\"rope.spawn\"", " from=0,3,0 to=2,3,0"},
    {"\"world.set\"", " gravity=0,-9.81,0 wind.velocity=2,0,0"},
    {"\"world.step\"", " ticks=60"},
    {"\"body.spawn\"", " position=0,3,0"},
    {"\"cloth.spawn\"", " position=0,3,0"},
    {"\"frames.subscribe\"", " everyTicks=2"},
    {"\"batch.run\"", " 'commands=[{\"method\": \"world.set\", \"params\": {\"damping\": 0.02}}]'"},
};

#define SAMPLE_COUNT (sizeof samples / sizeof samples[0])

// Returns the row for the title of the schema, or SAMPLE_COUNT.
static size_t find_sample(struct json_slice schema) {
    struct json_slice title;
    size_t row = schema_member(schema, "title", &title) ? 0 : SAMPLE_COUNT;
    while (row < SAMPLE_COUNT && !json_is(title, samples[row].title)) {
        row++;
    }
    return row;
}

static void write_number(FILE *out, struct json_slice schema) {
    struct json_slice bound;
    double value = EXAMPLE_NUMBER;
    if (schema_member(schema, "maximum", &bound) && strtod(bound.text, NULL) < value) {
        value = strtod(bound.text, NULL);
    }
    if (schema_member(schema, "minimum", &bound) && strtod(bound.text, NULL) > value) {
        value = strtod(bound.text, NULL);
    }
    (void)fprintf(out, "%g", schema_member(schema, "title", &bound) && json_is(bound, "\"Id\"") ? 1.0 : value);
}

// Writes " name=value", or a pair for each required member of an object. `used` counts the samples written before.
// NOLINTNEXTLINE(misc-no-recursion): as deep as the schema
static void write_pair(FILE *out, const char *name, struct json_slice schema, unsigned *used) {
    struct json_slice value, key, member, choices, none;
    size_t at = 0, sample = find_sample(schema);
    if (schema_member(schema, "properties", &value)) {
        while (json_next(value, &at, &key, &member)) {
            char dotted[128];
            snprintf(dotted, sizeof dotted, "%s.%.*s", name, (int)key.length - 2, key.text + 1);
            if (schema_requires(schema, key)) {
                write_pair(out, dotted, member, used);
            }
        }
        return;
    }
    (void)fprintf(out, " %s=", name);
    if (sample < SAMPLE_COUNT) {
        (void)fputs(used[sample]++ > 0 ? samples[sample].other : samples[sample].words, out);
    } else if (schema_member(schema, "enum", &choices) && json_next(choices, &at, &none, &value)) {
        (void)fprintf(out, "%.*s", (int)value.length - 2, value.text + 1);
    } else if (schema_member(schema, "type", &value) && json_is(value, "\"boolean\"")) {
        (void)fputs("true", out);
    } else if (schema_member(schema, "type", &value) && json_is(value, "\"array\"") &&
               schema_member(schema, "items", &member)) {
        (void)fputs("'[", out);
        write_number(out, member);
        (void)fputs("]'", out);
    } else {
        write_number(out, schema);
    }
}

void example_write(FILE *out, struct json_slice method) {
    struct json_slice name = {"\"\"", 2}, params, none, param, required, schema;
    size_t at = 0;
    unsigned used[SAMPLE_COUNT] = {0};
    (void)json_member(method, "name", &name);
    (void)fprintf(out, "weftctl call %.*s", (int)name.length - 2, name.text + 1);
    bool is_batch = json_is(name, "\"batch.run\""); // its params are in the additions
    if (!is_batch && json_member(method, "params", &params)) {
        while (json_next(params, &at, &none, &param)) {
            char *text = schema_text(param, "name");
            if (text != NULL && json_member(param, "required", &required) && json_is(required, "true") &&
                json_member(param, "schema", &schema)) {
                write_pair(out, text, schema, used);
            }
            free(text);
        }
    }
    for (size_t row = 0; row < sizeof additions / sizeof additions[0]; row++) {
        (void)fputs(json_is(name, additions[row].method) ? additions[row].words : "", out);
    }
}
