// SPDX-License-Identifier: MIT
#include "host/run/instance.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "host/run/scheduler.h"

const char *app_instance(void) {
    static char instance[17];
    static atomic_bool made;
    if (!atomic_load(&made)) { // first called by app_create, before there are threads
        uint64_t bits = 0;
        if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
            bits = scheduler_now_ns() ^ ((uint64_t)getpid() << 40);
        }
        snprintf(instance, sizeof instance, "%016llx", (unsigned long long)bits);
        atomic_store(&made, true);
    }
    return instance;
}
