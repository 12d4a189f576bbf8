// SPDX-License-Identifier: MIT
// The certificate and the key are tried once before the server starts, because libwebsockets only reports that
// something failed. An error names the option, the file and the reason.
#include "net/loop/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

#define CERT "--tls-cert"
#define KEY "--tls-key"
#define BLOCKS_MAX 16u // of a file that are looked at

static enum result refuse(struct fault *fault, const char *option, const char *path, const char *why) {
    return fault_set(fault, RESULT_INVALID, "", "%s: \"%.120s\": %s", option, path, why);
}

static enum result check_readable(const char *option, const char *path, struct fault *fault) {
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        return refuse(fault, option, path, strerror(errno));
    }
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const bool empty = regular && status.st_size == 0;
    close(file);
    if (!regular) {
        return refuse(fault, option, path, "this is not a regular file");
    }
    return empty ? refuse(fault, option, path, "the file is empty") : RESULT_OK;
}

// Which blocks of PEM a file has.
struct blocks {
    bool certificate, key, encrypted_key;
};

static struct blocks find_blocks(const char *path) {
    struct blocks blocks = {0};
    BIO *file = BIO_new_file(path, "r");
    for (uint32_t count = 0; file != NULL && count < BLOCKS_MAX; count++) {
        char *name = NULL, *header = NULL;
        unsigned char *data = NULL;
        long length = 0;
        if (PEM_read_bio(file, &name, &header, &data, &length) != 1) {
            break;
        }
        const bool key = strstr(name, "PRIVATE KEY") != NULL;
        blocks.certificate = blocks.certificate || strstr(name, "CERTIFICATE") != NULL;
        blocks.key = blocks.key || key;
        blocks.encrypted_key =
            blocks.encrypted_key || (key && (strstr(name, "ENCRYPTED") != NULL || strstr(header, "ENCRYPTED") != NULL));
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_clear_free(data, (size_t)length);
    }
    BIO_free(file);
    ERR_clear_error();
    return blocks;
}

static enum result check_certificate_file(const char *path, struct fault *fault) {
    const struct blocks blocks = find_blocks(path);
    if (blocks.certificate) {
        return RESULT_OK;
    }
    return refuse(fault, CERT, path,
                  blocks.key ? "the file holds a private key and no certificate: were " CERT " and " KEY " swapped?"
                             : "the file holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)");
}

static enum result check_key_file(const char *path, struct fault *fault) {
    const struct blocks blocks = find_blocks(path);
    if (blocks.encrypted_key) {
        return refuse(fault, KEY, path,
                      "the key is protected by a passphrase, which the server cannot ask for: store it without one");
    }
    if (blocks.key) {
        return RESULT_OK;
    }
    return refuse(fault, KEY, path,
                  blocks.certificate ? "the file holds a certificate and no private key: were " CERT " and " KEY
                                       " swapped?"
                                     : "the file holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)");
}

// OpenSSL's innermost reason for the error, which is the oldest in its queue.
static const char *first_reason(void) {
    const char *reason = ERR_reason_error_string(ERR_peek_error());
    return reason != NULL ? reason : "OpenSSL does not say why";
}

// NOLINTNEXTLINE(readability-non-const-parameter): as OpenSSL calls it
static int give_no_passphrase(char *buffer, int size, int writing, void *user) {
    (void)buffer, (void)size, (void)writing, (void)user;
    return 0;
}

// A certificate that is not valid now is served all the same, because it may be renewed while the server runs. Until
// then browsers refuse it, so this is logged.
static void warn_of_time(SSL_CTX *context, const char *path) {
    const X509 *certificate = SSL_CTX_get0_certificate(context);
    if (certificate == NULL) {
        return;
    }
    if (X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0) {
        log_warn("net", CERT ": the certificate in \"%s\" has expired: browsers will refuse it", path);
    } else if (X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0) {
        log_warn("net", CERT ": the certificate in \"%s\" is not valid yet: browsers will refuse it", path);
    }
}

static enum result load(SSL_CTX *context, const struct net_options *options, struct fault *fault) {
    char why[160];
    ERR_clear_error();
    SSL_CTX_set_default_passwd_cb(context, give_no_passphrase); // a passphrase cannot be typed in
    if (SSL_CTX_use_certificate_chain_file(context, options->tls_cert) != 1) {
        snprintf(why, sizeof why, "the certificate cannot be used: %s", first_reason());
        return refuse(fault, CERT, options->tls_cert, why);
    }
    if (SSL_CTX_use_PrivateKey_file(context, options->tls_key, SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1) {
        const int reason = ERR_GET_REASON(ERR_peek_error());
        const bool other = reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH ||
                           reason == SSL_R_NO_CERTIFICATE_ASSIGNED; // the key is of another kind, such as RSA
        if (other) {
            snprintf(why, sizeof why, "this is not the key of the certificate that " CERT " names");
        } else {
            snprintf(why, sizeof why, "the key cannot be used: %s", first_reason());
        }
        return refuse(fault, KEY, options->tls_key, why);
    }
    warn_of_time(context, options->tls_cert);
    return RESULT_OK;
}

enum result tls_check(const struct net_options *options, struct fault *fault) {
    enum result result = check_readable(CERT, options->tls_cert, fault);
    if (result == RESULT_OK) {
        result = check_readable(KEY, options->tls_key, fault);
    }
    if (result == RESULT_OK) {
        result = check_certificate_file(options->tls_cert, fault);
    }
    if (result == RESULT_OK) {
        result = check_key_file(options->tls_key, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "memory is out");
    }
    result = load(context, options, fault);
    SSL_CTX_free(context);
    ERR_clear_error();
    return result;
}
