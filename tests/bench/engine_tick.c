// SPDX-License-Identifier: MIT
// The tick of a world of the engine, with vectors of a given width: engine_tick LANES WARM_TICKS TICKS PARAMS_OF_CLOTH
// PARAMS_OF_WORLD_SET. Prints one line of JSON: mean CPU ms of a tick, and the hash of the state at the end.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "engine/weft.h"

#define CLIENT 1

static bool submit(weft_world *world, const char *method, const char *params) {
    char json[1024];
    const int length =
        snprintf(json, sizeof json, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}", method, params);
    return length > 0 && (size_t)length < sizeof json &&
           weft_world_submit(world, CLIENT, json, (size_t)length) == WEFT_OK;
}

static void drop_outputs(weft_world *world) {
    weft_output output;
    while (weft_world_take(world, &output)) {
    }
}

int main(int argc, char **argv) {
    if (argc != 6) {
        (void)fprintf(stderr, "engine_tick LANES WARM_TICKS TICKS PARAMS_OF_CLOTH PARAMS_OF_WORLD_SET\n");
        return 2;
    }
    const uint32_t warm_ticks = (uint32_t)strtoul(argv[2], NULL, 10), ticks = (uint32_t)strtoul(argv[3], NULL, 10);
    weft_options options = weft_options_default();
    options.lanes = (uint32_t)strtoul(argv[1], NULL, 10);
    weft_world *world = NULL;
    weft_error error;
    if (weft_world_create(&options, &world, &error) != WEFT_OK ||
        weft_world_join(world, CLIENT, "bench", WEFT_ROLE_EDITOR, &error) != WEFT_OK ||
        !submit(world, "cloth.spawn", argv[4]) || !submit(world, "world.set", argv[5])) {
        (void)fprintf(stderr, "engine_tick: there is no world\n");
        return 1;
    }
    for (uint32_t tick = 0; tick < warm_ticks; tick++) {
        (void)weft_world_tick(world);
    }
    drop_outputs(world);
    const double started = cpu_s();
    for (uint32_t tick = 0; tick < ticks; tick++) {
        (void)weft_world_tick(world);
    }
    const double ms = (cpu_s() - started) * 1e3 / ticks;
    (void)printf("{\"ms\":%.4f,\"hash\":\"%016" PRIx64 "\"}\n", ms, weft_world_hash(world));
    weft_world_destroy(world);
    return 0;
}
