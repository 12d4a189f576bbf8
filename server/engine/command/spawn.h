// SPDX-License-Identifier: MIT
// Handlers of the commands that make objects.
#ifndef WEFT_ENGINE_COMMAND_SPAWN_H
#define WEFT_ENGINE_COMMAND_SPAWN_H

#include "engine/command/command.h"

enum result command_cloth_spawn(struct command_call *call);
enum result command_mesh_spawn(struct command_call *call);
enum result command_particles_spawn(struct command_call *call);
enum result command_rope_spawn(struct command_call *call);
enum result command_body_spawn(struct command_call *call);
enum result command_plant_spawn(struct command_call *call);
enum result command_ragdoll_spawn(struct command_call *call);
enum result command_soft_spawn(struct command_call *call);

#endif
