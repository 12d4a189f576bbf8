// SPDX-License-Identifier: MIT
// Files of the page in gzip (RFC 1952), for clients that take it: each is compressed once, when it is first asked for,
// by a thread of its own, for the net thread waits for nobody. It asks (squeeze_ask), its request waits, and is taken
// up again when the thread has posted that it is done. What is kept is the file as it was: another time of change or
// another size is another file.
//
// The mutex guards the files and the jobs. Files are only ever added; their number and bytes are bounded, and what
// finds no room goes out as it is.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "net/net_internal.h"

#define JOBS_MAX 128u
#define FILES_MAX 1024u
#define KEPT_BYTES_MAX (16u << 20)
#define FILE_BYTES_MAX (16 << 20)
#define LEVEL 6
#define GZIP_WINDOW (15 + 16) // zlib's largest window, and gzip's head instead of its own

struct squeezed {
    char *path;
    struct timespec changed;
    off_t size;
    struct message *message; // NULL: it does not get smaller, or cannot be read
};

struct squeeze_job {
    char path[PATH_LENGTH_MAX];
    uint64_t request;
};

struct squeezer {
    struct net_server *server;
    pthread_t thread;
    bool started; // net thread
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool stop;
    struct squeeze_job jobs[JOBS_MAX]; // a ring
    uint32_t first_job, job_count;
    struct squeezed files[FILES_MAX];
    uint32_t file_count;
    size_t kept_bytes;
};

// ---- compressing -------------------------------------------------------------------------------------------------

static uint8_t *read_file(const char *name, struct stat *status) {
    int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    uint8_t *bytes = NULL;
    if (file < 0)
        return NULL;
    if (fstat(file, status) == 0 && S_ISREG(status->st_mode) && status->st_size <= FILE_BYTES_MAX)
        bytes = malloc((size_t)status->st_size + 1);
    off_t read_bytes = 0;
    while (bytes != NULL && read_bytes < status->st_size) {
        const ssize_t count = pread(file, bytes + read_bytes, (size_t)(status->st_size - read_bytes), read_bytes);
        if (count <= 0) {
            free(bytes);
            bytes = NULL;
        } else {
            read_bytes += count;
        }
    }
    close(file);
    return bytes;
}

// NULL when that is no gain.
static struct message *compress_bytes(const uint8_t *bytes, size_t size) {
    z_stream stream = {0};
    if (size == 0 || deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    struct message *message = message_create(MESSAGE_BINARY, size);
    bool done = false;
    if (message != NULL) {
        stream.next_in = (z_const Bytef *)bytes;
        stream.avail_in = (uInt)size;
        stream.next_out = message_data(message);
        stream.avail_out = (uInt)size;
        done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    }
    if (done)
        message_set_length(message, size - stream.avail_out);
    (void)deflateEnd(&stream);
    if (!done) {
        message_release(message);
        return NULL;
    }
    return message;
}

// ---- files -------------------------------------------------------------------------------------------------------

static bool same_time(struct timespec a, struct timespec b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

// The newest, for a file that was changed is added again.
static struct squeezed *find(struct squeezer *squeezer, const char *path, const struct stat *status) {
    for (uint32_t i = squeezer->file_count; i-- > 0;) {
        struct squeezed *file = &squeezer->files[i];
        if (strcmp(file->path, path) == 0 && file->size == status->st_size && same_time(file->changed, status->st_mtim))
            return file;
    }
    return NULL;
}

enum squeeze_state squeeze_find(struct squeezer *squeezer, const char *path, const struct stat *status,
                                struct message **message) {
    pthread_mutex_lock(&squeezer->mutex);
    const struct squeezed *file = find(squeezer, path, status);
    const bool room = squeezer->file_count < FILES_MAX;
    enum squeeze_state state = file == NULL && room ? SQUEEZE_UNKNOWN : SQUEEZE_USELESS;
    if (file != NULL && file->message != NULL) {
        state = SQUEEZE_READY;
        *message = message_retain(file->message);
    }
    pthread_mutex_unlock(&squeezer->mutex);
    return state;
}

static void keep(struct squeezer *squeezer, const char *path, const struct stat *status, struct message *message) {
    char *name = strdup(path);
    pthread_mutex_lock(&squeezer->mutex);
    const bool room = name != NULL && squeezer->file_count < FILES_MAX;
    if (message != NULL && squeezer->kept_bytes + message_capacity(message) > KEPT_BYTES_MAX) {
        message_release(message);
        message = NULL;
    }
    if (room) {
        squeezer->files[squeezer->file_count++] =
            (struct squeezed){.path = name, .changed = status->st_mtim, .size = status->st_size, .message = message};
        squeezer->kept_bytes += message != NULL ? message_capacity(message) : 0;
    }
    pthread_mutex_unlock(&squeezer->mutex);
    if (!room) {
        free(name);
        message_release(message);
    }
}

// As long as what it holds, not as the file.
static struct message *fitted(struct message *message) {
    if (message == NULL)
        return NULL;
    const size_t length = message_length(message);
    struct message *copy = message_create(MESSAGE_BINARY, length);
    if (copy == NULL)
        return message;
    memcpy(message_data(copy), message_data(message), length);
    message_set_length(copy, length);
    message_release(message);
    return copy;
}

static void squeeze_file(struct squeezer *squeezer, const char *path) {
    char name[4096];
    struct stat status;
    const int length = snprintf(name, sizeof name, "%s%s", squeezer->server->web_root, path);
    if (length < 0 || (size_t)length >= sizeof name || stat(name, &status) != 0)
        return;
    pthread_mutex_lock(&squeezer->mutex);
    const bool known = find(squeezer, path, &status) != NULL;
    pthread_mutex_unlock(&squeezer->mutex);
    if (known)
        return;
    uint8_t *bytes = read_file(name, &status);
    struct message *message = bytes == NULL ? NULL : fitted(compress_bytes(bytes, (size_t)status.st_size));
    free(bytes);
    keep(squeezer, path, &status, message);
}

// ---- the thread --------------------------------------------------------------------------------------------------

static void *squeezer_main(void *user) {
    struct squeezer *squeezer = user;
    pthread_mutex_lock(&squeezer->mutex);
    while (!squeezer->stop) {
        if (squeezer->job_count == 0) {
            pthread_cond_wait(&squeezer->changed, &squeezer->mutex);
            continue;
        }
        const struct squeeze_job job = squeezer->jobs[squeezer->first_job];
        squeezer->first_job = (squeezer->first_job + 1) % JOBS_MAX;
        squeezer->job_count--;
        pthread_mutex_unlock(&squeezer->mutex);
        squeeze_file(squeezer, job.path);
        net_post_document(squeezer->server, job.request, 200, NULL, NULL);
        pthread_mutex_lock(&squeezer->mutex);
    }
    pthread_mutex_unlock(&squeezer->mutex);
    return NULL;
}

// Signals are for the threads that were there before.
static bool start(struct squeezer *squeezer) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    squeezer->started = pthread_create(&squeezer->thread, NULL, squeezer_main, squeezer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return squeezer->started;
}

bool squeeze_ask(struct squeezer *squeezer, const char *path, uint64_t request) {
    if (!squeezer->started && !start(squeezer))
        return false;
    pthread_mutex_lock(&squeezer->mutex);
    const bool room = squeezer->job_count < JOBS_MAX;
    if (room) {
        struct squeeze_job *job = &squeezer->jobs[(squeezer->first_job + squeezer->job_count++) % JOBS_MAX];
        snprintf(job->path, sizeof job->path, "%s", path);
        job->request = request;
        pthread_cond_signal(&squeezer->changed);
    }
    pthread_mutex_unlock(&squeezer->mutex);
    return room;
}

struct squeezer *squeezer_create(struct net_server *server) {
    struct squeezer *squeezer = calloc(1, sizeof *squeezer);
    if (squeezer == NULL)
        return NULL;
    squeezer->server = server;
    pthread_mutex_init(&squeezer->mutex, NULL);
    pthread_cond_init(&squeezer->changed, NULL);
    return squeezer;
}

void squeezer_destroy(struct squeezer *squeezer) {
    if (squeezer == NULL)
        return;
    if (squeezer->started) {
        pthread_mutex_lock(&squeezer->mutex);
        squeezer->stop = true;
        pthread_cond_signal(&squeezer->changed);
        pthread_mutex_unlock(&squeezer->mutex);
        pthread_join(squeezer->thread, NULL);
    }
    for (uint32_t i = 0; i < squeezer->file_count; i++) {
        free(squeezer->files[i].path);
        message_release(squeezer->files[i].message);
    }
    pthread_cond_destroy(&squeezer->changed);
    pthread_mutex_destroy(&squeezer->mutex);
    free(squeezer);
}

// ---- who takes it ------------------------------------------------------------------------------------------------

// An element of Accept-Encoding: a name, then parameters, of which only a weight of nothing counts (RFC 9110, 12.5.3).
static bool element_takes_gzip(const char *element, size_t length) {
    while (length > 0 && (*element == ' ' || *element == '\t')) {
        element++;
        length--;
    }
    const size_t name = strcspn(element, " \t;,");
    if (!((name == 4 && strncasecmp(element, "gzip", 4) == 0) || (name == 1 && *element == '*')))
        return false;
    const char *weight = memmem(element, length, "q=", 2);
    if (weight == NULL)
        return true;
    const char *digits = weight + 2;
    const size_t nothing = strspn(digits, "0.");
    const size_t end = (size_t)(element + length - digits);
    return nothing < end && digits[nothing] >= '1' && digits[nothing] <= '9';
}

bool squeeze_is_taken(const char *accept_encoding) {
    for (const char *at = accept_encoding; *at != '\0';) {
        const size_t length = strcspn(at, ",");
        if (element_takes_gzip(at, length))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}
