// SPDX-License-Identifier: MIT
// The version of Weft.
#ifndef WEFT_BASE_VERSION_H
#define WEFT_BASE_VERSION_H

#define WEFT_VERSION "0.1.0"

#endif
