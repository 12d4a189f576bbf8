// SPDX-License-Identifier: MIT
#include "tools/client/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t caught;

static void on_signal(int number) {
    (void)number;
    caught = 1;
}

void interrupt_catch(void) {
    struct sigaction action = {.sa_handler = on_signal};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool interrupted(void) {
    return caught != 0;
}
