// SPDX-License-Identifier: MIT
// Large blocks of memory: zeros that cost nothing until they are written, also where others were written before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/pages.h"

#define BLOCK ((size_t)24 << 20)

// ThreadSanitizer keeps memory of its own for each block.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_MEASURABLE false
#endif
#endif
#ifndef IS_MEASURABLE
#define IS_MEASURABLE true
#endif

static size_t resident_bytes(void) {
    unsigned long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu %lu", &all, &resident), 2);
    fclose(file);
    return resident * 4096;
}

static void blocks_are_zeros_and_aligned(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 100, 65536, 100000, BLOCK};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int round = 0; round < 3; round++) {
            unsigned char *block = pages_reserve(sizes[i]);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % 16, 0);
            assert_int_equal(block[0], 0);
            assert_int_equal(block[sizes[i] / 2], 0);
            assert_int_equal(block[sizes[i] - 1], 0);
            memset(block, 0xa5, sizes[i]);
            pages_release(block);
        }
    }
    pages_release(NULL);
    assert_null(pages_reserve(SIZE_MAX - 8));
}

static void a_block_costs_no_memory_although_others_were_written_before(void **state) {
    (void)state;
    void *blocks[8];
    for (int round = 0; round < 4; round++) {
        void *block = pages_reserve(BLOCK);
        assert_non_null(block);
        memset(block, 1, BLOCK);
        pages_release(block);
    }
    const size_t before = resident_bytes();
    for (int i = 0; i < 8; i++) {
        blocks[i] = pages_reserve(BLOCK);
        assert_non_null(blocks[i]);
    }
    assert_true(resident_bytes() < before + BLOCK / 4 || !IS_MEASURABLE);
    for (int i = 0; i < 8; i++) {
        pages_release(blocks[i]);
    }
}

static void what_is_given_back_reads_as_zeros(void **state) {
    (void)state;
    unsigned char *block = pages_reserve(BLOCK);
    assert_non_null(block);
    memset(block, 1, BLOCK);
    const size_t full = resident_bytes();
    pages_give_back(block + BLOCK / 2, BLOCK / 2);
    assert_int_equal(block[BLOCK / 2 - 1], 1);
    assert_int_equal(block[BLOCK / 2 + 8192], 0);
    assert_true(resident_bytes() < full - BLOCK / 4 || !IS_MEASURABLE);
    pages_release(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_zeros_and_aligned),
        cmocka_unit_test(a_block_costs_no_memory_although_others_were_written_before),
        cmocka_unit_test(what_is_given_back_reads_as_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
