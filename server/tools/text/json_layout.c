// SPDX-License-Identifier: MIT
#include "tools/text/json_layout.h"

#include <string.h>

// A container of plain values that fits into so many bytes stays on one line; longer arrays of plain values fill lines
// up to that length.
#define LAYOUT_LINE_MAX 100u

// An empty container counts as a plain value.
static bool is_container(struct json_slice value) {
    return (*value.text == '{' || *value.text == '[') && value.length > 2;
}

static void write_slice(FILE *out, struct json_slice slice) {
    (void)fwrite(slice.text, 1, slice.length, out);
}

static void start_line(FILE *out, unsigned depth) {
    (void)fprintf(out, "\n%*s", (int)(2 * depth), "");
}

// Reads little more than LAYOUT_LINE_MAX bytes, so that the time for a text stays linear.
static bool fits_one_line(struct json_slice container) {
    size_t at = 0, total = 0;
    struct json_slice name, value;
    while (total <= LAYOUT_LINE_MAX && json_next(container, &at, &name, &value)) {
        if (is_container(value)) {
            return false;
        }
        total += name.length + value.length + 2;
    }
    return total <= LAYOUT_LINE_MAX;
}

static void write_one_line(FILE *out, struct json_slice container) {
    size_t at = 0;
    struct json_slice name, value;
    (void)fputc(*container.text, out);
    for (bool first = true; json_next(container, &at, &name, &value); first = false) {
        (void)fputs(first ? "" : ", ", out);
        if (name.length > 0) {
            write_slice(out, name);
            (void)fputs(": ", out);
        }
        write_slice(out, value);
    }
    (void)fputc(container.text[container.length - 1], out);
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by JSON_DEPTH_MAX
static void write_value(FILE *out, struct json_slice value, unsigned depth) {
    if (!is_container(value)) {
        write_slice(out, value);
        return;
    }
    if (fits_one_line(value)) {
        write_one_line(out, value);
        return;
    }
    size_t at = 0, column = 0;
    bool first = true, row = false;
    struct json_slice name, element;
    (void)fputc(*value.text, out);
    for (; json_next(value, &at, &name, &element); first = false) {
        bool plain = name.length == 0 && !is_container(element);
        bool joins = row && plain && column + element.length + 2 <= LAYOUT_LINE_MAX;
        (void)fputs(first ? "" : joins ? ", " : ",", out);
        if (!joins) {
            start_line(out, depth + 1);
            column = 0;
        }
        if (name.length > 0) {
            write_slice(out, name);
            (void)fputs(": ", out);
        }
        write_value(out, element, depth + 1);
        column += element.length + 2;
        row = plain;
    }
    start_line(out, depth);
    (void)fputc(value.text[value.length - 1], out);
}

void json_write_indented(FILE *out, struct json_slice value) {
    write_value(out, value, 0);
}

void json_write_compact(FILE *out, struct json_slice value) {
    const char *end = value.text + value.length, *run = value.text;
    bool in_string = false;
    for (const char *at = value.text; at < end; at++) {
        if (in_string && *at == '\\') {
            at++; // the byte after it cannot end the string
        } else if (*at == '"') {
            in_string = !in_string;
        } else if (!in_string && memchr(" \t\r\n", *at, 4) != NULL) {
            (void)fwrite(run, 1, (size_t)(at - run), out);
            run = at + 1;
        }
    }
    (void)fwrite(run, 1, (size_t)(end - run), out);
}
