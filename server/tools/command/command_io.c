// SPDX-License-Identifier: MIT
#include "tools/command/command_io.h"

#include "tools/text/json_layout.h"
#include "tools/text/json_slice.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum exit_status command_fail(enum exit_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("weftctl: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    return status;
}

// Writes text that may come from a stranger, without control characters.
static void write_plain(const char *text) {
    for (; *text != '\0'; text++) {
        (void)fputc((unsigned char)*text < 0x20 || *text == 0x7F ? ' ' : *text, stderr);
    }
}

void command_write_error(const char *prefix, struct json_slice error) {
    struct json_slice code = {"?", 1}, message, data;
    (void)json_member(error, "code", &code);
    char *text = json_member(error, "message", &message) ? json_string(message) : NULL;
    (void)fprintf(stderr, "%serror %.*s: ", prefix, (int)code.length, code.text);
    write_plain(text == NULL ? "(no message)" : text);
    (void)fputc('\n', stderr);
    free(text);
    if (json_member(error, "data", &data) && !json_is(data, "{}") && !json_is(data, "null")) {
        (void)fprintf(stderr, "%sdata ", prefix);
        json_write_compact(stderr, data);
        (void)fputc('\n', stderr);
    }
}

enum exit_status command_flush(void) {
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return EXIT_DONE;
    }
    if (errno == EPIPE) { // the reader has seen enough, as with "| head"
        return EXIT_REFUSED;
    }
    return command_fail(EXIT_REFUSED, "the output could not be written: %s", strerror(errno));
}

char *command_read_all(FILE *stream, size_t *length) {
    size_t capacity = 65536, used = 0;
    char *text = malloc(capacity);
    while (text != NULL) {
        used += fread(text + used, 1, capacity - used, stream);
        if (used < capacity) {
            break;
        }
        char *grown = capacity < COMMAND_INPUT_MAX ? realloc(text, capacity * 2) : NULL;
        if (grown == NULL) {
            free(text);
            errno = capacity < COMMAND_INPUT_MAX ? ENOMEM : EFBIG;
            return NULL;
        }
        text = grown;
        capacity *= 2;
    }
    if (text != NULL && ferror(stream) != 0) {
        free(text);
        return NULL;
    }
    *length = used;
    return text;
}
