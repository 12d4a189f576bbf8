// SPDX-License-Identifier: MIT
// Paths of requests: what they are decoded to, and which of them may name a file.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "net/parse/path.h"

static void expect_path(const char *path, const char *expected) {
    char decoded[64];
    assert_true(path_decode(path, strlen(path), decoded, sizeof decoded));
    assert_string_equal(decoded, expected);
}

static void percent_signs_are_decoded_once(void **state) {
    (void)state;
    expect_path("/a%20b", "/a b");
    expect_path("/%41%6a%6A", "/Ajj");
    expect_path("/%252e", "/%2e");
    expect_path("/a%", "/a%");
    expect_path("/a%4", "/a%4");
    expect_path("/%zz", "/%zz");
}

static void dot_segments_and_repeated_slashes_are_folded(void **state) {
    (void)state;
    expect_path("/", "/");
    expect_path("//a///b", "/a/b");
    expect_path("/a/./b/.", "/a/b/");
    expect_path("/a/../b", "/b");
    expect_path("/a/b/../../c", "/c");
    expect_path("/a/b/..", "/a/");
    expect_path("/../../a", "/a");
    expect_path("/..", "/");
    expect_path("/%2e%2e/%2e/a", "/a");
    expect_path("/a/..%2fb", "/b");
    expect_path("/.../a", "/.../a");
    expect_path("/a../b", "/a../b");
}

static void a_path_that_does_not_fit_is_refused(void **state) {
    (void)state;
    char decoded[8];
    assert_true(path_decode("/123456", 7, decoded, sizeof decoded));
    assert_false(path_decode("/1234567", 8, decoded, sizeof decoded));
    assert_true(path_decode("/12345%36", 9, decoded, sizeof decoded));
    assert_false(path_decode("/%00", 4, decoded, sizeof decoded));
}

static void only_plain_paths_name_files(void **state) {
    (void)state;
    static const char *const names[] = {"/index.html", "/client/client.js", "/packages.json", "/node_modules_are_fine"};
    static const char *const others[] = {
        "",      "a",     "/",      "/a/",           "/.git/config",  "/a/.b",        "/a//b",
        "/a\\b", "/a%2e", "/a\x01", "/package.json", "/Package.JSON", "/yarn.lock/a", "/node_modules/a.js"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_true(path_names_file(names[i]));
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_false(path_names_file(others[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percent_signs_are_decoded_once),
        cmocka_unit_test(dot_segments_and_repeated_slashes_are_folded),
        cmocka_unit_test(a_path_that_does_not_fit_is_refused),
        cmocka_unit_test(only_plain_paths_name_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
