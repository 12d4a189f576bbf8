// SPDX-License-Identifier: MIT
#include "engine/weft_view.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/probe.h"

#define CONTACTS_MAX 1000000u // in one call

static_assert((int)WEFT_CONTACT_OBSTACLE == (int)SIM_CONTACT_OBSTACLE &&
                  (int)WEFT_CONTACT_CLOTH == (int)SIM_CONTACT_CLOTH &&
                  (int)SIM_CONTACT_KIND_COUNT == (int)WEFT_CONTACT_CLOTH + 1,
              "weft_contact_kind is enum sim_contact_kind");

static weft_contact contact_of(const struct sim_contact *contact) {
    return (weft_contact){.kind = (uint32_t)contact->kind,
                          .object = contact->object,
                          .other = contact->other,
                          .x = contact->point.x,
                          .y = contact->point.y,
                          .z = contact->point.z,
                          .nx = contact->normal.x,
                          .ny = contact->normal.y,
                          .nz = contact->normal.z,
                          .depth = contact->depth,
                          .slip = contact->slip,
                          .friction = contact->friction};
}

enum result weft_view_contacts(const struct weft_world *world, struct weft_contact_list *list, struct fault *fault) {
    if (list->most > CONTACTS_MAX) {
        return fault_set(fault, RESULT_INVALID, "/most", "most must be 0 to %u, got %u", CONTACTS_MAX, list->most);
    }
    struct sim_contact *found = malloc((list->most > 0 ? list->most : 1) * sizeof *found);
    if (found == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory");
    }
    list->count = sim_world_contacts(world->engine->sim, found, list->most, &list->total, &list->complete);
    for (uint32_t i = 0; i < list->count; i++) {
        list->contacts[i] = contact_of(&found[i]);
    }
    free(found);
    return RESULT_OK;
}
