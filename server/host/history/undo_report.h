// SPDX-License-Identifier: MIT
// The events and replies of an undo or a redo.
#ifndef WEFT_HOST_HISTORY_UNDO_REPORT_H
#define WEFT_HOST_HISTORY_UNDO_REPORT_H

#include "host/history/undo_state.h"

// The member `undoing`, while it is at work, into an open object.
void describe_rework(const struct world *world, struct json_writer *out);
// undo_report.c
// `message` says why it was refused or cancelled, or is NULL.
void undo_tell_progress(struct world *world, struct undo *undo, const char *state, const char *message);
// The members of an error's data or an event that say why it was refused: `lost`, or `seconds` and `opposite`.
void undo_write_reasons(struct world *world, const struct undo *undo, struct json_writer *out);
// An array.
void undo_write_lost(struct world *world, const struct lost *lost, struct json_writer *out);
void undo_tell_lost(struct world *world, const struct undo *undo);

#endif
