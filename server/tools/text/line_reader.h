// SPDX-License-Identifier: MIT
// Reads the lines of a file or of stdin ahead, on a thread of its own.
//
// A pipe may be silent for minutes, and the connection must be served meanwhile. The thread fills a bounded queue and
// calls `wake` whenever a line or the end has come. All functions are for the thread that created the reader.
#ifndef WEFT_TOOLS_TEXT_LINE_READER_H
#define WEFT_TOOLS_TEXT_LINE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "base/result.h"

#define LINE_LENGTH_MAX (256u * 1024u * 1024u) // bytes of one line

struct line_reader;

struct line {
    char *text; // with a terminator; the caller frees it
    size_t length;
    uint64_t number; // from 1
};

enum line_state {
    LINE_TAKEN,
    LINE_WAIT, // no line yet
    LINE_END,
    LINE_FAILED, // reading failed, or a line is too long
};

// Takes over `handle`, an open file. Returns NULL when memory runs out or no thread can be started.
struct line_reader *line_reader_create(int handle, void (*wake)(void *user), void *user);
// Takes the next line, without waiting.
enum line_state line_reader_take(struct line_reader *lines, struct line *line) WEFT_MUST_USE;
int line_reader_error(const struct line_reader *lines); // the errno after LINE_FAILED
void line_reader_destroy(struct line_reader *lines);    // may be called while the file is silent

#endif
