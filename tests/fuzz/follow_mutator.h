// SPDX-License-Identifier: MIT
// The inputs of fuzz_follow.c, in parts: messages of lockstep, each after its length (u32), the parts of a snapshot,
// and the records of ticks. With WEFT_FUZZER a mutator for libFuzzer changes one part and sets the lengths and counts
// around it right, which would otherwise end most attempts.
#ifndef WEFT_TESTS_FOLLOW_MUTATOR_H
#define WEFT_TESTS_FOLLOW_MUTATOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dice.h"
#include "engine/world/lockstep.h"

#define FOLLOW_MESSAGES_MAX 12u
#define FOLLOW_SNAPSHOT_HEADER (LOCKSTEP_HEADER + 24u) // what precedes the length of the state

struct follow_message {
    const uint8_t *bytes;
    size_t length;
};

struct follow_messages {
    struct follow_message at[FOLLOW_MESSAGES_MAX];
    uint32_t count;
};

// Offsets within a message of type 5 that is not coded; each is preceded by its size (u64).
struct follow_snapshot {
    size_t state, state_size, names, names_size;
};

// What is cut off at the end is the last message.
static inline void follow_split(const uint8_t *data, size_t size, struct follow_messages *messages) {
    messages->count = 0;
    for (size_t at = 0; size - at >= 4 && messages->count < FOLLOW_MESSAGES_MAX;) {
        uint32_t length;
        memcpy(&length, data + at, sizeof length);
        at += sizeof length;
        length = length < size - at ? length : (uint32_t)(size - at);
        messages->at[messages->count++] = (struct follow_message){data + at, length};
        at += length;
    }
}

static inline bool follow_is_plain_snapshot(const uint8_t *bytes, size_t length) {
    return length >= LOCKSTEP_HEADER && bytes[0] == LOCKSTEP_SNAPSHOT_TYPE && bytes[1] == 0;
}

// The place of a block, and its size; false if it is cut off.
static inline bool follow_take_block(const uint8_t *bytes, size_t length, size_t *at, size_t *size) {
    uint64_t wanted;
    if (*at > length || length - *at < sizeof wanted) {
        return false;
    }
    memcpy(&wanted, bytes + *at, sizeof wanted);
    *at += sizeof wanted;
    *size = (size_t)wanted;
    return wanted <= length - *at;
}

static inline bool follow_find_parts(const uint8_t *bytes, size_t length, struct follow_snapshot *parts) {
    *parts = (struct follow_snapshot){.state = FOLLOW_SNAPSHOT_HEADER};
    if (!follow_is_plain_snapshot(bytes, length) ||
        !follow_take_block(bytes, length, &parts->state, &parts->state_size)) {
        return false;
    }
    parts->names = parts->state + parts->state_size;
    return follow_take_block(bytes, length, &parts->names, &parts->names_size);
}

#ifdef WEFT_FUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#define FOLLOW_MAX ((size_t)1 << 20) // bytes of an input

// What is written, with room for what is added.
struct follow_out {
    uint8_t bytes[FOLLOW_MAX];
    size_t length;
};

static inline void follow_add(struct follow_out *out, const void *bytes, size_t length) {
    length = length < FOLLOW_MAX - out->length ? length : FOLLOW_MAX - out->length;
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
}

// Some bytes, mutated, and grown by a few at most. Returns how many.
static inline size_t follow_add_mutated(struct follow_out *out, const uint8_t *bytes, size_t length) {
    const size_t room = FOLLOW_MAX - out->length, most = length + 64 < room ? length + 64 : room;
    if (length > most) {
        return 0;
    }
    memcpy(out->bytes + out->length, bytes, length);
    const size_t made = LLVMFuzzerMutate(out->bytes + out->length, length, most);
    out->length += made;
    return made;
}

static inline void follow_add_block(struct follow_out *out, const uint8_t *bytes, size_t length, bool mutated) {
    const size_t at = out->length;
    uint64_t size = length;
    follow_add(out, &size, sizeof size);
    if (mutated) {
        size = follow_add_mutated(out, bytes, length);
        memcpy(out->bytes + at, &size, FOLLOW_MAX - at < sizeof size ? 0 : sizeof size);
    } else {
        follow_add(out, bytes, length);
    }
}

static inline void follow_mutate_snapshot(struct dice *dice, const struct follow_message *message,
                                          const struct follow_snapshot *parts, struct follow_out *out) {
    const uint32_t part = dice_below(dice, 3);
    const size_t state = out->length + parts->state;
    follow_add(out, message->bytes, FOLLOW_SNAPSHOT_HEADER);
    follow_add_block(out, message->bytes + parts->state, parts->state_size, part == 0);
    follow_add_block(out, message->bytes + parts->names, parts->names_size, part == 1);
    if (part == 2 && parts->state_size >= 4 && state + parts->state_size <= out->length) { // a number of the state
        uint8_t *word = out->bytes + state + 4 * (size_t)dice_below(dice, (uint32_t)(parts->state_size / 4));
        const float number = dice_nasty(dice);
        uint32_t bits;
        memcpy(&bits, word, sizeof bits);
        bits = dice_percent(dice, 50) ? bits + dice_below(dice, 5) - 2 : 1u << dice_below(dice, 32);
        memcpy(word, dice_percent(dice, 50) ? (const void *)&number : (const void *)&bits, sizeof bits);
    }
}

static inline uint64_t follow_take_varint(const uint8_t *bytes, size_t length, size_t *at) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 63 && *at < length; shift += 7) {
        const uint8_t byte = bytes[(*at)++];
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            break;
        }
    }
    return value;
}

static inline void follow_add_varint(struct follow_out *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        follow_add(out, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
    }
    follow_add(out, &(uint8_t){(uint8_t)value}, 1);
}

// The records of ticks again, one of them mutated, left out or doubled. Returns how many there are.
static inline uint32_t follow_mutate_records(struct dice *dice, const uint8_t *bytes, size_t length,
                                             struct follow_out *out) {
    uint32_t count = 0;
    for (size_t at = 0; at < length;) {
        const size_t start = at;
        const uint64_t kind = follow_take_varint(bytes, length, &at), client = follow_take_varint(bytes, length, &at);
        const uint64_t number = follow_take_varint(bytes, length, &at); // of the grab, or of bytes
        const uint64_t size = kind == LOCKSTEP_GRAB_MOVE ? 3 * sizeof(float) : number;
        const size_t left = length - at, used = size < left ? (size_t)size : left;
        const uint32_t die = dice_below(dice, 8);
        if (die < 2) {
            static uint8_t data[FOLLOW_MAX];
            const size_t most = used + 64 < sizeof data ? used + 64 : sizeof data;
            memcpy(data, bytes + at, used);
            const size_t made = LLVMFuzzerMutate(data, used, most);
            const bool is_move = dice_percent(dice, 5) ? dice_percent(dice, 50) : kind == LOCKSTEP_GRAB_MOVE;
            follow_add_varint(out, is_move ? LOCKSTEP_GRAB_MOVE : kind == 0 ? 1 : kind);
            follow_add_varint(out, dice_percent(dice, 10) ? dice_next(dice) : client);
            follow_add_varint(out, is_move ? number : made);
            memset(data + made, 0, made < 12 ? 12 - made : 0);
            follow_add(out, data, is_move ? 12 : made);
            count++;
        } else if (die > 2) {
            for (uint32_t copies = die == 3 ? 2 : 1; copies > 0; copies--) {
                follow_add(out, bytes + start, at + used - start);
                count++;
            }
        }
        at += used;
    }
    return count;
}

static inline void follow_mutate_ticks(struct dice *dice, const struct follow_message *message,
                                       struct follow_out *out) {
    const size_t start = out->length;
    uint8_t header[LOCKSTEP_HEADER];
    const size_t hash = message->bytes[1] == 1 && message->length >= LOCKSTEP_HEADER + 8 ? 8 : 0;
    memcpy(header, message->bytes, sizeof header);
    header[1] = 0; // after a change the hash is another one
    header[2] = dice_percent(dice, 20) ? (uint8_t)dice_below(dice, LOCKSTEP_STEPS_MAX + 1) : header[2];
    follow_add(out, header, sizeof header);
    const uint32_t count = follow_mutate_records(dice, message->bytes + LOCKSTEP_HEADER + hash,
                                                 message->length - LOCKSTEP_HEADER - hash, out);
    out->bytes[start + 3] = (uint8_t)(count < 255 ? count : 255);
}

static inline void follow_mutate_message(struct dice *dice, const struct follow_message *message,
                                         struct follow_out *out) {
    struct follow_snapshot parts;
    if (follow_find_parts(message->bytes, message->length, &parts) && dice_percent(dice, 95)) {
        follow_mutate_snapshot(dice, message, &parts, out);
    } else if (message->length >= LOCKSTEP_HEADER && message->bytes[0] == LOCKSTEP_TICKS_TYPE &&
               dice_percent(dice, 90)) {
        follow_mutate_ticks(dice, message, out);
    } else {
        (void)follow_add_mutated(out, message->bytes, message->length);
    }
}

// The messages of ticks follow on each other and on the snapshot before them.
static inline void follow_renumber(uint8_t *data, size_t size) {
    struct follow_messages messages;
    uint32_t generation = 0;
    uint64_t tick = 0;
    follow_split(data, size, &messages);
    for (uint32_t i = 0; i < messages.count; i++) {
        uint8_t *bytes = data + (messages.at[i].bytes - data);
        if (messages.at[i].length < LOCKSTEP_HEADER) {
            continue;
        }
        if (bytes[0] == LOCKSTEP_SNAPSHOT_TYPE) {
            memcpy(&generation, bytes + 4, sizeof generation);
            memcpy(&tick, bytes + 8, sizeof tick);
        } else if (bytes[0] == LOCKSTEP_TICKS_TYPE) {
            memcpy(bytes + 4, &generation, sizeof generation);
            memcpy(bytes + 8, &tick, sizeof tick);
            tick += bytes[2];
        }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    static struct follow_out out;
    struct follow_messages messages;
    struct dice dice = {.state = seed};
    follow_split(data, size, &messages);
    if (messages.count == 0 || dice_percent(&dice, 5)) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    out.length = 0;
    const uint32_t chosen = dice_below(&dice, messages.count), other = dice_below(&dice, messages.count);
    const uint32_t what = dice_below(&dice, 10); // 0: left out, 1: doubled, 2: exchanged, else mutated
    for (uint32_t i = 0; i < messages.count; i++) {
        const struct follow_message *message = &messages.at[what == 2 && i == chosen  ? other
                                                            : what == 2 && i == other ? chosen
                                                                                      : i];
        for (uint32_t copies = i != chosen || what > 1 ? 1 : 2 * what; copies > 0; copies--) {
            const size_t start = out.length;
            uint32_t length = (uint32_t)message->length;
            follow_add(&out, &length, sizeof length);
            if (i == chosen && what > 2) {
                follow_mutate_message(&dice, message, &out);
                length = (uint32_t)(out.length - start - sizeof length);
                memcpy(out.bytes + start, &length, sizeof length);
            } else {
                follow_add(&out, message->bytes, message->length);
            }
        }
    }
    if (dice_percent(&dice, 80)) {
        follow_renumber(out.bytes, out.length);
    }
    const size_t made = out.length < max_size ? out.length : max_size;
    memcpy(data, out.bytes, made);
    return made;
}

#endif
#endif
