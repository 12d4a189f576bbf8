// SPDX-License-Identifier: MIT
// Records: every example and scene, and thousands of random commands of every method, come back to the bit; bytes that
// were changed are read as something that is allowed or refused, and never crash. Runs in the root of the repository.
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

#include "proto/field.h"
#include "proto/record.h"
#include "proto/text.h"

#define ROUNDS 200 // random commands of each method
#define ARRAY_MOST 40u

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

// ---- the same to the bit
// -------------------------------------------------------------------------------------------------

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

static bool same_commands(const struct proto_command *a, const struct proto_command *b) {
    return a->method == b->method && a->params_length == b->params_length &&
           same_bytes(a->params_text, b->params_text, a->params_length) &&
           same_members(proto_records[a->method], a->params, b->params);
}

static void check_round_trip(const struct proto_command *command) {
    struct proto_bytes bytes = {0}, again = {0};
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
    for (size_t length = 0; length < bytes.length; length += 1 + length / 64) { // cut short it is nothing
        struct proto_request *none = NULL;
        unsigned char *cut = malloc(length + 1); // of its own, so that the sanitizer sees a read beyond
        assert_non_null(cut);
        memcpy(cut, bytes.data, length);
        assert_int_equal(proto_record_read(cut, length, &none, NULL), RESULT_INVALID);
        free(cut);
    }
    proto_request_destroy(read);
    proto_bytes_free(&again);
    proto_bytes_free(&bytes);
}

// ---- what people send
// ----------------------------------------------------------------------------------------------------

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
        char path[512], title[PROTO_TITLE_MAX], description[PROTO_DESCRIPTION_MAX];
        size_t length = 0;
        struct proto_request *request = NULL;
        struct fault fault;
        if (strstr(entry->d_name, ".json") == NULL) {
            continue;
        }
        snprintf(path, sizeof path, "server/scenes/%s", entry->d_name);
        char *text = read_text(path, &length);
        assert_int_equal(proto_scene_parse(text, length, &request, title, description, &fault), RESULT_OK);
        check_round_trip(&request->command);
        proto_request_destroy(request);
        free(text);
        scenes++;
    }
    closedir(folder);
    assert_true(scenes > 10);
}

// ---- random commands, as JSON by the rows of the tables
// -------------------------------------------------------------------

struct maker {
    struct proto_text text;
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
    proto_text_real(&maker->text, inside ? value : field->minimum + 0.5 * (field->maximum - field->minimum));
}

static void make_integer(struct maker *maker, const struct proto_field *field) {
    const double most = field->maximum < 9007199254740991.0 ? field->maximum : 9007199254740991.0;
    double value = field->minimum + unit() * (most - field->minimum + 1);
    value = value > most || below(8) == 0 ? most : value;
    proto_text_unsigned(&maker->text, (uint64_t)value);
}

static void make_string(struct maker *maker, const struct proto_field *field) {
    static const char *const letters[] = {"a", "Z", " ", "\"", "\\", "é", "中", "😀"};
    char text[1024] = "";
    const uint32_t characters = field->least + below(field->most - field->least + 1);
    for (uint32_t i = 0; i < characters; i++) {
        strcat(text, field->format == PROTO_FORMAT_NAME ? letters[below(8)] : "q");
    }
    proto_text_string(&maker->text, text);
}

static void make_vector(struct maker *maker, const struct proto_field *field, uint32_t count) {
    proto_text_open_array(&maker->text);
    for (uint32_t i = 0; i < count; i++) {
        if (field->non_zero) {
            proto_text_real(&maker->text, 0.1 + unit());
        } else {
            make_real(maker, field);
        }
    }
    proto_text_close_array(&maker->text);
}

static void make_array(struct maker *maker, const struct proto_field *field) {
    const bool real = field->type == PROTO_TYPE_REALS || field->type == PROTO_TYPE_REAL_TRIPLES;
    const bool threes = field->type == PROTO_TYPE_REAL_TRIPLES || field->type == PROTO_TYPE_INDEX_TRIPLES;
    const uint32_t room = field->most - field->least, more = below((room < ARRAY_MOST ? room : ARRAY_MOST) + 1);
    uint32_t count = field->least + more;
    count -= threes ? more % 3 : 0; // the least is a multiple of 3
    proto_text_open_array(&maker->text);
    for (uint32_t i = 0; i < count; i++) {
        if (real) {
            make_real(maker, field);
        } else {
            make_integer(maker, field);
        }
    }
    proto_text_close_array(&maker->text);
}

static void make_mask(struct maker *maker, const struct proto_field *field) {
    proto_text_open_array(&maker->text);
    uint32_t count = 0;
    for (uint32_t i = 0; i < field->name_count; i++) {
        if (below(2) == 0 || (i + 1 == field->name_count && count == 0)) {
            proto_text_string(&maker->text, field->names[i]);
            count++;
        }
    }
    proto_text_close_array(&maker->text);
}

static void make_ref(struct maker *maker, const struct proto_field *field) {
    for (uint32_t i = 0; i < maker->made_count && below(2) == 0; i++) {
        if (proto_methods[maker->made[i]].makes_object) {
            char name[16];
            snprintf(name, sizeof name, "$%u", i);
            proto_text_string(&maker->text, name);
            return;
        }
    }
    make_integer(maker, field);
}

static void make_commands(struct maker *maker) {
    const uint32_t count = 1 + below(16);
    proto_text_open_array(&maker->text);
    maker->in_batch = true;
    while (maker->made_count < count) {
        const enum proto_method method = (enum proto_method)below(PROTO_METHOD_COUNT);
        if (!proto_methods[method].batch) {
            continue;
        }
        proto_text_open_object(&maker->text);
        proto_text_member_string(&maker->text, "method", proto_methods[method].name);
        proto_text_key(&maker->text, "params");
        make_object(maker, proto_records[method]);
        proto_text_close_object(&maker->text);
        maker->made[maker->made_count++] = method;
    }
    proto_text_close_array(&maker->text);
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
        proto_text_boolean(&maker->text, below(2) == 0);
        return;
    case PROTO_TYPE_STRING:
        make_string(maker, field);
        return;
    case PROTO_TYPE_COLOR:
        snprintf(color, sizeof color, "#%06x", below(0x1000000));
        proto_text_string(&maker->text, color);
        return;
    case PROTO_TYPE_ENUM:
        proto_text_string(&maker->text, field->names[below(field->name_count)]);
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
            proto_text_string(&maker->text, field->names[below(field->name_count)]);
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
    default:
        make_array(maker, field);
    }
}

static void make_object(struct maker *maker, const struct proto_record *record) {
    proto_text_open_object(&maker->text);
    for (uint32_t i = 0; i < record->count; i++) {
        if (record->fields[i].required || below(3) > 0) {
            proto_text_key(&maker->text, record->fields[i].name);
            make_value(maker, &record->fields[i]);
        }
    }
    proto_text_close_object(&maker->text);
}

static struct proto_request *random_request(enum proto_method method) {
    struct maker maker = {.made_count = 0};
    proto_text_init(&maker.text);
    proto_text_open_object(&maker.text);
    proto_text_member_string(&maker.text, "jsonrpc", "2.0");
    proto_text_member_string(&maker.text, "method", proto_methods[method].name);
    proto_text_key(&maker.text, "params");
    make_object(&maker, proto_records[method]);
    proto_text_close_object(&maker.text);
    struct proto_request *request = NULL;
    struct proto_id id;
    struct fault fault = {.message = ""};
    if (proto_request_parse(maker.text.data, maker.text.length, &request, &id, &fault) != RESULT_OK) {
        fail_msg("%.*s: %s", (int)maker.text.length, maker.text.data, fault.message);
    }
    proto_text_free(&maker.text);
    return request;
}

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

// ---- what nobody wrote
// ---------------------------------------------------------------------------------------------------

// What is read of changed bytes is a command like any other: it can be written, and comes back.
static void check_bytes(const unsigned char *bytes, size_t length, uint32_t *taken) {
    struct proto_request *request = NULL;
    struct fault fault = {.message = ""};
    unsigned char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    enum result result = proto_record_read(copy, length, &request, &fault);
    free(copy); // a request keeps none of it
    if (result == RESULT_OK) {
        struct proto_bytes again = {0};
        struct proto_request *read = NULL;
        assert_int_equal(proto_record_write(&request->command, &again), RESULT_OK);
        assert_int_equal(proto_record_read(again.data, again.length, &read, &fault), RESULT_OK);
        assert_true(same_commands(&request->command, &read->command));
        proto_request_destroy(read);
        proto_bytes_free(&again);
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
        struct proto_bytes bytes = {0};
        assert_int_equal(proto_record_write(&request->command, &bytes), RESULT_OK);
        for (uint32_t change = 0; change < 20; change++) {
            const size_t at = random64() % bytes.length;
            const unsigned char before = bytes.data[at];
            bytes.data[at] = (unsigned char)(below(2) == 0 ? random64() : before ^ 1u << below(8));
            check_bytes(bytes.data, bytes.length, &taken);
            bytes.data[at] = below(4) == 0 ? bytes.data[at] : before; // some changes stay
            tried++;
        }
        proto_bytes_free(&bytes);
        proto_request_destroy(request);
    }
    print_message("%u of %u changed records are commands too\n", taken, tried);
    assert_true(taken > 0 && taken < tried);
}

static void read_changed(const char *method, const char *params, size_t from_end, unsigned char value,
                         const char *message) {
    cJSON *tree = cJSON_Parse(params);
    struct proto_request *request = parse_call(method, tree), *none = NULL;
    struct proto_bytes bytes = {0};
    struct fault fault = {.message = ""};
    assert_int_equal(proto_record_write(&request->command, &bytes), RESULT_OK);
    bytes.data[from_end == 0 ? 0 : bytes.length - from_end] = value;
    assert_int_equal(proto_record_read(bytes.data, bytes.length, &none, &fault), RESULT_INVALID);
    if (strstr(fault.message, message) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", message, fault.message);
    }
    proto_bytes_free(&bytes);
    proto_request_destroy(request);
    cJSON_Delete(tree);
}

static void what_a_request_may_not_say_a_record_may_not_say(void **state) {
    (void)state;
    read_changed("grab.end", "{\"grab\":1}", 0, 9, "version 9");
    read_changed("grab.end", "{\"grab\":1}", 4, 0, "grab.end.grab has a value that is not allowed"); // grab 0
    read_changed("grab.end", "{\"grab\":1}", 5, 1, "grab.end.grab is of another type");
    read_changed("world.step", "{\"ticks\":5}", 1, 0xFF, "world.step.ticks has a value that is not allowed");
    read_changed("pointer.move", "{\"position\":[1,2,3]}", 1, 0x7F, "pointer.move.position has a value"); // NaN or huge
    read_changed("scene.load", "{\"name\":\"bump\"}", 1, '/', "scene.load.name has a value that is not allowed");
    read_changed("scene.load", "{\"name\":\"bump\"}", 1, 0xFF, "scene.load.name has a value that is not allowed");
}

// A member that a later version added, or one that it took away.
static void a_record_without_an_optional_member_gets_its_default(void **state) {
    (void)state;
    struct proto_request *request = parse_call("world.step", NULL), *read = NULL;
    struct proto_bytes bytes = {0};
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
    proto_bytes_free(&bytes);
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
