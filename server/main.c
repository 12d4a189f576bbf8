// SPDX-License-Identifier: MIT
// weftd: reads the options, runs the server until SIGINT or SIGTERM, and says how it ended.
//
// Exit status: 0 after a signal, 1 when something failed on the way, 2 when what was asked for cannot be: a bad option,
// a missing folder or scene, a taken port.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/invite.h"

static struct app *running_app; // for the signal handler

static void on_signal(int signal_number) {
    (void)signal_number;
    app_stop(running_app);
}

static void install_signal_handlers(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

// An address that a browser on this machine opens.
static void print_ready(const struct config *config, uint16_t port) {
    const char *host = config->host;
    if (strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0) {
        host = "localhost";
    }
    const char *bracket = strchr(host, ':') != NULL ? "[" : "";
    printf("weftd is ready: open http://%s%s%s:%u/ in a browser (Ctrl-C ends it)\n", bracket, host,
           bracket[0] != '\0' ? "]" : "", port);
    fflush(stdout);
    app_invite_print(stdout, config->host, port, config->worlds[0].name);
    fflush(stdout);
}

int main(int argc, char **argv) {
    static struct config config;
    struct fault fault;
    if (config_read(argc, argv, &config, &fault) != RESULT_OK) {
        fprintf(stderr, "weftd: %s\n", fault.message);
        return 2;
    }
    if (config.action == CONFIG_HELP) {
        config_print_help();
        return 0;
    }
    if (config.action == CONFIG_VERSION) {
        puts("weftd " WEFT_VERSION);
        return 0;
    }
    log_set_level(config.log_level);
    enum result result = app_create(&config, &running_app, &fault);
    if (result != RESULT_OK) {
        fprintf(stderr, "weftd: %s\n", fault.message);
        return result == RESULT_MEMORY ? 1 : 2;
    }
    install_signal_handlers();
    print_ready(&config, app_port(running_app));
    app_run(running_app);
    app_destroy(running_app);
    return 0;
}
