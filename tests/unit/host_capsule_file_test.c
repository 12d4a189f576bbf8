// SPDX-License-Identifier: MIT
// The files of capsules: a packed history is unpacked to the byte, also one through forks; a file that was changed
// anywhere or is cut short is refused, and so is one whose content contradicts itself, though its checksum is right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/bytes.h"
#include "host/history/capsule_file.h"

#define RECORDS 5u
#define HASHES 4u

// A history that begins with a snapshot of the second timeline and goes on in a third one.
static const unsigned char record_bytes[RECORDS][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}};
static const uint64_t record_ticks[RECORDS] = {101, 101, 120, 151, 152};
static const uint32_t record_timelines[RECORDS] = {2, 2, 2, 3, 3};
static const uint64_t record_sequences[RECORDS] = {7, 8, 9, 1, 2};

struct example {
    struct store_capsule capsule;
    struct store_history history;
    struct store_logged entries[RECORDS];
    struct store_hash hashes[HASHES];
};

static void make_example(struct example *example) {
    *example = (struct example){
        .capsule = {.meta = {.version = "1.2.3", .world = "main", .tick_hz = 59.94, .made_ms = 1234567}},
        .history = {.snapshot = {.timeline = 2,
                                 .tick = 100,
                                 .sequence = 6,
                                 .hash = 77,
                                 .state = {"state", 5},
                                 .extra = {"names", 5}},
                    .entry_count = RECORDS,
                    .hash_count = HASHES,
                    .physics = 1,
                    .newest_physics = 2,
                    .tick = 160},
        .hashes = {{2, 100, 6, 77}, {2, 120, 8, 78}, {2, 140, 9, 79}, {3, 160, 2, 80}},
    };
    for (uint32_t i = 0; i < RECORDS; i++) {
        example->entries[i].timeline = record_timelines[i];
        example->entries[i].saved_ms = 99;
        example->entries[i].entry = (struct store_entry){.tick = record_ticks[i],
                                                         .sequence = record_sequences[i],
                                                         .kind = 1,
                                                         .client = i,
                                                         .session = "session-key",
                                                         .request = "\"request-id\"",
                                                         .record = {record_bytes[i], 1 + i % 3}};
    }
    example->history.entries = example->entries;
    example->history.hashes = example->hashes;
    example->capsule.history = &example->history;
}

static unsigned char *pack(const struct example *example, size_t *size) {
    struct fault fault = {.message = ""};
    unsigned char *bytes = NULL;
    if (capsule_pack(&example->capsule, &bytes, size, &fault) != RESULT_OK) {
        fail_msg("%s", fault.message);
    }
    return bytes;
}

static void assert_same_bytes(struct store_bytes a, struct store_bytes b) {
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

static void a_packed_history_is_unpacked_to_the_byte(void **unused) {
    (void)unused;
    struct example example;
    struct store_capsule *capsule = NULL;
    struct fault fault;
    size_t size = 0;
    make_example(&example);
    unsigned char *bytes = pack(&example, &size);
    assert_int_equal(capsule_unpack(bytes, size, &capsule, &fault), RESULT_OK);
    const struct store_history *history = capsule->history, *packed = &example.history;
    assert_string_equal(capsule->meta.version, "1.2.3");
    assert_string_equal(capsule->meta.world, "main");
    assert_true(capsule->meta.tick_hz == 59.94 && capsule->meta.made_ms == 1234567);
    assert_true(!history->from_empty && history->tick == 160 && history->physics == 1 && history->newest_physics == 2);
    assert_true(history->snapshot.tick == 100 && history->snapshot.hash == 77);
    assert_same_bytes(history->snapshot.state, packed->snapshot.state);
    assert_same_bytes(history->snapshot.extra, packed->snapshot.extra);
    assert_int_equal(history->entry_count, RECORDS);
    for (uint32_t i = 0; i < RECORDS; i++) {
        const struct store_entry *entry = &history->entries[i].entry;
        assert_true(entry->sequence == i + 1 && entry->tick == record_ticks[i] && entry->client == i);
        assert_true(entry->session == NULL && entry->request == NULL);
        assert_same_bytes(entry->record, packed->entries[i].entry.record);
    }
    const uint64_t applied[HASHES] = {0, 2, 3, 5}; // before each hash
    assert_int_equal(history->hash_count, HASHES);
    for (uint32_t i = 0; i < HASHES; i++) {
        assert_true(history->hashes[i].tick == packed->hashes[i].tick &&
                    history->hashes[i].hash == packed->hashes[i].hash);
        assert_int_equal(history->hashes[i].sequence, applied[i]);
    }
    store_capsule_free(capsule);
    free(bytes);
}

static void a_history_from_an_empty_world_has_no_snapshot(void **unused) {
    (void)unused;
    struct example example;
    struct store_capsule *capsule = NULL;
    struct fault fault;
    size_t size = 0;
    make_example(&example);
    example.history.from_empty = true;
    example.history.snapshot = (struct store_snapshot){0};
    unsigned char *bytes = pack(&example, &size);
    assert_int_equal(capsule_unpack(bytes, size, &capsule, &fault), RESULT_OK);
    assert_true(capsule->history->from_empty && capsule->history->snapshot.state.size == 0);
    assert_int_equal(capsule->history->entry_count, RECORDS);
    store_capsule_free(capsule);
    free(bytes);
}

// ---- changed files -----------------------------------------------------------------------------------------------

static void assert_refused(const unsigned char *bytes, size_t size, const char *words) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {.message = ""};
    const enum result result = capsule_unpack(bytes, size, &capsule, &fault);
    if ((result != RESULT_DAMAGED && result != RESULT_INVALID) || strstr(fault.message, words) == NULL) {
        fail_msg("%d: \"%s\" is not in \"%s\"", (int)result, words, fault.message);
    }
}

static void a_changed_or_shortened_file_is_refused(void **unused) {
    (void)unused;
    struct example example;
    size_t size = 0;
    make_example(&example);
    unsigned char *bytes = pack(&example, &size), *copy = malloc(size + 1);
    assert_non_null(copy);
    uint32_t same = 0;
    for (size_t at = 10; at < size; at++) { // the ten bytes before are gzip's: a time, the system that made the file
        struct store_capsule *capsule = NULL;
        struct fault fault;
        memcpy(copy, bytes, size);
        copy[at] ^= (unsigned char)(1u << at % 8);
        if (capsule_unpack(copy, size, &capsule, &fault) == RESULT_OK) {
            same++;
            store_capsule_free(capsule);
        }
    }
    assert_in_range(same, 0, 1); // the last byte before the checksum has bits that say nothing
    for (size_t length = 0; length < size; length++) {
        assert_refused(bytes, length, "capsule");
    }
    memcpy(copy, bytes, size);
    copy[size] = 0;
    assert_refused(copy, size + 1, "decompressed to its end");
    free(copy);
    free(bytes);
}

// ---- content that contradicts itself -----------------------------------------------------------------------------

static size_t open_gzip(const unsigned char *bytes, size_t size, unsigned char *content, size_t room) {
    z_stream stream = {
        .next_in = (unsigned char *)bytes, .avail_in = (uInt)size, .next_out = content, .avail_out = (uInt)room};
    assert_int_equal(inflateInit2(&stream, 31), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    inflateEnd(&stream);
    return room - stream.avail_out;
}

static size_t close_gzip(unsigned char *content, size_t length, unsigned char *bytes, size_t room) {
    z_stream stream = {.next_in = content, .avail_in = (uInt)length, .next_out = bytes, .avail_out = (uInt)room};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static void content_that_contradicts_itself_is_refused(void **unused) {
    (void)unused;
    struct example example;
    static unsigned char content[4096], changed[4096], file[8192];
    size_t size = 0;
    make_example(&example);
    unsigned char *bytes = pack(&example, &size);
    const size_t length = open_gzip(bytes, size, content, sizeof content);
    static const struct {
        size_t at;
        unsigned char value;
        const char *words;
    } changes[] = {
        {0, 'x', "not a Weft capsule"},
        {8, 4, "format 4"},
        {16, 3, "contradict"},
        {16, 0, "contradict"},
        {31, 0x7F, "head"}, // with the byte before, a tick rate that is no number
        {48, 1, "capsule"},
        {12, 1, "snapshot of an empty world"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        memcpy(changed, content, length);
        changed[changes[i].at] = changes[i].value;
        if (changes[i].at == 31) {
            changed[30] = 0xF8;
        }
        if (changes[i].at == 48) { // the last tick below the first
            memset(changed + 48, 0, 8);
        }
        assert_refused(file, close_gzip(changed, length, file, sizeof file), changes[i].words);
    }
    for (size_t cut = 0; cut < length; cut++) {
        assert_refused(file, close_gzip(content, cut, file, sizeof file), "capsule");
    }
    memcpy(changed, content, length);
    changed[length] = 0;
    assert_refused(file, close_gzip(changed, length + 1, file, sizeof file), "end where it should");
    uint32_t refused = 0;
    for (size_t at = 64; at < length; at++) { // no number in it leads anywhere outside
        struct store_capsule *capsule = NULL;
        struct fault fault;
        memcpy(changed, content, length);
        changed[at] ^= 0xFF;
        const size_t made = close_gzip(changed, length, file, sizeof file);
        if (capsule_unpack(file, made, &capsule, &fault) == RESULT_OK) {
            store_capsule_free(capsule);
        } else {
            refused++;
        }
    }
    assert_in_range(refused, 100, length);
    free(bytes);
}

static void a_file_that_holds_too_much_is_refused(void **unused) {
    (void)unused;
    enum { STEP = 1 << 20 };
    unsigned char *zeros = calloc(STEP, 1), *file = malloc(STEP);
    assert_true(zeros != NULL && file != NULL);
    z_stream stream = {.next_out = file, .avail_out = STEP};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    for (uint32_t i = 0; i <= STORE_CAPSULE_MAX / STEP; i++) {
        stream.next_in = zeros;
        stream.avail_in = STEP;
        assert_int_equal(deflate(&stream, i == STORE_CAPSULE_MAX / STEP ? Z_FINISH : Z_NO_FLUSH),
                         i == STORE_CAPSULE_MAX / STEP ? Z_STREAM_END : Z_OK);
    }
    deflateEnd(&stream);
    struct store_capsule *capsule = NULL;
    struct fault fault;
    assert_int_equal(capsule_unpack(file, STEP - stream.avail_out, &capsule, &fault), RESULT_LIMIT);
    free(zeros);
    free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packed_history_is_unpacked_to_the_byte),
        cmocka_unit_test(a_history_from_an_empty_world_has_no_snapshot),
        cmocka_unit_test(a_changed_or_shortened_file_is_refused),
        cmocka_unit_test(content_that_contradicts_itself_is_refused),
        cmocka_unit_test(a_file_that_holds_too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
