// SPDX-License-Identifier: MIT
// Input, output and errors of the commands.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_IO_H
#define WEFT_TOOLS_COMMAND_COMMAND_IO_H

#include "tools/command/command_entry.h"
#include "tools/text/json_slice.h"

// Writes one sentence to stderr and returns `status`, so that a refusal is one statement.
enum exit_status command_fail(enum exit_status status, const char *format, ...) WEFT_PRINTF(2, 3);
// Writes an error object of the server to stderr: "error CODE: message", then its data. `prefix` stands before each
// line.
void command_write_error(const char *prefix, struct json_slice error);
// Flushes stdout. Returns EXIT_DONE, or EXIT_REFUSED after a sentence on stderr when the output could not be written.
enum exit_status command_flush(void);
// Reads all of a stream. Returns NULL, with errno set, when the stream cannot be read or is larger than
// COMMAND_INPUT_MAX, or when memory runs out.
#define COMMAND_INPUT_MAX (256u * 1024u * 1024u)
char *command_read_all(FILE *stream, size_t *length);

#endif
