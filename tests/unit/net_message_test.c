// SPDX-License-Identifier: MIT
// Messages: sizes, alignment, and counting by several threads (which ASan and TSan watch).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "net/net.h"

static void a_message_holds_a_copy_of_its_text(void **state) {
    (void)state;
    char text[] = "hello";
    struct net_message *message = net_message_from_text(text, 5);
    text[0] = 'j';
    assert_int_equal(net_message_length(message), 5);
    assert_memory_equal(net_message_data(message), "hello", 5);
    net_message_release(message);
    net_message_release(NULL);
}

static void a_message_starts_empty_with_an_aligned_payload(void **state) {
    (void)state;
    struct net_message *message = net_message_create(NET_MESSAGE_BINARY, 1000);
    assert_int_equal(net_message_length(message), 0);
    assert_int_equal(net_message_capacity(message), 1000);
    assert_int_equal((uintptr_t)net_message_data(message) % 8, 0);
    memset(net_message_data(message), 1, 1000);
    net_message_set_length(message, 1000);
    assert_int_equal(net_message_length(message), 1000);
    net_message_release(message);
}

static void a_message_that_no_memory_can_hold_is_null(void **state) {
    (void)state;
    assert_null(net_message_create(NET_MESSAGE_BINARY, SIZE_MAX));
    assert_null(net_message_create(NET_MESSAGE_BINARY, SIZE_MAX - 8));
}

static void *share(void *argument) {
    struct net_message *message = argument;
    for (int i = 0; i < 10000; i++)
        net_message_release(net_message_retain(message));
    net_message_release(message);
    return NULL;
}

static void the_last_of_many_threads_frees_the_message(void **state) {
    (void)state;
    pthread_t threads[4];
    struct net_message *message = net_message_from_text("shared", 6);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, share, net_message_retain(message)), 0);
    net_message_release(message);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_holds_a_copy_of_its_text),
        cmocka_unit_test(a_message_starts_empty_with_an_aligned_payload),
        cmocka_unit_test(a_message_that_no_memory_can_hold_is_null),
        cmocka_unit_test(the_last_of_many_threads_frees_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
