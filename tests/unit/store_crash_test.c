// SPDX-License-Identifier: MIT
// Acknowledged writes are there after the process was killed and, with full durability, after a power cut, at random
// moments: of writing, of snapshots, of new timelines, of compaction and of checkpoints.
//
// A child process writes, and reports settled writes through a pipe; the parent ends the child and reads the store.
// WEFT_KILLS and WEFT_POWER_CUTS say how often.
#include <signal.h>
#include <sys/wait.h>

#include "../support/fault_vfs.h"
#include "sanitizer.h"
#include "store_fixture.h"

// A build with a sanitizer is ten times slower.
#ifdef IS_SANITIZED
#define USUAL_KILLS 10
#define USUAL_POWER_CUTS 4
#else
#define USUAL_KILLS 50
#define USUAL_POWER_CUTS 20
#endif

// A report of the child: up to which entry of which timeline everything is settled.
struct told {
    uint32_t timeline, sequence;
};

struct child {
    struct fixture fixture;
    int pipe;
    struct told tickets[1u << 20]; // by ticket modulo its length
    uint64_t seed;
    char cut_folder[64];
};
static struct child child; // of this process; the parent does not use it

static uint32_t wanted(const char *name, uint32_t usual) {
    const char *text = getenv(name);
    return text != NULL && atoi(text) > 0 ? (uint32_t)atoi(text) : usual;
}

static void tell(void *user, uint64_t world, uint64_t ticket, enum result result, const struct fault *fault) {
    (void)user;
    (void)world;
    (void)fault;
    const struct told *told = &child.tickets[ticket % (sizeof child.tickets / sizeof child.tickets[0])];
    if (result != RESULT_OK || write(child.pipe, told, sizeof *told) != sizeof *told) {
        _exit(3);
    }
}

static void must(enum result result) {
    if (result != RESULT_OK && result != RESULT_BUSY) {
        _exit(4);
    }
}

static void note_ticket(void) {
    const struct fixture *fixture = &child.fixture;
    child.tickets[(fixture->tickets + 1) % (sizeof child.tickets / sizeof child.tickets[0])] =
        (struct told){fixture->timeline, (uint32_t)fixture->sequence};
}

// Continues the store, or begins it.
static void take_up(struct fixture *fixture) {
    struct store_world *worlds = NULL;
    uint32_t count = 0;
    must(store_world_list(fixture->store, &worlds, &count, NULL));
    if (count == 0) {
        struct store_world given = {.name = "main"};
        must(store_world_create(fixture->store, &given, &fixture->world, NULL));
    } else {
        fixture->world = worlds[0].world;
        fixture->timeline = worlds[0].timeline;
        fixture->tick = worlds[0].tick;
    }
    store_worlds_free(worlds, count);
    struct store_timeline *timelines = NULL;
    must(store_list_timelines(fixture->store, fixture->world, &timelines, &count, NULL));
    if (count > 0) {
        fixture->sequence = timelines[count - 1].last_sequence;
    }
    free(timelines);
}

static void write_on(struct fixture *fixture) {
    uint64_t random = child.seed;
    for (;;) {
        const uint64_t what = fixture_random(&random) % 100;
        if (fixture->timeline == 0 || what == 0) { // a fork of where it is: counters are those of the new timeline
            const uint32_t parent = fixture->timeline;
            const uint64_t parent_sequence = fixture->sequence;
            child.tickets[(fixture->tickets + 1) % (sizeof child.tickets / sizeof child.tickets[0])] =
                (struct told){parent + 1, 0};
            must(fixture_begin(fixture, parent == 0 ? STORE_ORIGIN_EMPTY : STORE_ORIGIN_FORK,
                               parent == 0 ? 0 : fixture->tick, parent, parent_sequence));
        } else if (what < 4) {
            note_ticket();
            must(fixture_save(fixture));
        } else if (what < 20) {
            note_ticket();
            must(fixture_mark(fixture));
        } else {
            child.tickets[(fixture->tickets + 1) % (sizeof child.tickets / sizeof child.tickets[0])] =
                (struct told){fixture->timeline, (uint32_t)fixture->sequence + 1};
            must(fixture_append(fixture, fixture_random(&random) % 5));
        }
        if (fixture_random(&random) % 4 == 0) {
            usleep((useconds_t)(fixture_random(&random) % 400));
        }
    }
}

static void cut_power(void *user) {
    (void)user;
    fault_vfs_cut(child.cut_folder, child.seed);
    _exit(0);
}

// The child process. Never returns.
static void run_child(const struct fixture *parent, int pipe, uint64_t seed, const char *cut_folder, uint64_t cut_at) {
    child.fixture = *parent;
    child.pipe = pipe;
    child.seed = seed;
    child.fixture.options.listener = (struct store_listener){.user = &child, .settled = tell};
    if (cut_folder != NULL) {
        snprintf(child.cut_folder, sizeof child.cut_folder, "%s", cut_folder);
        fault_vfs_install(true);
        fault_vfs_before(cut_at, cut_power, NULL);
    }
    if (store_open(&child.fixture.options, &child.fixture.store, NULL) != RESULT_OK) {
        _exit(5);
    }
    take_up(&child.fixture);
    write_on(&child.fixture);
}

// Starts a child and reads its reports until it has ended. `kill_after_us` 0: the child ends by itself.
static struct told watch_child(const struct fixture *fixture, uint64_t seed, const char *cut_folder, uint64_t cut_at,
                               uint32_t kill_after_us, int *status) {
    int ends[2];
    struct told last = {0}, told;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        run_child(fixture, ends[1], seed, cut_folder, cut_at);
    }
    close(ends[1]);
    bool killed = false;
    while (read(ends[0], &told, sizeof told) == sizeof told) {
        last = told;
        if (kill_after_us > 0 && !killed) {
            usleep(kill_after_us);
            kill(pid, SIGKILL);
            killed = true;
        }
    }
    close(ends[0]);
    assert_int_equal(waitpid(pid, status, 0), pid);
    return last;
}

// Reads the history to its end, from a snapshot of at most `before_tick` (0: any), and checks every entry.
static bool read_way(struct fixture *fixture, uint64_t before_tick, struct store_history **history,
                     struct fault *fault) {
    const struct store_query query = {.world = fixture->world, .tick = STORE_END, .before_tick = before_tick};
    store_history_free(*history);
    *history = NULL;
    if (store_read(fixture->store, &query, history, fault) != RESULT_OK) {
        return false;
    }
    for (uint32_t i = 0; i < (*history)->entry_count; i++) {
        fixture_check_entry(&(*history)->entries[i]);
    }
    if (!(*history)->from_empty) {
        fixture_check_snapshot(&(*history)->snapshot);
    }
    return true;
}

// Whether everything up to the last report is in the store and intact; `why` says what is missing.
static bool holds(struct fixture *fixture, struct told told, char *why, size_t size) {
    struct fault fault = {.message = ""};
    struct store_world *worlds = NULL;
    struct store_history *history = NULL;
    uint32_t count = 0;
    bool held = store_open(&fixture->options, &fixture->store, &fault) == RESULT_OK &&
                store_world_list(fixture->store, &worlds, &count, &fault) == RESULT_OK;
    if (held && count > 0) {
        fixture->world = worlds[0].world;
        const bool compacted = fixture->options.budget.age_ms > 0; // then the first ticks may be deleted
        held = worlds[0].timeline == 0 ||
               ((compacted || read_way(fixture, 1, &history, &fault)) && read_way(fixture, 0, &history, &fault));
    }
    const uint32_t newest = held && count > 0 ? worlds[0].timeline : 0;
    if (held && newest == told.timeline && newest > 0) {
        const uint64_t last = history->entry_count > 0 ? history->entries[history->entry_count - 1].entry.sequence
                              : history->snapshot.timeline == newest ? history->snapshot.sequence
                                                                     : 0;
        held = last >= told.sequence;
        snprintf(fault.message, sizeof fault.message, "acknowledged %u, there are %llu", told.sequence,
                 (unsigned long long)last);
    } else if (held && newest < told.timeline) {
        held = false;
        snprintf(fault.message, sizeof fault.message, "timeline %u was acknowledged, %u is there", told.timeline,
                 newest);
    }
    snprintf(why, size, "%s", fault.message);
    store_history_free(history);
    store_worlds_free(worlds, count);
    fixture_close(fixture);
    return held;
}

// Returns how many of so many kills lost an acknowledged write.
static uint32_t kill_at_random(enum store_durability durability, uint64_t budget_ms, uint32_t kills) {
    struct fixture fixture;
    fixture_init(&fixture);
    fixture.options.durability = durability;
    fixture.options.budget.age_ms = budget_ms;
    uint64_t random = 17, acknowledged = 0;
    uint32_t lost = 0;
    for (uint32_t round = 0; round < kills; round++) {
        int status = 0;
        char why[FAULT_MESSAGE_MAX];
        const uint32_t after_us = 1 + (uint32_t)(fixture_random(&random) % 20000);
        const struct told told = watch_child(&fixture, fixture_random(&random), NULL, 0, after_us, &status);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        if (!holds(&fixture, told, why, sizeof why)) {
            print_error("kill %u: %s\n", round, why);
            lost++;
        }
        acknowledged += told.sequence;
    }
    if (budget_ms > 0 && kills >= 20) { // history was compacted
        struct store_timeline *timelines = NULL;
        uint32_t count = 0;
        fixture_open(&fixture);
        assert_int_equal(store_list_timelines(fixture.store, fixture.world, &timelines, &count, NULL), RESULT_OK);
        assert_true(count > 0 && (timelines[0].timeline > 1 || timelines[0].first_tick > 0));
        print_message("history begins in timeline %u at tick %llu\n", timelines[0].timeline,
                      (unsigned long long)timelines[0].first_tick);
        free(timelines);
    }
    print_message("%u kills, at timelines' entries summing up to %llu\n", kills, (unsigned long long)acknowledged);
    assert_true(acknowledged > kills);
    fixture_free(&fixture);
    return lost;
}

static void what_was_acknowledged_survives_a_kill(void **state) {
    (void)state;
    const uint32_t kills = wanted("WEFT_KILLS", USUAL_KILLS);
    const uint32_t lost = kill_at_random(STORE_NORMAL, 0, (kills + 1) / 2) +
                          kill_at_random(STORE_FULL, 20, kills / 2); // and compacts meanwhile
    print_message("store: %u kills, %u lost something acknowledged\n", kills, lost);
    assert_int_equal(lost, 0);
}

// Returns how many of `cuts` power cuts lost an acknowledged write.
static uint32_t cut_at_random(enum store_durability durability, uint32_t cuts, char *why, size_t size) {
    static const uint64_t calls[] = {60, 6000, 1500, 3000}; // about 2,500 until the first checkpoint
    uint64_t random = 23;
    uint32_t lost = 0, told_something = 0;
    for (uint32_t round = 0; round < cuts; round++) {
        struct fixture before, after;
        int status = 0;
        fixture_init(&before);
        fixture_init(&after);
        before.options.durability = after.options.durability = durability;
        const uint64_t cut_at = 1 + fixture_random(&random) % calls[round % 4];
        const struct told told = watch_child(&before, fixture_random(&random), after.directory, cut_at, 0, &status);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        told_something += told.sequence > 0 ? 1 : 0;
        lost += holds(&after, told, why, size) ? 0 : 1;
        fixture_free(&after);
        fixture_free(&before);
        if (lost > 0) {
            return lost;
        }
    }
    assert_true(told_something > cuts / 2);
    return lost;
}

static void what_was_acknowledged_survives_a_power_cut(void **state) {
    (void)state;
    const uint32_t cuts = wanted("WEFT_POWER_CUTS", USUAL_POWER_CUTS);
    char why[FAULT_MESSAGE_MAX];
    const uint32_t lost = cut_at_random(STORE_FULL, cuts, why, sizeof why);
    print_message("store: %u power cuts, %u lost something acknowledged\n", cuts, lost);
    if (lost > 0) {
        fail_msg("%s", why);
    }
}

// Shows that the test above can fail.
static void without_syncs_a_power_cut_loses_something(void **state) {
    (void)state;
    char why[FAULT_MESSAGE_MAX];
    assert_true(cut_at_random(STORE_OFF, 40, why, sizeof why) > 0);
    print_message("lost: %s\n", why);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_acknowledged_survives_a_kill),
        cmocka_unit_test(what_was_acknowledged_survives_a_power_cut),
        cmocka_unit_test(without_syncs_a_power_cut_loses_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
