// SPDX-License-Identifier: MIT
// The JSON check and the parser behind it against random texts: texts of the writer pass unchanged, spaces are
// removed, and no change of single bytes does harm. The seed is printed; WEFT_SEED repeats one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "proto/json/json_check.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

static uint64_t generator;

static uint32_t random_below(uint32_t limit) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((generator >> 33) % limit);
}

// ---- random texts -------------------------------------------------------------------------------------------------

// Characters of every length, and those that need an escape.
static const char *random_string(char *out) {
    static const char *const pieces[] = {"a", "\"", "\\", "/", "\n", "\x01", "\x7f", "ä",
                                         "€", "😀",  "Z",  " ", "{",  "]",    ",",    ":"};
    out[0] = '\0';
    for (uint32_t count = random_below(6); count > 0; count--) {
        strcat(out, pieces[random_below(sizeof pieces / sizeof *pieces)]);
    }
    return out;
}

static void write_scalar(struct json_writer *text) {
    char string[64];
    switch (random_below(7)) {
    case 0:
        json_writer_string(text, random_string(string));
        break;
    case 1:
        json_writer_integer(text, (int64_t)random_below(2000001) - 1000000);
        break;
    case 2:
        json_writer_double(text, ((double)random_below(1000000) - 500000.0) / 7.0);
        break;
    case 3:
        json_writer_float(text, (float)random_below(1000000) * 1e-12f);
        break;
    case 4:
        json_writer_boolean(text, random_below(2) == 0);
        break;
    case 5:
        json_writer_raw(text, "1e-999", 6);
        break;
    default:
        json_writer_null(text);
    }
}

// One random value: containers are opened and closed at random, up to the depth that is allowed.
static void write_random(struct json_writer *text) {
    bool object[JSON_CHECK_DEPTH_MAX];
    uint32_t depth = 0, members = 0;
    do {
        bool close = depth > 0 && random_below(4) == 0;
        if (close) {
            depth--;
            (object[depth] ? json_writer_close_object : json_writer_close_array)(text);
            continue;
        }
        if (depth > 0 && object[depth - 1]) {
            char name[96], string[64];
            snprintf(name, sizeof name, "%s%u", random_string(string), members++); // no name twice
            json_writer_key(text, name);
        }
        if (depth < JSON_CHECK_DEPTH_MAX && random_below(3) == 0) {
            object[depth] = random_below(2) == 0;
            (object[depth] ? json_writer_open_object : json_writer_open_array)(text);
            depth++;
        } else {
            write_scalar(text);
        }
    } while (depth > 0);
}

// The text with spaces between its tokens.
static char *spread(const struct json_writer *text, size_t *length) {
    char *out = malloc(text->length * 3 + 3);
    assert_non_null(out);
    size_t at = 0;
    bool in_string = false;
    for (size_t i = 0; i < text->length; i++) {
        char c = text->data[i];
        bool structure = !in_string && strchr("{}[],:", c) != NULL;
        if (structure && random_below(2) == 0) {
            out[at++] = " \n\r\t"[random_below(4)];
        }
        out[at++] = c;
        if (in_string && c == '\\') {
            out[at++] = text->data[++i];
        } else if (c == '"') {
            in_string = !in_string;
        }
        if (structure && random_below(2) == 0) {
            out[at++] = " \n\r\t"[random_below(4)];
        }
    }
    *length = at;
    return out;
}

static enum result scan(const char *text, size_t length, struct arena *arena, const char **compact,
                        size_t *compact_length, struct fault *fault) {
    arena_init(arena);
    return json_check_compact(text, length, arena, compact, compact_length, fault);
}

// ---- properties ---------------------------------------------------------------------------------------------------

static void what_the_writer_writes_passes_without_its_spaces(void **state) {
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct json_writer text;
        json_writer_init(&text);
        write_random(&text);
        assert_false(json_writer_failed(&text));
        size_t length = 0, compact_length = 0;
        char *spaced = spread(&text, &length);
        struct arena arena;
        const char *compact = NULL;
        struct fault fault;
        if (scan(spaced, length, &arena, &compact, &compact_length, &fault) != RESULT_OK) {
            fail_msg("%.*s: %s", (int)length, spaced, fault.message);
        }
        assert_int_equal(compact_length, text.length);
        assert_memory_equal(compact, text.data, text.length);
        cJSON *tree = cJSON_ParseWithLengthOpts(compact, compact_length + 1, NULL, true);
        assert_non_null(tree);
        cJSON_Delete(tree);
        arena_free(&arena);
        free(spaced);
        json_writer_free(&text);
    }
}

static const char *const seeds[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":2,\"pin\":[0,1],"
    "\"name\":\"\\u00e4\\ud83d\\ude00ö\",\"color\":\"#ff8800\",\"rotation\":[0,0,1,0],\"masses\":[1,2.5e0]}}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"batch.run\",\"params\":{\"commands\":[{\"method\":\"rope.spawn\","
    "\"params\":{\"from\":[0,1,0],\"to\":[1,1,0]}},{\"method\":\"object.remove\",\"params\":{\"object\":\"$0\"}}]}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"world.set\",\"params\":{\"wind\":{\"velocity\":[1,0,0],\"gust\":0.5},"
    "\"bounds\":{\"min\":[0,0,0],\"max\":[1,1,1]},\"damping\":1e-2}}",
    "{\"title\":\"t\",\"description\":\"d\",\"commands\":[{\"method\":\"particles.spawn\",\"params\":{\"positions\":"
    "[[0,1,2],[3,4,5]]}}]}",
};

// Parses bytes in a block of exactly their length; a text that passes the check must be valid for cJSON, too.
static void parse_all(const char *bytes, size_t length) {
    char *text = malloc(length + (length == 0));
    assert_non_null(text);
    memcpy(text, bytes, length);
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault;
    struct proto_scene_about about;
    if (proto_request_parse(text, length, &request, &id, &fault) == RESULT_OK) {
        proto_request_destroy(request);
    } else {
        assert_true(fault.cause != RESULT_MEMORY && fault.message[0] != '\0');
    }
    if (proto_scene_parse(text, length, &request, &about, &fault) == RESULT_OK) {
        proto_request_destroy(request);
    } else {
        assert_true(fault.cause != RESULT_MEMORY && fault.message[0] != '\0');
    }
    free(text);
}

static void changed_bytes_do_no_harm(void **state) {
    (void)state;
    static const char structure[] = "{}[]\",:\\0123456789.-+eEtfnu \n$";
    for (int round = 0; round < 20000; round++) {
        char text[512];
        const char *seed = seeds[random_below(sizeof seeds / sizeof *seeds)];
        size_t length = strlen(seed);
        memcpy(text, seed, length);
        for (uint32_t changes = 1 + random_below(4); changes > 0; changes--) {
            size_t at = random_below((uint32_t)length), size = random_below(8);
            switch (random_below(4)) {
            case 0:
                text[at] = (char)random_below(256);
                break;
            case 1:
                text[at] = structure[random_below(sizeof structure - 1)];
                break;
            case 2: // cut out
                size = size < length - at ? size : length - at;
                memmove(text + at, text + at + size, length - at - size);
                length -= size;
                break;
            default: // double
                size = size < length - at ? size : length - at;
                memmove(text + at + size, text + at, length - at);
                length += size;
            }
            length += length == 0;
        }
        parse_all(text, length);
    }
}

static void every_beginning_of_a_message_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        for (size_t length = 0; length < strlen(seeds[i]); length++) {
            char *text = malloc(length + 1);
            assert_non_null(text);
            memcpy(text, seeds[i], length);
            struct arena arena;
            const char *compact = NULL;
            size_t compact_length = 0;
            assert_int_equal(scan(text, length, &arena, &compact, &compact_length, NULL), RESULT_PARSE);
            arena_free(&arena);
            free(text);
        }
    }
}

// ---- limits -------------------------------------------------------------------------------------------------------

static void sixteen_levels_pass_and_seventeen_do_not(void **state) {
    (void)state;
    static const char deep[] = "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]"; // 17
    struct arena arena;
    const char *compact = NULL;
    size_t length = 0;
    struct fault fault;
    assert_int_equal(scan(deep + 1, sizeof deep - 3, &arena, &compact, &length, &fault), RESULT_OK);
    assert_int_equal(length, 32);
    arena_free(&arena);
    assert_int_equal(scan(deep, sizeof deep - 1, &arena, &compact, &length, &fault), RESULT_PARSE);
    assert_string_equal(fault.message, "nested deeper than 16 at byte 16");
    arena_free(&arena);
}

static void a_number_of_any_length_is_read(void **state) {
    (void)state;
    char text[600];
    memset(text, '0', sizeof text);
    memcpy(text, "[1.5", 4);
    text[sizeof text - 1] = ']';
    struct arena arena;
    const char *compact = NULL;
    size_t length = 0;
    struct fault fault;
    assert_int_equal(scan(text, sizeof text, &arena, &compact, &length, &fault), RESULT_OK);
    assert_string_equal(compact, "[1.5]");
    arena_free(&arena);
    text[2] = '0'; // 1 and 596 zeros
    assert_int_equal(scan(text, sizeof text, &arena, &compact, &length, &fault), RESULT_PARSE);
    arena_free(&arena);
}

static void many_members_cost_little_more_than_few(void **state) {
    (void)state;
    struct json_writer text;
    json_writer_init(&text);
    json_writer_open_object(&text);
    for (uint32_t i = 0; i < 300000; i++) { // compared each with each, this would take minutes
        char name[16];
        snprintf(name, sizeof name, "%06u", i);
        json_writer_member_unsigned(&text, name, i);
    }
    json_writer_member_unsigned(&text, "299998", 1);
    json_writer_close_object(&text);
    struct arena arena;
    const char *compact = NULL;
    size_t length = 0;
    struct fault fault;
    assert_int_equal(scan(text.data, text.length, &arena, &compact, &length, &fault), RESULT_PARSE);
    assert_non_null(strstr(fault.message, "a member that its object has already"));
    arena_free(&arena);
    json_writer_free(&text);
}

static void too_many_values_are_a_limit(void **state) {
    (void)state;
    size_t length = 2 * (size_t)JSON_CHECK_VALUES_MAX + 1; // the array itself counts as well
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++) {
        text[i] = i % 2 == 0 ? ',' : '0';
    }
    text[0] = '[';
    text[length - 1] = ']';
    struct arena arena;
    const char *compact = NULL;
    struct fault fault;
    assert_int_equal(scan(text, length, &arena, &compact, &length, &fault), RESULT_LIMIT);
    arena_free(&arena);
    free(text);
}

// ---- scenes -------------------------------------------------------------------------------------------------------

static void a_scene_is_a_batch_with_a_title(void **state) {
    (void)state;
    static const char text[] = "{ \"commands\" : [ {\"method\" : \"world.set\"} ], \"title\" : \"Täglich\", "
                               "\"chapter\" : \"Cloth\", \"order\" : 310 }\n";
    struct proto_request *request = NULL;
    struct proto_scene_about about;
    struct fault fault;
    assert_int_equal(proto_scene_parse(text, sizeof text - 1, &request, &about, &fault), RESULT_OK);
    assert_string_equal(about.title, "Täglich");
    assert_string_equal(about.description, "");
    assert_string_equal(about.chapter, "Cloth");
    assert_int_equal(about.order, 310);
    assert_false(request->id.present);
    assert_int_equal(request->command.method, PROTO_METHOD_BATCH_RUN);
    const struct proto_batch_run *batch = request->command.params;
    assert_true(batch->commands.count == 1 && !batch->has_at_tick);
    static const char params[] = "{\"commands\":[{\"method\":\"world.set\"}]}";
    assert_int_equal(request->command.params_length, sizeof params - 1);
    assert_memory_equal(request->command.params_text, params, sizeof params - 1);
    proto_request_destroy(request);
}

static void a_scene_may_be_empty_but_not_wrong(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum result cause;
        const char *pointer;
    } rows[] = {
        {"{\"commands\":[]}", RESULT_OK, ""},
        {"{\"commands\":", RESULT_PARSE, ""},
        {"[]", RESULT_INVALID, ""},
        {"{}", RESULT_INVALID, "/commands"},
        {"{\"commands\":5}", RESULT_INVALID, "/commands"},
        {"{\"commands\":[],\"name\":\"x\"}", RESULT_INVALID, "/name"},
        {"{\"commands\":[],\"title\":5}", RESULT_INVALID, "/title"},
        {"{\"commands\":[],\"chapter\":[]}", RESULT_INVALID, "/chapter"},
        {"{\"commands\":[],\"order\":1}", RESULT_OK, ""},
        {"{\"commands\":[],\"order\":9999}", RESULT_OK, ""},
        {"{\"commands\":[],\"order\":0}", RESULT_INVALID, "/order"},
        {"{\"commands\":[],\"order\":10000}", RESULT_INVALID, "/order"},
        {"{\"commands\":[],\"order\":1.5}", RESULT_INVALID, "/order"},
        {"{\"commands\":[],\"order\":\"1\"}", RESULT_INVALID, "/order"},
        {"{\"commands\":[],\"title\":\"12345678901234567890123456789012345678901234567890123456789012345\"}",
         RESULT_INVALID, "/title"},
        {"{\"commands\":[{\"method\":\"world.set\",\"params\":{\"damping\":3}}]}", RESULT_INVALID,
         "/commands/0/params/damping"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct proto_request *request = NULL;
        struct proto_scene_about about;
        struct fault fault = {.pointer = ""};
        enum result result = proto_scene_parse(rows[i].text, strlen(rows[i].text), &request, &about, &fault);
        assert_int_equal(result, rows[i].cause);
        assert_string_equal(fault.pointer, rows[i].pointer);
        proto_request_destroy(request);
    }
}

int main(void) {
    const char *given = getenv("WEFT_SEED");
    generator = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("WEFT_SEED=%llu\n", (unsigned long long)generator);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_writer_writes_passes_without_its_spaces),
        cmocka_unit_test(changed_bytes_do_no_harm),
        cmocka_unit_test(every_beginning_of_a_message_is_refused),
        cmocka_unit_test(sixteen_levels_pass_and_seventeen_do_not),
        cmocka_unit_test(a_number_of_any_length_is_read),
        cmocka_unit_test(many_members_cost_little_more_than_few),
        cmocka_unit_test(too_many_values_are_a_limit),
        cmocka_unit_test(a_scene_is_a_batch_with_a_title),
        cmocka_unit_test(a_scene_may_be_empty_but_not_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
