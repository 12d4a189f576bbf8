// SPDX-License-Identifier: MIT
// All worlds of the server: making them, bringing them back from the store, finding them.
#ifndef WEFT_HOST_WORLDS_WORLDS_H
#define WEFT_HOST_WORLDS_WORLDS_H

#include "host/history/history.h"
#include "host/history/store_hub.h"
#include "host/run/parallel_for.h"
#include "host/world/world_state.h"

#define WORLDS_MAX CONFIG_WORLDS_MAX

struct store_capsule;
struct connection_row;
struct node;
struct worlds;

// The calls of the worlds to this server's node (node.h).
struct worlds_node {
    struct node *node;                                  // NULL: this server is no node
    void (*wake)(struct node *node);                    // its next look begins at once
    void (*place)(struct node *node, uint64_t world);   // offers a new world to other nodes
    bool (*knows)(struct node *node, const char *name); // whether any node has a world of that name
    bool (*has_others)(struct node *node);              // whether other nodes have worlds
    void (*describe_urls)(struct node *node, struct json_writer *out);
    bool (*wait)(struct node *node); // until free worlds are here; false: the node has lost its place
};

// What every world is made with; all of it outlives the worlds.
struct worlds_context {
    const struct config *config;
    struct access *access;
    struct job_thread *job_thread, *undo_threads;
    struct net_server *net;
    struct scheduler *scheduler;
    scheduler_task run; // a turn of a world (turn.h)
    struct parallel_for *parallel_for;
    struct store_hub *hub; // NULL: nothing is kept
    struct worlds_node node;
};

enum result worlds_create(const struct worlds_context *context, struct worlds **worlds) WEFT_MUST_USE;
// After the scheduler and the job thread have ended: keeps what there is. NULL is allowed, here and below.
void worlds_close(struct worlds *worlds);
// After the network and the store have ended as well.
void worlds_destroy(struct worlds *worlds);

// ---- on the job thread, which touches the disk ---------------------------------------------------------------

// What a new world is made of: a scene, or a moment of another world's past.
struct worlds_request {
    const char *name;
    uint64_t owner;
    float tick_hz;
    bool has_paused, paused;
    bool temporary;                      // it is not kept, and ends when it is deserted
    const struct copying *copying;       // it is an original or a copy; NULL: neither
    const char *scene;                   // NULL: of the moment
    const struct snapshot_job *now;      // its present state,
    const struct store_capsule *capsule; // or one that was sent, or
    struct world *parent;                // where its history is: of `timeline`, at `tick`
    uint32_t timeline;
    uint64_t tick;
};
// Makes it, keeps it, starts it; tells the tick at which it begins. Errors: RESULT_STATE (the name is taken),
// RESULT_LIMIT, those of a scene or a history, RESULT_IO, RESULT_MEMORY.
enum result worlds_make(struct worlds *worlds, const struct worlds_request *request, uint64_t *tick,
                        struct fault *fault) WEFT_MUST_USE;
// Whether a world of this name may be made: what worlds_make refuses at once.
enum result worlds_can_make(struct worlds *worlds, const char *name, uint64_t owner, struct fault *fault) WEFT_MUST_USE;
// Calls `act` with each world, under the mutex. Any thread.
void worlds_for_each(struct worlds *worlds, void (*act)(void *context, const struct world *world), void *context);
// It is gone at once; who is in it is closed. Errors: RESULT_NOT_FOUND, RESULT_STATE (the last one), RESULT_IO.
enum result worlds_remove(struct worlds *worlds, const char *name, struct fault *fault) WEFT_MUST_USE;
// [{"name", "tick", "running", "clients", "particles", "kept", "people"}]: with who is there, of all who are connected.
void worlds_describe(struct worlds *worlds, const struct connection_row *rows, uint32_t count, struct json_writer *out);
// The member `setAside`, unless there is none: worlds that could not be brought back, [{"name", "reason"}].
void worlds_describe_aside(struct worlds *worlds, struct json_writer *out);

// Brings one world back that this node owns. Errors: RESULT_DAMAGED, RESULT_INVALID (another physics version), those of
// worlds_make.
enum result worlds_bring_back(struct worlds *worlds, const struct store_world *kept, struct fault *fault) WEFT_MUST_USE;
// Ends the world of this number, if it is here: another node has it. Its clients get its address there, `url`, "" if
// that is not known.
void worlds_depart(struct worlds *worlds, uint64_t number, const char *url);
// Makes the world stand still and store its state; then it calls node_note_saved. False: the world is not here.
bool worlds_save(struct worlds *worlds, uint64_t number);

// At start-up, before a world is made.
void worlds_set_node(struct worlds *worlds, const struct worlds_node *node);
// At start-up: brings every world that is kept back to its last logged tick, then makes those of the configuration that
// there are not yet. One that cannot be brought back is set aside. Errors: RESULT_DAMAGED (none can be brought back),
// those of a scene, RESULT_MEMORY.
enum result worlds_open(struct worlds *worlds, struct fault *fault) WEFT_MUST_USE;

// ---- from any thread ---------------------------------------------------------------------------------------------

bool worlds_has(struct worlds *worlds, uint64_t number); // of the store
// Whether a world that left may still write to the store: as long as it may, it must not be brought back.
bool worlds_is_ending(struct worlds *worlds, uint64_t number);
uint32_t worlds_count(struct worlds *worlds);

// ---- on the net thread -------------------------------------------------------------------------------------------

// The place of the world of this name, or of `main` or the first when it is NULL; −1 when there is none.
int worlds_find(struct worlds *worlds, const char *name);
// Holds the world in that place for a client that comes; NULL when it was removed.
struct world *worlds_enter(struct worlds *worlds, uint32_t index);
// Of a client that is in it.
struct world *worlds_at(struct worlds *worlds, uint32_t index);
// Frees worlds that were removed and that nobody has to do with any more. Now and then, on this thread only.
void worlds_free_removed(struct worlds *worlds);
// All places, NULL where there is no world.
struct world *const *worlds_all(struct worlds *worlds, uint32_t *count);

#endif
