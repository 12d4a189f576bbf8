// SPDX-License-Identifier: MIT
// Tells whether the end of the log is one that an interrupted write leaves, or whether something in it was changed
// since. The format is that of https://sqlite.org/fileformat2.html#walformat:
//
//   header  magic u32 (the lowest bit: checksums of big-endian words), version u32, page size u32, checkpoint u32,
//           salt 8 bytes, checksum 8 bytes; all big-endian
//   frame   page u32, pages of the database after a commit or 0 u32, salt 8 bytes, checksum 8 bytes; the page
//
// Each checksum continues that of the frame before. So a frame can be verified even if the frames before it cannot:
// from the checksum that is written in the frame before. Frames of another salt are left over from before SQLite began
// the log anew.
#include "store/sqlite/wal.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADER_BYTES 32u
#define FRAME_BYTES 24u
#define MAGIC 0x377f0682u

struct scan {
    FILE *file;
    uint32_t page_size;
    bool big_endian;       // byte order of the words that are summed
    unsigned char salt[8]; // in the header
    bool header_valid;
    unsigned char before[8];     // checksum of the previous frame
    unsigned char *frame, *last; // the present and the previous frame
};

static uint32_t read_u32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t read_word(const unsigned char *bytes, bool big_endian) {
    return big_endian ? read_u32(bytes)
                      : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static void add_checksum(uint32_t sum[2], const unsigned char *bytes, size_t size, bool big_endian) {
    for (size_t at = 0; at + 8 <= size; at += 8) {
        sum[0] += read_word(bytes + at, big_endian) + sum[1];
        sum[1] += read_word(bytes + at + 4, big_endian) + sum[0];
    }
}

static bool is_page_size(uint32_t size) {
    return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

static void read_header(struct scan *scan, const unsigned char header[HEADER_BYTES], uint32_t usual_page_size) {
    const uint32_t magic = read_u32(header);
    uint32_t sum[2] = {0, 0};
    scan->page_size = read_u32(header + 8);
    scan->big_endian = (magic & 1u) != 0;
    memcpy(scan->salt, header + 16, sizeof scan->salt);
    memcpy(scan->before, header + 24, sizeof scan->before);
    add_checksum(sum, header, 24, scan->big_endian);
    scan->header_valid = (magic & ~1u) == MAGIC && is_page_size(scan->page_size) && sum[0] == read_u32(header + 24) &&
                         sum[1] == read_u32(header + 28);
    if (!scan->header_valid) {
        scan->page_size = usual_page_size; // the frames may still be readable
        scan->big_endian = false;          // the byte order of every machine that this server is built for
    }
}

// Whether the present frame follows the previous one: it has the salt, and its checksum continues the previous one.
static bool frame_follows(const struct scan *scan, const unsigned char salt[8]) {
    uint32_t sum[2] = {read_u32(scan->before), read_u32(scan->before + 4)};
    add_checksum(sum, scan->frame, 8, scan->big_endian);
    add_checksum(sum, scan->frame + FRAME_BYTES, scan->page_size, scan->big_endian);
    return memcmp(scan->frame + 8, salt, 8) == 0 && sum[0] == read_u32(scan->frame + 16) &&
           sum[1] == read_u32(scan->frame + 20);
}

// SQLite may write the last frame of a commit several times, up to the end of a sector.
static bool repeats_commit(const struct scan *scan) {
    return read_u32(scan->last + 4) != 0 && memcmp(scan->frame, scan->last, 8) == 0 &&
           memcmp(scan->frame + FRAME_BYTES, scan->last + FRAME_BYTES, scan->page_size) == 0;
}

static void scan_frames(struct scan *scan, struct store_wal *found) {
    const size_t size = FRAME_BYTES + scan->page_size;
    bool intact = scan->header_valid;
    while (fread(scan->frame, 1, size, scan->file) == size) {
        const unsigned char *salt = scan->header_valid ? scan->salt : scan->last + 8;
        const bool follows = frame_follows(scan, salt);
        const bool commits = follows && read_u32(scan->frame + 4) != 0;
        if (intact && !follows) {
            intact = false;
            found->first_bad = found->frames + 1;
        }
        if (commits && !intact && !repeats_commit(scan)) {
            found->commits_behind++;
        }
        found->frames++;
        memcpy(scan->before, scan->frame + 16, sizeof scan->before);
        unsigned char *other = scan->last;
        scan->last = scan->frame;
        scan->frame = other;
    }
}

// Opens a log and reads its header. `*size` is the number of bytes read, 0 when there is no log.
static enum result begin_scan(const char *path, uint32_t usual_page_size, struct scan *scan, size_t *size,
                              struct fault *fault) {
    unsigned char header[HEADER_BYTES];
    *size = 0;
    *scan = (struct scan){.file = fopen(path, "rbe")};
    if (scan->file == NULL) {
        return RESULT_OK;
    }
    *size = fread(header, 1, sizeof header, scan->file);
    if (*size < sizeof header) {
        return RESULT_OK;
    }
    read_header(scan, header, usual_page_size);
    scan->frame = calloc(1, FRAME_BYTES + scan->page_size);
    scan->last = calloc(1, FRAME_BYTES + scan->page_size);
    return scan->frame != NULL && scan->last != NULL
               ? RESULT_OK
               : fault_set(fault, RESULT_MEMORY, "", "out of memory while looking into the write-ahead log");
}

static enum result end_scan(struct scan *scan, const char *path, enum result result, struct fault *fault) {
    free(scan->frame);
    free(scan->last);
    if (scan->file != NULL) {
        if (result == RESULT_OK && ferror(scan->file) != 0) {
            result = fault_set(fault, RESULT_IO, "/data", "%s cannot be read", path);
        }
        (void)fclose(scan->file);
    }
    return result;
}

enum result store_wal_look(const char *path, uint32_t usual_page_size, struct store_wal *found, struct fault *fault) {
    struct scan scan;
    size_t size = 0;
    *found = (struct store_wal){0};
    const enum result result = begin_scan(path, usual_page_size, &scan, &size, fault);
    found->bytes = size;
    if (result == RESULT_OK && size == HEADER_BYTES) {
        scan_frames(&scan, found);
        found->bytes += found->frames * (FRAME_BYTES + scan.page_size);
    }
    return end_scan(&scan, path, result, fault);
}

// ---- intact frames, into a database --------------------------------------------------------------------------------

// Goes through the frames that belong to the log's salt. If `database` is NULL, finds the number of the last frame that
// commits and the size in pages that it gives the database; otherwise writes the pages of the frames up to that one.
static bool walk_frames(struct scan *scan, FILE *database, uint64_t *last_commit, uint32_t *pages) {
    const size_t size = FRAME_BYTES + scan->page_size;
    unsigned char salt[8];
    bool written = true;
    memcpy(salt, scan->salt, sizeof salt);
    for (uint64_t number = 1; written && fread(scan->frame, 1, size, scan->file) == size; number++) {
        if (number == 1 && !scan->header_valid) {
            memcpy(salt, scan->frame + 8, sizeof salt);
        }
        const uint32_t page = read_u32(scan->frame);
        const bool intact = frame_follows(scan, salt) && page > 0;
        if (intact && database == NULL && read_u32(scan->frame + 4) != 0) {
            *last_commit = number;
            *pages = read_u32(scan->frame + 4);
        } else if (intact && database != NULL && number <= *last_commit) {
            written = fseeko(database, (off_t)(page - 1) * (off_t)scan->page_size, SEEK_SET) == 0 &&
                      fwrite(scan->frame + FRAME_BYTES, 1, scan->page_size, database) == scan->page_size;
        }
        memcpy(scan->before, scan->frame + 16, sizeof scan->before);
    }
    return written;
}

static bool apply_frames(const char *path, const char *name, uint32_t usual_page_size, uint64_t last_commit,
                         uint32_t pages, struct fault *fault) {
    struct scan scan;
    size_t size = 0;
    FILE *database = fopen(name, "r+be");
    bool written = false;
    if (begin_scan(path, usual_page_size, &scan, &size, fault) == RESULT_OK && database != NULL) {
        written = walk_frames(&scan, database, &last_commit, &pages) && fflush(database) == 0 &&
                  ftruncate(fileno(database), (off_t)pages * (off_t)scan.page_size) == 0;
    }
    if (database != NULL) {
        written = fclose(database) == 0 && written;
    }
    return end_scan(&scan, path, RESULT_OK, fault) == RESULT_OK && written;
}

enum result store_wal_apply(const char *path, const char *database, uint32_t usual_page_size, struct fault *fault) {
    struct scan scan;
    size_t size = 0;
    uint64_t last_commit = 0;
    uint32_t pages = 0;
    enum result result = begin_scan(path, usual_page_size, &scan, &size, fault);
    if (result == RESULT_OK && size == HEADER_BYTES) {
        (void)walk_frames(&scan, NULL, &last_commit, &pages);
    }
    result = end_scan(&scan, path, result, fault);
    if (result == RESULT_OK && last_commit > 0 &&
        !apply_frames(path, database, usual_page_size, last_commit, pages, fault)) {
        return fault_set(fault, RESULT_IO, "", "%s cannot be written", database);
    }
    return result;
}
