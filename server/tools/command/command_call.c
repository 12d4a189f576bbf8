// SPDX-License-Identifier: MIT
#include "tools/command/command_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/client/rpc_client.h"
#include "tools/command/command_io.h"
#include "tools/text/arguments.h"
#include "tools/text/json_layout.h"
#include "tools/text/json_slice.h"

struct call {
    const char *method;
    bool answered;
    enum exit_status status;
};

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice answer) {
    struct call *call = user;
    (void)id; // there is only one request; an answer without an id is to it, too
    call->answered = true;
    if (failed) {
        struct json_slice code;
        command_write_error("", answer);
        call->status = EXIT_REFUSED;
        if (json_member(answer, "code", &code) && (json_is(code, "-32602") || json_is(code, "-32601"))) {
            (void)fprintf(stderr, "See weftctl methods%s%s\n", json_is(code, "-32602") ? " " : "",
                          json_is(code, "-32602") ? call->method : "");
        }
        return;
    }
    json_write_indented(stdout, answer);
    (void)fputc('\n', stdout);
    call->status = command_flush();
}

// Returns the params: the JSON object on the command line or on stdin, or one made of the pairs. The caller frees it.
static char *read_params(int count, char **arguments, struct fault *fault) {
    if (count != 1 || (*arguments[0] != '{' && strcmp(arguments[0], "-") != 0)) {
        return arguments_to_json(count, arguments, fault);
    }
    size_t length = strlen(arguments[0]), wrong = 0;
    bool from_stdin = *arguments[0] == '-';
    char *text = from_stdin ? command_read_all(stdin, &length) : strdup(arguments[0]);
    struct json_slice value;
    if (text == NULL) {
        (void)fault_set(fault, RESULT_IO, "", "the params could not be read: %s", strerror(errno));
        return NULL;
    }
    if (json_check(text, length, &value, &wrong) != JSON_VALID || *value.text != '{') {
        (void)fault_set(fault, RESULT_INVALID, "", "params must be one JSON object; %s is not, from byte %zu on",
                        from_stdin ? "what came on stdin" : "the argument", wrong + 1);
        free(text);
        return NULL;
    }
    memmove(text, value.text, value.length); // without surrounding space
    char *params = realloc(text, value.length + 1);
    params = params == NULL ? text : params;
    params[value.length] = '\0';
    return params;
}

// Returns the method's name as a JSON string, or NULL with a fault when it cannot be the name of a method.
static char *quote_method(const char *name, struct fault *fault) {
    size_t length = strlen(name);
    char *quoted = malloc(length + 3);
    if (quoted == NULL) {
        (void)fault_set(fault, RESULT_MEMORY, "", "out of memory");
        return NULL;
    }
    snprintf(quoted, length + 3, "\"%s\"", name);
    if (length == 0 || strpbrk(name, "\"\\=") != NULL || json_check(quoted, length + 2, NULL, NULL) != JSON_VALID) {
        (void)fault_set(fault, RESULT_INVALID, "", "\"%s\" is not the name of a method; weftctl methods lists them",
                        name);
        free(quoted);
        return NULL;
    }
    return quoted;
}

static enum exit_status ask(const struct settings *settings, struct call *call, struct json_slice method,
                            struct json_slice params) {
    struct client_handlers handlers = {.user = call, .reply = on_reply};
    struct client *client = NULL;
    struct fault fault;
    if (client_create(settings, &handlers, &client, &fault) != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    enum result result = RESULT_OK;
    if (client_request(client, method, params) == 0) {
        result = fault_set(&fault, RESULT_MEMORY, "", "out of memory");
    }
    client_expect(client);
    while (result == RESULT_OK && !call->answered) {
        result = client_service(client, &fault);
    }
    client_destroy(client);
    return call->answered ? call->status : command_fail(EXIT_UNREACHABLE, "%s", fault.message);
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    struct fault fault;
    if (count == 0) {
        return command_fail(EXIT_USAGE, "call needs the name of a method; weftctl methods lists them");
    }
    char *method = quote_method(arguments[0], &fault);
    char *params = method == NULL ? NULL : read_params(count - 1, arguments + 1, &fault);
    enum exit_status status;
    if (params == NULL) {
        status = command_fail(EXIT_USAGE, "%s", fault.message);
    } else {
        struct call call = {.method = arguments[0], .status = EXIT_UNREACHABLE};
        status = ask(settings, &call, (struct json_slice){method, strlen(method)},
                     (struct json_slice){params, strlen(params)});
    }
    free(params);
    free(method);
    return status;
}

const struct command command_call = {
    .name = "call",
    .usage = "call METHOD [NAME=VALUE ... | JSON | -]",
    .summary = "call a method and print its result",
    .help = "Params are NAME=VALUE pairs, one JSON object, or - for a JSON object on stdin. A VALUE that is\n"
            "JSON is passed on as it is; any other VALUE is a string; numbers with commas between are a\n"
            "vector; a dot in NAME makes a nested object. The result is written to stdout as JSON, an error to\n"
            "stderr as the server reported it.\n"
            "\n"
            "  weftctl call world.get\n"
            "  weftctl call cloth.spawn columns=40 rows=40 position=0,3,0 name=flag\n"
            "  weftctl call world.set wind.velocity=2,0,0 wind.gust=0.5\n"
            "  weftctl call particle.pin '{\"object\": 1, \"particles\": [0, 39]}'\n"
            "\n"
            "Exit status: 0 done, 1 refused by the server, 2 wrong usage, 3 no connection or no answer.\n",
    .takers = 0,
    .run = run,
};
