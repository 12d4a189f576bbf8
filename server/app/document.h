// SPDX-License-Identifier: MIT
// The documents served beside the page: the schema, the operator's health and metrics. Built on the net thread from
// figures that the workers publish, so no world is held up.
#ifndef WEFT_APP_DOCUMENT_H
#define WEFT_APP_DOCUMENT_H

#include "app/world.h"

// NULL: there is no such document, or memory is out.
struct net_message *document_build(struct world *const *worlds, uint32_t count, const struct net_server *net,
                                   const char *path, const char **content_type, int *status);

#endif
