// SPDX-License-Identifier: MIT
// weftctl controls a Weft server from the command line. This file finds the command; each has a file of its own.
#include <stdlib.h>
#include <string.h>

#include "host/config/config.h"
#include "proto/gen/methods.h"
#include "proto/gen/schema.h"
#include "proto/message/suggest.h"
#include "tools/command/command_call.h"
#include "tools/command/command_io.h"
#include "tools/command/command_load.h"
#include "tools/command/command_methods.h"
#include "tools/command/command_node.h"
#include "tools/command/command_rebuild.h"
#include "tools/command/command_replay.h"
#include "tools/command/command_run.h"
#include "tools/command/command_salvage.h"
#include "tools/command/command_store.h"
#include "tools/command/command_token.h"
#include "tools/command/command_top.h"
#include "tools/command/command_watch.h"
#include "tools/text/json_slice.h"

static const struct command *const commands[] = {&command_call,    &command_run,     &command_watch, &command_load,
                                                 &command_methods, &command_token,   &command_top,   &command_replay,
                                                 &command_rebuild, &command_salvage, &command_store, &command_node};
#define COMMAND_COUNT (sizeof commands / sizeof commands[0])

static enum exit_status write_overview(FILE *out) {
    (void)fputs("Usage: weftctl [OPTION ...] COMMAND [ARGUMENT ...]\n\nCommands:\n", out);
    for (size_t at = 0; at < COMMAND_COUNT; at++) {
        (void)fprintf(out, "  %-18s %s\n", commands[at]->name, commands[at]->summary);
    }
    (void)fputs("  help COMMAND       describe a command\n\n"
                "Options; an environment variable in brackets does the same:\n",
                out);
    settings_write_help(out, SETTINGS_ALL);
    (void)fputs("\nFirst steps, with a server started by weftd:\n"
                "  weftctl call world.get\n"
                "  weftctl call cloth.spawn columns=40 rows=40 position=0,3,0\n"
                "  weftctl watch\n",
                out);
    return command_flush();
}

static enum exit_status write_help(const struct command *command) {
    (void)printf("Usage: weftctl %s\n\n%s", command->usage, command->help);
    if (command->takers != 0) {
        (void)fputs("\nOptions:\n", stdout);
        settings_write_help(stdout, command->takers);
    }
    (void)fputs("\nweftctl --help lists the options of all commands.\n", stdout);
    return command_flush();
}

static enum exit_status write_version(void) {
    struct json_slice document, info, version = {"", 0};
    if (json_check(proto_schema, proto_schema_length, &document, NULL) == JSON_VALID &&
        json_member(document, "info", &info)) {
        (void)json_member(info, "version", &version);
    }
    char *text = json_string(version);
    (void)printf("weftctl %s\n", text == NULL ? "" : text);
    free(text);
    return command_flush();
}

static const struct command *find_command(const char *name) {
    for (size_t at = 0; at < COMMAND_COUNT; at++) {
        if (strcmp(commands[at]->name, name) == 0) {
            return commands[at];
        }
    }
    return NULL;
}

static enum exit_status refuse_command(const char *name) {
    struct proto_suggestion nearest = {NULL, 0};
    for (size_t at = 0; at < COMMAND_COUNT; at++) {
        proto_suggest(&nearest, name, commands[at]->name);
    }
    if (nearest.name != NULL) {
        return command_fail(EXIT_USAGE, "there is no command \"%s\"; did you mean %s?", name, nearest.name);
    }
    if (strchr(name, '.') != NULL) { // probably a method
        return command_fail(EXIT_USAGE, "there is no command \"%s\"; did you mean weftctl call %s?", name, name);
    }
    return command_fail(EXIT_USAGE, "there is no command \"%s\"; weftctl --help lists them", name);
}

int main(int argc, char **argv) {
    struct settings settings;
    struct fault fault;
    int count = argc > 0 ? argc - 1 : 0;
    char **arguments = argv + 1;
    settings_init(&settings);
    enum result result = settings_read_environment(&settings, &fault);
    result = result == RESULT_OK ? settings_read_arguments(&settings, &count, arguments, &fault) : result;
    if (result != RESULT_OK) {
        return (int)command_fail(EXIT_USAGE, "%s", fault.message);
    }
    char sentence[CONFIG_VARIABLE_TEXT_MAX];
    for (size_t at = 0; config_next_unknown_variable(&at, sentence);) {
        (void)fprintf(stderr, "weftctl: %s\n", sentence);
    }
    if (settings.version) {
        return (int)write_version();
    }
    bool helps = count > 0 && strcmp(arguments[0], "help") == 0;
    if (helps) {
        arguments++;
        count--;
    }
    if (count == 0) {
        (void)write_overview(helps || settings.help ? stdout : stderr);
        return helps || settings.help ? EXIT_DONE : EXIT_USAGE;
    }
    const struct command *command = find_command(arguments[0]);
    if (command == NULL) {
        return (int)refuse_command(arguments[0]);
    }
    if (helps || settings.help) {
        return (int)write_help(command);
    }
    if (settings_check_takers(&settings, command->name, command->takers, &fault) != RESULT_OK) {
        return (int)command_fail(EXIT_USAGE, "%s", fault.message);
    }
    return (int)command->run(&settings, count - 1, arguments + 1);
}
