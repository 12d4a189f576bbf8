// SPDX-License-Identifier: MIT
// Files below the web root.
#ifndef WEFT_NET_HTTP_FILE_H
#define WEFT_NET_HTTP_FILE_H

#include "net/connection/state.h"

// Sends the file that a decoded path names. Returns false when there is none.
bool file_send(struct connection *connection, const char *path);

#endif
