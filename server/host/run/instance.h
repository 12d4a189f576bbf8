// SPDX-License-Identifier: MIT
// The name of this process, which changes with every start.
#ifndef WEFT_HOST_RUN_INSTANCE_H
#define WEFT_HOST_RUN_INSTANCE_H

const char *app_instance(void);

#endif
