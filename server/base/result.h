// SPDX-License-Identifier: MIT
// The results of calls, and the explanation for the person who caused a failure.
//
// Every fallible function returns `enum result`, which may not be ignored. On anything but RESULT_OK its outputs are
// untouched. Where the cause came from outside the process, a `struct fault` explains it: one sentence that names the
// member, the value that it had and what is allowed.
#ifndef WEFT_BASE_RESULT_H
#define WEFT_BASE_RESULT_H

#include <stdint.h>

#define WEFT_MUST_USE __attribute__((warn_unused_result))
#define WEFT_PRINTF(at, first) __attribute__((format(printf, at, first)))

#ifdef __cplusplus
extern "C" {
#endif

// The causes; each has one code in the protocol (server/proto/message/response.c holds the table).
enum result {
    RESULT_OK = 0,
    RESULT_PARSE,     // not one valid JSON text
    RESULT_REQUEST,   // valid JSON, but no request object
    RESULT_METHOD,    // no such method
    RESULT_INVALID,   // a member is missing, unknown, mistyped or out of range
    RESULT_BUSY,      // a queue is full: nothing was applied, try again
    RESULT_DENIED,    // the role does not allow it
    RESULT_NOT_FOUND, // no such object, particle, grab, obstacle, stick, world, scene
    RESULT_LIMIT,     // a capacity would be exceeded
    RESULT_STATE,     // not possible now
    RESULT_RATE,      // over the client's rate
    RESULT_FROZEN,    // another client has frozen the world
    RESULT_MEMORY,    // allocation failed
    RESULT_IO,        // a file or socket failed
    RESULT_DAMAGED,   // stored data is missing or changed
    RESULT_COUNT
};

#define FAULT_POINTER_MAX 128
#define FAULT_MESSAGE_MAX 320
#define FAULT_SUGGESTION_MAX 64
#define FAULT_BUSY_RETRY_MS 100u

// Why a call was refused. `pointer` is a JSON pointer below `params` ("/spacing"), empty when no member is to blame;
// `suggestion` is a known name that resembles the unknown one, or empty; `retry_after_ms` is when the call may succeed,
// 0 when that is not known. With RESULT_BUSY it is FAULT_BUSY_RETRY_MS unless the caller sets another time.
struct fault {
    enum result cause;
    uint32_t retry_after_ms;
    uint32_t byte; // where a text cannot be read, counted from 1; 0: unknown
    char pointer[FAULT_POINTER_MAX];
    char message[FAULT_MESSAGE_MAX];
    char suggestion[FAULT_SUGGESTION_MAX];
};

// Fills `fault` (which may be NULL) and returns `cause`, so that a refusal is one statement:
//     return fault_set(fault, RESULT_INVALID, "/rows", "rows must be at least 2, got %u", rows);
enum result fault_set(struct fault *fault, enum result cause, const char *pointer, const char *format, ...)
    WEFT_PRINTF(4, 5);

#ifdef __cplusplus
}
#endif

#endif
