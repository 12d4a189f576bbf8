// SPDX-License-Identifier: MIT
// A world's row holds settings of the app's: the tick rate. Each snapshot of the world holds the tick rate as well.
#include "host/history/salvage.h"

#include <string.h>

#include "sim/archive.h"

static bool read_settings(void *user, const struct store_snapshot *snapshot,
                          unsigned char settings[STORE_SALVAGE_SETTINGS_MAX], size_t *settings_size,
                          uint32_t *physics) {
    struct sim_archive_info info;
    struct fault fault;
    (void)user;
    if (sim_archive_look(snapshot->state.data, snapshot->state.size, &info, &fault) != RESULT_OK) {
        return false;
    }
    memcpy(settings, &info.tick_hz, sizeof info.tick_hz); // as worlds.c keeps it
    *settings_size = sizeof info.tick_hz;
    *physics = info.physics;
    return true;
}

enum result salvage_run(const char *from, const char *to,
                        void (*report)(void *user, const struct store_salvaged *world), void *user, uint64_t *missing,
                        struct fault *fault) {
    const struct store_salvage_listener listener = {.user = user, .read_settings = read_settings, .report = report};
    return store_salvage(from, to, &listener, missing, fault);
}
