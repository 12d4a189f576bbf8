// SPDX-License-Identifier: MIT
// A command of weftctl. Each has a file of its own, which ends in its entry; weftctl.c holds the table of them. Data
// only.
#ifndef WEFT_TOOLS_COMMAND_COMMAND_ENTRY_H
#define WEFT_TOOLS_COMMAND_COMMAND_ENTRY_H

#include "tools/client/settings.h"

enum exit_status {
    EXIT_DONE = 0,
    EXIT_REFUSED = 1,     // the server refused, or a line of the input is not a request
    EXIT_USAGE = 2,       // the command line is wrong
    EXIT_UNREACHABLE = 3, // there is no connection, or it has ended
    EXIT_MISSED = 4,      // a comparison or a threshold that was asked for failed
};

struct command {
    const char *name;
    const char *usage;   // after "weftctl "
    const char *summary; // half a line, for the list of commands
    const char *help;    // paragraphs
    unsigned takers;     // which options the command takes besides those of all commands, see settings_taker
    enum exit_status (*run)(const struct settings *settings, int count, char **arguments);
};

#endif
