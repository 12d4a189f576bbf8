// SPDX-License-Identifier: MIT
// Running commands: one, a batch, a recorded one.
#ifndef WEFT_ENGINE_COMMAND_RUN_H
#define WEFT_ENGINE_COMMAND_RUN_H

#include "engine/command/command.h"

// Runs one command. Its result is appended to `call->result` as one JSON object, unless the call is deferred. Errors:
// those of the command; RESULT_STATE if it needs a server.
enum result engine_run_command(struct command_call *call) WEFT_MUST_USE;
// Runs commands in order, all or nothing; their results are appended as the elements of an open array. `client` NULL: a
// scene's. The fault's pointer names the command to blame.
enum result engine_run_commands(struct engine_world *world, struct client *client,
                                const struct proto_commands *commands, struct json_writer *result,
                                struct fault *fault) WEFT_MUST_USE;
// The same for batch.run: its whole result is written to `world->result`.
enum result engine_run_batch(struct engine_world *world, struct client *client, const struct proto_batch_run *params,
                             struct fault *fault) WEFT_MUST_USE;
// Runs a recorded command or batch once more; nobody gets a reply.
enum result engine_apply_again(struct engine_world *world, struct client *client, const struct proto_command *command,
                               struct fault *fault) WEFT_MUST_USE;
// After a success: the records follow the simulation, and events are sent.
void engine_settle(struct engine_world *world);

#endif
