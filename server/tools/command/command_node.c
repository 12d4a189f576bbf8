// SPDX-License-Identifier: MIT
// Each request has a connection of its own, so that it goes to the node that has the world by then.
#include "tools/command/command_node.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/client/rpc_client.h"
#include "tools/command/command_io.h"
#include "tools/text/json_slice.h"

#define POLL_NS 500000000L
#define READY_POLLS 20 // while no node has the world ready
#define URL_MAX 256

struct answer {
    bool answered, failed;
    char *text; // the result
};

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice answer) {
    struct answer *out = user;
    (void)id;
    out->answered = true;
    out->failed = failed;
    if (failed) {
        command_write_error("", answer);
        return;
    }
    out->text = malloc(answer.length + 1);
    if (out->text != NULL) {
        memcpy(out->text, answer.text, answer.length);
        out->text[answer.length] = '\0';
    }
}

// Calls a method. The caller frees `*result`.
static enum exit_status ask(const struct settings *settings, const char *method, const char *params, char **result) {
    struct answer answer = {0};
    const struct client_handlers handlers = {.user = &answer, .reply = on_reply};
    struct client *client = NULL;
    struct fault fault = {.message = "out of memory"};
    enum result connected = client_create(settings, &handlers, &client, &fault);
    for (int polls = 0; connected == RESULT_BUSY && polls < READY_POLLS; polls++) {
        (void)nanosleep(&(const struct timespec){0, POLL_NS}, NULL);
        connected = client_create(settings, &handlers, &client, &fault);
    }
    if (connected != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    bool lost = client_request(client, (struct json_slice){method, strlen(method)},
                               (struct json_slice){params, strlen(params)}) == 0;
    client_expect(client);
    while (!lost && !answer.answered) {
        lost = client_service(client, &fault) != RESULT_OK;
    }
    client_destroy(client);
    if (!answer.answered || (answer.text == NULL && !answer.failed)) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    *result = answer.text;
    return answer.failed ? EXIT_REFUSED : EXIT_DONE;
}

static void copy_member(struct json_slice object, const char *name, char *out, size_t size) {
    struct json_slice value = {"", 0};
    char *text = json_member(object, name, &value) ? json_string(value) : NULL;
    if (text != NULL) {
        snprintf(out, size, "%s", text);
    } else {
        snprintf(out, size, "%.*s", (int)value.length, value.text);
    }
    free(text);
}

static bool is_true(struct json_slice object, const char *name) {
    struct json_slice value;
    return json_member(object, name, &value) && json_is(value, "true");
}

static void write_row(struct json_slice node) {
    char url[URL_MAX], worlds[16], clients[16], headroom[32], version[32];
    copy_member(node, "url", url, sizeof url);
    copy_member(node, "worlds", worlds, sizeof worlds);
    copy_member(node, "clients", clients, sizeof clients);
    copy_member(node, "headroom", headroom, sizeof headroom);
    copy_member(node, "version", version, sizeof version);
    (void)printf("%-40s %-9s %6s %7s %8.2f %8s\n", url,
                 !is_true(node, "alive")     ? "lost"
                 : is_true(node, "draining") ? "draining"
                                             : "alive",
                 worlds, clients, strtod(headroom, NULL), version);
}

// Calls `act` with each node until it returns true; whether it did.
static bool find_node(const char *text, bool (*act)(void *context, struct json_slice node), void *context) {
    struct json_slice result, nodes, name, node;
    size_t at = 0;
    if (text == NULL || json_check(text, strlen(text), &result, NULL) != JSON_VALID ||
        !json_member(result, "nodes", &nodes)) {
        return false;
    }
    while (json_next(nodes, &at, &name, &node)) {
        if (act(context, node)) {
            return true;
        }
    }
    return false;
}

static bool act_write(void *context, struct json_slice node) {
    (void)context;
    write_row(node);
    return false;
}

static enum exit_status list(const struct settings *settings) {
    char *text = NULL;
    enum exit_status status = ask(settings, "\"node.list\"", "{}", &text);
    if (status == EXIT_DONE) {
        (void)printf("%-40s %-9s %6s %7s %8s %8s\n", "URL", "state", "worlds", "clients", "headroom", "version");
        (void)find_node(text, act_write, NULL);
        status = command_flush();
    }
    free(text);
    return status;
}

struct search {
    char url[URL_MAX]; // "": the node that answers
    unsigned long worlds;
};

static bool act_compare(void *context, struct json_slice node) {
    struct search *search = context;
    char url[URL_MAX], worlds[16];
    copy_member(node, "url", url, sizeof url);
    copy_member(node, "worlds", worlds, sizeof worlds);
    if (search->url[0] != '\0' ? strcmp(url, search->url) != 0 : !is_true(node, "own")) {
        return false;
    }
    snprintf(search->url, sizeof search->url, "%s", url);
    search->worlds = strtoul(worlds, NULL, 10);
    return true;
}

// Waits until the node has no worlds.
static enum exit_status wait_for(const struct settings *settings, struct search *search) {
    const struct timespec pause = {0, POLL_NS};
    for (unsigned long told = ~0ul;;) {
        char *text = NULL;
        enum exit_status status = ask(settings, "\"node.list\"", "{}", &text);
        const bool found = status == EXIT_DONE && find_node(text, act_compare, search);
        free(text);
        if (!found) {
            return status; // EXIT_DONE: the node has ended
        }
        if (search->worlds != told) {
            (void)printf("%s: %lu worlds left\n", search->url, search->worlds);
            status = command_flush();
            told = search->worlds;
        }
        if (search->worlds == 0 || status != EXIT_DONE) {
            return status;
        }
        (void)nanosleep(&pause, NULL);
    }
}

static enum exit_status drain(const struct settings *settings, const char *url, bool draining) {
    struct search search = {.url = ""};
    char params[URL_MAX + 64], *text = NULL;
    if (strlen(url) >= URL_MAX || strpbrk(url, "\"\\") != NULL) {
        return command_fail(EXIT_USAGE, "\"%.80s\" is not the URL of a node; weftctl node list tells them", url);
    }
    enum exit_status status = EXIT_DONE;
    if (url[0] == '\0') { // the URL of the node that answers now: once it drains, another one does
        status = ask(settings, "\"node.list\"", "{}", &text);
        if (status == EXIT_DONE) {
            (void)find_node(text, act_compare, &search);
        }
        free(text);
        text = NULL;
    } else {
        snprintf(search.url, sizeof search.url, "%s", url);
    }
    if (status == EXIT_DONE) {
        snprintf(params, sizeof params, "{\"url\":\"%s\",\"draining\":%s}", search.url, draining ? "true" : "false");
        status = ask(settings, "\"node.drain\"", params, &text);
        free(text);
    }
    return status == EXIT_DONE && draining ? wait_for(settings, &search) : status;
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    if (count == 1 && strcmp(arguments[0], "list") == 0) {
        return list(settings);
    }
    if ((count == 1 || count == 2) && (strcmp(arguments[0], "drain") == 0 || strcmp(arguments[0], "undrain") == 0)) {
        return drain(settings, count == 2 ? arguments[1] : "", strcmp(arguments[0], "drain") == 0);
    }
    return command_fail(EXIT_USAGE, "node takes: list, drain [URL], or undrain [URL]");
}

const struct command command_node = {
    .name = "node",
    .usage = "node list | drain [URL] | undrain [URL]",
    .summary = "list the nodes that share their worlds, or empty one",
    .help = "list prints the servers that share a database (weftd --node-url), with the worlds and clients that each\n"
            "has, and how many processors its ticks leave free. drain makes a node give all its worlds to the others,\n"
            "before it is stopped or upgraded, and waits until it has none; without a URL it is the node that has the\n"
            "world of --url. undrain lets it take worlds again; so does a new start.\n"
            "\n"
            "  weftctl node list\n"
            "  weftctl node drain https://a.example\n"
            "\n"
            "Exit status: 0 done, 1 refused by the server, 2 wrong usage, 3 no connection or no answer.\n",
    .takers = 0,
    .run = run,
};
