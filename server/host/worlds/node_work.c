// SPDX-License-Identifier: MIT
// The jobs of a node, on the job thread: they bring worlds back, end worlds that left, and save worlds that move.
#include "host/worlds/node_work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/job_thread.h"
#include "base/log.h"
#include "host/worlds/node_state.h"

struct node_job {
    struct thread_job job;
    struct node *node;
    enum node_task task;
    uint32_t count;
    struct work work[NODE_TAKES_A_LOOK];
    char url[NODE_WORLD_URL_MAX]; // DEPART: new address of the world; "" while no node has it
};

uint64_t node_now_ms(void) {
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

bool node_is_busy(struct node *node, uint64_t world) {
    pthread_mutex_lock(&node->mutex);
    const bool moves = node->move.state != MOVE_NONE && node->move.world == world;
    const bool busy = moves || has(node->busy, node->busy_count, world);
    pthread_mutex_unlock(&node->mutex);
    return busy;
}

bool node_is_refused(struct node *node, uint64_t world) {
    pthread_mutex_lock(&node->mutex);
    const bool refused = has(node->refused, node->refused_count, world);
    pthread_mutex_unlock(&node->mutex);
    return refused;
}

void node_refuse(struct node *node, const struct work *work) {
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

// The log is read after the table has named this node: it has all commits of the former owner, and none follows.
static enum result open_one(struct node *node, const struct work *work, const struct store_world *kept,
                            struct fault *fault) {
    struct store *store = store_hub_store(node->options.hub);
    const uint64_t epoch = store_world_epoch(store, work->world);
    if (epoch == work->epoch) {
        return RESULT_OK; // the world was made here
    }
    if (epoch != 0) {
        worlds_depart(node->options.worlds, work->world, ""); // this node had it by an older epoch
    }
    if (worlds_is_ending(node->options.worlds, work->world)) {
        return fault_set(fault, RESULT_BUSY, "", "it has not ended here yet");
    }
    if (epoch != 0) {
        store_world_forget(store, work->world);
    }
    enum result result = store_world_adopt(store, work->world, work->epoch, fault);
    if (result == RESULT_STATE) {
        return RESULT_OK; // the world was being made here: its row precedes the note in the store
    }
    if (result == RESULT_OK && kept->timeline == 0 && !kept->damaged) {
        return store_world_remove(store, work->world, fault); // the world was incomplete, and no client got a reply
    }
    if (result == RESULT_OK) {
        result = worlds_bring_back(node->options.worlds, kept, fault);
    }
    if (result != RESULT_OK) {
        store_world_forget(store, work->world);
    }
    return result;
}

static void open_first(struct node *node, const struct node_job *job) {
    struct store_world *kept = NULL;
    uint32_t count = 0;
    struct fault fault = {.message = ""};
    struct store *store = store_hub_store(node->options.hub);
    if (store_world_list(store, &kept, &count, &fault) != RESULT_OK) {
        log_warn("node", "worlds wait to be brought back: %s", fault.message);
        return; // the next look tries it again
    }
    const struct work *work = &job->work[0];
    const struct store_world *world = find_kept(kept, count, work->world);
    const uint64_t began_ms = node_now_ms();
    const enum result result = world != NULL ? open_one(node, work, world, &fault) : RESULT_OK;
    if (result == RESULT_IO || result == RESULT_BUSY || result == RESULT_MEMORY) {
        log_warn("node", "%s waits to be brought back: %s", world->name, fault.message);
        atomic_fetch_add(&node->counts[NODE_OPEN_RETRIES], 1);
    } else if (result != RESULT_OK) {
        store_hub_set_aside(node->options.hub, work->world, world->name, &fault);
        node_refuse(node, work);
    } else if (world != NULL) {
        atomic_fetch_add(&node->counts[NODE_OPENED], 1);
        atomic_fetch_add(&node->counts[NODE_OPENING_MS], node_now_ms() - began_ms);
        log_info("node", "%s: this node has it, by epoch %llu", world->name, (unsigned long long)work->epoch);
    }
    store_worlds_free(kept, count);
}

void node_set_move(struct node *node, uint64_t world, enum move_state state) {
    pthread_mutex_lock(&node->mutex);
    if (node->move.world == world && node->move.state != MOVE_NONE) {
        node->move.state = state;
        node->move.since_ms = node_now_ms();
    }
    pthread_mutex_unlock(&node->mutex);
}

static void release_world(struct node *node, uint64_t world) {
    struct fault fault;
    const enum result result = store_world_release(store_hub_store(node->options.hub), world, &fault);
    if (result == RESULT_OK || result == RESULT_NOT_FOUND) {
        node_set_move(node, world, MOVE_GIVING);
        return;
    }
    log_warn("node", "a world cannot be given away yet: %s", fault.message);
    pthread_mutex_lock(&node->mutex);
    node->move.state = MOVE_SAVED;
    node->move.retry_ms = node_now_ms() + NODE_RENEW_MS;
    pthread_mutex_unlock(&node->mutex);
}

// Removes the first world from the job, and posts the job again for the others. So jobs that were posted meanwhile come
// first: clients of worlds that are here already wait for their earlier replies to be read. Returns whether the job
// goes on.
static bool go_on_with_others(struct node *node, struct node_job *job) {
    pthread_mutex_lock(&node->mutex);
    forget(node->busy, &node->busy_count, job->work[0].world);
    pthread_mutex_unlock(&node->mutex);
    job->count--;
    memmove(job->work, job->work + 1, job->count * sizeof job->work[0]);
    return job->count > 0 && job_thread_post(node->options.job_thread, &job->job) == RESULT_OK;
}

static void run_job(struct thread_job *base) {
    struct node_job *job = (struct node_job *)base;
    struct node *node = job->node;
    const uint64_t world = job->work[0].world;
    switch (job->task) {
    case NODE_OPEN:
        open_first(node, job);
        if (go_on_with_others(node, job)) {
            node_wake(node);
            return;
        }
        break;
    case NODE_DEPART:
        worlds_depart(node->options.worlds, world, job->url); // first: from now on the world takes no request
        store_world_forget(store_hub_store(node->options.hub), world);
        break;
    case NODE_SAVE:
        if (!worlds_save(node->options.worlds, world)) {
            node_set_move(node, world, MOVE_NONE); // the world was removed
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

bool node_post(struct node *node, enum node_task task, const struct work *work, uint32_t count, const char *url) {
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
