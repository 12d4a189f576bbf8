// SPDX-License-Identifier: MIT
// The files of a broadcast: what is listed can be fetched, what is older than the window goes by whole parts, and
// nothing of a broadcast that has ended is served.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/worlds/broadcast_files.h"

#define SECOND_NS 1000000000u

static struct message *bytes_of(uint64_t value, size_t length) {
    struct message *message = message_create(MESSAGE_BINARY, length);
    assert_non_null(message);
    memset(message_data(message), 0, length);
    memcpy(message_data(message), &value, sizeof value);
    message_set_length(message, length);
    return message;
}

static void add(struct broadcast_files *files, uint32_t number, bool snapshot, uint64_t from, size_t length,
                uint64_t now_ns) {
    const struct broadcast_entry entry = {.broadcast = number,
                                          .snapshot = snapshot,
                                          .continues = from > 0,
                                          .from = from,
                                          .to = snapshot ? from : from + 60,
                                          .content = bytes_of(from, length)};
    assert_int_equal(RESULT_OK, broadcast_files_add(files, &entry, now_ns));
}

// A part of ten fragments for every ten seconds.
static void add_seconds(struct broadcast_files *files, uint32_t number, uint64_t seconds, size_t length) {
    for (uint64_t second = 0; second < seconds; second++) {
        if (second % 10 == 0) {
            add(files, number, true, second * 60, length, second * SECOND_NS);
        }
        add(files, number, false, second * 60, 64, (second + 1) * SECOND_NS);
    }
}

static size_t count(const char *text, const char *what) {
    size_t found = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        found++;
    }
    return found;
}

// The text of a list, to be freed by the caller.
static char *read_list(struct broadcast_files *files, const char *name) {
    const struct broadcast_answer answer = broadcast_files_find(files, "", name);
    assert_non_null(answer.message);
    char *text = strndup((const char *)message_data(answer.message), message_length(answer.message));
    assert_non_null(text);
    message_release(answer.message);
    return text;
}

static void paths_are_read_or_refused(void **state) {
    (void)state;
    struct broadcast_path path;
    assert_true(broadcast_path_read("/worlds/main/broadcast/manifest.json", &path));
    assert_string_equal("main", path.world);
    assert_string_equal("", path.key);
    assert_string_equal("manifest.json", path.file);
    assert_true(broadcast_path_read("/worlds/main/broadcast/secret/ticks-1", &path));
    assert_string_equal("secret", path.key);
    assert_string_equal("ticks-1", path.file);
    static const char *const refused[] = {
        "/worlds/main/broadcast/",   "/worlds/main/broadcast",
        "/worlds/main/capsule",      "/worlds//broadcast/x",
        "/worlds/main/broadcast//x", "/worlds/main/broadcast/a/b/c",
        "/worlds/main/broadcast/a/", "/worlds/main/broadcast/01234567890123456789012345/x",
        "/world/main/broadcast/x",   "/"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(broadcast_path_read(refused[i], &path));
    }
}

static void what_is_listed_can_be_fetched(void **state) {
    (void)state;
    struct broadcast_files *files = broadcast_files_create("main", 60.0);
    const uint32_t number = broadcast_files_begin(files, "", false);
    assert_null(broadcast_files_find(files, "", "manifest.json").message); // nothing is there yet
    add(files, number, false, 0, 64, 0);                                   // without a snapshot it is of no use
    assert_false(broadcast_files_figures(files).has_files);
    add_seconds(files, number, 45, 1000);
    char *manifest = read_list(files, "manifest.json"), *timeline = read_list(files, "timeline.json");
    assert_int_equal(3, count(manifest, "\"snapshot\":"));
    assert_int_equal(25, count(manifest, "\"file\":"));
    assert_int_equal(5, count(timeline, "\"snapshot\":"));
    size_t fetched = 0;
    for (char *at = strstr(manifest, "\"ticks-"); at != NULL; at = strstr(at + 1, "\"ticks-")) {
        char name[BROADCAST_FILE_NAME_MAX];
        assert_int_equal(1, sscanf(at, "\"%63[^\"]", name)); // NOLINT(cert-err34-c)
        const struct broadcast_answer answer = broadcast_files_find(files, "", name);
        assert_non_null(answer.message);
        message_release(answer.message);
        fetched++;
    }
    assert_int_equal(25, fetched);
    const struct broadcast_figures figures = broadcast_files_figures(files);
    assert_int_equal(0, figures.from);
    assert_int_equal(45 * 60, figures.to);
    assert_int_equal(5 * 1000 + 45 * 64, figures.bytes);
    free(manifest);
    free(timeline);
    broadcast_files_destroy(files);
}

static void old_parts_go(void **state) {
    (void)state;
    struct broadcast_files *files = broadcast_files_create("main", 60.0);
    uint32_t number = broadcast_files_begin(files, "", false);
    add_seconds(files, number, 1800, 1000);
    struct broadcast_figures figures = broadcast_files_figures(files);
    assert_in_range(figures.from, (1800 - 620) * 60, (1800 - 600) * 60);
    number = broadcast_files_begin(files, "", false);
    add_seconds(files, number, 300, (size_t)8 << 20);
    figures = broadcast_files_figures(files);
    assert_true(figures.bytes <= BROADCAST_BYTES_MAX);
    assert_in_range(figures.from, (300 - 80) * 60, (300 - 60) * 60);
    char *timeline = read_list(files, "timeline.json"), *manifest = read_list(files, "manifest.json");
    assert_int_equal(7, count(timeline, "\"snapshot\":"));
    assert_int_equal(3, count(manifest, "\"snapshot\":"));
    free(timeline);
    free(manifest);
    // One part that is larger than all that may be kept is kept, until another one follows.
    number = broadcast_files_begin(files, "", false);
    add(files, number, true, 0, BROADCAST_BYTES_MAX + 8, 0);
    assert_true(broadcast_files_figures(files).has_files);
    add(files, number, true, 60, 1000, SECOND_NS);
    assert_int_equal(1000, broadcast_files_figures(files).bytes);
    broadcast_files_destroy(files);
}

static void a_broadcast_that_ended_leaves_nothing(void **state) {
    (void)state;
    struct broadcast_files *files = broadcast_files_create("main", 60.0);
    const uint32_t first = broadcast_files_begin(files, "one", true);
    add(files, first, true, 0, 100, 0);
    assert_true(broadcast_files_may_embed(files, "one"));
    broadcast_files_set_embed(files, false);
    assert_false(broadcast_files_may_embed(files, "one"));
    assert_true(broadcast_files_may_embed(files, "on")); // there is none, which anybody may know
    assert_false(broadcast_files_find(files, "two", "manifest.json").on);
    broadcast_files_end(files);
    assert_false(broadcast_files_find(files, "one", "manifest.json").on);
    assert_true(broadcast_files_may_embed(files, "one"));
    add(files, first, true, 0, 100, 0); // the job thread was late
    const uint32_t second = broadcast_files_begin(files, "two", false);
    assert_int_not_equal(first, second);
    add(files, first, true, 0, 100, 0);
    assert_false(broadcast_files_figures(files).has_files);
    assert_false(broadcast_files_find(files, "one", "manifest.json").on);
    assert_string_equal("/worlds/main/broadcast/two/", broadcast_files_figures(files).path);
    broadcast_files_destroy(files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_read_or_refused),
        cmocka_unit_test(what_is_listed_can_be_fetched),
        cmocka_unit_test(old_parts_go),
        cmocka_unit_test(a_broadcast_that_ended_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
