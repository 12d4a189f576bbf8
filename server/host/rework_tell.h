// SPDX-License-Identifier: MIT
// The events and replies of an undo or a redo.
#ifndef WEFT_HOST_REWORK_TELL_H
#define WEFT_HOST_REWORK_TELL_H

#include "host/rework_internal.h"

// The member `undoing`, while it is at work, into an open object.
void describe_rework(const struct world *world, struct json_writer *out);
// rework_tell.c
// `message` says why it was refused or cancelled, or is NULL.
void rework_tell_progress(struct world *world, struct rework *rework, const char *state, const char *message);
// The members of an error's data or an event that say why it was refused: `lost`, or `seconds` and `opposite`.
void rework_write_reasons(struct world *world, const struct rework *rework, struct json_writer *out);
// An array.
void rework_write_lost(struct world *world, const struct lost *lost, struct json_writer *out);
void rework_tell_lost(struct world *world, const struct rework *rework);

#endif
