// SPDX-License-Identifier: MIT
// The failing file system. Files are the default file system's, each call of theirs counted first; what a power cut
// needs is kept beside: of each file what the disk surely holds, and in order what was done to it since.
#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 64
#define SECTOR 512

struct change {
    struct change *next;
    sqlite3_int64 offset; // of a write; of a truncation the new size
    int size;             // −1: a truncation
    unsigned char bytes[];
};

// A file as the disk has it.
struct disk {
    char path[512];
    bool on_disk; // its name is
    bool deleted; // but that it was deleted may not be on the disk yet
    unsigned char *bytes;
    sqlite3_int64 size;
    struct change *changes, **changes_tail;
};

struct fault_file {
    sqlite3_file base;
    struct disk *disk; // NULL: not remembered
    sqlite3_file *real;
};

static struct {
    sqlite3_vfs vfs, *real;
    bool remember;
    pthread_mutex_t mutex;
    struct disk files[FILES_MAX];
    int file_count;
    uint64_t calls[FAULT_KIND_COUNT], from[FAULT_KIND_COUNT], until[FAULT_KIND_COUNT], failures;
    uint64_t before; // calls until the cut; 0: none
    void (*cut)(void *user);
    void *user;
} all = {.mutex = PTHREAD_MUTEX_INITIALIZER};

// ---- counting
// ------------------------------------------------------------------------------------------------------------------

static bool counts_to_failure(enum fault_kind kind) {
    all.calls[kind]++;
    const bool fails = all.from[kind] != 0 && all.calls[kind] >= all.from[kind] && all.calls[kind] < all.until[kind];
    all.failures += fails ? 1 : 0;
    return fails;
}

// Whether this call fails; where the power goes, nobody comes back.
static bool fails(enum fault_kind kind) {
    pthread_mutex_lock(&all.mutex);
    const bool cut = kind != FAULT_READ && all.before != 0 && --all.before == 0;
    const bool failing = counts_to_failure(kind);
    pthread_mutex_unlock(&all.mutex);
    if (cut) {
        all.cut(all.user);
    }
    return failing;
}

void fault_vfs_fail(enum fault_kind kind, uint64_t n, uint64_t count) {
    pthread_mutex_lock(&all.mutex);
    all.from[kind] = all.calls[kind] + n;
    all.until[kind] = count == 0 ? UINT64_MAX : all.from[kind] + count;
    pthread_mutex_unlock(&all.mutex);
}

void fault_vfs_heal(void) {
    pthread_mutex_lock(&all.mutex);
    memset(all.from, 0, sizeof all.from);
    pthread_mutex_unlock(&all.mutex);
}

uint64_t fault_vfs_calls(enum fault_kind kind) {
    pthread_mutex_lock(&all.mutex);
    const uint64_t calls = all.calls[kind == FAULT_FULL ? FAULT_WRITE : kind];
    pthread_mutex_unlock(&all.mutex);
    return calls;
}

uint64_t fault_vfs_failures(void) {
    pthread_mutex_lock(&all.mutex);
    const uint64_t failures = all.failures;
    pthread_mutex_unlock(&all.mutex);
    return failures;
}

void fault_vfs_before(uint64_t n, void (*cut)(void *user), void *user) {
    pthread_mutex_lock(&all.mutex);
    all.before = n;
    all.cut = cut;
    all.user = user;
    pthread_mutex_unlock(&all.mutex);
}

// ---- what the disk holds
// -------------------------------------------------------------------------------------------------------

static void *checked(void *memory) {
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void resize(struct disk *disk, sqlite3_int64 size) {
    if (size > disk->size) {
        disk->bytes = checked(realloc(disk->bytes, (size_t)size));
        memset(disk->bytes + disk->size, 0, (size_t)(size - disk->size));
    }
    disk->size = size;
}

static void apply(struct disk *disk, const struct change *change) {
    if (change->size < 0) {
        resize(disk, change->offset);
        return;
    }
    if (change->offset + change->size > disk->size) {
        resize(disk, change->offset + change->size);
    }
    memcpy(disk->bytes + change->offset, change->bytes, (size_t)change->size);
}

static void forget_changes(struct disk *disk) {
    while (disk->changes != NULL) {
        struct change *change = disk->changes;
        disk->changes = change->next;
        free(change);
    }
    disk->changes_tail = &disk->changes;
}

static void remember(struct disk *disk, const void *bytes, int size, sqlite3_int64 offset) {
    if (disk == NULL) {
        return;
    }
    struct change *change = checked(malloc(sizeof *change + (size > 0 ? (size_t)size : 0)));
    *change = (struct change){.offset = offset, .size = size};
    if (size > 0) {
        memcpy(change->bytes, bytes, (size_t)size);
    }
    pthread_mutex_lock(&all.mutex);
    *disk->changes_tail = change;
    disk->changes_tail = &change->next;
    pthread_mutex_unlock(&all.mutex);
}

static void sync_disk(struct disk *disk, bool reached) {
    if (disk == NULL) {
        return;
    }
    pthread_mutex_lock(&all.mutex);
    for (const struct change *change = disk->changes; reached && change != NULL; change = change->next) {
        apply(disk, change);
    }
    disk->on_disk = disk->on_disk || reached;
    forget_changes(disk);
    pthread_mutex_unlock(&all.mutex);
}

static struct disk *find_disk(const char *path) {
    for (int i = 0; i < all.file_count; i++) {
        if (strcmp(all.files[i].path, path) == 0 && !all.files[i].deleted) {
            return &all.files[i];
        }
    }
    return NULL;
}

// A file that is there before the first sight of it is on the disk whole: the tests make them all themselves.
static struct disk *open_disk(const char *path) {
    pthread_mutex_lock(&all.mutex);
    struct disk *disk = find_disk(path);
    if (disk == NULL) {
        if (all.file_count == FILES_MAX) {
            abort();
        }
        disk = &all.files[all.file_count++];
        snprintf(disk->path, sizeof disk->path, "%s", path);
        disk->changes_tail = &disk->changes;
    }
    pthread_mutex_unlock(&all.mutex);
    return disk;
}

static uint64_t next_random(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Of a change that nobody synced, each sector is on the disk or not.
static void apply_some(struct disk *disk, const struct change *change, uint64_t chance, uint64_t *random) {
    if (change->size < 0) {
        if (next_random(random) % 100 < chance) {
            apply(disk, change);
        }
        return;
    }
    for (int at = 0; at < change->size;) {
        const int left = change->size - at, in_sector = SECTOR - (int)((change->offset + at) % SECTOR);
        const int size = left < in_sector ? left : in_sector;
        if (next_random(random) % 100 < chance) {
            const sqlite3_int64 end = change->offset + at + size;
            if (end > disk->size) {
                resize(disk, end);
            }
            memcpy(disk->bytes + change->offset + at, change->bytes + at, (size_t)size);
        }
        at += size;
    }
}

void fault_vfs_cut(const char *folder, uint64_t seed) {
    static const uint64_t chances[] = {0, 10, 50, 90, 100};
    uint64_t random = seed;
    pthread_mutex_lock(&all.mutex); // for good
    for (int i = 0; i < all.file_count; i++) {
        struct disk *disk = &all.files[i];
        const uint64_t chance = chances[next_random(&random) % 5];
        for (const struct change *change = disk->changes; change != NULL; change = change->next) {
            apply_some(disk, change, chance, &random);
        }
        const bool there = disk->deleted
                               ? disk->on_disk && next_random(&random) % 2 == 0 && find_disk(disk->path) == NULL
                               : disk->on_disk || next_random(&random) % 2 == 0;
        if (!there) {
            continue;
        }
        char path[1024];
        const char *name = strrchr(disk->path, '/');
        snprintf(path, sizeof path, "%s%s", folder, name != NULL ? name : disk->path);
        FILE *file = checked(fopen(path, "w"));
        if (fwrite(disk->bytes, 1, (size_t)disk->size, file) != (size_t)disk->size || fclose(file) != 0) {
            abort();
        }
    }
}

// ---- files
// -----------------------------------------------------------------------------------------------------------------------

static sqlite3_file *real_of(sqlite3_file *file) {
    return ((struct fault_file *)(void *)file)->real;
}

static struct disk *disk_of(sqlite3_file *file) {
    return ((struct fault_file *)(void *)file)->disk;
}

static int file_close(sqlite3_file *file) {
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int file_read(sqlite3_file *file, void *out, int size, sqlite3_int64 offset) {
    return fails(FAULT_READ) ? SQLITE_IOERR_READ : real_of(file)->pMethods->xRead(real_of(file), out, size, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    pthread_mutex_lock(&all.mutex);
    const bool full = counts_to_failure(FAULT_FULL);
    pthread_mutex_unlock(&all.mutex);
    if (fails(FAULT_WRITE) || full) {
        return full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    }
    remember(disk_of(file), bytes, size, offset);
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, size, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    if (fails(FAULT_TRUNCATE)) {
        return SQLITE_IOERR_TRUNCATE;
    }
    remember(disk_of(file), NULL, -1, size);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
    (void)flags; // the tests need no disk that really syncs
    const bool failing = fails(FAULT_SYNC);
    sync_disk(disk_of(file), !failing);
    return failing ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int file_check_lock(sqlite3_file *file, int *locked) {
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), locked);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int file_sector(sqlite3_file *file) {
    (void)file;
    return SECTOR;
}

static int file_characteristics(sqlite3_file *file) {
    (void)file;
    return 0; // nothing is promised
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
    return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int file_shm_unmap(sqlite3_file *file, int delete) {
    return real_of(file)->pMethods->xShmUnmap(real_of(file), delete);
}

static const sqlite3_io_methods file_methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_lock,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// ---- the file system
// -----------------------------------------------------------------------------------------------------------

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    struct fault_file *wrapper = (struct fault_file *)(void *)file;
    wrapper->base.pMethods = NULL;
    if (fails(FAULT_OPEN)) {
        return SQLITE_CANTOPEN;
    }
    wrapper->real = (sqlite3_file *)(wrapper + 1);
    int code = all.real->xOpen(all.real, path, wrapper->real, flags, flags_out);
    if (wrapper->real->pMethods == NULL) {
        return code;
    }
    if (code != SQLITE_OK) {
        wrapper->real->pMethods->xClose(wrapper->real);
        return code;
    }
    wrapper->disk = all.remember && path != NULL ? open_disk(path) : NULL;
    wrapper->base.pMethods = &file_methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync) {
    (void)vfs;
    if (fails(FAULT_WRITE)) {
        return SQLITE_IOERR_DELETE;
    }
    pthread_mutex_lock(&all.mutex);
    struct disk *disk = find_disk(path);
    if (disk != NULL) {
        disk->deleted = true;
        forget_changes(disk);
    }
    for (int i = 0; i < all.file_count && sync != 0; i++) { // the folder is synced: no deletion comes back
        all.files[i].on_disk = all.files[i].on_disk && !all.files[i].deleted;
    }
    pthread_mutex_unlock(&all.mutex);
    return all.real->xDelete(all.real, path, 0);
}

void fault_vfs_install(bool remembering) {
    all.real = sqlite3_vfs_find(NULL);
    all.remember = remembering;
    memset(all.calls, 0, sizeof all.calls);
    memset(all.from, 0, sizeof all.from);
    all.failures = all.before = 0;
    all.vfs = *all.real;
    all.vfs.zName = "fault";
    all.vfs.szOsFile = (int)sizeof(struct fault_file) + all.real->szOsFile;
    all.vfs.xOpen = vfs_open;
    all.vfs.xDelete = vfs_delete;
    if (sqlite3_vfs_register(&all.vfs, 1) != SQLITE_OK) {
        abort();
    }
}

void fault_vfs_remove(void) {
    sqlite3_vfs_unregister(&all.vfs);
    sqlite3_vfs_register(all.real, 1);
    for (int i = 0; i < all.file_count; i++) {
        forget_changes(&all.files[i]);
        free(all.files[i].bytes);
    }
    memset(all.files, 0, sizeof all.files);
    all.file_count = 0;
}
