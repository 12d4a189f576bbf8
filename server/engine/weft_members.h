// SPDX-License-Identifier: MIT
// Members that the host of a world adds to the engine's messages (weft_world_describe): a list of JSON values, each
// with its place and name.
#ifndef WEFT_ENGINE_WEFT_MEMBERS_H
#define WEFT_ENGINE_WEFT_MEMBERS_H

#include "base/result.h"
#include "engine/state/host.h"

struct weft_member;

// Sets the member of this name at this place, or removes it where `json` is NULL. `json` is copied. Errors:
// RESULT_INVALID (it is no JSON value), RESULT_MEMORY; then the list is unchanged.
enum result weft_members_set(struct weft_member **list, enum engine_place place, const char *name, const char *json,
                             struct fault *fault) WEFT_MUST_USE;
// Writes the members of a place into an open object, in the order in which they were first set.
void weft_members_write(const struct weft_member *list, enum engine_place place, struct json_writer *out);
void weft_members_free(struct weft_member *list); // NULL is allowed

#endif
