// SPDX-License-Identifier: MIT
// The way from a terminal to a second device: where others in the network find the page, as text and as a QR code.
#ifndef WEFT_HOST_CONNECTION_INVITE_H
#define WEFT_HOST_CONNECTION_INVITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define INVITE_ADDRESSES_MAX 8
#define INVITE_URL_MAX 256

// Whether a server that listens on `host` can be asked for at every address of this machine ("0.0.0.0" or "::").
bool app_invite_is_everywhere(const char *host);
// Whether this process runs in a container: its own addresses are reached from no other device.
bool app_invite_is_contained(void);
// Where others in the network find the page, the likeliest first, as URLs of its root without a slash at the end.
// Returns how many; 0 where the server listens on one address only, in a container, or in no network.
size_t app_invite_find(const char *host, uint16_t port, bool tls, char urls[INVITE_ADDRESSES_MAX][INVITE_URL_MAX]);

// Prints the page's addresses in the local network and the QR code of the likeliest one to `out`, if the server listens
// on every address (`host` is "0.0.0.0" or "::"); prints nothing otherwise, nor in a container. `world` is the world to
// open; `tls` whether it is asked for by https. Colours are used only where `out` is a terminal.
void app_invite_print(FILE *out, const char *host, uint16_t port, const char *world, bool tls);

#endif
