// SPDX-License-Identifier: MIT
#include "host/history/capsule_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "engine/world/names.h"
#include "engine/world/snapshot_message.h"
#include "engine/world/tick_message.h"
#include "host/history/history.h"
#include "store/read/history_rows.h"

#define MAGIC "weftcaps"
#define MAGIC_LENGTH 8u
#define FORMAT 3u
#define FROM_EMPTY 1u          // a flag: there is no snapshot
#define GZIP_WINDOW (15 + 16)  // zlib's number for gzip with a window of 32 KB
#define INFLATE_LEAST 0x10000u // bytes of room for each step of decompression

static enum result out_of_memory(struct fault *fault) {
    return fault_set(fault, RESULT_MEMORY, "", "out of memory for a capsule");
}

static enum result damaged(struct fault *fault, const char *why) {
    return fault_set(fault, RESULT_DAMAGED, "", "the capsule is damaged: %s", why);
}

static enum result too_large(struct fault *fault) {
    return fault_set(fault, RESULT_LIMIT, "", "a capsule may have at most %u bytes before compression",
                     STORE_CAPSULE_MAX);
}

// ---- gzip --------------------------------------------------------------------------------------------------------

static enum result compress_content(const struct bytes *content, unsigned char **bytes, size_t *size,
                                    struct fault *fault) {
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        return out_of_memory(fault);
    }
    const size_t room = deflateBound(&stream, content->length);
    unsigned char *made = malloc(room);
    if (made == NULL) {
        deflateEnd(&stream);
        return out_of_memory(fault);
    }
    stream.next_in = content->data;
    stream.avail_in = (uInt)content->length;
    stream.next_out = made;
    stream.avail_out = (uInt)room;
    (void)deflate(&stream, Z_FINISH); // deflateBound is room enough
    *size = room - stream.avail_out;
    *bytes = made;
    deflateEnd(&stream);
    return RESULT_OK;
}

static enum result decompress_all(z_stream *stream, struct bytes *content, struct fault *fault) {
    int code = Z_OK;
    while (code == Z_OK) {
        const size_t wanted = content->length > INFLATE_LEAST ? content->length : INFLATE_LEAST;
        unsigned char *place = content->length < STORE_CAPSULE_MAX ? bytes_reserve(content, wanted) : NULL;
        if (place == NULL) {
            return content->failed ? out_of_memory(fault) : too_large(fault);
        }
        stream->next_out = place;
        stream->avail_out = (uInt)wanted;
        code = inflate(stream, Z_NO_FLUSH);
        content->length -= stream->avail_out;
    }
    if (code == Z_MEM_ERROR) {
        return out_of_memory(fault);
    }
    return code == Z_STREAM_END && stream->avail_in == 0 ? RESULT_OK
                                                         : damaged(fault, "it cannot be decompressed to its end");
}

static enum result decompress(const void *bytes, size_t size, struct bytes *content, struct fault *fault) {
    z_stream stream = {.next_in = (unsigned char *)bytes, .avail_in = (uInt)size}; // zlib does not write there
    if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK) {
        return out_of_memory(fault);
    }
    const enum result result = decompress_all(&stream, content, fault);
    inflateEnd(&stream);
    return result;
}

// ---- packing -----------------------------------------------------------------------------------------------------

static void add_head(const struct store_capsule *capsule, struct bytes *out) {
    const struct store_history *history = capsule->history;
    uint64_t tick_hz_bits = 0;
    memcpy(&tick_hz_bits, &capsule->meta.tick_hz, sizeof tick_hz_bits);
    bytes_add(out, MAGIC, MAGIC_LENGTH);
    bytes_add_u32(out, FORMAT);
    bytes_add_u32(out, history->from_empty ? FROM_EMPTY : 0);
    bytes_add_u32(out, history->physics);
    bytes_add_u32(out, history->newest_physics);
    bytes_add_u64(out, tick_hz_bits);
    bytes_add_u64(out, capsule->meta.made_ms);
    bytes_add_u64(out, history->snapshot.tick);
    bytes_add_u64(out, history->tick);
    bytes_add_u64(out, history->snapshot.hash);
    bytes_add_text(out, capsule->meta.version);
    bytes_add_text(out, capsule->meta.world);
}

static void add_snapshot(const struct store_history *history, struct bytes *out) {
    struct bytes message = {0};
    if (!history->from_empty) {
        const struct store_snapshot *snapshot = &history->snapshot;
        unsigned char *state = snapshot_message_begin(&message, &(struct snapshot_message){
                                                                    .physics = history->physics,
                                                                    .state_size = snapshot->state.size,
                                                                });
        if (state != NULL && snapshot->state.size > 0) {
            memcpy(state, snapshot->state.data, snapshot->state.size);
        }
        snapshot_message_end(&message, snapshot->extra.data, snapshot->extra.size);
    }
    bytes_add_block(out, message.data, message.length);
    out->failed = out->failed || message.failed;
    bytes_free(&message);
}

static uint64_t count_ticks(const struct store_history *history) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < history->entry_count; i++) {
        count += i == 0 || history->entries[i].entry.tick != history->entries[i - 1].entry.tick ? 1 : 0;
    }
    return count;
}

// The records are numbered from 1.
static void add_records(const struct store_history *history, struct bytes *out) {
    struct bytes message = {0};
    bytes_add_u64(out, count_ticks(history));
    for (uint32_t i = 0; i < history->entry_count;) {
        const uint64_t tick = history->entries[i].entry.tick;
        tick_message_begin(&message, 0, tick, history->physics);
        for (; i < history->entry_count && history->entries[i].entry.tick == tick; i++) {
            struct engine_record record = history_record(&history->entries[i].entry);
            record.sequence = (uint64_t)i + 1;
            tick_message_add(&message, &record);
        }
        bytes_add_block(out, message.data, message.length);
    }
    out->failed = out->failed || message.failed;
    bytes_free(&message);
}

static bool is_up_to(const struct store_logged *logged, const struct store_hash *hash) {
    return logged->timeline < hash->timeline ||
           (logged->timeline == hash->timeline && logged->entry.sequence <= hash->sequence);
}

// A hash names the number of records before it. Timeline numbers rise along a history, and so do sequence numbers in
// each timeline.
static void add_hashes(const struct store_history *history, struct bytes *out) {
    uint32_t applied = 0;
    bytes_add_u64(out, history->hash_count);
    for (uint32_t i = 0; i < history->hash_count; i++) {
        const struct store_hash *hash = &history->hashes[i];
        while (applied < history->entry_count && is_up_to(&history->entries[applied], hash)) {
            applied++;
        }
        bytes_add_u64(out, hash->tick);
        bytes_add_u64(out, applied);
        bytes_add_u64(out, hash->hash);
    }
}

enum result capsule_pack(const struct store_capsule *capsule, unsigned char **bytes, size_t *size,
                         struct fault *fault) {
    struct bytes content = {0};
    add_head(capsule, &content);
    add_snapshot(capsule->history, &content);
    add_records(capsule->history, &content);
    add_hashes(capsule->history, &content);
    enum result result = content.failed ? out_of_memory(fault) : RESULT_OK;
    if (result == RESULT_OK && content.length > STORE_CAPSULE_MAX) {
        result = too_large(fault);
    }
    if (result == RESULT_OK) {
        result = compress_content(&content, bytes, size, fault);
    }
    bytes_free(&content);
    return result;
}

// ---- unpacking ---------------------------------------------------------------------------------------------------

static enum result read_head(struct bytes_reader *in, struct store_capsule *capsule, struct fault *fault) {
    struct store_history *history = capsule->history;
    if (in->length < MAGIC_LENGTH || memcmp(in->data, MAGIC, MAGIC_LENGTH) != 0) {
        return fault_set(fault, RESULT_INVALID, "", "this is not a Weft capsule");
    }
    in->at = MAGIC_LENGTH;
    const uint32_t format = bytes_take_u32(in), flags = bytes_take_u32(in);
    if (!in->failed && format != FORMAT) {
        return fault_set(fault, RESULT_INVALID, "", "the capsule has format %u, this version reads formats 1 to %u",
                         format, FORMAT);
    }
    history->from_empty = (flags & FROM_EMPTY) != 0;
    history->physics = bytes_take_u32(in);
    history->newest_physics = bytes_take_u32(in);
    const uint64_t tick_hz_bits = bytes_take_u64(in);
    memcpy(&capsule->meta.tick_hz, &tick_hz_bits, sizeof tick_hz_bits);
    capsule->meta.made_ms = bytes_take_u64(in);
    history->snapshot.tick = bytes_take_u64(in);
    history->tick = bytes_take_u64(in);
    history->snapshot.hash = bytes_take_u64(in);
    bytes_take_text(in, capsule->meta.version, sizeof capsule->meta.version);
    bytes_take_text(in, capsule->meta.world, sizeof capsule->meta.world);
    if (in->failed || !isfinite(capsule->meta.tick_hz) || history->tick < history->snapshot.tick) {
        return damaged(fault, "its head is not complete");
    }
    if (history->physics < 1 || history->physics > history->newest_physics) {
        return damaged(fault, "its physics versions contradict one another");
    }
    return RESULT_OK;
}

static enum result read_snapshot(struct bytes_reader *in, struct store_history *history, struct fault *fault) {
    struct snapshot_message message;
    struct fault why;
    struct store_snapshot *snapshot = &history->snapshot;
    size_t length = 0;
    const unsigned char *block = bytes_take_block(in, &length);
    if (history->from_empty) {
        *snapshot = (struct store_snapshot){0};
        return block != NULL && length == 0 ? RESULT_OK : damaged(fault, "it has a snapshot of an empty world");
    }
    const enum result result = snapshot_message_read(block, length, &message, &why);
    if (result != RESULT_OK) {
        return damaged(fault, why.message);
    }
    unsigned char *copy = malloc(message.state_size + message.names_size + 1); // both in one, as of a store
    if (copy == NULL) {
        return out_of_memory(fault);
    }
    memcpy(copy, message.state, message.state_size);
    memcpy(copy + message.state_size, message.names, message.names_size);
    snapshot->timeline = CAPSULE_TIMELINE;
    snapshot->version = ENGINE_NAMES_VERSION;
    snapshot->state = (struct store_bytes){copy, message.state_size};
    snapshot->extra = (struct store_bytes){copy + message.state_size, message.names_size};
    // cppcheck-suppress memleak // the snapshot has it
    return RESULT_OK;
}

static enum result add_record(struct store_capsule *capsule, const struct engine_record *record, struct fault *fault) {
    struct store_history *history = capsule->history;
    if (record->sequence != (uint64_t)history->entry_count + 1) {
        return fault_set(fault, RESULT_DAMAGED, "", "the capsule is damaged: record %u, of tick %llu, is missing",
                         history->entry_count + 1, (unsigned long long)record->tick);
    }
    unsigned char *copy = malloc(record->size + 1);
    if (copy == NULL) {
        return out_of_memory(fault);
    }
    memcpy(copy, record->data, record->size);
    struct store_logged logged = {.timeline = CAPSULE_TIMELINE, .saved_ms = capsule->meta.made_ms};
    logged.entry.tick = record->tick;
    logged.entry.sequence = record->sequence;
    logged.entry.kind = record->kind;
    logged.entry.client = record->client;
    logged.entry.record = (struct store_bytes){copy, record->size};
    // cppcheck-suppress memleak // the history has it
    return store_history_add(history, &logged, fault);
}

static enum result read_tick(struct bytes_reader *in, struct store_capsule *capsule, uint64_t *tick,
                             struct fault *fault) {
    struct bytes_reader message;
    struct tick_message_head head;
    struct fault why;
    size_t length = 0;
    const unsigned char *block = bytes_take_block(in, &length);
    if (block == NULL || tick_message_open(block, length, &message, &head, &why) != RESULT_OK) {
        return damaged(fault, "the records of a tick are missing");
    }
    if (head.tick <= *tick) {
        return damaged(fault, "its ticks are not in their order");
    }
    *tick = head.tick;
    enum result result = RESULT_OK;
    for (uint32_t i = 0; i < head.count && result == RESULT_OK; i++) {
        struct engine_record record;
        result = tick_message_next(&message, head.tick, &record) ? add_record(capsule, &record, fault)
                                                                 : damaged(fault, "the records of a tick are cut off");
    }
    return result == RESULT_OK && !bytes_are_read(&message) ? damaged(fault, "bytes follow the records of a tick")
                                                            : result;
}

static enum result read_hash(struct bytes_reader *in, struct store_history *history, struct fault *fault) {
    struct store_hash hash = {.timeline = CAPSULE_TIMELINE, .tick = bytes_take_u64(in), .sequence = bytes_take_u64(in)};
    const struct store_hash none = {0};
    const struct store_hash *before = history->hash_count > 0 ? &history->hashes[history->hash_count - 1] : &none;
    hash.hash = bytes_take_u64(in);
    if (in->failed || hash.tick < before->tick || hash.sequence < before->sequence ||
        hash.sequence > history->entry_count) {
        return damaged(fault, "its hashes are not in their order");
    }
    return store_history_add_hash(history, &hash, fault);
}

static enum result read_content(const struct bytes *content, struct store_capsule *capsule, struct fault *fault) {
    struct bytes_reader in = {.data = content->data, .length = content->length};
    enum result result = read_head(&in, capsule, fault);
    if (result == RESULT_OK) {
        result = read_snapshot(&in, capsule->history, fault);
    }
    uint64_t tick = capsule->history->snapshot.tick;
    for (uint64_t left = result == RESULT_OK ? bytes_take_u64(&in) : 0; left > 0 && result == RESULT_OK; left--) {
        result = read_tick(&in, capsule, &tick, fault);
    }
    for (uint64_t left = result == RESULT_OK ? bytes_take_u64(&in) : 0; left > 0 && result == RESULT_OK; left--) {
        result = read_hash(&in, capsule->history, fault);
    }
    return result == RESULT_OK && !bytes_are_read(&in) ? damaged(fault, "it does not end where it should") : result;
}

static enum result unpack_gzip(const void *bytes, size_t size, struct store_capsule **capsule, struct fault *fault) {
    struct bytes content = {0};
    struct store_capsule *made = calloc(1, sizeof *made);
    struct store_history *history = calloc(1, sizeof *history);
    if (made == NULL || history == NULL) {
        free(made);
        free(history);
        return out_of_memory(fault);
    }
    made->history = history;
    enum result result = decompress(bytes, size, &content, fault);
    if (result == RESULT_OK) {
        result = read_content(&content, made, fault);
    }
    bytes_free(&content);
    if (result != RESULT_OK) {
        store_capsule_free(made);
        return result;
    }
    *capsule = made;
    return RESULT_OK;
}

enum result capsule_unpack(const void *bytes, size_t size, struct store_capsule **capsule, struct fault *fault) {
    const unsigned char *begin = bytes;
    const bool gzip = size >= 2 && begin[0] == 0x1F && begin[1] == 0x8B;
    if (!gzip || size > STORE_CAPSULE_MAX) {
        return store_capsule_unpack(bytes, size, capsule,
                                    fault); // it reads older formats, and refuses what is too large
    }
    return unpack_gzip(bytes, size, capsule, fault);
}
