// SPDX-License-Identifier: MIT
// The log: one line per entry on stderr, `2026-01-31T12:00:00.123Z warn net: …`. Any thread may write; an entry is one
// write to the descriptor, so entries never mix. Control characters of the text are written as \xNN: nothing a client
// sends can start a line or steer a terminal. Longer entries are cut at LOG_LINE_MAX bytes.
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include "base/result.h"

#define LOG_LINE_MAX 1024

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG, LOG_LEVEL_COUNT };

// Entries above `level` are dropped. Before the first call the level is LOG_LEVEL_INFO. Thread-safe.
void log_set_level(enum log_level level);
// "error", "warn", "info" or "debug". Errors: RESULT_INVALID.
enum result log_level_parse(const char *text, enum log_level *level) WEFT_MUST_USE;
const char *log_level_name(enum log_level level);

// `area` is the part of the server that speaks: "net", "world" …
void log_write(enum log_level level, const char *area, const char *format, ...) WEFT_PRINTF(3, 4);

#define log_error(area, ...) log_write(LOG_LEVEL_ERROR, area, __VA_ARGS__)
#define log_warn(area, ...) log_write(LOG_LEVEL_WARN, area, __VA_ARGS__)
#define log_info(area, ...) log_write(LOG_LEVEL_INFO, area, __VA_ARGS__)
#define log_debug(area, ...) log_write(LOG_LEVEL_DEBUG, area, __VA_ARGS__)

#endif
