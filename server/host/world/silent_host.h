// SPDX-License-Identifier: MIT
// A host for an engine that has no clients, such as that of an undo or a preview: nothing is sent.
#ifndef WEFT_HOST_WORLD_SILENT_HOST_H
#define WEFT_HOST_WORLD_SILENT_HOST_H

#include "engine/state/host.h"

extern const struct engine_host silent_engine_host;

#endif
