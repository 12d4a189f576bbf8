// SPDX-License-Identifier: MIT
// The bounded queue: order, limits, and many threads at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "base/queue.h"

#define PRODUCERS 4
#define ITEMS_EACH 20000

static void *item(uintptr_t number) {
    return (void *)number;
}

static void items_leave_in_the_order_they_came(void **state) {
    (void)state;
    struct queue queue;
    assert_int_equal(queue_init(&queue, 3, 0), RESULT_OK);
    for (uintptr_t i = 1; i <= 20; i++) { // goes round the ring several times
        assert_int_equal(queue_try_push(&queue, item(2 * i)), RESULT_OK);
        assert_int_equal(queue_try_push(&queue, item(2 * i + 1)), RESULT_OK);
        assert_ptr_equal(queue_pop(&queue), item(2 * i));
        assert_ptr_equal(queue_pop(&queue), item(2 * i + 1));
    }
    assert_null(queue_pop(&queue));
    queue_free(&queue);
}

static void a_full_queue_is_busy_until_something_leaves(void **state) {
    (void)state;
    struct queue queue;
    assert_int_equal(queue_init(&queue, 2, 1), RESULT_OK);
    assert_int_equal(queue_try_push(&queue, item(1)), RESULT_OK);
    assert_int_equal(queue_try_push(&queue, item(2)), RESULT_OK);
    assert_int_equal(queue_try_push(&queue, item(3)), RESULT_BUSY);
    assert_int_equal(queue_length(&queue), 2);
    assert_ptr_equal(queue_pop(&queue), item(1));
    assert_int_equal(queue_try_push(&queue, item(3)), RESULT_OK);
    queue_free(&queue);
}

static void the_reserve_is_for_reserved_pushes_only(void **state) {
    (void)state;
    struct queue queue;
    void *items[4] = {NULL};
    assert_int_equal(queue_init(&queue, 1, 2), RESULT_OK);
    assert_int_equal(queue_try_push(&queue, item(1)), RESULT_OK);
    assert_int_equal(queue_push_reserved(&queue, item(2)), RESULT_OK);
    assert_int_equal(queue_try_push(&queue, item(9)), RESULT_BUSY);
    assert_int_equal(queue_push_reserved(&queue, item(3)), RESULT_OK);
    assert_int_equal(queue_push_reserved(&queue, item(9)), RESULT_BUSY);
    assert_int_equal(queue_drain(&queue, items, 4), 3);
    for (uintptr_t i = 0; i < 3; i++)
        assert_ptr_equal(items[i], item(i + 1));
    queue_free(&queue);
}

static void a_drain_takes_no_more_than_it_was_told_to(void **state) {
    (void)state;
    struct queue queue;
    void *items[2] = {NULL};
    assert_int_equal(queue_init(&queue, 8, 0), RESULT_OK);
    for (uintptr_t i = 1; i <= 3; i++)
        assert_int_equal(queue_try_push(&queue, item(i)), RESULT_OK);
    assert_int_equal(queue_drain(&queue, items, 2), 2);
    assert_ptr_equal(items[1], item(2));
    assert_int_equal(queue_length(&queue), 1);
    assert_int_equal(queue_drain(&queue, items, 2), 1);
    assert_ptr_equal(items[0], item(3));
    assert_int_equal(queue_drain(&queue, items, 2), 0);
    queue_free(&queue);
}

struct producer {
    struct queue *queue;
    uintptr_t number;
};

static void *produce(void *argument) {
    const struct producer *producer = argument;
    for (uintptr_t i = 1; i <= ITEMS_EACH; i++) {
        while (queue_try_push(producer->queue, item(i * PRODUCERS + producer->number)) == RESULT_BUSY)
            sched_yield();
    }
    return NULL;
}

static void every_item_of_many_threads_arrives_once_and_in_its_threads_order(void **state) {
    (void)state;
    struct queue queue;
    struct producer producers[PRODUCERS];
    pthread_t threads[PRODUCERS];
    uintptr_t last[PRODUCERS] = {0};
    assert_int_equal(queue_init(&queue, 64, 0), RESULT_OK);
    for (uintptr_t i = 0; i < PRODUCERS; i++) {
        producers[i] = (struct producer){&queue, i};
        assert_int_equal(pthread_create(&threads[i], NULL, produce, &producers[i]), 0);
    }
    for (size_t received = 0; received < (size_t)PRODUCERS * ITEMS_EACH;) {
        uintptr_t value = (uintptr_t)queue_pop(&queue);
        if (value == 0) {
            sched_yield();
            continue;
        }
        assert_int_equal(value / PRODUCERS, last[value % PRODUCERS] + 1);
        last[value % PRODUCERS]++;
        received++;
    }
    for (size_t i = 0; i < PRODUCERS; i++)
        pthread_join(threads[i], NULL);
    assert_null(queue_pop(&queue));
    queue_free(&queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_leave_in_the_order_they_came),
        cmocka_unit_test(a_full_queue_is_busy_until_something_leaves),
        cmocka_unit_test(the_reserve_is_for_reserved_pushes_only),
        cmocka_unit_test(a_drain_takes_no_more_than_it_was_told_to),
        cmocka_unit_test(every_item_of_many_threads_arrives_once_and_in_its_threads_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
