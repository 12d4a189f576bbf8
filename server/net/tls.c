// SPDX-License-Identifier: MIT
// The certificate and its key, tried once before the server starts: libwebsockets would only say that something failed.
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string.h>
#include <unistd.h>

#include "net/net_internal.h"

static enum result check_readable(const char *option, const char *path, struct fault *fault) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fault_set(fault, RESULT_INVALID, "", "%s: cannot read \"%.160s\": %s", option, path, strerror(errno));
    close(file);
    return RESULT_OK;
}

static const char *last_reason(void) {
    const char *reason = ERR_reason_error_string(ERR_peek_last_error());
    return reason != NULL ? reason : "no PEM in it";
}

static enum result load(SSL_CTX *context, const struct net_options *options, struct fault *fault) {
    if (SSL_CTX_use_certificate_chain_file(context, options->tls_cert) != 1)
        return fault_set(fault, RESULT_INVALID, "", "--tls-cert: \"%.160s\" is no certificate in PEM: %s",
                         options->tls_cert, last_reason());
    if (SSL_CTX_use_PrivateKey_file(context, options->tls_key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1)
        return fault_set(fault, RESULT_INVALID, "", "--tls-key: \"%.160s\" is no key in PEM for that certificate: %s",
                         options->tls_key, last_reason());
    return RESULT_OK;
}

enum result tls_check(const struct net_options *options, struct fault *fault) {
    enum result result = check_readable("--tls-cert", options->tls_cert, fault);
    if (result == RESULT_OK)
        result = check_readable("--tls-key", options->tls_key, fault);
    if (result != RESULT_OK)
        return result;
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL)
        return fault_set(fault, RESULT_MEMORY, "", "memory is out");
    result = load(context, options, fault);
    SSL_CTX_free(context);
    ERR_clear_error();
    return result;
}
