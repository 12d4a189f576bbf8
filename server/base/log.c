// SPDX-License-Identifier: MIT
// The log: repeated entries are merged here, and lines are written. One mutex guards all state but level and format; it
// is held while a line is copied. The log's thread copies waiting lines and writes them without the mutex.
//
// It is no job thread (base/job_thread.h): lines wait as bytes in a ring that is there before anything is allocated,
// and the end of the log must not wait for a thread that hangs in write().
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

#define SOURCES_MAX 64u // sources whose repeats are counted at a time; the one whose second began first is replaced
#define REPEAT_NS 1000000000u
#define REPEAT_TEXT_MAX 256
#define STOP_NS 1000000000u

static const char *const format_names[LOG_FORMAT_COUNT] = {[LOG_FORMAT_TEXT] = "text", [LOG_FORMAT_JSON] = "json"};

static _Atomic(enum log_level) current_level = LOG_LEVEL_INFO;
static _Atomic(enum log_format) current_format = LOG_FORMAT_TEXT;

// A source of entries, and its entries of the present second. A source is a place in the code, or for audit entries a
// session and a method.
struct source {
    const void *place; // a literal: the format, or the method of an audit entry; NULL: unused
    uint64_t session;  // of an audit entry, else 0
    enum log_level level;
    const char *area;
    uint64_t since_ns; // when the second began
    uint32_t written;  // entries of this second
    uint64_t repeats;  // entries of this second that were not written
    bool is_audit;
    struct log_audit audit; // the last audit entry; its name and world are kept below
    char name[LOG_NAME_MAX], world[LOG_NAME_MAX];
    char text[REPEAT_TEXT_MAX];
};

static struct {
    pthread_mutex_t mutex; // guards the members below
    pthread_cond_t changed;
    struct source sources[SOURCES_MAX];
    uint32_t repeating; // sources with repeats that are not written yet
    struct log_metrics metrics;
    uint64_t untold; // lost entries that are not reported yet
    bool started, stopping, idle;
    pthread_t thread;
    size_t head, length; // of the waiting bytes in `buffer`, a ring
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
    state.metrics.written++;
    if (!state.started) {
        // There is nowhere to report that the log cannot be written.
        ssize_t ignored = write(STDERR_FILENO, line, length);
        (void)ignored;
    } else if (length <= LOG_BUFFER_BYTES - state.length) {
        append(line, length);
        pthread_cond_broadcast(&state.changed);
    } else {
        state.metrics.lost++;
        state.untold++;
    }
}

// ---- repeats (the mutex is held) ----------------------------------------------------------------------------------

static void put_repeats(struct source *source) {
    if (source->repeats == 0) {
        return;
    }
    source->audit.name = source->name;
    source->audit.world = source->world;
    put_line(&(struct log_entry){.level = source->level,
                                 .area = source->area,
                                 .text = source->text,
                                 .audit = source->is_audit ? &source->audit : NULL,
                                 .repeated = source->repeats});
    source->repeats = 0;
    state.repeating--;
}

static void put_all_repeats(uint64_t before_ns) {
    for (uint32_t i = 0; i < SOURCES_MAX && state.repeating > 0; i++) {
        if (state.sources[i].repeats > 0 && state.sources[i].since_ns + REPEAT_NS <= before_ns) {
            put_repeats(&state.sources[i]);
            state.sources[i].place = NULL;
        }
    }
}

static struct source *find_source(const void *place, uint64_t session, uint64_t at_ns) {
    struct source *chosen = &state.sources[0];
    for (uint32_t i = 0; i < SOURCES_MAX; i++) {
        struct source *source = &state.sources[i];
        if (source->place == place && source->session == session) {
            chosen = source;
            break;
        }
        if (source->place == NULL || (chosen->place != NULL && source->since_ns < chosen->since_ns)) {
            chosen = source;
        }
    }
    if (chosen->place != place || chosen->session != session || chosen->since_ns + REPEAT_NS <= at_ns) {
        put_repeats(chosen);
        chosen->place = place;
        chosen->session = session;
        chosen->since_ns = at_ns;
        chosen->written = 0;
    }
    return chosen;
}

// Copies a text that is cut, if need be, between two characters.
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
    struct source *source = find_source(place, entry->audit != NULL ? entry->audit->session : 0, at_ns);
    if (source->written < LOG_REPEAT_BURST) {
        source->written++;
        put_line(entry);
    } else {
        state.metrics.merged++;
        state.repeating += source->repeats++ == 0;
        source->level = entry->level;
        source->area = entry->area;
        source->is_audit = entry->audit != NULL;
        if (entry->audit != NULL) {
            source->audit = *entry->audit;
            copy_cut(source->name, sizeof source->name, entry->audit->name);
            copy_cut(source->world, sizeof source->world, entry->audit->world);
        } else {
            copy_cut(source->text, sizeof source->text, entry->text);
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

void log_audit(const struct log_audit *audit) {
    if (atomic_load_explicit(&current_level, memory_order_relaxed) < LOG_LEVEL_INFO)
        return;
    struct log_audit cut = *audit;
    char name[LOG_NAME_MAX], world[LOG_NAME_MAX];
    copy_cut(name, sizeof name, audit->name);
    copy_cut(world, sizeof world, audit->world);
    cut.name = name;
    cut.world = world;
    put_entry(audit->method, &(struct log_entry){.level = LOG_LEVEL_INFO, .area = "audit", .audit = &cut});
}

struct log_metrics log_read_metrics(void) {
    pthread_mutex_lock(&state.mutex);
    const struct log_metrics metrics = state.metrics;
    pthread_mutex_unlock(&state.mutex);
    return metrics;
}

// ---- the log's thread --------------------------------------------------------------------------------------------

// Waits while a non-blocking descriptor is full.
static void write_all(const char *bytes, size_t length) {
    while (length > 0) {
        const ssize_t written = write(STDERR_FILENO, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno == EAGAIN) {
            (void)poll(&(struct pollfd){.fd = STDERR_FILENO, .events = POLLOUT}, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            return; // there is nowhere to report it
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

// Waits until there is something to write, or until the second of a source with repeats is over.
static void wait_for_lines(void) {
    if (state.repeating == 0) {
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
        put_all_repeats(state.stopping ? UINT64_MAX : now_ns());
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
        put_all_repeats(UINT64_MAX);
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
        pthread_detach(state.thread); // it hangs in write(); it ends with the process
}
