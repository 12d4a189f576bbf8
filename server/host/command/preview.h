// SPDX-License-Identifier: MIT
// The first moments of a scene, for who chooses one: made and stepped in a world of its own that nobody enters and that
// is gone with the answer, so that no world of the server is disturbed.
#ifndef WEFT_HOST_COMMAND_PREVIEW_H
#define WEFT_HOST_COMMAND_PREVIEW_H

#include "host/world/world_state.h"

#define PREVIEW_PARTICLES_MAX 131072u
#define PREVIEW_NS 250000000u // of stepping at most: a large scene comes less far

// On the job thread: runs the scene for so many ticks, as far as time allows, and writes the members `tick`,
// `particles`, `topology` and `frame` (both as a viewer would get them, in base64) into an open object. Errors:
// RESULT_NOT_FOUND, RESULT_IO, RESULT_LIMIT (too many particles), RESULT_MEMORY, and whatever the scene gets wrong.
enum result preview_write(const struct world *asker, const char *scene, uint32_t ticks, struct json_writer *out,
                          struct fault *fault) WEFT_MUST_USE;

#endif
