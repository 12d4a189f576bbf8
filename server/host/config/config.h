// SPDX-License-Identifier: MIT
// What weftd was told at start-up: the command line, then the environment, then defaults.
#ifndef WEFT_HOST_CONFIG_CONFIG_H
#define WEFT_HOST_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/result.h"
#include "proto/gen/methods.h"
#include "store/store.h"

#define CONFIG_ORIGINS_MAX 16
#define CONFIG_HOSTS_MAX 32                                          // that --allow-host may name
#define CONFIG_HOSTS_ALL (CONFIG_HOSTS_MAX + CONFIG_ORIGINS_MAX + 5) // with the hosts of origins and the server's own
#define CONFIG_ORIGIN_MAX 262
#define CONFIG_FRAME_ANCESTORS_MAX 1024
#define CONFIG_WORLDS_MAX 1024
#define CONFIG_WORLDS_DEFAULT 64
#define CONFIG_WORLD_NAME_MAX 64
#define CONFIG_SCENE_NAME_MAX 64
#define CONFIG_PATH_MAX 1024
#define CONFIG_THREADS_MAX 8
#define CONFIG_DATA_NONE ":memory:" // as the folder of the data: nothing is kept
#define CONFIG_RATE_DEFAULT 1000u

struct config_world {
    char name[CONFIG_WORLD_NAME_MAX + 1];
    char scene[CONFIG_SCENE_NAME_MAX + 1];
};

enum config_action { CONFIG_RUN, CONFIG_HELP, CONFIG_VERSION };

// Whose calls the log tells: calls of methods for administrators, of those that change something too, of all. What was
// refused to a role is told with all but OFF.
enum config_audit { CONFIG_AUDIT_OFF, CONFIG_AUDIT_ADMIN, CONFIG_AUDIT_CHANGE, CONFIG_AUDIT_ALL, CONFIG_AUDIT_COUNT };

struct config {
    enum config_action action;
    char host[256];
    uint16_t port; // 0: a free one
    float tick_hz;
    char web[CONFIG_PATH_MAX];        // folder of the page
    char scenes[CONFIG_PATH_MAX];     // folder of the scenes
    char store[CONFIG_PATH_MAX];      // address of a PostgreSQL database; empty: none, and `data` is used
    char data[CONFIG_PATH_MAX];       // folder of the SQLite database, or CONFIG_DATA_NONE
    char node_url[STORE_URL_MAX + 1]; // address of this node for clients; empty: this server is no node
    enum store_durability durability;
    struct store_budget history; // how much of it is kept
    bool paused;
    enum log_level log_level;
    uint32_t threads; // that a tick may use
    enum log_format log_format;
    enum config_audit audit;
    uint32_t rate;   // units a second of a client's budget, 0: no limit (rate_limit.h)
    bool rate_given; // then it holds for clients of this machine too
    uint32_t max_particles, max_sticks, max_objects, max_obstacles; // of a world
    uint32_t max_worlds, max_clients;
    uint32_t own_particles, own_sticks, own_objects, own_obstacles, own_worlds; // of one client
    uint32_t slow_percent;  // of real time, below which a world takes nothing new; 0: never
    uint32_t stall_seconds; // a client that takes nothing for so long is closed
    // Who may come in (config_access.c).
    char tokens[CONFIG_PATH_MAX];                             // the file, "" for none
    char tls_cert[CONFIG_PATH_MAX], tls_key[CONFIG_PATH_MAX]; // "" for none
    bool insecure_public;                                     // others may reach it without tokens or without TLS
    enum proto_role guests;                                   // who shows no token
    bool guests_given;
    bool editors_import; // world.import takes the role editor, not admin
    uint32_t handshake_seconds, idle_seconds;
    uint32_t per_address;   // connections from one address, 0: any number
    bool per_address_given; // then it holds on this machine too
    char origin_texts[CONFIG_ORIGINS_MAX][CONFIG_ORIGIN_MAX], host_texts[CONFIG_HOSTS_ALL][CONFIG_ORIGIN_MAX];
    const char *origins[CONFIG_ORIGINS_MAX], *hosts[CONFIG_HOSTS_ALL];
    uint32_t origin_count, host_count;
    char frame_ancestors[CONFIG_FRAME_ANCESTORS_MAX]; // whose pages may show this one in a frame, as the policy has it
    struct config_world worlds[CONFIG_WORLDS_MAX];
    uint32_t world_count; // at least 1 after config_read
};

// Reads the arguments and WEFT_… variables; an argument beats its variable. Errors: RESULT_INVALID with one sentence
// that names the option, what it got and what is allowed.
enum result config_read(int argc, char *const *argv, struct config *config, struct fault *fault) WEFT_MUST_USE;
// Finds the next variable of the environment that begins with WEFT_ and is read by neither weftd nor weftctl, and
// writes a sentence about it that names the variable which may have been meant. `at` begins as 0. False: there are no
// more.
#define CONFIG_VARIABLE_TEXT_MAX 192
bool config_next_unknown_variable(size_t *at, char sentence[CONFIG_VARIABLE_TEXT_MAX]);
void config_print_help(void);

#endif
