// SPDX-License-Identifier: MIT
// Lines of the log, read from a pipe that replaces stderr.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <fcntl.h>
#include <regex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/log_line.h"

#define LINES_MAX (1u << 20)

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

// ---- JSON --------------------------------------------------------------------------------------------------------

static cJSON *read_json(const struct log_entry *entry) {
    char line[LOG_LINE_MAX];
    const size_t length = log_line_build(line, LOG_FORMAT_JSON, entry);
    assert_in_range(length, 1, LOG_LINE_MAX);
    assert_ptr_equal(memchr(line, '\n', length), line + length - 1);
    cJSON *object = cJSON_ParseWithLength(line, length);
    assert_non_null(object);
    for (size_t i = 0; i + 1 < length; i++) {
        assert_in_range((unsigned char)line[i], 0x20, 0xff);
    }
    return object;
}

static const char *string_of(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
    assert_non_null(text);
    return text;
}

static void a_line_of_json_is_one_object_with_what_was_said(void **state) {
    (void)state;
    cJSON *object = read_json(&(struct log_entry){
        .level = LOG_LEVEL_WARN, .area = "net", .text = "\"a\\b\"\n\x1b[31m caf\xc3\xa9 \xff \xe2\x80\xae \xc2\x9b."});
    assert_string_equal(string_of(object, "level"), "warn");
    assert_string_equal(string_of(object, "area"), "net");
    assert_string_equal(string_of(object, "message"),
                        "\"a\\b\"\n\x1b[31m caf\xc3\xa9 \xef\xbf\xbd \xe2\x80\xae \xc2\x9b.");
    assert_int_equal(strlen(string_of(object, "time")), 24);
    cJSON_Delete(object);
}

static void json_is_whole_whatever_is_said_at_whatever_length(void **state) {
    (void)state;
    srand(1);
    for (int round = 0; round < 2000; round++) {
        char text[2000], name[200];
        const size_t length = (size_t)rand() % (sizeof text - 1);
        for (size_t i = 0; i < length; i++) {
            text[i] = (char)(1 + rand() % 255);
            name[i % 199] = text[i];
        }
        text[length] = '\0';
        name[length < 199 ? length : 199] = '\0';
        const struct log_audit audit = {UINT64_MAX, name, "admin", "world.get", name, UINT64_MAX, -32602};
        for (int kind = 0; kind < 4; kind++) {
            cJSON_Delete(read_json(&(struct log_entry){.level = LOG_LEVEL_ERROR,
                                                       .area = "world",
                                                       .text = text,
                                                       .audit = kind % 2 == 0 ? NULL : &audit,
                                                       .repeated = kind / 2 == 0 ? 0 : UINT64_MAX}));
        }
    }
}

static void an_audit_entry_says_who_did_what_where_and_when(void **state) {
    (void)state;
    const struct log_audit audit = {3, "alice", "editor", "cloth.spawn", "main", 61, 0};
    struct log_entry entry = {.level = LOG_LEVEL_INFO, .area = "audit", .audit = &audit};
    char line[LOG_LINE_MAX];
    cJSON *object = read_json(&entry);
    assert_int_equal(cJSON_GetObjectItem(object, "session")->valueint, 3);
    assert_string_equal(string_of(object, "name"), "alice");
    assert_string_equal(string_of(object, "role"), "editor");
    assert_string_equal(string_of(object, "method"), "cloth.spawn");
    assert_string_equal(string_of(object, "world"), "main");
    assert_int_equal(cJSON_GetObjectItem(object, "tick")->valueint, 61);
    assert_int_equal(cJSON_GetObjectItem(object, "code")->valueint, 0);
    cJSON_Delete(object);
    entry.repeated = 7;
    line[log_line_build(line, LOG_FORMAT_TEXT, &entry)] = '\0';
    assert_non_null(
        strstr(line, "audit: session 3 (alice, editor) cloth.spawn in main at tick 61 (repeated 7 times)\n"));
}

// ---- floods and slow readers -------------------------------------------------------------------------------------

struct pipe {
    int saved, ends[2];
};

static struct pipe redirect(void) {
    struct pipe pipe_of;
    fflush(stderr);
    pipe_of.saved = dup(STDERR_FILENO);
    assert_int_equal(pipe(pipe_of.ends), 0);
    dup2(pipe_of.ends[1], STDERR_FILENO);
    close(pipe_of.ends[1]);
    return pipe_of;
}

// All that was written until now and, with `whole`, until nobody can write any more.
static char *read_back(struct pipe *pipe_of, bool whole) {
    char *text = malloc(LINES_MAX);
    size_t length = 0;
    ssize_t count = 0;
    assert_non_null(text);
    if (whole) {
        dup2(pipe_of->saved, STDERR_FILENO);
        close(pipe_of->saved);
    } else {
        fcntl(pipe_of->ends[0], F_SETFL, O_NONBLOCK);
    }
    while (length + 1 < LINES_MAX && (count = read(pipe_of->ends[0], text + length, LINES_MAX - 1 - length)) > 0) {
        length += (size_t)count;
    }
    text[length] = '\0';
    return text;
}

static unsigned count_lines(const char *text) {
    unsigned lines = 0;
    for (; *text != '\0'; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static void a_flood_becomes_a_few_lines_and_how_often_the_last_was_repeated(void **state) {
    (void)state;
    struct pipe ends = redirect();
    for (unsigned i = 0; i < 5000; i++) {
        log_info("test", "number %u", i);
    }
    log_info("test", "something else");
    log_stop();
    char *text = read_back(&ends, true);
    close(ends.ends[0]);
    assert_int_equal(count_lines(text), LOG_REPEAT_BURST + 2);
    assert_non_null(strstr(text, "number 19\n"));
    assert_null(strstr(text, "number 20\n"));
    assert_non_null(strstr(text, "number 4999 (repeated 4980 times)\n"));
    assert_non_null(strstr(text, "something else\n"));
    free(text);
}

static void audit_entries_are_merged_by_session_and_method(void **state) {
    (void)state;
    struct pipe ends = redirect();
    struct log_audit audit = {1, "", "editor", "grab.move", "main", 0, 0};
    for (; audit.tick < 100; audit.tick++) {
        audit.session = 1 + audit.tick % 2;
        log_audit(&audit);
    }
    log_stop();
    char *text = read_back(&ends, true);
    close(ends.ends[0]);
    assert_int_equal(count_lines(text), 2 * LOG_REPEAT_BURST + 2);
    assert_non_null(strstr(text, "session 1 (editor) grab.move in main at tick 98 (repeated 30 times)\n"));
    assert_non_null(strstr(text, "session 2 (editor) grab.move in main at tick 99 (repeated 30 times)\n"));
    free(text);
}

static void nobody_waits_for_who_reads_the_log_and_what_was_lost_is_told(void **state) {
    (void)state;
    struct pipe ends = redirect();
    assert_int_equal(log_start(), RESULT_OK);
    struct log_audit audit = {0, "somebody", "editor", "world.get", "main", 0, 0};
    const uint64_t lost_before = log_read_metrics().lost;
    for (; audit.session < 8000; audit.session++) { // more than the buffer and the pipe hold, and nobody reads
        log_audit(&audit);
    }
    const uint64_t lost = log_read_metrics().lost - lost_before;
    assert_true(lost > 0);
    char *first = NULL, *rest = NULL;
    for (unsigned looks = 0; looks < 200 && (rest == NULL || strstr(rest, "were lost") == NULL); looks++) {
        free(first);
        first = rest;
        usleep(10000);
        rest = read_back(&ends, false);
    }
    assert_non_null(strstr(rest, " entries were lost: they are read too slowly\n"));
    free(first);
    free(rest);
    log_stop();
    free(read_back(&ends, true));
    close(ends.ends[0]);
}

static void the_end_does_not_wait_for_who_never_reads(void **state) {
    (void)state;
    struct pipe ends = redirect();
    assert_int_equal(log_start(), RESULT_OK);
    struct log_audit audit = {0, "somebody", "editor", "world.get", "main", 0, 0};
    for (; audit.session < 3000; audit.session++) {
        log_audit(&audit);
    }
    log_stop();          // returns
    close(ends.ends[0]); // lets the thread go: nobody can read any more
    usleep(50000);
    dup2(ends.saved, STDERR_FILENO);
    close(ends.saved);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_a_time_a_level_and_an_area),
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(a_long_entry_is_cut_and_still_one_line),
        cmocka_unit_test(entries_above_the_level_are_dropped),
        cmocka_unit_test(levels_are_parsed_by_their_names_only),
        cmocka_unit_test(a_line_of_json_is_one_object_with_what_was_said),
        cmocka_unit_test(json_is_whole_whatever_is_said_at_whatever_length),
        cmocka_unit_test(an_audit_entry_says_who_did_what_where_and_when),
        cmocka_unit_test(a_flood_becomes_a_few_lines_and_how_often_the_last_was_repeated),
        cmocka_unit_test(audit_entries_are_merged_by_session_and_method),
        cmocka_unit_test(nobody_waits_for_who_reads_the_log_and_what_was_lost_is_told),
        cmocka_unit_test(the_end_does_not_wait_for_who_never_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
