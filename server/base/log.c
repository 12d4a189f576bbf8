// SPDX-License-Identifier: MIT
// The log: what is folded, and how lines leave. All state but level and format is under one mutex, which is held for as
// long as it takes to copy a line. The log's thread copies what waits and writes it without the mutex.
#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log_line.h"

#define FOLDS 64u // places that may be folded at the same time; the one seen longest ago gives way
#define FOLD_NS 1000000000u
#define FOLD_TEXT_MAX 256
#define STOP_NS 1000000000u

static const char *const format_names[LOG_FORMAT_COUNT] = {[LOG_FORMAT_TEXT] = "text", [LOG_FORMAT_JSON] = "json"};

static _Atomic(enum log_level) current_level = LOG_LEVEL_INFO;
static _Atomic(enum log_format) current_format = LOG_FORMAT_TEXT;

// Where entries come from, and what this second's are.
struct fold {
    const void *place; // a literal: the format, or a deed's method; NULL: unused
    uint64_t session;  // of a deed
    enum log_level level;
    const char *area;
    uint64_t since_ns;
    uint32_t written;
    uint64_t folded;
    bool is_deed;
    struct log_deed deed; // the last one, name and world below
    char name[LOG_NAME_MAX], world[LOG_NAME_MAX];
    char text[FOLD_TEXT_MAX];
};

static struct {
    pthread_mutex_t mutex; // guards all below
    pthread_cond_t changed;
    struct fold folds[FOLDS];
    uint32_t folding; // of them with something folded
    struct log_figures figures;
    uint64_t untold; // of the lost
    bool started, stopping, idle;
    pthread_t thread;
    size_t head, length; // in `buffer`, a ring
    char buffer[LOG_BUFFER_BYTES];
} state = {.mutex = PTHREAD_MUTEX_INITIALIZER};

void log_set_level(enum log_level level) {
    atomic_store_explicit(&current_level, level, memory_order_relaxed);
}

void log_set_format(enum log_format format) {
    atomic_store_explicit(&current_format, format, memory_order_relaxed);
}

enum result log_level_parse(const char *text, enum log_level *level) {
    for (enum log_level i = LOG_LEVEL_ERROR; i < LOG_LEVEL_COUNT; i++) {
        if (strcmp(text, log_level_name(i)) == 0) {
            *level = i;
            return RESULT_OK;
        }
    }
    return RESULT_INVALID;
}

enum result log_format_parse(const char *text, enum log_format *format) {
    for (enum log_format i = LOG_FORMAT_TEXT; i < LOG_FORMAT_COUNT; i++) {
        if (strcmp(text, format_names[i]) == 0) {
            *format = i;
            return RESULT_OK;
        }
    }
    return RESULT_INVALID;
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// ---- lines out (the mutex is held) -------------------------------------------------------------------------------

static void append(const char *bytes, size_t length) {
    const size_t tail = (state.head + state.length) % LOG_BUFFER_BYTES;
    const size_t first = length < LOG_BUFFER_BYTES - tail ? length : LOG_BUFFER_BYTES - tail;
    memcpy(state.buffer + tail, bytes, first);
    memcpy(state.buffer, bytes + first, length - first);
    state.length += length;
}

static void put_line(const struct log_entry *entry) {
    char line[LOG_LINE_MAX];
    const size_t length = log_line_build(line, atomic_load_explicit(&current_format, memory_order_relaxed), entry);
    state.figures.written++;
    if (!state.started) {
        // A log that cannot be written has nobody left to tell.
        ssize_t ignored = write(STDERR_FILENO, line, length);
        (void)ignored;
    } else if (length <= LOG_BUFFER_BYTES - state.length) {
        append(line, length);
        pthread_cond_broadcast(&state.changed);
    } else {
        state.figures.lost++;
        state.untold++;
    }
}

// ---- folding (the mutex is held) ---------------------------------------------------------------------------------

static void put_folded(struct fold *fold) {
    if (fold->folded == 0) {
        return;
    }
    fold->deed.name = fold->name;
    fold->deed.world = fold->world;
    put_line(&(struct log_entry){.level = fold->level,
                                 .area = fold->area,
                                 .text = fold->text,
                                 .deed = fold->is_deed ? &fold->deed : NULL,
                                 .repeated = fold->folded});
    fold->folded = 0;
    state.folding--;
}

static void put_all_folded(uint64_t before_ns) {
    for (uint32_t i = 0; i < FOLDS && state.folding > 0; i++) {
        if (state.folds[i].folded > 0 && state.folds[i].since_ns + FOLD_NS <= before_ns) {
            put_folded(&state.folds[i]);
            state.folds[i].place = NULL;
        }
    }
}

static struct fold *find_fold(const void *place, uint64_t session, uint64_t at_ns) {
    struct fold *chosen = &state.folds[0];
    for (uint32_t i = 0; i < FOLDS; i++) {
        struct fold *fold = &state.folds[i];
        if (fold->place == place && fold->session == session) {
            chosen = fold;
            break;
        }
        if (fold->place == NULL || (chosen->place != NULL && fold->since_ns < chosen->since_ns)) {
            chosen = fold;
        }
    }
    if (chosen->place != place || chosen->session != session || chosen->since_ns + FOLD_NS <= at_ns) {
        put_folded(chosen);
        chosen->place = place;
        chosen->session = session;
        chosen->since_ns = at_ns;
        chosen->written = 0;
    }
    return chosen;
}

// Cut where a character ends.
static void copy_cut(char *out, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) {
            length--;
        }
    }
    memcpy(out, text, length);
    out[length] = '\0';
}

static void put_entry(const void *place, const struct log_entry *entry) {
    const uint64_t at_ns = now_ns();
    pthread_mutex_lock(&state.mutex);
    struct fold *fold = find_fold(place, entry->deed != NULL ? entry->deed->session : 0, at_ns);
    if (fold->written < LOG_FOLD_BURST) {
        fold->written++;
        put_line(entry);
    } else {
        state.figures.folded++;
        state.folding += fold->folded++ == 0;
        fold->level = entry->level;
        fold->area = entry->area;
        fold->is_deed = entry->deed != NULL;
        if (entry->deed != NULL) {
            fold->deed = *entry->deed;
            copy_cut(fold->name, sizeof fold->name, entry->deed->name);
            copy_cut(fold->world, sizeof fold->world, entry->deed->world);
        } else {
            copy_cut(fold->text, sizeof fold->text, entry->text);
        }
    }
    pthread_mutex_unlock(&state.mutex);
}

void log_write(enum log_level level, const char *area, const char *format, ...) {
    if (level > atomic_load_explicit(&current_level, memory_order_relaxed))
        return;
    char text[LOG_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (written >= 0)
        put_entry(format, &(struct log_entry){.level = level, .area = area, .text = text});
}

void log_deed(const struct log_deed *deed) {
    if (atomic_load_explicit(&current_level, memory_order_relaxed) < LOG_LEVEL_INFO)
        return;
    struct log_deed cut = *deed;
    char name[LOG_NAME_MAX], world[LOG_NAME_MAX];
    copy_cut(name, sizeof name, deed->name);
    copy_cut(world, sizeof world, deed->world);
    cut.name = name;
    cut.world = world;
    put_entry(deed->method, &(struct log_entry){.level = LOG_LEVEL_INFO, .area = "audit", .deed = &cut});
}

struct log_figures log_read_figures(void) {
    pthread_mutex_lock(&state.mutex);
    const struct log_figures figures = state.figures;
    pthread_mutex_unlock(&state.mutex);
    return figures;
}

// ---- the log's thread --------------------------------------------------------------------------------------------

// A descriptor that does not block is waited for.
static void write_all(const char *bytes, size_t length) {
    while (length > 0) {
        const ssize_t written = write(STDERR_FILENO, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            (void)poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            return; // nobody left to tell
        }
    }
}

static void tell_lost(void) {
    char text[80];
    if (state.untold == 0)
        return;
    snprintf(text, sizeof text, "%llu entries were lost: they are read too slowly", (unsigned long long)state.untold);
    state.untold = 0;
    put_line(&(struct log_entry){.level = LOG_LEVEL_WARN, .area = "log", .text = text});
}

// Waits for something to write, or for a second of something folded to be over.
static void wait_for_lines(void) {
    if (state.folding == 0) {
        pthread_cond_wait(&state.changed, &state.mutex);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 250000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&state.changed, &state.mutex, &until);
}

static void *log_main(void *unused) {
    static char taken[LOG_BUFFER_BYTES];
    (void)unused;
    pthread_mutex_lock(&state.mutex);
    for (;;) {
        put_all_folded(state.stopping ? UINT64_MAX : now_ns());
        if (state.length == 0)
            tell_lost();
        if (state.length == 0 && state.stopping)
            break;
        if (state.length == 0) {
            wait_for_lines();
            continue;
        }
        const size_t length = state.length, first = LOG_BUFFER_BYTES - state.head;
        memcpy(taken, state.buffer + state.head, length < first ? length : first);
        memcpy(taken + first, state.buffer, length > first ? length - first : 0);
        state.head = (state.head + length) % LOG_BUFFER_BYTES;
        state.length = 0;
        pthread_mutex_unlock(&state.mutex);
        write_all(taken, length);
        pthread_mutex_lock(&state.mutex);
    }
    state.idle = true;
    pthread_cond_broadcast(&state.changed);
    pthread_mutex_unlock(&state.mutex);
    return NULL;
}

enum result log_start(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&state.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_lock(&state.mutex);
    state.stopping = state.idle = false;
    state.started = pthread_create(&state.thread, NULL, log_main, NULL) == 0;
    const bool started = state.started;
    pthread_mutex_unlock(&state.mutex);
    return started ? RESULT_OK : RESULT_MEMORY;
}

void log_stop(void) {
    pthread_mutex_lock(&state.mutex);
    if (!state.started) {
        put_all_folded(UINT64_MAX);
        pthread_mutex_unlock(&state.mutex);
        return;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += STOP_NS / 1000000000u;
    state.stopping = true;
    pthread_cond_broadcast(&state.changed);
    int waited = 0;
    while (!state.idle && waited == 0)
        waited = pthread_cond_timedwait(&state.changed, &state.mutex, &until);
    state.started = false;
    const bool idle = state.idle;
    pthread_mutex_unlock(&state.mutex);
    if (idle)
        pthread_join(state.thread, NULL);
    else
        pthread_detach(state.thread); // it hangs in its write: the end of the process ends it
}
