// SPDX-License-Identifier: MIT
// A tiny application on the network layer, for its tests: `net_echo WEB_ROOT` listens on a free port of 127.0.0.1,
// prints "listening on PORT" and obeys its clients, whose text messages are commands:
//
//   echo TEXT                    TEXT comes back
//   join CHANNEL EVERY TAGS, leave CHANNEL
//   publish CHANNEL TAG TEXT     ordered broadcast; `replace` is the same with clear_state
//   states CHANNEL COUNT BYTES   COUNT state messages, posted in one go, their first 8 bytes the tick (from 0)
//   late CHANNEL BYTES MS        one of them, after which the network thread is busy for so long; its tick is MS
//   stream BYTES                 from now on a state message of BYTES to channel 1, 60 times a second; 0 ends it
//   flood COUNT BYTES            COUNT ordered messages to the sender
//   close CODE REASON            the sender is told REASON and closed
//   figures                      "figures peers=… sent=… skipped=… rss=…"
//
// Anything else is answered with "got LENGTH", a binary message with "binary LENGTH", one that is too long
// with "oversized LIMIT".
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "net/net.h"

#define STREAM_CHANNEL 1
#define STREAM_PERIOD_NS (1000000000 / 60)

static struct net_server *server;
static atomic_size_t stream_bytes;
static atomic_bool ending;

static void send_text(uint64_t peer, const char *text, size_t length) {
    struct message *message = message_from_text(text, length);
    if (message != NULL) {
        net_post_send(server, peer, message);
    }
}

static struct message *make_state(uint64_t tick, size_t bytes) {
    struct message *message = message_create(MESSAGE_BINARY, bytes < sizeof tick ? sizeof tick : bytes);
    if (message == NULL) {
        abort();
    }
    memset(message_data(message), 0x5a, message_capacity(message));
    memcpy(message_data(message), &tick, sizeof tick);
    message_set_length(message, message_capacity(message));
    return message;
}

static void *stream(void *unused) {
    (void)unused;
    struct timespec deadline;
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    for (uint64_t tick = 0; !atomic_load(&ending); tick++) {
        deadline.tv_nsec += STREAM_PERIOD_NS;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_nsec -= 1000000000;
            deadline.tv_sec++;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, NULL);
        size_t bytes = atomic_load(&stream_bytes);
        if (bytes > 0) {
            net_post_publish_state(server, STREAM_CHANNEL, tick, make_state(tick, bytes));
        }
    }
    return NULL;
}

// ---- commands ----------------------------------------------------------------------------------------------------

static unsigned long resident_bytes(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL) {
        if (fscanf(file, "%*u %lu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

static void send_figures(uint64_t peer) {
    char text[256];
    struct net_statistics figures = net_server_statistics(server);
    int length = snprintf(text, sizeof text, "figures peers=%llu sent=%llu skipped=%llu received=%llu rss=%lu",
                          (unsigned long long)figures.websockets, (unsigned long long)figures.frames_sent,
                          (unsigned long long)figures.frames_skipped, (unsigned long long)figures.messages_received,
                          resident_bytes());
    send_text(peer, text, (size_t)length);
}

static void flood(uint64_t peer, unsigned count, size_t bytes) {
    for (unsigned i = 0; i < count; i++) {
        net_post_send(server, peer, make_state(i, bytes));
    }
}

static void post_states(uint32_t channel, unsigned count, size_t bytes) {
    for (unsigned i = 0; i < count; i++) {
        net_post_publish_state(server, channel, i, make_state(i, bytes));
    }
}

static void post_late(uint32_t channel, size_t bytes, unsigned ms) {
    net_post_publish_state(server, channel, ms, make_state(ms, bytes));
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = 1000000L * (ms % 1000)}, NULL);
}

static void obey(uint64_t peer, const char *text, size_t length) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    int at = 0;
    if (strncmp(text, "echo ", 5) == 0) {
        send_text(peer, text + 5, length - 5);
    } else if (sscanf(text, "join %u %u %u", &a, &b, &c) == 3) {
        net_post_join(server, peer, a, b, c);
    } else if (sscanf(text, "leave %u", &a) == 1) {
        net_post_leave(server, peer, a);
    } else if (sscanf(text, "publish %u %u %n", &a, &b, &at) == 2 ||
               sscanf(text, "replace %u %u %n", &a, &b, &at) == 2) {
        struct message *message = message_from_text(text + at, length - (size_t)at);
        if (message != NULL) {
            net_post_publish_ordered(server, a, b, text[0] == 'r', message);
        }
    } else if (sscanf(text, "states %u %u %u", &a, &b, &c) == 3) {
        post_states(a, b, c);
    } else if (sscanf(text, "late %u %u %u", &a, &b, &c) == 3) {
        post_late(a, b, c);
    } else if (sscanf(text, "stream %u", &a) == 1) {
        atomic_store(&stream_bytes, a);
    } else if (sscanf(text, "flood %u %u", &a, &b) == 2) {
        flood(peer, a, b);
    } else if (sscanf(text, "close %u %n", &a, &at) == 1) {
        send_text(peer, text + at, length - (size_t)at);
        net_post_close(server, peer, (uint16_t)a, text + at);
    } else if (strcmp(text, "figures") == 0) {
        send_figures(peer);
    } else {
        char answer[32];
        send_text(peer, answer, (size_t)snprintf(answer, sizeof answer, "got %zu", length));
    }
}

// ---- handlers ----------------------------------------------------------------------------------------------------

static int on_admit(void *user, const char *path) {
    (void)user;
    return strcmp(path, "/worlds/main") == 0 ? 0 : strcmp(path, "/worlds/lab") == 0 ? 1 : -1;
}

static void on_opened(void *user, uint64_t peer, int admission, const char *address) {
    (void)user;
    char text[128];
    int length =
        snprintf(text, sizeof text, "hello %llu world %d from %s", (unsigned long long)peer, admission, address);
    send_text(peer, text, (size_t)length);
}

static void on_message(void *user, uint64_t peer, const char *text, size_t length) {
    (void)user;
    char *terminated = strndup(text, length);
    if (terminated == NULL) {
        abort();
    }
    obey(peer, terminated, length);
    free(terminated);
}

static void on_binary(void *user, uint64_t peer, size_t length) {
    (void)user;
    char text[64];
    send_text(peer, text, (size_t)snprintf(text, sizeof text, "binary %zu", length));
}

static void on_oversized(void *user, uint64_t peer, size_t message_max) {
    (void)user;
    char text[64];
    send_text(peer, text, (size_t)snprintf(text, sizeof text, "oversized %zu", message_max));
}

static void on_closed(void *user, uint64_t peer, bool vanished) {
    (void)vanished;
    (void)user;
    printf("closed %llu\n", (unsigned long long)peer);
}

static struct message *on_document(void *user, const char *path, struct net_document *document) {
    (void)user;
    if (strcmp(path, "/healthz") == 0) {
        return message_from_text("ok\n", 3);
    }
    if (strcmp(path, "/teapot.json") != 0) {
        return NULL;
    }
    document->content_type = "application/json";
    document->status = 503;
    return message_from_text("{}", 2);
}

static void on_signal(int number) {
    (void)number;
    net_server_stop(server);
}

// ---- main --------------------------------------------------------------------------------------------------------

static struct net_options make_options(int count, char **arguments) {
    return (struct net_options){
        .host = count > 3 ? arguments[3] : "127.0.0.1",
        .port = (uint16_t)(count > 2 ? atoi(arguments[2]) : 0),
        .web_root = arguments[1],
        .message_max = 1 << 20,
        .outbox_max = 1 << 20,
        .clients_max = 400,
        .long_broadcast_us = (uint32_t)(count > 4 ? atoi(arguments[4]) : 0),
        .handlers = {.admit = on_admit,
                     .opened = on_opened,
                     .message = on_message,
                     .binary = on_binary,
                     .oversized = on_oversized,
                     .closed = on_closed,
                     .document = on_document},
    };
}

int main(int count, char **arguments) {
    if (count < 2) {
        fprintf(stderr, "usage: net_echo WEB_ROOT [PORT [HOST [LONG_BROADCAST_US]]]\n");
        return 2;
    }
    struct net_options options = make_options(count, arguments);
    struct fault fault;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (net_server_create(&options, &server, &fault) != RESULT_OK) {
        fprintf(stderr, "%s\n", fault.message);
        return 2;
    }
    signal(SIGTERM, on_signal);
    pthread_t streamer;
    if (pthread_create(&streamer, NULL, stream, NULL) != 0) {
        return 1;
    }
    printf("listening on %u\n", net_server_port(server));
    net_server_run(server, 2000);
    atomic_store(&ending, true);
    pthread_join(streamer, NULL);
    net_server_destroy(server);
    return 0;
}
