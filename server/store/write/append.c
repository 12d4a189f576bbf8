// SPDX-License-Identifier: MIT
// Data is copied to the end of the queue under the mutex, which is held for nothing else. The store's thread takes the
// whole queue at once by exchanging two buffers, so in the long run nothing is allocated.
#include "store/write/append.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/database/clock.h"
#include "store/database/engine.h"
#include "store/database/row.h"
#include "store/database/snapshot_row.h"
#include "store/store_state.h"
#include "store/write/world_log.h"
#include "store/write/write_queue.h"

#define SILENCE_MS 500u // a longer commit is reported as the reason of a full queue

static size_t queued_bytes(const struct store *store) {
    return store->queued.size + store->queued.snapshot_bytes + store->committing_bytes;
}

// Names the reason if the queue is full because nothing is written any more.
static enum result refuse_full(const struct store *store, struct fault *fault) {
    const uint64_t waiting_ms = store->waiting_since_ms != 0 ? store_monotonic_ms() - store->waiting_since_ms : 0;
    return waiting_ms < SILENCE_MS
               ? fault_set(fault, RESULT_BUSY, "", "the store's queue is full: try again, nothing was applied")
               : fault_set(
                     fault, RESULT_BUSY, "",
                     "the store's queue is full, for %s has not answered for %.1f s: try again, nothing was applied",
                     store->engine->keeper, (double)waiting_ms / 1e3);
}

// Whether a write of this world could be queued now. The caller holds the mutex.
static enum result check_health(const struct store *store, const struct store_log *log, struct fault *fault) {
    if (log == NULL) {
        return store_no_world(fault);
    }
    if (!store->figures.well) {
        return fault_set(fault, RESULT_IO, "", "%s", store->figures.fault.message);
    }
    if (store->stopping) {
        return fault_set(fault, RESULT_IO, "", "the store is closing");
    }
    return RESULT_OK;
}

static enum result check_log(const struct store *store, const struct store_log *log, struct fault *fault) {
    enum result result = check_health(store, log, fault);
    if (result == RESULT_OK && log->lost) {
        return fault_set(fault, RESULT_STATE, "",
                         "the store lacks commands that were applied: it needs a snapshot first");
    }
    if (result == RESULT_OK && log->timeline == 0) {
        return fault_set(fault, RESULT_STATE, "", "the world has no timeline yet");
    }
    return result;
}

enum result store_accepts(struct store *store, uint64_t world, struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    enum result result = check_log(store, store_log_find(store, world), fault);
    if (result == RESULT_OK && queued_bytes(store) >= STORE_QUEUE_MAX) {
        result = refuse_full(store, fault);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- queueing -------------------------------------------------------------------------------------------------------

// The queue that takes the writes of this world.
static struct store_queue *queue_of(struct store *store, const struct store_log *log) {
    return log->group != NULL ? &log->group->writes : &store->queued;
}

static void wake(struct store *store) {
    store->figures.queue_bytes = queued_bytes(store);
    if (store->figures.queue_bytes > store->figures.queue_max) {
        store->figures.queue_max = store->figures.queue_bytes;
    }
    if (store->waiting_since_ms == 0) {
        store->waiting_since_ms = store_monotonic_ms();
    }
    if (!store->commit_posted) {
        store->commit_posted = job_thread_post(store->thread, &store->commit) == RESULT_OK;
    }
}

// Makes a write that stands at the end of the queue part of it. The caller holds the mutex.
static void enqueue(struct store *store, struct store_queue *queue, const struct store_write *write) {
    queue->size += write->size;
    if (write->snapshot != NULL) {
        queue->snapshot_bytes += write->snapshot->bytes.size;
    }
    if (queue == &store->queued) {
        wake(store);
    }
}

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for the store's queue");
}

static enum result enqueue_head(struct store *store, struct store_queue *queue, const struct store_write *write,
                                struct fault *fault) {
    struct store_write *place = store_queue_reserve(queue, sizeof *write);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    *place = *write;
    place->size = sizeof *write;
    enqueue(store, queue, place);
    return RESULT_OK;
}

// ---- entries --------------------------------------------------------------------------------------------------------

static uint32_t text_length(const char *text) {
    return text == NULL ? STORE_NO_TEXT : (uint32_t)strlen(text);
}

static size_t text_bytes(uint32_t length) {
    return length == STORE_NO_TEXT ? 0 : (size_t)length + 1;
}

static size_t round_up(size_t size) {
    return (size + 7) & ~(size_t)7;
}

static struct store_write_entry measure(const struct store_entry *entry) {
    const bool replied = entry->reply != NULL && entry->session != NULL && entry->request != NULL;
    struct store_write_entry head = {
        .tick = entry->tick,
        .sequence = entry->sequence,
        .kind = entry->kind,
        .client = entry->client,
        .session_length = text_length(entry->session),
        .request_length = text_length(entry->request),
        .reply_length = replied ? (uint32_t)entry->reply_length : STORE_NO_TEXT,
        .record_length = (uint32_t)entry->record.size,
    };
    head.size = round_up(sizeof head + text_bytes(head.session_length) + text_bytes(head.request_length) +
                         text_bytes(head.reply_length) + head.record_length);
    return head;
}

static unsigned char *put(unsigned char *to, const void *from, size_t size) {
    if (size > 0) {
        memcpy(to, from, size);
    }
    return to + size;
}

static unsigned char *put_entry(unsigned char *to, const struct store_entry *entry) {
    const struct store_write_entry head = measure(entry);
    unsigned char *at = put(to, &head, sizeof head);
    at = put(at, entry->session, text_bytes(head.session_length));
    at = put(at, entry->request, text_bytes(head.request_length));
    if (head.reply_length != STORE_NO_TEXT) {
        at = put(at, entry->reply, head.reply_length);
        *at++ = '\0';
    }
    at = put(at, entry->record.data, head.record_length);
    memset(at, 0, (size_t)(to + head.size - at));
    return to + head.size;
}

// Asserts that sequence numbers and ticks rise and that sizes fit.
static void check_entries(const struct store_log *log, const struct store_entry *entries, uint32_t count) {
    uint64_t sequence = log->sequence, tick = log->tick;
    for (uint32_t i = 0; i < count; i++) {
        assert(entries[i].record.size <= STORE_BYTES_MAX && entries[i].reply_length <= STORE_BYTES_MAX);
        if (entries[i].sequence == 0) {
            continue;
        }
        assert(entries[i].sequence == sequence + 1 && entries[i].tick >= tick && entries[i].tick > 0);
        sequence = entries[i].sequence;
        tick = entries[i].tick;
    }
    (void)sequence; // unused when assertions are off
    (void)tick;
}

static void note_entries(struct store_log *log, const struct store_entry *entries, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (entries[i].sequence != 0) {
            log->sequence = entries[i].sequence;
            log->tick = entries[i].tick;
        }
    }
}

static enum result append(struct store *store, struct store_log *log, const struct store_entry *entries, uint32_t count,
                          uint64_t ticket, struct fault *fault) {
    check_entries(log, entries, count);
    size_t size = sizeof(struct store_write);
    for (uint32_t i = 0; i < count; i++) {
        size += (size_t)measure(&entries[i]).size;
    }
    struct store_queue *queue = queue_of(store, log);
    unsigned char *place = store_queue_reserve(queue, size);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    const struct store_write write = {.size = size,
                                      .kind = STORE_WRITE_APPEND,
                                      .world = log->world,
                                      .ticket = ticket,
                                      .saved_ms = store_clock_ms(),
                                      .timeline = log->timeline,
                                      .count = count};
    unsigned char *at = put(place, &write, sizeof write);
    for (uint32_t i = 0; i < count; i++) {
        at = put_entry(at, &entries[i]);
    }
    note_entries(log, entries, count);
    enqueue(store, queue, &write);
    return RESULT_OK;
}

enum result store_append(struct store *store, uint64_t world, const struct store_entry *entries, uint32_t count,
                         uint64_t ticket, struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    enum result result = check_log(store, log, fault);
    if (result == RESULT_OK) {
        result = append(store, log, entries, count, ticket, fault);
    }
    if (result != RESULT_OK && log != NULL) {
        log->lost = true;
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

enum result store_append_hash(struct store *store, uint64_t world, uint64_t tick, uint64_t hash, uint64_t ticket,
                              struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    const struct store_log *log = store_log_find(store, world);
    enum result result = check_log(store, log, fault);
    if (result == RESULT_OK) {
        const struct store_write write = {.kind = STORE_WRITE_HASH,
                                          .world = world,
                                          .ticket = ticket,
                                          .saved_ms = store_clock_ms(),
                                          .timeline = log->timeline,
                                          .tick = tick,
                                          .sequence = log->sequence,
                                          .hash = hash};
        result = enqueue_head(store, queue_of(store, log), &write, fault);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- snapshots and timelines ----------------------------------------------------------------------------------------

static enum result pack(const struct store_snapshot *snapshot, uint32_t timeline, bool raw,
                        struct store_packed **packed, struct fault *fault) {
    struct store_packed *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return out_of_memory(fault);
    }
    enum result result = raw ? store_snapshot_copy(snapshot, made, fault) : store_snapshot_pack(snapshot, made, fault);
    if (result != RESULT_OK) {
        free(made);
        return result;
    }
    made->head.timeline = timeline;
    *packed = made;
    return RESULT_OK;
}

enum result store_save(struct store *store, uint64_t world, const struct store_snapshot *snapshot, uint64_t ticket,
                       struct fault *fault) {
    enum result result = store_accepts(store, world, fault); // before the snapshot is compressed
    struct store_packed *packed = NULL;
    if (result == RESULT_OK) {
        result = pack(snapshot, snapshot->timeline, false, &packed, fault);
    }
    if (result != RESULT_OK || packed == NULL) {
        return result;
    }
    pthread_mutex_lock(&store->mutex);
    const struct store_log *log = store_log_find(store, world);
    result = check_log(store, log, fault);
    if (result == RESULT_OK && snapshot->timeline != log->timeline) {
        result = fault_set(fault, RESULT_STATE, "", "the snapshot is of timeline %u, but the world is in timeline %u",
                           snapshot->timeline, log->timeline);
    }
    if (result == RESULT_OK) {
        assert(snapshot->sequence <= log->sequence);
        const struct store_write write = {.kind = STORE_WRITE_SAVE,
                                          .world = world,
                                          .ticket = ticket,
                                          .saved_ms = packed->head.saved_ms,
                                          .timeline = log->timeline,
                                          .snapshot = packed};
        result = enqueue_head(store, queue_of(store, log), &write, fault);
    }
    pthread_mutex_unlock(&store->mutex);
    if (result != RESULT_OK) {
        store_packed_free(packed);
    }
    return result;
}

static enum result begin(struct store *store, uint64_t world, const struct store_beginning *beginning,
                         struct store_packed *packed, uint64_t ticket, struct fault *fault) {
    struct store_log *log = store_log_find(store, world);
    if (log == NULL) {
        return store_no_world(fault);
    }
    enum result result = check_health(store, log, fault);
    if (result == RESULT_OK && queued_bytes(store) >= STORE_QUEUE_MAX) {
        result = refuse_full(store, fault);
    }
    if (result == RESULT_OK && beginning->timeline <= log->timeline) {
        result = fault_set(fault, RESULT_STATE, "", "timeline %u does not come after %u", beginning->timeline,
                           log->timeline);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_write write = {.kind = STORE_WRITE_BEGIN,
                                      .world = world,
                                      .ticket = ticket,
                                      .saved_ms = store_clock_ms(),
                                      .timeline = beginning->timeline,
                                      .beginning = *beginning,
                                      .snapshot = packed};
    result = enqueue_head(store, queue_of(store, log), &write, fault);
    if (result == RESULT_OK) {
        *log = (struct store_log){
            .world = world, .timeline = beginning->timeline, .taken = log->taken, .group = log->group};
    }
    return result;
}

enum result store_begin(struct store *store, uint64_t world, const struct store_beginning *beginning,
                        const struct store_snapshot *snapshot, uint64_t ticket, struct fault *fault) {
    assert(snapshot != NULL ? snapshot->sequence == 0 && snapshot->tick == beginning->tick
                            : beginning->origin == STORE_ORIGIN_EMPTY && beginning->tick == 0);
    struct store_packed *packed = NULL;
    enum result result = RESULT_OK;
    if (snapshot != NULL) {
        result = pack(snapshot, beginning->timeline, true, &packed, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    pthread_mutex_lock(&store->mutex);
    result = begin(store, world, beginning, packed, ticket, fault);
    pthread_mutex_unlock(&store->mutex);
    if (result != RESULT_OK) {
        store_packed_free(packed);
    }
    return result;
}

// ---- groups ---------------------------------------------------------------------------------------------------------

enum result store_group_begin(struct store *store, uint64_t world, struct fault *fault) {
    struct store_group *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return out_of_memory(fault);
    }
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    if (log != NULL && log->group == NULL) {
        made->before = *log;
        log->group = made;
        made = NULL;
    }
    pthread_mutex_unlock(&store->mutex);
    store_group_free(made);
    return log != NULL ? RESULT_OK : store_no_world(fault);
}

// Moves the writes of a group to the end of the queue.
static enum result move_group(struct store *store, struct store_queue *writes, struct fault *fault) {
    unsigned char *place = store_queue_reserve(&store->queued, writes->size);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    memcpy(place, writes->data, writes->size);
    store->queued.size += writes->size;
    store->queued.snapshot_bytes += writes->snapshot_bytes;
    writes->size = 0;
    wake(store);
    return RESULT_OK;
}

enum result store_group_commit(struct store *store, uint64_t world, struct fault *fault) {
    enum result result = RESULT_OK;
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    struct store_group *group = log != NULL ? log->group : NULL;
    if (group != NULL) {
        log->group = NULL;
        result = group->writes.size > 0 ? move_group(store, &group->writes, fault) : RESULT_OK;
        log->lost = log->lost || result != RESULT_OK;
    }
    pthread_mutex_unlock(&store->mutex);
    store_group_free(group);
    return result;
}

void store_group_discard(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    struct store_group *group = log != NULL ? log->group : NULL;
    if (group != NULL) {
        group->before.lost = group->before.lost || log->lost;
        *log = group->before;
    }
    pthread_mutex_unlock(&store->mutex);
    store_group_free(group);
}
