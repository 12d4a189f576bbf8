// SPDX-License-Identifier: MIT
// Reading, writing and listing scene files.
#include "host/world/scene.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/result.h"
#include "proto/gen/methods.h"

#define PATH_BYTES 1400
#define SUFFIX ".json"

static void scene_path(char path[PATH_BYTES], const char *folder, bool saved, const char *name) {
    snprintf(path, PATH_BYTES, "%s%s/%s" SUFFIX, folder, saved ? "/saved" : "", name);
}

static enum result read_file(const char *path, char **text, size_t *length, struct fault *fault) {
    struct stat status;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO would wait for a writer
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    if (file == NULL) {
        const int error = errno;
        if (descriptor >= 0) {
            (void)close(descriptor);
        }
        return fault_set(fault, error == ENOENT ? RESULT_NOT_FOUND : RESULT_IO, "", "%s: %s", path, strerror(error));
    }
    enum result result = RESULT_OK;
    char *data = NULL;
    size_t size = 0;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode)) {
        result = fault_set(fault, RESULT_IO, "", "%s is not a regular file", path);
    } else if (status.st_size > SCENE_BYTES_MAX) {
        result = fault_set(fault, RESULT_LIMIT, "", "%s is %lld bytes long, at most %u are allowed", path,
                           (long long)status.st_size, SCENE_BYTES_MAX);
    } else {
        size = (size_t)status.st_size;
        data = malloc(size + 1);
        if (data == NULL) {
            result = fault_set(fault, RESULT_MEMORY, "", "out of memory");
        } else if (fread(data, 1, size, file) != size) {
            result = fault_set(fault, RESULT_IO, "", "%s: reading failed", path);
        }
    }
    fclose(file);
    if (result != RESULT_OK) {
        free(data);
        return result;
    }
    *text = data;
    *length = size;
    return RESULT_OK;
}

void scene_blame(const char *name, struct proto_place place, const struct fault *found, struct fault *fault) {
    char where[48] = "";
    if (place.line > 0) {
        snprintf(where, sizeof where, ", line %u, column %u", place.line, place.column);
    }
    (void)fault_set(fault, found->cause, found->pointer, "scene \"%s\"%s: %s", name, where, found->message);
    if (fault != NULL) {
        memcpy(fault->suggestion, found->suggestion, sizeof fault->suggestion);
    }
}

struct proto_place scene_place_of(const struct proto_request *scene, const char *pointer) {
    static const char commands[] = "/commands/";
    const struct proto_batch_run *batch = scene->command.params;
    char *end = NULL;
    if (scene->places == NULL || strncmp(pointer, commands, sizeof commands - 1) != 0) {
        return (struct proto_place){0};
    }
    const unsigned long index = strtoul(pointer + sizeof commands - 1, &end, 10);
    return index < batch->commands.count ? scene->places[index] : (struct proto_place){0};
}

static enum result read_scene_at(const char *path, const char *name, struct proto_request **request,
                                 struct proto_scene_about *about, struct fault *fault) {
    char *text = NULL;
    size_t length = 0;
    enum result result = read_file(path, &text, &length, fault);
    if (result != RESULT_OK) {
        return result;
    }
    struct fault found;
    result = proto_scene_parse(text, length, request, about, &found);
    if (result != RESULT_OK && result != RESULT_MEMORY && result != RESULT_LIMIT) {
        const size_t byte = found.byte > 0 ? found.byte - 1 : proto_peek_pointer(text, length, found.pointer);
        scene_blame(name, proto_place_of(text, length, byte), &found, fault);
    } else if (result != RESULT_OK) {
        scene_blame(name, (struct proto_place){0}, &found, fault);
    }
    free(text);
    return result;
}

enum result scene_read(const char *folder, const char *name, struct proto_request **request, struct fault *fault) {
    char path[PATH_BYTES];
    struct proto_scene_about about;
    scene_path(path, folder, false, name);
    enum result result = read_scene_at(path, name, request, &about, fault);
    if (result == RESULT_NOT_FOUND) {
        scene_path(path, folder, true, name);
        result = read_scene_at(path, name, request, &about, fault);
    }
    if (result == RESULT_NOT_FOUND) {
        return fault_set(fault, result, "/name", "there is no scene \"%s\": scene.list names those there are", name);
    }
    return result;
}

static enum result write_file(const char *path, const char *text, size_t length, struct fault *fault) {
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        return fault_set(fault, RESULT_IO, "", "%s: %s", path, strerror(errno));
    }
    bool good = fwrite(text, 1, length, file) == length && fputc('\n', file) != EOF;
    good = fflush(file) == 0 && good;
    good = fsync(fileno(file)) == 0 && good;
    int error = errno;
    good = fclose(file) == 0 && good;
    if (!good) {
        unlink(path);
        return fault_set(fault, RESULT_IO, "", "%s: %s", path, strerror(error));
    }
    return RESULT_OK;
}

static int is_scene_file(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > strlen(SUFFIX) && length <= 64 + strlen(SUFFIX) &&
           strcmp(entry->d_name + length - strlen(SUFFIX), SUFFIX) == 0;
}

// Whether `length` more bytes may be saved as `name`. A file that is overwritten does not count.
static enum result check_room(const char *saved, const char *name, size_t length, struct fault *fault) {
    DIR *folder = opendir(saved);
    uint64_t bytes = length;
    uint32_t count = 0;
    if (folder == NULL) {
        return fault_set(fault, RESULT_IO, "", "%s: %s", saved, strerror(errno));
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        struct stat status;
        const bool same =
            strncmp(entry->d_name, name, strlen(name)) == 0 && strcmp(entry->d_name + strlen(name), SUFFIX) == 0;
        if (is_scene_file(entry) && !same && fstatat(dirfd(folder), entry->d_name, &status, 0) == 0) {
            count++;
            bytes += (uint64_t)status.st_size;
        }
    }
    (void)closedir(folder);
    if (count >= SCENE_SAVED_MAX) {
        return fault_set(fault, RESULT_LIMIT, "",
                         "at most %u scenes can be saved: delete one with scene.delete, or overwrite one",
                         SCENE_SAVED_MAX);
    }
    if (bytes > SCENE_SAVED_BYTES_MAX) {
        return fault_set(fault, RESULT_LIMIT, "",
                         "the saved scenes would take %llu bytes, at most %llu are allowed: delete one with "
                         "scene.delete",
                         (unsigned long long)bytes, (unsigned long long)SCENE_SAVED_BYTES_MAX);
    }
    return RESULT_OK;
}

enum result scene_delete(const char *folder, const char *name, struct fault *fault) {
    char path[PATH_BYTES];
    scene_path(path, folder, true, name);
    if (unlink(path) == 0) {
        return RESULT_OK;
    }
    if (errno != ENOENT) {
        return fault_set(fault, RESULT_IO, "", "%s: %s", path, strerror(errno));
    }
    scene_path(path, folder, false, name);
    if (access(path, F_OK) == 0) {
        return fault_set(fault, RESULT_STATE, "/name",
                         "the scene \"%s\" came with Weft: only saved scenes can be deleted", name);
    }
    return fault_set(fault, RESULT_NOT_FOUND, "/name",
                     "there is no saved scene \"%s\": scene.list names those there are", name);
}

enum result scene_write(const char *folder, const char *name, const char *text, size_t length, bool overwrite,
                        struct fault *fault) {
    char path[PATH_BYTES], draft[PATH_BYTES + 8];
    scene_path(path, folder, false, name);
    if (access(path, F_OK) == 0) {
        return fault_set(fault, RESULT_STATE, "/name", "the scene \"%s\" came with Weft: choose another name", name);
    }
    snprintf(path, sizeof path, "%s/saved", folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return fault_set(fault, RESULT_IO, "", "%s: %s", path, strerror(errno));
    }
    scene_path(path, folder, true, name);
    if (!overwrite && access(path, F_OK) == 0) {
        return fault_set(fault, RESULT_STATE, "/name",
                         "the scene \"%s\" is there already: choose another name, or set overwrite to true", name);
    }
    char saved[PATH_BYTES];
    snprintf(saved, sizeof saved, "%s/saved", folder);
    enum result result = check_room(saved, name, length, fault);
    if (result != RESULT_OK) {
        return result;
    }
    snprintf(draft, sizeof draft, "%s.draft", path);
    result = write_file(draft, text, length, fault);
    if (result == RESULT_OK && rename(draft, path) != 0) {
        result = fault_set(fault, RESULT_IO, "", "%s: %s", path, strerror(errno));
        unlink(draft);
    }
    return result;
}

struct listed_scene {
    char name[65];
    struct proto_scene_about about;
};

static int compare_scenes(const void *left, const void *right) {
    const struct listed_scene *a = left, *b = right;
    const uint32_t first = a->about.order - 1, second = b->about.order - 1; // none comes after the greatest
    return first != second ? (first < second ? -1 : 1) : strcmp(a->name, b->name);
}

// Reads what the files of a folder say of themselves; the name of each is without the suffix.
static uint32_t read_listed(const char *folder, bool saved, struct dirent **entries, int count,
                            struct listed_scene *scenes) {
    uint32_t found = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        struct listed_scene *scene = &scenes[found];
        struct proto_request *request = NULL;
        snprintf(scene->name, sizeof scene->name, "%.*s", (int)(strlen(entries[i]->d_name) - strlen(SUFFIX)),
                 entries[i]->d_name);
        scene_path(path, folder, saved, scene->name);
        if (read_scene_at(path, scene->name, &request, &scene->about, NULL) == RESULT_OK) {
            proto_request_destroy(request);
            found++;
        } // loading it by name says what is wrong
    }
    return found;
}

static enum result list_folder(const char *folder, bool saved, struct json_writer *out, struct fault *fault) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s%s", folder, saved ? "/saved" : "");
    struct dirent **entries = NULL;
    const int count = scandir(path, &entries, is_scene_file, alphasort);
    struct listed_scene *scenes = count > 0 ? calloc((size_t)count, sizeof *scenes) : NULL;
    const uint32_t found = scenes != NULL ? read_listed(folder, saved, entries, count, scenes) : 0;
    if (found > 0) {
        qsort(scenes, found, sizeof *scenes, compare_scenes);
    }
    for (uint32_t i = 0; i < found; i++) {
        const struct proto_scene_about *about = &scenes[i].about;
        json_writer_open_object(out);
        json_writer_member_string(out, "name", scenes[i].name);
        json_writer_member_string(out, "title", about->title);
        json_writer_member_string(out, "description", about->description);
        if (about->chapter[0] != '\0') {
            json_writer_member_string(out, "chapter", about->chapter);
        }
        json_writer_member_boolean(out, "saved", saved);
        json_writer_close_object(out);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    const bool failed = count > 0 && scenes == NULL;
    free(scenes);
    return failed ? fault_set(fault, RESULT_MEMORY, "", "out of memory") : RESULT_OK;
}

enum result scene_list(const char *folder, struct json_writer *out, struct fault *fault) {
    json_writer_open_array(out);
    enum result result = list_folder(folder, false, out, fault);
    if (result == RESULT_OK) {
        result = list_folder(folder, true, out, fault);
    }
    json_writer_close_array(out);
    return result != RESULT_OK       ? result
           : json_writer_failed(out) ? fault_set(fault, RESULT_MEMORY, "", "out of memory")
                                     : RESULT_OK;
}
