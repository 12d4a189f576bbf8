// SPDX-License-Identifier: MIT
// The way from a terminal to a second device: where others in the network find the page, as text and as a QR code.
#ifndef WEFT_APP_INVITE_H
#define WEFT_APP_INVITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Prints the page's addresses in the local network and the QR code of the likeliest one to `out`, if the server listens
// on every address (`host` is "0.0.0.0" or "::"); prints nothing otherwise, nor in a container. `world` is the world to
// open; `tls` whether it is asked for by https. Colours are used only where `out` is a terminal.
void app_invite_print(FILE *out, const char *host, uint16_t port, const char *world, bool tls);

#endif
