// SPDX-License-Identifier: MIT
// The store: keeps the history of every world in one SQLite file or in a PostgreSQL database, so that an
// acknowledged command survives a crash. STORE.md lists the common parts of the two engines.
// This header is the store's whole public face, but for capsules (store/capsule/) and salvage (store/salvage/).
//
// A world's history is a list of timelines, numbered from 1; the newest one is written. A timeline has entries (applied
// commands as binary records, numbered 1, 2, 3 … by `sequence`), snapshots (the whole state after some entry), and
// hashes of the state at some ticks. Within a timeline ticks never fall, so timeline and tick name a moment. Whatever
// makes the tick jump begins a new timeline: a reset, a seek, an undo, an import, and the repair after a failure of the
// database. The origin of a timeline says from where it can be replayed.
//
// Writing. One thread of the store owns the only writing connection. `store_append`, `store_begin`, `store_save` and
// `store_append_hash` copy their data into a queue and return at once: they never wait for the database. All that was
// queued since the last commit is one transaction (group commit). Once that is committed, and synced with STORE_FULL,
// the store's thread calls `settled` once for each queued write, in order. A reply that is sent only then survives
// `kill -9` and, with STORE_FULL, a power cut.
//
// Failure. If a transaction cannot be committed (disk full, I/O error, failing fsync; PostgreSQL refuses, its
// connection is lost, it does not answer in time, or did not wait for its standby), each of its writes and each write
// queued behind it is settled with RESULT_IO and the reason: none of them was acknowledged. The store is then failing:
// writes are refused with RESULT_IO. Each second it opens the file or the connection anew and writes; when that
// succeeds, `health` reports it and writes are taken again. A world of which a write was lost, or whose `store_append`
// was refused, is lost to its log: the log lacks what was applied since. All its writes get RESULT_STATE until
// `store_begin` has begun a new timeline with a snapshot of the present state. So the caller
//   * asks `store_accepts` before it applies a command, and refuses the command with that fault if not RESULT_OK;
//   * applies the command, appends it, and holds its reply until it is settled; then it sends the reply, or the error;
//   * on `health(well)`, and whenever `store_accepts` returns RESULT_STATE: takes a snapshot of the world and calls
//     `store_begin` with STORE_ORIGIN_SNAPSHOT.
//
// Reading. Any thread may read, at any time, on a connection of its own that neither blocks the writer nor waits for
// it. Reading may wait for the disk or for PostgreSQL, so it has no place on a simulation thread or the network thread.
// A reader sees committed rows. Damage is found by checksums: a damaged snapshot is passed over for the one before;
// entries that are missing or damaged are reported (RESULT_DAMAGED, with timeline, tick and reason), never guessed.
//
// The last logged tick of a timeline is the last one known to have been done: a hash or snapshot was taken after it, or
// an entry was applied after it. Bytes that are passed in are copied; bytes that are returned belong to the object that
// was returned with them.
#ifndef WEFT_STORE_STORE_H
#define WEFT_STORE_STORE_H

#include "store/option_parse.h"
#include "store/postgres/nodes.h"
#include "store/read/history_rows.h"
#include "store/read/listing.h"
#include "store/read/reader.h"
#include "store/types.h"
#include "store/write/append.h"
#include "store/write/catalog.h"
#include "store/write/ownership.h"

// Opens DIRECTORY/weft.db or the database of the address, makes or migrates it, checks it, starts the store's thread.
// Errors: RESULT_STATE (another server uses it), RESULT_INVALID (the file or database is no store, or that of a newer
// version; the address is malformed), RESULT_DAMAGED (SQLite finds the file malformed, or acknowledged commits are
// missing), RESULT_IO, RESULT_MEMORY.
enum result store_open(const struct store_options *options, struct store **store, struct fault *fault) WEFT_MUST_USE;
// Commits what is queued, settles it, and closes. NULL is allowed.
void store_close(struct store *store);

bool store_in_memory(const struct store *store);
void store_figures(struct store *store, struct store_figures *figures); // thread-safe

#endif
