// SPDX-License-Identifier: MIT
// XXH64 against vectors of the reference implementation, and the pieces against the whole.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"

// The first bytes that the reference's own self-test hashes: a 32-bit generator, its top byte each time.
static void fill(uint8_t *bytes, size_t length) {
    uint64_t generator = 2654435761u;
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(generator >> 56);
        generator *= 11400714785074694797u;
    }
}

static void the_reference_vectors_of_xxh64_hold(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t hash;
    } vectors[] = {
        {"", 0xEF46DB3751D8E999u},
        {"a", 0xD24EC4F1A98C6E5Bu},
        {"abc", 0x44BC2CF5AD770999u},
        {"The quick brown fox jumps over the lazy dog", 0x0B242D361FDA71BCu},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        assert_true(hash64_of(vectors[i].text, strlen(vectors[i].text), 0) == vectors[i].hash);
    }
}

static void the_self_test_of_the_reference_holds_with_and_without_a_seed(void **state) {
    (void)state;
    uint8_t bytes[222];
    fill(bytes, sizeof bytes);
    const uint64_t seed = 2654435761u;
    static const struct {
        size_t length;
        uint64_t plain, seeded;
    } vectors[] = {
        {0, 0xEF46DB3751D8E999u, 0xAC75FDA2929B17EFu},   {1, 0xE934A84ADB052768u, 0x5014607643A9B4C3u},
        {4, 0x9136A0DCA57457EEu, 0xCAAB286BD8E9FDB5u},   {14, 0x8282DCC4994E35C8u, 0xC3BD6BF63DEB6DF0u},
        {222, 0xB641AE8CB691C174u, 0x20CB8AB7AE10C14Au},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        assert_true(hash64_of(bytes, vectors[i].length, 0) == vectors[i].plain);
        assert_true(hash64_of(bytes, vectors[i].length, seed) == vectors[i].seeded);
    }
}

static void any_cut_into_pieces_gives_the_hash_of_the_whole(void **state) {
    (void)state;
    uint8_t bytes[131];
    fill(bytes, sizeof bytes);
    const uint64_t whole = hash64_of(bytes, sizeof bytes, 7);
    for (size_t piece = 1; piece <= sizeof bytes; piece++) {
        struct hash64 hash;
        hash64_init(&hash, 7);
        for (size_t at = 0; at < sizeof bytes; at += piece) {
            const size_t left = sizeof bytes - at;
            hash64_update(&hash, bytes + at, left < piece ? left : piece);
            (void)hash64_digest(&hash);
        }
        assert_true(hash64_digest(&hash) == whole);
    }
}

static void numbers_are_hashed_as_little_endian_bytes(void **state) {
    (void)state;
    struct hash64 hash;
    hash64_init(&hash, 0);
    hash64_update_u32(&hash, 0x04030201u);
    hash64_update_u64(&hash, 0x0c0b0a0908070605u);
    hash64_update_float(&hash, 1.0f);
    const uint8_t bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0x80, 0x3f};
    assert_true(hash64_digest(&hash) == hash64_of(bytes, sizeof bytes, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_vectors_of_xxh64_hold),
        cmocka_unit_test(the_self_test_of_the_reference_holds_with_and_without_a_seed),
        cmocka_unit_test(any_cut_into_pieces_gives_the_hash_of_the_whole),
        cmocka_unit_test(numbers_are_hashed_as_little_endian_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
