// SPDX-License-Identifier: MIT
#include "tools/command/command_replay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/history/capsule.h"
#include "tools/command/command_io.h"

static void write_report(const char *path, const struct capsule_report *report) {
    (void)printf("%s: world \"%s\" of Weft %s, %g ticks a second, ticks %" PRIu64 " to %" PRIu64 ", %" PRIu32
                 " commands, %" PRIu32 " hashes\n",
                 path, report->world, report->version, report->tick_hz, report->first_tick, report->last_tick,
                 report->commands, report->hashes);
    (void)printf("%s: made with physics version %" PRIu32, path, report->physics);
    if (report->newest_physics != report->physics) {
        (void)printf(" to %" PRIu32, report->newest_physics);
    }
    (void)printf("; this is version %" PRIu32 "\n", report->present_physics);
}

// An older physics version made the capsule, so its hashes say nothing about this replay.
static enum exit_status tell_older(const char *path, const struct capsule_report *report) {
    (void)printf("replayed up to tick %" PRIu64 ", where the hash is now %016" PRIx64 "; %" PRIu32
                 " commands were skipped, because they are refused now\n",
                 report->last_tick, report->hash, report->left_out);
    (void)command_flush();
    return command_fail(EXIT_MISSED,
                        "%s: not verified: it was made with physics version %" PRIu32 ", and version %" PRIu32
                        " computes "
                        "other results; %" PRIu32 " hashes were not compared",
                        path, report->physics, report->present_physics, report->unchecked);
}

static enum exit_status verify(const char *path, const char *bytes, size_t size) {
    struct capsule_report report;
    struct fault fault;
    const enum result result = capsule_replay(bytes, size, &report, &fault);
    if (report.commands + report.hashes > 0 || result == RESULT_OK) {
        write_report(path, &report);
    }
    if (result == RESULT_OK && report.physics < report.present_physics) {
        return tell_older(path, &report);
    }
    if (result == RESULT_OK) {
        (void)printf("equal to the bit up to tick %" PRIu64 ", where the hash is %016" PRIx64 "\n", report.last_tick,
                     report.hash);
        return command_flush();
    }
    (void)command_flush();
    if (report.equal_until > report.first_tick) {
        return command_fail(EXIT_MISSED, "%s: equal up to tick %" PRIu64 ", then: %s", path, report.equal_until,
                            fault.message);
    }
    return command_fail(EXIT_MISSED, "%s: %s", path, fault.message);
}

static enum exit_status tell(const char *path, const char *bytes, size_t size) {
    struct capsule_report report;
    struct fault fault;
    if (capsule_look(bytes, size, &report, &fault) != RESULT_OK) {
        return command_fail(EXIT_MISSED, "%s: %s", path, fault.message);
    }
    write_report(path, &report);
    return command_flush();
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    if (count != 1) {
        return command_fail(EXIT_USAGE,
                            "replay takes one file, a capsule; world.export and /worlds/NAME/capsule make them");
    }
    FILE *file = fopen(arguments[0], "rb");
    if (file == NULL) {
        return command_fail(EXIT_USAGE, "%s: %s", arguments[0], strerror(errno));
    }
    size_t size = 0;
    errno = 0;
    char *bytes = command_read_all(file, &size);
    const int error = errno;
    (void)fclose(file);
    if (bytes == NULL) {
        return command_fail(EXIT_USAGE, "%s: %s", arguments[0], error != 0 ? strerror(error) : "it cannot be read");
    }
    const enum exit_status status =
        settings->verify ? verify(arguments[0], bytes, size) : tell(arguments[0], bytes, size);
    free(bytes);
    return status;
}

const struct command command_replay = {
    .name = "replay",
    .usage = "replay FILE [--verify]",
    .summary = "describe a capsule, or replay it and compare the hashes",
    .help = "A capsule is a part of a world's history in one file: a snapshot, the commands after it, and the hash\n"
            "of the state at every 60th tick. Without --verify the command describes the capsule. With --verify it\n"
            "replays the capsule on this machine and compares the hashes; needs no server. If a hash differs, the\n"
            "command tells the tick. A capsule of an older physics version is replayed with the present version;\n"
            "its hashes cannot be compared, which counts as a difference.\n"
            "\n"
            "  curl -o bug.capsule http://127.0.0.1:8080/worlds/main/capsule\n"
            "  weftctl replay bug.capsule --verify\n"
            "\n"
            "Exit status: 0 described, or all hashes are equal; 2 wrong usage; 4 the file is not an intact capsule,\n"
            "or a hash differs or cannot be compared.\n",
    .takers = SETTINGS_REPLAY,
    .run = run,
};
