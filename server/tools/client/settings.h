// SPDX-License-Identifier: MIT
// What a run of weftctl was asked to do: the server it speaks to and the options of the commands.
//
// Every option is one row of a table (settings.c), with its environment variable where it has one. The command line
// wins over the environment, and of two on the same side the later one wins; --url sets host, port and world together.
#ifndef WEFT_TOOLS_CLIENT_SETTINGS_H
#define WEFT_TOOLS_CLIENT_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/result.h"

#define SETTINGS_HOST_MAX 256
#define SETTINGS_WORLD_MAX 65
#define SETTINGS_WINDOW_MAX 1024u
#define SETTINGS_CLIENTS_MAX 60000u
#define SETTINGS_EVERY_MAX 1000u
#define SETTINGS_ENCODING_MAX 16
#define SETTINGS_PATH_MAX 1024
#define SETTINGS_TOKEN_MAX 65

// Who takes an option: a bit per command beside those that every command takes.
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
    char world[SETTINGS_WORLD_MAX];
    bool tls;                             // wss://
    char token[SETTINGS_TOKEN_MAX];       // shown to the server; empty: none
    char tokens[SETTINGS_PATH_MAX];       // token: the file
    double timeout_s;                     // for the connection and for each answer; 0: for ever
    bool keep_going;                      // run: past errors
    uint32_t window;                      // run: requests under way at once; 0: as it fits
    double seconds;                       // watch, load, top: for how long; 0: until Ctrl-C
    uint32_t clients, stalled;            // load: viewers in all, and those of them that do not read
    char encoding[SETTINGS_ENCODING_MAX]; // watch, load: what they ask for; empty: motion to watch, else the default
    uint32_t every_ticks;                 // watch, load: what they ask for
    double step_m;                        // watch, load: what they ask for; 0: the server's default
    bool verify;                          // replay: compares with the hashes
    double max_p99_ms, min_rate;          // load: thresholds; 0: none
    bool help, version;
    unsigned given; // the options that stood on the command line, a bit per row of the table
};

void settings_init(struct settings *settings);
enum result settings_read_environment(struct settings *settings, struct fault *fault) WEFT_MUST_USE;
// Takes the options out of `arguments` (argv without the program's name), wherever they stand up to a "--", and moves
// the others to the front; `*count` becomes their number.
enum result settings_read_arguments(struct settings *settings, int *count, char **arguments,
                                    struct fault *fault) WEFT_MUST_USE;
// Refuses an option that was given and belongs to another command.
enum result settings_check_takers(const struct settings *settings, const char *command, unsigned takers,
                                  struct fault *fault) WEFT_MUST_USE;
// A line of help for each option of these takers.
void settings_write_help(FILE *out, unsigned takers);

#endif
