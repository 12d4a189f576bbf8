// SPDX-License-Identifier: MIT
// Writing JSON: numbers read back as the same bits and are as short as possible, strings are escaped, and commas are in
// the right places. The seed is printed; WEFT_SEED repeats one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/json/float_format.h"
#include "proto/json/json_writer.h"

static uint64_t generator;

static uint64_t random_bits(void) {
    generator += 0x9E3779B97F4A7C15u;
    uint64_t mixed = (generator ^ generator >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

// The fewest significant digits with which printf gives a text that reads back.
static int least_digits(float value) {
    for (int digits = 1; digits < 9; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*e", digits - 1, (double)value);
        if (strtof(text, NULL) == value && (float)strtod(text, NULL) == value) {
            return digits;
        }
    }
    return 9;
}

static int count_digits(const char *text) {
    int digits = 0, trailing = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text >= '0' && *text <= '9' && (digits > 0 || *text != '0')) {
            digits++;
            trailing = *text == '0' ? trailing + 1 : 0;
        }
    }
    return digits - trailing;
}

static void check_real32(float value) {
    char text[FLOAT_FORMAT_MAX] = {0};
    size_t length = float_format_single(value, text);
    assert_true(length < FLOAT_FORMAT_MAX);
    text[length] = '\0';
    float read = strtof(text, NULL), through_double = (float)strtod(text, NULL);
    if (memcmp(&read, &value, sizeof value) != 0 || memcmp(&through_double, &value, sizeof value) != 0) {
        fail_msg("%.9g was written as %s", (double)value, text);
    }
    // Half-way cases, where strtof and Math.fround may differ, get one digit more than needed.
    if (value != 0 && count_digits(text) > least_digits(value) + 1) {
        fail_msg("%.9g was written as %s", (double)value, text);
    }
}

static void a_float32_reads_back_as_the_same_bits(void **state) {
    (void)state;
    static const float special[] = {0.0f,    -0.0f, FLT_MIN, FLT_MAX,    -FLT_MAX,    FLT_TRUE_MIN, 1e-13f, 1e15f,
                                    9.9e14f, 1.0f,  0.05f,   -100000.0f, 16777216.0f, 1e-5f,        0.1f,   123456.0f};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        check_real32(special[i]);
    }
    for (int round = 0; round < 200000; round++) {
        uint32_t bits = (uint32_t)random_bits();
        float value = 0;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            check_real32(value);
        }
        check_real32((float)((double)(random_bits() % 2000001) / 1e4 - 100.0));
    }
}

static void common_numbers_are_written_as_people_do(void **state) {
    (void)state;
    static const struct {
        float value;
        const char *text;
    } rows[] = {{0.05f, "0.05"},       {-9.81f, "-9.81"},
                {1.0f, "1"},           {1200.0f, "1200"},
                {0.0f, "0"},           {1e-7f, "1e-7"},
                {2.5e-8f, "2.5e-8"},   {0.00001f, "0.00001"},
                {100000.0f, "100000"}, {1e20f, "1e+20"},
                {0.25f, "0.25"},       {16777216.0f, "16777216"},
                {0.1f, "0.1"},         {3.4028235e38f, "3.4028235e+38"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[FLOAT_FORMAT_MAX];
        size_t length = float_format_single(rows[i].value, text);
        text[length] = '\0';
        assert_string_equal(text, rows[i].text);
    }
}

static void a_double_reads_back_as_the_same_bits(void **state) {
    (void)state;
    for (int round = 0; round < 50000; round++) {
        uint64_t bits = random_bits();
        double value = 0;
        memcpy(&value, &bits, sizeof value);
        value = round % 2 == 0 ? value : (double)(bits >> 40);
        if (!isfinite(value)) {
            continue;
        }
        char text[FLOAT_FORMAT_MAX];
        size_t length = float_format_double(value, text);
        assert_true(length < FLOAT_FORMAT_MAX);
        text[length] = '\0';
        assert_true(strtod(text, NULL) == value);
    }
}

static void expect_text(struct json_writer *text, const char *wanted) {
    assert_false(json_writer_failed(text));
    assert_int_equal(text->length, strlen(wanted));
    assert_memory_equal(text->data, wanted, text->length);
    json_writer_free(text);
}

static void commas_stand_between_members_and_items_only(void **state) {
    (void)state;
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_object(&text);
    json_writer_member_unsigned(&text, "a", 18446744073709551615u);
    json_writer_key(&text, "b");
    json_writer_open_array(&text);
    json_writer_open_object(&text);
    json_writer_close_object(&text);
    json_writer_open_array(&text);
    json_writer_close_array(&text);
    json_writer_null(&text);
    json_writer_integer(&text, INT64_MIN);
    json_writer_close_array(&text);
    json_writer_member_boolean(&text, "c", true);
    json_writer_member_vec3(&text, "d", (struct vec3){1, 0.5f, NAN});
    json_writer_member_double(&text, "e", (double)INFINITY);
    json_writer_key(&text, "f");
    json_writer_quat(&text, (struct quat){0, 0, 0, 1});
    json_writer_key(&text, "g");
    json_writer_raw(&text, "{\"h\":1}", 7);
    json_writer_close_object(&text);
    expect_text(&text, "{\"a\":18446744073709551615,\"b\":[{},[],null,-9223372036854775808],\"c\":true,"
                       "\"d\":[1,0.5,null],\"e\":null,\"f\":[0,0,0,1],\"g\":{\"h\":1}}");
}

static void strings_are_escaped(void **state) {
    (void)state;
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_array(&text);
    json_writer_string(&text, "\"\\\b\f\n\r\t\x01\x1f\x7f/");
    json_writer_string(&text, "äöü€😀");
    json_writer_close_array(&text);
    expect_text(&text, "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\x7f/\",\"äöü€😀\"]");
}

static void a_string_cut_within_a_character_stays_valid_utf8(void **state) {
    (void)state;
    struct json_writer text;
    json_writer_init(&text);
    json_writer_string(&text, "a\xE2\x82");
    expect_text(&text, "\"a\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void a_cleared_text_begins_anew(void **state) {
    (void)state;
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_array(&text);
    json_writer_unsigned(&text, 1);
    json_writer_clear(&text);
    json_writer_unsigned(&text, 2);
    expect_text(&text, "2");
}

int main(void) {
    const char *given = getenv("WEFT_SEED");
    generator = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("WEFT_SEED=%llu\n", (unsigned long long)generator);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_float32_reads_back_as_the_same_bits),
        cmocka_unit_test(common_numbers_are_written_as_people_do),
        cmocka_unit_test(a_double_reads_back_as_the_same_bits),
        cmocka_unit_test(commas_stand_between_members_and_items_only),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(a_string_cut_within_a_character_stays_valid_utf8),
        cmocka_unit_test(a_cleared_text_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
