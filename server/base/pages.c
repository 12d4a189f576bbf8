// SPDX-License-Identifier: MIT
#include "base/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __wasm__

#define PAGE 65536u
#define MOST_PAGES 65536u // that 32 bits address
#define LEAST_GROWTH 256u // pages, 16 MiB
#define ALIGNMENT 16u

// What stands before a block. A large block that was released is in the list of spare blocks.
struct head {
    size_t pages; // 0: a block of calloc
    struct head *next;
};

_Static_assert(sizeof(struct head) <= ALIGNMENT, "the head of a block keeps the alignment");

static struct head *spare; // WebAssembly runs the engine on one thread

static void keep(struct head *head, size_t pages) {
    head->pages = pages;
    head->next = spare;
    spare = head;
}

// The smallest spare block of at least so many pages, taken out of the list. NULL without one. A block more than twice
// as large is left for others.
static struct head *take_spare(size_t pages) {
    struct head **best = NULL;
    for (struct head **link = &spare; *link != NULL; link = &(*link)->next) {
        const size_t found = (*link)->pages;
        if (found >= pages && found / 2 <= pages && (best == NULL || found < (*best)->pages)) {
            best = link;
        }
    }
    struct head *taken = best != NULL ? *best : NULL;
    if (taken != NULL) {
        *best = taken->next;
        // Most of it was never written, and is not to be written now.
        uint64_t *words = (uint64_t *)(void *)taken;
        for (size_t i = ALIGNMENT / sizeof *words; i < taken->pages * (PAGE / sizeof *words); i++) {
            if (words[i] != 0) {
                words[i] = 0;
            }
        }
    }
    return taken;
}

// Pages by which the memory has grown and that are in no block yet.
static size_t fresh; // number of the first
static size_t fresh_count;

static bool grow(size_t pages) {
    const bool grown = __builtin_wasm_memory_grow(0, pages) != SIZE_MAX;
    fresh_count += grown ? pages : 0;
    return grown;
}

// A block of fresh pages, which are zero. Each time that the memory grows, a browser looks through its whole heap for
// garbage, which takes 10 ms and more. So the memory grows by LEAST_GROWTH and by a quarter at least, but by no more
// than half of what it may still grow by if less is missing, so that something is left for malloc.
static struct head *take_fresh(size_t pages) {
    const size_t end = __builtin_wasm_memory_size(0);
    if (fresh_count < pages && fresh + fresh_count != end) { // malloc has made the memory grow
        if (fresh_count > 0) {
            keep((struct head *)(fresh * PAGE), fresh_count);
        }
        fresh = end;
        fresh_count = 0;
    }
    if (fresh_count < pages) {
        const size_t missing = pages - fresh_count;
        const size_t wanted = end / 4 > LEAST_GROWTH ? end / 4 : LEAST_GROWTH;
        const size_t half = (MOST_PAGES - end) / 2;
        const size_t more = wanted < half ? wanted : half;
        const bool grown = (more > missing && grow(more)) || grow(missing);
        if (!grown) {
            return NULL;
        }
    }
    struct head *head = (struct head *)(fresh * PAGE);
    head->pages = pages;
    fresh += pages;
    fresh_count -= pages;
    return head;
}

void *pages_reserve(size_t bytes) {
    if (bytes > SIZE_MAX - PAGE - ALIGNMENT) {
        return NULL;
    }
    struct head *head = NULL;
    if (bytes + ALIGNMENT < PAGE) {
        head = calloc(1, bytes + ALIGNMENT);
    } else {
        const size_t pages = (bytes + ALIGNMENT + PAGE - 1) / PAGE;
        head = take_spare(pages);
        head = head != NULL ? head : take_fresh(pages);
    }
    return head != NULL ? (unsigned char *)head + ALIGNMENT : NULL;
}

void pages_release(void *block) {
    struct head *head = block != NULL ? (struct head *)(void *)((unsigned char *)block - ALIGNMENT) : NULL;
    if (head == NULL || head->pages == 0) {
        free(head);
        return;
    }
    keep(head, head->pages);
}

// WebAssembly has no pages that could be given back.
void pages_give_back(void *from, size_t bytes) {
    (void)from;
    (void)bytes;
}

#else

#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define IS_ADDRESS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_ADDRESS_SANITIZED
#endif
#endif

// Large blocks are mapped. The allocator would hand memory out again that another world has written, and calloc write
// zeros to all of it: for the capacity of a world that takes hundreds of milliseconds, and as much memory as it could
// ever use. AddressSanitizer marks every byte of a block that is released, which takes seconds, too; what lies behind a
// block is then reserved and may not be touched.
#ifdef IS_ADDRESS_SANITIZED
#define LARGE_BYTES ((size_t)4 << 20)
#define GUARD_PAGES 1u
#else
#define LARGE_BYTES ((size_t)64 << 10)
#define GUARD_PAGES 0u // neighbours without one are one mapping, of which a process may have some 65,000
#endif

// What stands before a block.
struct head {
    size_t mapped; // bytes, with the head and the page behind; 0: a block of calloc
    size_t unused;
};

static struct head *map(size_t bytes, size_t page) {
    const size_t used = (sizeof(struct head) + bytes + page - 1) / page * page;
    const size_t mapped = used + GUARD_PAGES * page;
    struct head *head = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (head == MAP_FAILED) {
        return NULL;
    }
    if (GUARD_PAGES > 0 && mprotect((unsigned char *)head + used, mapped - used, PROT_NONE) != 0) {
        (void)munmap(head, mapped);
        return NULL;
    }
    head->mapped = mapped;
    return head;
}

void *pages_reserve(size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes > SIZE_MAX - sizeof(struct head) - 2 * page) {
        return NULL;
    }
    struct head *head = bytes < LARGE_BYTES ? calloc(1, sizeof *head + bytes) : map(bytes, page);
    return head != NULL ? head + 1 : NULL;
}

void pages_release(void *block) {
    struct head *head = block != NULL ? (struct head *)block - 1 : NULL;
    if (head == NULL || head->mapped == 0) {
        free(head);
    } else {
        (void)munmap(head, head->mapped);
    }
}

void pages_give_back(void *from, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)from;
    const uintptr_t first = (start + page - 1) / page * page;
    const uintptr_t end = (start + bytes) / page * page;
    if (first < end) {
        (void)madvise((unsigned char *)from + (first - start), end - first, MADV_DONTNEED);
    }
}

#endif
