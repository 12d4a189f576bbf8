// SPDX-License-Identifier: MIT
// The thread waits for the file and for the request to stop, and cuts what it reads into lines. It is no job thread
// (base/job_thread.h): it fills the queue instead of emptying it, and must be woken from poll().
#include "tools/text/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LINE_AHEAD_MAX 256u
#define LINE_READ_BYTES 65536u

struct line_reader {
    int handle, stop; // `stop`: an eventfd, readable when the thread is to end
    void (*wake)(void *user);
    void *user;
    pthread_t thread;
    pthread_mutex_t mutex; // guards the members from here to `error`
    pthread_cond_t room;
    struct line queue[LINE_AHEAD_MAX];
    size_t first, count;
    bool ended, stopping;
    int error;
    struct line next; // the line being read; only the thread uses it
    size_t capacity;
};

// Adds the line that was read to the queue; waits while the queue is full. Returns false when the thread is to end.
static bool push_line(struct line_reader *lines) {
    if (lines->next.length > 0 && lines->next.text[lines->next.length - 1] == '\r') {
        lines->next.length--;
    }
    lines->next.text[lines->next.length] = '\0';
    lines->next.number++;
    (void)pthread_mutex_lock(&lines->mutex);
    while (lines->count == LINE_AHEAD_MAX && !lines->stopping) {
        (void)pthread_cond_wait(&lines->room, &lines->mutex);
    }
    bool going = !lines->stopping;
    if (going) {
        lines->queue[(lines->first + lines->count++) % LINE_AHEAD_MAX] = lines->next;
        lines->next = (struct line){NULL, 0, lines->next.number};
        lines->capacity = 0;
    }
    (void)pthread_mutex_unlock(&lines->mutex);
    lines->wake(lines->user);
    return going;
}

// Makes room for so many more bytes and the terminator. Returns 0 or an errno.
static int reserve(struct line_reader *lines, size_t more) {
    size_t needed = lines->next.length + more + 1;
    if (needed <= lines->capacity) {
        return 0;
    }
    if (needed > LINE_LENGTH_MAX) {
        return EFBIG;
    }
    size_t capacity = needed + needed / 2;
    char *grown = realloc(lines->next.text, capacity);
    if (grown == NULL) {
        return ENOMEM;
    }
    lines->next.text = grown;
    lines->capacity = capacity;
    return 0;
}

// Cuts bytes into lines. Returns false when the thread is to end; `*error` is an errno if an error is the reason.
static bool cut_lines(struct line_reader *lines, const char *bytes, size_t length, int *error) {
    while (length > 0) {
        const char *end = memchr(bytes, '\n', length);
        size_t part = end == NULL ? length : (size_t)(end - bytes);
        *error = reserve(lines, part);
        if (*error != 0) {
            return false;
        }
        memcpy(lines->next.text + lines->next.length, bytes, part);
        lines->next.length += part;
        if (end == NULL) {
            return true;
        }
        if (!push_line(lines)) {
            return false;
        }
        bytes += part + 1;
        length -= part + 1;
    }
    return true;
}

// Reads to the end of the file; the last line needs no newline. Returns 0 or an errno.
static int read_lines(struct line_reader *lines) {
    static _Thread_local char bytes[LINE_READ_BYTES];
    for (;;) {
        struct pollfd waited[2] = {{.fd = lines->handle, .events = POLLIN}, {.fd = lines->stop, .events = POLLIN}};
        if (poll(waited, 2, -1) < 0 && errno != EINTR) {
            return errno;
        }
        if (waited[1].revents != 0) {
            return 0;
        }
        ssize_t got = waited[0].revents == 0 ? -1 : read(lines->handle, bytes, sizeof bytes);
        if (got < 0) {
            if (waited[0].revents == 0 || errno == EINTR || errno == EAGAIN) {
                continue;
            }
            return errno;
        }
        if (got == 0) {
            if (lines->next.length > 0) {
                (void)push_line(lines);
            }
            return 0;
        }
        int error = 0;
        if (!cut_lines(lines, bytes, (size_t)got, &error)) {
            return error;
        }
    }
}

static void *run_thread(void *argument) {
    struct line_reader *lines = argument;
    int error = read_lines(lines);
    (void)pthread_mutex_lock(&lines->mutex);
    lines->ended = true;
    lines->error = error;
    (void)pthread_mutex_unlock(&lines->mutex);
    lines->wake(lines->user);
    return NULL;
}

struct line_reader *line_reader_create(int handle, void (*wake)(void *user), void *user) {
    struct line_reader *lines = calloc(1, sizeof *lines);
    if (lines == NULL) {
        return NULL;
    }
    lines->handle = handle;
    lines->wake = wake;
    lines->user = user;
    lines->stop = eventfd(0, EFD_CLOEXEC);
    (void)pthread_mutex_init(&lines->mutex, NULL);
    (void)pthread_cond_init(&lines->room, NULL);
    if (lines->stop < 0 || pthread_create(&lines->thread, NULL, run_thread, lines) != 0) {
        if (lines->stop >= 0) {
            (void)close(lines->stop);
        }
        free(lines);
        return NULL;
    }
    return lines;
}

enum line_state line_reader_take(struct line_reader *lines, struct line *line) {
    (void)pthread_mutex_lock(&lines->mutex);
    enum line_state state = LINE_TAKEN;
    if (lines->count > 0) {
        *line = lines->queue[lines->first];
        lines->first = (lines->first + 1) % LINE_AHEAD_MAX;
        lines->count--;
        (void)pthread_cond_signal(&lines->room);
    } else if (!lines->ended) {
        state = LINE_WAIT;
    } else {
        state = lines->error == 0 ? LINE_END : LINE_FAILED;
    }
    (void)pthread_mutex_unlock(&lines->mutex);
    return state;
}

int line_reader_error(const struct line_reader *lines) {
    return lines->error;
}

void line_reader_destroy(struct line_reader *lines) {
    if (lines == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&lines->mutex);
    lines->stopping = true;
    (void)pthread_cond_signal(&lines->room);
    (void)pthread_mutex_unlock(&lines->mutex);
    (void)eventfd_write(lines->stop, 1);
    (void)pthread_join(lines->thread, NULL);
    while (lines->count > 0) {
        free(lines->queue[lines->first].text);
        lines->first = (lines->first + 1) % LINE_AHEAD_MAX;
        lines->count--;
    }
    free(lines->next.text);
    (void)pthread_cond_destroy(&lines->room);
    (void)pthread_mutex_destroy(&lines->mutex);
    (void)close(lines->stop);
    (void)close(lines->handle);
    free(lines);
}
