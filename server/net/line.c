// SPDX-License-Identifier: MIT
// Lines: found by their descriptor, and as long as they are no WebSockets, by their age.
#include <stdlib.h>
#include <string.h>

#include "net/net_internal.h"

static bool reserve_place(struct net_server *server, int descriptor) {
    const size_t needed = (size_t)descriptor + 1;
    if (needed <= server->lines_capacity)
        return true;
    const size_t capacity = needed < 1024 ? 1024 : needed * 2;
    struct line **lines = realloc(server->lines, capacity * sizeof(struct line *));
    if (lines == NULL)
        return false;
    memset(lines + server->lines_capacity, 0, (capacity - server->lines_capacity) * sizeof(struct line *));
    server->lines = lines;
    server->lines_capacity = capacity;
    return true;
}

// ---- guests
// ----------------------------------------------------------------------------------------------------------

static void unlink_guest(struct line *line) {
    struct net_server *server = line->server;
    if (!line->guest)
        return;
    if (line->older != NULL)
        line->older->newer = line->newer;
    else
        server->oldest_guest = line->newer;
    if (line->newer != NULL)
        line->newer->older = line->older;
    else
        server->newest_guest = line->older;
    line->older = line->newer = NULL;
    line->guest = false;
    server->guests--;
}

static void link_guest(struct line *line) {
    struct net_server *server = line->server;
    line->since_us = lws_now_usecs();
    line->older = server->newest_guest;
    if (line->older != NULL)
        line->older->newer = line;
    else
        server->oldest_guest = line;
    server->newest_guest = line;
    line->guest = true;
    server->guests++;
}

void line_renew(struct line *line) {
    if (!line->guest)
        return;
    unlink_guest(line);
    link_guest(line);
}

void line_seat(struct line *line) {
    unlink_guest(line);
    free(line->bytes);
    line->bytes = NULL;
    line->length = line->capacity = 0;
    line->head = (struct head){0};
}

static void uncount(struct line *line) {
    line->server->unfinished_bytes -= line->unfinished;
    line->unfinished = 0;
}

void line_drop_body(struct line *line) {
    char *head = realloc(line->bytes, line->head.length);
    if (head != NULL) {
        line->bytes = head;
        line->capacity = line->head.length;
        line->head.text = head;
    }
    uncount(line);
}

void line_answered(struct line *line) {
    line->answering = false;
    line_renew(line);
}

// ---- life
// ------------------------------------------------------------------------------------------------------------

struct line *line_create(struct net_server *server, int descriptor, struct address_count *origin) {
    struct line *line = calloc(1, sizeof *line);
    if (line == NULL || !reserve_place(server, descriptor)) {
        free(line);
        return NULL;
    }
    line->server = server;
    line->descriptor = descriptor;
    line->origin = origin;
    line->awaited = true;
    link_guest(line);
    server->lines[descriptor] = line;
    server->line_count++;
    return line;
}

void line_destroy(struct line *line) {
    if (line == NULL)
        return;
    struct net_server *server = line->server;
    unlink_guest(line);
    wire_forget(line);
    accept_forget(line->origin);
    if (server->lines[line->descriptor] == line)
        server->lines[line->descriptor] = NULL;
    server->line_count--;
    uncount(line);
    free(line->bytes);
    free(line->walk.close);
    free(line);
}

struct line *line_of(struct lws *wsi) {
    return lws_get_opaque_user_data(wsi);
}

void line_kill(struct line *line) {
    line->phase = LINE_DEAF;
    line->killed = true;
    if (line->wsi != NULL)
        lws_set_timeout(line->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

bool line_field(const struct line *line, const char *name, char *value, size_t size) {
    size_t length = 0;
    const char *found = line->head.text == NULL ? NULL : head_field(&line->head, name, &length);
    if (found == NULL || length >= size)
        return false;
    memcpy(value, found, length);
    value[length] = '\0';
    return true;
}
