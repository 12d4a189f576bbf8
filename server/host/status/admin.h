// SPDX-License-Identifier: MIT
// What administrators ask about the server as a whole. The network's thread knows it all and answers, at its next look;
// questions wait for that.
#ifndef WEFT_HOST_STATUS_ADMIN_H
#define WEFT_HOST_STATUS_ADMIN_H

#include "host/status/document.h"

struct admin;

struct admin *admin_create(void); // NULL when memory is out
void admin_destroy(struct admin *admin);
// From any thread: server.get. Errors: RESULT_BUSY, RESULT_MEMORY.
enum result admin_ask(struct admin *admin, uint64_t connection_id, const struct proto_id *id,
                      struct fault *fault) WEFT_MUST_USE;
// Net thread: answers what was asked.
void admin_answer(struct admin *admin, struct net_server *net, const struct document_sources *sources);

#endif
