// SPDX-License-Identifier: MIT
// The text of a topology message, and the array of words that its entries point into (proto/FRAMES.md).
#ifndef WEFT_ENGINE_DESCRIBE_TOPOLOGY_TEXT_H
#define WEFT_ENGINE_DESCRIBE_TOPOLOGY_TEXT_H

#include "engine/state/world_state.h"

// The array is put into `world->words`. A delta tells what differs from the topology that was published last.
void describe_topology(struct engine_world *world, bool delta, struct json_writer *out);
bool describe_can_tear(const struct sim_object_view *view); // whether the object is of a kind that tears
void word_list_clear(struct word_list *list);
// Room for `count` more words, or NULL when memory ran out, which the list remembers.
uint32_t *word_list_append(struct word_list *list, size_t count);

#endif
