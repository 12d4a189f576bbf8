// SPDX-License-Identifier: MIT
// The clocks of the store.
#ifndef WEFT_STORE_DATABASE_CLOCK_H
#define WEFT_STORE_DATABASE_CLOCK_H

#include <stdint.h>

#include "store/store_state.h"

uint64_t store_clock_ms(void);     // of the Unix clock
uint64_t store_monotonic_us(void); // its zero means nothing
uint64_t store_monotonic_ms(void);
// The Unix clock as it was when the store was opened, plus the time since: it does not jump.
uint64_t store_steady_ms(const struct store *store);
uint64_t store_uptime_ms(const struct store *store); // how long servers have run with this store, in all
void store_clock_start(struct store *store, uint64_t uptime_before_ms);

#endif
