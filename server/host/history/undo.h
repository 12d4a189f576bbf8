// SPDX-License-Identifier: MIT
// world.undo and world.redo: the world as it would be without a change, or with it again, is worked out beside the
// running world, on another thread, and takes its place when it has caught up.
//
// The second world (the shadow) begins with a snapshot from before the change. It is given the commands since, without
// those of the change (undo) or with them (redo), and steps as fast as it can. Meanwhile the first world goes on:
// each command that is logged for it is handed to the shadow too. Once the shadow has come to the tick of the first
// world, the two change places between two ticks, and the log gets a new timeline: its beginning is where the change
// stood, and the commands that were applied to the shadow follow. All of that is one commit of the store, so after a
// crash the change is taken back whole or not at all.
//
// A command is lost if the shadow refuses it, because the object that it names was not made there. Commands of other
// clients are lost only if the client allows that (`force`). Those clients get an event that lists their lost commands,
// and a redo brings the commands back.
//
// One at a time for each world. All functions are the world's worker's.
#ifndef WEFT_HOST_HISTORY_UNDO_H
#define WEFT_HOST_HISTORY_UNDO_H

#include "host/history/history.h"
#include "host/world/world_state.h"

#define UNDO_WORKING_MAX 4u // at work at once, in all worlds

struct host_call;
struct undo;

enum undo_task {
    UNDO_CHANGE, // of the client's last change
    UNDO_SCENE,  // of the last reset or scene, of any client
    UNDO_REDO,
};

struct undo_request {
    enum undo_task task;
    bool force;           // commands of other clients may be lost
    bool background;      // the client gets its reply at once, and an event at the end
    float within_seconds; // refused when it would take longer; 0: it may take as long as it takes
};

// Sets out; the answer comes at the end. Errors: RESULT_BUSY (another is at work), RESULT_NOT_FOUND, RESULT_MEMORY.
enum result undo_begin(struct host_call *call, const struct undo_request *request) WEFT_MUST_USE;
// Ends it; its client is refused with `reason`, a sentence. Nothing happens when there is none.
void undo_cancel(struct world *world, const char *reason);
// The client has left. The undo goes on, and no reply is sent.
void undo_forget_client(struct world *world, struct session *session);
// Its share of the world's turn, between two ticks.
void undo_turn(struct world *world);
// An entry was logged for the world.
void undo_note_entry(struct world *world, const struct store_entry *entry);
// Whether it is at work.
bool undo_is_on(const struct world *world);
// For the end of the world: its thread touches nothing of the world any more.
void undo_free(struct world *world);

#endif
