// SPDX-License-Identifier: MIT
// The job thread: order, limits, its end, what it does between jobs, and many threads at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/job_thread.h"

#define PRODUCERS 4u
#define JOBS_EACH 5000u
#define NICE 15

// What the jobs of a test share.
struct record {
    pthread_mutex_t gate; // held by the test while its jobs are to wait
    atomic_uint begun, done, tended;
    unsigned numbers[16];
    int nice;
};

struct numbered_job {
    struct thread_job job; // first, so that the job is this
    struct record *record;
    unsigned number;
};

static void run_numbered(struct thread_job *base) {
    struct numbered_job *job = (struct numbered_job *)base;
    struct record *record = job->record;
    atomic_fetch_add(&record->begun, 1);
    pthread_mutex_lock(&record->gate);
    record->numbers[atomic_load(&record->done)] = job->number;
    record->nice = getpriority(PRIO_PROCESS, (id_t)gettid());
    pthread_mutex_unlock(&record->gate);
    atomic_fetch_add(&record->done, 1);
}

static struct numbered_job numbered(struct record *record, unsigned number, size_t bytes) {
    return (struct numbered_job){.job = {.run = run_numbered, .bytes = bytes}, .record = record, .number = number};
}

static void wait_for(atomic_uint *value, unsigned wanted) {
    for (int i = 0; i < 10000 && atomic_load(value) < wanted; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    assert_true(atomic_load(value) >= wanted);
}

static struct job_thread *start(const struct job_thread_options *options) {
    struct job_thread *thread = NULL;
    assert_int_equal(job_thread_create(options, &thread), RESULT_OK);
    return thread;
}

static void jobs_run_in_the_order_of_their_posts(void **state) {
    (void)state;
    struct record record = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct numbered_job jobs[8];
    struct job_thread *thread = start(&(struct job_thread_options){.nice = NICE});
    pthread_mutex_lock(&record.gate);
    for (unsigned i = 0; i < 8; i++) {
        jobs[i] = numbered(&record, i, 0);
        assert_int_equal(job_thread_post(thread, &jobs[i].job), RESULT_OK);
    }
    pthread_mutex_unlock(&record.gate);
    wait_for(&record.done, 8);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(record.numbers[i], i);
    }
    assert_int_equal(record.nice, NICE);
    assert_int_not_equal(getpriority(PRIO_PROCESS, (id_t)gettid()), NICE);
    job_thread_destroy(thread);
}

static void a_full_queue_is_busy_until_a_job_begins(void **state) {
    (void)state;
    struct record record = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct numbered_job jobs[4];
    struct job_thread *thread = start(&(struct job_thread_options){.jobs_max = 2});
    pthread_mutex_lock(&record.gate);
    for (unsigned i = 0; i < 4; i++) {
        jobs[i] = numbered(&record, i, 0);
        assert_int_equal(job_thread_post(thread, &jobs[i].job), i < 3 ? RESULT_OK : RESULT_BUSY);
        wait_for(&record.begun, 1); // the first waits no more
    }
    assert_int_equal(job_thread_read_load(thread).waiting, 2);
    pthread_mutex_unlock(&record.gate);
    wait_for(&record.done, 3);
    assert_int_equal(job_thread_post(thread, &jobs[3].job), RESULT_OK);
    job_thread_destroy(thread);
    assert_int_equal(record.done, 4);
}

static void bytes_count_until_the_job_has_run(void **state) {
    (void)state;
    struct record record = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct numbered_job large = numbered(&record, 0, 100), small = numbered(&record, 1, 1);
    struct job_thread *thread = start(&(struct job_thread_options){.bytes_max = 10});
    pthread_mutex_lock(&record.gate);
    assert_int_equal(job_thread_post(thread, &large.job), RESULT_OK); // alone, whatever its size
    wait_for(&record.begun, 1);
    assert_int_equal(job_thread_read_load(thread).waiting, 0);
    assert_int_equal(job_thread_read_load(thread).bytes, 100);
    assert_int_equal(job_thread_post(thread, &small.job), RESULT_BUSY);
    pthread_mutex_unlock(&record.gate);
    while (job_thread_read_load(thread).bytes > 0) {
        sched_yield();
    }
    assert_int_equal(job_thread_post(thread, &small.job), RESULT_OK);
    job_thread_destroy(thread);
    assert_int_equal(record.done, 2);
}

static void a_stop_runs_what_waits_and_takes_no_more(void **state) {
    (void)state;
    struct record record = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct numbered_job jobs[3] = {numbered(&record, 0, 0), numbered(&record, 1, 0), numbered(&record, 2, 0)};
    struct job_thread *thread = start(&(struct job_thread_options){0});
    assert_int_equal(job_thread_post(thread, &jobs[0].job), RESULT_OK);
    assert_int_equal(job_thread_post(thread, &jobs[1].job), RESULT_OK);
    job_thread_stop(thread);
    assert_int_equal(record.done, 2);
    assert_int_equal(job_thread_post(thread, &jobs[2].job), RESULT_BUSY);
    job_thread_stop(thread); // once more is without effect
    job_thread_destroy(thread);
    job_thread_stop(NULL);
    job_thread_destroy(NULL);
    assert_int_equal(record.done, 2);
}

static uint64_t tend_every_ms(void *context) {
    struct record *record = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    atomic_fetch_add(&record->tended, 1);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 + 1;
}

static uint64_t tend_never(void *context) {
    atomic_fetch_add(&((struct record *)context)->tended, 1);
    return UINT64_MAX;
}

static void it_tends_when_due_and_after_each_job(void **state) {
    (void)state;
    struct record often = {.gate = PTHREAD_MUTEX_INITIALIZER}, seldom = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct job_thread *thread = start(&(struct job_thread_options){.tend = tend_every_ms, .context = &often});
    wait_for(&often.tended, 5);
    job_thread_destroy(thread);
    thread = start(&(struct job_thread_options){.tend = tend_never, .context = &seldom});
    wait_for(&seldom.tended, 1); // at the start
    for (unsigned i = 0; i < 3; i++) {
        struct numbered_job job = numbered(&seldom, i, 0);
        assert_int_equal(job_thread_post(thread, &job.job), RESULT_OK);
        wait_for(&seldom.tended, i + 2);
    }
    job_thread_destroy(thread);
    assert_int_equal(seldom.tended, 4);
}

static void several_threads_share_the_jobs(void **state) {
    (void)state;
    struct record record = {.gate = PTHREAD_MUTEX_INITIALIZER};
    struct numbered_job jobs[3];
    struct job_thread *thread = start(&(struct job_thread_options){.threads = 3});
    pthread_mutex_lock(&record.gate);
    for (unsigned i = 0; i < 3; i++) {
        jobs[i] = numbered(&record, i, 0);
        assert_int_equal(job_thread_post(thread, &jobs[i].job), RESULT_OK);
    }
    wait_for(&record.begun, 3); // none waits for another
    pthread_mutex_unlock(&record.gate);
    job_thread_destroy(thread);
    assert_int_equal(record.done, 3);
}

struct counted_job {
    struct thread_job job;
    struct job_thread *thread;
    atomic_uint *count;
    unsigned again; // times that it still posts itself
};

static void run_counted(struct thread_job *base) {
    struct counted_job *job = (struct counted_job *)base;
    atomic_fetch_add(job->count, 1);
    if (job->again == 0 || (job->again--, job_thread_post(job->thread, base) != RESULT_OK)) {
        free(job);
    }
}

static void *post_many(void *context) {
    const struct counted_job *pattern = context;
    for (unsigned i = 0; i < JOBS_EACH; i++) {
        struct counted_job *job = malloc(sizeof *job);
        *job = *pattern;
        assert_int_equal(job_thread_post(job->thread, &job->job), RESULT_OK);
    }
    return NULL;
}

static void no_job_is_lost_or_run_twice_whoever_posts_it(void **state) {
    (void)state;
    atomic_uint count = 0;
    pthread_t producers[PRODUCERS];
    struct job_thread *thread = start(&(struct job_thread_options){.threads = 2});
    struct counted_job pattern = {.job = {.run = run_counted}, .thread = thread, .count = &count, .again = 1};
    for (unsigned i = 0; i < PRODUCERS; i++) {
        assert_int_equal(pthread_create(&producers[i], NULL, post_many, &pattern), 0);
    }
    for (unsigned i = 0; i < PRODUCERS; i++) {
        pthread_join(producers[i], NULL);
    }
    wait_for(&count, PRODUCERS * JOBS_EACH * 2);
    job_thread_destroy(thread);
    assert_int_equal(count, PRODUCERS * JOBS_EACH * 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_run_in_the_order_of_their_posts),
        cmocka_unit_test(a_full_queue_is_busy_until_a_job_begins),
        cmocka_unit_test(bytes_count_until_the_job_has_run),
        cmocka_unit_test(a_stop_runs_what_waits_and_takes_no_more),
        cmocka_unit_test(it_tends_when_due_and_after_each_job),
        cmocka_unit_test(several_threads_share_the_jobs),
        cmocka_unit_test(no_job_is_lost_or_run_twice_whoever_posts_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
