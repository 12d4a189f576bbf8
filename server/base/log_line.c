// SPDX-License-Identifier: MIT
// A line is built from left to right in a fixed buffer; free text is cut so that the rest of the line still fits.
#include "base/log_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"

// Bytes that may follow the last piece of free text, with the terminating zero of snprintf.
#define TAIL_TEXT 1u // the newline
#define TAIL_JSON 4u // a quote and a brace before it
#define TAIL_REPEATED 40u
#define TAIL_AUDIT 160u // numbers

struct line {
    char *bytes;
    size_t length;
    size_t room; // for free text
    enum log_format format;
};

static const char *const level_names[LOG_LEVEL_COUNT] = {
    [LOG_LEVEL_ERROR] = "error",
    [LOG_LEVEL_WARN] = "warn",
    [LOG_LEVEL_INFO] = "info",
    [LOG_LEVEL_DEBUG] = "debug",
};

const char *log_level_name(enum log_level level) {
    return level_names[level];
}

// ---- characters --------------------------------------------------------------------------------------------------

// Control characters of ASCII and Latin-1, line and paragraph separators, and bidirectional formatting characters.
static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

// ---- pieces ------------------------------------------------------------------------------------------------------

// Adds a piece of formatted text, or nothing when it does not fit.
static void add(struct line *line, const char *format, ...) WEFT_PRINTF(2, 3);

static void add(struct line *line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->bytes + line->length, LOG_LINE_MAX - line->length, format, arguments);
    va_end(arguments);
    if (length > 0) {
        line->length += (size_t)length < LOG_LINE_MAX - line->length ? (size_t)length : 0;
    }
}

// A byte that begins no character (length 0) is escaped alone.
static void write_escaped(char out[32], enum log_format format, const char *bytes, size_t length, uint32_t code) {
    if (format == LOG_FORMAT_JSON) {
        snprintf(out, 32, "\\u%04x", (unsigned)(length == 0 ? 0xfffd : code));
        return;
    }
    for (size_t i = 0; i < (length == 0 ? 1 : length); i++) {
        snprintf(out + 4 * i, 32 - 4 * i, "\\x%02x", (unsigned char)bytes[i]);
    }
}

// Adds free text, cut between two characters where the room ends.
static void add_text(struct line *line, const char *text) {
    const char *at = text;
    while (*at != '\0') {
        uint32_t code = 0;
        char escaped[32];
        const size_t bytes = utf8_read(at, 4, &code); // which stops at the end of the text
        const char *piece = at;
        size_t length = bytes;
        if (bytes == 0 || is_control(code)) {
            write_escaped(escaped, line->format, at, bytes, code);
            piece = escaped;
            length = strlen(escaped);
        } else if (line->format == LOG_FORMAT_JSON && (code == '"' || code == '\\')) {
            snprintf(escaped, sizeof escaped, "\\%c", (char)code);
            piece = escaped;
            length = 2;
        }
        if (line->length + length > line->room) {
            return;
        }
        memcpy(line->bytes + line->length, piece, length);
        line->length += length;
        at += bytes == 0 ? 1 : bytes;
    }
}

static void add_time(struct line *line) {
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    add(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
        utc.tm_min, utc.tm_sec, now.tv_nsec / 1000000);
}

static void add_member(struct line *line, const char *name, const char *text) {
    add(line, ",\"%s\":\"", name);
    add_text(line, text);
    add(line, "\"");
}

// ---- the two forms -----------------------------------------------------------------------------------------------

static void build_json(struct line *line, const struct log_entry *entry) {
    const struct log_audit *audit = entry->audit;
    add(line, "{\"time\":\"");
    add_time(line);
    add(line, "\"");
    add_member(line, "level", log_level_name(entry->level));
    add_member(line, "area", entry->area);
    if (audit != NULL) {
        add(line, ",\"session\":%" PRIu64, audit->session);
        add_member(line, "name", audit->name);
        add_member(line, "role", audit->role);
        add_member(line, "method", audit->method);
        add_member(line, "world", audit->world);
        add(line, ",\"tick\":%" PRIu64 ",\"code\":%d", audit->tick, audit->code);
    } else {
        add_member(line, "message", entry->text);
    }
    if (entry->repeated > 0) {
        add(line, ",\"repeated\":%" PRIu64, entry->repeated);
    }
    add(line, "}");
}

static void build_text(struct line *line, const struct log_entry *entry) {
    const struct log_audit *audit = entry->audit;
    add_time(line);
    add(line, " %s %s: ", log_level_name(entry->level), entry->area);
    if (audit != NULL) {
        add(line, "session %" PRIu64 " (", audit->session);
        add_text(line, audit->name);
        add(line, "%s%s) ", audit->name[0] != '\0' ? ", " : "", audit->role);
        add_text(line, audit->method);
        add(line, " in ");
        add_text(line, audit->world);
        add(line, " at tick %" PRIu64, audit->tick);
        if (audit->code != 0) {
            add(line, ": refused with %d", audit->code);
        }
    } else {
        add_text(line, entry->text);
    }
    if (entry->repeated > 0) {
        add(line, " (repeated %" PRIu64 " times)", entry->repeated);
    }
}

static struct line begin_line(char *bytes, enum log_format format, const struct log_entry *entry) {
    const size_t tail = (format == LOG_FORMAT_JSON ? TAIL_JSON : TAIL_TEXT) +
                        (entry->repeated > 0 ? TAIL_REPEATED : 0) + (entry->audit != NULL ? TAIL_AUDIT : 0);
    return (struct line){.bytes = bytes, .room = LOG_LINE_MAX - tail, .format = format};
}

size_t log_line_build(char bytes[LOG_LINE_MAX], enum log_format format, const struct log_entry *entry) {
    struct line line = begin_line(bytes, format, entry);
    if (format == LOG_FORMAT_JSON) {
        build_json(&line, entry);
    } else {
        build_text(&line, entry);
    }
    bytes[line.length++] = '\n';
    return line.length;
}
