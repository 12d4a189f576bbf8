// SPDX-License-Identifier: MIT
// Salvages the intact part of a damaged store (store/salvage/), for worlds as this server keeps them.
#ifndef WEFT_HOST_HISTORY_SALVAGE_H
#define WEFT_HOST_HISTORY_SALVAGE_H

#include "store/salvage/salvage_writer.h"

// `report` is called once for each world. `missing` and the errors are those of store_salvage.
enum result salvage_run(const char *from, const char *to,
                        void (*report)(void *user, const struct store_salvaged *world), void *user, uint64_t *missing,
                        struct fault *fault) WEFT_MUST_USE;

#endif
