// SPDX-License-Identifier: MIT
// Divides work among the threads that a world may use; without any, the caller does it at once.
#include "sim/world/work.h"

void sim_world_set_workers(struct sim_world *world, const struct sim_workers *workers) {
    world->workers = workers != NULL ? *workers : (struct sim_workers){0};
    world->stick_plans_stale = true;
}

static unsigned shares_of_size(const struct sim_world *world, uint64_t size, uint32_t least) {
    const uint64_t most = world->workers.count < SIM_WORKERS_MAX ? world->workers.count : SIM_WORKERS_MAX;
    const uint64_t worthwhile = size / least;
    const uint64_t shares = worthwhile < most ? worthwhile : most;
    return shares > 1 ? (unsigned)shares : 1;
}

unsigned work_shares(const struct sim_world *world, uint64_t size) {
    return shares_of_size(world, size, WORK_SHARE_MIN);
}

unsigned work_visit_shares(const struct sim_world *world, uint64_t particles) {
    return shares_of_size(world, particles, world->sticks_divided ? WORK_SHARE_MIN : WORK_WAKE_MIN);
}

void work_run(const struct sim_world *world, unsigned shares, work_task task, void *argument) {
    if (shares > 1) {
        world->workers.run(world->workers.context, shares, task, argument);
    } else if (shares == 1) {
        task(argument, 0);
    }
}

struct round {
    struct sim_world *world;
    work_visit visit; // one of the two is set
    work_visit_piece visit_piece;
    const void *context;
    unsigned shares;
};

static void visit_all(work_task task, struct round round) {
    round.shares = work_visit_shares(round.world, round.world->state.particles);
    work_run(round.world, round.shares, task, &round);
}

static void visit_share(void *argument, unsigned share) {
    const struct round *round = argument;
    struct sim_world *world = round->world;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (work_dealt_to(world->object[i].first, round->shares) == share) {
            round->visit(world, i, round->context);
        }
    }
}

void work_objects(struct sim_world *world, work_visit visit, const void *context) {
    visit_all(visit_share, (struct round){.world = world, .visit = visit, .context = context});
}

struct slot_span work_piece(const struct object *object, unsigned share, unsigned shares) {
    const uint32_t first = object->first;
    const uint32_t end = first + object->particles;
    if (object->particles >= shares * WORK_SHARE_MIN) {
        return (struct slot_span){work_begin(first, end, share, shares), work_begin(first, end, share + 1, shares)};
    }
    return (struct slot_span){first, work_dealt_to(first, shares) == share ? end : first};
}

static void visit_pieces(void *argument, unsigned share) {
    const struct round *round = argument;
    struct sim_world *world = round->world;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct slot_span piece = work_piece(&world->object[i], share, round->shares);
        if (piece.first < piece.end) {
            round->visit_piece(world, i, piece, round->context);
        }
    }
}

void work_pieces(struct sim_world *world, work_visit_piece visit, const void *context) {
    visit_all(visit_pieces, (struct round){.world = world, .visit_piece = visit, .context = context});
}

uint32_t work_begin(uint32_t first, uint32_t end, unsigned share, unsigned shares) {
    if (share == shares) {
        return end;
    }
    const uint64_t offset = (uint64_t)(end - first) * share / shares;
    return first + (uint32_t)(offset & ~(uint64_t)15);
}
