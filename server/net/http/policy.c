// SPDX-License-Identifier: MIT
// The content policy is strict: a page loads everything from this server, has no plugins, is shown only in frames of
// the pages that the options name, and runs only the inline scripts that its file has, which the policy names by their
// hashes (the import map cannot be a file). So a script that someone gets into the page does not run.
#include "net/http/policy.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HASH_TEXT_MAX 64
#define HASHES_MAX 4
#define PEERS_MAX 900

// Writes " 'sha256-…'" for each inline script of the page.
static void hash_scripts(char *out, size_t size, const char *page, size_t length) {
    const char *end = page + length;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned found = 0; found < HASHES_MAX; found++) {
        const char *start = memmem(page, (size_t)(end - page), "<script", 7);
        const char *text = start == NULL ? NULL : memchr(start, '>', (size_t)(end - start));
        const char *close = text == NULL ? NULL : memmem(text, (size_t)(end - text), "</script>", 9);
        if (close == NULL) {
            return;
        }
        page = close;
        uint8_t digest[EVP_MAX_MD_SIZE];
        unsigned bytes = 0;
        unsigned char encoded[HASH_TEXT_MAX];
        if (close == ++text || EVP_Digest(text, (size_t)(close - text), digest, &bytes, EVP_sha256(), NULL) != 1) {
            continue;
        }
        EVP_EncodeBlock(encoded, digest, (int)bytes);
        const int written = snprintf(out + used, size - used, " 'sha256-%s'", (const char *)encoded);
        if (written < 0 || (size_t)written >= size - used) {
            return;
        }
        used += (size_t)written;
    }
}

// The header that older browsers know instead of frame-ancestors. It cannot name other servers, and is then left out.
static const char *frame_options(const char *ancestors) {
    if (strcmp(ancestors, "'none'") == 0) {
        return "X-Frame-Options: DENY\r\n";
    }
    return strcmp(ancestors, "'self'") == 0 ? "X-Frame-Options: SAMEORIGIN\r\n" : "";
}

// Whether browsers trust an origin without TLS because it is this machine's own (W3C Secure Contexts, 3.1).
static bool is_own_machine(const char *host) {
    const size_t length = strcspn(host, ":");
    static const char suffix[] = ".localhost";
    const size_t tail = sizeof suffix - 1;
    const bool named = (length == tail - 1 && strncasecmp(host, suffix + 1, length) == 0) ||
                       (length > tail && strncasecmp(host + length - tail, suffix, tail) == 0);
    const bool loopback = strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == length;
    return named || loopback || strncmp(host, "[::1]", 5) == 0;
}

void policy_write(char out[POLICY_MAX], const struct net_options *options, const char *host, const char *page,
                  size_t length, bool encrypted, bool shared) {
    char hashes[HASHES_MAX * HASH_TEXT_MAX];
    const bool tls = options->tls_cert != NULL;
    // On other origins browsers ignore the header, and report an error in their console.
    const bool isolates = tls || encrypted || is_own_machine(host);
    const char *ancestors = options->frame_ancestors != NULL ? options->frame_ancestors : "'none'";
    char peers[PEERS_MAX] = "";
    if (options->handlers.peers != NULL) {
        options->handlers.peers(options->handlers.user, peers, sizeof peers);
    }
    hash_scripts(hashes, sizeof hashes, page, length);
    const char *scheme = tls ? "wss://" : "ws://"; // in older browsers 'self' does not include WebSockets
    snprintf(out, POLICY_MAX,
             "X-Content-Type-Options: nosniff\r\n"
             "%s"
             "Referrer-Policy: no-referrer\r\n"
             "%s"
             "Cross-Origin-Resource-Policy: %s\r\n"
             "Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n"
             "%s"
             "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'%s; style-src 'self'; "
             "img-src 'self' data:; connect-src 'self'%s%s%s%s; worker-src 'self'; object-src 'none'; "
             "base-uri 'none'; form-action 'self'; frame-ancestors %s\r\n",
             frame_options(ancestors), isolates ? "Cross-Origin-Opener-Policy: same-origin\r\n" : "",
             shared ? "cross-origin" : "same-origin", tls ? "Strict-Transport-Security: max-age=31536000\r\n" : "",
             hashes, host[0] != '\0' ? " " : "", host[0] != '\0' ? scheme : "", host, peers, ancestors);
}
