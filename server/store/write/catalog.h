// SPDX-License-Identifier: MIT
// The worlds of a store. All functions but store_worlds_free wait for the database.
#ifndef WEFT_STORE_WRITE_CATALOG_H
#define WEFT_STORE_WRITE_CATALOG_H

#include "store/types.h"

// Of `given`, name, parent, parent_timeline, parent_tick and settings (any bytes) count. Errors: RESULT_STATE (the name
// is taken), RESULT_LIMIT (STORE_WORLDS_MAX), RESULT_IO, RESULT_MEMORY.
enum result store_world_create(struct store *store, const struct store_world *given, uint64_t *world,
                               struct fault *fault) WEFT_MUST_USE;
// Changes the settings. Errors: RESULT_NOT_FOUND, RESULT_STATE (another server has taken the world), RESULT_IO,
// RESULT_MEMORY.
enum result store_world_set(struct store *store, uint64_t world, struct store_bytes settings,
                            struct fault *fault) WEFT_MUST_USE;
// The world is gone at once; its rows are deleted bit by bit. Errors: as store_world_set.
enum result store_world_remove(struct store *store, uint64_t world, struct fault *fault) WEFT_MUST_USE;
// Lists worlds by rising numbers. A damaged world is listed with `why`, even if its own row is gone and only other rows
// of it are left. Errors: RESULT_DAMAGED, RESULT_IO, RESULT_MEMORY.
enum result store_world_list(struct store *store, struct store_world **worlds, uint32_t *count,
                             struct fault *fault) WEFT_MUST_USE;
void store_worlds_free(struct store_world *worlds, uint32_t count);

#endif
