// SPDX-License-Identifier: MIT
// Getting out of a damaged store what is intact (store/salvage.h), for worlds as this server keeps them.
#ifndef WEFT_APP_SALVAGE_H
#define WEFT_APP_SALVAGE_H

#include "store/salvage.h"

// `told` hears of each world; `missing` and errors as in store_salvage.
enum result salvage_run(const char *from, const char *to, void (*told)(void *user, const struct store_salvaged *world),
                        void *user, uint64_t *missing, struct fault *fault) WEFT_MUST_USE;

#endif
