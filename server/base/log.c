// SPDX-License-Identifier: MIT
// The log's only state is its level, an atomic. A line is built on the stack and leaves by one write(2), which keeps
// lines of different threads apart without a lock.
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[LOG_LEVEL_COUNT] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

static _Atomic(enum log_level) current_level = LOG_LEVEL_INFO;

void log_set_level(enum log_level level) {
    atomic_store_explicit(&current_level, level, memory_order_relaxed);
}

enum result log_level_parse(const char *text, enum log_level *level) {
    for (enum log_level i = LOG_LEVEL_ERROR; i < LOG_LEVEL_COUNT; i++) {
        if (strcmp(text, level_names[i]) == 0) {
            *level = i;
            return RESULT_OK;
        }
    }
    return RESULT_INVALID;
}

const char *log_level_name(enum log_level level) {
    return level_names[level];
}

static size_t write_head(char *line, size_t size, enum log_level level, const char *area) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct tm utc;
    gmtime_r(&now.tv_sec, &utc);
    int length =
        snprintf(line, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ %s %s: ", utc.tm_year + 1900, utc.tm_mon + 1,
                 utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, now.tv_nsec / 1000000, level_names[level], area);
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

// Controls of ASCII, and those of Latin-1 in UTF-8 (C2 80 to C2 9F), which some terminals obey as well.
static bool is_control(const unsigned char *byte) {
    return *byte < 0x20 || *byte == 0x7f || (byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0);
}

// Copies `text` up to `room` bytes with its controls escaped; returns the bytes written.
static size_t escape(char *line, size_t room, const char *text) {
    static const char digits[] = "0123456789abcdef";
    size_t length = 0;
    for (const unsigned char *byte = (const unsigned char *)text; *byte != 0; byte++) {
        if (length + 4 > room)
            break;
        if (!is_control(byte)) {
            line[length++] = (char)*byte;
            continue;
        }
        line[length++] = '\\';
        line[length++] = 'x';
        line[length++] = digits[*byte >> 4];
        line[length++] = digits[*byte & 15];
    }
    return length;
}

void log_write(enum log_level level, const char *area, const char *format, ...) {
    if (level > atomic_load_explicit(&current_level, memory_order_relaxed))
        return;
    char text[LOG_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (written < 0)
        return;

    char line[LOG_LINE_MAX];
    size_t length = write_head(line, sizeof line, level, area);
    length += escape(line + length, sizeof line - 1 - length, text);
    line[length++] = '\n';
    // A log that cannot be written has nobody left to tell.
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}
