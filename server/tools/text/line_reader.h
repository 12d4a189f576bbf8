// SPDX-License-Identifier: MIT
// Lines of a file or of stdin, read ahead by a thread of their own.
//
// A pipe may stay silent for minutes; waiting for it must not keep the connection from being served. The thread fills a
// bounded queue and calls `wake` whenever there is something new; all else belongs to the thread that created it.
#ifndef WEFT_TOOLS_TEXT_LINE_READER_H
#define WEFT_TOOLS_TEXT_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define LINE_LENGTH_MAX (256u * 1024u * 1024u) // bytes of one line

struct line_reader;

struct line {
    char *text; // terminated; the caller frees it
    size_t length;
    uint64_t number; // from 1
};

enum line_state {
    LINE_TAKEN,
    LINE_WAIT, // none yet
    LINE_END,
    LINE_FAILED, // the file cannot be read on, or a line is too long
};

// Takes over `handle`, an open file. NULL when memory or threads are out.
struct line_reader *line_reader_create(int handle, void (*wake)(void *user), void *user);
// The next line, without waiting.
enum line_state line_reader_take(struct line_reader *lines, struct line *line) WEFT_MUST_USE;
int line_reader_error(const struct line_reader *lines); // the errno of LINE_FAILED
void line_reader_destroy(struct line_reader *lines);    // also while the file is silent

#endif
