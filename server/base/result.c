// SPDX-License-Identifier: MIT
// Filling a fault. Messages that are too long are cut, never overrun.
#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum result fault_set(struct fault *fault, enum result cause, const char *pointer, const char *format, ...) {
    if (fault == NULL) {
        return cause;
    }
    memset(fault, 0, sizeof *fault);
    fault->cause = cause;
    fault->retry_after_ms = cause == RESULT_BUSY ? FAULT_BUSY_RETRY_MS : 0;
    snprintf(fault->pointer, sizeof fault->pointer, "%s", pointer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return cause;
}
