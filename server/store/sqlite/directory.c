// SPDX-License-Identifier: MIT
#include "store/sqlite/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/sqlite/files.h"
#include "store/store_state.h"

enum result store_sync_directory(const char *directory, struct fault *fault) {
    const int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = folder >= 0 && fsync(folder) == 0;
    const int error = errno;
    if (folder >= 0) {
        close(folder);
    }
    return synced ? RESULT_OK
                  : fault_set(fault, RESULT_IO, "/data", "cannot sync the folder %s: %s", directory, strerror(error));
}

static enum result make_directory(const char *directory, struct fault *fault) {
    if (mkdir(directory, 0700) != 0) {
        return errno == EEXIST
                   ? RESULT_OK
                   : fault_set(fault, RESULT_IO, "/data", "cannot make the folder %s: %s", directory, strerror(errno));
    }
    char parent[STORE_PATH_MAX];
    if ((size_t)snprintf(parent, sizeof parent, "%s/..", directory) >= sizeof parent) {
        return fault_set(fault, RESULT_INVALID, "/data", "the path of the folder is too long");
    }
    return store_sync_directory(parent, fault);
}

enum result store_lock_directory(struct store *store, const char *directory, struct fault *fault) {
    char path[STORE_PATH_MAX];
    enum result result = make_directory(directory, fault);
    if (result != RESULT_OK) {
        return result;
    }
    if ((size_t)snprintf(path, sizeof path, "%s/weft.lock", directory) >= sizeof path ||
        (size_t)snprintf(store->path, sizeof store->path, "%s/" STORE_FILE, directory) >= sizeof store->path ||
        (size_t)snprintf(store->watermark_path, sizeof store->watermark_path, "%s/" STORE_WATERMARK_FILE, directory) >=
            sizeof store->watermark_path) {
        return fault_set(fault, RESULT_INVALID, "/data", "the path of the folder is too long");
    }
    result = store_check_kinds(directory, "/data", fault);
    if (result != RESULT_OK) {
        return result;
    }
    store->lock_file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (store->lock_file < 0) {
        return fault_set(fault, RESULT_IO, "/data", "cannot write to %s: %s", directory, strerror(errno));
    }
    if (flock(store->lock_file, LOCK_EX | LOCK_NB) != 0) {
        return errno == EWOULDBLOCK
                   ? fault_set(fault, RESULT_STATE, "/data",
                               "another server uses %s: stop it, or give this one a directory of its own", directory)
                   : fault_set(fault, RESULT_IO, "/data", "cannot lock %s: %s", path, strerror(errno));
    }
    return RESULT_OK;
}
