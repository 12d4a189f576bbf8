// SPDX-License-Identifier: MIT
// GET /worlds/NAME/broadcast/…: the files of broadcasts (host/worlds/broadcast_files.h). On the net thread.
#ifndef WEFT_HOST_STATUS_BROADCAST_DOCUMENT_H
#define WEFT_HOST_STATUS_BROADCAST_DOCUMENT_H

#include "host/worlds/worlds.h"

bool broadcast_document_is_at(const char *path); // whether the path is one of broadcasts
// Whether pages of any origin may get the answer for the path: a file of a broadcast that allows embedding, or the
// error that there is no such broadcast, by which these pages detect its end.
bool broadcast_document_may_embed(struct worlds *worlds, const char *path);
// The file, or a sentence that says why there is none; `document` says how it is answered. NULL when memory ran out.
struct message *broadcast_document_find(struct worlds *worlds, const char *path, struct net_document *document);

#endif
