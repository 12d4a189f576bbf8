// SPDX-License-Identifier: MIT
// Reads the records that record_write.h describes.
#ifndef WEFT_PROTO_RECORD_RECORD_READ_H
#define WEFT_PROTO_RECORD_RECORD_READ_H

#include "proto/message/request.h"

// Reads a record as a request without id, which the caller destroys with proto_request_destroy. Errors: RESULT_INVALID
// (the bytes are no record, or the record of a command that no request could have given), RESULT_MEMORY.
enum result proto_record_read(const void *bytes, size_t size, struct proto_request **request,
                              struct fault *fault) WEFT_MUST_USE;

#endif
