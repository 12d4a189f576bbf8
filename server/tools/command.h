// SPDX-License-Identifier: MIT
// A command of weftctl: one file each, which ends in its entry; weftctl.c holds the table of them.
#ifndef WEFT_TOOLS_COMMAND_H
#define WEFT_TOOLS_COMMAND_H

#include "tools/json.h"
#include "tools/settings.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1,     // the server said no, or a line of the input is no request
    EXIT_USAGE = 2,       // weftctl was called wrongly
    EXIT_UNREACHABLE = 3, // no connection, or none any more
    EXIT_MISSED = 4,      // a threshold that was asked for
};

struct command {
    const char *name;
    const char *usage;   // after "weftctl "
    const char *summary; // half a line, for the list
    const char *help;    // paragraphs
    unsigned takers;     // the options it takes beside those that all take
    enum exit_status (*run)(const struct settings *settings, int count, char **arguments);
};

extern const struct command command_call, command_run, command_watch, command_load, command_methods, command_token,
    command_top, command_replay, command_rebuild, command_salvage;

// One sentence to stderr; returns the status, so that a refusal is one statement.
enum exit_status command_fail(enum exit_status status, const char *format, ...) WEFT_PRINTF(2, 3);
// An error object to stderr, as the server said it: "error CODE: message", its data, and where help is. `prefix` stands
// before the first line.
void command_write_error(const char *prefix, struct json_slice error);
// Flushes stdout; EXIT_DONE, or EXIT_REFUSED with a sentence when what was written did not get out.
enum exit_status command_flush(void);
// All of a stream; NULL with errno set when it cannot be read, is larger than COMMAND_INPUT_MAX, or memory is out.
#define COMMAND_INPUT_MAX (256u * 1024u * 1024u)
char *command_read_all(FILE *stream, size_t *length);

#endif
