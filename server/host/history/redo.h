// SPDX-License-Identifier: MIT
// Gives a change again that was taken back: keeps the changes that each session took back, newest first, and finds the
// way to the present with such a change. Its entries are still in the timelines they were logged in. So are the entries
// of all clients' commands that were lost with it. All of them are given at their own ticks and under their old
// sequence numbers, which no other entry has got since (undo.c), so that ids stay the same. A reset or a scene that
// was taken back is given again by going to the end of the timeline that it began.
//
// The changes are forgotten with the session's next change, with a scene, and with going back in time.
#ifndef WEFT_HOST_HISTORY_REDO_H
#define WEFT_HOST_HISTORY_REDO_H

#include "host/history/history_query.h"

#define REDO_MAX 64u // changes that a session can give again

struct redo {
    struct redo *older;
    enum proto_method method;
    struct log_place *places; // of its entries and of those lost with it, newest first
    uint32_t count;
    bool whole_scene;  // a reset or a scene
    uint32_t timeline; // that it began
};

// What was undone may be given again; takes the places. When memory is out it may not.
void redo_keep(struct session *session, const struct redo *given);
// What was given again no longer waits for it.
void redo_drop_newest(struct session *session);
void redo_forget(struct session *session);
void redo_forget_all(struct world *world);
// The places of the newest into `past`. Errors: RESULT_NOT_FOUND, RESULT_MEMORY.
enum result redo_begin(const struct session *session, struct history_query *past) WEFT_MUST_USE;

// On the job thread: reads the way from before the change to the end, with its entries where they belong.
enum result redo_read(struct history_query *past) WEFT_MUST_USE;

#endif
