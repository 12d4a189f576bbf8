// SPDX-License-Identifier: MIT
#include "host/worlds/snapshot_post.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/job_thread.h"
#include "engine/world/lockstep.h"
#include "engine/world/word_planes.h"
#include "host/run/scheduler.h"
#include "host/world/hold.h"
#include "host/world/session.h"

#define LEVEL 6 // of zlib
#define CODING_AT 1

struct snapshot_post {
    struct thread_job job;
    struct world *world; // held
    uint64_t number;
    struct message *snapshot;
    uint32_t count;
    uint64_t clients[];
};

struct message *snapshot_compress(struct message *snapshot) {
    const unsigned char *data = message_data(snapshot);
    const size_t length = message_length(snapshot) - LOCKSTEP_HEADER;
    uLongf packed = compressBound((uLong)length);
    struct message *message = message_create(MESSAGE_BINARY, LOCKSTEP_HEADER + packed);
    unsigned char *planes = malloc(length);
    bool made = message != NULL && planes != NULL;
    if (made) {
        unsigned char *out = message_data(message);
        memcpy(out, data, LOCKSTEP_HEADER);
        out[CODING_AT] = LOCKSTEP_DEFLATED | LOCKSTEP_PLANES;
        word_planes_pack(data + LOCKSTEP_HEADER, length, planes);
        made = compress2(out + LOCKSTEP_HEADER, &packed, planes, (uLong)length, LEVEL) == Z_OK;
    }
    free(planes);
    if (!made) {
        message_release(message);
        return NULL;
    }
    message_set_length(message, LOCKSTEP_HEADER + packed);
    return message;
}

static void send_to_all(struct net_server *net, const uint64_t *clients, uint32_t count, struct message *take) {
    for (uint32_t i = 0; i < count; i++) {
        net_post_send(net, clients[i], message_retain(take));
    }
    message_release(take);
}

static void run(struct thread_job *base) {
    struct snapshot_post *job = (struct snapshot_post *)base;
    struct world *world = job->world;
    struct message *packed = snapshot_compress(job->snapshot);
    if (packed != NULL) {
        message_release(job->snapshot);
    }
    send_to_all(world->net, job->clients, job->count, packed != NULL ? packed : job->snapshot);
    atomic_store(&world->snapshots_sent, job->number); // the job thread runs its jobs in their order
    scheduler_wake(world->scheduler, world->task);
    world_let_go(world);
    free(job);
}

// Notes for each client which snapshot it was posted.
static void note_post(struct world *world, const uint64_t *clients, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        struct session *session = world_find_session(world, clients[i]);
        if (session != NULL) {
            session->snapshot = world->snapshots_posted;
        }
    }
}

void snapshot_post(struct world *world, const uint64_t *clients, uint32_t count, struct message *take) {
    struct snapshot_post *job = malloc(sizeof *job + count * sizeof *clients);
    if (job != NULL) {
        *job = (struct snapshot_post){.job = {.run = run},
                                      .world = world,
                                      .number = world->snapshots_posted + 1,
                                      .snapshot = take,
                                      .count = count};
        memcpy(job->clients, clients, count * sizeof *clients);
        world_hold(world);
        if (job_thread_post(world->job_thread, &job->job) == RESULT_OK) {
            world->snapshots_posted++;
            note_post(world, clients, count);
            return;
        }
        world_let_go(world);
        free(job);
    }
    send_to_all(world->net, clients, count, take);
}

bool snapshot_is_on_way(const struct world *world, const struct session *session) {
    return session->snapshot > atomic_load(&world->snapshots_sent);
}
