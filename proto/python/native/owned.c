// SPDX-License-Identifier: MIT
#include "owned.h"

#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "host/run/parallel_for.h"

#define THREADS_MAX 8u

struct weft_owned {
    weft_world *world;
    struct parallel_for *helpers; // NULL: the world ticks on the calling thread
};

static weft_result refuse(weft_error *error, weft_result result, const char *pointer, const char *message) {
    error->result = result;
    snprintf(error->pointer, sizeof error->pointer, "%s", pointer);
    snprintf(error->message, sizeof error->message, "%s", message);
    return result;
}

weft_result weft_owned_create(const weft_options *options, uint32_t threads, weft_owned **owned, weft_error *error) {
    if (threads < 1 || threads > THREADS_MAX) {
        return refuse(error, WEFT_INVALID, "/threads", "threads must be 1 to 8");
    }
    weft_options with = *options;
    struct weft_owned *made = calloc(1, sizeof *made);
    if (made == NULL || (threads > 1 && parallel_for_create(threads, &made->helpers) != RESULT_OK)) {
        free(made);
        return refuse(error, WEFT_MEMORY, "", "out of memory or threads");
    }
    if (threads > 1) {
        with.parallel_for = parallel_for_run;
        with.parallel_context = made->helpers;
        with.threads = threads;
    }
    const weft_result result = weft_world_create(&with, &made->world, error);
    if (result != WEFT_OK) {
        weft_owned_destroy(made);
        return result;
    }
    *owned = made;
    return WEFT_OK;
}

void weft_owned_destroy(weft_owned *owned) {
    if (owned == NULL) {
        return;
    }
    weft_world_destroy(owned->world);
    parallel_for_destroy(owned->helpers);
    free(owned);
}

weft_world *weft_owned_world(weft_owned *owned) {
    return owned->world;
}

uint32_t weft_owned_step(weft_world *world, uint32_t ticks, double seconds) {
    const double end = clock_seconds() + seconds;
    const int running = weft_world_running(world);
    uint32_t done = 0;
    weft_world_set_running(world, 1);
    while (done < ticks && (done == 0 || clock_seconds() < end)) {
        weft_world_tick(world);
        done++;
    }
    weft_world_set_running(world, running);
    return done;
}

int weft_owned_find(const weft_world *world, uint32_t id, weft_object *object) {
    uint32_t low = 0, high = weft_world_object_count(world);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        *object = weft_world_object_at(world, middle);
        if (object->id == id) {
            return 1;
        }
        *(object->id < id ? &low : &high) = object->id < id ? middle + 1 : middle;
    }
    return 0;
}
