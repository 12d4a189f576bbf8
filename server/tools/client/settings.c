// SPDX-License-Identifier: MIT
// The table of options.
#include "tools/client/settings.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/message/suggest.h"

typedef enum result take_function(struct settings *settings, const char *value, struct fault *fault);

struct option_row {
    const char *name;
    const char *value;       // name of its value in the help; NULL: the option takes no value
    const char *environment; // variable that does the same; NULL: none
    unsigned takers;
    const char *help;
    take_function *take;
};

static enum result take_host(struct settings *settings, const char *value, struct fault *fault) {
    if (*value == '\0' || strlen(value) >= sizeof settings->host || strpbrk(value, "/ ") != NULL) {
        return fault_set(fault, RESULT_INVALID, "", "host must be a name or an address, got \"%s\"", value);
    }
    snprintf(settings->host, sizeof settings->host, "%s", value);
    return RESULT_OK;
}

static enum result take_port(struct settings *settings, const char *value, struct fault *fault) {
    char *end = NULL;
    unsigned long port = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
    if (port < 1 || port > 65535 || *end != '\0') {
        return fault_set(fault, RESULT_INVALID, "", "port must be a number from 1 to 65535, got \"%s\"", value);
    }
    settings->port = (uint16_t)port;
    return RESULT_OK;
}

static enum result take_world(struct settings *settings, const char *value, struct fault *fault) {
    bool fits = *value != '\0' && strlen(value) < sizeof settings->world;
    for (const char *at = value; *at != '\0'; at++) {
        fits = fits && (isalnum((unsigned char)*at) || strchr("-_.~", *at) != NULL);
    }
    if (!fits) {
        return fault_set(fault, RESULT_INVALID, "",
                         "world must be 1 to %d letters, digits, hyphens and underscores, got \"%s\"",
                         SETTINGS_WORLD_MAX - 1, value);
    }
    snprintf(settings->world, sizeof settings->world, "%s", value);
    return RESULT_OK;
}

// Returns the world that a page's address names with world=NAME in its query, or "main"; NULL when the name is too
// long.
static const char *world_of_page(const char *query, char name[SETTINGS_WORLD_MAX]) {
    while (*query != '\0' && *query != '#') {
        const size_t length = strcspn(query, "&#");
        if (strncmp(query, "world=", 6) == 0) {
            const int written = snprintf(name, SETTINGS_WORLD_MAX, "%.*s", (int)(length - 6), query + 6);
            return written < SETTINGS_WORLD_MAX ? name : NULL;
        }
        query += length + (query[length] == '&');
    }
    return "main";
}

// The name in /worlds/NAME, or NULL. The path before it is the prefix, which a proxy has for a server.
static const char *world_of_path(const char *path, char prefix[SETTINGS_PREFIX_MAX]) {
    static const char folder[] = "/worlds/";
    static const char of_prefix[] = "/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    const char *found = NULL;
    for (const char *at = strstr(path, folder); at != NULL; at = strstr(at + 1, folder)) {
        found = at;
    }
    const size_t length = found != NULL ? (size_t)(found - path) : 0;
    if (found == NULL || length >= SETTINGS_PREFIX_MAX || strspn(path, of_prefix) < length) {
        return NULL;
    }
    memcpy(prefix, path, length);
    prefix[length] = '\0';
    return found + sizeof folder - 1;
}

// Takes ws://HOST[:PORT][[/PREFIX]/worlds/NAME], or the address of the page: http://HOST:PORT/ or …/?world=NAME.
static enum result take_url(struct settings *settings, const char *value, struct fault *fault) {
    static const char shape[] = "url must look like ws://127.0.0.1:8080/worlds/main, got \"%s\"";
    static const char schemes[] =
        "url must begin with ws://, or wss:// where the server has TLS (of a page's address http:// and https:// are "
        "taken as these), got \"%s\"";
    const bool tls = strncmp(value, "wss://", 6) == 0 || strncmp(value, "https://", 8) == 0;
    const bool known = tls || strncmp(value, "ws://", 5) == 0 || strncmp(value, "http://", 7) == 0;
    const size_t scheme = known ? (size_t)(strstr(value, "://") - value) + 3 : 0;
    if (!known) {
        return fault_set(fault, RESULT_INVALID, "", schemes, value);
    }
    char authority[SETTINGS_HOST_MAX + 8];
    const char *path = value + scheme + strcspn(value + scheme, "/?#");
    size_t length = (size_t)(path - value) - scheme;
    if (length >= sizeof authority) {
        return fault_set(fault, RESULT_INVALID, "", shape, value);
    }
    memcpy(authority, value + scheme, length);
    authority[length] = '\0';
    char *host = authority, *rest = authority + strcspn(authority, ":");
    if (*host == '[') { // an IPv6 address
        host++;
        rest = host + strcspn(host, "]");
        if (*rest == '\0') {
            return fault_set(fault, RESULT_INVALID, "", shape, value);
        }
        *rest++ = '\0';
    }
    char named[SETTINGS_WORLD_MAX], prefix[SETTINGS_PREFIX_MAX] = "";
    const char *port = tls ? "443" : "80";
    if (*rest == ':') {
        *rest = '\0';
        port = rest + 1;
    } else if (*rest != '\0') {
        return fault_set(fault, RESULT_INVALID, "", shape, value);
    }
    const char *world = strcmp(path, "") == 0 || strcmp(path, "/") == 0 ? "main" : NULL;
    if (world == NULL) {
        world = world_of_path(path, prefix);
    }
    if (world == NULL && path[0] == '/' && path[1] == '?') { // the address of the page
        world = world_of_page(path + 2, named);
    }
    if (world == NULL) {
        return fault_set(fault, RESULT_INVALID, "", shape, value);
    }
    enum result result = take_host(settings, host, fault);
    result = result == RESULT_OK ? take_port(settings, port, fault) : result;
    result = result == RESULT_OK ? take_world(settings, world, fault) : result;
    if (result == RESULT_OK) {
        settings->tls = tls;
        memcpy(settings->prefix, prefix, sizeof prefix);
    }
    return result;
}

static enum result take_token(struct settings *settings, const char *value, struct fault *fault) {
    const size_t length = strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    if (length == 0 || length >= sizeof settings->token || value[length + strspn(value + length, "\r\n ")] != '\0') {
        return fault_set(fault, RESULT_INVALID, "",
                         "a token is the text that weftctl token make printed: weft_ and 43 letters");
    }
    snprintf(settings->token, sizeof settings->token, "%.*s", (int)length, value);
    return RESULT_OK;
}

// There is no option for the token itself: the command line is visible in every list of processes.
static enum result take_token_file(struct settings *settings, const char *value, struct fault *fault) {
    char text[2 * SETTINGS_TOKEN_MAX] = "";
    FILE *file = fopen(value, "re");
    const bool read = file != NULL && fgets(text, sizeof text, file) != NULL;
    const int error = errno;
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!read) {
        return fault_set(fault, RESULT_INVALID, "", "token-file: no token could be read from \"%.160s\": %s", value,
                         file == NULL ? strerror(error) : "it is empty");
    }
    return take_token(settings, text, fault);
}

static enum result take_tokens(struct settings *settings, const char *value, struct fault *fault) {
    if (*value == '\0' || strlen(value) >= sizeof settings->tokens) {
        return fault_set(fault, RESULT_INVALID, "", "tokens must name a file, got \"%s\"", value);
    }
    snprintf(settings->tokens, sizeof settings->tokens, "%s", value);
    return RESULT_OK;
}

static bool read_seconds(const char *value, double *seconds) {
    char *end = NULL;
    errno = 0;
    double read = strtod(value, &end);
    if (end == value || *end != '\0' || errno != 0 || !isfinite(read) || read < 0 || read > 1e6) {
        return false;
    }
    *seconds = read;
    return true;
}

static enum result take_timeout(struct settings *settings, const char *value, struct fault *fault) {
    return read_seconds(value, &settings->timeout_s)
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "timeout must be seconds from 0 to 1000000, got \"%s\"", value);
}

static enum result take_seconds(struct settings *settings, const char *value, struct fault *fault) {
    return read_seconds(value, &settings->seconds) && settings->seconds > 0
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "seconds must be above 0 and at most 1000000, got \"%s\"", value);
}

static bool read_whole(const char *value, unsigned long least, unsigned long most, uint32_t *number) {
    char *end = NULL;
    unsigned long read = isdigit((unsigned char)*value) ? strtoul(value, &end, 10) : 0;
    if (end == NULL || *end != '\0' || read < least || read > most) {
        return false;
    }
    *number = (uint32_t)read;
    return true;
}

static enum result take_clients(struct settings *settings, const char *value, struct fault *fault) {
    return read_whole(value, 1, SETTINGS_CLIENTS_MAX, &settings->clients)
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "clients must be a number from 1 to %u, got \"%s\"",
                           SETTINGS_CLIENTS_MAX, value);
}

static enum result take_stalled(struct settings *settings, const char *value, struct fault *fault) {
    return read_whole(value, 0, SETTINGS_CLIENTS_MAX, &settings->stalled)
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "stalled must be a number from 0 to %u, got \"%s\"",
                           SETTINGS_CLIENTS_MAX, value);
}

static enum result take_every(struct settings *settings, const char *value, struct fault *fault) {
    return read_whole(value, 1, SETTINGS_EVERY_MAX, &settings->every_ticks)
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "every must be a number of ticks from 1 to %u, got \"%s\"",
                           SETTINGS_EVERY_MAX, value);
}

static enum result take_encoding(struct settings *settings, const char *value, struct fault *fault) {
    size_t length = strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (length == 0 || value[length] != '\0' || length >= sizeof settings->encoding) {
        return fault_set(fault, RESULT_INVALID, "",
                         "encoding must be one of those that frames.subscribe takes, got \"%s\"", value);
    }
    snprintf(settings->encoding, sizeof settings->encoding, "%s", value);
    return RESULT_OK;
}

// Takes a number of metres, or 1/N.
static enum result take_step(struct settings *settings, const char *value, struct fault *fault) {
    char *end = NULL;
    double step = isdigit((unsigned char)*value) ? strtod(value, &end) : 0;
    if (end != NULL && *end == '/' && isdigit((unsigned char)end[1])) {
        step /= strtod(end + 1, &end);
    }
    if (end == NULL || *end != '\0' || !(step > 0) || step > 1) {
        return fault_set(fault, RESULT_INVALID, "", "step must be m above 0 and at most 1, such as 1/4096, got \"%s\"",
                         value);
    }
    settings->step_m = step;
    return RESULT_OK;
}

static enum result take_max_p99(struct settings *settings, const char *value, struct fault *fault) {
    return read_seconds(value, &settings->max_p99_ms) && settings->max_p99_ms > 0
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "max-p99 must be ms above 0 and at most 1000000, got \"%s\"",
                           value);
}

static enum result take_min_rate(struct settings *settings, const char *value, struct fault *fault) {
    return read_seconds(value, &settings->min_rate) && settings->min_rate > 0
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "",
                           "min-rate must be frames/s above 0 and at most 1000000, got \"%s\"", value);
}

static enum result take_window(struct settings *settings, const char *value, struct fault *fault) {
    return read_whole(value, 1, SETTINGS_WINDOW_MAX, &settings->window)
               ? RESULT_OK
               : fault_set(fault, RESULT_INVALID, "", "window must be a number from 1 to %u, got \"%s\"",
                           SETTINGS_WINDOW_MAX, value);
}

static enum result take_keep_going(struct settings *settings, const char *value, struct fault *fault) {
    (void)value, (void)fault;
    settings->keep_going = true;
    return RESULT_OK;
}

static enum result take_verify(struct settings *settings, const char *value, struct fault *fault) {
    (void)value;
    (void)fault;
    settings->verify = true;
    return RESULT_OK;
}

static enum result take_help(struct settings *settings, const char *value, struct fault *fault) {
    (void)value, (void)fault;
    settings->help = true;
    return RESULT_OK;
}

static enum result take_version(struct settings *settings, const char *value, struct fault *fault) {
    (void)value, (void)fault;
    settings->version = true;
    return RESULT_OK;
}

// The environment is read from top to bottom, so WEFT_URL stands below WEFT_HOST, WEFT_PORT and WEFT_WORLD, which it
// overrides.
static const struct option_row rows[] = {
    {"host", "HOST", "WEFT_HOST", SETTINGS_ALL, "name or address of the server (127.0.0.1)", take_host},
    {"port", "PORT", "WEFT_PORT", SETTINGS_ALL, "port of the server (8080)", take_port},
    {"world", "NAME", "WEFT_WORLD", SETTINGS_ALL, "name of the world (main)", take_world},
    {"url", "URL", "WEFT_URL", SETTINGS_ALL,
     "host, port and world in one: ws://HOST:PORT/worlds/NAME, wss://… with TLS, or the address of the page", take_url},
    {"token-file", "FILE", NULL, SETTINGS_ALL, "file with the token for the server [WEFT_TOKEN: the token itself]",
     take_token_file},
    {"tokens", "FILE", "WEFT_TOKENS", SETTINGS_TOKEN, "the token file of the server", take_tokens},
    {"timeout", "S", "WEFT_TIMEOUT", SETTINGS_ALL, "seconds to wait for an answer; 0: no limit (60)", take_timeout},
    {"keep-going", NULL, NULL, SETTINGS_RUN, "continue after an error", take_keep_going},
    {"window", "N", NULL, SETTINGS_RUN, "requests that wait for their answers at once (1; with --keep-going 64)",
     take_window},
    {"seconds", "N", NULL, SETTINGS_WATCH | SETTINGS_LOAD | SETTINGS_TOP, "end after N seconds", take_seconds},
    {"clients", "N", NULL, SETTINGS_LOAD, "number of viewers (100)", take_clients},
    {"stalled", "K", NULL, SETTINGS_LOAD, "how many of the viewers subscribe and never read (0)", take_stalled},
    {"every", "TICKS", NULL, SETTINGS_WATCH | SETTINGS_LOAD, "ticks between frames (1)", take_every},
    {"encoding", "NAME", NULL, SETTINGS_WATCH | SETTINGS_LOAD,
     "encoding of frames, see weftctl methods frames.subscribe", take_encoding},
    {"step", "M", NULL, SETTINGS_WATCH | SETTINGS_LOAD, "grid step of frames in m, such as 1/1024 (1/4096)", take_step},
    {"max-p99", "MS", NULL, SETTINGS_LOAD, "fail when more than 1 % of frames are later than MS milliseconds",
     take_max_p99},
    {"min-rate", "HZ", NULL, SETTINGS_LOAD, "fail when a viewer gets fewer than HZ frames per second", take_min_rate},
    {"verify", NULL, NULL, SETTINGS_REPLAY, "replay the capsule and compare the hashes", take_verify},
    {"help", NULL, NULL, SETTINGS_ALL, "show help", take_help},
    {"version", NULL, NULL, SETTINGS_ALL, "show the version", take_version},
};
#define ROW_COUNT (sizeof rows / sizeof rows[0])
_Static_assert(ROW_COUNT <= 32, "settings.given has a bit per row");

void settings_init(struct settings *settings) {
    *settings = (struct settings){
        .host = "127.0.0.1", .port = 8080, .world = "main", .timeout_s = 60, .clients = 100, .every_ticks = 1};
}

enum result settings_read_environment(struct settings *settings, struct fault *fault) {
    const char *token = getenv("WEFT_TOKEN"); // has no option, see take_token_file
    struct fault wrong;
    if (token != NULL && *token != '\0' && take_token(settings, token, &wrong) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, "", "in the environment variable WEFT_TOKEN: %.250s", wrong.message);
    }
    for (size_t row = 0; row < ROW_COUNT; row++) {
        const char *value = rows[row].environment == NULL ? NULL : getenv(rows[row].environment);
        if (value == NULL || *value == '\0') {
            continue;
        }
        // weftd also reads WEFT_WORLD, as a list NAME[=SCENE],…: its first name counts.
        char first[SETTINGS_WORLD_MAX + 1];
        if (rows[row].take == take_world) {
            snprintf(first, sizeof first, "%.*s", (int)strcspn(value, "=,"), value);
            value = first;
        }
        struct fault inner;
        if (rows[row].take(settings, value, &inner) != RESULT_OK) {
            return fault_set(fault, RESULT_INVALID, "", "in the environment variable %s: %.250s", rows[row].environment,
                             inner.message);
        }
    }
    return RESULT_OK;
}

static const struct option_row *find_row(const char *name, size_t length) {
    for (size_t row = 0; row < ROW_COUNT; row++) {
        if (strlen(rows[row].name) == length && memcmp(rows[row].name, name, length) == 0) {
            return &rows[row];
        }
    }
    return NULL;
}

static enum result refuse_unknown(const char *argument, const char *name, size_t length, struct fault *fault) {
    struct proto_suggestion nearest = {NULL, 0};
    char wanted[PROTO_SUGGEST_LENGTH_MAX + 2]; // a name that is cut here is too long to be similar anyway
    snprintf(wanted, sizeof wanted, "%.*s", (int)length, name);
    for (size_t row = 0; row < ROW_COUNT; row++) {
        proto_suggest(&nearest, wanted, rows[row].name);
    }
    if (nearest.name == NULL) {
        return fault_set(fault, RESULT_INVALID, "", "unknown option %s; see weftctl --help", argument);
    }
    return fault_set(fault, RESULT_INVALID, "", "unknown option %s; did you mean --%s?", argument, nearest.name);
}

// Reads the option at arguments[at]; its value may be the next argument. `*used` is the number of arguments it took.
static enum result read_option(struct settings *settings, int count, char **arguments, int at, int *used,
                               struct fault *fault) {
    const char *argument = arguments[at];
    if (strcmp(argument, "-h") == 0) {
        argument = "--help";
    }
    const char *name = argument + (argument[1] == '-' ? 2 : 1);
    size_t length = strcspn(name, "=");
    const struct option_row *row = argument[1] == '-' ? find_row(name, length) : NULL;
    if (row == NULL) {
        return refuse_unknown(argument, name, length, fault);
    }
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    *used = 1;
    if (row->value == NULL && value != NULL) {
        return fault_set(fault, RESULT_INVALID, "", "option --%s takes no value", row->name);
    }
    if (row->value != NULL && value == NULL) {
        if (at + 1 == count) {
            return fault_set(fault, RESULT_INVALID, "", "option --%s needs a value: --%s %s", row->name, row->name,
                             row->value);
        }
        value = arguments[at + 1];
        *used = 2;
    }
    settings->given |= 1u << (unsigned)(row - rows);
    return row->take(settings, value, fault);
}

enum result settings_read_arguments(struct settings *settings, int *count, char **arguments, struct fault *fault) {
    int kept = 0;
    bool open = true; // until a "--"
    for (int at = 0; at < *count;) {
        char *argument = arguments[at];
        if (open && strcmp(argument, "--") == 0) {
            open = false;
            at++;
        } else if (open && argument[0] == '-' && argument[1] != '\0') {
            int used = 0;
            enum result result = read_option(settings, *count, arguments, at, &used, fault);
            if (result != RESULT_OK) {
                return result;
            }
            at += used;
        } else {
            arguments[kept++] = argument;
            at++;
        }
    }
    *count = kept;
    return RESULT_OK;
}

enum result settings_check_takers(const struct settings *settings, const char *command, unsigned takers,
                                  struct fault *fault) {
    for (size_t row = 0; row < ROW_COUNT; row++) {
        if ((settings->given >> row & 1u) != 0 && (rows[row].takers & (takers | SETTINGS_ALL)) == 0) {
            return fault_set(fault, RESULT_INVALID, "", "%s takes no --%s; see weftctl help %s", command,
                             rows[row].name, command);
        }
    }
    return RESULT_OK;
}

void settings_write_help(FILE *out, unsigned takers) {
    for (size_t row = 0; row < ROW_COUNT; row++) {
        if ((rows[row].takers & takers) == 0) {
            continue;
        }
        char option[32];
        snprintf(option, sizeof option, "--%s %s", rows[row].name, rows[row].value == NULL ? "" : rows[row].value);
        fprintf(out, "  %-18s %s%s%s%s\n", option, rows[row].help, rows[row].environment == NULL ? "" : " [",
                rows[row].environment == NULL ? "" : rows[row].environment, rows[row].environment == NULL ? "" : "]");
    }
}

enum result settings_set_url(struct settings *settings, const char *url, struct fault *fault) {
    return take_url(settings, url, fault);
}
