// SPDX-License-Identifier: MIT
// The log's lines, read back from a pipe in place of stderr.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"

// What `log_write` puts on stderr for one text, in `line`.
static size_t capture(enum log_level level, const char *text, char line[2048]) {
    int ends[2];
    int saved = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    log_write(level, "test", "%s", text);
    dup2(saved, STDERR_FILENO);
    close(saved);
    ssize_t length = read(ends[0], line, 2047);
    close(ends[0]);
    assert_true(length >= 0);
    line[length] = '\0';
    return (size_t)length;
}

static void a_line_has_a_time_a_level_and_an_area(void **state) {
    (void)state;
    char line[2048];
    regex_t pattern;
    capture(LOG_LEVEL_WARN, "caf\xc3\xa9", line);
    assert_int_equal(regcomp(&pattern, "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z warn test: caf\xc3\xa9\n$",
                             REG_EXTENDED | REG_NOSUB),
                     0);
    assert_int_equal(regexec(&pattern, line, 0, NULL, 0), 0);
    regfree(&pattern);
}

static void control_characters_are_escaped(void **state) {
    (void)state;
    char line[2048];
    capture(LOG_LEVEL_ERROR, "a\nb\x1b[31m\x7f\xc2\x9bz", line);
    assert_non_null(strstr(line, "test: a\\x0ab\\x1b[31m\\x7f\\xc2"));
    assert_null(strchr(line, '\x1b'));
    assert_ptr_equal(strchr(line, '\n'), line + strlen(line) - 1);
}

static void a_long_entry_is_cut_and_still_one_line(void **state) {
    (void)state;
    char text[3000];
    char line[2048];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    size_t length = capture(LOG_LEVEL_INFO, text, line);
    assert_in_range(length, LOG_LINE_MAX - 8, LOG_LINE_MAX);
    assert_int_equal(line[length - 1], '\n');
}

static void entries_above_the_level_are_dropped(void **state) {
    (void)state;
    char line[2048];
    assert_int_equal(capture(LOG_LEVEL_DEBUG, "x", line), 0);
    log_set_level(LOG_LEVEL_DEBUG);
    assert_true(capture(LOG_LEVEL_DEBUG, "x", line) > 0);
    log_set_level(LOG_LEVEL_ERROR);
    assert_int_equal(capture(LOG_LEVEL_WARN, "x", line), 0);
    log_set_level(LOG_LEVEL_INFO);
}

static void levels_are_parsed_by_their_names_only(void **state) {
    (void)state;
    enum log_level level = LOG_LEVEL_COUNT;
    assert_int_equal(log_level_parse("debug", &level), RESULT_OK);
    assert_int_equal(level, LOG_LEVEL_DEBUG);
    for (size_t i = 0; i < 3; i++) {
        const char *wrong[] = {"", "Debug", "warning"};
        assert_int_equal(log_level_parse(wrong[i], &level), RESULT_INVALID);
        assert_int_equal(level, LOG_LEVEL_DEBUG);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_a_time_a_level_and_an_area),  cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(a_long_entry_is_cut_and_still_one_line), cmocka_unit_test(entries_above_the_level_are_dropped),
        cmocka_unit_test(levels_are_parsed_by_their_names_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
