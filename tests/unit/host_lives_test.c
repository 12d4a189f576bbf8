// SPDX-License-Identifier: MIT
// Short lives of a whole server, each from one seed: people come, send sound and unsound commands, lose their
// connections, come back under the key of their session and repeat what they were not answered, or were; the server is
// killed, or ended, and brought back from its store; one client follows the world in lockstep. There are no sockets, no
// threads and no clock (simulated_process.h): the order of all that happens comes from the seed.
//
// What always holds:
// * Each request that arrives is answered once, unless its connection ends first.
// * A change that was answered is not made again and not lost: whoever repeats it gets the same reply, also of a server
//   that was killed since.
// * A world that is brought back from its store, by a start or by a seek, has the hash that it had there before.
// * Who follows in lockstep has the world's hash after each message of ticks.
// * The same seed makes the server send the same bytes.
#include "host_life_people.h"

#include <ftw.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "sanitizer.h"

#ifdef IS_SANITIZED
#define LIVES 100
#else
#define LIVES 500
#endif
#define ROUNDS_MAX 20000u // of a server that has to come to rest

// ---- the server's life -------------------------------------------------------------------------------------------

static int remove_file(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_folder(const char *path) {
    (void)nftw(path, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

static void start(void) {
    struct fault fault;
    life.is_dead = false;
    snprintf(life.config.data, sizeof life.config.data, "%s/%u", life.folder, life.folder_count);
    if (app_create(&life.config, &life.app, &fault) != RESULT_OK) {
        fail_msg("%s; WEFT_SEED=%llu WEFT_LIVES=1 leads this life again", fault.message,
                 (unsigned long long)lives_seed);
    }
    note_state(world());
    total.starts++;
}

// After the process has ended: connections are gone, and so is what was on the way.
static void lose_links(void) {
    for (uint32_t i = 0; i < life.link_count; i++) {
        struct link *link = &life.links[i];
        if (!link->is_cut) {
            go(link->person, true);
        }
        empty(&link->to_host);
        if (link->is_open) {
            link->is_open = false;
            process_handlers.closed(process_handlers.user, link->id, true);
        }
    }
}

static void destroy(void) {
    app_destroy(life.app);
    life.app = NULL;
    process_task.run = NULL;
    process_task.context = NULL;
}

static void copy_file(const char *from, const char *to) {
    static unsigned char bytes[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    CASE(in != NULL && out != NULL);
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;) {
        CASE(fwrite(bytes, 1, count, out) == count);
    }
    CASE(fclose(in) == 0 && fclose(out) == 0);
}

static void doubt_answers(void) {
    for (uint32_t i = 0; i < PEOPLE; i++) {
        for (uint32_t at = 0; at < life.people[i].request_count; at++) {
            struct request *asked = &life.people[i].requests[at];
            asked->is_doubted = asked->is_change && asked->reply != NULL;
        }
    }
}

// The server is killed: another one finds the files as they are at this moment. What the first one does to free its
// memory happens in files that nobody looks at any more.
static void kill_server(void) {
    static const char *const names[] = {"weft.db", "weft.db-wal", "weft.mark"};
    char from[PATH_MAX_BYTES + 32], to[PATH_MAX_BYTES + 32], folder[PATH_MAX_BYTES + 16];
    const uint32_t old = life.folder_count++;
    snprintf(folder, sizeof folder, "%s/%u", life.folder, life.folder_count);
    CASE(mkdir(folder, 0700) == 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(from, sizeof from, "%s/%u/%s", life.folder, old, names[i]);
        snprintf(to, sizeof to, "%s/%u/%s", life.folder, life.folder_count, names[i]);
        if (access(from, F_OK) == 0) {
            copy_file(from, to);
        }
    }
    life.is_dead = true;
    lose_links();
    doubt_answers();
    const uint64_t digest_before = life.digest;
    const uint32_t states_before = life.state_count;
    destroy();
    life.digest = digest_before;
    life.state_count = states_before;
    snprintf(folder, sizeof folder, "%s/%u", life.folder, old);
    remove_folder(folder);
}

// One thing happens in the server or on its way. False when there was nothing to do.
static bool work(void) {
    switch (below(4)) {
    case 0:
        return process_run_any_job();
    case 1:
        if (below(16) == 0) {
            process_handlers.poll(process_handlers.user);
        }
        if (process_run_world()) {
            note_state(world());
            return true;
        }
        return false;
    default:
        return work_links();
    }
}

// Whether a person that is connected waits for a reply, or for a message to arrive.
static bool is_waited_for(void) {
    for (uint32_t i = 0; i < life.link_count; i++) {
        const struct link *link = &life.links[i];
        for (uint32_t at = 0; link->is_open && at <= REQUESTS_MAX; at++) {
            if (link->is_cut || link->is_closing || link->waiting[at] > 0) {
                return true;
            }
        }
        if (link->is_open && (link->to_host.first != NULL || link->from_host.first != NULL)) {
            return true;
        }
    }
    return process_has_jobs();
}

// Whether somebody waits for the reply to a request for a later tick.
static bool is_tick_awaited(void) {
    for (uint32_t i = 0; i < life.link_count; i++) {
        const struct link *link = &life.links[i];
        const struct visitor *person = &life.people[link->person];
        for (uint32_t at = 0; link->is_open && at < person->request_count; at++) {
            if (link->waiting[at + 1] > 0 && person->requests[at].is_timed) {
                return true;
            }
        }
    }
    return false;
}

// Lets everything come to its end. A world that stands is set to run only if somebody waits for a tick: whatever else
// is waited for has to come without that.
static void rest(void) {
    uint32_t rounds = 0;
    for (; is_waited_for() && rounds < ROUNDS_MAX; rounds++) {
        process_clock_ns += work() ? 0 : 1000000;
        const uint32_t index = below(PEOPLE);
        if (rounds % 256 != 255 || world()->engine->running || !is_tick_awaited()) {
            continue;
        }
        if (life.people[index].link == NULL) {
            come(index);
        } else if (life.people[index].is_known) {
            request(index, "world.resume", "{}");
        }
    }
    CASE(rounds < ROUNDS_MAX);
}

// It ends as after a signal: what was read is answered and stored.
static void end_server(void) {
    app_stop(life.app, "the test");
    uint32_t rounds = 0;
    for (; rounds < ROUNDS_MAX && !process_handlers.is_settled(process_handlers.user); rounds++) {
        process_clock_ns += process_run_any_job() || process_run_world() ? 0 : 1000000;
    }
    for (uint32_t i = 0; i < life.link_count; i++) {
        struct link *link = &life.links[i];
        while (link->is_open && !link->is_cut && receive(link)) {
        }
    }
    note_state(world());
    life.is_dead = true;
    lose_links();
    destroy();
}

// ---- lives -------------------------------------------------------------------------------------------------------

static void restart(bool kill) {
    if (kill) {
        kill_server();
    } else {
        end_server();
    }
    start();
}

static void act(void) {
    const uint32_t index = below(PEOPLE);
    const struct visitor *person = &life.people[index];
    if (life.is_answered) { // what was answered is stored, even if the server is killed now
        life.is_answered = false;
        if (below(24) == 0) {
            restart(true);
            return;
        }
    }
    switch (below(32)) {
    case 0:
        if (person->link != NULL && below(2) == 0) {
            go(index, below(2) == 0);
        }
        break;
    case 1:
        process_clock_ns += below(50000000);
        break;
    case 2:
        if (person->link != NULL && person->is_known && below(2) == 0) {
            repeat(index);
        } else if (person->link != NULL && person->link->has_frames && person->link->is_open) { // it missed a frame
            process_handlers.starved(process_handlers.user, person->link->id, 0);
        }
        break;
    case 3:
        if (below(32) == 0) {
            restart(below(2) == 0);
        }
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        if (person->link == NULL) {
            come(index);
        } else if (person->is_known && index == FOLLOWER && life.following == FOLLOWS_NOTHING && below(2) == 0) {
            request(index, "frames.subscribe", "{\"encoding\":\"ticks\"}");
        } else if (person->is_known) {
            command(index);
        }
        break;
    default:
        process_clock_ns += work() ? 0 : 2000000;
        break;
    }
}

static void lead(uint64_t seed) {
    const char *folder = getenv("TMPDIR");
    char *arguments[] = {"weftd", "--port", "0",       "--scenes",  "server/scenes",
                         "--web", "tests",  "--world", "main=empty"};
    struct fault fault;
    memset(&life, 0, sizeof life);
    lives_begin(seed);
    process_begin();
    life.digest = FNV_BASIS;
    CASE(config_read((int)(sizeof arguments / sizeof *arguments), arguments, &life.config, &fault) == RESULT_OK);
    life.config.max_particles = 600;
    life.config.max_sticks = 3000;
    life.config.max_objects = 40;
    life.config.max_obstacles = 10;
    life.config.threads = 1;
    life.config.durability = STORE_OFF;
    snprintf(life.folder, sizeof life.folder, "%.100s/weft-lives-XXXXXX", folder != NULL ? folder : "/tmp");
    CASE(mkdtemp(life.folder) != NULL);
    make_follower();
    start();
    for (uint32_t acts = 400 + below(1200); acts > 0; acts--) {
        act();
    }
    rest();
    CASE(life.following != FOLLOWS_TICKS || life.people[FOLLOWER].link == NULL ||
         weft_world_tick_count(life.follower) + LOCKSTEP_STEPS_MAX >= sim_world_tick(world()->engine->sim));
    restart(below(2) == 0);
    end_server();
    weft_world_destroy(life.follower);
    empty(&life.kept);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        for (uint32_t at = 0; at < life.people[i].request_count; at++) {
            free(life.people[i].requests[at].reply);
        }
    }
    remove_folder(life.folder);
}

static void short_lives_of_a_server_keep_what_was_answered(void **unused) {
    (void)unused;
    lives_lead(LIVES, lead);
    print_message("%llu starts, %llu forks, of which %llu are known, %llu ticks, %llu replies, %llu of them once more, "
                  "%llu snapshots, %llu messages of ticks and %llu records followed\n",
                  (unsigned long long)total.starts, (unsigned long long)total.forks, (unsigned long long)total.known,
                  (unsigned long long)total.ticks, (unsigned long long)total.replies, (unsigned long long)total.same,
                  (unsigned long long)total.renewals, (unsigned long long)total.followed,
                  (unsigned long long)total.records);
}

static void the_same_seed_leads_the_same_life(void **unused) {
    (void)unused;
    const uint64_t seed = lives_setting("WEFT_SEED", 1);
    for (uint64_t life_number = 0; life_number < 3; life_number++) {
        lead(seed + life_number);
        const uint64_t sent = life.digest;
        lead(seed + life_number);
        assert_int_equal(life.digest, sent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_seed_leads_the_same_life),
                                       cmocka_unit_test(short_lives_of_a_server_keep_what_was_answered)};
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 128 * 1024); // as in weftd: what worlds reserve and never use is not cleared
#endif
    (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); // nor are whole huge pages
    log_set_level(LOG_LEVEL_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
