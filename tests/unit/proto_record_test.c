// SPDX-License-Identifier: MIT
// Records: every example and scene, and thousands of random commands of every method, are read back bit for bit.
// Changed bytes are read as a command that is allowed, or refused; they never crash the reader. Runs in the root of the
// repository.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/message/method.h"
#include "proto/record/record_read.h"
#include "proto/record/record_write.h"
#include "proto_random.h"

#define ROUNDS 200 // random commands of each method

// ---- the same to the bit ------------------------------------------------------------------------------------------

static bool same_commands(const struct proto_command *a, const struct proto_command *b);
static bool same_members(const struct proto_record *record, const char *a, const char *b);

static bool same_bytes(const void *a, const void *b, size_t size) {
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_strings(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_indices(const struct proto_indices *a, const struct proto_indices *b) {
    return a->count == b->count && same_bytes(a->items, b->items, a->count * sizeof *a->items);
}

static bool same_floats(const struct proto_floats *a, const struct proto_floats *b) {
    return a->count == b->count && same_bytes(a->items, b->items, a->count * sizeof *a->items);
}

static bool same_lists(const struct proto_commands *a, const struct proto_commands *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++) {
        same = same_commands(&a->items[i], &b->items[i]);
    }
    return same;
}

static bool same_records(const struct proto_record *record, const struct proto_list *a, const struct proto_list *b);

static bool same_values(const struct proto_field *field, const void *a, const void *b) {
    static const size_t sizes[PROTO_TYPE_COUNT] = {
        [PROTO_TYPE_REAL] = 4,    [PROTO_TYPE_INTEGER] = 4, [PROTO_TYPE_INTEGER64] = 8,
        [PROTO_TYPE_BOOLEAN] = 1, [PROTO_TYPE_COLOR] = 4,   [PROTO_TYPE_ENUM] = 4,
        [PROTO_TYPE_MASK] = 4,    [PROTO_TYPE_VEC3] = 12,   [PROTO_TYPE_QUAT] = 16};
    const struct proto_ref *ref_a = a, *ref_b = b;
    const struct proto_size *size_a = a, *size_b = b;
    const struct proto_sheet_pins *pins_a = a, *pins_b = b;
    switch (field->type) {
    case PROTO_TYPE_STRING:
        return same_strings(*(const char *const *)a, *(const char *const *)b);
    case PROTO_TYPE_REALS:
    case PROTO_TYPE_REAL_TRIPLES:
        return same_floats(a, b);
    case PROTO_TYPE_INDICES:
    case PROTO_TYPE_INDEX_TRIPLES:
        return same_indices(a, b);
    case PROTO_TYPE_REF:
        return ref_a->is_command == ref_b->is_command && ref_a->value == ref_b->value;
    case PROTO_TYPE_SIZE:
        return size_a->has_extents == size_b->has_extents && same_bytes(&size_a->length, &size_b->length, 4) &&
               same_bytes(&size_a->extents, &size_b->extents, 12);
    case PROTO_TYPE_SHEET_PINS:
        return pins_a->choice == pins_b->choice && same_indices(&pins_a->indices, &pins_b->indices);
    case PROTO_TYPE_RECORD:
        return same_members(field->record, a, b);
    case PROTO_TYPE_COMMANDS:
        return same_lists(a, b);
    case PROTO_TYPE_RECORDS:
        return same_records(field->record, a, b);
    default:
        return same_bytes(a, b, sizes[field->type]);
    }
}

static bool same_members(const struct proto_record *record, const char *a, const char *b) {
    for (uint32_t i = 0; i < record->count; i++) {
        const struct proto_field *field = &record->fields[i];
        if ((!field->required && a[field->has_offset] != b[field->has_offset]) ||
            !same_values(field, a + field->offset, b + field->offset)) {
            print_error("%s differs\n", field->name);
            return false;
        }
    }
    return true;
}

static bool same_records(const struct proto_record *record, const struct proto_list *a, const struct proto_list *b) {
    const char *items_a = a->items, *items_b = b->items;
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++) {
        same = same_members(record, items_a + i * record->size, items_b + i * record->size);
    }
    return same;
}

static bool same_commands(const struct proto_command *a, const struct proto_command *b) {
    return a->method == b->method && a->params_length == b->params_length &&
           same_bytes(a->params_text, b->params_text, a->params_length) &&
           same_members(proto_records[a->method], a->params, b->params);
}

static void check_round_trip(const struct proto_command *command) {
    struct bytes bytes = {0}, again = {0};
    struct proto_request *read = NULL;
    struct fault fault = {.message = ""};
    assert_int_equal(proto_record_write(command, &bytes), RESULT_OK);
    if (proto_record_read(bytes.data, bytes.length, &read, &fault) != RESULT_OK) {
        fail_msg("%s: %s", proto_methods[command->method].name, fault.message);
    }
    assert_false(read->id.present);
    assert_true(same_commands(command, &read->command));
    assert_int_equal(proto_record_write(&read->command, &again), RESULT_OK);
    assert_int_equal(again.length, bytes.length);
    assert_memory_equal(again.data, bytes.data, bytes.length);
    for (size_t length = 0; length < bytes.length; length += 1 + length / 64) { // a record that is cut short is refused
        struct proto_request *none = NULL;
        unsigned char *cut = malloc(length + 1); // of its own, so that the sanitizer sees a read beyond
        assert_non_null(cut);
        memcpy(cut, bytes.data, length);
        assert_int_equal(proto_record_read(cut, length, &none, NULL), RESULT_INVALID);
        free(cut);
    }
    proto_request_destroy(read);
    bytes_free(&again);
    bytes_free(&bytes);
}

// ---- what people send ---------------------------------------------------------------------------------------------

static char *read_text(const char *path, size_t *length) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    text[*length] = '\0';
    fclose(file);
    return text;
}

static struct proto_request *parse_call(const char *method, const cJSON *params) {
    cJSON *call = cJSON_CreateObject();
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault = {.message = ""};
    cJSON_AddStringToObject(call, "jsonrpc", "2.0");
    cJSON_AddStringToObject(call, "method", method);
    if (params != NULL) {
        cJSON_AddItemToObject(call, "params", cJSON_Duplicate(params, true));
    }
    char *text = cJSON_PrintUnformatted(call);
    if (proto_request_parse(text, strlen(text), &request, &id, &fault) != RESULT_OK) {
        fail_msg("%s: %s", method, fault.message);
    }
    free(text);
    cJSON_Delete(call);
    return request;
}

static void every_example_comes_back(void **state) {
    (void)state;
    size_t length = 0;
    char *text = read_text("proto/examples.json", &length);
    cJSON *examples = cJSON_Parse(text);
    bool covered[PROTO_METHOD_COUNT] = {false};
    assert_non_null(examples);
    for (const cJSON *example = examples->child; example != NULL; example = example->next) {
        enum proto_method method = PROTO_METHOD_COUNT;
        if (!proto_method_find(example->string, &method)) {
            continue; // of an event
        }
        struct proto_request *request = parse_call(example->string, cJSON_GetObjectItem(example, "params"));
        check_round_trip(&request->command);
        covered[request->command.method] = true;
        proto_request_destroy(request);
    }
    for (uint32_t i = 0; i < PROTO_METHOD_COUNT; i++) {
        if (!covered[i]) {
            fail_msg("%s has no example", proto_methods[i].name);
        }
    }
    cJSON_Delete(examples);
    free(text);
}

static void every_scene_comes_back(void **state) {
    (void)state;
    DIR *folder = opendir("server/scenes");
    uint32_t scenes = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        struct proto_scene_about about;
        size_t length = 0;
        struct proto_request *request = NULL;
        struct fault fault;
        if (strstr(entry->d_name, ".json") == NULL) {
            continue;
        }
        snprintf(path, sizeof path, "server/scenes/%s", entry->d_name);
        char *text = read_text(path, &length);
        assert_int_equal(proto_scene_parse(text, length, &request, &about, &fault), RESULT_OK);
        check_round_trip(&request->command);
        proto_request_destroy(request);
        free(text);
        scenes++;
    }
    closedir(folder);
    assert_true(scenes > 10);
}

// ---- random commands ----------------------------------------------------------------------------------------------

static void random_commands_of_every_method_come_back(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t method = 0; method < PROTO_METHOD_COUNT; method++) {
        for (uint32_t round = 0; round < ROUNDS; round++) {
            struct proto_request *request = random_request((enum proto_method)method);
            check_round_trip(&request->command);
            proto_request_destroy(request);
        }
    }
}

// ---- what nobody wrote --------------------------------------------------------------------------------------------

// A command read from changed bytes is a command like any other: it can be written and read again.
static void check_bytes(const unsigned char *bytes, size_t length, uint32_t *taken) {
    struct proto_request *request = NULL;
    struct fault fault = {.message = ""};
    unsigned char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    enum result result = proto_record_read(copy, length, &request, &fault);
    free(copy); // a request keeps none of it
    if (result == RESULT_OK) {
        struct bytes again = {0};
        struct proto_request *read = NULL;
        assert_int_equal(proto_record_write(&request->command, &again), RESULT_OK);
        assert_int_equal(proto_record_read(again.data, again.length, &read, &fault), RESULT_OK);
        assert_true(same_commands(&request->command, &read->command));
        proto_request_destroy(read);
        bytes_free(&again);
        proto_request_destroy(request);
        (*taken)++;
        return;
    }
    assert_int_equal(result, RESULT_INVALID);
    assert_true(strlen(fault.message) > 0);
}

static void changed_bytes_are_refused_or_another_command(void **state) {
    (void)state;
    uint32_t taken = 0, tried = 0;
    for (uint32_t round = 0; round < ROUNDS * 5; round++) {
        struct proto_request *request = random_request((enum proto_method)below(PROTO_METHOD_COUNT));
        struct bytes bytes = {0};
        assert_int_equal(proto_record_write(&request->command, &bytes), RESULT_OK);
        for (uint32_t change = 0; change < 20; change++) {
            const size_t at = random64() % bytes.length;
            const unsigned char before = bytes.data[at];
            bytes.data[at] = (unsigned char)(below(2) == 0 ? random64() : before ^ 1u << below(8));
            check_bytes(bytes.data, bytes.length, &taken);
            bytes.data[at] = below(4) == 0 ? bytes.data[at] : before; // some changes stay
            tried++;
        }
        bytes_free(&bytes);
        proto_request_destroy(request);
    }
    print_message("%u of %u changed records are commands too\n", taken, tried);
    assert_true(taken > 0 && taken < tried);
}

static void read_changed(const char *method, const char *params, size_t from_end, unsigned char value,
                         const char *message) {
    cJSON *tree = cJSON_Parse(params);
    struct proto_request *request = parse_call(method, tree), *none = NULL;
    struct bytes bytes = {0};
    struct fault fault = {.message = ""};
    assert_int_equal(proto_record_write(&request->command, &bytes), RESULT_OK);
    bytes.data[from_end == 0 ? 0 : bytes.length - from_end] = value;
    assert_int_equal(proto_record_read(bytes.data, bytes.length, &none, &fault), RESULT_INVALID);
    if (strstr(fault.message, message) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", message, fault.message);
    }
    bytes_free(&bytes);
    proto_request_destroy(request);
    cJSON_Delete(tree);
}

static void what_a_request_may_not_say_a_record_may_not_say(void **state) {
    (void)state;
    read_changed("grab.end", "{\"grab\":1}", 0, 9, "version 9");
    read_changed("grab.end", "{\"grab\":1}", 4, 0, "grab.end.grab has a value that is not allowed"); // grab 0
    read_changed("grab.end", "{\"grab\":1}", 5, 1, "grab.end.grab is of another type");
    read_changed("world.step", "{\"ticks\":5}", 1, 0xFF, "world.step.ticks has a value that is not allowed");
    read_changed("view.show", "{\"eye\":[0,0,0],\"target\":[1,2,3]}", 1, 0x7F,
                 "view.show.target has a value"); // NaN or huge
    read_changed("scene.load", "{\"name\":\"bump\"}", 1, '/', "scene.load.name has a value that is not allowed");
    read_changed("scene.load", "{\"name\":\"bump\"}", 1, 0xFF, "scene.load.name has a value that is not allowed");
}

// A member that a later version added, or one that it took away.
static void a_record_without_an_optional_member_gets_its_default(void **state) {
    (void)state;
    struct proto_request *request = parse_call("world.step", NULL), *read = NULL;
    struct bytes bytes = {0};
    struct fault fault = {.message = ""};
    assert_int_equal(proto_record_write(&request->command, &bytes), RESULT_OK);
    // version, "world.step", text "{}", then 1 member: make it none
    const size_t members = 1 + 1 + strlen("world.step") + 1 + 4 + 2;
    assert_int_equal(bytes.data[members], 1);
    bytes.data[members] = 0;
    assert_int_equal(proto_record_read(bytes.data, members + 1, &read, &fault), RESULT_OK);
    const struct proto_world_step *step = read->command.params;
    assert_true(!step->has_ticks && step->ticks == 1);
    proto_request_destroy(read);
    bytes.data[members] = 1;
    bytes.data[members + 2] = 'u'; // the first letter of "ticks"
    assert_int_equal(proto_record_read(bytes.data, bytes.length, &read, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "does not know"));
    bytes_free(&bytes);
    proto_request_destroy(request);
}

int main(void) {
    const char *wanted = getenv("WEFT_SEED");
    seed = wanted != NULL ? strtoull(wanted, NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_comes_back),
        cmocka_unit_test(every_scene_comes_back),
        cmocka_unit_test(random_commands_of_every_method_come_back),
        cmocka_unit_test(changed_bytes_are_refused_or_another_command),
        cmocka_unit_test(what_a_request_may_not_say_a_record_may_not_say),
        cmocka_unit_test(a_record_without_an_optional_member_gets_its_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
