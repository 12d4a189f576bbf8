// SPDX-License-Identifier: MIT
// The door: who may come in, how long they may take to say what they want, and what happens when there is no room.
//
// A guest is a connection that is no WebSocket: it is still shaking hands, or it fetches files. Guests have a time for
// each request and a limit of their own; beyond it, and when descriptors run out, the one goes that has been silent
// longest, so that thousands who only pretend to come cannot keep out one who does. Nobody is sent away for newer ones
// within GUEST_GRACE_US, though; then the door stays shut for a moment, and who knocks waits in the kernel's queue.
//
// DESCRIPTORS_RESERVED descriptors are never given to connections: files, the database and the log need some.
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "net/net_internal.h"

#define ACCEPT_SWEEP_MS 25
#define ACCEPTS_A_TURN 64u
#define GUESTS_MAX 1024u
#define GUEST_GRACE_US (60 * LWS_US_PER_MS)
#define DESCRIPTORS_RESERVED 48u
#define COMPLAINT_PAUSE_US (10 * LWS_US_PER_SEC)
#define COUNT_BUCKETS 1024u // a power of two

// ---- how many from where
// ---------------------------------------------------------------------------------------------

// Addresses of IPv6 count by their first 64 bits: everyone has that many.
struct address_count {
    struct address_count *next;
    uint8_t key[16];
    struct net_server *server;
    uint32_t lines;
    bool loopback;
};

static bool is_loopback(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, address, sizeof ipv4);
        return ntohl(ipv4.sin_addr.s_addr) >> 24 == 127;
    }
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, address, sizeof ipv6);
    const uint8_t *bytes = ipv6.sin6_addr.s6_addr;
    return IN6_IS_ADDR_LOOPBACK(&ipv6.sin6_addr) || (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr) && bytes[12] == 127);
}

bool accept_is_loopback(const char *text) {
    struct sockaddr_storage address = {0};
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &ipv4.sin_addr) == 1)
        memcpy(&address, &ipv4, sizeof ipv4);
    else if (inet_pton(AF_INET6, text, &ipv6.sin6_addr) == 1)
        memcpy(&address, &ipv6, sizeof ipv6);
    else
        return false;
    return is_loopback(&address);
}

static void make_key(const struct sockaddr_storage *address, uint8_t key[16]) {
    memset(key, 0, 16);
    if (address->ss_family == AF_INET) {
        struct sockaddr_in ipv4;
        memcpy(&ipv4, address, sizeof ipv4);
        key[10] = key[11] = 0xff;
        memcpy(key + 12, &ipv4.sin_addr, 4);
        return;
    }
    struct sockaddr_in6 ipv6;
    memcpy(&ipv6, address, sizeof ipv6);
    memcpy(key, &ipv6.sin6_addr, IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr) ? 16 : 8);
}

static struct address_count **count_bucket(struct net_server *server, const uint8_t key[16]) {
    uint32_t hash = 2166136261u;
    for (size_t at = 0; at < 16; at++)
        hash = (hash ^ key[at]) * 16777619u;
    return &server->address_counts[hash & (COUNT_BUCKETS - 1)];
}

// One more from there; NULL when memory is out.
static struct address_count *count_line(struct net_server *server, const struct sockaddr_storage *address) {
    uint8_t key[16];
    make_key(address, key);
    struct address_count **bucket = count_bucket(server, key);
    struct address_count *count = *bucket;
    while (count != NULL && memcmp(count->key, key, sizeof key) != 0)
        count = count->next;
    if (count == NULL) {
        count = calloc(1, sizeof *count);
        if (count == NULL)
            return NULL;
        memcpy(count->key, key, sizeof key);
        count->server = server;
        count->loopback = is_loopback(address);
        count->next = *bucket;
        *bucket = count;
    }
    count->lines++;
    return count;
}

void accept_forget(struct address_count *count) {
    if (count == NULL || --count->lines > 0)
        return;
    struct address_count **link = count_bucket(count->server, count->key);
    while (*link != count)
        link = &(*link)->next;
    *link = count->next;
    free(count);
}

static bool is_crowded(const struct address_count *count) {
    const struct net_options *options = &count->server->options;
    const uint32_t most = options->address_max;
    return most > 0 && count->lines > most && (!count->loopback || options->address_max_on_loopback);
}

// ---- room
// ------------------------------------------------------------------------------------------------------------

// A peer needs a descriptor each; the usual limit of 1024 is raised as far as the hard one allows.
uint32_t accept_find_room(const struct net_options *options) {
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)options->peers_max + GUESTS_MAX + DESCRIPTORS_RESERVED;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return options->peers_max;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0)
            limit.rlim_cur = 1024;
    }
    const rlim_t reserved = limit.rlim_cur < 2 * DESCRIPTORS_RESERVED ? limit.rlim_cur / 2 : DESCRIPTORS_RESERVED;
    const rlim_t room = (limit.rlim_cur < wanted ? limit.rlim_cur : wanted) - reserved;
    if (room < options->peers_max)
        log_warn("net", "only %llu descriptors are allowed: fewer than %u clients will fit",
                 (unsigned long long)limit.rlim_cur, options->peers_max);
    return (uint32_t)room;
}

static void shut_door(struct net_server *server, bool shut) {
    if (server->door_shut == shut || server->listener == NULL)
        return;
    server->door_shut = shut;
    if (lws_rx_flow_control(server->listener, shut ? 0 : 1) < 0)
        log_debug("net", "the door cannot be moved");
}

static void complain(struct net_server *server, const char *about) {
    const lws_usec_t now_us = lws_now_usecs();
    if (server->complained_us != 0 && now_us - server->complained_us < COMPLAINT_PAUSE_US)
        return;
    server->complained_us = now_us;
    log_warn("net", "%s: %u connections, %u of them no clients; who comes has to wait", about, server->line_count,
             server->guests);
}

// There is no room: the guest that is oldest goes, unless it came just now. The door stays shut until the next sweep.
static void make_room(struct net_server *server, const char *why) {
    const lws_usec_t now_us = lws_now_usecs();
    uint32_t gone = 0;
    for (struct line *line = server->oldest_guest; line != NULL && gone < ACCEPTS_A_TURN; line = line->newer) {
        if (now_us - line->since_us < GUEST_GRACE_US)
            break;
        if (!line->killed)
            line_kill(line);
        gone++;
    }
    count_up(server, COUNTER_REFUSED, gone);
    if (gone == 0)
        complain(server, why);
    shut_door(server, true);
}

// ---- coming in
// -------------------------------------------------------------------------------------------------------

static void turn_away(struct net_server *server, int descriptor, struct address_count *origin) {
    count_up(server, COUNTER_REFUSED, 1);
    accept_forget(origin);
    close(descriptor);
}

static void let_in(struct net_server *server, int descriptor, const struct sockaddr_storage *address) {
    const int one = 1;
    struct address_count *origin = count_line(server, address);
    struct line *line = NULL;
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
        log_debug("net", "small messages may wait");
    if (origin != NULL && !is_crowded(origin))
        line = line_create(server, descriptor, origin);
    if (line == NULL) {
        turn_away(server, descriptor, origin);
        return;
    }
    const lws_adopt_desc_t adoption = {
        .vh = server->vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP | LWS_ADOPT_ALLOW_SSL,
        .fd = {.sockfd = descriptor},
        .opaque = line,
    };
    // When that fails the library closes the socket; it may have told of its end, which destroys the line, or not.
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&adoption);
    if (wsi != NULL)
        line->wsi = wsi;
    else if (server->lines[descriptor] == line)
        line_destroy(line);
}

void accept_ready(struct net_server *server) {
    for (unsigned turn = 0; turn < ACCEPTS_A_TURN; turn++) {
        if (server->line_count >= server->lines_max) {
            make_room(server, "descriptors are out");
            return;
        }
        if (server->guests >= GUESTS_MAX) {
            make_room(server, "too many connect at once");
            return;
        }
        struct sockaddr_storage address = {0};
        socklen_t size = sizeof address;
        const int descriptor =
            accept4(server->listener_socket, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor >= 0) {
            let_in(server, descriptor, &address);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            make_room(server, strerror(errno));
            return;
        } else if (errno != ECONNABORTED && errno != EINTR) {
            return;
        }
    }
}

// ---- the sweep
// -------------------------------------------------------------------------------------------------------

static void on_sweep(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, accept_timer);
    accept_sweep(server);
}

void accept_sweep(struct net_server *server) {
    const lws_usec_t now_us = lws_now_usecs();
    const lws_usec_t patience_us = (lws_usec_t)server->options.handshake_ms * LWS_US_PER_MS;
    for (struct line *line = server->oldest_guest; line != NULL; line = line->newer) {
        if (now_us - line->since_us < patience_us)
            break;
        if (line->awaited && !line->killed)
            line_kill(line);
    }
    shut_door(server, false);
    lws_sul_schedule(server->context, 0, &server->accept_timer, on_sweep, ACCEPT_SWEEP_MS * LWS_US_PER_MS);
}

enum result accept_start(struct net_server *server, int listener, struct fault *fault) {
    const lws_sock_file_fd_type descriptor = {.filefd = listener};
    server->address_counts = calloc(COUNT_BUCKETS, sizeof(struct address_count *));
    if (server->address_counts != NULL)
        server->listener =
            lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, SUBPROTOCOL, NULL);
    if (server->listener == NULL)
        return fault_set(fault, RESULT_MEMORY, "", "the network library did not start: memory is out");
    server->listener_socket = listener;
    return RESULT_OK;
}

void accept_stop(struct net_server *server) {
    lws_sul_cancel(&server->accept_timer);
}
