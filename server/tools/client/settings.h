// SPDX-License-Identifier: MIT
// The settings of one run of weftctl: the server, and the options of the command.
//
// Every option is one row of a table (settings.c), with its environment variable if it has one. The command line
// overrides the environment, and a later option overrides an earlier one; --url sets host, port and world together.
#ifndef WEFT_TOOLS_CLIENT_SETTINGS_H
#define WEFT_TOOLS_CLIENT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/result.h"

#define SETTINGS_HOST_MAX 256
#define SETTINGS_WORLD_MAX 65
#define SETTINGS_PREFIX_MAX 256
#define SETTINGS_URL_MAX 400
#define SETTINGS_WINDOW_MAX 1024u
#define SETTINGS_CLIENTS_MAX 60000u
#define SETTINGS_EVERY_MAX 1000u
#define SETTINGS_ENCODING_MAX 16
#define SETTINGS_PATH_MAX 1024
#define SETTINGS_TOKEN_MAX 65

// The commands that take an option, a bit for each; SETTINGS_ALL: every command.
enum settings_taker {
    SETTINGS_ALL = 1,
    SETTINGS_RUN = 2,
    SETTINGS_WATCH = 4,
    SETTINGS_LOAD = 8,
    SETTINGS_TOKEN = 16,
    SETTINGS_TOP = 32,
    SETTINGS_REPLAY = 64
};

struct settings {
    char host[SETTINGS_HOST_MAX];
    uint16_t port;
    char prefix[SETTINGS_PREFIX_MAX]; // a proxy's path before /worlds/NAME; empty: none
    char world[SETTINGS_WORLD_MAX];
    bool tls;                             // wss://
    char token[SETTINGS_TOKEN_MAX];       // presented to the server; empty: none
    char tokens[SETTINGS_PATH_MAX];       // token: the token file
    double timeout_s;                     // for the connection and for each answer; 0: for ever
    bool keep_going;                      // run: continues after errors
    uint32_t window;                      // run: requests that wait for their answers at once; 0: the default
    double seconds;                       // watch, load, top: duration; 0: until Ctrl-C
    uint32_t clients, stalled;            // load: number of viewers, and of those that do not read
    char encoding[SETTINGS_ENCODING_MAX]; // watch, load: requested; empty: motion for watch, the server's default for
                                          // load
    uint32_t every_ticks;                 // watch, load: requested
    double step_m;                        // watch, load: requested; 0: the server's default
    bool verify;                          // replay: replays and compares the hashes
    double max_p99_ms, min_rate;          // load: thresholds; 0: none
    bool help, version;
    unsigned given; // the options on the command line, a bit for each row of the table
};

// Host, port, prefix, world and TLS of ws://HOST:PORT[/PREFIX]/worlds/NAME. Errors: RESULT_INVALID.
enum result settings_set_url(struct settings *settings, const char *url, struct fault *fault) WEFT_MUST_USE;
void settings_init(struct settings *settings);
enum result settings_read_environment(struct settings *settings, struct fault *fault) WEFT_MUST_USE;
// Removes the options from `arguments` (argv without the program's name), up to a "--", and moves the other arguments
// to the front; `*count` becomes their number. Errors: RESULT_INVALID.
enum result settings_read_arguments(struct settings *settings, int *count, char **arguments,
                                    struct fault *fault) WEFT_MUST_USE;
// Refuses options on the command line that belong to other commands. Errors: RESULT_INVALID.
enum result settings_check_takers(const struct settings *settings, const char *command, unsigned takers,
                                  struct fault *fault) WEFT_MUST_USE;
// Writes a line of help for each option of these commands.
void settings_write_help(FILE *out, unsigned takers);

#endif
