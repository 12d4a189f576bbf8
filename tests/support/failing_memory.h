// SPDX-License-Identifier: MIT
// Memory that runs out when a test wants it to, in one source file of a program that is linked with --wrap for each of
// the functions below: the n-th allocation from now fails, of the program's own and of SQLite's. Those of other
// libraries go on as ever.
#ifndef WEFT_TESTS_FAILING_MEMORY_H
#define WEFT_TESTS_FAILING_MEMORY_H

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct failing_memory {
    _Atomic int64_t until;     // calls that still succeed before one fails; below 0: all do
    _Atomic uint64_t failures; // so far
    _Atomic int64_t lasting;   // not 0: from the one that fails on all fail, until this is 0 again
    _Atomic int64_t living;    // the program's own allocations
};

static struct failing_memory failing_own = {.until = -1};
static struct failing_memory *failing = &failing_own; // another may be shared with another process

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *memory);

static bool failing_now(void) {
    int64_t left = atomic_load(&failing->until);
    while (left >= 0) {
        const bool stays = left == 0 && atomic_load(&failing->lasting) != 0;
        if (stays || atomic_compare_exchange_weak(&failing->until, &left, left - 1)) {
            failing->failures += left == 0 ? 1 : 0;
            return left == 0;
        }
    }
    return false;
}

static void *failing_counted(void *memory) {
    failing->living += memory != NULL ? 1 : 0;
    return memory;
}

void *__wrap_malloc(size_t size) {
    return failing_now() ? NULL : failing_counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return failing_now() ? NULL : failing_counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size) {
    if (failing_now()) {
        return NULL;
    }
    failing->living += memory == NULL ? 1 : 0;
    return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return failing_now() ? NULL : failing_counted(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text) {
    return failing_now() ? NULL : failing_counted(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t size) {
    return failing_now() ? NULL : failing_counted(__real_strndup(text, size));
}

void __wrap_free(void *memory) {
    failing->living -= memory != NULL ? 1 : 0;
    __real_free(memory);
}

// SQLite counts what lives itself.
static sqlite3_mem_methods failing_usual;

static void *failing_sqlite_malloc(int size) {
    return failing_now() ? NULL : failing_usual.xMalloc(size);
}

static void *failing_sqlite_realloc(void *memory, int size) {
    return failing_now() ? NULL : failing_usual.xRealloc(memory, size);
}

// Before SQLite is used for the first time. False: it was.
static bool failing_install(void) {
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &failing_usual) != SQLITE_OK) {
        return false;
    }
    sqlite3_mem_methods methods = failing_usual;
    methods.xMalloc = failing_sqlite_malloc;
    methods.xRealloc = failing_sqlite_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK &&
           sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1) == SQLITE_OK;
}

#endif
