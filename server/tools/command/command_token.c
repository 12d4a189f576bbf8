// SPDX-License-Identifier: MIT
// Changes the token file; a running server notices within a second.
#include "tools/command/command_token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "host/connection/token.h"
#include "tools/command/command_io.h"

static enum exit_status fail(const struct fault *fault) {
    return command_fail(EXIT_REFUSED, "%s", fault->message);
}

static enum exit_status make(const char *path, int count, char **arguments) {
    struct token token;
    struct fault fault;
    char text[TOKEN_TEXT_MAX];
    enum proto_role role = PROTO_ROLE_NONE;
    if (count < 1 || count > 2) {
        return command_fail(EXIT_USAGE,
                            "token make takes a role and perhaps a name: weftctl token make editor \"class 3b\"");
    }
    if (token_role_parse(arguments[0], &role, &fault) != RESULT_OK) {
        return command_fail(EXIT_USAGE, "%s", fault.message);
    }
    if (token_make(path, role, count == 2 ? arguments[1] : "", text, &token, &fault) != RESULT_OK) {
        return fail(&fault);
    }
    (void)fprintf(stderr, "Made %s, %s%s%s, in %s. This is the only time that the token is shown:\n", token.id,
                  proto_role_names[token.role], token.name[0] != '\0' ? ", " : "", token.name, path);
    (void)puts(text);
    return command_flush();
}

// Checks that the file exists, since listing and revoking must not make it.
static bool is_there(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0) {
        return true;
    }
    (void)command_fail(EXIT_USAGE, "there is no file of tokens \"%s\": %s; weftctl token make makes it", path,
                       strerror(errno));
    return false;
}

static enum exit_status list(const char *path, int count, char **arguments) {
    struct token_list tokens = {0};
    struct fault fault;
    (void)arguments;
    if (count != 0) {
        return command_fail(EXIT_USAGE, "token list takes nothing more");
    }
    if (!is_there(path)) {
        return EXIT_USAGE;
    }
    if (token_file_read(path, &tokens, &fault) != RESULT_OK) {
        return fail(&fault);
    }
    for (uint32_t at = 0; at < tokens.count; at++) {
        const struct token *token = &tokens.items[at];
        (void)printf("%s  %-6s  %s  %s\n", token->id, proto_role_names[token->role], token->created, token->name);
    }
    token_list_free(&tokens);
    return command_flush();
}

static enum exit_status revoke(const char *path, int count, char **arguments) {
    struct token token;
    struct fault fault;
    if (count != 1) {
        return command_fail(EXIT_USAGE, "token revoke takes the id of a token; weftctl token list shows them");
    }
    if (!is_there(path)) {
        return EXIT_USAGE;
    }
    if (token_revoke(path, arguments[0], &token, &fault) != RESULT_OK) {
        return fail(&fault);
    }
    (void)printf("Revoked %s, %s%s%s.\n", token.id, proto_role_names[token.role], token.name[0] != '\0' ? ", " : "",
                 token.name);
    return command_flush();
}

static const struct {
    const char *name;
    enum exit_status (*run)(const char *path, int count, char **arguments);
} actions[] = {{"make", make}, {"list", list}, {"revoke", revoke}};

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    if (settings->tokens[0] == '\0') {
        return command_fail(EXIT_USAGE, "token needs the server's file of tokens: --tokens FILE or WEFT_TOKENS");
    }
    for (size_t at = 0; count > 0 && at < sizeof actions / sizeof *actions; at++) {
        if (strcmp(actions[at].name, arguments[0]) == 0) {
            return actions[at].run(settings->tokens, count - 1, arguments + 1);
        }
    }
    return command_fail(EXIT_USAGE,
                        "token makes, lists or revokes: token make ROLE [NAME], token list, token revoke ID");
}

const struct command command_token = {
    .name = "token",
    .usage = "token make ROLE [NAME] | list | revoke ID",
    .summary = "make, list and revoke the tokens of a server",
    .help = "Works on the file that weftd was given with --tokens; a running server applies a change within a\n"
            "second. The file holds only hashes of tokens, so a token is shown once, when it is made. A viewer\n"
            "watches worlds, an editor changes them, an owner (role admin) also creates and removes worlds.\n"
            "\n"
            "  weftctl token make editor \"class 3b\" --tokens tokens\n"
            "  weftctl token list --tokens tokens\n"
            "  weftctl token revoke 5f01c2aa --tokens tokens\n"
            "\n"
            "To use a token with weftctl, set WEFT_TOKEN or --token-file. The page requires one, too.\n",
    .takers = SETTINGS_TOKEN,
    .run = run,
};
