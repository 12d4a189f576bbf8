// SPDX-License-Identifier: MIT
// The options: one row each, with its variable, its range and its default, so that help, environment and command line
// cannot disagree.
#include "host/config/config.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/result.h"
#include "host/config/config_access.h"
#include "proto/message/suggest.h"

#define DEFAULT_SCENE "default"

typedef enum result (*option_setter)(struct config *config, const char *source, const char *value, struct fault *fault);

struct option {
    const char *flag;     // without the dashes
    const char *variable; // in the environment
    const char *value;    // how help names the value; NULL for a switch
    option_setter set;    // NULL: a whole number
    const char *help;
    size_t offset; // of that number in the configuration
    uint32_t least, most, initial;
};

static enum result set_text(char *out, size_t size, const char *source, const char *value, struct fault *fault) {
    if (value[0] == '\0' || strlen(value) >= size) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be 1 to %zu characters long, got %zu", source, size - 1,
                         strlen(value));
    }
    snprintf(out, size, "%s", value);
    return RESULT_OK;
}

static enum result set_whole(uint32_t *out, uint32_t least, uint32_t most, const char *source, const char *value,
                             struct fault *fault) {
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || number < least || number > most) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be a whole number from %u to %u, got \"%.80s\"", source,
                         least, most, value);
    }
    *out = (uint32_t)number;
    return RESULT_OK;
}

static enum result set_host(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_text(config->host, sizeof config->host, source, value, fault);
}

static enum result set_port(struct config *config, const char *source, const char *value, struct fault *fault) {
    uint32_t port = 0;
    enum result result = set_whole(&port, 0, UINT16_MAX, source, value, fault);
    if (result == RESULT_OK) {
        config->port = (uint16_t)port;
    }
    return result;
}

static enum result set_tick_hz(struct config *config, const char *source, const char *value, struct fault *fault) {
    char *end = NULL;
    double hz = strtod(value, &end);
    if (end == value || *end != '\0' || !(hz >= 1.0 && hz <= 1000.0)) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be a number from 1 to 1000, got \"%.80s\"", source, value);
    }
    config->tick_hz = (float)hz;
    return RESULT_OK;
}

static enum result set_web(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_text(config->web, sizeof config->web, source, value, fault);
}

static enum result set_scenes(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_text(config->scenes, sizeof config->scenes, source, value, fault);
}

static enum result set_data(struct config *config, const char *source, const char *value, struct fault *fault) {
    return set_text(config->data, sizeof config->data, source, value, fault);
}

static enum result set_store(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (strncmp(value, "postgres://", 11) != 0 && strncmp(value, "postgresql://", 13) != 0) {
        // Not the value, which may hold a password.
        return fault_set(fault, RESULT_INVALID, "",
                         "%s must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, where only postgres:// is "
                         "required; --data DIR keeps worlds in a folder",
                         source);
    }
    return set_text(config->store, sizeof config->store, source, value, fault);
}

static enum result set_durability(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (store_durability_parse(value, &config->durability, NULL) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be full, normal or off, got \"%.80s\"", source, value);
    }
    return RESULT_OK;
}

static enum result set_history(struct config *config, const char *source, const char *value, struct fault *fault) {
    struct fault found;
    if (store_budget_parse(value, &config->history, &found) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, "", "%s: %s", source, found.message);
    }
    return RESULT_OK;
}

static enum result set_paused(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (strcmp(value, "1") != 0 && strcmp(value, "0") != 0) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be 0 or 1, got \"%.80s\"", source, value);
    }
    config->paused = value[0] == '1';
    return RESULT_OK;
}

static enum result set_log_level(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (log_level_parse(value, &config->log_level) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be error, warn, info or debug, got \"%.80s\"", source,
                         value);
    }
    return RESULT_OK;
}

static enum result set_log_format(struct config *config, const char *source, const char *value, struct fault *fault) {
    if (log_format_parse(value, &config->log_format) != RESULT_OK) {
        return fault_set(fault, RESULT_INVALID, "", "%s must be text or json, got \"%.80s\"", source, value);
    }
    return RESULT_OK;
}

static enum result set_audit(struct config *config, const char *source, const char *value, struct fault *fault) {
    static const char *const names[CONFIG_AUDIT_COUNT] = {
        [CONFIG_AUDIT_OFF] = "off",
        [CONFIG_AUDIT_ADMIN] = "admin",
        [CONFIG_AUDIT_CHANGE] = "change",
        [CONFIG_AUDIT_ALL] = "all",
    };
    for (enum config_audit audit = CONFIG_AUDIT_OFF; audit < CONFIG_AUDIT_COUNT; audit++) {
        if (strcmp(value, names[audit]) == 0) {
            config->audit = audit;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_INVALID, "", "%s must be off, admin, change or all, got \"%.80s\"", source, value);
}

static enum result set_rate(struct config *config, const char *source, const char *value, struct fault *fault) {
    enum result result = set_whole(&config->rate, 0, 1000000, source, value, fault);
    config->rate_given = result == RESULT_OK || config->rate_given;
    return result;
}

// A name is used in addresses and file names: letters, digits, hyphen, underscore.
static bool is_name(const char *text, size_t length) {
    if (length == 0 || length > CONFIG_WORLD_NAME_MAX) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (!isalnum((unsigned char)text[i]) && text[i] != '-' && text[i] != '_') {
            return false;
        }
    }
    return true;
}

static enum result add_world(struct config *config, const char *source, const char *text, size_t length,
                             struct fault *fault) {
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals != NULL ? (size_t)(equals - text) : length;
    const char *scene = equals != NULL ? equals + 1 : DEFAULT_SCENE;
    size_t scene_length = equals != NULL ? length - name_length - 1 : strlen(DEFAULT_SCENE);
    if (!is_name(text, name_length) || !is_name(scene, scene_length)) {
        return fault_set(fault, RESULT_INVALID, "",
                         "%s must be NAME or NAME=SCENE, each 1 to %d letters, digits, '-' or '_', got \"%.*s\"",
                         source, CONFIG_WORLD_NAME_MAX, (int)(length < 80 ? length : 80), text);
    }
    if (config->world_count == CONFIG_WORLDS_MAX) {
        return fault_set(fault, RESULT_INVALID, "", "%s: at most %d worlds are allowed", source, CONFIG_WORLDS_MAX);
    }
    for (uint32_t i = 0; i < config->world_count; i++) {
        if (strlen(config->worlds[i].name) == name_length && memcmp(config->worlds[i].name, text, name_length) == 0) {
            return fault_set(fault, RESULT_INVALID, "", "%s names the world \"%s\" twice: give each world its own name",
                             source, config->worlds[i].name);
        }
    }
    struct config_world *world = &config->worlds[config->world_count++];
    snprintf(world->name, sizeof world->name, "%.*s", (int)name_length, text);
    snprintf(world->scene, sizeof world->scene, "%.*s", (int)scene_length, scene);
    return RESULT_OK;
}

// A list separated by commas in the variable; one world a flag on the command line, where commas work as well.
static enum result set_world(struct config *config, const char *source, const char *value, struct fault *fault) {
    for (const char *start = value;; start++) {
        size_t length = strcspn(start, ",");
        enum result result = add_world(config, source, start, length, fault);
        if (result != RESULT_OK || start[length] == '\0') {
            return result;
        }
        start += length;
    }
}

#define OPTION(flag, variable, value, set, help)                                                                       \
    { flag, variable, value, set, help, 0, 0, 0, 0 }
#define WHOLE(flag, variable, value, member, least, most, initial, help)                                               \
    { flag, variable, value, NULL, help, offsetof(struct config, member), least, most, initial }

static const struct option options[] = {
    OPTION("host", "WEFT_HOST", "ADDRESS", set_host, "address to listen on (127.0.0.1; 0.0.0.0 for the local network)"),
    OPTION("port", "WEFT_PORT", "N", set_port, "port to listen on, 0 for a free one (8080)"),
    OPTION("world", "WEFT_WORLD", "NAME[=SCENE]", set_world,
           "a world and its scene; several separated by commas, or the option repeated (main=default)"),
    OPTION("tick-hz", "WEFT_TICK_HZ", "HZ", set_tick_hz, "ticks per second, 1 to 1000 (60)"),
    OPTION("web", "WEFT_WEB", "DIR", set_web, "folder of the page"),
    OPTION("scenes", "WEFT_SCENES", "DIR", set_scenes, "folder of the scenes"),
    OPTION("data", "WEFT_DATA", "DIR", set_data,
           "folder that keeps the worlds and their history (:memory: keeps nothing)"),
    OPTION("store", "WEFT_STORE", "ADDRESS", set_store,
           "postgres://…: a PostgreSQL database that keeps the worlds, in place of --data (none)"),
    OPTION("node-url", "WEFT_NODE_URL", "URL", config_set_node_url,
           "this server is a node, which clients reach at http://… or https://…; nodes share the database of --store"),
    OPTION("durability", "WEFT_DURABILITY", "HOW", set_durability,
           "an answer waits until it is on the disk, or as safe as PostgreSQL's synchronous_commit says: full; or only "
           "written: normal, off (full)"),
    OPTION("history", "WEFT_HISTORY", "AMOUNT", set_history,
           "history that is kept: 1h, 1GB (of the database), both separated by a comma (1h,1GB) or unlimited (1GB)"),
    OPTION("paused", "WEFT_PAUSED", NULL, set_paused, "start with every world paused"),
    OPTION("log-level", "WEFT_LOG_LEVEL", "LEVEL", set_log_level, "error, warn, info or debug (info)"),
    OPTION("tokens", "WEFT_TOKENS", "FILE", config_set_tokens,
           "tokens of those who may connect: see weftctl help token (everyone on this machine)"),
    OPTION("guests", "WEFT_GUESTS", "ROLE", config_set_guests,
           "what a page without a token is: none, viewer, editor, admin (none; without --tokens editor)"),
    OPTION("editors-import", "WEFT_EDITORS_IMPORT", NULL, config_set_editors_import,
           "editors may import worlds, up to --own-worlds (only admins may)"),
    OPTION("origin", "WEFT_ORIGIN", "ORIGIN", config_set_origin,
           "whose pages may connect, such as https://weft.example; several separated by commas, or the option repeated "
           "(this "
           "server's own)"),
    OPTION("frame-ancestors", "WEFT_FRAME_ANCESTORS", "ORIGIN", config_set_frame_ancestors,
           "whose pages may show this one in a frame: self, none, https://school.example; several separated by commas, "
           "or the option repeated (none)"),
    OPTION(
        "allow-host", "WEFT_ALLOW_HOST", "NAME", config_set_allow_host,
        "another name of this server; several separated by commas, or the option repeated (localhost, HOST, those of "
        "--origin)"),
    OPTION("tls-cert", "WEFT_TLS_CERT", "FILE", config_set_tls_cert, "certificate chain in PEM, for https and wss"),
    OPTION("tls-key", "WEFT_TLS_KEY", "FILE", config_set_tls_key, "its key in PEM"),
    OPTION("insecure-public", "WEFT_INSECURE_PUBLIC", NULL, config_set_insecure,
           "serve other machines without tokens or without TLS"),
    OPTION("max-per-address", "WEFT_MAX_PER_ADDRESS", "N", config_set_per_address,
           "connections from one address, 0: no limit (64; from this machine no limit)"),
    OPTION("log-format", "WEFT_LOG_FORMAT", "FORMAT", set_log_format, "text or json (text)"),
    OPTION("audit", "WEFT_AUDIT", "WHAT", set_audit, "requests that are logged: off, admin, change or all (admin)"),
    OPTION("rate", "WEFT_RATE", "N", set_rate,
           "units per second each client may use, 0: no limit (1000; on loopback none)"),
    WHOLE("handshake-timeout", "WEFT_HANDSHAKE_TIMEOUT", "S", handshake_seconds, 1, 600, 10,
          "seconds that a request may take to arrive (10)"),
    WHOLE("idle-timeout", "WEFT_IDLE_TIMEOUT", "S", idle_seconds, 3, 3600, 60,
          "seconds until a client that answers no pings is closed (60)"),
    WHOLE("threads", "WEFT_THREADS", "N", threads, 1, CONFIG_THREADS_MAX, 1,
          "threads that a tick may use, 1 to 8 (as many as cores)"),
    WHOLE("max-particles", "WEFT_MAX_PARTICLES", "N", max_particles, 1, 10000000, 1000000,
          "particles a world can hold (1000000)"),
    WHOLE("max-sticks", "WEFT_MAX_STICKS", "N", max_sticks, 1, 80000000, 8000000, "sticks a world can hold (8000000)"),
    WHOLE("max-objects", "WEFT_MAX_OBJECTS", "N", max_objects, 1, 1000000, 100000, "objects a world can hold (100000)"),
    WHOLE("max-obstacles", "WEFT_MAX_OBSTACLES", "N", max_obstacles, 1, 100000, 1024,
          "obstacles a world can hold (1024)"),
    WHOLE("max-worlds", "WEFT_MAX_WORLDS", "N", max_worlds, 1, CONFIG_WORLDS_MAX, CONFIG_WORLDS_DEFAULT,
          "worlds at most, up to 1024 (64)"),
    WHOLE("own-particles", "WEFT_OWN_PARTICLES", "N", own_particles, 1, 10000000, 10000000,
          "particles one client may have in a world (no limit)"),
    WHOLE("own-sticks", "WEFT_OWN_STICKS", "N", own_sticks, 1, 80000000, 80000000,
          "sticks one client may have in a world (no limit)"),
    WHOLE("own-objects", "WEFT_OWN_OBJECTS", "N", own_objects, 1, 1000000, 1000000,
          "objects one client may have in a world (no limit)"),
    WHOLE("own-obstacles", "WEFT_OWN_OBSTACLES", "N", own_obstacles, 1, 100000, 100000,
          "obstacles one client may have in a world (no limit)"),
    WHOLE("own-worlds", "WEFT_OWN_WORLDS", "N", own_worlds, 1, CONFIG_WORLDS_MAX, CONFIG_WORLDS_MAX,
          "worlds one client may create (no limit)"),
    WHOLE("slow-percent", "WEFT_SLOW_PERCENT", "N", slow_percent, 0, 100, 50,
          "a world slower than this for 5 s accepts nothing new, 0: no limit (50)"),
    WHOLE("max-clients", "WEFT_MAX_CLIENTS", "N", max_clients, 1, 60000, 4096, "connections in all (4096)"),
    WHOLE("stall-timeout", "WEFT_STALL_TIMEOUT", "S", stall_seconds, 1, 3600, 10,
          "seconds until a client that reads nothing is closed (10)"),
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

void config_print_help(void) {
    puts("weftd: a shared Verlet world that opens in a browser and is driven by scripts\n\n"
         "usage: weftd [options]\n\noptions, each also as the variable beside it:");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", options[i].flag, options[i].value != NULL ? options[i].value : "");
        printf("  %-22s  %-19s %s\n", left, options[i].variable, options[i].help);
    }
    puts("  --help                                      this text\n"
         "  --version                                   the version\n\n"
         "examples:\n"
         "  weftd                                 one world, main, with the default scene\n"
         "  weftd --port 0 --world lab=empty      an empty laboratory on a free port\n"
         "  weftd --world a=cloth --world b=rope  two worlds: /?world=a and /?world=b");
}

static const struct option *find_option(const char *name, size_t length) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options[i].flag) == length && memcmp(options[i].flag, name, length) == 0) {
            return &options[i];
        }
    }
    return NULL;
}

static enum result set_option(struct config *config, const struct option *option, const char *source, const char *value,
                              struct fault *fault) {
    if (option->set != NULL) {
        return option->set(config, source, value, fault);
    }
    return set_whole((uint32_t *)(void *)((char *)config + option->offset), option->least, option->most, source, value,
                     fault);
}

static enum result read_environment(struct config *config, struct fault *fault) {
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *value = getenv(options[i].variable);
        if (value == NULL || value[0] == '\0') {
            continue;
        }
        enum result result = set_option(config, &options[i], options[i].variable, value, fault);
        if (result != RESULT_OK) {
            return result;
        }
    }
    return RESULT_OK;
}

// Those that weftctl alone reads.
static const char *const other_variables[] = {"WEFT_URL", "WEFT_TOKEN", "WEFT_TIMEOUT"};
#define OTHER_COUNT (sizeof other_variables / sizeof other_variables[0])

static const char *variable_at(size_t index) {
    return index < OPTION_COUNT ? options[index].variable : other_variables[index - OPTION_COUNT];
}

static bool is_variable(const char *name, size_t length) {
    for (size_t i = 0; i < OPTION_COUNT + OTHER_COUNT; i++) {
        if (strlen(variable_at(i)) == length && memcmp(variable_at(i), name, length) == 0) {
            return true;
        }
    }
    return false;
}

bool config_next_unknown_variable(size_t *at, char sentence[CONFIG_VARIABLE_TEXT_MAX]) {
    for (; environ[*at] != NULL; (*at)++) {
        const size_t length = strcspn(environ[*at], "=");
        if (strncmp(environ[*at], "WEFT_", 5) != 0 || is_variable(environ[*at], length)) {
            continue;
        }
        char name[64];
        struct proto_suggestion best = {0};
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), environ[*at]);
        for (size_t i = 0; i < OPTION_COUNT + OTHER_COUNT; i++) {
            proto_suggest(&best, name, variable_at(i));
        }
        if (best.name != NULL) {
            snprintf(sentence, CONFIG_VARIABLE_TEXT_MAX,
                     "the variable %s is not known and has no effect; did you mean %s?", name, best.name);
        } else {
            snprintf(sentence, CONFIG_VARIABLE_TEXT_MAX,
                     "the variable %s is not known and has no effect; weftd --help lists those that are", name);
        }
        (*at)++;
        return true;
    }
    return false;
}

// What the command line lists replaces what the variable does.
static void forget_list(struct config *config, option_setter set) {
    if (set == set_world) {
        config->world_count = 0;
    } else if (set == config_set_origin) {
        config->origin_count = 0;
    } else if (set == config_set_allow_host) {
        config->host_count = 0;
    } else if (set == config_set_frame_ancestors) {
        config->frame_ancestors[0] = '\0';
    }
}

// "--flag value" or "--flag=value"; advances `index` past a value of its own.
static enum result read_argument(int argc, char *const *argv, int *index, struct config *config,
                                 bool given[OPTION_COUNT], struct fault *fault) {
    const char *argument = argv[*index];
    if (strncmp(argument, "--", 2) != 0) {
        return fault_set(fault, RESULT_INVALID, "", "\"%.80s\" is not an option: try weftd --help", argument);
    }
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    const struct option *option = find_option(name, length);
    if (option == NULL) {
        return fault_set(fault, RESULT_INVALID, "", "there is no option --%.*s: try weftd --help",
                         (int)(length < 80 ? length : 80), name);
    }
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (option->value == NULL) {
        if (value != NULL) {
            return fault_set(fault, RESULT_INVALID, "", "--%s takes no value, got \"%.80s\"", option->flag, value);
        }
        value = "1";
    } else if (value == NULL) {
        if (*index + 1 >= argc) {
            return fault_set(fault, RESULT_INVALID, "", "--%s needs a value: --%s %s", option->flag, option->flag,
                             option->value);
        }
        value = argv[++*index];
    }
    if (!given[option - options]) {
        given[option - options] = true;
        forget_list(config, option->set);
    }
    char source[64];
    snprintf(source, sizeof source, "--%s", option->flag);
    return set_option(config, option, source, value, fault);
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

// Beside the executable: ../web and ../server/scenes in a checkout, ../share/weft/… where it was installed; else below
// the current folder.
static void find_folder(char *out, size_t size, const char *checkout, const char *installed) {
    char executable[CONFIG_PATH_MAX / 2];
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length <= 0) {
        snprintf(out, size, "%s", checkout);
        return;
    }
    executable[length] = '\0';
    char *slash = strrchr(executable, '/');
    *slash = '\0';
    const char *const prefixes[] = {"..", "../..", "../../.."};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        snprintf(out, size, "%s/%s/%s", executable, prefixes[i], checkout);
        if (is_folder(out)) {
            return;
        }
    }
    snprintf(out, size, "%s/../share/weft/%s", executable, installed);
    if (!is_folder(out)) {
        snprintf(out, size, "%s", checkout);
    }
}

static enum result check_folder(const char *flag, const char *path, struct fault *fault) {
    struct stat status;
    const bool found = stat(path, &status) == 0;
    if (found && S_ISDIR(status.st_mode) && access(path, R_OK | X_OK) == 0) {
        return RESULT_OK;
    }
    const char *why = found && !S_ISDIR(status.st_mode) ? strerror(ENOTDIR) : strerror(errno);
    return fault_set(fault, RESULT_INVALID, "", "the folder \"%.200s\" cannot be read: %s: name another with --%s DIR",
                     path, why, flag);
}

static uint32_t default_threads(void) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > CONFIG_THREADS_MAX ? CONFIG_THREADS_MAX : (uint32_t)cores;
}

enum result config_read(int argc, char *const *argv, struct config *config, struct fault *fault) {
    memset(config, 0, sizeof *config);
    snprintf(config->host, sizeof config->host, "127.0.0.1");
    config->port = 8080;
    config->tick_hz = 60.0f;
    config->log_level = LOG_LEVEL_INFO;
    config->audit = CONFIG_AUDIT_ADMIN;
    config->rate = CONFIG_RATE_DEFAULT;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (options[i].set == NULL) {
            memcpy((char *)config + options[i].offset, &options[i].initial, sizeof options[i].initial);
        }
    }
    config->threads = default_threads();
    snprintf(config->data, sizeof config->data, CONFIG_DATA_NONE);
    config->durability = STORE_FULL;
    config->history = (struct store_budget){.bytes = 1000000000u};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            config->action = CONFIG_HELP;
            return RESULT_OK;
        }
        if (strcmp(argv[i], "--version") == 0) {
            config->action = CONFIG_VERSION;
            return RESULT_OK;
        }
    }
    enum result result = read_environment(config, fault);
    bool given[OPTION_COUNT] = {false};
    for (int i = 1; result == RESULT_OK && i < argc; i++) {
        result = read_argument(argc, argv, &i, config, given, fault);
    }
    if (result == RESULT_OK && config->world_count == 0) {
        result = add_world(config, "the default world", "main", 4, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    if (config->web[0] == '\0') {
        find_folder(config->web, sizeof config->web, "web", "web");
    }
    if (config->scenes[0] == '\0') {
        find_folder(config->scenes, sizeof config->scenes, "server/scenes", "scenes");
    }
    result = check_folder("web", config->web, fault);
    result = result == RESULT_OK ? check_folder("scenes", config->scenes, fault) : result;
    return result == RESULT_OK ? config_finish_access(config, fault) : result;
}
