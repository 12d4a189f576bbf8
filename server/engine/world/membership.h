// SPDX-License-Identifier: MIT
// Joining and leaving a world, and the grabs of clients that left.
#ifndef WEFT_ENGINE_WORLD_MEMBERSHIP_H
#define WEFT_ENGINE_WORLD_MEMBERSHIP_H

#include "engine/state/world_state.h"

// What the host knows of a client that joins.
struct client_facts {
    const char *name; // "" to have one made up
    enum proto_role role;
    uint64_t owner; // clients of the same owner share a quota; 0: none
    bool passing;   // it makes one request and leaves: no hello, and nobody is told of it
};

// Adds a client, with a number, a name and a color. NULL when memory ran out.
struct client *engine_add_client(struct engine_world *world, uint64_t id, const struct client_facts *facts);
// Sends it the hello, and tells the others that it joined.
void engine_greet_client(struct engine_world *world, const struct client *client);
void engine_remove_client(struct engine_world *world, uint64_t id); // its grabs end; nothing happens if there is none
// The client has shown a token: its new role, and the token's name, which it takes unless it has chosen one.
void engine_grant(struct engine_world *world, struct client *client, enum proto_role role, const char *name);
// Ends the grabs of this client, or with `others` those of all other clients.
void engine_release_grabs(struct engine_world *world, uint64_t client, bool others);
// After a restore: grabs of clients that are connected are theirs again; the others stay orphaned.
void engine_claim_orphaned_grabs(struct engine_world *world);
// Ends the orphaned grabs.
void engine_release_orphaned_grabs(struct engine_world *world);

#endif
