// SPDX-License-Identifier: MIT
// Ctrl-C and SIGTERM, as the end of a command that runs until then.
#ifndef WEFT_TOOLS_CLIENT_INTERRUPT_H
#define WEFT_TOOLS_CLIENT_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void); // from now on these signals do not end the process
bool interrupted(void);     // whether one has come

#endif
