// SPDX-License-Identifier: MIT
// Runs a scene of the engine natively: engine_scene LANES TICKS EVERY < TAPE > SAMPLES. On each line of the tape stand
// the tick before which a message comes, a space, and the message (peers/weft.mjs writes it). Samples are binary: after
// every EVERY ticks x, y, z of all particles as float32, in the order of the objects. Standard error gets the mean CPU
// ms of a tick, as a line of JSON.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "engine/weft.h"

#define CLIENT 1

struct tape {
    char *line;
    size_t room;
    ssize_t length; // of the line that was read last; below 0 at the end
};

static bool read_line(struct tape *tape) {
    tape->length = getline(&tape->line, &tape->room, stdin);
    return tape->length > 0;
}

// Submits the messages that come before `tick`; the first of a later tick stays in `tape`.
static bool submit_due(weft_world *world, struct tape *tape, unsigned long tick) {
    while (tape->length > 0) {
        char *message = NULL;
        if (strtoul(tape->line, &message, 10) > tick) {
            return true;
        }
        if (weft_world_submit(world, CLIENT, message + 1, (size_t)(tape->line + tape->length - message - 1)) !=
            WEFT_OK) {
            return false;
        }
        (void)read_line(tape);
    }
    return true;
}

static bool accepts(weft_world *world) {
    weft_output output;
    bool accepted = true;
    while (weft_world_take(world, &output)) {
        if (output.kind == WEFT_OUTPUT_TEXT && memmem(output.bytes, output.length, "\"error\"", 7) != NULL) {
            (void)fprintf(stderr, "engine_scene: %.*s\n", (int)output.length, (const char *)output.bytes);
            accepted = false;
        }
    }
    return accepted;
}

static void write_sample(const weft_world *world) {
    const weft_particles view = weft_world_particles(world);
    for (uint32_t i = 0; i < view.count; i++) {
        const float place[3] = {view.x[i], view.y[i], view.z[i]};
        (void)fwrite(place, sizeof place, 1, stdout);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        (void)fprintf(stderr, "engine_scene LANES TICKS EVERY < TAPE > SAMPLES\n");
        return 2;
    }
    const unsigned long ticks = strtoul(argv[2], NULL, 10);
    const unsigned long every = strtoul(argv[3], NULL, 10);
    weft_options options = weft_options_default();
    options.lanes = (uint32_t)strtoul(argv[1], NULL, 10);
    weft_world *world = NULL;
    weft_error error;
    struct tape tape = {0};
    if (weft_world_create(&options, &world, &error) != WEFT_OK ||
        weft_world_join(world, CLIENT, "bench", WEFT_ROLE_EDITOR, &error) != WEFT_OK) {
        (void)fprintf(stderr, "engine_scene: there is no world\n");
        return 1;
    }
    bool sound = read_line(&tape);
    double spent_s = 0;
    for (unsigned long tick = 0; tick < ticks && sound; tick++) {
        const double started = cpu_s();
        sound = submit_due(world, &tape, tick);
        (void)weft_world_tick(world);
        spent_s += cpu_s() - started;
        sound = accepts(world) && sound;
        if (every > 0 && (tick + 1) % every == 0) {
            write_sample(world);
        }
    }
    (void)fprintf(stderr, "{\"ms\":%.4f}\n", spent_s * 1e3 / (double)ticks);
    free(tape.line);
    weft_world_destroy(world);
    return sound ? 0 : 1;
}
