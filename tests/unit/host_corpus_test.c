// SPDX-License-Identifier: MIT
// What the fuzzers have found, and seeds of every kind, through their targets once more: tests/fuzz/corpus.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fuzz.h"

#define FILE_BYTES_MAX (1u << 20)

static void replay_file(const char *path, fuzz_target target) {
    static uint8_t buffer[FILE_BYTES_MAX];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(buffer, 1, sizeof buffer, file);
    assert_true(size < sizeof buffer);
    fclose(file);
    uint8_t *exact = malloc(size + (size == 0 ? 1 : 0)); // so that a sanitizer sees what lies behind it
    assert_non_null(exact);
    memcpy(exact, buffer, size);
    target(exact, size);
    free(exact);
}

static void replay(const char *name, fuzz_target target) {
    char folder[64], path[512];
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    unsigned files = 0;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            replay_file(path, target);
            files++;
        }
    }
    closedir(directory);
    print_message("corpus of %s: %u files\n", name, files);
    assert_true(files > 0);
}

#define REPLAY(name)                                                                                                   \
    static void the_corpus_of_##name##_does_no_harm(void **state) {                                                    \
        (void)state;                                                                                                   \
        replay(#name, fuzz_##name);                                                                                    \
    }
REPLAY(json)
REPLAY(codec)
REPLAY(head)
REPLAY(wire)
REPLAY(record)
REPLAY(snapshot)
REPLAY(capsule)
REPLAY(follow)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_corpus_of_json_does_no_harm),    cmocka_unit_test(the_corpus_of_codec_does_no_harm),
        cmocka_unit_test(the_corpus_of_head_does_no_harm),    cmocka_unit_test(the_corpus_of_wire_does_no_harm),
        cmocka_unit_test(the_corpus_of_record_does_no_harm),  cmocka_unit_test(the_corpus_of_snapshot_does_no_harm),
        cmocka_unit_test(the_corpus_of_capsule_does_no_harm), cmocka_unit_test(the_corpus_of_follow_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
