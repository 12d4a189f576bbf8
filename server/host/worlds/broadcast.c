// SPDX-License-Identifier: MIT
// A fragment is filled in one buffer while the job thread compresses others. It has a few slots, whose memory is used
// again, so a tick that is broadcast allocates nothing once the slots are warm. If all slots are taken, the fragment
// grows; when it grows too large, its ticks are dropped and the broadcast goes on from a new snapshot.
#include "host/worlds/broadcast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <zlib.h>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/job_thread.h"
#include "base/log.h"
#include "engine/world/lockstep.h"
#include "host/worlds/snapshot_post.h"

#define FRAGMENT_NS 1000000000u
#define SNAPSHOT_NS 10000000000u
#define RETRY_NS 100000000u // while the job thread has no time
#define FRAGMENT_BYTES_MAX ((size_t)16 * 1048576)
#define SLOTS 4u
#define LEVEL 6 // of zlib
#define KEY_RANDOM_BYTES 18
#define STEPS_AT 2 // offsets in the header of a message
#define GENERATION_AT 4
#define TICK_AT 8

_Static_assert(BASE64_LENGTH(KEY_RANDOM_BYTES) < BROADCAST_KEY_MAX, "keys");

// What the job thread makes a file of.
struct slot {
    struct thread_job job;
    atomic_bool busy;
    struct broadcast *broadcast; // retained while it is busy
    struct broadcast_entry entry;
    struct message *snapshot; // or
    struct bytes ticks;       // of a fragment, before it is compressed
};

struct broadcast {
    atomic_uint references; // the world's, and those of busy slots
    bool on;
    uint32_t number; // among the broadcasts of this world
    struct broadcast_files *files;
    bool has_snapshot;        // fragments may follow
    bool snapshot_asked;      // of the engine
    bool changed;             // since the snapshot
    uint32_t generation;      // of the snapshot
    uint64_t snapshot_due_ns; // the next one
    struct bytes fragment;    // messages, each behind its length
    uint64_t from, to;        // its ticks
    uint64_t began_ns;        // when its first message came
    struct slot slots[SLOTS];
};

struct broadcast_files *broadcast_files_of(const struct world *world) {
    return atomic_load(&world->broadcast_files);
}

static void release(struct broadcast *broadcast) {
    if (atomic_fetch_sub(&broadcast->references, 1) != 1) {
        return;
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        bytes_free(&broadcast->slots[i].ticks);
    }
    bytes_free(&broadcast->fragment);
    broadcast_files_destroy(broadcast->files);
    free(broadcast);
}

// ---- on the job thread -------------------------------------------------------------------------------------------

// NULL when memory ran out.
static struct message *compress_ticks(const struct bytes *ticks) {
    uLongf packed = compressBound((uLong)ticks->length);
    unsigned char *bytes = malloc(packed);
    struct message *message = NULL;
    if (bytes != NULL && compress2(bytes, &packed, ticks->data, (uLong)ticks->length, LEVEL) == Z_OK) {
        message = message_create(MESSAGE_BINARY, packed);
    }
    if (message != NULL) {
        memcpy(message_data(message), bytes, packed);
        message_set_length(message, packed);
    }
    free(bytes);
    return message;
}

static void run(struct thread_job *base) {
    struct slot *slot = (struct slot *)base;
    struct broadcast *broadcast = slot->broadcast;
    slot->entry.content = slot->snapshot != NULL ? snapshot_compress(slot->snapshot) : compress_ticks(&slot->ticks);
    message_release(slot->snapshot);
    slot->snapshot = NULL;
    const enum result result = slot->entry.content != NULL
                                   ? broadcast_files_add(broadcast->files, &slot->entry, scheduler_now_ns())
                                   : RESULT_MEMORY;
    if (result != RESULT_OK) {
        // What follows would lack this file. The next broadcast begins anew.
        log_error("world", "out of memory for a file of a broadcast; the broadcast ends");
        broadcast_files_end(broadcast->files);
    }
    atomic_store(&slot->busy, false);
    release(broadcast);
}

// ---- handing over ------------------------------------------------------------------------------------------------

static struct slot *find_free_slot(struct broadcast *broadcast) {
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!atomic_load(&broadcast->slots[i].busy)) {
            return &broadcast->slots[i];
        }
    }
    return NULL;
}

// False when the job thread takes nothing now.
static bool post(struct world *world, struct slot *slot) {
    slot->job.run = run;
    slot->broadcast = world->broadcast;
    atomic_fetch_add(&world->broadcast->references, 1);
    atomic_store(&slot->busy, true);
    if (job_thread_post(world->job_thread, &slot->job) == RESULT_OK) {
        return true;
    }
    atomic_store(&slot->busy, false);
    release(world->broadcast);
    return false;
}

// Nothing can be added until a snapshot has come.
static void lose_thread(struct world *world) {
    struct broadcast *broadcast = world->broadcast;
    broadcast->has_snapshot = broadcast->snapshot_asked = false;
    broadcast->snapshot_due_ns = scheduler_now_ns() + FRAGMENT_NS;
    bytes_clear(&broadcast->fragment);
}

// False if the fragment has to wait.
static bool end_fragment(struct world *world) {
    struct broadcast *broadcast = world->broadcast;
    if (broadcast->fragment.length == 0) {
        return true;
    }
    struct slot *slot = find_free_slot(broadcast);
    if (slot == NULL) {
        return false;
    }
    const struct bytes spare = slot->ticks;
    slot->ticks = broadcast->fragment;
    broadcast->fragment = spare;
    bytes_clear(&broadcast->fragment);
    slot->entry =
        (struct broadcast_entry){.broadcast = broadcast->number, .from = broadcast->from, .to = broadcast->to};
    if (!post(world, slot)) {
        lose_thread(world);
    }
    return true;
}

// ---- recording ---------------------------------------------------------------------------------------------------

static void record_snapshot(struct world *world, struct message *take, uint32_t generation, uint64_t tick) {
    struct broadcast *broadcast = world->broadcast;
    const bool whole = end_fragment(world);
    struct slot *slot = whole ? find_free_slot(broadcast) : NULL;
    const bool continues = broadcast->has_snapshot && generation == broadcast->generation;
    if (slot == NULL) {
        message_release(take);
        if (!continues) {
            lose_thread(world); // the ticks that follow are of this snapshot
        }
        broadcast->snapshot_asked = false;
        broadcast->snapshot_due_ns = scheduler_now_ns() + FRAGMENT_NS;
        return;
    }
    slot->snapshot = take;
    slot->entry = (struct broadcast_entry){
        .broadcast = broadcast->number, .snapshot = true, .continues = continues, .from = tick, .to = tick};
    if (!post(world, slot)) {
        message_release(slot->snapshot);
        slot->snapshot = NULL;
        lose_thread(world);
        return;
    }
    broadcast->has_snapshot = true;
    broadcast->snapshot_asked = broadcast->changed = false;
    broadcast->generation = generation;
    broadcast->snapshot_due_ns = scheduler_now_ns() + SNAPSHOT_NS;
}

static void record_ticks(struct world *world, struct message *message, uint64_t tick) {
    struct broadcast *broadcast = world->broadcast;
    if (!broadcast->has_snapshot) {
        return;
    }
    if (broadcast->fragment.length == 0) {
        broadcast->from = tick;
        broadcast->began_ns = scheduler_now_ns();
    }
    bytes_add_u32(&broadcast->fragment, (uint32_t)message_length(message));
    bytes_add(&broadcast->fragment, message_data(message), message_length(message));
    broadcast->to = tick + message_data(message)[STEPS_AT];
    broadcast->changed = true;
    if (broadcast->fragment.failed || broadcast->fragment.length > FRAGMENT_BYTES_MAX) {
        lose_thread(world);
    }
}

void broadcast_record(struct world *world, struct message *take) {
    struct broadcast *broadcast = world->broadcast;
    if (broadcast == NULL || !broadcast->on) {
        message_release(take);
        return;
    }
    uint32_t generation;
    uint64_t tick;
    memcpy(&generation, message_data(take) + GENERATION_AT, sizeof generation);
    memcpy(&tick, message_data(take) + TICK_AT, sizeof tick);
    if (message_data(take)[0] == LOCKSTEP_SNAPSHOT_TYPE) {
        record_snapshot(world, take, generation, tick);
    } else {
        record_ticks(world, take, tick);
        message_release(take);
    }
}

// ---- turns -------------------------------------------------------------------------------------------------------

uint64_t broadcast_turn(struct world *world, uint64_t now_ns) {
    struct broadcast *broadcast = world->broadcast;
    if (broadcast == NULL || !broadcast->on) {
        return SCHEDULER_NEVER;
    }
    const struct broadcast_figures figures = broadcast_files_figures(broadcast->files);
    atomic_store(&world->metrics.broadcast_bytes, figures.bytes);
    if (!figures.on) { // the job thread has ended it
        broadcast_end(world);
        return SCHEDULER_NEVER;
    }
    uint64_t next_ns = SCHEDULER_NEVER;
    if (broadcast->fragment.length > 0) {
        next_ns = broadcast->began_ns + FRAGMENT_NS;
        if (now_ns >= next_ns) {
            next_ns = end_fragment(world) ? SCHEDULER_NEVER : now_ns + RETRY_NS;
        }
    }
    if ((broadcast->changed || !broadcast->has_snapshot) && !broadcast->snapshot_asked) {
        const bool due = now_ns >= broadcast->snapshot_due_ns;
        const uint64_t again_ns = due ? now_ns + RETRY_NS : broadcast->snapshot_due_ns;
        if (due && find_free_slot(broadcast) != NULL) {
            broadcast->snapshot_asked = true;
            lockstep_record_snapshot(world->engine);
        } else if (again_ns < next_ns) {
            next_ns = again_ns;
        }
    }
    return next_ns;
}

// ---- life --------------------------------------------------------------------------------------------------------

// Letters that need no escape in a path. False when the system gives no random bytes.
static bool make_key(char key[BROADCAST_KEY_MAX]) {
    unsigned char bytes[KEY_RANDOM_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    base64_write(bytes, sizeof bytes, key);
    for (char *letter = key; *letter != '\0'; letter++) {
        if (*letter == '+') {
            *letter = '-';
        } else if (*letter == '/') {
            *letter = '_';
        }
    }
    return true;
}

static enum result create(struct world *world) {
    struct broadcast *broadcast = calloc(1, sizeof *broadcast);
    if (broadcast != NULL) {
        broadcast->files = broadcast_files_create(world->name, (double)sim_world_tick_hz(world->engine->sim));
    }
    if (broadcast == NULL || broadcast->files == NULL) {
        free(broadcast);
        return RESULT_MEMORY;
    }
    atomic_init(&broadcast->references, 1);
    world->broadcast = broadcast;
    atomic_store(&world->broadcast_files, broadcast->files);
    return RESULT_OK;
}

enum result broadcast_begin(struct world *world, bool embed, struct fault *fault) {
    char key[BROADCAST_KEY_MAX] = "";
    if (world->broadcast == NULL && create(world) != RESULT_OK) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a broadcast");
    }
    struct broadcast *broadcast = world->broadcast;
    if (broadcast->on && broadcast_files_figures(broadcast->files).on) {
        broadcast_files_set_embed(broadcast->files, embed);
        return RESULT_OK;
    }
    if (world->access != NULL && access_has_tokens(world->access) && !make_key(key)) {
        return fault_set(fault, RESULT_IO, "", "the system gave no random bytes for the key of the broadcast");
    }
    broadcast->on = true;
    broadcast->number = broadcast_files_begin(broadcast->files, key, embed);
    broadcast->has_snapshot = broadcast->changed = false;
    broadcast->snapshot_asked = true;
    bytes_clear(&broadcast->fragment);
    atomic_store(&world->metrics.broadcast, true);
    lockstep_record(world->engine, true);
    return RESULT_OK;
}

void broadcast_end(struct world *world) {
    struct broadcast *broadcast = world->broadcast;
    if (broadcast == NULL || !broadcast->on) {
        return;
    }
    broadcast->on = false;
    lockstep_record(world->engine, false);
    broadcast_files_end(broadcast->files);
    bytes_clear(&broadcast->fragment);
    atomic_store(&world->metrics.broadcast, false);
    atomic_store(&world->metrics.broadcast_bytes, 0);
}

void broadcast_free(struct world *world) {
    if (world->broadcast != NULL) {
        release(world->broadcast);
        world->broadcast = NULL;
    }
}
