// SPDX-License-Identifier: MIT
// Sends one message of a connection after the other, each whole.
#ifndef WEFT_NET_CONNECTION_OUTPUT_H
#define WEFT_NET_CONNECTION_OUTPUT_H

#include "net/connection/state.h"

enum output_result { OUTPUT_DONE, OUTPUT_BLOCKED, OUTPUT_FAILED };

// Takes the message, to be sent as it is, or as a WebSocket frame. Nothing may be under way.
void output_begin(struct connection *connection, struct message *take, bool framed);
// Sends what the socket takes of the message that is under way, if any.
enum output_result output_flush(struct connection *connection);
// Sends a control frame. Nothing may be under way.
enum output_result output_control(struct connection *connection, uint8_t opcode, const void *payload, size_t length);

#endif
