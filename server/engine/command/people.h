// SPDX-License-Identifier: MIT
// Handlers of the commands about clients: client.introduce, people.list, selection.show.
#ifndef WEFT_ENGINE_COMMAND_PEOPLE_H
#define WEFT_ENGINE_COMMAND_PEOPLE_H

#include "engine/command/command.h"

enum result command_client_introduce(struct command_call *call);
enum result command_selection_show(struct command_call *call);
enum result command_people_list(struct command_call *call);

// The client that holds this particle; NULL: nobody does, or the client has left.
const struct client *client_find_holder(struct engine_world *world, uint32_t object, uint32_t particle);

#endif
