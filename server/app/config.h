// SPDX-License-Identifier: MIT
// What weftd was told at start-up: the command line, then the environment, then defaults.
#ifndef WEFT_APP_CONFIG_H
#define WEFT_APP_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/result.h"

#define CONFIG_WORLDS_MAX 64
#define CONFIG_WORLD_NAME_MAX 64
#define CONFIG_SCENE_NAME_MAX 64
#define CONFIG_PATH_MAX 1024
#define CONFIG_THREADS_MAX 8

struct config_world {
    char name[CONFIG_WORLD_NAME_MAX + 1];
    char scene[CONFIG_SCENE_NAME_MAX + 1];
};

enum config_action { CONFIG_RUN, CONFIG_HELP, CONFIG_VERSION };

struct config {
    enum config_action action;
    char host[256];
    uint16_t port; // 0: a free one
    float tick_hz;
    char web[CONFIG_PATH_MAX];    // folder of the page
    char scenes[CONFIG_PATH_MAX]; // folder of the scenes
    bool paused;
    enum log_level log_level;
    uint32_t threads; // that a tick may use
    uint32_t max_particles, max_sticks, max_objects, max_clients;
    uint32_t stall_seconds; // a client that takes nothing for so long is closed
    struct config_world worlds[CONFIG_WORLDS_MAX];
    uint32_t world_count; // at least 1 after config_read
};

// Reads the arguments and WEFT_… variables; an argument beats its variable. Errors: RESULT_INVALID with one sentence
// that names the option, what it got and what is allowed.
enum result config_read(int argc, char *const *argv, struct config *config, struct fault *fault) WEFT_MUST_USE;
void config_print_help(void);

#endif
