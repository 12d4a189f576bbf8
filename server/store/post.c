// SPDX-License-Identifier: MIT
// Posting: what a world has to say is copied behind what others said, under a mutex that is held for no longer. The
// store's thread takes it all at a stroke by exchanging two buffers, so in the long run nothing is allocated.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_internal.h"

#define BUFFER_LEAST ((size_t)64 << 10)
#define BUFFER_KEPT ((size_t)4 << 20) // a larger one is given back once it is empty
#define NO_TEXT UINT32_MAX

_Static_assert(sizeof(struct store_post) % 8 == 0 && sizeof(struct store_post_entry) % 8 == 0, "posts stay aligned");

// ---- buffers
// -------------------------------------------------------------------------------------------------------------------

struct store_post *store_posts_next(const struct store_posts *posts, const struct store_post *post) {
    const size_t at = post == NULL ? 0 : (size_t)((const unsigned char *)post - posts->data) + (size_t)post->size;
    return at < posts->size ? (struct store_post *)(void *)(posts->data + at) : NULL;
}

static void packed_free(struct store_packed *packed) {
    if (packed != NULL) {
        free((void *)packed->bytes.data);
        free(packed);
    }
}

void store_posts_clear(struct store_posts *posts) {
    for (struct store_post *post = NULL; (post = store_posts_next(posts, post)) != NULL;) {
        packed_free(post->snapshot);
    }
    posts->size = 0;
    posts->snapshot_bytes = 0;
    if (posts->capacity > BUFFER_KEPT) {
        store_posts_free(posts);
    }
}

void store_posts_free(struct store_posts *posts) {
    free(posts->data);
    *posts = (struct store_posts){0};
}

void store_gathered_free(struct store_gathered *gathered) {
    if (gathered != NULL) {
        store_posts_clear(&gathered->posts);
        store_posts_free(&gathered->posts);
        free(gathered);
    }
}

// Room for `size` bytes more at the end, or NULL.
static void *reserve(struct store_posts *posts, size_t size) {
    if (size > posts->capacity - posts->size) {
        size_t capacity = posts->capacity < BUFFER_LEAST ? BUFFER_LEAST : posts->capacity;
        while (capacity - posts->size < size) {
            capacity *= 2;
        }
        unsigned char *data = realloc(posts->data, capacity);
        if (data == NULL) {
            return NULL;
        }
        posts->data = data;
        posts->capacity = capacity;
    }
    return posts->data + posts->size;
}

// ---- worlds
// --------------------------------------------------------------------------------------------------------------------

struct store_log *store_log_find(struct store *store, uint64_t world) {
    uint32_t low = 0, high = store->log_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (store->logs[middle].world < world) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < store->log_count && store->logs[low].world == world ? &store->logs[low] : NULL;
}

bool store_world_known(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    const bool known = store_log_find(store, world) != NULL;
    pthread_mutex_unlock(&store->mutex);
    return known;
}

void store_posts_lose(struct store *store, const struct store_posts *posts) {
    for (struct store_post *post = NULL; (post = store_posts_next(posts, post)) != NULL;) {
        struct store_log *log = store_log_find(store, post->world);
        if (log != NULL && (post->kind == STORE_POST_APPEND || post->kind == STORE_POST_BEGIN)) {
            log->lost = true;
        }
    }
}

static enum result no_world(struct fault *fault) {
    return fault_set(fault, RESULT_NOT_FOUND, "", "the store has no such world");
}

static size_t queued(const struct store *store) {
    return store->pending.size + store->pending.snapshot_bytes + store->in_hand;
}

static enum result refuse_full(struct fault *fault) {
    return fault_set(fault, RESULT_BUSY, "", "the store's queue is full: try again, nothing was applied");
}

// Whether anything of this world can be kept now; under the mutex.
static enum result check_health(const struct store *store, const struct store_log *log, struct fault *fault) {
    if (log == NULL) {
        return no_world(fault);
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
        return fault_set(fault, RESULT_STATE, "", "what was applied is not in the store: it needs a snapshot first");
    }
    if (result == RESULT_OK && log->timeline == 0) {
        return fault_set(fault, RESULT_STATE, "", "the world has no timeline yet");
    }
    return result;
}

enum result store_accepts(struct store *store, uint64_t world, struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    enum result result = check_log(store, store_log_find(store, world), fault);
    if (result == RESULT_OK && queued(store) >= STORE_QUEUE_MAX) {
        result = refuse_full(fault);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- posting
// -------------------------------------------------------------------------------------------------------------------

// Where posts of this world go.
static struct store_posts *posts_of(struct store *store, const struct store_log *log) {
    return log->gathered != NULL ? &log->gathered->posts : &store->pending;
}

static void wake(struct store *store) {
    store->figures.queue_bytes = queued(store);
    if (store->figures.queue_bytes > store->figures.queue_max) {
        store->figures.queue_max = store->figures.queue_bytes;
    }
    pthread_cond_signal(&store->woken);
}

// Under the mutex: what stands at the end of the posts is complete.
static void enqueue(struct store *store, struct store_posts *posts, const struct store_post *post) {
    posts->size += post->size;
    if (post->snapshot != NULL) {
        posts->snapshot_bytes += post->snapshot->bytes.size;
    }
    if (posts == &store->pending) {
        wake(store);
    }
}

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for the store's queue");
}

static enum result enqueue_alone(struct store *store, struct store_posts *posts, const struct store_post *post,
                                 struct fault *fault) {
    struct store_post *place = reserve(posts, sizeof *post);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    *place = *post;
    place->size = sizeof *post;
    enqueue(store, posts, place);
    return RESULT_OK;
}

static uint32_t text_length(const char *text) {
    return text == NULL ? NO_TEXT : (uint32_t)strlen(text);
}

static size_t text_bytes(uint32_t length) {
    return length == NO_TEXT ? 0 : (size_t)length + 1;
}

static size_t round_up(size_t size) {
    return (size + 7) & ~(size_t)7;
}

static struct store_post_entry measure(const struct store_entry *entry) {
    const bool replied = entry->reply != NULL && entry->session != NULL && entry->request != NULL;
    struct store_post_entry head = {
        .tick = entry->tick,
        .sequence = entry->sequence,
        .kind = entry->kind,
        .client = entry->client,
        .session_length = text_length(entry->session),
        .request_length = text_length(entry->request),
        .reply_length = replied ? (uint32_t)entry->reply_length : NO_TEXT,
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
    const struct store_post_entry head = measure(entry);
    unsigned char *at = put(to, &head, sizeof head);
    at = put(at, entry->session, text_bytes(head.session_length));
    at = put(at, entry->request, text_bytes(head.request_length));
    if (head.reply_length != NO_TEXT) {
        at = put(at, entry->reply, head.reply_length);
        *at++ = '\0';
    }
    at = put(at, entry->record.data, head.record_length);
    memset(at, 0, (size_t)(to + head.size - at));
    return to + head.size;
}

// Sequence numbers and ticks in their turn; sizes that fit.
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
    (void)sequence; // without assertions
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
    size_t size = sizeof(struct store_post);
    for (uint32_t i = 0; i < count; i++) {
        size += (size_t)measure(&entries[i]).size;
    }
    struct store_posts *posts = posts_of(store, log);
    unsigned char *place = reserve(posts, size);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    const struct store_post post = {.size = size,
                                    .kind = STORE_POST_APPEND,
                                    .world = log->world,
                                    .ticket = ticket,
                                    .saved_ms = store_clock_ms(),
                                    .timeline = log->timeline,
                                    .count = count};
    unsigned char *at = put(place, &post, sizeof post);
    for (uint32_t i = 0; i < count; i++) {
        at = put_entry(at, &entries[i]);
    }
    note_entries(log, entries, count);
    enqueue(store, posts, &post);
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

enum result store_mark(struct store *store, uint64_t world, uint64_t tick, uint64_t hash, uint64_t ticket,
                       struct fault *fault) {
    pthread_mutex_lock(&store->mutex);
    const struct store_log *log = store_log_find(store, world);
    enum result result = check_log(store, log, fault);
    if (result == RESULT_OK) {
        const struct store_post post = {.kind = STORE_POST_MARK,
                                        .world = world,
                                        .ticket = ticket,
                                        .saved_ms = store_clock_ms(),
                                        .timeline = log->timeline,
                                        .tick = tick,
                                        .sequence = log->sequence,
                                        .hash = hash};
        result = enqueue_alone(store, posts_of(store, log), &post, fault);
    }
    pthread_mutex_unlock(&store->mutex);
    return result;
}

// ---- snapshots
// -----------------------------------------------------------------------------------------------------------------

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
    enum result result = store_accepts(store, world, fault); // before the work is done
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
        result = fault_set(fault, RESULT_STATE, "", "the snapshot is of timeline %u, the world goes on in %u",
                           snapshot->timeline, log->timeline);
    }
    if (result == RESULT_OK) {
        assert(snapshot->sequence <= log->sequence);
        const struct store_post post = {.kind = STORE_POST_SAVE,
                                        .world = world,
                                        .ticket = ticket,
                                        .saved_ms = packed->head.saved_ms,
                                        .timeline = log->timeline,
                                        .snapshot = packed};
        result = enqueue_alone(store, posts_of(store, log), &post, fault);
    }
    pthread_mutex_unlock(&store->mutex);
    if (result != RESULT_OK) {
        packed_free(packed);
    }
    return result;
}

static enum result begin(struct store *store, uint64_t world, const struct store_beginning *beginning,
                         struct store_packed *packed, uint64_t ticket, struct fault *fault) {
    struct store_log *log = store_log_find(store, world);
    if (log == NULL) {
        return no_world(fault);
    }
    enum result result = check_health(store, log, fault);
    if (result == RESULT_OK && queued(store) >= STORE_QUEUE_MAX) {
        result = refuse_full(fault);
    }
    if (result == RESULT_OK && beginning->timeline <= log->timeline) {
        result = fault_set(fault, RESULT_STATE, "", "timeline %u does not come after %u", beginning->timeline,
                           log->timeline);
    }
    if (result != RESULT_OK) {
        return result;
    }
    const struct store_post post = {.kind = STORE_POST_BEGIN,
                                    .world = world,
                                    .ticket = ticket,
                                    .saved_ms = store_clock_ms(),
                                    .timeline = beginning->timeline,
                                    .beginning = *beginning,
                                    .snapshot = packed};
    result = enqueue_alone(store, posts_of(store, log), &post, fault);
    if (result == RESULT_OK) {
        *log = (struct store_log){.world = world, .timeline = beginning->timeline, .gathered = log->gathered};
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
        packed_free(packed);
    }
    return result;
}

// ---- together
// ------------------------------------------------------------------------------------------------------------------

enum result store_gather(struct store *store, uint64_t world, struct fault *fault) {
    struct store_gathered *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return out_of_memory(fault);
    }
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    if (log != NULL && log->gathered == NULL) {
        made->before = *log;
        log->gathered = made;
        made = NULL;
    }
    pthread_mutex_unlock(&store->mutex);
    store_gathered_free(made);
    return log != NULL ? RESULT_OK : no_world(fault);
}

// Moves them to the end of the queue.
static enum result hand_over(struct store *store, struct store_posts *posts, struct fault *fault) {
    unsigned char *place = reserve(&store->pending, posts->size);
    if (place == NULL) {
        return out_of_memory(fault);
    }
    memcpy(place, posts->data, posts->size);
    store->pending.size += posts->size;
    store->pending.snapshot_bytes += posts->snapshot_bytes;
    posts->size = 0;
    wake(store);
    return RESULT_OK;
}

enum result store_hand_over(struct store *store, uint64_t world, struct fault *fault) {
    enum result result = RESULT_OK;
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    struct store_gathered *gathered = log != NULL ? log->gathered : NULL;
    if (gathered != NULL) {
        log->gathered = NULL;
        result = gathered->posts.size > 0 ? hand_over(store, &gathered->posts, fault) : RESULT_OK;
        log->lost = log->lost || result != RESULT_OK;
    }
    pthread_mutex_unlock(&store->mutex);
    store_gathered_free(gathered);
    return result;
}

void store_drop_gathered(struct store *store, uint64_t world) {
    pthread_mutex_lock(&store->mutex);
    struct store_log *log = store_log_find(store, world);
    struct store_gathered *gathered = log != NULL ? log->gathered : NULL;
    if (gathered != NULL) {
        gathered->before.lost = gathered->before.lost || log->lost;
        *log = gathered->before;
    }
    pthread_mutex_unlock(&store->mutex);
    store_gathered_free(gathered);
}
