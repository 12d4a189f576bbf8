// SPDX-License-Identifier: MIT
// Copies the worlds of one store into another (store/copy/).
#ifndef WEFT_HOST_HISTORY_STORE_TRANSFER_H
#define WEFT_HOST_HISTORY_STORE_TRANSFER_H

#include "store/copy/store_copy.h"

// Each store is a data folder, or the address of a PostgreSQL database. `report` and the errors are those of
// store_copy; RESULT_NOT_FOUND: there is no folder `from`.
enum result store_transfer(const char *from, const char *to,
                           void (*report)(void *user, const struct store_copy_progress *progress), void *user,
                           struct fault *fault) WEFT_MUST_USE;

#endif
