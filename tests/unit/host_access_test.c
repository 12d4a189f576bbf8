// SPDX-License-Identifier: MIT
// Roles and tokens: which command each role may run, what a file of tokens may hold, who becomes what.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/client/role.h"
#include "host/config/config_access.h"
#include "host/connection/access.h"

static char folder[] = P_tmpdir "/weft-access-XXXXXX";
static char path[64];

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static enum result read_text(const char *text, struct fault *fault) {
    struct token_list list = {0};
    write_text(text);
    const enum result result = token_file_read(path, &list, fault);
    token_list_free(&list);
    return result;
}

static struct access *open_access(struct config *config) {
    struct access *access = NULL;
    struct fault fault;
    assert_int_equal(access_create(config, &access, &fault), RESULT_OK);
    return access;
}

static struct config guarded_config(void) {
    struct config config = {.host = "127.0.0.1", .guests = PROTO_ROLE_VIEWER};
    snprintf(config.tokens, sizeof config.tokens, "%s", path);
    return config;
}

// ---- roles
// -----------------------------------------------------------------------------------------------------------

static void each_role_may_run_what_its_rank_allows_and_nothing_else(void **state) {
    (void)state;
    for (int role = 0; role < PROTO_ROLE_COUNT; role++) {
        for (int method = 0; method < PROTO_METHOD_COUNT; method++) {
            if (method == PROTO_METHOD_BATCH_RUN) {
                continue;
            }
            struct fault fault = {0};
            const struct proto_command command = {.method = (enum proto_method)method};
            const bool allowed = role >= (int)proto_methods[method].role;
            const enum result result = role_check((enum proto_role)role, &command, &fault);
            assert_int_equal(result, allowed ? RESULT_OK : RESULT_DENIED);
            if (!allowed) {
                assert_non_null(strstr(fault.message, proto_methods[method].name));
                assert_non_null(strstr(fault.message, proto_role_names[proto_methods[method].role]));
                assert_non_null(strstr(fault.message, proto_role_names[role]));
            }
        }
    }
}

static void a_batch_needs_the_role_of_each_of_its_commands(void **state) {
    (void)state;
    struct fault fault;
    const struct proto_command commands[] = {{.method = PROTO_METHOD_ROPE_SPAWN}, {.method = PROTO_METHOD_WORLD_SET}};
    const struct proto_batch_run batch = {.commands = {commands, 2}};
    const struct proto_command command = {.method = PROTO_METHOD_BATCH_RUN, .params = &batch};
    assert_int_equal(role_check(PROTO_ROLE_NONE, &command, &fault), RESULT_DENIED);
    assert_int_equal(role_check(PROTO_ROLE_VIEWER, &command, &fault), RESULT_DENIED);
    assert_int_equal(role_check(PROTO_ROLE_EDITOR, &command, &fault), RESULT_OK);
    assert_int_equal(role_check(PROTO_ROLE_ADMIN, &command, &fault), RESULT_OK);
}

static void only_authentication_takes_no_role(void **state) {
    (void)state;
    for (int method = 0; method < PROTO_METHOD_COUNT; method++) {
        assert_true((proto_methods[method].role == PROTO_ROLE_NONE) == (method == PROTO_METHOD_SESSION_AUTHENTICATE));
    }
}

// ---- the file
// --------------------------------------------------------------------------------------------------------

static void a_token_is_found_by_its_text_alone(void **state) {
    (void)state;
    char texts[3][TOKEN_TEXT_MAX];
    struct token made[3];
    struct token_list list = {0};
    struct fault fault;
    (void)unlink(path);
    for (int at = 0; at < 3; at++) {
        assert_int_equal(
            token_make(path, (enum proto_role)(PROTO_ROLE_VIEWER + at), "a name", texts[at], &made[at], &fault),
            RESULT_OK);
    }
    assert_int_equal(token_file_read(path, &list, &fault), RESULT_OK);
    assert_int_equal(list.count, 3);
    for (int at = 0; at < 3; at++) {
        const struct token *found = token_find(&list, texts[at]);
        assert_non_null(found);
        assert_string_equal(found->id, made[at].id);
        assert_int_equal(found->role, PROTO_ROLE_VIEWER + at);
        texts[at][TOKEN_TEXT_MAX / 2] ^= 1;
        assert_null(token_find(&list, texts[at]));
    }
    assert_null(token_find(&list, ""));
    assert_null(token_find(&list, made[0].id));
    token_list_free(&list);
}

static void a_revoked_token_is_gone_and_the_others_stay(void **state) {
    (void)state;
    char text[TOKEN_TEXT_MAX], other[TOKEN_TEXT_MAX];
    struct token made, second, gone;
    struct token_list list = {0};
    struct fault fault;
    (void)unlink(path);
    assert_int_equal(token_make(path, PROTO_ROLE_EDITOR, "", text, &made, &fault), RESULT_OK);
    assert_int_equal(token_make(path, PROTO_ROLE_VIEWER, "stays", other, &second, &fault), RESULT_OK);
    assert_int_equal(token_revoke(path, made.id, &gone, &fault), RESULT_OK);
    assert_int_equal(token_revoke(path, made.id, &gone, &fault), RESULT_NOT_FOUND);
    assert_int_equal(token_file_read(path, &list, &fault), RESULT_OK);
    assert_null(token_find(&list, text));
    assert_non_null(token_find(&list, other));
    token_list_free(&list);
}

#define HASH "sha256:cf828952d6de42232963e33d276c83c07d63eb37f5de06ced04b5d284ff8a6c4"

static void a_line_that_is_no_token_is_named_by_its_number(void **state) {
    (void)state;
    static const char *const wrong[] = {"abc",
                                        "5f01c2aa king 2026-01-31T12:00:00Z " HASH " x",
                                        "5f01c2aa viewer 2026-01-31T12:00:00Z sha256:12 x",
                                        "5f01c2aa viewer 2026-01-31T12:00:00Z md5:abcd x",
                                        "5f01c2aa5f01c2aa viewer 2026-01-31T12:00:00Z " HASH " x",
                                        "5f01c2aa viewer " HASH,
                                        "5f01c2aa none 2026-01-31T12:00:00Z " HASH " x",
                                        "5f01c2aa viewer 2026-01-31T12:00:00Z " HASH " a\tb",
                                        "5f01c2aa viewer 2026-01-31T12:00:00Z " HASH
                                        " a name of more than sixty-four bytes, which is more than is shown to anyone"};
    struct fault fault;
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        char text[512];
        snprintf(text, sizeof text, "# a remark\n\n%s\n", wrong[at]);
        assert_int_equal(read_text(text, &fault), RESULT_INVALID);
        assert_non_null(strstr(fault.message, "line 3"));
    }
    assert_int_equal(read_text("5f01c2aa viewer 2026-01-31T12:00:00Z " HASH " x", &fault), RESULT_OK);
    assert_int_equal(read_text("5f01c2aa viewer 2026-01-31T12:00:00Z " HASH "\r\n", &fault), RESULT_OK);
    assert_int_equal(read_text("", &fault), RESULT_OK);
    (void)unlink(path);
    struct token_list list = {0};
    assert_int_equal(token_file_read(path, &list, &fault), RESULT_NOT_FOUND);
}

// ---- who becomes what
// ------------------------------------------------------------------------------------------------

static enum proto_role greet(struct access *access, const struct net_request *request) {
    struct grant grant;
    const int status = access_greet(access, request, &grant);
    return status == 0 ? grant.role : PROTO_ROLE_COUNT;
}

static void without_tokens_where_one_comes_from_decides(void **state) {
    (void)state;
    struct config config = {.host = "127.0.0.1", .guests = PROTO_ROLE_EDITOR};
    struct access *access = open_access(&config);
    struct net_request request = {.address = "127.0.0.1", .loopback = true, .cookie = "weft=x", .bearer = "y"};
    assert_int_equal(greet(access, &request), PROTO_ROLE_ADMIN);
    request.loopback = false;
    assert_int_equal(greet(access, &request), PROTO_ROLE_EDITOR);
    access_destroy(access);
}

static void cookies_are_read_by_their_whole_name(void **state) {
    (void)state;
    char text[TOKEN_TEXT_MAX], cookie[256];
    struct token made;
    struct fault fault;
    (void)unlink(path);
    assert_int_equal(token_make(path, PROTO_ROLE_EDITOR, "", text, &made, &fault), RESULT_OK);
    struct config config = guarded_config();
    struct access *access = open_access(&config);
    static const struct {
        const char *format;
        enum proto_role role;
    } rows[] = {
        {"weft=%s", PROTO_ROLE_EDITOR},
        {"a=b; weft=%s", PROTO_ROLE_EDITOR},
        {"a=b;weft=%s;c=d", PROTO_ROLE_EDITOR},
        {"__Host-weft=%s", PROTO_ROLE_EDITOR},
        {"weft=; weft=%s", PROTO_ROLE_VIEWER},
        {"xweft=%s", PROTO_ROLE_VIEWER},
        {"weftx=%s", PROTO_ROLE_VIEWER},
        {"weft=%s0", PROTO_ROLE_VIEWER},
        {"WEFT=%s", PROTO_ROLE_VIEWER},
        {"weft = %s", PROTO_ROLE_VIEWER},
        {"%s", PROTO_ROLE_VIEWER},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        // The formats are the table's own.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(cookie, sizeof cookie, rows[at].format, text);
#pragma GCC diagnostic pop
        const struct net_request request = {.address = "::1", .has_origin = true, .cookie = cookie, .bearer = ""};
        assert_int_equal(greet(access, &request), rows[at].role);
    }
    const struct net_request script = {.address = "::1", .loopback = true, .cookie = "", .bearer = ""};
    assert_int_equal(greet(access, &script), PROTO_ROLE_NONE); // no guest without an origin
    access_destroy(access);
}

static void a_grant_holds_as_long_as_its_token_with_its_role(void **state) {
    (void)state;
    char text[TOKEN_TEXT_MAX];
    struct token made, gone;
    struct grant grant;
    struct fault fault;
    (void)unlink(path);
    assert_int_equal(token_make(path, PROTO_ROLE_ADMIN, "boss", text, &made, &fault), RESULT_OK);
    struct config config = guarded_config();
    struct access *access = open_access(&config);
    assert_int_equal(access_authenticate(access, text, &grant, &fault), RESULT_OK);
    assert_string_equal(grant.name, "boss");
    assert_false(access_look(access));
    assert_true(access_holds(access, &grant));
    struct grant other = grant;
    other.role = PROTO_ROLE_VIEWER;
    assert_false(access_holds(access, &other));
    assert_int_equal(token_revoke(path, made.id, &gone, &fault), RESULT_OK);
    assert_false(access_look(access)); // it may not be all there yet
    assert_true(access_look(access));
    assert_false(access_holds(access, &grant));
    assert_true(access_holds(access, &(struct grant){.role = PROTO_ROLE_VIEWER})); // a guest's
    assert_int_equal(access_authenticate(access, text, &grant, &fault), RESULT_DENIED);
    access_destroy(access);
}

// ---- options
// ---------------------------------------------------------------------------------------------------------

static void origins_are_taken_as_browsers_write_them_only(void **state) {
    (void)state;
    static const char *const right[] = {"https://weft.example", "http://10.0.0.5:8080", "http://[::1]:3000"};
    static const char *const wrong[] = {"weft.example", "https://weft.example/", "https://",   "*",           "null",
                                        "ftp://x",      "https://Weft.example",  "https://a,", "https://a b", ""};
    struct fault fault;
    for (size_t at = 0; at < sizeof right / sizeof *right; at++) {
        struct config config = {0};
        assert_int_equal(config_set_origin(&config, "--origin", right[at], &fault), RESULT_OK);
        assert_int_equal(config_finish_access(&config, &fault), RESULT_OK);
        assert_string_equal(config.origins[0], right[at]);
        assert_null(strchr(config.hosts[0], '/'));
    }
    for (size_t at = 0; at < sizeof wrong / sizeof *wrong; at++) {
        struct config config = {0};
        assert_int_equal(config_set_origin(&config, "--origin", wrong[at], &fault), RESULT_INVALID);
        assert_non_null(strstr(fault.message, "--origin"));
    }
}

// ----------------------------------------------------------------------------------------------------------------------

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL || snprintf(path, sizeof path, "%s/tokens", folder) < 0;
}

static int remove_folder(void **state) {
    char lock[80];
    (void)state;
    snprintf(lock, sizeof lock, "%s.lock", path);
    (void)unlink(path);
    (void)unlink(lock);
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_role_may_run_what_its_rank_allows_and_nothing_else),
        cmocka_unit_test(a_batch_needs_the_role_of_each_of_its_commands),
        cmocka_unit_test(only_authentication_takes_no_role),
        cmocka_unit_test(a_token_is_found_by_its_text_alone),
        cmocka_unit_test(a_revoked_token_is_gone_and_the_others_stay),
        cmocka_unit_test(a_line_that_is_no_token_is_named_by_its_number),
        cmocka_unit_test(without_tokens_where_one_comes_from_decides),
        cmocka_unit_test(cookies_are_read_by_their_whole_name),
        cmocka_unit_test(a_grant_holds_as_long_as_its_token_with_its_role),
        cmocka_unit_test(origins_are_taken_as_browsers_write_them_only),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
