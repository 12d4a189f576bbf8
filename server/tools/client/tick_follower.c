// SPDX-License-Identifier: MIT
#include "tools/client/tick_follower.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/bytes.h"
#include "engine/weft.h"

#define SNAPSHOT 5u
#define TICKS 6u
#define HEADER 16u
#define CODING_AT 1u
#define HASH_FLAG 1u // of ticks, in the place of the coding
#define DEFLATED 1u
#define SNAPSHOT_MAX ((size_t)1 << 30) // bytes
#define EARLY_MAX ((size_t)64 << 20)   // bytes of messages that wait for a snapshot

struct tick_follower {
    weft_world *world;
    bool has_snapshot;  // of this subscription: ticks of an earlier one may have the same generation
    uint64_t hashes;    // that were compared
    struct bytes early; // messages of ticks that came before their snapshot, as blocks
};

enum result tick_follower_create(struct tick_follower **follower, struct fault *fault) {
    struct tick_follower *made = calloc(1, sizeof *made);
    weft_error error;
    if (made == NULL || weft_world_create(NULL, &made->world, &error) != WEFT_OK) {
        free(made);
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a world");
    }
    *follower = made;
    return RESULT_OK;
}

void tick_follower_destroy(struct tick_follower *follower) {
    if (follower != NULL) {
        weft_world_destroy(follower->world);
        bytes_free(&follower->early);
        free(follower);
    }
}

void tick_follower_begin_anew(struct tick_follower *follower) {
    follower->has_snapshot = false;
    bytes_clear(&follower->early);
}

bool tick_follower_is_for(const uint8_t *bytes, size_t length) {
    return length >= HEADER && (bytes[0] == SNAPSHOT || bytes[0] == TICKS);
}

static enum result decompress(const uint8_t *bytes, size_t length, struct bytes *out, struct fault *fault) {
    z_stream stream = {.next_in = (unsigned char *)bytes + HEADER, .avail_in = (uInt)(length - HEADER)};
    int code = inflateInit(&stream);
    bytes_add(out, bytes, HEADER);
    while (code == Z_OK && out->length < SNAPSHOT_MAX) {
        const size_t room = out->length;
        stream.next_out = bytes_reserve(out, room);
        stream.avail_out = stream.next_out != NULL ? (uInt)room : 0;
        code = stream.next_out == NULL ? Z_MEM_ERROR : inflate(&stream, Z_NO_FLUSH);
        out->length -= stream.avail_out;
    }
    inflateEnd(&stream);
    if (code == Z_MEM_ERROR) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
    }
    if (code != Z_STREAM_END) {
        return fault_set(fault, RESULT_DAMAGED, "", "the snapshot cannot be decompressed");
    }
    out->data[CODING_AT] = (unsigned char)(out->data[CODING_AT] & ~DEFLATED);
    return RESULT_OK;
}

static enum result follow(struct tick_follower *follower, const uint8_t *bytes, size_t length, struct fault *fault) {
    weft_error error;
    const uint64_t before = weft_world_tick_count(follower->world);
    const weft_result result = weft_world_follow(follower->world, bytes, length, &error);
    const bool is_hashed = bytes[0] == TICKS && (bytes[CODING_AT] & HASH_FLAG) != 0;
    // Ticks that the snapshot holds already are passed over, and so is their hash.
    if (result == WEFT_OK && is_hashed && weft_world_tick_count(follower->world) != before) {
        follower->hashes++;
    }
    return result == WEFT_OK ? RESULT_OK : fault_set(fault, (enum result)result, "", "%s", error.message);
}

// What waits for another snapshot still waits; what is older is dropped.
static enum result follow_early(struct tick_follower *follower, struct fault *fault) {
    struct bytes waiting = follower->early;
    struct bytes_reader in = {.data = waiting.data, .length = waiting.length};
    enum result result = RESULT_OK;
    follower->early = (struct bytes){0};
    while (result == RESULT_OK && in.at < in.length) {
        size_t length = 0;
        const unsigned char *message = bytes_take_block(&in, &length);
        result = message != NULL ? tick_follower_take(follower, message, length, fault) : RESULT_OK;
    }
    bytes_free(&waiting);
    return result;
}

static enum result take_snapshot(struct tick_follower *follower, const uint8_t *bytes, size_t length,
                                 struct fault *fault) {
    struct bytes plain = {0};
    enum result result = RESULT_OK;
    if ((bytes[CODING_AT] & DEFLATED) != 0) {
        result = decompress(bytes, length, &plain, fault);
    } else {
        bytes_add(&plain, bytes, length);
    }
    if (result == RESULT_OK && plain.failed) {
        result = fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
    }
    if (result == RESULT_OK) {
        result = follow(follower, plain.data, plain.length, fault);
    }
    bytes_free(&plain);
    follower->has_snapshot = result == RESULT_OK;
    return result == RESULT_OK ? follow_early(follower, fault) : result;
}

enum result tick_follower_take(struct tick_follower *follower, const uint8_t *bytes, size_t length,
                               struct fault *fault) {
    if (bytes[0] == SNAPSHOT) {
        return take_snapshot(follower, bytes, length, fault);
    }
    if (follower->has_snapshot) {
        const enum result result = follow(follower, bytes, length, fault);
        if (result != RESULT_STATE) {
            return result;
        }
    }
    bytes_add_block(&follower->early, bytes, length);
    return follower->early.failed || follower->early.length > EARLY_MAX
               ? fault_set(fault, RESULT_LIMIT, "", "no snapshot comes to %zu bytes of ticks", follower->early.length)
               : RESULT_OK;
}

uint64_t tick_follower_tick(const struct tick_follower *follower) {
    return weft_world_tick_count(follower->world);
}

uint64_t tick_follower_hashes(const struct tick_follower *follower) {
    return follower->hashes;
}

uint32_t tick_follower_particles(const struct tick_follower *follower) {
    return weft_world_particles(follower->world).count;
}
