// SPDX-License-Identifier: MIT
#include "tools/command/command_store.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/history/store_transfer.h"
#include "tools/command/command_io.h"

static void report(void *user, const struct store_copy_progress *progress) {
    (void)user;
    if (progress->hash == 0) {
        (void)fprintf(stderr, "%s: %" PRIu64 " of %" PRIu64 " rows\n", progress->name, progress->rows,
                      progress->rows_total);
    } else {
        (void)printf("%s: %" PRIu64 " rows, %.1f MB, hash %016" PRIx64 ", as the original\n", progress->name,
                     progress->rows, (double)progress->bytes / 1e6, progress->hash);
    }
}

static enum exit_status run(const struct settings *settings, int count, char **arguments) {
    struct fault fault = {.message = ""};
    (void)settings;
    if (count != 3 || strcmp(arguments[0], "copy") != 0) {
        return command_fail(EXIT_USAGE, "store takes: copy FROM TO, each a data folder or postgres://…");
    }
    const enum result result = store_transfer(arguments[1], arguments[2], report, NULL, &fault);
    const enum exit_status status = command_flush();
    return result == RESULT_OK
               ? status
               : command_fail(result == RESULT_NOT_FOUND || result == RESULT_STATE || result == RESULT_INVALID
                                  ? EXIT_USAGE
                                  : EXIT_REFUSED,
                              "%s", fault.message);
}

const struct command command_store = {
    .name = "store",
    .usage = "store copy FROM TO",
    .summary = "copy all worlds from one store into another",
    .help = "Copies all worlds, with their histories, from the store FROM into the store TO, which is made if it is\n"
            "missing and keeps the worlds that it has. Each is a data folder or the address of a PostgreSQL\n"
            "database; no server may be using either. Every row is checked when it is read; then the copy is read\n"
            "again, and its hash compared. FROM keeps its worlds.\n"
            "\n"
            "  weftctl store copy data postgres://weft:secret@db.example/weft\n"
            "  weftd --store postgres://weft:secret@db.example/weft\n"
            "\n"
            "Exit status: 0 all worlds were copied, 1 an error, 2 wrong usage.\n",
    .takers = 0,
    .run = run,
};
