// SPDX-License-Identifier: MIT
// Parsing requests: every malformed message of a table is refused with its code, pointer and suggestion; every
// well-formed one is decoded with types and defaults. Runs in the root of the repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/json/json_writer.h"
#include "proto/message/request.h"
#include "proto/message/response.h"

static struct proto_request *parse(const char *text) {
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault = {.message = ""};
    if (proto_request_parse(text, strlen(text), &request, &id, &fault) != RESULT_OK) {
        fail_msg("%s was refused: %s", text, fault.message);
    }
    return request;
}

// ---- what is refused ----------------------------------------------------------------------------------------------

#define HEAD "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":"
#define CLOTH HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":2"
#define BATCH HEAD "\"batch.run\",\"params\":{\"commands\":["
#define FIFTEEN "[[[[[[[[[[[[[[["

static const struct refusal {
    const char *text;
    int code;
    const char *pointer, *id, *suggestion; // id NULL: a notification
} refusals[] = {
    // not one JSON text
    {"", -32700, "", "null", ""},
    {" ", -32700, "", "null", ""},
    {"{", -32700, "", "null", ""},
    {"}", -32700, "", "null", ""},
    {"{}x", -32700, "", "null", ""},
    {"{} {}", -32700, "", "null", ""},
    {"{\"a\":1,}", -32700, "", "null", ""},
    {"{\"a\" 1}", -32700, "", "null", ""},
    {"{a:1}", -32700, "", "null", ""},
    {"{'a':1}", -32700, "", "null", ""},
    {"{1:1}", -32700, "", "null", ""},
    {"[1,]", -32700, "", "null", ""},
    {"[1 2]", -32700, "", "null", ""},
    {"[1}", -32700, "", "null", ""},
    {"{\"a\":1]", -32700, "", "null", ""},
    {"nul", -32700, "", "null", ""},
    {"True", -32700, "", "null", ""},
    {"NaN", -32700, "", "null", ""},
    {"Infinity", -32700, "", "null", ""},
    {"// hello\n{}", -32700, "", "null", ""},
    {"\xEF\xBB\xBF{}", -32700, "", "null", ""},
    {"\xC2\xA0{}", -32700, "", "null", ""},
    // numbers
    {"[01]", -32700, "", "null", ""},
    {"[+1]", -32700, "", "null", ""},
    {"[.5]", -32700, "", "null", ""},
    {"[1.]", -32700, "", "null", ""},
    {"[1e]", -32700, "", "null", ""},
    {"[1e+]", -32700, "", "null", ""},
    {"[-]", -32700, "", "null", ""},
    {"[0x10]", -32700, "", "null", ""},
    {"[1e999]", -32700, "", "null", ""},
    {"[-1e309]", -32700, "", "null", ""},
    {CLOTH ",\"spacing\":1e999}}", -32700, "", "null", ""},
    // strings
    {"[\"a]", -32700, "", "null", ""},
    {"[\"\n\"]", -32700, "", "null", ""},
    {"[\"\x01\"]", -32700, "", "null", ""},
    {"[\"\\x41\"]", -32700, "", "null", ""},
    {"[\"\\u00g0\"]", -32700, "", "null", ""},
    {"[\"\\u12\"]", -32700, "", "null", ""},
    {"[\"\\u0000\"]", -32700, "", "null", ""},
    {"[\"\\ud800\"]", -32700, "", "null", ""},
    {"[\"\\ud800\\u0041\"]", -32700, "", "null", ""},
    {"[\"\\udc00\"]", -32700, "", "null", ""},
    {"[\"\xFF\"]", -32700, "", "null", ""},
    {"[\"\x80\"]", -32700, "", "null", ""},
    {"[\"\xC3\"]", -32700, "", "null", ""},
    {"[\"\xC0\xAF\"]", -32700, "", "null", ""},
    {"[\"\xE0\x80\xAF\"]", -32700, "", "null", ""},
    {"[\"\xED\xA0\x80\"]", -32700, "", "null", ""},
    {"[\"\xF4\x90\x80\x80\"]", -32700, "", "null", ""},
    {"[\"\xF8\x88\x80\x80\x80\"]", -32700, "", "null", ""},
    // members twice, at any depth, however written
    {"{\"a\":1,\"a\":2}", -32700, "", "null", ""},
    {"{\"a\":1,\"\\u0061\":2}", -32700, "", "null", ""},
    {"[{\"x\":{\"a/b\":1,\"c\":2,\"a\\/b\":3}}]", -32700, "", "null", ""},
    {HEAD "\"world.get\",\"id\":8}", -32700, "", "null", ""},
    {"{\"\xF0\x9F\x98\x80\":1,\"\\uD83D\\ude00\":2}", -32700, "", "null", ""},
    // depth
    {FIFTEEN "[[", -32700, "", "null", ""},
    // JSON, but no request
    {"[]", -32600, "", "null", ""},
    {"[" HEAD "\"world.get\"}]", -32600, "", "null", ""},
    {"1", -32600, "", "null", ""},
    {"\"cloth.spawn\"", -32600, "", "null", ""},
    {"null", -32600, "", "null", ""},
    {"{}", -32600, "/jsonrpc", "null", ""},
    {"{\"id\":3}", -32600, "/jsonrpc", "3", ""},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"world.get\"}", -32600, "/jsonrpc", "1", ""},
    {"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"world.get\"}", -32600, "/jsonrpc", "1", ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1}", -32600, "/method", "1", ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", -32600, "/method", "1", ""},
    {"{\"jsonrpc\":\"2.0\",\"method\":5}", -32600, "/method", "null", ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"world.get\"}", -32600, "/id", "null", ""},
    {"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"world.get\"}", -32600, "/id", "null", ""},
    {HEAD "\"world.get\",\"extra\":1}", -32600, "/extra", "7", ""},
    {HEAD "\"world.get\",\"Params\":{}}", -32600, "/Params", "7", ""},
    {HEAD "\"world.get\",\"a/b~c\":1}", -32600, "/a~1b~0c", "7", ""},
    // no such method
    {HEAD "\"cloth_spawn\"}", -32601, "", "7", "cloth.spawn"},
    {HEAD "\"spawnCloth\"}", -32601, "", "7", "cloth.spawn"},
    {HEAD "\"cloth.spwan\"}", -32601, "", "7", "cloth.spawn"},
    {HEAD "\"clot.spawn\"}", -32601, "", "7", "cloth.spawn"},
    {HEAD "\"Cloth.Spawn\"}", -32601, "", "7", "cloth.spawn"},
    {HEAD "\"elephant.dance\"}", -32601, "", "7", ""},
    {HEAD "\"\"}", -32601, "", "7", ""},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"elephant.dance\"}", -32601, "", NULL, ""},
    // params
    {HEAD "\"world.set\",\"params\":[1]}", -32602, "", "7", ""},
    {HEAD "\"world.set\",\"params\":7}", -32602, "", "7", ""},
    {HEAD "\"world.set\",\"params\":\"x\"}", -32602, "", "7", ""},
    {HEAD "\"world.get\",\"params\":{\"x\":1}}", -32602, "/x", "7", ""},
    {HEAD "\"cloth.spawn\"}", -32602, "/columns", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":4}}", -32602, "/rows", "7", ""},
    {CLOTH ",\"spacng\":1}}", -32602, "/spacng", "7", "spacing"},
    {CLOTH ",\"colour\":\"#ffffff\"}}", -32602, "/colour", "7", "color"},
    {CLOTH ",\"areal_density\":1}}", -32602, "/areal_density", "7", "arealDensity"},
    {CLOTH ",\"Rows\":1}}", -32602, "/Rows", "7", "rows"},
    {CLOTH ",\"zebra\":1}}", -32602, "/zebra", "7", ""},
    {"{\"jsonrpc\":\"2.0\",\"method\":\"cloth.spawn\",\"params\":{}}", -32602, "/columns", NULL, ""},
    // integers
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":3.5}}", -32602, "/rows", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":1}}", -32602, "/rows", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":4097}}", -32602, "/rows", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":\"3\"}}", -32602, "/rows", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":null}}", -32602, "/rows", "7", ""},
    {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3,\"rows\":-1e300}}", -32602, "/rows", "7", ""},
    {HEAD "\"stick.remove\",\"params\":{\"stick\":0}}", -32602, "/stick", "7", ""},
    {HEAD "\"stick.remove\",\"params\":{\"stick\":4294967296}}", -32602, "/stick", "7", ""},
    {BATCH "{\"method\":\"world.set\"}],\"atTick\":9007199254740993}}", -32602, "/atTick", "7", ""},
    // a tick to wait for, which only a whole request has and only one that changes the world
    {CLOTH ",\"atTick\":0}}", -32602, "/atTick", "7", ""},
    {CLOTH ",\"atTick\":\"soon\"}}", -32602, "/atTick", "7", ""},
    {CLOTH ",\"atTik\":5}}", -32602, "/atTik", "7", "atTick"},
    {HEAD "\"world.get\",\"params\":{\"atTick\":5}}", -32602, "/atTick", "7", ""},
    {HEAD "\"world.reset\",\"params\":{\"atTick\":5}}", -32602, "/atTick", "7", ""},
    {BATCH "{\"method\":\"world.set\",\"params\":{\"atTick\":5}}]}}", -32602, "/commands/0/params/atTick", "7", ""},
    // reals
    {CLOTH ",\"spacing\":0}}", -32602, "/spacing", "7", ""},
    {CLOTH ",\"spacing\":-1}}", -32602, "/spacing", "7", ""},
    {CLOTH ",\"spacing\":1e-50}}", -32602, "/spacing", "7", ""},
    {CLOTH ",\"spacing\":1000.001}}", -32602, "/spacing", "7", ""},
    {CLOTH ",\"spacing\":true}}", -32602, "/spacing", "7", ""},
    {CLOTH ",\"spacing\":[0.1]}}", -32602, "/spacing", "7", ""},
    {HEAD "\"world.set\",\"params\":{\"damping\":1}}", -32602, "/damping", "7", ""},
    {HEAD "\"world.set\",\"params\":{\"damping\":0.99999999999}}", -32602, "/damping", "7", ""},
    // other scalars
    {CLOTH ",\"shear\":1}}", -32602, "/shear", "7", ""},
    {CLOTH ",\"mesh\":\"gird\"}}", -32602, "/mesh", "7", "grid"},
    {CLOTH ",\"mesh\":\"Grid \"}}", -32602, "/mesh", "7", "grid"},
    {CLOTH ",\"mesh\":0}}", -32602, "/mesh", "7", ""},
    {CLOTH ",\"color\":\"red\"}}", -32602, "/color", "7", ""},
    {CLOTH ",\"color\":\"#12345g\"}}", -32602, "/color", "7", ""},
    {CLOTH ",\"color\":\"#1234567\"}}", -32602, "/color", "7", ""},
    {CLOTH ",\"color\":\"\"}}", -32602, "/color", "7", ""},
    {CLOTH ",\"name\":\"\"}}", -32602, "/name", "7", ""},
    {CLOTH ",\"name\":\"a\\nb\"}}", -32602, "/name", "7", ""},
    {CLOTH ",\"name\":\"a\\u0085b\"}}", -32602, "/name", "7", ""},
    {CLOTH ",\"name\":\"1234567890123456789012345678901234567890123456789012345678901234"
           "5\"}}",
     -32602, "/name", "7", ""},
    {HEAD "\"scene.load\",\"params\":{\"name\":\"../etc\"}}", -32602, "/name", "7", ""},
    {HEAD "\"scene.load\",\"params\":{\"name\":\"-a\"}}", -32602, "/name", "7", ""},
    {HEAD "\"scene.load\",\"params\":{\"name\":\"\"}}", -32602, "/name", "7", ""},
    {HEAD "\"scene.load\",\"params\":{\"name\":\"A\"}}", -32602, "/name", "7", ""},
    // vectors
    {CLOTH ",\"position\":[0,0]}}", -32602, "/position", "7", ""},
    {CLOTH ",\"position\":[0,0,0,0]}}", -32602, "/position", "7", ""},
    {CLOTH ",\"position\":[0,\"0\",0]}}", -32602, "/position/1", "7", ""},
    {CLOTH ",\"position\":[0,0,100001]}}", -32602, "/position/2", "7", ""},
    {CLOTH ",\"position\":{\"x\":0}}}", -32602, "/position", "7", ""},
    {CLOTH ",\"rotation\":[0,0,0,0]}}", -32602, "/rotation", "7", ""},
    {CLOTH ",\"rotation\":[0,0,0]}}", -32602, "/rotation", "7", ""},
    {HEAD "\"obstacle.add\",\"params\":{\"shape\":\"plane\",\"normal\":[0,0,0]}}", -32602, "/normal", "7", ""},
    // arrays
    {CLOTH ",\"masses\":[]}}", -32602, "/masses", "7", ""},
    {CLOTH ",\"masses\":[1,0]}}", -32602, "/masses/1", "7", ""},
    {CLOTH ",\"pin\":[0,-1]}}", -32602, "/pin/1", "7", ""},
    {CLOTH ",\"pin\":[0,1.5]}}", -32602, "/pin/1", "7", ""},
    {CLOTH ",\"pin\":\"topCorner\"}}", -32602, "/pin", "7", "topCorners"},
    {CLOTH ",\"pin\":5}}", -32602, "/pin", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[]}}", -32602, "/positions", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[1,2,3,4]}}", -32602, "/positions", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[[1,2,3],[4,5]]}}", -32602, "/positions/1", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[[1,2,3],4]}}", -32602, "/positions/1", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[1,2,[3]]}}", -32602, "/positions/2", "7", ""},
    {HEAD "\"particles.spawn\",\"params\":{\"positions\":[[1,2,3],[4,5,1e6]]}}", -32602, "/positions/1/2", "7", ""},
    {HEAD "\"events.subscribe\",\"params\":{\"events\":[]}}", -32602, "/events", "7", ""},
    {HEAD "\"events.subscribe\",\"params\":{\"events\":[\"object.added\",\"object.add\"]}}", -32602, "/events/1", "7",
     "object.added"},
    // nested values
    {HEAD "\"world.set\",\"params\":{\"wind\":3}}", -32602, "/wind", "7", ""},
    {HEAD "\"world.set\",\"params\":{\"wind\":{}}}", -32602, "/wind/velocity", "7", ""},
    {HEAD "\"world.set\",\"params\":{\"wind\":{\"velocity\":[1,0,0],\"gusts\":1}}}", -32602, "/wind/gusts", "7",
     "gust"},
    {HEAD "\"world.set\",\"params\":{\"bounds\":{\"min\":[0,0,0]}}}", -32602, "/bounds/max", "7", ""},
    {HEAD "\"stick.add\",\"params\":{\"a\":{\"object\":1,\"particle\":0},\"b\":{\"particle\":1}}}", -32602, "/b/object",
     "7", ""},
    // references
    {HEAD "\"object.get\",\"params\":{\"object\":0}}", -32602, "/object", "7", ""},
    {HEAD "\"object.get\",\"params\":{\"object\":\"1\"}}", -32602, "/object", "7", ""},
    {HEAD "\"object.get\",\"params\":{\"object\":\"\"}}", -32602, "/object", "7", ""},
    {HEAD "\"object.get\",\"params\":{\"object\":\"$0\"}}", -32602, "/object", "7", ""},
    {BATCH "{\"method\":\"object.remove\",\"params\":{\"object\":\"$0\"}}]}}", -32602, "/commands/0/params/object", "7",
     ""},
    {BATCH "{\"method\":\"world.set\"},{\"method\":\"object.remove\",\"params\":{\"object\":\"$0\"}}]}}", -32602,
     "/commands/1/params/object", "7", ""},
    {BATCH "{\"method\":\"world.set\"},{\"method\":\"object.remove\",\"params\":{\"object\":\"$1234567\"}}]}}", -32602,
     "/commands/1/params/object", "7", ""},
    {BATCH "{\"method\":\"world.set\"},{\"method\":\"object.remove\",\"params\":{\"object\":\"$-1\"}}]}}", -32602,
     "/commands/1/params/object", "7", ""},
    // batches
    {HEAD "\"batch.run\",\"params\":{}}", -32602, "/commands", "7", ""},
    {BATCH "]}}", -32602, "/commands", "7", ""},
    {BATCH "5]}}", -32602, "/commands/0", "7", ""},
    {BATCH "{}]}}", -32602, "/commands/0/method", "7", ""},
    {BATCH "{\"method\":5}]}}", -32602, "/commands/0/method", "7", ""},
    {BATCH "{\"method\":\"world.set\",\"id\":1}]}}", -32602, "/commands/0/id", "7", ""},
    {BATCH "{\"method\":\"world.set\"},{\"method\":\"wrld.set\"}]}}", -32601, "/commands/1/method", "7", "world.set"},
    {BATCH "{\"method\":\"world.pause\"}]}}", -32602, "/commands/0/method", "7", ""},
    {BATCH "{\"method\":\"batch.run\",\"params\":{\"commands\":[]}}]}}", -32602, "/commands/0/method", "7", ""},
    {BATCH "{\"method\":\"world.set\",\"params\":[]}]}}", -32602, "/commands/0/params", "7", ""},
    {BATCH "{\"method\":\"world.set\",\"params\":{\"damping\":2}}]}}", -32602, "/commands/0/params/damping", "7", ""},
    {BATCH "{\"method\":\"world.set\",\"params\":{\"wind\":{\"velocity\":[0,0,0],\"gst\":2}}}]}}", -32602,
     "/commands/0/params/wind/gst", "7", "gust"},
};

static void a_malformed_message_gets_its_code_and_pointer(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *row = &refusals[i];
        struct proto_request *request = NULL;
        struct proto_id id;
        struct fault fault;
        // A copy without a terminator, so that the sanitizer sees a byte too many being read.
        size_t length = strlen(row->text);
        char *text = malloc(length + (length == 0));
        assert_non_null(text);
        memcpy(text, row->text, length);
        enum result result = proto_request_parse(text, length, &request, &id, &fault);
        free(text);
        bool right = result != RESULT_OK && result == fault.cause && proto_error_code(result) == row->code &&
                     strcmp(fault.pointer, row->pointer) == 0 && strcmp(fault.suggestion, row->suggestion) == 0 &&
                     id.present == (row->id != NULL) && (row->id == NULL || strcmp(id.text, row->id) == 0);
        if (!right) {
            fail_msg("%s: got %d at \"%s\", id %s, suggestion \"%s\": %s", row->text, proto_error_code(result),
                     fault.pointer, id.present ? id.text : "none", fault.suggestion, fault.message);
        }
        assert_true(strlen(fault.message) > 10);
    }
}

#define DIGITS_30 "444444444444444444444444444444"

static void an_id_is_kept_as_it_was_written(void **state) {
    (void)state;
    static const char *const ids[] = {
        "7",
        "-0",
        "1.50",
        "2e3",
        "1E+2",
        "null",
        "\"a \\u0069\\n\"",
        DIGITS_30 DIGITS_30 DIGITS_30 "23",
        DIGITS_30 DIGITS_30 DIGITS_30 ".5e1",
        "0.0000000000" DIGITS_30 DIGITS_30,
    };
    static const char *const around[][2] = {
        {"{\"jsonrpc\":\"2.0\",\"id\":", ",\"method\":\"world.get\",\"params\":{}}"},
        {" { \"method\" : \"world.get\" , \"params\" : { } , \"jsonrpc\" : \"2.0\" , \"\\u0069d\" :\t", "\n} "},
    };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        for (size_t k = 0; k < sizeof around / sizeof *around; k++) {
            char text[512];
            snprintf(text, sizeof text, "%s%s%s", around[k][0], ids[i], around[k][1]);
            struct proto_request *request = parse(text);
            assert_string_equal(request->id.text, ids[i]);
            proto_request_destroy(request);
        }
    }
}

static void a_fault_that_nobody_wants_is_not_needed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct proto_request *request = NULL;
        struct proto_id id;
        assert_true(proto_request_parse(refusals[i].text, strlen(refusals[i].text), &request, &id, NULL) != RESULT_OK);
    }
}

static void a_nul_byte_is_refused(void **state) {
    (void)state;
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"method\":\"world.get\"}\0";
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault;
    assert_int_equal(proto_request_parse(text, sizeof text - 1, &request, &id, &fault), RESULT_PARSE);
}

static void messages_name_the_member_what_it_got_and_what_is_allowed(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {CLOTH ",\"spacing\":-1}}", "spacing must be a number from 0.0001 to 1000 m, got -1"},
        {CLOTH ",\"arealDensity\":-1}}", "arealDensity must be a number above 0 and at most 10000 kg/m², got -1"},
        {CLOTH ",\"mesh\":\"gird\"}}", "mesh must be \"grid\" or \"hex\", got \"gird\""},
        {CLOTH ",\"spacng\":1}}", "cloth.spawn has no spacng; did you mean spacing?"},
        {CLOTH ",\"position\":[0,true,0]}}", "position[1] must be a number from -100000 to 100000 m, got true"},
        {HEAD "\"cloth.spawn\",\"params\":{\"columns\":3}}",
         "rows is missing: cloth.spawn needs it, an integer from 2 to 4096"},
        {HEAD "\"world.set\",\"params\":{\"wind\":{\"velocity\":[0,0,0],\"gust\":2}}}",
         "wind.gust must be a number from 0 to 1, got 2"},
        {BATCH "{\"method\":\"world.set\",\"params\":{\"damping\":2}}]}}",
         "command 0 (world.set): damping must be a number of at least 0 and below 1, got 2"},
        {BATCH "{\"method\":\"world.set\"}],\"atTick\":0.5}}",
         "atTick must be an integer from 1 to 9007199254740991, got 0.5"},
        {"{\"a\":1e999}", "not valid JSON: a number that is too large at byte 5"},
        {"{\"a\":1,\"b\":2,\"a\":3}", "not valid JSON: a member that its object has already at byte 13"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct proto_request *request = NULL;
        struct proto_id id;
        struct fault fault;
        assert_true(proto_request_parse(rows[i][0], strlen(rows[i][0]), &request, &id, &fault) != RESULT_OK);
        assert_string_equal(fault.message, rows[i][1]);
    }
}

// ---- what is taken ------------------------------------------------------------------------------------------------

static void defaults_are_filled_in(void **state) {
    (void)state;
    struct proto_request *request = parse(CLOTH "}}");
    assert_int_equal(request->command.method, PROTO_METHOD_CLOTH_SPAWN);
    const struct proto_cloth_spawn *cloth = request->command.params;
    assert_true(cloth->columns == 3 && cloth->rows == 2);
    assert_true(cloth->spacing == 0.05f && !cloth->has_spacing);
    assert_true(cloth->mesh == PROTO_CLOTH_SPAWN_MESH_GRID && cloth->shear);
    assert_true(cloth->rotation.w == 1.0f && cloth->rotation.x == 0.0f);
    assert_int_equal(cloth->pin.choice, PROTO_SHEET_PINS_TOP_CORNERS);
    assert_false(cloth->has_mass || cloth->has_areal_density || cloth->has_masses || cloth->has_color ||
                 cloth->has_name);
    proto_request_destroy(request);
}

static void values_arrive_typed(void **state) {
    (void)state;
    struct proto_request *request =
        parse(HEAD "\"cloth.spawn\",\"params\":{\"columns\":3.0,\"rows\":2e0,\"mesh\":\"hex\",\"shear\":false,"
                   "\"position\":[1,-2,0.5],\"rotation\":[0,0,3,4],\"pin\":[5,0],\"masses\":[1,2.5],"
                   "\"color\":\"#fF8001\",\"name\":\"\\u00e4 \\ud83d\\ude00\",\"projection\":\"start\"}}");
    const struct proto_cloth_spawn *cloth = request->command.params;
    assert_true(cloth->columns == 3 && cloth->rows == 2 && cloth->has_mesh);
    assert_true(cloth->mesh == PROTO_CLOTH_SPAWN_MESH_HEX && !cloth->shear);
    assert_true(cloth->position.x == 1.0f && cloth->position.y == -2.0f && cloth->position.z == 0.5f);
    assert_true(cloth->rotation.z == 0.6f && cloth->rotation.w == 0.8f);
    assert_int_equal(cloth->pin.choice, PROTO_SHEET_PINS_LIST);
    assert_true(cloth->pin.indices.count == 2 && cloth->pin.indices.items[0] == 5 && cloth->pin.indices.items[1] == 0);
    assert_true(cloth->masses.count == 2 && cloth->masses.items[1] == 2.5f);
    assert_int_equal(cloth->color, 0xFF8001);
    assert_string_equal(cloth->name, "ä 😀");
    assert_int_equal(cloth->projection, PROTO_PROJECTION_START);
    proto_request_destroy(request);
}

static void positions_may_be_flat_or_in_threes(void **state) {
    (void)state;
    static const char *const texts[] = {"[1,2,3,4,5,6]", "[[1,2,3],[4,5,6]]"};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, HEAD "\"particles.spawn\",\"params\":{\"positions\":%s}}", texts[i]);
        struct proto_request *request = parse(text);
        const struct proto_particles_spawn *particles = request->command.params;
        assert_int_equal(particles->positions.count, 6);
        for (int k = 0; k < 6; k++) {
            assert_true(particles->positions.items[k] == (float)(k + 1));
        }
        proto_request_destroy(request);
    }
}

static void event_names_become_bits(void **state) {
    (void)state;
    struct proto_request *request =
        parse(HEAD "\"events.subscribe\",\"params\":{\"events\":[\"client.left\",\"object.added\"]}}");
    const struct proto_events_subscribe *events = request->command.params;
    assert_int_equal(events->events, 1u << PROTO_EVENT_NAME_CLIENT_LEFT | 1u << PROTO_EVENT_NAME_OBJECT_ADDED);
    proto_request_destroy(request);
}

static void a_batch_keeps_order_references_and_texts(void **state) {
    (void)state;
    struct proto_request *request =
        parse("{\"jsonrpc\":\"2.0\",\"params\":{ \"atTick\" : 9007199254740991, \"commands\" : [\n"
              "{ \"method\":\"rope.spawn\", \"params\":{ \"from\" : [0,1,0], \"to\":[1e0,1,0] }},\n"
              "{ \"params\":{\"object\":\"$0\",\"particles\":[0]}, \"method\":\"particle.pin\" },\n"
              "{ \"method\":\"world.set\" } ] }, \"method\":\"batch.run\"}");
    assert_false(request->id.present);
    const struct proto_batch_run *batch = request->command.params;
    assert_true(batch->has_at_tick && batch->at_tick == 9007199254740991u);
    assert_true(request->command.has_at_tick && request->command.at_tick == 9007199254740991u);
    assert_int_equal(batch->commands.count, 3);
    const struct proto_command *commands = batch->commands.items;
    assert_int_equal(commands[0].method, PROTO_METHOD_ROPE_SPAWN);
    static const char rope[] = "{\"from\":[0,1,0],\"to\":[1e0,1,0]}";
    assert_int_equal(commands[0].params_length, sizeof rope - 1);
    assert_memory_equal(commands[0].params_text, rope, sizeof rope - 1);
    const struct proto_particle_pin *pin = commands[1].params;
    assert_true(pin->object.is_command && pin->object.value == 0 && !pin->has_position);
    assert_int_equal(commands[2].method, PROTO_METHOD_WORLD_SET);
    assert_int_equal(commands[2].params_length, 2);
    assert_memory_equal(commands[2].params_text, "{}", 2);
    proto_request_destroy(request);
}

static void a_tick_to_wait_for_is_taken_out_of_the_params(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"{\"atTick\":12}", "{}"},
        {"{\"atTick\":12,\"damping\":0.5}", "{\"damping\":0.5}"},
        {"{ \"damping\" : 0.5 , \"at\\u0054ick\" : 12.0 }", "{\"damping\":0.5}"},
        {"{\"damping\":0.5,\"atTick\":12,\"sleep\":true}", "{\"damping\":0.5,\"sleep\":true}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[160];
        snprintf(text, sizeof text, HEAD "\"world.set\",\"params\":%s}", rows[i][0]);
        struct proto_request *request = parse(text);
        const struct proto_world_set *params = request->command.params;
        assert_true(request->command.has_at_tick && request->command.at_tick == 12);
        assert_int_equal(request->command.params_length, strlen(rows[i][1]));
        assert_memory_equal(request->command.params_text, rows[i][1], strlen(rows[i][1]));
        assert_int_equal(params->has_damping, i > 0);
        proto_request_destroy(request);
    }
    struct proto_request *now = parse(HEAD "\"world.set\"}");
    assert_false(now->command.has_at_tick);
    proto_request_destroy(now);
}

static void an_id_comes_back_as_it_was_written(void **state) {
    (void)state;
    static const char *const ids[] = {"1",    "-1",   "1.50", "12345678901234567890", "1E2", "\"\"", "\"a\\u0062\\n\"",
                                      "null", "\"ä\""};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char text[128];
        snprintf(text, sizeof text, "{\"id\": %s ,\"jsonrpc\":\"2.0\",\"method\":\"world.get\"}", ids[i]);
        struct proto_request *request = parse(text);
        assert_true(request->id.present);
        assert_string_equal(request->id.text, ids[i]);
        assert_null(request->command.params);
        proto_request_destroy(request);
    }
}

static void a_long_id_is_refused(void **state) {
    (void)state;
    char text[PROTO_ID_MAX + 128], long_id[PROTO_ID_MAX + 1];
    for (size_t length = PROTO_ID_MAX - 2; length <= PROTO_ID_MAX; length++) {
        memset(long_id, 'x', length);
        long_id[0] = long_id[length - 1] = '"';
        long_id[length] = '\0';
        snprintf(text, sizeof text, "{\"id\":%s,\"jsonrpc\":\"2.0\",\"method\":\"world.get\"}", long_id);
        struct proto_request *request = NULL;
        struct proto_id id;
        struct fault fault;
        enum result result = proto_request_parse(text, strlen(text), &request, &id, &fault);
        assert_int_equal(result, length < PROTO_ID_MAX ? RESULT_OK : RESULT_REQUEST);
        assert_string_equal(id.text, length < PROTO_ID_MAX ? long_id : "null");
        proto_request_destroy(request);
    }
}

// Every example of the reference page must be a valid request, and must have a result.
static void every_example_of_the_reference_page_is_valid(void **state) {
    (void)state;
    FILE *file = fopen("proto/examples.json", "rb");
    assert_non_null(file);
    static char text[65536];
    size_t length = fread(text, 1, sizeof text - 1, file);
    assert_int_equal(fclose(file), 0);
    cJSON *examples = cJSON_ParseWithLength(text, length);
    assert_int_equal(cJSON_GetArraySize(examples), PROTO_METHOD_COUNT);
    const cJSON *example = NULL;
    cJSON_ArrayForEach(example, examples) {
        char *params = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(example, "params"));
        struct json_writer message;
        json_writer_init(&message);
        json_writer_open_object(&message);
        json_writer_member_string(&message, "jsonrpc", "2.0");
        json_writer_member_string(&message, "method", example->string);
        json_writer_key(&message, "params");
        json_writer_raw(&message, params, strlen(params));
        json_writer_close_object(&message);
        struct proto_request *request = NULL;
        struct proto_id id;
        struct fault fault = {.message = ""};
        if (proto_request_parse(message.data, message.length, &request, &id, &fault) != RESULT_OK) {
            fail_msg("the example of %s: %s", example->string, fault.message);
        }
        proto_request_destroy(request);
        json_writer_free(&message);
        cJSON_free(params);
    }
    cJSON_Delete(examples);
}

static void replies_errors_and_events_are_whole_messages(void **state) {
    (void)state;
    const struct proto_id id = {.present = true, .text = "\"a\""};
    struct fault fault;
    assert_int_equal(fault_set(&fault, RESULT_INVALID, "/a", "no \"%s\"", "a"), RESULT_INVALID);
    snprintf(fault.suggestion, sizeof fault.suggestion, "b");
    struct json_writer text;
    json_writer_init(&text);
    proto_write_text_reply(&text, &id, "{\"tick\":1}", 10);
    static const char reply[] = "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"tick\":1}}";
    assert_int_equal(text.length, sizeof reply - 1);
    assert_memory_equal(text.data, reply, text.length);
    json_writer_clear(&text);
    proto_write_error(&text, &id, &fault);
    static const char error[] =
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":{\"code\":-32602,\"message\":\"no \\\"a\\\"\","
        "\"data\":{\"pointer\":\"/a\",\"suggestion\":\"b\"}}}";
    assert_int_equal(text.length, sizeof error - 1);
    assert_memory_equal(text.data, error, text.length);
    json_writer_clear(&text);
    struct json_writer params;
    json_writer_init(&params);
    json_writer_open_object(&params);
    json_writer_close_object(&params);
    proto_write_event(&text, "client.left", &params);
    static const char event[] = "{\"jsonrpc\":\"2.0\",\"method\":\"client.left\",\"params\":{}}";
    assert_int_equal(text.length, sizeof event - 1);
    assert_memory_equal(text.data, event, text.length);
    params.failed = true; // memory ran out half-way: what there is of it is no JSON
    json_writer_clear(&text);
    proto_write_reply(&text, &id, &params);
    assert_true(json_writer_failed(&text));
    json_writer_clear(&text);
    proto_write_event(&text, "client.left", &params);
    assert_true(json_writer_failed(&text));
    json_writer_free(&params);
    json_writer_free(&text);
}

static void null_params_are_absent(void **state) {
    (void)state;
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"params\":null,\"method\":\"world.get\"}";
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault;
    assert_int_equal(proto_request_parse(text, sizeof text - 1, &request, &id, &fault), RESULT_OK);
    assert_int_equal(request->command.params_length, 2);
    assert_memory_equal(request->command.params_text, "{}", 2);
    proto_request_destroy(request);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_params_are_absent),
        cmocka_unit_test(a_malformed_message_gets_its_code_and_pointer),
        cmocka_unit_test(an_id_is_kept_as_it_was_written),
        cmocka_unit_test(a_fault_that_nobody_wants_is_not_needed),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(messages_name_the_member_what_it_got_and_what_is_allowed),
        cmocka_unit_test(defaults_are_filled_in),
        cmocka_unit_test(values_arrive_typed),
        cmocka_unit_test(positions_may_be_flat_or_in_threes),
        cmocka_unit_test(event_names_become_bits),
        cmocka_unit_test(a_batch_keeps_order_references_and_texts),
        cmocka_unit_test(a_tick_to_wait_for_is_taken_out_of_the_params),
        cmocka_unit_test(an_id_comes_back_as_it_was_written),
        cmocka_unit_test(a_long_id_is_refused),
        cmocka_unit_test(every_example_of_the_reference_page_is_valid),
        cmocka_unit_test(replies_errors_and_events_are_whole_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
