// SPDX-License-Identifier: MIT
// The monotonic clock.
#ifndef WEFT_TOOLS_CLIENT_MONOTONIC_H
#define WEFT_TOOLS_CLIENT_MONOTONIC_H

double monotonic_s(void); // its zero means nothing

#endif
