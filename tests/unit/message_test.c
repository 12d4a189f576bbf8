// SPDX-License-Identifier: MIT
// Messages: sizes, alignment, and counting by several threads (which ASan and TSan watch).
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "base/message.h"

static void a_message_holds_a_copy_of_its_text(void **state) {
    (void)state;
    char text[] = "hello";
    struct message *message = message_from_text(text, 5);
    text[0] = 'j';
    assert_int_equal(message_length(message), 5);
    assert_memory_equal(message_data(message), "hello", 5);
    message_release(message);
    message_release(NULL);
}

static void a_message_starts_empty_with_an_aligned_payload(void **state) {
    (void)state;
    struct message *message = message_create(MESSAGE_BINARY, 1000);
    assert_int_equal(message_length(message), 0);
    assert_int_equal(message_capacity(message), 1000);
    assert_int_equal((uintptr_t)message_data(message) % 8, 0);
    memset(message_data(message), 1, 1000);
    message_set_length(message, 1000);
    assert_int_equal(message_length(message), 1000);
    message_release(message);
}

static void a_message_that_no_memory_can_hold_is_null(void **state) {
    (void)state;
    assert_null(message_create(MESSAGE_BINARY, SIZE_MAX));
    assert_null(message_create(MESSAGE_BINARY, SIZE_MAX - 8));
}

static void *share(void *argument) {
    struct message *message = argument;
    for (int i = 0; i < 10000; i++)
        message_release(message_retain(message));
    message_release(message);
    return NULL;
}

static void the_last_of_many_threads_frees_the_message(void **state) {
    (void)state;
    pthread_t threads[4];
    struct message *message = message_from_text("shared", 6);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, share, message_retain(message)), 0);
    message_release(message);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

static void a_pool_gives_out_again_what_came_back(void **state) {
    (void)state;
    struct message_pool *pool = message_pool_create();
    struct message *messages[20];
    for (size_t i = 0; i < 20; i++) {
        messages[i] = message_pool_take(pool, MESSAGE_BINARY, 5000);
        assert_true(message_capacity(messages[i]) >= 5000);
        assert_int_equal(message_length(messages[i]), 0);
        message_set_length(messages[i], 5000);
        for (size_t k = 0; k < i; k++)
            assert_ptr_not_equal(messages[k], messages[i]);
    }
    struct message *last = message_retain(messages[19]);
    for (size_t i = 0; i < 20; i++)
        message_release(messages[i]);
    struct message *again = message_pool_take(pool, MESSAGE_BINARY, 6000);
    bool known = false;
    for (size_t i = 0; i < 19; i++)
        known |= messages[i] == again;
    assert_true(known);
    assert_ptr_not_equal(again, last);
    assert_int_equal(message_length(again), 0);
    assert_int_equal(message_length(last), 5000);
    message_release(again);
    message_pool_destroy(pool);
    message_release(last); // after its pool
}

static void *give_back(void *argument) {
    struct message **messages = argument;
    for (size_t i = 0; messages[i] != NULL; i++)
        message_release(messages[i]);
    return NULL;
}

static void messages_come_back_from_other_threads_while_more_are_taken(void **state) {
    (void)state;
    struct message_pool *pool = message_pool_create();
    for (int round = 0; round < 300; round++) {
        struct message *messages[3][9] = {{NULL}};
        pthread_t threads[3];
        for (size_t t = 0; t < 3; t++) {
            for (size_t i = 0; i < 8; i++) {
                messages[t][i] = message_pool_take(pool, MESSAGE_BINARY, 100 + 5000 * i);
                memset(message_data(messages[t][i]), (int)t, 100 + 5000 * i);
            }
            assert_int_equal(pthread_create(&threads[t], NULL, give_back, messages[t]), 0);
        }
        for (size_t t = 0; t < 3; t++)
            pthread_join(threads[t], NULL);
    }
    message_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_holds_a_copy_of_its_text),
        cmocka_unit_test(a_message_starts_empty_with_an_aligned_payload),
        cmocka_unit_test(a_message_that_no_memory_can_hold_is_null),
        cmocka_unit_test(the_last_of_many_threads_frees_the_message),
        cmocka_unit_test(a_pool_gives_out_again_what_came_back),
        cmocka_unit_test(messages_come_back_from_other_threads_while_more_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
