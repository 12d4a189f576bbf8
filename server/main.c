// SPDX-License-Identifier: MIT
// weftd: reads the options, runs the server until SIGINT or SIGTERM, and says how it ended.
//
// Exit status: 0 after a signal, 1 when something failed on the way or had to be cut off at the end, 2 when what was
// asked for cannot be: a bad option, a missing folder or scene, a taken port.
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"
#include "host/app.h"
#include "host/connection/invite.h"

#define END_NS 4800000000 // after the signal, whatever hangs: who sent it waits for 5 s

static _Atomic(struct app *) running_app; // for the signal handlers, as the next one; NULL until it is ready
static timer_t end_timer;

static void on_signal(int signal_number) {
    const struct itimerspec once = {.it_value = {END_NS / 1000000000, END_NS % 1000000000}};
    struct itimerspec now;
    (void)signal_number;
    struct app *app = atomic_load(&running_app);
    if (app == NULL) { // it is bringing worlds back: what it has written by then is whole
        static const char text[] = "weftd: ended before it was ready\n";
        ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
        (void)ignored;
        _exit(0);
    }
    if (timer_gettime(end_timer, &now) == 0 && now.it_value.tv_sec == 0 && now.it_value.tv_nsec == 0) {
        (void)timer_settime(end_timer, 0, &once, NULL); // the first signal counts
    }
    app_stop(app, signal_number == SIGINT ? "SIGINT" : "SIGTERM");
}

// Answered commands are stored by now: what is lost is a tick, or who was still to be told good-bye.
static void on_end(int signal_number) {
    static const char text[] = "weftd: a world did not end its tick, or the store its write, in time: cut off\n";
    (void)signal_number;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    _exit(1);
}

static void install_signal_handlers(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = on_end;
    sigaction(SIGALRM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file that may grow no more is a full disk, and told as one
}

// An address that a browser on this machine opens.
static void print_ready(const struct config *config, uint16_t port) {
    const char *host = config->host;
    if (strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0) {
        host = "localhost";
    }
    const char *bracket = strchr(host, ':') != NULL ? "[" : "";
    const bool tls = config->tls_cert[0] != '\0';
    printf("weftd is ready: open %s://%s%s%s:%u/ in a browser (Ctrl-C ends it)\n", tls ? "https" : "http", bracket,
           host, bracket[0] != '\0' ? "]" : "", port);
    fflush(stdout);
    app_invite_print(stdout, config->host, port, config->worlds[0].name, tls);
    fflush(stdout);
}

// A server that runs for weeks: what one large message or snapshot has taken goes back to the system, and threads share
// what they leave free instead of each keeping its own.
static void settle_allocator(void) {
#if defined(__GLIBC__)
    (void)mallopt(M_ARENA_MAX, 2);
    (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024); // fixed: by itself it grows to 32 MB
    (void)mallopt(M_TRIM_THRESHOLD, 256 * 1024);
#endif
}

// Whether another start may succeed with the same options: a database may become available, a wrong option stays wrong.
static bool is_temporary(const struct config *config, enum result result, const struct fault *fault) {
    const bool database =
        config->store[0] != '\0' && (fault->pointer[0] == '\0' || strcmp(fault->pointer, "/store") == 0);
    return result == RESULT_MEMORY || (result == RESULT_IO && database);
}

int main(int argc, char **argv) {
    static struct config config;
    struct fault fault;
    settle_allocator();
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
    log_set_format(config.log_format);
    enum result result = log_start();
    if (result != RESULT_OK) {
        fputs("weftd: no thread for the log: memory is out\n", stderr);
        return 1;
    }
    char sentence[CONFIG_VARIABLE_TEXT_MAX];
    for (size_t at = 0; config_next_unknown_variable(&at, sentence);) {
        log_warn("config", "%s", sentence);
    }
    if (timer_create(CLOCK_MONOTONIC, NULL, &end_timer) != 0) {
        fputs("weftd: no timer for the end\n", stderr);
        return 1;
    }
    install_signal_handlers(); // before a history is replayed: the first process of a container ends by no other way
    struct app *app = NULL;
    result = app_create(&config, &app, &fault);
    if (result != RESULT_OK) {
        log_stop();
        fprintf(stderr, "weftd: %s\n", fault.message);
        return is_temporary(&config, result, &fault) ? 1 : 2;
    }
    atomic_store(&running_app, app);
    print_ready(&config, app_port(app));
    app_run(app);
    app_destroy(app);
    log_info("app", "ended");
    log_stop();
    (void)timer_delete(end_timer); // nothing hangs from here on
    return 0;
}
