// SPDX-License-Identifier: MIT
// Names are compared in lower case without separators, by the optimal string alignment distance (insertions, deletions,
// substitutions and swaps of neighbours). A name is near when at most one character in four differs.
#include "proto/message/suggest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define FOLDED_MAX (PROTO_SUGGEST_LENGTH_MAX + 1)

static bool is_separator(char c) {
    return c == '.' || c == '_' || c == '-' || c == ' ' || c == '/' || c == ':';
}

// Copies `length` characters of `name` in lower case without separators; returns how many were written.
static size_t fold(const char *name, size_t length, char *out) {
    size_t folded = 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_separator(name[i])) {
            bool capital = name[i] >= 'A' && name[i] <= 'Z';
            out[folded++] = (char)(name[i] | (capital ? 0x20 : 0));
        }
    }
    out[folded] = '\0';
    return folded;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    uint32_t rows[3][FOLDED_MAX + 1];
    uint32_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++) {
        above[j] = (uint32_t)j;
        before[j] = 0;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            uint32_t change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        uint32_t *spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[b_length];
}

void proto_suggest(struct proto_suggestion *best, const char *got, const char *known) {
    size_t got_length = strlen(got), known_length = strlen(known);
    if (got_length > PROTO_SUGGEST_LENGTH_MAX || known_length > PROTO_SUGGEST_LENGTH_MAX) {
        return;
    }
    char folded_got[FOLDED_MAX], folded_known[FOLDED_MAX], turned[FOLDED_MAX];
    got_length = fold(got, got_length, folded_got);
    size_t folded_length = fold(known, known_length, folded_known);
    uint32_t found = distance(folded_got, got_length, folded_known, folded_length);
    const char *dot = strchr(known, '.');
    if (dot != NULL) {
        size_t verb = fold(dot + 1, strlen(dot + 1), turned);
        fold(known, (size_t)(dot - known), turned + verb);
        found = least(found, distance(folded_got, got_length, turned, folded_length));
    }
    uint32_t allowed = folded_length < 4 ? 1 : (uint32_t)folded_length / 4;
    if (found > allowed || found >= folded_length || (best->name != NULL && found >= best->distance)) {
        return;
    }
    best->name = known;
    best->distance = found;
}
