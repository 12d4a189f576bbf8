// SPDX-License-Identifier: MIT
// Prints the hashes of the scenarios, and those of the scenes on the tape given as standard input after so many ticks:
// replay "TICKS TICKS…" <TAPE
#include <inttypes.h>
#include <stdio.h>

#include "scenario.h"
#include "scene.h"

int main(int argc, char **argv) {
    struct tape tape = {.file = stdin};
    struct scene_stops stops;
    if (argc != 2 || !scene_stops_read(&stops, argv[1])) {
        fprintf(stderr, "usage: replay \"TICKS TICKS…\" <TAPE\n");
        return 2;
    }
    printf("(commands) %u %016" PRIx64 "\n", SCENARIO_TICKS, scenario_hash(SCENARIO_TICKS));
    printf("(method) %u %016" PRIx64 "\n", SCENARIO_TICKS, method_hash(SCENARIO_TICKS));
    return scene_play(&tape, &stops) ? 0 : 1;
}
