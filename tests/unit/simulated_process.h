// SPDX-License-Identifier: MIT
// A process without sockets, threads and clocks, for a test that runs the whole host: the linker puts these functions
// in the place of the network's, the job threads', the scheduler's workers' and the system's (SIMULATED in the
// Makefile). Everything happens when the test calls for it, in an order that its random numbers choose, so that the
// same seed gives the same life again.
//
// * The clock stands but for a microsecond at each look, and now and then some milliseconds: whatever has a deadline
//   comes to it somewhere.
// * Jobs wait in the queues of their threads until the test has one run. Who waits for a job on a condition variable
// lets
//   the thread of the job run it.
// * What the host posts to the network goes to the test (net_sent, net_closed_by_host).
#ifndef WEFT_TESTS_SIMULATED_PROCESS_H
#define WEFT_TESTS_SIMULATED_PROCESS_H

#include <pthread.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

#include "base/job_thread.h"
#include "host/run/jobs.h"
#include "host/run/scheduler.h"
#include "lives.h"
#include "net/net.h"

// The linker calls for these names; no header declares them.
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define THREADS_MAX 8u
#define START_NS 1000000000000u
#define UNIX_SECONDS 1700000000

// ---- the clock and the system's random numbers -------------------------------------------------------------------

static uint64_t process_clock_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *out) {
    process_clock_ns += below(512) == 0 ? below(6000000) : 1000;
    out->tv_sec = (time_t)(process_clock_ns / 1000000000u) + (clock == CLOCK_REALTIME ? UNIX_SECONDS : 0);
    out->tv_nsec = (long)(process_clock_ns % 1000000000u);
    return 0;
}

ssize_t __wrap_getrandom(void *out, size_t length, unsigned flags) {
    (void)flags;
    memset(out, 0x5a, length); // the same in each life, whichever is led first
    return (ssize_t)length;
}

// ---- job threads -------------------------------------------------------------------------------------------------

struct job_thread {
    struct job_thread_options options;
    struct thread_job *first, **last;
    struct job_thread_load load;
    uint64_t due_ms;  // when `tend` is called next
    uint32_t running; // jobs
    bool stopping;
};

static struct job_thread *process_threads[THREADS_MAX]; // NULL: no thread
static struct job_thread *process_awaited;              // that was posted to last

enum result __wrap_job_thread_create(const struct job_thread_options *options, struct job_thread **out) {
    struct job_thread *thread = calloc(1, sizeof *thread);
    uint32_t place = 0;
    while (place < THREADS_MAX && process_threads[place] != NULL) {
        place++;
    }
    CASE(thread != NULL && place < THREADS_MAX);
    thread->options = *options;
    thread->last = &thread->first;
    process_threads[place] = *out = thread;
    return RESULT_OK;
}

enum result __wrap_job_thread_post(struct job_thread *thread, struct thread_job *job) {
    const struct job_thread_options *options = &thread->options;
    struct job_thread_load *load = &thread->load;
    if (thread->stopping || (options->jobs_max != 0 && load->waiting >= options->jobs_max) ||
        (load->bytes > 0 && load->bytes + job->bytes > options->bytes_max)) {
        return RESULT_BUSY;
    }
    job->next = NULL;
    *thread->last = job;
    thread->last = &job->next;
    load->waiting++;
    load->bytes += job->bytes;
    process_awaited = thread;
    return RESULT_OK;
}

struct job_thread_load __wrap_job_thread_read_load(struct job_thread *thread) {
    return thread->load;
}

// Runs the oldest job of the thread, or what it tends to when that is due. False when there is nothing to do.
static bool process_run_job(struct job_thread *thread) {
    const struct job_thread_options *options = &thread->options;
    struct thread_job *job = thread->first;
    if (thread->running >= (options->threads != 0 ? options->threads : 1) ||
        (job == NULL && (options->tend == NULL || process_clock_ns / 1000000u < thread->due_ms))) {
        return false;
    }
    thread->running++;
    if (job != NULL) {
        const size_t bytes = job->bytes; // the job frees itself
        thread->first = job->next;
        thread->last = thread->first == NULL ? &thread->first : thread->last;
        thread->load.waiting--;
        job->run(job);
        thread->load.bytes -= bytes;
    }
    if (options->tend != NULL) {
        thread->due_ms = options->tend(options->context);
    }
    thread->running--;
    return true;
}

void __wrap_job_thread_stop(struct job_thread *thread) {
    if (thread != NULL) {
        thread->stopping = true;
        while (thread->first != NULL) {
            CASE(process_run_job(thread));
        }
    }
}

void __wrap_job_thread_destroy(struct job_thread *thread) {
    __wrap_job_thread_stop(thread);
    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        process_threads[i] = process_threads[i] == thread ? NULL : process_threads[i];
    }
    free(thread);
}

// Who waits for a job has posted it before.
int __wrap_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    (void)condition;
    pthread_mutex_unlock(mutex);
    CASE(process_awaited != NULL && process_run_job(process_awaited)); // else it would wait for ever
    pthread_mutex_lock(mutex);
    return 0;
}

// The host's job thread, which looks after the heap besides: when that is due would depend on the lives before.
enum result __wrap_jobs_create(struct job_thread **out) {
    return __wrap_job_thread_create(&(struct job_thread_options){.jobs_max = JOBS_WAITING_MAX}, out);
}

// A job of any thread. False when none had anything to do.
static bool process_run_any_job(void) {
    const uint32_t first = below(THREADS_MAX);
    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        struct job_thread *thread = process_threads[(first + i) % THREADS_MAX];
        if (thread != NULL && process_run_job(thread)) {
            return true;
        }
    }
    return false;
}

// Whether jobs wait; what threads tend to does not count.
static bool process_has_jobs(void) {
    for (uint32_t i = 0; i < THREADS_MAX; i++) {
        if (process_threads[i] != NULL && process_threads[i]->first != NULL) {
            return true;
        }
    }
    return false;
}

// ---- the scheduler's workers, for one task -----------------------------------------------------------------------

static struct {
    scheduler_task run;
    void *context;
    uint64_t due_ns;
} process_task;

enum result __wrap_scheduler_start(struct scheduler *scheduler) {
    (void)scheduler;
    return RESULT_OK;
}

uint32_t __wrap_scheduler_add(struct scheduler *scheduler, scheduler_task run, void *context) {
    (void)scheduler;
    CASE(process_task.run == NULL);
    process_task.run = run;
    process_task.context = context;
    process_task.due_ns = 0;
    return 0;
}

void __wrap_scheduler_wake(struct scheduler *scheduler, uint32_t task) {
    (void)scheduler;
    (void)task;
    process_task.due_ns = 0;
}

// Gives the world its turn if it is due. Nobody gives it one that has neither asked for it nor was woken.
static bool process_run_world(void) {
    if (process_task.due_ns > process_clock_ns) {
        return false;
    }
    process_task.due_ns = SCHEDULER_NEVER; // a wake from here on is for the next turn
    const uint64_t next_ns = process_task.run(process_task.context, process_clock_ns);
    process_task.due_ns = next_ns < process_task.due_ns ? next_ns : process_task.due_ns;
    return true;
}

// ---- the network -------------------------------------------------------------------------------------------------

struct net_server {
    int unused;
};

static struct net_server process_net;
static struct net_handlers process_handlers; // of the host

// What the test does with what the host posts.
static void net_sent(uint64_t connection, struct message *take);
static void net_closed_by_host(uint64_t connection, uint16_t code, const char *reason);
static void net_reading(uint64_t connection, bool held);
static void net_joined(uint64_t connection, uint32_t channel, bool joined);
static void net_published(uint32_t channel, struct message *take);

enum result __wrap_net_server_create(const struct net_options *options, struct net_server **server,
                                     struct fault *fault) {
    (void)fault;
    process_handlers = options->handlers;
    *server = &process_net;
    return RESULT_OK;
}

void __wrap_net_server_destroy(struct net_server *server) {
    (void)server;
}

void __wrap_net_server_stop(struct net_server *server) {
    (void)server;
}

void __wrap_net_post_send(struct net_server *server, uint64_t connection, struct message *take) {
    (void)server;
    net_sent(connection, take);
}

void __wrap_net_post_close(struct net_server *server, uint64_t connection, uint16_t code, const char *reason) {
    (void)server;
    net_closed_by_host(connection, code, reason);
}

void __wrap_net_hold_reading(struct net_server *server, uint64_t connection) {
    (void)server;
    net_reading(connection, true);
}

void __wrap_net_post_resume_reading(struct net_server *server, uint64_t connection) {
    (void)server;
    net_reading(connection, false);
}

void __wrap_net_post_join(struct net_server *server, uint64_t connection, uint32_t channel, uint32_t every_ticks,
                          uint32_t tags) {
    (void)server;
    (void)every_ticks;
    (void)tags;
    net_joined(connection, channel, true);
}

void __wrap_net_post_leave(struct net_server *server, uint64_t connection, uint32_t channel) {
    (void)server;
    net_joined(connection, channel, false);
}

void __wrap_net_post_publish_ordered(struct net_server *server, uint32_t channel, uint32_t tag, bool clear_state,
                                     struct message *take) {
    (void)server;
    (void)tag;
    (void)clear_state;
    net_published(channel, take);
}

// Frames are replaceable, and here nobody looks at them.
void __wrap_net_post_publish_state(struct net_server *server, uint32_t channel, uint64_t tick, struct message *take) {
    (void)server;
    (void)channel;
    (void)tick;
    message_release(take);
}

void __wrap_net_post_publish_frame(struct net_server *server, uint32_t channel, const struct message_forms *take) {
    (void)server;
    (void)channel;
    for (uint32_t i = 0; i < MESSAGE_FORMS; i++) {
        message_release(take->forms[i]);
    }
}

void __wrap_net_post_state(struct net_server *server, uint64_t connection, uint32_t channel, struct message *take) {
    (void)server;
    (void)connection;
    (void)channel;
    message_release(take);
}

void __wrap_net_post_frame(struct net_server *server, uint64_t connection, uint32_t channel, uint64_t number,
                           struct message *take) {
    (void)server;
    (void)connection;
    (void)channel;
    (void)number;
    message_release(take);
}

// Begins a process: its clock stands where it has stood at the beginning of every life.
static void process_begin(void) {
    process_clock_ns = START_NS;
    process_awaited = NULL;
}

#endif
