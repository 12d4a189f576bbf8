// SPDX-License-Identifier: MIT
// The files of a broadcast (proto/FRAMES.md, "Broadcast") in memory: snapshots and fragments, each in its place in the
// order of the world's life, and the two lists of them. Files never change; what is older than the window goes.
//
// Thread-safe: the job thread adds files, the net thread finds them, the world's worker begins and ends the broadcast.
// The mutex is held for a search through a list, never while something is compressed or written.
#ifndef WEFT_HOST_WORLDS_BROADCAST_FILES_H
#define WEFT_HOST_WORLDS_BROADCAST_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "base/result.h"
#include "host/config/config.h"

#define BROADCAST_WINDOW_NS 600000000000u          // that files are kept
#define BROADCAST_BYTES_MAX ((size_t)64 * 1048576) // of all files of a world
#define BROADCAST_KEY_MAX 25                       // letters of the secret part of the path, and the end
#define BROADCAST_FILE_NAME_MAX 64
#define BROADCAST_PATH_MAX (CONFIG_WORLD_NAME_MAX + BROADCAST_KEY_MAX + 24)

struct broadcast_files;

// /worlds/WORLD/broadcast/FILE or /worlds/WORLD/broadcast/KEY/FILE
struct broadcast_path {
    char world[CONFIG_WORLD_NAME_MAX + 1];
    char key[BROADCAST_KEY_MAX]; // "" without one
    char file[BROADCAST_FILE_NAME_MAX];
};
bool broadcast_path_read(const char *path, struct broadcast_path *out); // false: it is no such path

// NULL when memory ran out.
struct broadcast_files *broadcast_files_create(const char *world, double tick_hz);
void broadcast_files_destroy(struct broadcast_files *files); // NULL is allowed

// Begins a broadcast without files; `key` "" where nobody needs one. Returns the number of this broadcast.
uint32_t broadcast_files_begin(struct broadcast_files *files, const char *key, bool embed);
void broadcast_files_set_embed(struct broadcast_files *files, bool embed);
void broadcast_files_end(struct broadcast_files *files); // everything is gone

// A file of the broadcast of this number; it is dropped if that has ended. Takes `content`. A snapshot has from = to;
// `continues` says whether it is the state that the file before it leads to. Errors: RESULT_MEMORY, after which nothing
// may be added but a snapshot.
struct broadcast_entry {
    uint32_t broadcast;
    bool snapshot, continues;
    uint64_t from, to; // ticks
    struct message *content;
};
enum result broadcast_files_add(struct broadcast_files *files, const struct broadcast_entry *take,
                                uint64_t now_ns) WEFT_MUST_USE;

// What a client asked for: a message to release, or NULL if there is none.
struct broadcast_answer {
    bool on;    // there is a broadcast at that path
    bool embed; // which pages of any origin may play
    const char *cache_control;
    bool json; // a list; it is missing only until the first snapshot is there
    struct message *message;
};
struct broadcast_answer broadcast_files_find(struct broadcast_files *files, const char *key, const char *file);
// False if there is a broadcast of this key that pages of other origins may not play.
bool broadcast_files_may_embed(struct broadcast_files *files, const char *key);

struct broadcast_figures {
    bool on, embed;
    char path[BROADCAST_PATH_MAX];
    bool has_files;
    uint64_t from, to; // ticks
    uint64_t bytes, requests;
};
struct broadcast_figures broadcast_files_figures(struct broadcast_files *files);

#endif
