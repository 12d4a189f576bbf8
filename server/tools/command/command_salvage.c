// SPDX-License-Identifier: MIT
#include "tools/command/command_salvage.h"

#include <inttypes.h>
#include <stdio.h>

#include "host/history/salvage.h"
#include "tools/command/command_io.h"

struct salvage_totals {
    uint32_t whole, partly, nothing;
};

static void report(void *user, const struct store_salvaged *world) {
    struct salvage_totals *totals = user;
    if (!world->found) {
        totals->nothing++;
        (void)printf("%s: nothing can be reached; at least %" PRIu64 " commands are lost\n", world->name,
                     world->lost_commands);
        return;
    }
    totals->whole += world->whole ? 1 : 0;
    totals->partly += world->whole ? 0 : 1;
    (void)printf("%s: %s, ticks %" PRIu64 " to %" PRIu64 ", %" PRIu64 " commands, %" PRIu64 " snapshots", world->name,
                 world->whole ? "whole" : "in part", world->first_tick, world->last_tick, world->commands,
                 world->snapshots);
    if (world->whole) {
        (void)puts("");
    } else {
        (void)printf("; lost at the end: at least %" PRIu64 " commands; damaged rows: %" PRIu64 "\n",
                     world->lost_commands, world->damaged_rows);
    }
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    struct salvage_totals totals = {0};
    uint64_t missing = 0;
    struct fault fault;
    (void)settings;
    if (count != 2) {
        return command_fail(EXIT_USAGE, "salvage takes two folders: the damaged one, and a new one to be made");
    }
    const enum result result = salvage_run(arguments[0], arguments[1], report, &totals, &missing, &fault);
    if (result != RESULT_OK) {
        (void)command_flush();
        return command_fail(result == RESULT_NOT_FOUND || result == RESULT_STATE || result == RESULT_INVALID
                                ? EXIT_USAGE
                                : EXIT_REFUSED,
                            "%s", fault.message);
    }
    const enum exit_status status = command_flush();
    if (status == EXIT_DONE && missing > 0) {
        return command_fail(EXIT_MISSED, "%" PRIu64 " commits that were acknowledged are missing altogether", missing);
    }
    if (status == EXIT_DONE && totals.partly + totals.nothing > 0) {
        return command_fail(EXIT_MISSED,
                            "%" PRIu32 " worlds are whole, %" PRIu32 " in part, of %" PRIu32 " nothing is left",
                            totals.whole, totals.partly, totals.nothing);
    }
    return status;
}

const struct command command_salvage = {
    .name = "salvage",
    .usage = "salvage DIR NEW",
    .summary = "recover the intact part of a damaged data folder",
    .help = "Reads the data folder DIR, which no server may be using and which is not changed, and makes the data\n"
            "folder NEW with the intact part of each world: a snapshot and all commands after it, up to the first\n"
            "missing or damaged one. Commands in the write-ahead log that SQLite would ignore are recovered too.\n"
            "The command lists what is lost. It needs no server.\n"
            "\n"
            "  weftctl salvage data salvaged\n"
            "  weftd --data salvaged\n"
            "\n"
            "Exit status: 0 every world is whole, 1 an error, 2 wrong usage, 4 something is missing.\n",
    .takers = 0,
    .run = run,
};
