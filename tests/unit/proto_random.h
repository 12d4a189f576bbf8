// SPDX-License-Identifier: MIT
// Random requests of any method, as JSON made from the generated tables: everything that the schema allows, limits
// included. The same seed gives the same requests.
#ifndef WEFT_TESTS_PROTO_RANDOM_H
#define WEFT_TESTS_PROTO_RANDOM_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "proto/field.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

#define ARRAY_MOST 40u
#define STRING_MOST 250u // characters of up to 4 bytes; some may have millions

static uint64_t seed = 1;

static uint64_t random64(void) { // splitmix64
    uint64_t z = seed += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static uint32_t below(uint32_t bound) {
    return (uint32_t)(random64() % bound);
}

static double unit(void) {
    return (double)(random64() >> 11) * 0x1p-53;
}

struct maker {
    struct json_writer text;
    enum proto_method made[16]; // by the commands of the batch before this one
    uint32_t made_count;
    bool in_batch;
};

static void make_object(struct maker *maker, const struct proto_record *record);

static void make_real(struct maker *maker, const struct proto_field *field) {
    static const double special[] = {0, -0.0, 1, -1, 1e-30, 0.1};
    double value = below(4) == 0 ? special[below(6)] : field->minimum + unit() * (field->maximum - field->minimum);
    if (below(8) == 0) {
        value = below(2) == 0 ? field->minimum : field->maximum;
    }
    const double real = (double)(float)value;
    const bool inside = value >= field->minimum && value <= field->maximum &&
                        !(field->above && (real <= field->minimum || value <= field->minimum)) &&
                        !(field->below && (real >= field->maximum || value >= field->maximum));
    json_writer_double(&maker->text, inside ? value : field->minimum + 0.5 * (field->maximum - field->minimum));
}

static void make_integer(struct maker *maker, const struct proto_field *field) {
    const double most = field->maximum < 9007199254740991.0 ? field->maximum : 9007199254740991.0;
    double value = field->minimum + unit() * (most - field->minimum + 1);
    value = value > most || below(8) == 0 ? most : value;
    json_writer_unsigned(&maker->text, (uint64_t)value);
}

static void make_string(struct maker *maker, const struct proto_field *field) {
    static const char *const letters[] = {"a", "Z", " ", "\"", "\\", "é", "中", "😀"};
    char text[4 * STRING_MOST + 1] = "";
    const uint32_t most = field->most < STRING_MOST ? field->most : STRING_MOST;
    const uint32_t characters = field->least + below(most - field->least + 1);
    for (uint32_t i = 0; i < characters; i++) {
        strcat(text, field->format == PROTO_FORMAT_NAME ? letters[below(8)] : "q");
    }
    json_writer_string(&maker->text, text);
}

static void make_vector(struct maker *maker, const struct proto_field *field, uint32_t count) {
    json_writer_open_array(&maker->text);
    for (uint32_t i = 0; i < count; i++) {
        if (field->non_zero) {
            json_writer_double(&maker->text, 0.1 + unit());
        } else {
            make_real(maker, field);
        }
    }
    json_writer_close_array(&maker->text);
}

static void make_array(struct maker *maker, const struct proto_field *field) {
    const bool real = field->type == PROTO_TYPE_REALS || field->type == PROTO_TYPE_REAL_TRIPLES;
    const bool threes = field->type == PROTO_TYPE_REAL_TRIPLES || field->type == PROTO_TYPE_INDEX_TRIPLES;
    const uint32_t room = field->most - field->least, more = below((room < ARRAY_MOST ? room : ARRAY_MOST) + 1);
    uint32_t count = field->least + more;
    count -= threes ? more % 3 : 0; // the least is a multiple of 3
    json_writer_open_array(&maker->text);
    for (uint32_t i = 0; i < count; i++) {
        if (real) {
            make_real(maker, field);
        } else {
            make_integer(maker, field);
        }
    }
    json_writer_close_array(&maker->text);
}

static void make_mask(struct maker *maker, const struct proto_field *field) {
    json_writer_open_array(&maker->text);
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->name_count; i++) {
        if (below(2) == 0 || (i + 1 == field->name_count && count == 0)) {
            json_writer_string(&maker->text, field->names[i]);
            count++;
        }
    }
    json_writer_close_array(&maker->text);
}

static void make_ref(struct maker *maker, const struct proto_field *field) {
    for (uint32_t i = 0; i < maker->made_count && below(2) == 0; i++) {
        if (proto_methods[maker->made[i]].makes == PROTO_MAKES_OBJECT) {
            char name[16];
            snprintf(name, sizeof name, "$%u", i);
            json_writer_string(&maker->text, name);
            return;
        }
    }
    make_integer(maker, field);
}

static void make_commands(struct maker *maker) {
    const uint32_t count = 1 + below(16);
    json_writer_open_array(&maker->text);
    maker->in_batch = true;
    while (maker->made_count < count) {
        const enum proto_method method = (enum proto_method)below(PROTO_METHOD_COUNT);
        if (!proto_methods[method].batch) {
            continue;
        }
        json_writer_open_object(&maker->text);
        json_writer_member_string(&maker->text, "method", proto_methods[method].name);
        json_writer_key(&maker->text, "params");
        make_object(maker, proto_records[method]);
        json_writer_close_object(&maker->text);
        maker->made[maker->made_count++] = method;
    }
    json_writer_close_array(&maker->text);
}

static void make_value(struct maker *maker, const struct proto_field *field) {
    char color[8];
    switch (field->type) {
    case PROTO_TYPE_REAL:
        make_real(maker, field);
        return;
    case PROTO_TYPE_INTEGER:
    case PROTO_TYPE_INTEGER64:
        make_integer(maker, field);
        return;
    case PROTO_TYPE_BOOLEAN:
        json_writer_boolean(&maker->text, below(2) == 0);
        return;
    case PROTO_TYPE_STRING:
        make_string(maker, field);
        return;
    case PROTO_TYPE_COLOR:
        snprintf(color, sizeof color, "#%06x", below(0x1000000));
        json_writer_string(&maker->text, color);
        return;
    case PROTO_TYPE_ENUM:
        json_writer_string(&maker->text, field->names[below(field->name_count)]);
        return;
    case PROTO_TYPE_MASK:
        make_mask(maker, field);
        return;
    case PROTO_TYPE_VEC3:
        make_vector(maker, field, 3);
        return;
    case PROTO_TYPE_QUAT:
        make_vector(maker, field, 4);
        return;
    case PROTO_TYPE_REF:
        make_ref(maker, field);
        return;
    case PROTO_TYPE_SIZE:
        if (below(2) == 0) {
            make_real(maker, field);
        } else {
            make_vector(maker, field, 3);
        }
        return;
    case PROTO_TYPE_SHEET_PINS:
        if (below(2) == 0) {
            json_writer_string(&maker->text, field->names[below(field->name_count)]);
        } else {
            make_array(maker, field);
        }
        return;
    case PROTO_TYPE_RECORD:
        make_object(maker, field->record);
        return;
    case PROTO_TYPE_COMMANDS:
        make_commands(maker);
        return;
    case PROTO_TYPE_RECORDS:
        json_writer_open_array(&maker->text);
        for (uint32_t i = 0; i < field->least + below(3); i++) {
            make_object(maker, field->record);
        }
        json_writer_close_array(&maker->text);
        return;
    default:
        make_array(maker, field);
    }
}

static void make_object(struct maker *maker, const struct proto_record *record) {
    json_writer_open_object(&maker->text);
    for (uint32_t i = 0; i < record->count; i++) {
        if (record->fields[i].required || below(3) > 0) {
            json_writer_key(&maker->text, record->fields[i].name);
            make_value(maker, &record->fields[i]);
        }
    }
    json_writer_close_object(&maker->text);
}

// Parses a request; the test fails if it is refused.
static struct proto_request *random_request(enum proto_method method) {
    struct maker maker = {.made_count = 0};
    json_writer_init(&maker.text);
    json_writer_open_object(&maker.text);
    json_writer_member_string(&maker.text, "jsonrpc", "2.0");
    json_writer_member_string(&maker.text, "method", proto_methods[method].name);
    json_writer_key(&maker.text, "params");
    make_object(&maker, proto_records[method]);
    json_writer_close_object(&maker.text);
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault = {.message = ""};
    if (proto_request_parse(maker.text.data, maker.text.length, &request, &id, &fault) != RESULT_OK) {
        fail_msg("%.*s: %s", (int)maker.text.length, maker.text.data, fault.message);
    }
    json_writer_free(&maker.text);
    return request;
}

#endif
