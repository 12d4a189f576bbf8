// SPDX-License-Identifier: MIT
// Handlers of methods (host/world/host_call.h).
#ifndef WEFT_HOST_COMMAND_COMMAND_SCENE_H
#define WEFT_HOST_COMMAND_COMMAND_SCENE_H

#include "host/world/host_call.h"

enum result command_scene_list(struct host_call *call);
enum result command_scene_preview(struct host_call *call);
enum result command_scene_load(struct host_call *call);
enum result command_scene_save(struct host_call *call);
enum result command_scene_delete(struct host_call *call);

#endif
