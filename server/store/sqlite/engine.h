// SPDX-License-Identifier: MIT
// The engine that keeps a store in one file.
#ifndef WEFT_STORE_SQLITE_ENGINE_H
#define WEFT_STORE_SQLITE_ENGINE_H

#include "store/database/engine.h"

extern const struct store_engine store_sqlite_engine;

#endif
