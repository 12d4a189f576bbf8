// SPDX-License-Identifier: MIT
// Short lives of random worlds, each from one seed: clients come, send sound and unsound commands, and go; the world
// dies and is recovered from a snapshot and the records since; another world follows it by records alone, some of which
// come twice, late, cut off or damaged. At every tick all three have the same hash.
//
// WEFT_LIVES lives are led (10,000 by default, 3,000 under a sanitizer), from WEFT_SEED on; the seed of a life that
// fails is printed, and WEFT_SEED=that WEFT_LIVES=1 leads just that life again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/weft.h"
#include "lives.h"
#include "sanitizer.h"

#ifdef IS_SANITIZED
#define LIVES 3000
#else
#define LIVES 10000
#endif
#define CLIENTS 3u
#define RECORDS_MAX 256u

// ---- a life ------------------------------------------------------------------------------------------------------

struct kept_record {
    uint8_t *bytes;
    size_t length;
    uint64_t tick; // at which it was applied: the number of the step that followed
};

struct life {
    weft_world *world, *mirror;
    bool joined[CLIENTS];
    uint32_t request;
    uint8_t *snapshot; // the last one, and what came after it
    size_t snapshot_length;
    uint64_t snapshot_tick;
    struct kept_record records[RECORDS_MAX];
    uint32_t record_count;
};

static weft_world *make(void) {
    weft_options options = weft_options_default();
    weft_world *world = NULL;
    options.max_particles = 600;
    options.max_sticks = 3000;
    options.max_objects = 40;
    options.max_obstacles = 10;
    CASE(weft_world_create(&options, &world, NULL) == WEFT_OK);
    return world;
}

static uint64_t tick_of(const struct kept_record *record) {
    uint64_t tick;
    memcpy(&tick, record->bytes + 8, sizeof tick);
    return tick;
}

// Takes the outputs: records are kept and handed to the mirror, now and then together with a damaged copy first.
static void take(struct life *life) {
    weft_output output;
    while (weft_world_take(life->world, &output)) {
        if (output.kind != WEFT_OUTPUT_RECORD) {
            CASE(output.client >= 1 && output.client <= CLIENTS);
            CASE(output.kind != WEFT_OUTPUT_TEXT || output.bytes[0] == '{');
            continue;
        }
        CASE(life->record_count < RECORDS_MAX);
        struct kept_record *record = &life->records[life->record_count++];
        *record = (struct kept_record){.bytes = malloc(output.length), .length = output.length};
        CASE(record->bytes != NULL);
        memcpy(record->bytes, output.bytes, output.length);
        record->tick = tick_of(record);
        CASE(record->tick == weft_world_tick_count(life->mirror) + 1);
        if (below(4) == 0) {
            const uint64_t before = weft_world_hash(life->mirror);
            const size_t cut = 8 * below((uint32_t)(record->length / 8));
            CASE(weft_world_record_apply(life->mirror, record->bytes, cut, NULL) != WEFT_OK);
            CASE(weft_world_hash(life->mirror) == before);
        }
        CASE(weft_world_record_apply(life->mirror, record->bytes, record->length, NULL) == WEFT_OK);
    }
}

static void submit(struct life *life, uint64_t client, const char *method, const char *params) {
    char text[1024];
    const int length = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\",\"params\":%s}",
                                ++life->request, method, params);
    CASE(weft_world_submit(life->world, client, text, (size_t)length) == WEFT_OK);
}

static void command(struct life *life, uint64_t client) {
    char params[LIVES_PARAMS_MAX];
    const char *method = lives_command(weft_world_tick_count(life->world), params);
    submit(life, client, method, params);
}

static void come_or_go(struct life *life) {
    const uint32_t client = below(CLIENTS);
    if (life->joined[client]) {
        weft_world_leave(life->world, client + 1);
    } else {
        CASE(weft_world_join(life->world, client + 1, below(2) == 0 ? "Ada" : NULL, WEFT_ROLE_EDITOR, NULL) == WEFT_OK);
    }
    life->joined[client] = !life->joined[client];
}

static void forget_records(struct life *life) {
    for (uint32_t i = 0; i < life->record_count; i++) {
        free(life->records[i].bytes);
    }
    life->record_count = 0;
}

static void keep_snapshot(struct life *life) {
    size_t length = 0;
    take(life);
    const uint8_t *bytes = weft_world_snapshot(life->world, &length);
    CASE(bytes != NULL);
    free(life->snapshot);
    life->snapshot = malloc(length);
    CASE(life->snapshot != NULL);
    memcpy(life->snapshot, bytes, length);
    life->snapshot_length = length;
    life->snapshot_tick = weft_world_tick_count(life->world);
    forget_records(life);
}

// Another world is brought to where this one is, by the snapshot and the records since.
static void recover(struct life *life) {
    weft_world *recovered = make();
    const uint64_t now = weft_world_tick_count(life->world);
    uint32_t next = 0;
    take(life);
    CASE(weft_world_restore(recovered, life->snapshot, life->snapshot_length, NULL) == WEFT_OK);
    CASE(weft_world_tick_count(recovered) == life->snapshot_tick);
    for (uint64_t tick = life->snapshot_tick + 1; tick <= now + 1; tick++) {
        for (; next < life->record_count && life->records[next].tick == tick; next++) {
            CASE(weft_world_record_apply(recovered, life->records[next].bytes, life->records[next].length, NULL) ==
                 WEFT_OK);
        }
        if (tick <= now) {
            weft_world_step(recovered);
        }
    }
    CASE(next == life->record_count);
    CASE(weft_world_hash(recovered) == weft_world_hash(life->world));
    weft_world_destroy(recovered);
}

static void tick(struct life *life) {
    const uint64_t before = weft_world_tick_count(life->world);
    const int stepped = weft_world_tick(life->world);
    const bool anew = weft_world_tick_count(life->world) < before + (uint64_t)stepped; // a reset: ticks count from 0
    CASE(weft_world_tick_count(life->world) == (anew ? 0 : before) + (uint64_t)stepped);
    take(life);
    if (stepped) {
        weft_world_step(life->mirror);
        if (life->record_count > 0 && below(6) == 0) { // a record that comes late changes nothing
            const struct kept_record *late = &life->records[below(life->record_count)];
            CASE(late->tick == weft_world_tick_count(life->mirror) + 1 || // of before a reset
                 weft_world_record_apply(life->mirror, late->bytes, late->length, NULL) == WEFT_STATE);
        }
    }
    CASE(weft_world_hash(life->mirror) == weft_world_hash(life->world));
    if (anew) {
        keep_snapshot(life);
    }
}

static void lead(uint64_t from) {
    static const char scene[] =
        "{\"title\":\"Floor\",\"commands\":[{\"method\":\"obstacle.add\",\"params\":{\"shape\":\"plane\"}}]}";
    struct life life = {0};
    lives_begin(from);
    life.world = make();
    life.mirror = make();
    if (below(2) == 0) {
        CASE(weft_world_load_scene(life.world, "floor", scene, strlen(scene), NULL) == WEFT_OK);
        weft_world_apply(life.world);
    }
    keep_snapshot(&life);
    for (uint32_t act = 0, acts = 8 + below(24); act < acts && life.record_count < RECORDS_MAX - 8; act++) {
        const uint32_t client = below(CLIENTS);
        switch (below(10)) {
        case 0:
            come_or_go(&life);
            break;
        case 1:
            if (below(3) == 0) {
                keep_snapshot(&life);
            } else {
                recover(&life);
            }
            break;
        case 2:
        case 3:
        case 4:
        case 5:
            tick(&life);
            break;
        default:
            if (life.joined[client]) {
                command(&life, client + 1);
            } else {
                life.joined[client] = true;
                CASE(weft_world_join(life.world, client + 1, NULL, WEFT_ROLE_EDITOR, NULL) == WEFT_OK);
            }
            break;
        }
    }
    tick(&life);
    recover(&life);
    forget_records(&life);
    free(life.snapshot);
    weft_world_destroy(life.world);
    weft_world_destroy(life.mirror);
}

static void ten_thousand_short_lives_agree_with_their_records(void **unused) {
    (void)unused;
    lives_lead(LIVES, lead);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_short_lives_agree_with_their_records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
