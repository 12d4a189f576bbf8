// SPDX-License-Identifier: MIT
// Each look compares the table with what is here, and posts jobs for what differs; nothing else is remembered of
// worlds, but for which a job is at work, and which this node could not bring back. So a look that fails, or a node
// that was stopped for a while, needs no repair: the next look sees what is to be done.
//
// A world moves in steps: it is saved and stands still (SAVING), what is queued of it is stored (RELEASING), the table
// names its new owner (GIVING), the new owner has it ready (GIVEN); then its clients are told. Worlds move one after
// the other, so that each stands still for a moment only.
#include "host/worlds/node.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "base/version.h"
#include "host/run/jobs.h"
#include "sim/archive.h"
#include "sim/sim.h"

#define TAKES_A_LOOK 4u         // worlds that a node brings back at the same time, so that others get some as well
#define LEAST_LOAD 20           // thousandths of a processor that a world counts, whatever was measured
#define PLACING_LEAST 30        // by so much another node must have more headroom to get a new world
#define SMOOTHING 0.3           // of the measured load, a look
#define READY_PATIENCE_MS 3000u // a new owner that takes longer gets the clients all the same
#define EXPIRY_MARGIN_MS 10
#define WANTED_MAX 64u

enum move_state { MOVE_NONE, MOVE_SAVING, MOVE_SAVED, MOVE_RELEASING, MOVE_GIVING, MOVE_GIVEN };

struct move {
    enum move_state state;
    uint64_t world, epoch, to; // `to`: a node's number
    uint64_t since_ms, retry_ms;
};

struct work {
    uint64_t world, epoch;
};

struct node {
    struct node_options options;
    struct store_nodes *nodes; // the thread's
    pthread_t thread;
    bool has_thread;
    int wake; // an eventfd

    // The thread's alone.
    struct store_nodes_view seen;
    double load; // thousandths of a processor, smoothed
    bool failing;
    uint64_t steady_ms; // since when the lease was renewed without a gap, by CLOCK_BOOTTIME
    uint64_t renewed_ms;
    bool was_draining, told_full;

    pthread_mutex_t mutex; // guards all below
    pthread_cond_t looked;
    bool stopping, settled, replaced;
    uint64_t number;
    struct store_nodes_view view;
    struct work busy[STORE_WORLDS_MAX]; // that a job has to do with
    uint32_t busy_count;
    struct work refused[STORE_WORLDS_MAX]; // that could not be brought back here
    uint32_t refused_count;
    struct move move;
    uint64_t wanted[WANTED_MAX]; // new worlds that another node may have
    uint32_t wanted_count;
    struct { // a node.drain that the thread answers
        bool asked, draining;
        char url[STORE_URL_MAX + 1];
        uint64_t connection_id;
        struct proto_id id;
    } drain;
};

enum node_task { NODE_OPEN, NODE_DEPART, NODE_SAVE, NODE_RELEASE };

struct node_job {
    struct thread_job job;
    struct node *node;
    enum node_task task;
    uint32_t count;
    struct work work[TAKES_A_LOOK];
    char url[NODE_WORLD_URL_MAX]; // DEPART: of the world; "" while no node has it
};

static uint64_t boot_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now); // counts while the machine sleeps, as the database does
    return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void node_wake(struct node *node) {
    const uint64_t one = 1;
    if (node != NULL && write(node->wake, &one, sizeof one) < 0) {
        log_debug("node", "it was woken already");
    }
}

// ---- lists, under the mutex --------------------------------------------------------------------------------------

static bool has(const struct work *list, uint32_t count, uint64_t world) {
    for (uint32_t at = 0; at < count; at++) {
        if (list[at].world == world) {
            return true;
        }
    }
    return false;
}

static void forget(struct work *list, uint32_t *count, uint64_t world) {
    for (uint32_t at = 0; at < *count; at++) {
        if (list[at].world == world) {
            list[at] = list[--*count];
            return;
        }
    }
}

static bool is_busy(struct node *node, uint64_t world) {
    pthread_mutex_lock(&node->mutex);
    const bool moves = node->move.state != MOVE_NONE && node->move.world == world;
    const bool busy = moves || has(node->busy, node->busy_count, world);
    pthread_mutex_unlock(&node->mutex);
    return busy;
}

static bool is_refused(struct node *node, uint64_t world) {
    pthread_mutex_lock(&node->mutex);
    const bool refused = has(node->refused, node->refused_count, world);
    pthread_mutex_unlock(&node->mutex);
    return refused;
}

static void refuse(struct node *node, const struct work *work) {
    pthread_mutex_lock(&node->mutex);
    if (!has(node->refused, node->refused_count, work->world) && node->refused_count < STORE_WORLDS_MAX) {
        node->refused[node->refused_count++] = *work;
    }
    pthread_mutex_unlock(&node->mutex);
}

// ---- on the job thread -------------------------------------------------------------------------------------------

static const struct store_world *find_kept(const struct store_world *kept, uint32_t count, uint64_t world) {
    for (uint32_t at = 0; at < count; at++) {
        if (kept[at].world == world) {
            return &kept[at];
        }
    }
    return NULL;
}

// The log is read after the table has named this node: what the former owner has committed is in it, and nothing
// follows.
static enum result open_one(struct node *node, const struct work *work, const struct store_world *kept,
                            struct fault *fault) {
    struct store *store = store_hub_store(node->options.hub);
    if (store_world_epoch(store, work->world) == work->epoch) {
        return RESULT_OK; // it was made here
    }
    worlds_depart(node->options.worlds, work->world, ""); // this node had it by an older epoch
    if (worlds_is_ending(node->options.worlds, work->world)) {
        return fault_set(fault, RESULT_BUSY, "", "it has not ended here yet");
    }
    store_world_forget(store, work->world);
    enum result result = store_world_adopt(store, work->world, work->epoch, fault);
    if (result == RESULT_OK && kept->timeline == 0 && !kept->damaged) {
        return store_world_remove(store, work->world, fault); // it was not made yet, and no client got a reply
    }
    if (result == RESULT_OK) {
        result = worlds_bring_back(node->options.worlds, kept, fault);
    }
    if (result != RESULT_OK) {
        store_world_forget(store, work->world);
    }
    return result;
}

static void open_worlds(struct node *node, const struct node_job *job) {
    struct store_world *kept = NULL;
    uint32_t count = 0;
    struct fault fault = {.message = ""};
    struct store *store = store_hub_store(node->options.hub);
    if (store_world_list(store, &kept, &count, &fault) != RESULT_OK) {
        log_warn("node", "worlds wait to be brought back: %s", fault.message);
        return; // the next look tries it again
    }
    for (uint32_t at = 0; at < job->count; at++) {
        const struct work *work = &job->work[at];
        const struct store_world *world = find_kept(kept, count, work->world);
        const enum result result = world != NULL ? open_one(node, work, world, &fault) : RESULT_OK;
        if (result == RESULT_IO || result == RESULT_BUSY || result == RESULT_MEMORY) {
            log_warn("node", "%s waits to be brought back: %s", world->name, fault.message);
        } else if (result != RESULT_OK) {
            store_hub_set_aside(node->options.hub, work->world, world->name, &fault);
            refuse(node, work);
        } else if (world != NULL) {
            log_info("node", "%s: this node has it, by epoch %llu", world->name, (unsigned long long)work->epoch);
        }
    }
    store_worlds_free(kept, count);
}

static void set_move(struct node *node, uint64_t world, enum move_state state) {
    pthread_mutex_lock(&node->mutex);
    if (node->move.world == world && node->move.state != MOVE_NONE) {
        node->move.state = state;
        node->move.since_ms = boot_ms();
    }
    pthread_mutex_unlock(&node->mutex);
}

static void release_world(struct node *node, uint64_t world) {
    struct fault fault;
    const enum result result = store_world_release(store_hub_store(node->options.hub), world, &fault);
    if (result == RESULT_OK || result == RESULT_NOT_FOUND) {
        set_move(node, world, MOVE_GIVING);
        return;
    }
    log_warn("node", "a world cannot be given away yet: %s", fault.message);
    pthread_mutex_lock(&node->mutex);
    node->move.state = MOVE_SAVED;
    node->move.retry_ms = boot_ms() + NODE_RENEW_MS;
    pthread_mutex_unlock(&node->mutex);
}

static void run_job(struct thread_job *base) {
    struct node_job *job = (struct node_job *)base;
    struct node *node = job->node;
    const uint64_t world = job->work[0].world;
    switch (job->task) {
    case NODE_OPEN:
        open_worlds(node, job);
        break;
    case NODE_DEPART:
        store_world_forget(store_hub_store(node->options.hub), world);
        worlds_depart(node->options.worlds, world, job->url);
        break;
    case NODE_SAVE:
        if (!worlds_save(node->options.worlds, world)) {
            set_move(node, world, MOVE_NONE); // it was removed
        }
        break;
    case NODE_RELEASE:
        release_world(node, world);
        break;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < job->count; at++) {
        forget(node->busy, &node->busy_count, job->work[at].world);
    }
    pthread_mutex_unlock(&node->mutex);
    free(job);
    node_wake(node);
}

static void write_url(char url[NODE_WORLD_URL_MAX], const char *node_url, const char *scheme, const char *name) {
    url[0] = '\0';
    if (node_url[0] == '\0') {
        return; // no node has it
    }
    const bool encrypted = strncmp(node_url, "https://", 8) == 0;
    snprintf(url, NODE_WORLD_URL_MAX, "%s%s://%s/worlds/%s", scheme, encrypted ? "s" : "",
             node_url + (encrypted ? 8 : 7), name);
}

// ---- what is to be done, on the node's thread --------------------------------------------------------------------

static bool post(struct node *node, enum node_task task, const struct work *work, uint32_t count, const char *url) {
    struct node_job *job = calloc(1, sizeof *job);
    if (job == NULL) {
        return false;
    }
    job->job.run = run_job;
    job->node = node;
    job->task = task;
    job->count = count;
    memcpy(job->work, work, count * sizeof *work);
    snprintf(job->url, sizeof job->url, "%s", url);
    pthread_mutex_lock(&node->mutex);
    bool posted = node->busy_count + count <= STORE_WORLDS_MAX;
    for (uint32_t at = 0; at < count && posted; at++) {
        node->busy[node->busy_count++] = work[at];
    }
    pthread_mutex_unlock(&node->mutex);
    if (posted && job_thread_post(node->options.job_thread, &job->job) != RESULT_OK) {
        pthread_mutex_lock(&node->mutex);
        for (uint32_t at = 0; at < count; at++) {
            forget(node->busy, &node->busy_count, work[at].world);
        }
        pthread_mutex_unlock(&node->mutex);
        posted = false;
    }
    if (!posted) {
        free(job); // the next look tries it again
    }
    return posted;
}

static const struct store_node_row *find_node(const struct store_nodes_view *view, uint64_t number) {
    for (uint32_t at = 0; at < view->node_count; at++) {
        if (view->nodes[at].node == number) {
            return &view->nodes[at];
        }
    }
    return NULL;
}

static bool is_alive(const struct store_node_row *row) {
    return row != NULL && row->lease_ms > 0;
}

// The node that can have one more world, with most headroom; NULL: there is none.
static struct store_node_row *find_target(struct node *node) {
    struct store_node_row *best = NULL;
    for (uint32_t at = 0; at < node->seen.node_count; at++) {
        struct store_node_row *row = &node->seen.nodes[at];
        if (row->node != node->number && is_alive(row) && !row->draining && row->physics == SIM_PHYSICS_VERSION &&
            row->load.worlds < CONFIG_WORLDS_MAX && (best == NULL || row->load.headroom > best->load.headroom)) {
            best = row;
        }
    }
    return best;
}

// It would go on differently here.
static void refuse_physics(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    (void)fault_set(
        &fault, RESULT_INVALID, "",
        "physics version %u computed it, and this node has version %u: nodes that share a database are of one "
        "version",
        row->physics, SIM_PHYSICS_VERSION);
    store_hub_set_aside(node->options.hub, row->world, row->name, &fault);
    refuse(node, &(struct work){row->world, row->epoch});
}

// Whether this node may take a world that is not its own. One that nobody owns it takes at once; a lease that ran out
// counts only if this node has had its own for a while: when the database was away, others may come back to it later.
static bool may_take(struct node *node, const struct store_owner_row *row) {
    const struct store_node_row *owner = find_node(&node->seen, row->node);
    const struct store_node_row *own = find_node(&node->seen, node->number);
    if (is_alive(owner) || !is_alive(own) || is_refused(node, row->world)) {
        return false;
    }
    if (own->draining && find_target(node) != NULL) {
        return false; // others take it
    }
    if (owner != NULL && node->renewed_ms - node->steady_ms < NODE_GRACE_MS) {
        return false;
    }
    if (row->physics != 0 && row->physics != SIM_PHYSICS_VERSION) {
        refuse_physics(node, row);
        return false;
    }
    return true;
}

static void take_worlds(struct node *node, const struct store_owner_row *const *free_worlds, uint32_t count,
                        struct work *work, uint32_t *taken) {
    struct fault fault;
    const uint32_t first = count > 0 ? (uint32_t)(node->number * 7u % count) : 0; // nodes begin at different ones
    for (uint32_t at = 0; at < count && *taken < TAKES_A_LOOK; at++) {
        const struct store_owner_row *row = free_worlds[(first + at) % count];
        uint64_t epoch = 0;
        const enum result result = store_nodes_take(node->nodes, row->world, row->epoch, &epoch, &fault);
        if (result == RESULT_OK) {
            work[(*taken)++] = (struct work){row->world, epoch};
            log_info("node", "%s: taken %s%s", row->name, row->url[0] != '\0' ? "from " : "", row->url);
        } else if (result == RESULT_IO) {
            return;
        }
    }
}

// What fails in these two is tried at the next look.
static void tell_ready(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    if (store_nodes_ready(node->nodes, row->world, row->epoch, &fault) != RESULT_OK) {
        log_debug("node", "%s: %s", row->name, fault.message);
    }
}

static void give_up(struct node *node, const struct store_owner_row *row) {
    struct fault fault;
    if (store_nodes_give(node->nodes, row->world, row->epoch, 0, &fault) != RESULT_OK) {
        log_debug("node", "%s: %s", row->name, fault.message);
    }
}

// Brings back what is this node's and not here, and takes what is nobody's. Returns whether more may be left to take.
static bool gather(struct node *node) {
    static const struct store_owner_row *free_worlds[STORE_WORLDS_MAX]; // of the thread, of which there is one
    struct store *store = store_hub_store(node->options.hub);
    struct work work[TAKES_A_LOOK];
    uint32_t count = 0, free_count = 0, opening = 0;
    pthread_mutex_lock(&node->mutex);
    opening = node->busy_count;
    pthread_mutex_unlock(&node->mutex);
    uint32_t here = worlds_count(node->options.worlds) + opening;
    for (uint32_t at = 0; at < node->seen.world_count; at++) {
        struct store_owner_row *row = &node->seen.worlds[at];
        const uint64_t epoch = store_world_epoch(store, row->world);
        if (is_busy(node, row->world)) {
            continue;
        }
        if (row->node == node->number && epoch == row->epoch) {
            if (!row->ready && worlds_has(node->options.worlds, row->world)) {
                tell_ready(node, row);
            }
        } else if (row->node == node->number && is_refused(node, row->world)) {
            give_up(node, row);
        } else if (row->node == node->number) {
            if (count < TAKES_A_LOOK) {
                work[count++] = (struct work){row->world, row->epoch};
            }
        } else if (epoch != 0 && epoch < row->epoch) {
            char url[NODE_WORLD_URL_MAX];
            write_url(url, row->url, "ws", row->name);
            (void)post(node, NODE_DEPART, &(struct work){row->world, row->epoch}, 1, url);
        } else if (epoch == 0 && may_take(node, row)) {
            free_worlds[free_count++] = row;
        }
        if (row->node != node->number && row->ready && is_alive(find_node(&node->seen, row->node))) {
            store_hub_forget_aside(node->options.hub, row->world);
        }
    }
    const bool room = here < node->options.config->max_worlds;
    if (!room && free_count > 0 && !node->told_full) {
        log_warn("node", "%u worlds have no node, and this one has as many as --max-worlds allows", free_count);
    }
    node->told_full = !room && free_count > 0;
    if (room && opening == 0) {
        take_worlds(node, free_worlds, free_count, work, &count);
    }
    if (count > 0) {
        (void)post(node, NODE_OPEN, work, count, "");
    }
    return count > 0;
}

// ---- giving worlds away ------------------------------------------------------------------------------------------

struct choice {
    struct node *node;
    uint64_t world;
};

static void choose(void *context, const struct world *world) {
    struct choice *choice = context;
    if (world->number != 0 && choice->world == 0) {
        choice->world = world->number;
    }
}

// The next world to give away and its target; 0: none.
static uint64_t next_to_move(struct node *node, struct store_node_row **target) {
    const struct store_node_row *own = find_node(&node->seen, node->number);
    struct choice choice = {.node = node};
    *target = find_target(node);
    pthread_mutex_lock(&node->mutex);
    if (node->wanted_count > 0) {
        choice.world = node->wanted[--node->wanted_count];
    }
    pthread_mutex_unlock(&node->mutex);
    if (choice.world != 0 && own != NULL && *target != NULL &&
        (*target)->load.headroom >= own->load.headroom + PLACING_LEAST) {
        return choice.world;
    }
    if (own == NULL || !own->draining) {
        node->was_draining = false;
        return 0;
    }
    choice.world = 0;
    worlds_for_each(node->options.worlds, choose, &choice);
    if (!node->was_draining) {
        log_info("node", "draining: worlds go to other nodes%s", *target != NULL ? "" : ", once there is one");
    }
    node->was_draining = true;
    return *target != NULL ? choice.world : 0;
}

static void begin_move(struct node *node) {
    struct store_node_row *target = NULL;
    const uint64_t world = next_to_move(node, &target);
    if (world == 0 || is_busy(node, world)) {
        return;
    }
    const uint64_t epoch = store_world_epoch(store_hub_store(node->options.hub), world);
    if (epoch == 0) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    node->move =
        (struct move){.state = MOVE_SAVING, .world = world, .epoch = epoch, .to = target->node, .since_ms = boot_ms()};
    pthread_mutex_unlock(&node->mutex);
    target->load.headroom -= LEAST_LOAD;
    if (!post(node, NODE_SAVE, &(struct work){world, epoch}, 1, "")) {
        set_move(node, world, MOVE_NONE);
    }
}

// The table names the new owner. If that one has lost its lease meanwhile, nobody is the owner, and whoever can takes
// it.
static void give(struct node *node, const struct move *move) {
    struct fault fault;
    const bool there = is_alive(find_node(&node->seen, move->to));
    const enum result result = store_nodes_give(node->nodes, move->world, move->epoch, there ? move->to : 0, &fault);
    if (result == RESULT_OK || result == RESULT_STATE) { // STATE: another has it already
        set_move(node, move->world, MOVE_GIVEN);
    } else {
        log_warn("node", "a world cannot be given away yet: %s", fault.message);
    }
}

static void finish_move(struct node *node, const struct move *move) {
    const struct store_owner_row *row = NULL;
    for (uint32_t at = 0; at < node->seen.world_count && row == NULL; at++) {
        row = node->seen.worlds[at].world == move->world ? &node->seen.worlds[at] : NULL;
    }
    const bool taken = row == NULL || (row->epoch > move->epoch && (row->ready || row->node != move->to));
    if (!taken && boot_ms() < move->since_ms + READY_PATIENCE_MS) {
        return;
    }
    char url[NODE_WORLD_URL_MAX] = "";
    if (row != NULL && row->epoch > move->epoch) {
        write_url(url, row->url, "ws", row->name);
    }
    if (post(node, NODE_DEPART, &(struct work){move->world, move->epoch}, 1, url)) {
        pthread_mutex_lock(&node->mutex);
        node->move = (struct move){0};
        pthread_mutex_unlock(&node->mutex);
    }
}

static void advance_move(struct node *node) {
    pthread_mutex_lock(&node->mutex);
    const struct move move = node->move;
    pthread_mutex_unlock(&node->mutex);
    switch (move.state) {
    case MOVE_NONE:
        begin_move(node);
        break;
    case MOVE_SAVING: // its worker is at it, unless it was removed
        if (!worlds_has(node->options.worlds, move.world)) {
            set_move(node, move.world, MOVE_NONE);
        }
        break;
    case MOVE_RELEASING:
        break; // the job thread is at it
    case MOVE_SAVED:
        if (boot_ms() >= move.retry_ms) {
            set_move(node, move.world, MOVE_RELEASING);
            if (!post(node, NODE_RELEASE, &(struct work){move.world, move.epoch}, 1, "")) {
                set_move(node, move.world, MOVE_SAVED);
            }
        }
        break;
    case MOVE_GIVING:
        give(node, &move);
        break;
    case MOVE_GIVEN:
        finish_move(node, &move);
        break;
    }
}

void node_note_saved(struct node *node, uint64_t world) {
    set_move(node, world, MOVE_SAVED);
    node_wake(node);
}

void node_place(struct node *node, uint64_t world) {
    if (node == NULL || world == 0) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    if (node->wanted_count < WANTED_MAX) {
        node->wanted[node->wanted_count++] = world;
    }
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
}

// ---- the thread --------------------------------------------------------------------------------------------------

struct measured {
    double load;
    uint32_t worlds, clients;
};

static void measure(void *context, const struct world *world) {
    struct measured *measured = context;
    const double hz = world->period_ns > 0 ? 1e9 / (double)world->period_ns : 0;
    const double load =
        atomic_load(&world->metrics.running) ? (double)atomic_load(&world->metrics.tick_us) * hz / 1e3 : 0.0;
    measured->load += load > LEAST_LOAD ? load : LEAST_LOAD;
    measured->worlds += world->number != 0 ? 1 : 0; // a temporary one stays
    measured->clients += atomic_load(&world->metrics.clients);
}

static struct store_node_load measure_load(struct node *node) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct measured measured = {0};
    worlds_for_each(node->options.worlds, measure, &measured);
    node->load +=
        node->load == 0 || measured.worlds == 0 ? measured.load - node->load : SMOOTHING * (measured.load - node->load);
    return (struct store_node_load){
        .headroom = (int64_t)(1000.0 * (double)(cores > 0 ? cores : 1) - node->load),
        .worlds = measured.worlds,
        .clients = measured.clients,
    };
}

static void note_failure(struct node *node, const struct fault *fault) {
    if (!node->failing) {
        log_error("node", "the lease cannot be renewed: %s; worlds run on, and after %u s changes are refused",
                  fault->message, STORE_LEASE_MS / 1000u);
    }
    node->failing = true;
    store_hub_set_lease(node->options.hub, node->renewed_ms + STORE_LEASE_MS, false);
}

static void note_success(struct node *node, uint64_t began_ms) {
    const bool gap = node->failing || began_ms - node->renewed_ms > STORE_LEASE_MS;
    if (gap && node->renewed_ms != 0) {
        log_info("node", "the lease is renewed again");
    }
    node->steady_ms = gap ? began_ms : node->steady_ms;
    node->renewed_ms = began_ms;
    node->failing = false;
}

// Answers node.drain. `fault` is why the database does not answer; NULL: it does.
static void answer_drain(struct node *node, const struct fault *failed) {
    char url[STORE_URL_MAX + 1];
    struct fault fault = {.message = ""};
    struct json_writer value;
    pthread_mutex_lock(&node->mutex);
    const bool asked = node->drain.asked, draining = node->drain.draining;
    const uint64_t connection_id = node->drain.connection_id;
    const struct proto_id id = node->drain.id;
    memcpy(url, node->drain.url, sizeof url);
    node->drain.asked = false;
    pthread_mutex_unlock(&node->mutex);
    if (!asked) {
        return;
    }
    const enum result result = failed == NULL ? store_nodes_drain(node->nodes, url, draining, &fault)
                                              : fault_set(&fault, RESULT_IO, "", "%s", failed->message);
    json_writer_init(&value);
    json_writer_open_object(&value);
    json_writer_close_object(&value);
    jobs_answer(node->options.net, connection_id, &id, result == RESULT_OK ? &value : NULL, &fault);
    json_writer_free(&value);
}

static void look(struct node *node) {
    struct fault fault = {.message = ""};
    const uint64_t began_ms = boot_ms();
    const struct store_node_load load = measure_load(node);
    const enum result result = store_nodes_renew(node->nodes, &load, &node->seen, &fault);
    if (result == RESULT_STATE) {
        log_error("node", "%s: this server ends", fault.message);
        store_hub_set_lease(node->options.hub, 0, false);
        pthread_mutex_lock(&node->mutex);
        node->replaced = true;
        pthread_mutex_unlock(&node->mutex);
        node->options.replaced(node->options.user);
        return;
    }
    if (result != RESULT_OK) {
        note_failure(node, &fault);
        answer_drain(node, &fault);
        return;
    }
    note_success(node, began_ms);
    pthread_mutex_lock(&node->mutex);
    node->view = node->seen;
    pthread_mutex_unlock(&node->mutex);
    answer_drain(node, NULL);
    const bool more = gather(node);
    store_hub_set_lease(node->options.hub, began_ms + STORE_LEASE_MS, true); // after what was lost has been noticed
    advance_move(node);
    pthread_mutex_lock(&node->mutex);
    node->settled = node->settled || (!more && node->busy_count == 0);
    pthread_cond_broadcast(&node->looked);
    pthread_mutex_unlock(&node->mutex);
}

// Until the lease has to be renewed, or that of another node runs out.
static uint32_t time_to_wait(const struct node *node) {
    const uint64_t due_ms = node->renewed_ms + NODE_RENEW_MS, now_ms = boot_ms();
    int64_t wait_ms = node->failing ? (int64_t)NODE_RENEW_MS / 2 : due_ms > now_ms ? (int64_t)(due_ms - now_ms) : 0;
    for (uint32_t at = 0; at < node->seen.node_count && !node->failing; at++) {
        const struct store_node_row *row = &node->seen.nodes[at];
        const int64_t left_ms = row->lease_ms + EXPIRY_MARGIN_MS - (int64_t)(now_ms - node->renewed_ms);
        if (row->node != node->number && row->lease_ms > 0 && row->load.worlds > 0 && left_ms < wait_ms) {
            wait_ms = left_ms > 1 ? left_ms : 1;
        }
    }
    return (uint32_t)wait_ms;
}

static void *thread_main(void *context) {
    struct node *node = context;
    for (;;) {
        pthread_mutex_lock(&node->mutex);
        const bool ends = node->stopping || node->replaced;
        pthread_mutex_unlock(&node->mutex);
        if (ends) {
            return NULL;
        }
        look(node);
        uint64_t woken = 0;
        store_nodes_wait(node->nodes, node->wake, time_to_wait(node));
        if (read(node->wake, &woken, sizeof woken) < 0 && errno != EAGAIN) {
            log_debug("node", "it cannot be woken: %s", strerror(errno));
        }
    }
}

// ---- life --------------------------------------------------------------------------------------------------------

static void release(struct node *node) {
    if (node->wake >= 0) {
        close(node->wake);
    }
    pthread_cond_destroy(&node->looked);
    pthread_mutex_destroy(&node->mutex);
    free(node);
}

static enum result join(struct node *node, struct fault *fault) {
    char number[STORE_NODE_MAX + 1];
    const struct config *config = node->options.config;
    const struct store_node_options options = {
        .address = config->store, .url = config->node_url, .physics = SIM_PHYSICS_VERSION, .version = WEFT_VERSION};
    const enum result result = store_nodes_join(&options, &node->nodes, fault);
    if (result != RESULT_OK) {
        return result;
    }
    node->number = store_nodes_number(node->nodes);
    node->steady_ms = node->renewed_ms = boot_ms();
    store_hub_set_lease(node->options.hub, node->renewed_ms + STORE_LEASE_MS, true);
    snprintf(number, sizeof number, "%llu", (unsigned long long)node->number);
    store_join(store_hub_store(node->options.hub), number, config->node_url);
    log_info("node", "%s is node %s", config->node_url, number);
    return RESULT_OK;
}

static bool knows(struct node *node, const char *name) {
    char url[NODE_WORLD_URL_MAX];
    return node_locate(node, name, "http", url) != NODE_UNKNOWN;
}

enum result node_create(const struct node_options *options, struct node **out, struct fault *fault) {
    struct node *node = calloc(1, sizeof *node);
    if (node == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    node->options = *options;
    pthread_mutex_init(&node->mutex, NULL);
    pthread_cond_init(&node->looked, NULL);
    node->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    enum result result =
        node->wake >= 0 ? join(node, fault) : fault_set(fault, RESULT_IO, "", "no eventfd: %s", strerror(errno));
    if (result != RESULT_OK) {
        release(node);
        return result;
    }
    const struct worlds_node calls = {.node = node,
                                      .wake = node_wake,
                                      .place = node_place,
                                      .knows = knows,
                                      .has_others = node_has_others,
                                      .describe_urls = node_describe_urls,
                                      .wait = node_wait_until_settled};
    worlds_set_node(options->worlds, &calls);
    node->has_thread = pthread_create(&node->thread, NULL, thread_main, node) == 0;
    if (!node->has_thread) {
        node_destroy(node);
        return fault_set(fault, RESULT_MEMORY, "", "no thread can be made for the node");
    }
    *out = node;
    return RESULT_OK;
}

void node_stop(struct node *node) {
    if (node == NULL || !node->has_thread) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    node->stopping = true;
    pthread_cond_broadcast(&node->looked);
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
    pthread_join(node->thread, NULL);
    node->has_thread = false;
}

void node_destroy(struct node *node) {
    if (node != NULL) {
        node_stop(node);
        store_nodes_leave(node->nodes);
        release(node);
    }
}

void node_wait_until_settled(struct node *node) {
    pthread_mutex_lock(&node->mutex);
    while (!node->settled && !node->replaced && !node->stopping) {
        pthread_cond_wait(&node->looked, &node->mutex);
    }
    pthread_mutex_unlock(&node->mutex);
}

// ---- what others ask ---------------------------------------------------------------------------------------------

static const struct store_owner_row *find_owner(const struct store_nodes_view *view, const char *name) {
    for (uint32_t at = 0; at < view->world_count; at++) {
        if (strcmp(view->worlds[at].name, name) == 0) {
            return &view->worlds[at];
        }
    }
    return NULL;
}

enum node_place node_locate(struct node *node, const char *name, const char *scheme, char url[NODE_WORLD_URL_MAX]) {
    enum node_place place = NODE_UNKNOWN;
    url[0] = '\0';
    if (node == NULL) {
        return place;
    }
    pthread_mutex_lock(&node->mutex);
    const struct store_owner_row *row = find_owner(&node->view, name != NULL ? name : "main");
    row = row == NULL && name == NULL && node->view.world_count > 0 ? &node->view.worlds[0] : row;
    if (row != NULL) {
        const struct store_node_row *owner = find_node(&node->view, row->node);
        const bool there = row->node != node->number && row->ready && is_alive(owner);
        place = there ? NODE_ELSEWHERE : NODE_COMING;
        if (there) {
            write_url(url, row->url, scheme, row->name);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    return place;
}

bool node_has_others(struct node *node) {
    bool others = false;
    if (node == NULL) {
        return false;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.world_count; at++) {
        others = others || node->view.worlds[at].node != node->number;
    }
    pthread_mutex_unlock(&node->mutex);
    return others;
}

void node_write_sources(struct node *node, char *out, size_t size) {
    size_t length = 0;
    if (node == NULL) {
        return;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        char source[2 * STORE_URL_MAX + 8];
        const char *url = node->view.nodes[at].url;
        const int written = snprintf(source, sizeof source, " %s ws%s", url, url + 4); // http is ws, https is wss
        if (written > 0 && length + (size_t)written < size) {
            memcpy(out + length, source, (size_t)written + 1);
            length += (size_t)written;
        }
    }
    pthread_mutex_unlock(&node->mutex);
}

bool node_knows_origin(struct node *node, const char *origin) {
    bool known = false;
    if (node == NULL) {
        return false;
    }
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        known = known || strcmp(node->view.nodes[at].url, origin) == 0;
    }
    pthread_mutex_unlock(&node->mutex);
    return known;
}

void node_describe_urls(struct node *node, struct json_writer *out) {
    if (node == NULL) {
        return;
    }
    json_writer_key(out, "nodes");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        if (is_alive(&node->view.nodes[at])) {
            json_writer_string(out, node->view.nodes[at].url);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}

void node_describe_elsewhere(struct node *node, struct json_writer *out) {
    if (!node_has_others(node)) {
        return;
    }
    json_writer_key(out, "elsewhere");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.world_count; at++) {
        const struct store_owner_row *row = &node->view.worlds[at];
        if (row->node != node->number) {
            char url[NODE_WORLD_URL_MAX];
            json_writer_open_object(out);
            json_writer_member_string(out, "name", row->name);
            if (row->url[0] != '\0') {
                write_url(url, row->url, "ws", row->name);
                json_writer_member_string(out, "url", url);
            }
            json_writer_close_object(out);
        }
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}

static void describe_node(const struct node *node, const struct store_node_row *row, struct json_writer *out) {
    json_writer_open_object(out);
    json_writer_member_string(out, "url", row->url);
    json_writer_member_boolean(out, "own", row->node == node->number);
    json_writer_member_boolean(out, "alive", is_alive(row));
    json_writer_member_boolean(out, "draining", row->draining);
    json_writer_member_unsigned(out, "worlds", row->load.worlds);
    json_writer_member_unsigned(out, "clients", row->load.clients);
    json_writer_member_double(out, "headroom", (double)row->load.headroom / 1000.0);
    json_writer_member_string(out, "version", row->version);
    json_writer_member_unsigned(out, "physics", row->physics);
    json_writer_close_object(out);
}

void node_describe(struct node *node, struct json_writer *out) {
    json_writer_key(out, "nodes");
    json_writer_open_array(out);
    pthread_mutex_lock(&node->mutex);
    for (uint32_t at = 0; at < node->view.node_count; at++) {
        describe_node(node, &node->view.nodes[at], out);
    }
    pthread_mutex_unlock(&node->mutex);
    json_writer_close_array(out);
}

enum result node_drain(struct node *node, const char *url, bool draining, uint64_t connection_id,
                       const struct proto_id *id, struct fault *fault) {
    pthread_mutex_lock(&node->mutex);
    const bool busy = node->drain.asked;
    if (!busy) {
        snprintf(node->drain.url, sizeof node->drain.url, "%s", url != NULL ? url : node->options.config->node_url);
        node->drain.draining = draining;
        node->drain.connection_id = connection_id;
        node->drain.id = *id;
        node->drain.asked = true;
    }
    pthread_mutex_unlock(&node->mutex);
    node_wake(node);
    return busy ? fault_set(fault, RESULT_BUSY, "", "another node.drain waits for the database: try again") : RESULT_OK;
}
