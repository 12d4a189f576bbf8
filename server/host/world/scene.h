// SPDX-License-Identifier: MIT
// Scene files: DIR/NAME.json came with Weft, DIR/saved/NAME.json was saved by someone. These calls read and write the
// disk: on the job thread, or at start-up.
#ifndef WEFT_HOST_WORLD_SCENE_H
#define WEFT_HOST_WORLD_SCENE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/result.h"
#include "proto/json/json_writer.h"
#include "proto/message/peek.h"
#include "proto/message/request.h"

#define SCENE_BYTES_MAX (64u * 1024u * 1024u)                // of one file
#define SCENE_SAVED_MAX 256u                                 // scenes that may be saved
#define SCENE_SAVED_BYTES_MAX ((uint64_t)1024 * 1024 * 1024) // and their bytes

// Reads and checks a scene. Errors: RESULT_NOT_FOUND, RESULT_IO, and those of the file's commands, with its name.
enum result scene_read(const char *folder, const char *name, struct proto_request **request,
                       struct fault *fault) WEFT_MUST_USE;
// Puts the scene's name in front of the message of `found`, and the place in its file unless the line is 0.
void scene_blame(const char *name, struct proto_place place, const struct fault *found, struct fault *fault);
// Where the command stands in its file that this pointer leads to or into.
struct proto_place scene_place_of(const struct proto_request *scene, const char *pointer);
// Writes a scene whole or not at all. Errors: RESULT_STATE (it is there and may not be overwritten), RESULT_LIMIT
// (there are too many saved ones, or they take too many bytes), RESULT_IO.
enum result scene_write(const char *folder, const char *name, const char *text, size_t length, bool overwrite,
                        struct fault *fault) WEFT_MUST_USE;
// Deletes a scene that was saved. Errors: RESULT_STATE (it came with Weft), RESULT_NOT_FOUND, RESULT_IO.
enum result scene_delete(const char *folder, const char *name, struct fault *fault) WEFT_MUST_USE;
// Writes the array of all scenes, in the order of their files' member "order", those without it after them, by name;
// saved ones come last: [{"name", "title", "description", "chapter", "saved"}].
enum result scene_list(const char *folder, struct json_writer *out, struct fault *fault) WEFT_MUST_USE;

#endif
