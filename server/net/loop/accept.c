// SPDX-License-Identifier: MIT
// A guest is a connection that is no WebSocket: its handshake is not complete, or it fetches files. Each request of a
// guest has a time limit, and the number of guests is limited. When there are too many, or descriptors run out, the
// guests that have been silent longest are closed, so that thousands that only pretend to connect cannot keep out a
// client that does. A guest that came within GUEST_GRACE_US is not closed; then accepting is paused for a moment, and
// new connections wait in the kernel's queue.
//
// DESCRIPTORS_RESERVED descriptors are never given to connections: files, the database and the log need some.
#include "net/loop/accept.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "net/connection/address.h"
#include "net/connection/connection.h"

#define ACCEPT_SWEEP_MS 25
#define ACCEPTS_A_TURN 64u
#define GUESTS_MAX 1024u
#define GUEST_GRACE_US (60 * LWS_US_PER_MS)
#define DESCRIPTORS_RESERVED 48u
#define COMPLAINT_PAUSE_US (10 * LWS_US_PER_SEC)

// ---- room --------------------------------------------------------------------------------------------------------

// Each client needs a descriptor; the usual limit of 1024 is raised as far as the hard one allows.
uint32_t accept_find_room(const struct net_options *options) {
    struct rlimit limit;
    const rlim_t wanted = (rlim_t)options->clients_max + GUESTS_MAX + DESCRIPTORS_RESERVED;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return options->clients_max;
    }
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0) {
            limit.rlim_cur = 1024;
        }
    }
    const rlim_t reserved = limit.rlim_cur < 2 * DESCRIPTORS_RESERVED ? limit.rlim_cur / 2 : DESCRIPTORS_RESERVED;
    const rlim_t room = (limit.rlim_cur < wanted ? limit.rlim_cur : wanted) - reserved;
    if (room < options->clients_max) {
        log_warn("net", "only %llu descriptors are allowed: fewer than %u clients will fit",
                 (unsigned long long)limit.rlim_cur, options->clients_max);
    }
    return (uint32_t)room;
}

static void pause_accepting(struct net_server *server, bool paused) {
    if (server->accepting_paused == paused || server->listener == NULL) {
        return;
    }
    server->accepting_paused = paused;
    if (lws_rx_flow_control(server->listener, paused ? 0 : 1) < 0) {
        log_debug("net", "accepting cannot be paused");
    }
}

static void complain(struct net_server *server, const char *about) {
    const lws_usec_t now_us = lws_now_usecs();
    if (server->complained_us != 0 && now_us - server->complained_us < COMPLAINT_PAUSE_US) {
        return;
    }
    server->complained_us = now_us;
    log_warn("net", "%s: %u connections, %u of them no clients; new ones have to wait", about, server->connection_count,
             server->guest_count);
}

// Closes the oldest guests, unless they came just now. Nothing is accepted until the next sweep.
static void make_room(struct net_server *server, const char *why) {
    const lws_usec_t now_us = lws_now_usecs();
    uint32_t gone = 0;
    for (struct connection *connection = server->oldest_guest; connection != NULL && gone < ACCEPTS_A_TURN;
         connection = connection->newer) {
        if (now_us - connection->since_us < GUEST_GRACE_US) {
            break;
        }
        if (!connection->killed) {
            connection_kill(connection);
        }
        gone++;
    }
    count_up(server, COUNTER_REFUSED, gone);
    if (gone == 0) {
        complain(server, why);
    }
    pause_accepting(server, true);
}

// ---- accepting ---------------------------------------------------------------------------------------------------

static void turn_away(struct net_server *server, int descriptor, struct address_count *address) {
    count_up(server, COUNTER_REFUSED, 1);
    address_forget_connection(address);
    close(descriptor);
}

// Hands the socket to libwebsockets in its role for raw sockets, which does TLS where there is a certificate (event.c).
static void adopt(struct net_server *server, int descriptor, struct connection *connection) {
    const lws_adopt_desc_t adoption = {
        .vh = server->vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL,
        .fd = {.sockfd = descriptor},
        .opaque = connection,
    };
    // When that fails the library closes the socket. It may or may not have called back, which destroys the connection.
    server->adopting = connection;
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&adoption);
    if (wsi != NULL) {
        connection->wsi = wsi;
    } else if (server->adopting == connection) {
        connection_destroy(connection);
    }
    server->adopting = NULL;
}

static void let_in(struct net_server *server, int descriptor, const struct sockaddr_storage *from) {
    const int one = 1;
    struct address_count *address = address_count_connection(server, from);
    struct connection *connection = NULL;
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0) {
        log_debug("net", "small messages may wait");
    }
    if (address != NULL && !address_is_crowded(address)) {
        connection = connection_create(server, address);
    }
    if (connection == NULL) {
        turn_away(server, descriptor, address);
    } else {
        adopt(server, descriptor, connection);
    }
}

void accept_ready(struct net_server *server) {
    for (unsigned turn = 0; turn < ACCEPTS_A_TURN; turn++) {
        if (server->connection_count >= server->connections_max) {
            make_room(server, "descriptors are out");
            return;
        }
        if (server->guest_count >= GUESTS_MAX) {
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

// ---- time limits -------------------------------------------------------------------------------------------------

static void on_sweep(lws_sorted_usec_list_t *timer) {
    struct net_server *server = lws_container_of(timer, struct net_server, accept_timer);
    accept_sweep(server);
}

void accept_sweep(struct net_server *server) {
    const lws_usec_t now_us = lws_now_usecs();
    const lws_usec_t patience_us = (lws_usec_t)server->options.handshake_ms * LWS_US_PER_MS;
    for (struct connection *connection = server->oldest_guest; connection != NULL; connection = connection->newer) {
        if (now_us - connection->since_us < patience_us) {
            break;
        }
        if (connection->request_due && !connection->killed) {
            connection_kill(connection);
        }
    }
    pause_accepting(server, false);
    lws_sul_schedule(server->context, 0, &server->accept_timer, on_sweep, ACCEPT_SWEEP_MS * LWS_US_PER_MS);
}

enum result accept_start(struct net_server *server, int listener, struct fault *fault) {
    const lws_sock_file_fd_type descriptor = {.filefd = listener};
    if (address_table_create(server)) {
        server->listener =
            lws_adopt_descriptor_vhost(server->vhost, LWS_ADOPT_RAW_FILE_DESC, descriptor, SUBPROTOCOL, NULL);
    }
    if (server->listener == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "the network library did not start: memory is out");
    }
    server->listener_socket = listener;
    return RESULT_OK;
}

void accept_stop(struct net_server *server) {
    lws_sul_cancel(&server->accept_timer);
}
