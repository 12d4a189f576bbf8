// SPDX-License-Identifier: MIT
// The log: one line per entry on stderr, as text, `2026-01-31T12:00:00.123Z warn net: …`, or as one JSON object. Any
// thread may write. Nothing a client sends can start a line, steer a terminal or end a JSON string: control characters,
// those that turn the direction of writing and bytes that are not UTF-8 are escaped. Longer entries are cut at
// LOG_LINE_MAX bytes.
//
// Between log_start and log_stop entries wait in a bounded buffer for the log's own thread, so that a slow reader of
// stderr delays no other thread; entries that find no room are counted and reported. At other times an entry is one
// write to the descriptor.
//
// Repeated entries are merged: of the entries of one place in the code (of the audit entries of one session and method)
// LOG_REPEAT_BURST are written in a second; the others of that second become one line, the last of them with a count.
#ifndef WEFT_BASE_LOG_H
#define WEFT_BASE_LOG_H

#include <stdint.h>

#include "base/result.h"

#define LOG_LINE_MAX 1024
#define LOG_BUFFER_BYTES (256u << 10)
#define LOG_REPEAT_BURST 20u
#define LOG_NAME_MAX 65 // bytes of the name and the world of an audit entry with their end; longer ones are cut

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG, LOG_LEVEL_COUNT };
enum log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON, LOG_FORMAT_COUNT };

// Entries above `level` are dropped. Before the first call the level is LOG_LEVEL_INFO. Thread-safe.
void log_set_level(enum log_level level);
// Before the first call the format is LOG_FORMAT_TEXT. Thread-safe.
void log_set_format(enum log_format format);
// "error", "warn", "info" or "debug". Errors: RESULT_INVALID.
enum result log_level_parse(const char *text, enum log_level *level) WEFT_MUST_USE;
// "text" or "json". Errors: RESULT_INVALID.
enum result log_format_parse(const char *text, enum log_format *format) WEFT_MUST_USE;

// Errors: RESULT_MEMORY.
enum result log_start(void) WEFT_MUST_USE;
// Writes the waiting lines and the merged repeats; gives up after a second when stderr takes nothing. Without log_start
// it writes the merged repeats only.
void log_stop(void);

struct log_metrics {
    uint64_t written, merged, lost; // entries
};
struct log_metrics log_read_metrics(void); // thread-safe

// `area` is the part of the server that writes the entry: "net", "world" … `area` and `format` are literals.
void log_write(enum log_level level, const char *area, const char *format, ...) WEFT_PRINTF(3, 4);

#define log_error(area, ...) log_write(LOG_LEVEL_ERROR, area, __VA_ARGS__)
#define log_warn(area, ...) log_write(LOG_LEVEL_WARN, area, __VA_ARGS__)
#define log_info(area, ...) log_write(LOG_LEVEL_INFO, area, __VA_ARGS__)
#define log_debug(area, ...) log_write(LOG_LEVEL_DEBUG, area, __VA_ARGS__)

// An audit entry (a client called a method), of level LOG_LEVEL_INFO.
struct log_audit {
    uint64_t session;
    const char *name;   // of the token, "" without one
    const char *role;   // a literal, as `method` is
    const char *method; // a literal
    const char *world;
    uint64_t tick;
    int code; // error code of the refusal; 0: the call succeeded
};
void log_audit(const struct log_audit *audit);

#endif
