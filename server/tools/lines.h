// SPDX-License-Identifier: MIT
// Lines of a file or of stdin, read ahead by a thread of their own.
//
// A pipe may stay silent for minutes; waiting for it must not keep the connection from being served. The thread fills a
// bounded queue and calls `wake` whenever there is something new; all else belongs to the thread that created it.
#ifndef WEFT_TOOLS_LINES_H
#define WEFT_TOOLS_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define LINES_LENGTH_MAX (256u * 1024u * 1024u) // bytes of one line

struct lines;

struct line {
    char *text; // terminated; the caller frees it
    size_t length;
    uint64_t number; // from 1
};

enum lines_state {
    LINES_TAKEN,
    LINES_WAIT, // none yet
    LINES_END,
    LINES_FAILED, // the file cannot be read on, or a line is too long
};

// Takes over `handle`, an open file. NULL when memory or threads are out.
struct lines *lines_create(int handle, void (*wake)(void *user), void *user);
// The next line, without waiting.
enum lines_state lines_take(struct lines *lines, struct line *line) WEFT_MUST_USE;
int lines_error(const struct lines *lines); // the errno of LINES_FAILED
void lines_destroy(struct lines *lines);    // also while the file is silent

#endif
