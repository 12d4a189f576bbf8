// SPDX-License-Identifier: MIT
// Why not lws_write: libwebsockets copies what the socket does not take, and reads nothing from the client until all of
// that has gone. Here the shared message itself is kept (output.c), and the client's commands are read meanwhile.
#include "net/connection/socket.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

static ssize_t write_tls(SSL *tls, const void *bytes, size_t length) {
    size_t written = 0;
    ERR_clear_error();
    const int result = SSL_write_ex(tls, bytes, length, &written);
    if (result == 1) {
        return (ssize_t)written;
    }
    const int error = SSL_get_error(tls, result);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ ? 0 : -1;
}

ssize_t socket_write(struct lws *wsi, const void *bytes, size_t length) {
    SSL *tls = lws_get_ssl(wsi);
    if (tls != NULL) {
        return write_tls(tls, bytes, length);
    }
    ssize_t written;
    do {
        written = send(lws_get_socket_fd(wsi), bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (written < 0 && errno == EINTR);
    if (written < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
    }
    return written;
}

void socket_end_writing(struct lws *wsi) {
    SSL *tls = lws_get_ssl(wsi);
    if (tls != NULL) {
        ERR_clear_error();
        (void)SSL_shutdown(tls);
        ERR_clear_error();
    }
    (void)shutdown(lws_get_socket_fd(wsi), SHUT_WR); // it fails when the client has gone already
}
