// SPDX-License-Identifier: MIT
// What a program looks at in a world besides its particles.
#ifndef WEFT_ENGINE_WEFT_VIEW_H
#define WEFT_ENGINE_WEFT_VIEW_H

#include "engine/weft.h"
#include "engine/weft_world.h"

struct weft_contact_list {
    weft_contact *contacts;
    uint32_t most, count, total;
    bool complete;
};
// The work of weft_world_contacts (weft.h): `contacts` and `most` are given, the rest is set.
enum result weft_view_contacts(const struct weft_world *world, struct weft_contact_list *list,
                               struct fault *fault) WEFT_MUST_USE;

#endif
