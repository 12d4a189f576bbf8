// SPDX-License-Identifier: MIT
// 307 for paths that another server answers.
#ifndef WEFT_NET_HTTP_REDIRECT_H
#define WEFT_NET_HTTP_REDIRECT_H

#include <stdbool.h>

#include "net/connection/state.h"

// The refusal that sends a request of that path to another server. Its text lives until the next call. False: this
// server answers it.
bool redirect_find(const struct connection *connection, const char *path, struct refusal *refusal);
// Redirects the request, if another server answers that path.
bool redirect_answer(struct connection *connection, const char *path);

#endif
