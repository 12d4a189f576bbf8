// SPDX-License-Identifier: MIT
#include "tools/command/command_top.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/client/interrupt.h"
#include "tools/client/monotonic.h"
#include "tools/client/rpc_client.h"
#include "tools/command/command_io.h"
#include "tools/text/json_slice.h"

#define TOP_BEAT_MS 100u
#define TOP_PACE_S 1.0

// The bytes that a client had sent and received when it was last listed.
struct traffic {
    uint64_t client, received, sent;
};

struct traffic_list {
    struct traffic *items;
    size_t count, capacity;
    double when; // s
};

struct top {
    const struct settings *settings;
    struct client *client;
    bool on_terminal, over;
    double started, due; // s
    uint64_t server_id, clients_id;
    char *server; // the last result of server.get; NULL: none yet
    struct json_slice server_value;
    struct traffic_list before, now;
    enum exit_status status;
};

// ---- members -----------------------------------------------------------------------------------------------------

static double number_of(struct json_slice object, const char *name) {
    struct json_slice value;
    char text[40];
    if (!json_member(object, name, &value) || value.length >= sizeof text) {
        return 0.0;
    }
    memcpy(text, value.text, value.length);
    text[value.length] = '\0';
    return strtod(text, NULL);
}

static uint64_t count_of(struct json_slice object, const char *name) {
    return (uint64_t)number_of(object, name);
}

// Writes a string member, cut to a column, with control characters replaced; "-" when there is none.
static void write_string(struct json_slice object, const char *name, int width) {
    struct json_slice value;
    char *text = json_member(object, name, &value) ? json_string(value) : NULL;
    for (char *at = text; at != NULL && *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7F) {
            *at = ' ';
        }
    }
    (void)printf("%-*.*s", width, width, text == NULL || *text == '\0' ? "-" : text);
    free(text);
}

// ---- traffic -----------------------------------------------------------------------------------------------------

static void note_traffic(struct traffic_list *list, struct traffic one) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        struct traffic *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            return; // the next table does not show its rates
        }
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = one;
}

// Finds a client in a list, which is sorted by client number. Returns NULL for a new client.
static const struct traffic *find_traffic(const struct traffic_list *list, uint64_t client) {
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->items[middle].client == client) {
            return &list->items[middle];
        }
        if (list->items[middle].client < client) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

static void write_rate(uint64_t now, uint64_t before, double elapsed) {
    static const char units[] = {' ', 'k', 'M', 'G'};
    double rate = elapsed > 0 && now >= before ? (double)(now - before) / elapsed : 0;
    size_t unit = 0;
    for (; rate >= 1000 && unit + 1 < sizeof units; unit++) {
        rate /= 1000;
    }
    (void)printf(" %7.*f%c", unit == 0 ? 0 : 1, rate, units[unit]);
}

// ---- the tables --------------------------------------------------------------------------------------------------

static void write_server(struct json_slice server) {
    struct json_slice store, well;
    (void)fputs("weftd ", stdout);
    struct json_slice version;
    char *text = json_member(server, "version", &version) ? json_string(version) : NULL;
    (void)printf("%s, up %.0f s, %.1f MB, %" PRIu64 " clients, sent %.1f MB, skipped %" PRIu64 " of %" PRIu64 " frames",
                 text == NULL ? "?" : text, number_of(server, "uptime"), number_of(server, "residentBytes") / 1e6,
                 count_of(server, "clients"), number_of(server, "bytesSent") / 1e6, count_of(server, "framesSkipped"),
                 count_of(server, "framesSent") + count_of(server, "framesSkipped"));
    free(text);
    if (json_member(server, "store", &store) && json_member(store, "well", &well) && !json_is(well, "true")) {
        (void)fputs(", THE STORE FAILS", stdout);
    }
    (void)fputs("\n\n", stdout);
}

static void write_worlds(struct json_slice server) {
    struct json_slice worlds, name, world, flag;
    size_t at = 0;
    (void)printf("%-20s %12s %7s %9s %9s %7s %8s %10s\n", "world", "tick", "speed", "tick ms", "most", "late",
                 "clients", "particles");
    if (!json_member(server, "worlds", &worlds)) {
        return;
    }
    while (json_next(worlds, &at, &name, &world)) {
        write_string(world, "world", 20);
        (void)printf(" %12" PRIu64 " %5.0f %% %9.3f %9.3f %7" PRIu64 " %8" PRIu64 " %10" PRIu64,
                     count_of(world, "tick"), 100 * number_of(world, "realTimeFactor"), number_of(world, "tickMs"),
                     number_of(world, "tickMaxMs"), count_of(world, "lateTicks"), count_of(world, "clients"),
                     count_of(world, "particles"));
        if (json_member(world, "stuck", &flag) && json_is(flag, "true")) {
            (void)fputs("  STUCK", stdout);
        } else if (json_member(world, "running", &flag) && json_is(flag, "false")) {
            (void)fputs("  paused", stdout);
        }
        (void)fputc('\n', stdout);
    }
}

static void write_clients(struct top *top, struct json_slice list) {
    struct json_slice clients, name, client;
    size_t at = 0;
    const double elapsed = top->now.when - top->before.when;
    (void)printf("\n%8s %-20s %-24s %-7s %-16s %7s %8s %8s %8s %9s\n", "client", "world", "address", "role", "name",
                 "rate", "in/s", "out/s", "refused", "seconds");
    if (!json_member(list, "clients", &clients)) {
        return;
    }
    while (json_next(clients, &at, &name, &client)) {
        const struct traffic now = {count_of(client, "client"), count_of(client, "bytesReceived"),
                                    count_of(client, "bytesSent")};
        const struct traffic *before = find_traffic(&top->before, now.client);
        (void)printf("%8" PRIu64 " ", now.client);
        write_string(client, "world", 20);
        (void)fputc(' ', stdout);
        write_string(client, "address", 24);
        (void)fputc(' ', stdout);
        write_string(client, "role", 7);
        (void)fputc(' ', stdout);
        write_string(client, "name", 16);
        const double rate = number_of(client, "rate");
        if (rate > 0) {
            (void)printf(" %7.0f", rate);
        } else {
            (void)fputs("       -", stdout);
        }
        write_rate(now.received, before == NULL ? now.received : before->received, elapsed);
        write_rate(now.sent, before == NULL ? now.sent : before->sent, elapsed);
        (void)printf(" %8" PRIu64 " %9.0f\n", count_of(client, "refusals"), number_of(client, "seconds"));
        note_traffic(&top->now, now);
    }
}

static void show(struct top *top, struct json_slice clients) {
    struct traffic_list old = top->before;
    top->before = top->now;
    top->now = old;
    top->now.count = 0;
    top->now.when = monotonic_s();
    if (top->on_terminal) {
        (void)fputs("\033[H\033[2J\033[?7l", stdout); // a line too long for the terminal is cut, not wrapped
    }
    write_server(top->server_value);
    write_worlds(top->server_value);
    write_clients(top, clients);
    (void)fputs(top->on_terminal ? "\n(Ctrl-C ends)\033[?7h\n" : "\n", stdout);
    if (command_flush() != EXIT_DONE) {
        top->status = EXIT_REFUSED;
        top->over = true;
    }
}

// ---- asking ------------------------------------------------------------------------------------------------------

static uint64_t ask(struct top *top, const char *method) {
    uint64_t id =
        client_request(top->client, (struct json_slice){method, strlen(method)}, (struct json_slice){"{}", 2});
    if (id == 0) {
        top->status = command_fail(EXIT_REFUSED, "out of memory");
        top->over = true;
    }
    client_expect(top->client);
    return id;
}

static void on_reply(void *user, uint64_t id, bool failed, struct json_slice answer) {
    struct top *top = user;
    if (failed) {
        command_write_error("", answer);
        top->status = EXIT_REFUSED;
        top->over = true;
        return;
    }
    if (id == top->server_id) {
        free(top->server);
        top->server = malloc(answer.length);
        if (top->server != NULL) {
            memcpy(top->server, answer.text, answer.length);
            top->server_value = (struct json_slice){top->server, answer.length};
        }
        top->clients_id = ask(top, "\"client.list\"");
    } else if (id == top->clients_id && top->server != NULL) {
        client_expect_nothing(top->client);
        top->server_id = top->clients_id = 0;
        show(top, answer);
    }
}

static void on_beat(void *user) {
    struct top *top = user;
    const double now = monotonic_s();
    if (top->settings->seconds > 0 && now - top->started >= top->settings->seconds) {
        top->over = true;
    } else if (now >= top->due && top->server_id == 0) {
        top->due = top->due + TOP_PACE_S > now ? top->due + TOP_PACE_S : now + TOP_PACE_S;
        top->server_id = ask(top, "\"server.get\"");
    }
}

static enum exit_status watch_server(struct top *top) {
    struct client_handlers handlers = {.user = top, .reply = on_reply, .beat = on_beat};
    struct fault fault;
    if (client_create(top->settings, &handlers, &top->client, &fault) != RESULT_OK) {
        return command_fail(EXIT_UNREACHABLE, "%s", fault.message);
    }
    top->started = top->due = monotonic_s();
    client_set_beat(top->client, TOP_BEAT_MS);
    while (!top->over && !interrupted()) {
        if (client_service(top->client, &fault) != RESULT_OK) {
            top->status = command_fail(EXIT_UNREACHABLE, "%s", fault.message);
            top->over = true;
        }
    }
    return top->status;
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    (void)arguments;
    if (count != 0) {
        return command_fail(EXIT_USAGE, "top takes no arguments; see weftctl help top");
    }
    interrupt_catch();
    struct top top = {.settings = settings, .on_terminal = isatty(STDOUT_FILENO) == 1};
    enum exit_status status = watch_server(&top);
    client_destroy(top.client);
    free(top.server);
    free(top.before.items);
    free(top.now.items);
    return status;
}

const struct command command_top = {
    .name = "top",
    .usage = "top [--seconds N]",
    .summary = "show live what the whole server does, for owners (role admin)",
    .help = "Shows, once a second, the server's worlds with their clocks, and every client with its role, the name\n"
            "of its token and the bytes that it sends and receives. On a terminal the tables change in place;\n"
            "elsewhere they follow each other. Ctrl-C ends the command. The role admin is required.\n"
            "\n"
            "  weftctl top\n"
            "  weftctl top --seconds 1 > clients.txt\n"
            "  weftctl call client.close client=17 reason=\"this class is over\"\n"
            "\n"
            "Exit status: 0 ended by Ctrl-C or --seconds, 1 refused by the server, 2 wrong usage, 3 no\n"
            "connection, or the connection was lost.\n",
    .takers = SETTINGS_TOP,
    .run = run,
};
