// SPDX-License-Identifier: MIT
#include "net/parse/path.h"

#include <string.h>
#include <strings.h>

// The value of a hexadecimal digit, or 16.
static unsigned hex_value(char digit) {
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *found = memchr(digits, digit, sizeof digits - 1);
    const unsigned value = found == NULL ? 22 : (unsigned)(found - digits);
    return value < 16 ? value : value < 22 ? value - 6 : 16;
}

// Removes the last segment of `out` when it is ".", and with the one before when it is "..". Returns the new end.
static size_t fold_segment(const char *out, size_t end) {
    size_t start = end;
    while (start > 0 && out[start - 1] != '/') {
        start--;
    }
    const size_t length = end - start;
    if (length == 1 && out[start] == '.') {
        return start;
    }
    if (length != 2 || out[start] != '.' || out[start + 1] != '.') {
        return end;
    }
    if (start > 1) {
        start--;
        while (start > 0 && out[start - 1] != '/') {
            start--;
        }
    }
    return start;
}

bool path_decode(const char *path, size_t length, char *out, size_t size) {
    size_t end = 0;
    for (size_t at = 0; at < length; at++) {
        char letter = path[at];
        if (letter == '%' && at + 2 < length) {
            const unsigned high = hex_value(path[at + 1]);
            const unsigned low = hex_value(path[at + 2]);
            if (high < 16 && low < 16) {
                letter = (char)(high << 4 | low);
                at += 2;
            }
        }
        if (letter == '/' && end > 0) {
            end = fold_segment(out, end);
            if (out[end - 1] == '/') {
                continue;
            }
        }
        if (end + 1 >= size || letter == '\0') {
            return false;
        }
        out[end++] = letter;
    }
    end = fold_segment(out, end);
    out[end] = '\0';
    return true;
}

// Whether a segment is what a package manager leaves beside a page: it lists the installed packages.
static bool is_of_package_manager(const char *segment, size_t length) {
    static const char *const names[] = {"node_modules", "package.json",   "package-lock.json", "npm-shrinkwrap.json",
                                        "yarn.lock",    "pnpm-lock.yaml", "bun.lockb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strlen(names[i]) == length && strncasecmp(segment, names[i], length) == 0) {
            return true;
        }
    }
    return false;
}

bool path_names_file(const char *path) {
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f || *at == '\\' || *at == '%') {
            return false;
        }
        if (*at != '/') {
            continue;
        }
        const size_t length = strcspn(at + 1, "/");
        if (length == 0 || at[1] == '.' || is_of_package_manager(at + 1, length)) {
            return false;
        }
    }
    return path[0] == '/';
}
