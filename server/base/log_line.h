// SPDX-License-Identifier: MIT
// Formats one entry of the log as the line that is written. For log.c and its tests.
#ifndef WEFT_BASE_LOG_LINE_H
#define WEFT_BASE_LOG_LINE_H

#include <stddef.h>

#include "base/log.h"

struct log_entry {
    enum log_level level;
    const char *area;
    const char *text;              // of an entry that is no audit entry
    const struct log_audit *audit; // or NULL
    uint64_t repeated;             // how many entries the line stands for; 0: only itself
};

const char *log_level_name(enum log_level level); // "error", "warn", "info" or "debug"

// Returns the length, the newline at the end included. JSON stays well-formed whatever the text holds and however long
// it is.
size_t log_line_build(char line[LOG_LINE_MAX], enum log_format format, const struct log_entry *entry);

#endif
