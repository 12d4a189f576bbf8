// SPDX-License-Identifier: MIT
// One pass over the text (RFC 8259), without allocations, to a limited depth.
#include "tools/text/json_slice.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/utf8.h"

// A text being read. `at` never passes `end`; after a failure it is where the text is wrong.
struct scanner {
    const char *at, *end;
};

static bool scan_value(struct scanner *scanner, unsigned depth);

static void skip_space(struct scanner *scanner) {
    while (scanner->at < scanner->end && memchr(" \t\r\n", *scanner->at, 4) != NULL) {
        scanner->at++;
    }
}

static bool take(struct scanner *scanner, char wanted) {
    if (scanner->at == scanner->end || *scanner->at != wanted) {
        return false;
    }
    scanner->at++;
    return true;
}

static bool take_word(struct scanner *scanner, const char *word) {
    for (; *word != '\0'; word++) {
        if (!take(scanner, *word)) {
            return false;
        }
    }
    return true;
}

static bool take_digits(struct scanner *scanner) {
    const char *first = scanner->at;
    while (scanner->at < scanner->end && *scanner->at >= '0' && *scanner->at <= '9') {
        scanner->at++;
    }
    return scanner->at > first;
}

static bool scan_number(struct scanner *scanner) {
    (void)take(scanner, '-');
    if (!take(scanner, '0') && !take_digits(scanner)) {
        return false;
    }
    if (take(scanner, '.') && !take_digits(scanner)) {
        return false;
    }
    if (take(scanner, 'e') || take(scanner, 'E')) {
        if (!take(scanner, '+')) {
            (void)take(scanner, '-');
        }
        return take_digits(scanner);
    }
    return true;
}

static bool scan_escape(struct scanner *scanner) {
    if (scanner->at == scanner->end) {
        return false;
    }
    if (take(scanner, 'u')) {
        for (int digit = 0; digit < 4; digit++) {
            if (scanner->at == scanner->end || memchr("0123456789abcdefABCDEF", *scanner->at, 22) == NULL) {
                return false;
            }
            scanner->at++;
        }
        return true;
    }
    if (memchr("\"\\/bfnrt", *scanner->at, 8) == NULL) {
        return false;
    }
    scanner->at++;
    return true;
}

static bool scan_string(struct scanner *scanner) {
    if (!take(scanner, '"')) {
        return false;
    }
    while (scanner->at < scanner->end) {
        unsigned char byte = (unsigned char)*scanner->at;
        if (byte == '"') {
            scanner->at++;
            return true;
        }
        if (byte < 0x20) {
            return false;
        }
        if (byte >= 0x80) {
            size_t bytes = utf8_read(scanner->at, (size_t)(scanner->end - scanner->at), NULL);
            if (bytes == 0) {
                return false;
            }
            scanner->at += bytes;
            continue;
        }
        scanner->at++;
        if (byte == '\\' && !scan_escape(scanner)) {
            return false;
        }
    }
    return false;
}

static bool scan_members(struct scanner *scanner, char close, bool named, unsigned depth) {
    skip_space(scanner);
    if (take(scanner, close)) {
        return true;
    }
    do {
        skip_space(scanner);
        if (named) {
            if (!scan_string(scanner)) {
                return false;
            }
            skip_space(scanner);
            if (!take(scanner, ':')) {
                return false;
            }
        }
        skip_space(scanner);
        if (!scan_value(scanner, depth)) {
            return false;
        }
        skip_space(scanner);
    } while (take(scanner, ','));
    return take(scanner, close);
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by JSON_DEPTH_MAX
static bool scan_value(struct scanner *scanner, unsigned depth) {
    if (scanner->at == scanner->end) {
        return false;
    }
    switch (*scanner->at) {
    case '{':
    case '[': {
        bool named = *scanner->at == '{';
        if (depth == JSON_DEPTH_MAX) {
            return false;
        }
        scanner->at++;
        return scan_members(scanner, named ? '}' : ']', named, depth + 1);
    }
    case '"':
        return scan_string(scanner);
    case 't':
        return take_word(scanner, "true");
    case 'f':
        return take_word(scanner, "false");
    case 'n':
        return take_word(scanner, "null");
    default:
        return scan_number(scanner);
    }
}

enum json_verdict json_check(const char *text, size_t length, struct json_slice *value, size_t *wrong) {
    struct scanner scanner = {text, text + length};
    skip_space(&scanner);
    const char *first = scanner.at;
    bool fits = scan_value(&scanner, 0);
    struct json_slice found = {first, (size_t)(scanner.at - first)};
    if (fits) {
        skip_space(&scanner);
        if (scanner.at == scanner.end) {
            if (value != NULL) {
                *value = found;
            }
            return JSON_VALID;
        }
    }
    if (wrong != NULL) {
        *wrong = (size_t)(scanner.at - text);
    }
    return scanner.at == scanner.end ? JSON_UNFINISHED : JSON_BROKEN;
}

bool json_next(struct json_slice container, size_t *at, struct json_slice *name, struct json_slice *value) {
    struct scanner scanner = {container.text + *at, container.text + container.length};
    bool named = *container.text == '{';
    if (scanner.at == scanner.end || (!named && *container.text != '[')) {
        return false;
    }
    scanner.at++; // the opening bracket, later a comma
    skip_space(&scanner);
    if (scanner.at == scanner.end || *scanner.at == '}' || *scanner.at == ']') {
        return false;
    }
    *name = (struct json_slice){scanner.at, 0};
    if (named) {
        (void)scan_string(&scanner);
        name->length = (size_t)(scanner.at - name->text);
        skip_space(&scanner);
        (void)take(&scanner, ':');
        skip_space(&scanner);
    }
    value->text = scanner.at;
    (void)scan_value(&scanner, 0);
    value->length = (size_t)(scanner.at - value->text);
    skip_space(&scanner);
    *at = (size_t)(scanner.at - container.text);
    return true;
}

bool json_is(struct json_slice slice, const char *text) {
    return strlen(text) == slice.length && memcmp(slice.text, text, slice.length) == 0;
}

bool json_member(struct json_slice object, const char *name, struct json_slice *value) {
    size_t at = 0;
    struct json_slice key, found;
    if (object.length == 0 || *object.text != '{') {
        return false;
    }
    while (json_next(object, &at, &key, &found)) {
        if (key.length == strlen(name) + 2 && memcmp(key.text + 1, name, key.length - 2) == 0) {
            *value = found;
            return true;
        }
    }
    return false;
}

char *json_string(struct json_slice slice) {
    cJSON *parsed = cJSON_ParseWithLength(slice.text, slice.length);
    char *text = cJSON_IsString(parsed) ? strdup(parsed->valuestring) : NULL;
    cJSON_Delete(parsed);
    return text;
}
