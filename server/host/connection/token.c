// SPDX-License-Identifier: MIT
// Reading, searching and changing a file of tokens.
#include "host/connection/token.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/result.h"
#include "base/utf8.h"

#define TOKEN_PREFIX "weft_"
#define TOKEN_RANDOM_BYTES 32
#define LINE_BYTES_MAX 512
#define HASH_PREFIX "sha256:"
#define PATH_BYTES_MAX 1100

static const char head[] = "# Tokens of Weft: ID ROLE CREATED sha256:HASH NAME. Changed by weftctl token.\n";

enum result token_role_parse(const char *text, enum proto_role *role, struct fault *fault) {
    for (int at = PROTO_ROLE_NONE + 1; at < PROTO_ROLE_COUNT; at++) {
        if (strcmp(proto_role_names[at], text) == 0) {
            *role = (enum proto_role)at;
            return RESULT_OK;
        }
    }
    return fault_set(fault, RESULT_INVALID, "", "a role is viewer, editor or admin, got \"%.40s\"", text);
}

// ---- lines -------------------------------------------------------------------------------------------------------

static int digit_of(char letter) {
    return letter >= '0' && letter <= '9' ? letter - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

static bool read_hash(const char *text, uint8_t hash[TOKEN_HASH_BYTES]) {
    if (strlen(text) != 2 * TOKEN_HASH_BYTES) {
        return false;
    }
    for (size_t at = 0; at < TOKEN_HASH_BYTES; at++) {
        const int high = digit_of(text[2 * at]), low = digit_of(text[2 * at + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        hash[at] = (uint8_t)(high * 16 + low);
    }
    return true;
}

// Names are shown in terminals and logs.
// A name is UTF-8 that people can see.
static bool is_plain(const char *name) {
    const size_t length = strlen(name);
    for (size_t at = 0; at < length;) {
        uint32_t code = 0;
        const size_t bytes = utf8_read(name + at, length - at, &code);
        if (bytes == 0 || utf8_is_hidden(code)) {
            return false;
        }
        at += bytes;
    }
    return true;
}

static bool copy_word(char *out, size_t size, const char *word) {
    return word != NULL && *word != '\0' && (size_t)snprintf(out, size, "%s", word) < size;
}

// `line` is taken apart.
static bool read_line(char *line, struct token *token) {
    char *rest = line;
    const char *id = strtok_r(rest, " ", &rest);
    const char *role = strtok_r(NULL, " ", &rest);
    const char *created = strtok_r(NULL, " ", &rest);
    const char *hash = strtok_r(NULL, " ", &rest);
    *token = (struct token){.role = PROTO_ROLE_NONE};
    return copy_word(token->id, sizeof token->id, id) && role != NULL &&
           token_role_parse(role, &token->role, NULL) == RESULT_OK &&
           copy_word(token->created, sizeof token->created, created) && hash != NULL &&
           strncmp(hash, HASH_PREFIX, sizeof HASH_PREFIX - 1) == 0 &&
           read_hash(hash + sizeof HASH_PREFIX - 1, token->hash) && is_plain(rest) &&
           (size_t)snprintf(token->name, sizeof token->name, "%s", rest) < sizeof token->name;
}

static bool append(struct token_list *list, const struct token *token) {
    if ((list->count & (list->count - 1)) == 0) { // a power of two, or 0: the array is full
        const size_t capacity = list->count == 0 ? 1 : 2 * (size_t)list->count;
        struct token *items = realloc(list->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        list->items = items;
    }
    list->items[list->count++] = *token;
    return true;
}

static enum result read_lines(FILE *file, const char *path, struct token_list *list, struct fault *fault) {
    char line[LINE_BYTES_MAX];
    for (unsigned number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        struct token token;
        const size_t length = strcspn(line, "\r\n");
        if (line[length] == '\0' && length == sizeof line - 1) {
            return fault_set(fault, RESULT_INVALID, "", "%.120s, line %u is too long", path, number);
        }
        line[length] = '\0';
        if (length == 0 || line[0] == '#') {
            continue;
        }
        if (!read_line(line, &token)) {
            return fault_set(fault, RESULT_INVALID, "", "%.120s, line %u must be ID ROLE CREATED sha256:HASH NAME",
                             path, number);
        }
        if (list->count == TOKENS_MAX) {
            return fault_set(fault, RESULT_LIMIT, "", "%.120s: at most %u tokens are taken", path, TOKENS_MAX);
        }
        if (!append(list, &token)) {
            return fault_set(fault, RESULT_MEMORY, "", "out of memory");
        }
    }
    return ferror(file) == 0 ? RESULT_OK
                             : fault_set(fault, RESULT_IO, "", "cannot read %.120s: %s", path, strerror(errno));
}

enum result token_file_read(const char *path, struct token_list *list, struct fault *fault) {
    struct token_list read = {0};
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO would wait for a writer
    if (descriptor >= 0 && (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))) {
        (void)close(descriptor);
        return fault_set(fault, RESULT_IO, "", "cannot read %.160s: it is not a regular file", path);
    }
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (file == NULL) {
        const int error = errno;
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return fault_set(fault, error == ENOENT ? RESULT_NOT_FOUND : RESULT_IO, "", "cannot read %.160s: %s", path,
                         strerror(error));
    }
    const enum result result = read_lines(file, path, &read, fault);
    (void)fclose(file);
    if (result != RESULT_OK) {
        token_list_free(&read);
        return result;
    }
    *list = read;
    return RESULT_OK;
}

void token_list_free(struct token_list *list) {
    free(list->items);
    *list = (struct token_list){0};
}

// ---- tokens ------------------------------------------------------------------------------------------------------

static bool hash_text(const char *text, uint8_t hash[TOKEN_HASH_BYTES]) {
    unsigned bytes = 0;
    return EVP_Digest(text, strlen(text), hash, &bytes, EVP_sha256(), NULL) == 1 && bytes == TOKEN_HASH_BYTES;
}

// All are compared, whichever it is: how long it takes tells nothing.
const struct token *token_find(const struct token_list *list, const char *text) {
    uint8_t hash[TOKEN_HASH_BYTES];
    const struct token *found = NULL;
    if (strlen(text) >= TOKEN_TEXT_MAX || !hash_text(text, hash)) {
        return NULL;
    }
    for (uint32_t at = 0; at < list->count; at++) {
        if (CRYPTO_memcmp(list->items[at].hash, hash, sizeof hash) == 0) {
            found = &list->items[at];
        }
    }
    return found;
}

static bool fill_random(void *bytes, size_t count) {
    return getrandom(bytes, count, 0) == (ssize_t)count;
}

// In the alphabet of RFC 4648, 5, which fits into cookies and shells; 43 letters hold 256 bits.
static bool invent(char text[TOKEN_TEXT_MAX]) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t random[TOKEN_RANDOM_BYTES + 1] = {0};
    if (!fill_random(random, TOKEN_RANDOM_BYTES)) {
        return false;
    }
    size_t at = (size_t)snprintf(text, TOKEN_TEXT_MAX, TOKEN_PREFIX);
    for (size_t bit = 0; bit < (size_t)TOKEN_RANDOM_BYTES * 8; bit += 6) {
        const unsigned pair = (unsigned)random[bit / 8] << 8 | random[bit / 8 + 1];
        text[at++] = letters[pair >> (10 - bit % 8) & 63];
    }
    text[at] = '\0';
    return true;
}

// ---- changing the file -------------------------------------------------------------------------------------------

static void write_token(FILE *file, const struct token *token) {
    (void)fprintf(file, "%s %s %s " HASH_PREFIX, token->id, proto_role_names[token->role], token->created);
    for (size_t at = 0; at < TOKEN_HASH_BYTES; at++) {
        (void)fprintf(file, "%02x", token->hash[at]);
    }
    (void)fprintf(file, " %s\n", token->name);
}

// Beside the file, then into its place.
static enum result write_file(const char *path, const struct token_list *list, struct fault *fault) {
    char fresh[PATH_BYTES_MAX];
    if ((size_t)snprintf(fresh, sizeof fresh, "%s.new", path) >= sizeof fresh) {
        return fault_set(fault, RESULT_INVALID, "", "the path of the tokens is too long");
    }
    const int descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL) {
        return fault_set(fault, RESULT_IO, "", "cannot write %.160s: %s", fresh, strerror(errno));
    }
    (void)fputs(head, file);
    for (uint32_t at = 0; at < list->count; at++) {
        write_token(file, &list->items[at]);
    }
    const bool written = fflush(file) == 0 && ferror(file) == 0 && fsync(fileno(file)) == 0;
    const int error = errno;
    if (fclose(file) != 0 || !written || rename(fresh, path) != 0) {
        (void)unlink(fresh);
        return fault_set(fault, RESULT_IO, "", "cannot write %.160s: %s", path, strerror(written ? errno : error));
    }
    return RESULT_OK;
}

// A file of its own is locked, because the tokens' is replaced.
static int lock(const char *path, struct fault *fault) {
    char name[PATH_BYTES_MAX];
    (void)snprintf(name, sizeof name, "%s.lock", path);
    const int descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0) {
        (void)fault_set(fault, RESULT_IO, "", "cannot lock %.160s: %s", name, strerror(errno));
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return -1;
    }
    return descriptor;
}

static enum result fill(struct token *token, enum proto_role role, const char *name, char text[TOKEN_TEXT_MAX],
                        struct fault *fault) {
    uint32_t id = 0;
    const time_t now = time(NULL);
    struct tm utc;
    *token = (struct token){.role = role};
    if (!is_plain(name) || (size_t)snprintf(token->name, sizeof token->name, "%s", name) >= sizeof token->name) {
        return fault_set(
            fault, RESULT_INVALID, "",
            "a token's name has at most %d bytes of UTF-8 without control, invisible or direction-changing characters",
            TOKEN_NAME_MAX - 1);
    }
    if (!fill_random(&id, sizeof id) || !invent(text) || !hash_text(text, token->hash) ||
        gmtime_r(&now, &utc) == NULL ||
        strftime(token->created, sizeof token->created, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        return fault_set(fault, RESULT_IO, "", "the system gives no random bytes");
    }
    (void)snprintf(token->id, sizeof token->id, "%08x", id);
    return RESULT_OK;
}

enum result token_make(const char *path, enum proto_role role, const char *name, char text[TOKEN_TEXT_MAX],
                       struct token *made, struct fault *fault) {
    struct token token;
    struct token_list list = {0};
    char invented[TOKEN_TEXT_MAX];
    enum result result = fill(&token, role, name, invented, fault);
    const int locked = result == RESULT_OK ? lock(path, fault) : -1;
    if (locked < 0) {
        return result == RESULT_OK ? RESULT_IO : result;
    }
    result = token_file_read(path, &list, fault);
    result = result == RESULT_NOT_FOUND ? RESULT_OK : result;
    if (result == RESULT_OK && list.count == TOKENS_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "%.120s: at most %u tokens are taken", path, TOKENS_MAX);
    } else if (result == RESULT_OK && !append(&list, &token)) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    if (result == RESULT_OK) {
        result = write_file(path, &list, fault);
    }
    token_list_free(&list);
    (void)close(locked);
    if (result == RESULT_OK) {
        *made = token;
        memcpy(text, invented, sizeof invented);
    }
    return result;
}

// Where the token of that id stands; the number of tokens when there is none.
static uint32_t find_id(const struct token_list *list, const char *id) {
    for (uint32_t at = 0; at < list->count; at++) {
        if (strcmp(list->items[at].id, id) == 0) {
            return at;
        }
    }
    return list->count;
}

static enum result remove_token(const char *path, struct token_list *list, const char *id, struct token *revoked,
                                struct fault *fault) {
    const uint32_t at = find_id(list, id);
    if (list->items == NULL || at == list->count) {
        return fault_set(fault, RESULT_NOT_FOUND, "",
                         "%.120s has no token with the id \"%.20s\": see weftctl token list", path, id);
    }
    const struct token gone = list->items[at];
    memmove(list->items + at, list->items + at + 1, (list->count - at - 1) * sizeof *list->items);
    list->count--;
    const enum result result = write_file(path, list, fault);
    if (result == RESULT_OK) {
        *revoked = gone;
    }
    return result;
}

enum result token_revoke(const char *path, const char *id, struct token *revoked, struct fault *fault) {
    struct token_list list = {0};
    const int locked = lock(path, fault);
    if (locked < 0) {
        return RESULT_IO;
    }
    enum result result = token_file_read(path, &list, fault);
    if (result == RESULT_OK) {
        result = remove_token(path, &list, id, revoked, fault);
    }
    token_list_free(&list);
    (void)close(locked);
    return result;
}
