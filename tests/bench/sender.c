// SPDX-License-Identifier: MIT
// The least that can be done: one thread, epoll, and the same bytes to everyone 60 times a second. sender BYTES [HZ]
// prints "port N" and serves until it is ended. It speaks as much WebSocket as `weftctl load` needs, and frames of
// BYTES that carry a tick. As in Weft a viewer that has not taken its last frame is passed over.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define VIEWERS_MAX 60000
#define EVENTS 256
#define SEND_BUFFER_BYTES (128 * 1024)
#define HEADER_BYTES 32u

enum stage { STAGE_NONE, STAGE_HANDSHAKE, STAGE_OPEN, STAGE_VIEWER };

static struct {
    enum stage stage[VIEWERS_MAX];
    uint32_t left[VIEWERS_MAX]; // bytes of the message that has begun
    int handles;                // above the highest
    uint8_t *message;
    uint32_t prefix, length; // of the WebSocket header, and in all
    uint64_t tick;
    int epoll;
} sender;

static void drop(int handle) {
    sender.stage[handle] = STAGE_NONE;
    sender.left[handle] = 0;
    (void)close(handle);
}

static void say(int handle, const char *text) {
    uint8_t message[256];
    const size_t length = strlen(text);
    message[0] = 0x81;
    message[1] = 126;
    message[2] = (uint8_t)(length >> 8);
    message[3] = (uint8_t)length;
    memcpy(message + 4, text, length);
    if (send(handle, message, length + 4, MSG_NOSIGNAL) < 0) {
        drop(handle);
    }
}

static void hear(int handle) {
    char bytes[2048];
    const ssize_t got = recv(handle, bytes, sizeof bytes, 0);
    if (got <= 0) {
        if (got == 0 || errno != EAGAIN) {
            drop(handle);
        }
    } else if (sender.stage[handle] == STAGE_HANDSHAKE) {
        static const char answer[] =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";
        (void)!send(handle, answer, sizeof answer - 1, MSG_NOSIGNAL);
        sender.stage[handle] = STAGE_OPEN;
        say(handle, "{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"params\":{\"tickHz\":60}}");
    } else if (sender.stage[handle] == STAGE_OPEN) {
        say(handle, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        sender.stage[handle] = sender.stage[handle] == STAGE_OPEN ? STAGE_VIEWER : STAGE_NONE;
    }
}

static void watch(int handle, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = handle};
    (void)epoll_ctl(sender.epoll, operation, handle, &event);
}

static void push(int handle) {
    const uint32_t left = sender.left[handle] == 0 ? sender.length : sender.left[handle];
    const ssize_t sent = send(handle, sender.message + sender.length - left, left, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
        drop(handle);
        return;
    }
    const uint32_t before = sender.left[handle];
    sender.left[handle] = sent < 0 ? (left == sender.length ? 0 : left) : left - (uint32_t)sent;
    if ((sender.left[handle] != 0) != (before != 0)) {
        watch(handle, sender.left[handle] != 0 ? EPOLLIN | EPOLLOUT : EPOLLIN, EPOLL_CTL_MOD);
    }
}

static void send_all(int timer) {
    uint64_t passed = 0;
    if (read(timer, &passed, sizeof passed) != (ssize_t)sizeof passed) {
        return;
    }
    sender.tick += passed;
    // What has begun to go keeps its header: a socket takes at least that in one piece.
    memcpy(sender.message + sender.prefix + 8, &sender.tick, sizeof sender.tick);
    for (int handle = 0; handle < sender.handles; handle++) {
        if (sender.stage[handle] == STAGE_VIEWER && sender.left[handle] == 0) {
            push(handle);
        }
    }
}

static void welcome(int listener) {
    const int handle = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int on = 1, bytes = SEND_BUFFER_BYTES;
    if (handle < 0 || handle >= VIEWERS_MAX) {
        return;
    }
    (void)setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(handle, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    sender.stage[handle] = STAGE_HANDSHAKE;
    sender.left[handle] = 0;
    sender.handles = handle >= sender.handles ? handle + 1 : sender.handles;
    watch(handle, EPOLLIN, EPOLL_CTL_ADD);
}

// A WebSocket header for so many bytes, then a frame's: type 1, coding 0, keyframe, epoch 1.
static void make_message(uint32_t bytes) {
    sender.prefix = bytes < 65536 ? 4 : 10;
    sender.length = sender.prefix + bytes;
    sender.message = calloc(1, sender.length);
    if (sender.message == NULL) {
        exit(1);
    }
    sender.message[0] = 0x82;
    sender.message[1] = bytes < 65536 ? 126 : 127;
    for (uint32_t at = sender.prefix, rest = bytes; at > 2; at--, rest >>= 8) {
        sender.message[at - 1] = (uint8_t)rest;
    }
    for (uint32_t at = HEADER_BYTES; at < bytes; at++) {
        sender.message[sender.prefix + at] = (uint8_t)(at * 2654435761u >> 13);
    }
    sender.message[sender.prefix] = 1;
    sender.message[sender.prefix + 2] = 4;
    sender.message[sender.prefix + 4] = 1;
}

static int listen_somewhere(void) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) != 0 || listen(listener, 1024) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        perror("sender");
        exit(1);
    }
    (void)printf("port %u\n", ntohs(address.sin_port));
    (void)fflush(stdout);
    return listener;
}

static int start_timer(double hz) {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    const struct timespec period = {0, (long)(1e9 / hz)};
    const struct itimerspec every = {period, period};
    (void)timerfd_settime(timer, 0, &every, NULL);
    return timer;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        (void)fprintf(stderr, "sender BYTES [HZ]\n");
        return 2;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    make_message((uint32_t)strtoul(argv[1], NULL, 10));
    sender.epoll = epoll_create1(EPOLL_CLOEXEC);
    const int listener = listen_somewhere(), timer = start_timer(argc > 2 ? strtod(argv[2], NULL) : 60.0);
    watch(listener, EPOLLIN, EPOLL_CTL_ADD);
    watch(timer, EPOLLIN, EPOLL_CTL_ADD);
    for (;;) {
        struct epoll_event events[EVENTS];
        const int count = epoll_wait(sender.epoll, events, EVENTS, -1);
        for (int at = 0; at < count; at++) {
            const int handle = events[at].data.fd;
            if (handle == timer) {
                send_all(timer);
            } else if (handle == listener) {
                welcome(listener);
            } else if ((events[at].events & EPOLLIN) != 0) {
                hear(handle);
            } else if (sender.stage[handle] == STAGE_VIEWER && sender.left[handle] != 0) {
                push(handle);
            }
        }
    }
}
