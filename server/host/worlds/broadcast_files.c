// SPDX-License-Identifier: MIT
// A part is a snapshot with the fragments after it. manifest.json lists the newest parts, timeline.json all of them;
// both are written when a file is added, so that to answer a request is to find a message.
#include "host/worlds/broadcast_files.h"

#include <inttypes.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "proto/json/json_writer.h"
#include "sim/sim.h"

#define FORMAT 1u
#define MANIFEST_PARTS 3u // that manifest.json lists
#define MANIFEST_CACHING "max-age=1"
#define TIMELINE_CACHING "max-age=10" // a part takes so long
#define FILE_CACHING "public, max-age=31536000, immutable"
#define MANIFEST_NAME "manifest.json"
#define TIMELINE_NAME "timeline.json"

struct file {
    struct file *next; // newer
    char name[BROADCAST_FILE_NAME_MAX];
    bool snapshot, continues;
    uint64_t from, to, made_ns;
    struct message *content;
};

struct broadcast_files {
    char world[CONFIG_WORLD_NAME_MAX + 1];
    double tick_hz;
    pthread_mutex_t lock; // of all that follows
    bool on, embed;
    char key[BROADCAST_KEY_MAX];
    uint32_t broadcast; // its number
    struct file *oldest, *newest;
    size_t bytes;
    uint64_t requests;
    struct message *manifest, *timeline;
};

// ---- paths -------------------------------------------------------------------------------------------------------

static bool take_part(const char **from, char *out, size_t size, bool last) {
    const char *end = last ? *from + strlen(*from) : strchr(*from, '/');
    const size_t length = end == NULL ? 0 : (size_t)(end - *from);
    if (length == 0 || length >= size) {
        return false;
    }
    memcpy(out, *from, length);
    out[length] = '\0';
    *from = last ? end : end + 1;
    return true;
}

bool broadcast_path_read(const char *path, struct broadcast_path *out) {
    static const char worlds[] = "/worlds/", middle[] = "broadcast/";
    if (strncmp(path, worlds, sizeof worlds - 1) != 0) {
        return false;
    }
    path += sizeof worlds - 1;
    if (!take_part(&path, out->world, sizeof out->world, false) || strncmp(path, middle, sizeof middle - 1) != 0) {
        return false;
    }
    path += sizeof middle - 1;
    out->key[0] = '\0';
    if (strchr(path, '/') != NULL && !take_part(&path, out->key, sizeof out->key, false)) {
        return false;
    }
    return take_part(&path, out->file, sizeof out->file, true) && strchr(out->file, '/') == NULL;
}

// ---- life --------------------------------------------------------------------------------------------------------

struct broadcast_files *broadcast_files_create(const char *world, double tick_hz) {
    struct broadcast_files *files = calloc(1, sizeof *files);
    if (files == NULL) {
        return NULL;
    }
    snprintf(files->world, sizeof files->world, "%s", world);
    files->tick_hz = tick_hz;
    pthread_mutex_init(&files->lock, NULL);
    return files;
}

static void drop_oldest(struct broadcast_files *files) {
    struct file *file = files->oldest;
    files->oldest = file->next;
    if (files->oldest == NULL) {
        files->newest = NULL;
    }
    files->bytes -= message_length(file->content);
    message_release(file->content);
    free(file);
}

static void drop_all(struct broadcast_files *files) {
    while (files->oldest != NULL) {
        drop_oldest(files);
    }
    message_release(files->manifest);
    message_release(files->timeline);
    files->manifest = files->timeline = NULL;
}

void broadcast_files_destroy(struct broadcast_files *files) {
    if (files != NULL) {
        drop_all(files);
        pthread_mutex_destroy(&files->lock);
        free(files);
    }
}

uint32_t broadcast_files_begin(struct broadcast_files *files, const char *key, bool embed) {
    pthread_mutex_lock(&files->lock);
    drop_all(files);
    files->on = true;
    files->embed = embed;
    files->requests = 0;
    snprintf(files->key, sizeof files->key, "%s", key);
    const uint32_t number = ++files->broadcast;
    pthread_mutex_unlock(&files->lock);
    return number;
}

void broadcast_files_set_embed(struct broadcast_files *files, bool embed) {
    pthread_mutex_lock(&files->lock);
    files->embed = embed;
    pthread_mutex_unlock(&files->lock);
}

void broadcast_files_end(struct broadcast_files *files) {
    pthread_mutex_lock(&files->lock);
    drop_all(files);
    files->on = false;
    files->broadcast++;
    pthread_mutex_unlock(&files->lock);
}

// ---- lists -------------------------------------------------------------------------------------------------------

static void write_fragment(struct json_writer *out, const struct file *file) {
    json_writer_open_object(out);
    json_writer_member_string(out, "file", file->name);
    json_writer_member_unsigned(out, "from", file->from);
    json_writer_member_unsigned(out, "to", file->to);
    json_writer_close_object(out);
}

// The parts from `first` on, a snapshot; NULL when memory ran out.
static struct message *write_list(const struct broadcast_files *files, const struct file *first) {
    struct json_writer out;
    json_writer_init(&out);
    json_writer_open_object(&out);
    json_writer_member_unsigned(&out, "format", FORMAT);
    json_writer_member_string(&out, "world", files->world);
    json_writer_member_double(&out, "tickHz", files->tick_hz);
    json_writer_member_unsigned(&out, "physics", SIM_PHYSICS_VERSION);
    json_writer_key(&out, "parts");
    json_writer_open_array(&out);
    for (const struct file *file = first; file != NULL;) {
        json_writer_open_object(&out);
        json_writer_member_string(&out, "snapshot", file->name);
        json_writer_member_unsigned(&out, "tick", file->from);
        json_writer_member_boolean(&out, "continues", file->continues);
        json_writer_key(&out, "fragments");
        json_writer_open_array(&out);
        for (file = file->next; file != NULL && !file->snapshot; file = file->next) {
            write_fragment(&out, file);
        }
        json_writer_close_array(&out);
        json_writer_close_object(&out);
    }
    json_writer_close_array(&out);
    json_writer_close_object(&out);
    struct message *list = json_writer_failed(&out) ? NULL : message_from_text(out.data, out.length);
    json_writer_free(&out);
    return list;
}

static void replace(struct message **place, struct message *take) {
    if (take != NULL) { // else the older one stays
        message_release(*place);
        *place = take;
    }
}

// The first of the newest parts; NULL without any.
static const struct file *find_newest_parts(const struct broadcast_files *files, uint32_t count) {
    uint32_t parts = 0;
    for (const struct file *file = files->oldest; file != NULL; file = file->next) {
        parts += file->snapshot ? 1 : 0;
    }
    const struct file *found = files->oldest;
    for (; found != NULL && parts > count; found = found->next) {
        parts -= found->snapshot ? 1 : 0;
    }
    while (found != NULL && !found->snapshot) {
        found = found->next;
    }
    return found;
}

// ---- adding ------------------------------------------------------------------------------------------------------

// The oldest part goes when it is too old or there are too many bytes. The newest one stays.
static void drop_what_is_old(struct broadcast_files *files, uint64_t now_ns) {
    for (;;) {
        struct file *last = files->oldest; // of the oldest part
        while (last->next != NULL && !last->next->snapshot) {
            last = last->next;
        }
        const struct file *next_part = last->next;
        const bool is_old = now_ns - last->made_ns > BROADCAST_WINDOW_NS || files->bytes > BROADCAST_BYTES_MAX;
        if (next_part == NULL || !is_old) {
            return;
        }
        while (files->oldest != next_part) {
            drop_oldest(files);
        }
    }
}

static void append(struct broadcast_files *files, struct file *file) {
    if (files->newest == NULL) {
        files->oldest = file;
    } else {
        files->newest->next = file;
    }
    files->newest = file;
    files->bytes += message_length(file->content);
    drop_what_is_old(files, file->made_ns);
    // The manifest follows the window, too: a part that is gone is in neither list.
    replace(&files->manifest, write_list(files, find_newest_parts(files, MANIFEST_PARTS)));
    if (file->snapshot || files->timeline == NULL) {
        replace(&files->timeline, write_list(files, files->oldest));
    }
}

enum result broadcast_files_add(struct broadcast_files *files, const struct broadcast_entry *take, uint64_t now_ns) {
    struct file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        message_release(take->content);
        return RESULT_MEMORY;
    }
    file->snapshot = take->snapshot;
    file->continues = take->continues;
    file->from = take->from;
    file->to = take->to;
    file->made_ns = now_ns;
    file->content = take->content;
    const uint64_t hash = hash64_of(message_data(file->content), message_length(file->content), 0);
    snprintf(file->name, sizeof file->name, "%s-%" PRIu64 "-%016" PRIx64, take->snapshot ? "snapshot" : "ticks",
             take->from, hash);
    pthread_mutex_lock(&files->lock);
    const bool wanted = files->on && files->broadcast == take->broadcast && (files->newest != NULL || take->snapshot);
    if (wanted) {
        append(files, file);
    }
    pthread_mutex_unlock(&files->lock);
    if (!wanted) {
        message_release(file->content);
        free(file);
    }
    return RESULT_OK;
}

// ---- finding -----------------------------------------------------------------------------------------------------

// Takes the same time wherever the keys differ.
static bool key_fits(const struct broadcast_files *files, const char *key) {
    const size_t length = strlen(files->key);
    return strlen(key) == length && CRYPTO_memcmp(key, files->key, length) == 0;
}

static void find_file(const struct broadcast_files *files, const char *name, struct broadcast_answer *answer) {
    if (strcmp(name, MANIFEST_NAME) == 0 || strcmp(name, TIMELINE_NAME) == 0) {
        const bool is_manifest = strcmp(name, MANIFEST_NAME) == 0;
        answer->json = true;
        answer->cache_control = is_manifest ? MANIFEST_CACHING : TIMELINE_CACHING;
        answer->message = is_manifest ? files->manifest : files->timeline;
        return;
    }
    const struct file *file = files->oldest;
    while (file != NULL && strcmp(file->name, name) != 0) {
        file = file->next;
    }
    answer->cache_control = FILE_CACHING;
    answer->message = file != NULL ? file->content : NULL;
}

struct broadcast_answer broadcast_files_find(struct broadcast_files *files, const char *key, const char *name) {
    struct broadcast_answer answer = {0};
    pthread_mutex_lock(&files->lock);
    if (files->on && key_fits(files, key)) {
        answer.on = true;
        answer.embed = files->embed;
        files->requests++;
        find_file(files, name, &answer);
        if (answer.message != NULL) {
            message_retain(answer.message);
        }
    }
    pthread_mutex_unlock(&files->lock);
    return answer;
}

bool broadcast_files_may_embed(struct broadcast_files *files, const char *key) {
    pthread_mutex_lock(&files->lock);
    const bool may = !files->on || files->embed || !key_fits(files, key);
    pthread_mutex_unlock(&files->lock);
    return may;
}

struct broadcast_figures broadcast_files_figures(struct broadcast_files *files) {
    struct broadcast_figures figures = {0};
    pthread_mutex_lock(&files->lock);
    figures.on = files->on;
    if (files->on) {
        figures.embed = files->embed;
        figures.bytes = files->bytes;
        figures.requests = files->requests;
        figures.has_files = files->oldest != NULL;
        figures.from = files->oldest != NULL ? files->oldest->from : 0;
        figures.to = files->newest != NULL ? files->newest->to : 0;
        snprintf(figures.path, sizeof figures.path, "/worlds/%s/broadcast/%s%s", files->world, files->key,
                 files->key[0] != '\0' ? "/" : "");
    }
    pthread_mutex_unlock(&files->lock);
    return figures;
}
