// SPDX-License-Identifier: MIT
// The head of an HTTP request, as it comes in pieces, its fields, and what is served at its path.
#include "fuzz.h"

#include <string.h>

#include "host/status/document.h"
#include "net/parse/head.h"
#include "net/parse/path.h"

// Byte by byte the end is found where it is found at once.
static void check_end(const char *text, size_t length, size_t end) {
    size_t seen = 0;
    for (size_t have = 1; have <= length && have <= end + 8; have++) {
        const size_t found = head_end(text, have, seen);
        FUZZ_CHECK(found == (end != 0 && have >= end ? end : 0));
        seen = have;
        if (found != 0) {
            return;
        }
    }
}

static void look_for(const struct head *head, const char *name) {
    size_t length = 0;
    const char *value = head_field(head, name, &length);
    FUZZ_CHECK(value == NULL || (value >= head->text && value + length <= head->text + head->length));
    for (size_t i = 0; value != NULL && i < length; i++) {
        FUZZ_CHECK(value[i] != '\r' && value[i] != '\n' && value[i] != '\0');
    }
}

static void ask_for_path(const struct head *head) {
    static const struct document_sources nothing = {0};
    const char *target = memchr(head->text, ' ', head->length);
    const char *end = target == NULL ? NULL : memchr(target + 1, ' ', head->length - (size_t)(target + 1 - head->text));
    const char *content_type = NULL;
    int status = 0;
    FUZZ_CHECK(target != NULL && end != NULL && target[1] == '/');
    char *path = strndup(target + 1, (size_t)(end - target - 1));
    FUZZ_CHECK(path != NULL);
    message_release(document_build(&nothing, path, &content_type, &status));
    free(path);
}

// No path leads out of the web root, or to a file whose name begins with a dot.
static void check_path(const struct head *head) {
    char path[512];
    size_t length = 0;
    const char *target = head_path(head, &length);
    if (path_decode(target, length, path, sizeof path) && path_names_file(path)) {
        FUZZ_CHECK(path[0] == '/' && strstr(path, "/.") == NULL && strstr(path, "//") == NULL);
    }
}

void fuzz_head(const uint8_t *data, size_t size) {
    char *text = malloc(size + (size == 0 ? 1 : 0)); // of its very length
    struct refusal refusal = {0};
    struct head head = {0};
    FUZZ_CHECK(text != NULL);
    memcpy(text, data, size);
    const size_t end = head_end(text, size, 0);
    FUZZ_CHECK(end <= size);
    check_end(text, size, end);
    (void)head_may_begin(text, size, &refusal);
    if (end != 0) {
        refusal = (struct refusal){0};
        head_read(text, end, &head, &refusal);
        FUZZ_CHECK(refusal.status == 0 || (refusal.status >= 400 && refusal.status < 600));
        if (refusal.status == 0) {
            FUZZ_CHECK(head.body_length <= 9999999999u);
            look_for(&head, "host");
            look_for(&head, "origin");
            look_for(&head, "cookie");
            look_for(&head, "sec-websocket-key");
            ask_for_path(&head);
            check_path(&head);
        }
    }
    free(text);
}

FUZZ_ENTRY(fuzz_head)
