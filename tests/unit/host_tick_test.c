// SPDX-License-Identifier: MIT
// A whole tick of a world with viewers, as its worker runs it, and what the network takes over of it: once warm they
// allocate nothing. Every allocation is counted, whoever makes it; under a sanitizer, which has its own, the ticks just
// run. The network has no thread here: it is given its turn after every tick, so that nothing depends on the machine.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/job_thread.h"
#include "engine/client/client.h"
#include "engine/view/variant.h"
#include "host/connection/connection_list.h"
#include "host/run/jobs.h"
#include "host/run/parallel_for.h"
#include "host/turn/joining.h"
#include "host/turn/turn.h"
#include "host/world/load_scene.h"
#include "host/worlds/world_life.h"
#include "sanitizer.h"

#define CONNECTION 7u
#define THREADS 2u

// Of the inside of the network, whose header names a type that the application has too.
void delivery_run(struct net_server *server);

static struct connection_list *connections;
static _Atomic uint64_t allocations; // of any thread

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#define COUNTING true
#define WARM_TICKS 240u
#define COUNTED_TICKS 600u
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}
#else
#define COUNTING false
#define WARM_TICKS 20u
#define COUNTED_TICKS 20u
#endif

static int admit(void *user, const char *path) {
    (void)user;
    (void)path;
    return -1;
}

static void watch(struct world *world, uint64_t connection_id, enum proto_frames_subscribe_encoding encoding,
                  uint32_t every) {
    struct fault fault;
    const struct proto_frames_subscribe params = {.every_ticks = every, .step = 1.0f / 4096.0f, .encoding = encoding};
    uint32_t variant;
    const struct connection_facts facts = {.connection_id = connection_id, .role = PROTO_ROLE_ADMIN};
    struct connection *connection = connection_list_add(connections, &facts);
    assert_non_null(connection);
    world_join(world, connection_id, connection);
    connection_list_remove(connection);
    struct client *client = engine_find_client(world->engine, connection_id);
    assert_non_null(client);
    assert_int_equal(engine_subscribe(world->engine, client, &params, &variant, &fault), RESULT_OK);
    engine_welcome_viewer(world->engine, client);
}

static void run_ticks(struct world *world, uint64_t count) {
    const uint64_t end = sim_world_tick(world->engine->sim) + count;
    while (sim_world_tick(world->engine->sim) < end) {
        world->next_tick_ns = 0; // always due
        world_run(world, scheduler_now_ns());
        delivery_run(world->net);
    }
}

static void a_warmed_tick_allocates_nothing(void **unused) {
    (void)unused;
    struct fault fault;
    char *arguments[] = {"weftd", "--port", "0",       "--scenes",    "server/scenes",
                         "--web", "tests",  "--world", "main=default"};
    struct config *config = calloc(1, sizeof *config);
    assert_int_equal(config_read((int)(sizeof arguments / sizeof *arguments), arguments, config, &fault), RESULT_OK);
    const struct net_options options = {.host = "127.0.0.1",
                                        .web_root = "tests",
                                        .message_max = 1000,
                                        .outbox_max = 1000,
                                        .clients_max = 1,
                                        .handlers = {.admit = admit}};
    struct net_server *net = NULL;
    struct scheduler *scheduler = NULL;
    struct job_thread *job_thread = NULL;
    struct parallel_for *parallel_for = NULL;
    struct world *world = NULL;
    connections = connection_list_create();
    assert_non_null(connections);
    assert_int_equal(net_server_create(&options, &net, &fault), RESULT_OK);
    assert_int_equal(scheduler_create(1, 1, &scheduler), RESULT_OK);
    assert_int_equal(jobs_create(&job_thread), RESULT_OK);
    const struct world_plan plan = {
        .name = "main", .tick_hz = config->tick_hz, .job_thread = job_thread, .net = net, .scheduler = scheduler};
    assert_int_equal(world_create(config, &plan, &world, &fault), RESULT_OK);
    assert_int_equal(world_open_scene(world, "default", &fault), RESULT_OK);
    world_start(world, world_run);
    assert_int_equal(parallel_for_create(THREADS, &parallel_for), RESULT_OK);
    const struct sim_workers workers = {.context = parallel_for, .count = THREADS, .run = parallel_for_run};
    sim_world_set_workers(world->engine->sim, &workers);
    watch(world, CONNECTION, PROTO_FRAMES_SUBSCRIBE_ENCODING_GRID, 1);
    watch(world, CONNECTION + 1, PROTO_FRAMES_SUBSCRIBE_ENCODING_RAW, 1);
    watch(world, CONNECTION + 2, PROTO_FRAMES_SUBSCRIBE_ENCODING_MOTION, 1);
    watch(world, CONNECTION + 3, PROTO_FRAMES_SUBSCRIBE_ENCODING_MOTION, 4);
    run_ticks(world, WARM_TICKS);
    allocations = 0;
    free(malloc(1));
    assert_int_equal(allocations > 0, COUNTING);
    allocations = 0;
    run_ticks(world, COUNTED_TICKS);
    const uint64_t counted = allocations;
    print_message("%u warmed ticks of the default scene on %u threads, four ways of packing: %llu allocations\n",
                  COUNTED_TICKS, THREADS, (unsigned long long)counted);
    assert_int_equal(atomic_load(&world->metrics.frames) >= 3 * (WARM_TICKS + COUNTED_TICKS), true);
    job_thread_stop(job_thread);
    scheduler_destroy(scheduler);
    parallel_for_destroy(parallel_for);
    job_thread_destroy(job_thread);
    world_destroy(world);
    connection_list_destroy(connections);
    net_server_destroy(net);
    free(config);
    assert_int_equal(counted, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_warmed_tick_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
