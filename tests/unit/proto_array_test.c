// SPDX-License-Identifier: MIT
// JSON-RPC arrays: an array is split into its elements; a text that is no valid array is refused as a whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "proto/message/request.h"

static void an_array_is_split_into_its_elements(void **state) {
    (void)state;
    static const char text[] = " [ {\"a\":[1,2]} ,\"],[\", [], null ]\n";
    static const char *const wanted[] = {"{\"a\":[1,2]}", "\"],[\"", "[]", "null"};
    struct proto_slice elements[PROTO_ARRAY_MAX];
    struct fault fault;
    uint32_t count = 0;
    assert_true(proto_is_array(text, sizeof text - 1));
    assert_false(proto_is_array("{\"a\":[]}", 8));
    assert_false(proto_is_array(" ", 1));
    assert_int_equal(proto_array_split(text, sizeof text - 1, elements, &count, &fault), RESULT_OK);
    assert_int_equal(count, 4);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(elements[i].length, strlen(wanted[i]));
        assert_memory_equal(elements[i].text, wanted[i], elements[i].length);
    }
}

static void an_array_that_is_none_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum result cause;
    } rows[] = {
        {"[]", RESULT_REQUEST}, {"[ ]", RESULT_REQUEST}, {"[", RESULT_PARSE},   {"[1,]", RESULT_PARSE},
        {"[1", RESULT_PARSE},   {"[1]]", RESULT_PARSE},  {"[1}", RESULT_PARSE}, {"[{\"a\":1,\"a\":2}]", RESULT_PARSE}};
    struct proto_slice elements[PROTO_ARRAY_MAX];
    struct fault fault;
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(proto_array_split(rows[i].text, strlen(rows[i].text), elements, &count, &fault),
                         rows[i].cause);
    }
    char many[2 * (PROTO_ARRAY_MAX + 1) + 2] = "[";
    for (size_t i = 0; i <= PROTO_ARRAY_MAX; i++) {
        memcpy(many + 1 + 2 * i, i < PROTO_ARRAY_MAX ? "1," : "1]", 2);
    }
    assert_int_equal(proto_array_split(many, strlen(many), elements, &count, &fault), RESULT_LIMIT);
    assert_non_null(strstr(fault.message, "at most 100"));
    many[strlen(many) - 3] = ']';
    assert_int_equal(proto_array_split(many, strlen(many) - 2, elements, &count, &fault), RESULT_OK);
    assert_int_equal(count, PROTO_ARRAY_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_is_split_into_its_elements),
        cmocka_unit_test(an_array_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
