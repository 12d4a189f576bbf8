// SPDX-License-Identifier: MIT
// The engine that keeps a store in a database of PostgreSQL.
#ifndef WEFT_STORE_POSTGRES_ENGINE_H
#define WEFT_STORE_POSTGRES_ENGINE_H

#include "store/database/engine.h"

extern const struct store_engine store_postgres_engine;

#endif
